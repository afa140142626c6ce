import { expect, it } from "vitest";
import { openRepositoryLab, tasksFile } from "./repository-lab.ts";

const INSTALL = `import fs from "node:fs";
fs.appendFileSync(process.env.HOME + "/calls", "x");
fs.rmSync("node_modules", { recursive: true, force: true });
for (const name of fs.readFileSync("requirements.txt", "utf8").trim().split("\\n"))
  fs.mkdirSync("node_modules/" + name, { recursive: true });
`;
const ALL = "for name in $(cat requirements.txt); do test -d node_modules/$name || exit 1; done";

it("[E286] packages that a task adds are there where its work is joined, and for the tasks after it", async () => {
  const add = (edit: string) => [`sed -i '${edit}' requirements.txt`, "node install.mjs"].join("; ");
  const tasks = tasksFile({
    "1: a": {
      "T1.1": [`run: ${add("1i one")}; touch one.txt`],
      "T1.2": [
        `run: until git cat-file -e phase/1-a:one.txt 2> /dev/null; do sleep 0.05; done; ${add("$a two")}`,
      ],
      "T1.3": ["depends_on: [T1.1, T1.2]", `run: ${ALL}; touch three.txt`],
      "T1.4": ["depends_on: [T1.3]", "run: touch four.txt"],
    },
  });
  await using lab = openRepositoryLab({
    "TASKS.md": tasks,
    "espalier.yaml": `verify: '${ALL}'\nworktree: { setup: [node install.mjs] }\nphase: { merge: auto, verify: '${ALL}' }\nmaxAttempts: 1\n`,
    ".gitignore": "node_modules\n",
    "requirements.txt": "a\nb\nc\nd\n",
    "install.mjs": INSTALL,
  });
  const { code, stdout } = await lab.ask("run", "--yes");
  expect([code, stdout]).toEqual([0, expect.stringContaining("4 done")]);
  expect(stdout).not.toContain("[CONFLICT]");
  expect(lab.git("show", "main:requirements.txt")).toBe("one\na\nb\nc\nd\ntwo");
  // Two worktrees and two tasks; the phase's folder when it is made, and once for what was joined there.
  expect(lab.text(`${lab.home}/calls`).length).toBeLessThanOrEqual(6);
});
