import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Tasks of the plan, and where each works: in the main checkout, beside others, alone in its phase's folder. */
export const TASKS = ["T0.1", "T1.1", "T1.2", "T1.3", "T1.4", "T2.1", "T2.2"] as const;

/** What the file of a task holds in the end. */
export const contentOf = (task: string): string => `${task}\n`.repeat(300);

/** An agent that writes, and one that commits by itself as agents do: its git waits for no disk. */
function script(task: string): string[] {
  const file = `work/${task}.txt`;
  const lines = ["mkdir -p work", `for n in $(seq 300); do echo ${task}; done > ${file}`];
  const commits = Number(task.at(-1)) % 2 === 0 && !task.startsWith("T0");
  return commits
    ? [...lines, `git add -A; git diff --cached --quiet || git commit -q -m "by the agent of ${task}"`]
    : lines;
}

function taskFile(): string {
  const needs: Readonly<Record<string, string>> = { "T1.3": "T1.1", "T1.4": "T1.2, T1.3", "T2.2": "T2.1" };
  const lines = ["# Power", ""];
  let phase = "";
  for (const task of TASKS) {
    if (task[1] !== phase) lines.push(`## Phase ${task[1]}: part ${task[1]}`, "");
    phase = task[1] ?? "";
    const before = needs[task];
    lines.push(`### [ ] ${task}: work`, ...(before === undefined ? [] : [`- depends_on: [${before}]`]));
    lines.push("- run:", "  ```sh", ...script(task).map(line => `  ${line}`), "  ```");
    lines.push(`- verify: test -s work/${task}.txt`, "");
  }
  return lines.join("\n");
}

/** A repository with the plan, whose phases are merged by themselves, and a home beside it. */
export function makeProject(root: string): void {
  const folder = join(root, "project");
  mkdirSync(join(root, "home"));
  mkdirSync(folder);
  writeFileSync(join(folder, "TASKS.md"), taskFile());
  writeFileSync(join(folder, "espalier.yaml"), "phase: { merge: auto }\n");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder });
  git("init", "-q", "-b", "main");
  git("config", "user.name", "t");
  git("config", "user.email", "t@t");
  git("add", "-A");
  git("commit", "-q", "-m", "start");
}
