import { execFileSync } from "node:child_process";
import type { Job } from "./job.ts";

const TRAILERS = "--format=%(trailers:key=Espalier-Task,valueonly,separator=%x20)";

function git(folder: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd: folder, encoding: "utf8" }).trimEnd();
}

/** A repository around what stands in a folder. */
export function makeRepository(folder: string): void {
  const as = ["-c", "user.name=t", "-c", "user.email=t@t"];
  git(folder, "init", "-q", "-b", "main");
  git(folder, "add", "-A");
  git(folder, ...as, "commit", "-q", "-m", "start");
}

/** Whether each completed task has landed, and none twice: what is on the target or on the branch of a phase has. */
export function landedProblems(folder: string, completed: ReadonlySet<string>): string[] {
  const phases = git(folder, "for-each-ref", "--format=%(refname)", "refs/heads/phase")
    .split("\n")
    .filter(Boolean);
  const counts = new Map<string, number>();
  for (const id of git(folder, "log", TRAILERS, "main", ...phases)
    .split("\n")
    .filter(Boolean))
    counts.set(id, (counts.get(id) ?? 0) + 1);
  return [
    ...[...completed].filter(id => !counts.has(id)).map(id => `${id} is completed and is on no branch`),
    ...[...counts].flatMap(([id, count]) => (count > 1 ? [`${id} landed ${count} times`] : [])),
  ];
}

/** What is wrong with a repository after the last task: every task is to be on the target, and nothing else is left. */
export function endProblems(folder: string, { ids }: Job): string[] {
  const landed = git(folder, "log", TRAILERS, "main").split("\n").filter(Boolean);
  const missing = ids.filter(id => !landed.includes(id));
  // Each task adds one line to a file of its own, however often it was begun.
  const doubled = ids.flatMap((id, n) => {
    const text = missing.includes(id) ? "x" : git(folder, "show", `main:work/${n}`);
    return text === "x" ? [] : [`${id} left ${JSON.stringify(text)} in its file`];
  });
  return [
    ...doubled,
    ...(missing.length === 0 ? [] : [`main lacks ${missing.join(", ")}`]),
    ...(git(folder, "worktree", "list").split("\n").length === 1 ? [] : [git(folder, "worktree", "list")]),
    ...(git(folder, "branch", "--format=%(refname:short)") === "main" ? [] : [git(folder, "branch")]),
    ...(git(folder, "status", "--porcelain") === "" ? [] : [git(folder, "status", "--porcelain")]),
    ...(git(folder, "fsck", "--no-dangling", "--no-progress") === "" ? [] : ["fsck complains"]),
  ];
}
