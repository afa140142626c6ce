import { expect, it } from "vitest";
import { openRepositoryLab, tasksFile } from "./lab.ts";

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

it("[E286] nothing is set up while a lock file holds both sides of a conflict", async () => {
  const agent = `#!/bin/sh
cat > /dev/null
if test $ESPALIER_TASK = T1.2; then until git cat-file -e phase/1-a:one.txt 2> /dev/null; do sleep 0.05; done; fi
if grep -q '<<<<<<<' requirements.txt; then printf 'one\\ntwo\\n' > requirements.txt; node install.mjs; exec echo DONE:$ESPALIER_SIGNAL_ID; fi
test $ESPALIER_TASK = T1.1 && printf 'one\\n' > requirements.txt && touch one.txt
test $ESPALIER_TASK = T1.2 && printf 'two\\n' > requirements.txt
node install.mjs
echo DONE:$ESPALIER_SIGNAL_ID
`;
  const strict = `${INSTALL}if (fs.readFileSync("requirements.txt", "utf8").includes("<<<")) process.exit(3);\n`;
  await using lab = openRepositoryLab({
    "TASKS.md": tasksFile({ "1: a": { "T1.1": [], "T1.2": [] } }),
    "espalier.yaml": `agent: command\ncommand: sh agent.sh\nverify: '${ALL}'\nworktree: { setup: [node install.mjs] }\nphase: { merge: auto }\n`,
    ".gitignore": "node_modules\n",
    "requirements.txt": "a\n",
    "install.mjs": strict,
    "agent.sh": agent,
  });
  const { code, stdout } = await lab.ask("run", "--yes");
  expect([code, stdout]).toEqual([0, expect.stringContaining("[CONFLICT] T1.2: requirements.txt")]);
  expect(stdout).not.toContain("NOT_SET_UP");
  expect(lab.git("show", "main:requirements.txt")).toBe("one\ntwo");
});

it("[E286] what the setup says against the lock files of an attempt is told, and the next one may mend them", async () => {
  const agent =
    "cat > /dev/null; test -e torn && printf 'b\\n' > requirements.txt; touch torn; test -s requirements.txt || exit 1; node install.mjs; echo DONE:$ESPALIER_SIGNAL_ID";
  const strict = `${INSTALL}if (fs.existsSync("torn") && fs.readFileSync("requirements.txt", "utf8") === "x\\n") process.exit(3);\n`;
  await using lab = openRepositoryLab({
    "TASKS.md": tasksFile({ "1: a": { "T1.1": ["retry: continue"] } }),
    "espalier.yaml": `agent: command\ncommand: sh agent.sh\nverify: '! grep -q x requirements.txt'\nworktree: { setup: [node install.mjs] }\nphase: { merge: auto }\nbackoff: { first: 0s }\n`,
    ".gitignore": "node_modules\n",
    "requirements.txt": "a\n",
    "install.mjs": strict,
    "agent.sh": agent.replace("touch torn;", "test -e torn || printf 'x\\n' > requirements.txt; touch torn;"),
  });
  const { code, stdout } = await lab.ask("run", "--yes");
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining("T1.1: NOT_SET_UP worktree.setup node install.mjs exit 3"),
  ]);
  expect(lab.git("show", "main:requirements.txt")).toBe("b");
});
