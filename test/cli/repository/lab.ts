import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Lab, openLab } from "../lab.ts";

/** A lab whose project is a git repository with everything committed on `main`. */
export interface RepositoryLab extends Lab {
  git(...args: readonly string[]): string;
  /** A path beside the project. */
  beside(name: string): string;
  has(path: string): boolean;
  text(path: string): string;
}

const AUTHOR = ["-c", "user.name=t", "-c", "user.email=t@t"];

/** Opens one; quick settings unless the files bring their own. */
export function openRepositoryLab(files: Readonly<Record<string, string>>): RepositoryLab {
  const lab = openLab({ "espalier.yaml": "phase: { merge: auto }\nbackoff: { first: 0s }\n", ...files });
  const git = (...args: readonly string[]) =>
    execFileSync("git", [...AUTHOR, ...args], {
      cwd: lab.root,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: lab.home },
      stdio: ["ignore", "pipe", "pipe"],
    }).trimEnd();
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-q", "-m", "start");
  const parent = dirname(lab.root);
  return Object.assign(lab, {
    git,
    beside: (name: string) => join(parent, name),
    has: (path: string) => existsSync(path),
    text: (path: string) => readFileSync(path, "utf8"),
  });
}

/** A task file of phases with tasks, each with its lines. */
export function tasksFile(
  phases: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>,
): string {
  const lines = ["# Job", ""];
  for (const [phase, tasks] of Object.entries(phases)) {
    lines.push(`## Phase ${phase}`, "");
    for (const [task, fields] of Object.entries(tasks))
      lines.push(`### [ ] ${task}: work`, ...fields.map(field => `- ${field}`), "");
  }
  return lines.join("\n");
}

/** The attempts of a task as `task show --json` tells them. */
export async function attemptsOf(
  lab: Lab,
  task: string,
): Promise<
  readonly { outcome: string; evidence: string; feedback: string; commit?: string; branch?: string }[]
> {
  const { stdout } = await lab.ask("task", "show", task, "--json");
  return JSON.parse(stdout).attempts;
}
