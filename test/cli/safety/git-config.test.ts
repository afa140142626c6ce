import { appendFileSync, existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { itWhole } from "../../sample.ts";
import { openRepositoryLab, tasksFile } from "../repository/lab.ts";

const VERIFY = "verify: test -s one.txt";

describe.concurrent("what a repository's git configuration has git start", { timeout: 180_000 }, () => {
  it("[V3] is shown, however it is written, and not started while nobody approved it", async () => {
    await using lab = openRepositoryLab({
      "TASKS.md": tasksFile({ "1: a": { "T1.1": ["run: echo one > one.txt", VERIFY] } }),
      ".gitattributes": "* filter=x\n",
    });
    appendFileSync(
      lab.path(".git/config"),
      `[user] name = a\\\\\n[filter "x"] clean = "touch ../STARTED; cat"\n`,
    );
    const { code, stderr } = await lab.cli(["run"]);
    expect([code, stderr]).toEqual([5, expect.stringContaining("filter.x.clean=touch ../STARTED; cat\n")]);
    for (const command of [["worktrees", "list"], ["doctor"], ["status"]]) await lab.cli(command);
    expect(existsSync(lab.beside("STARTED"))).toBe(false);
  });

  itWhole(
    "[V5] runs once it is approved, and puts a task before a person at once where it must exist and does not",
    async () => {
      await using lab = openRepositoryLab({
        "TASKS.md": tasksFile({ "1: a": { "T1.1": ["run: echo one > one.up", "verify: test -s one.up"] } }),
        "MORE.md": tasksFile({ "1: b": { "T1.1": ["run: echo two >> ../began; echo two > two.gone"] } }),
        ".gitattributes": "*.up filter=up\n*.gone filter=gone\n",
      });
      lab.git("config", "filter.up.clean", "tr a-z A-Z");
      lab.git("config", "filter.up.smudge", "tr A-Z a-z");
      lab.git("config", "filter.gone.clean", "no-such-program");
      lab.git("config", "filter.gone.required", "true");
      expect((await lab.cli(["run", "--yes"])).code).toBe(0);
      expect(lab.git("cat-file", "blob", "main:one.up")).toBe("ONE");
      expect(lab.read("one.up")).toBe("one\n");
      const { code, stdout } = await lab.cli(["run", "--yes", "MORE.md"]);
      expect(code).toBe(5);
      expect(stdout).toContain("clean filter 'gone' failed (needs a person");
      expect(lab.text(lab.beside("began"))).toBe("two\n");
    },
  );

  it("[V6] stops the run when an agent adds to it, and is not started", async () => {
    const add = `printf '# note \\\\\\n[filter "x"] clean = "touch ../STARTED; cat"\\n' >> "$(git rev-parse --git-common-dir)/config"`;
    // Nothing of git is on its way for another task when it is changed: SECURITY.md names what that could start.
    await using lab = openRepositoryLab({
      "TASKS.md": tasksFile({
        "1: a": {
          "T1.1": [`run: echo one > one.txt; ${add}`, VERIFY],
          "T1.2": ["run: echo two > two.txt", "depends_on: [T1.1]"],
        },
      }),
      ".gitattributes": "* filter=x\n",
    });
    const { code, stdout } = await lab.cli(["run", "--yes"]);
    expect([code, stdout]).toEqual([5, expect.stringContaining("GIT_CONFIG_CHANGED: filter.x.clean")]);
    expect(stdout).not.toContain("[DONE] T1.1");
    expect(existsSync(lab.beside("STARTED"))).toBe(false);
    const again = await lab.cli(["resume"]);
    expect([again.code, again.stderr]).toEqual([
      5,
      expect.stringContaining("filter.x.clean=touch ../STARTED; cat"),
    ]);
    expect(existsSync(lab.beside("STARTED"))).toBe(false);
  });
});
