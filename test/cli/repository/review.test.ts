import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { attemptsOf, openRepositoryLab } from "./lab.ts";

const JUDGE = [
  "#!/bin/sh",
  "cat > ../asked; echo mine > stray.txt; echo mine >> hello.txt",
  'if grep -q ciao hello.txt; then echo "- hello.txt: no Italian"; echo "CHANGES:$ESPALIER_SIGNAL_ID"',
  'else echo "APPROVE:$ESPALIER_SIGNAL_ID"; fi',
].join("\n");

it("[HO27] judges what has landed, by hand and in a run, and what a reviewer changes stays nowhere", async () => {
  await using lab = openRepositoryLab({
    "worker.sh": '#!/bin/sh\ncat > ../prompt; echo hello > hello.txt; echo "DONE:$ESPALIER_SIGNAL_ID"\n',
    "judge.sh": JUDGE,
    "no.sh": "#!/bin/sh\ncat > /dev/null; echo Looks fine.\n",
    "TASKS.md":
      "# Job\n## Phase 1: a\n### [ ] T1.1: greet\n- [ ] in Korean, too\n### [ ] T1.2: later\n- review: no\n- depends_on: T1.1\n",
    "espalier.yaml": [
      "agent: worker",
      "agents: { worker: { command: sh worker.sh }, judge: { command: sh judge.sh }, mute: { command: sh no.sh } }",
      "review: { agent: judge }",
      "phase: { merge: auto }",
    ].join("\n"),
  });
  const run = await lab.cli(["run", "--yes"]);
  expect(run).toMatchObject({ code: 0 });
  expect(run.stdout + run.stderr).toContain("[REVIEW] T1.1 by judge: approved after 1 round\n");
  expect(lab.read("hello.txt")).toBe("hello\n");
  expect((await attemptsOf(lab, "T1.1"))[0]?.evidence).toContain("REVIEW approved by judge after 1 round");
  expect((await attemptsOf(lab, "T1.2"))[0]?.evidence).not.toContain("REVIEW");
  const { stdout: report } = await lab.ask("phase", "report");
  expect(report).toContain("`T1.1: greet` – **unverified**; reviewed by `judge`: approved after 1 round\n");
  expect(report).toContain("`T1.2: later` – **unverified**\n");

  const byHand = await lab.ask("review", "T1.1");
  expect(byHand).toMatchObject({ code: 0, stdout: "" });
  expect(byHand.stderr).toContain("T1.1 reviewed by judge: approved");
  expect(lab.text(lab.beside("asked"))).toContain("  | - [ ] in Korean, too\n");
  expect(lab.text(lab.beside("asked"))).toContain("+hello\n");
  expect(await lab.ask("review", "T1.1", "--agent", "mute")).toMatchObject({ code: 6 });
  expect(await lab.ask("review", "T1.9")).toMatchObject({ code: 2 });
  expect((await lab.ask("review", "T1.1", "--agent", "jugde")).stderr).toContain("did you mean judge?");
  // It has no --command of its own.
  expect((await lab.ask("review", "T1.1", "--agent", "command")).stderr).toContain(
    "command: in espalier.yaml",
  );

  expect(lab.git("status", "--short")).toBe("");
  expect(lab.git("worktree", "list").split("\n")).toHaveLength(1);
  expect(existsSync(lab.path("stray.txt"))).toBe(false);
  expect(lab.git("ls-files")).not.toContain("stray.txt");

  // Another judge's script is another command, and is asked for anew.
  const config = lab
    .read("espalier.yaml")
    .replace("agent: judge }", "command: 'grep -q ciao || { echo no Italian; exit 1; }' }");
  lab.write("espalier.yaml", config);
  expect(await lab.ask("review", "T1.1")).toMatchObject({ code: 5 });
  expect(await lab.ask("review", "T1.1", "--yes")).toMatchObject({ code: 1, stdout: "no Italian\n" });
});

it("[HO126] [HO130] tells the reviewer, by hand and in a run, what a person asked for who sent work back", async () => {
  await using lab = openRepositoryLab({
    "worker.sh": '#!/bin/sh\ncat > ../prompt; echo hello >> hello.txt; echo "DONE:$ESPALIER_SIGNAL_ID"\n',
    "judge.sh": JUDGE.replace("cat > ../asked", "cat >> ../asked"),
    "loud.sh":
      "#!/bin/sh\ncat > /dev/null; printf '\\033[31m- no Italian\\033[0m\\n'; echo \"CHANGES:$ESPALIER_SIGNAL_ID\"\n",
    "TASKS.md": "# Job\n## Phase 1: a\n### [ ] T1.1: greet\n",
    "espalier.yaml": [
      "agent: worker",
      "agents: { worker: { command: sh worker.sh }, judge: { command: sh judge.sh }, loud: { command: sh loud.sh } }",
      "review: { agent: judge }",
    ].join("\n"),
  });
  expect(await lab.cli(["run", "--yes"])).toMatchObject({ code: 0 });
  // Findings are handed on as they are read.
  expect(await lab.ask("review", "T1.1", "--agent", "loud")).toMatchObject({
    code: 1,
    stdout: "- no Italian\n",
  });
  const told = () => lab.text(lab.beside("asked")).split("  | - twice, please\n  | -천천히\n").length - 1;
  // A list is no option.
  expect(await lab.ask("task", "send-back", "T1.1", "- twice, please\n-천천히")).toMatchObject({ code: 0 });
  // What stands is what was made before.
  expect(await lab.ask("review", "T1.1")).toMatchObject({ code: 0 });
  expect(told()).toBe(0);
  expect(await lab.cli(["resume", "--yes"])).toMatchObject({ code: 0 });
  expect(told()).toBe(1);
  expect(await lab.ask("review", "T1.1")).toMatchObject({ code: 0 });
  expect(told()).toBe(2);
});
