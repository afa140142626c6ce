import { execFileSync } from "node:child_process";
import { expect } from "vitest";
import { type Lab, openLab } from "../lab.ts";

/** A document, and what becomes of it in two steps. */
export const OLD = `# Bakery

## Status

- Phase 1: COMPLETE
- Phase 2: IN_PROGRESS

## Decisions

- **D-1:** Prices are integers in cents
- **D-2:** Orders are kept in one table

## Notes

${Array.from({ length: 20 }, (_, at) => `Oven ${at} takes ${at * 3 + 7} loaves and needs to rest afterwards.`).join("\n")}
`;
export const NEXT = OLD.replace("IN_PROGRESS", "COMPLETE").replace("one table", "one table per shop");
export const LAST = NEXT.replace("Oven 7 takes", "Oven 7 bakes");
/** The three as files of a lab. */
export const FILES = { "old.md": OLD, "next.md": NEXT, "last.md": LAST };

/** A lab with the message from `old.md` to `next.md` as `update.md`. */
export async function withUpdate(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<Lab> {
  const lab = openLab({ ...FILES, ...files });
  const { stdout } = await lab.ask("delta", "diff", "old.md", "next.md", "--from", "3", "--to", "4");
  lab.write("update.md", stdout);
  return lab;
}

/** Git in the project, as somebody. */
export function git(lab: Lab, ...args: readonly string[]): void {
  execFileSync("git", ["-c", "user.name=Tester", "-c", "user.email=t@example.org", ...args], {
    cwd: lab.root,
    stdio: "ignore",
  });
}

/** Writes a file and commits it. */
export function commit(lab: Lab, name: string, text: string | Uint8Array): void {
  lab.write(name, text);
  git(lab, "add", "-A");
  git(lab, "commit", "-q", "-m", "step");
}

/** What `delta replay --json` prints. */
export interface Report {
  readonly steps: readonly {
    readonly from: number | string;
    readonly to: number | string;
    readonly exact: boolean;
    readonly form: string;
    readonly tokens: { readonly sent: number; delta: number; full: number; u0: number | null };
  }[];
  readonly total: Readonly<Record<string, number | null>>;
}

/** Replays and reads the report; anything on stderr fails the test. */
export async function replayed(lab: Lab, ...args: readonly string[]): Promise<Report> {
  const { code, stdout, stderr } = await lab.ask("delta", "replay", ...args, "--json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as Report;
}
