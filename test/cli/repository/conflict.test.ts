import { describe, expect, it } from "vitest";
import { itWhole } from "../../sample.ts";
import { openRepositoryLab, tasksFile } from "./lab.ts";

const add = (word: string) => `run: sleep 0.3; echo "$(cat list.txt) ${word}" > list.txt`;
const append = (word: string) => `run: sleep 0.3; echo ${word} >> list.txt`;

describe("conflicts of commands", () => {
  it("[E30] a command is run again on what landed; nobody sees marks, what it made first is kept", async () => {
    await using lab = openRepositoryLab({
      "list.txt": "top\n",
      "TASKS.md": tasksFile({
        "1: parts": {
          "T1.1": [add("one"), "verify: \"! grep -q '<<<<' list.txt\""],
          "T1.2": [add("two"), "verify: \"! grep -q '<<<<' list.txt\""],
          "T1.3": [add("three")],
        },
      }),
    });
    const { code, stdout } = await lab.ask("run", "--yes");
    expect([code, stdout]).toEqual([0, expect.stringContaining("[CONFLICT]")]);
    expect(lab.read("list.txt").trim().split(" ").sort()).toEqual(["one", "three", "top", "two"]);
    expect(stdout).toContain("it is run again");
    expect(lab.git("branch", "--list", "espalier/rescue/*")).not.toBe("");
    const subjects = lab.git("log", "--format=%s", "main").split("\n");
    expect(subjects).toContain("Tick the boxes of completed tasks");
    expect(lab.git("show", "HEAD:TASKS.md").match(/\[x\]/g)).toHaveLength(3);
  });

  itWhole(
    "[E62] commands that append to one list are run once each, and every line is there once",
    async () => {
      const words = ["one", "two", "three", "four", "five", "six"];
      await using lab = openRepositoryLab({
        "list.txt": "top\n",
        "TASKS.md": tasksFile({
          "1: parts": Object.fromEntries(words.map((word, n) => [`T1.${n + 1}`, [append(word)]])),
        }),
      });
      const { code, stdout } = await lab.ask("run", "--yes");
      expect([code, stdout]).toEqual([0, expect.stringContaining("[JOINED]")]);
      expect(stdout).not.toContain("[CONFLICT]");
      expect(lab.read("list.txt").split("\n").filter(Boolean).sort()).toEqual([...words, "top"].sort());
    },
  );
});
