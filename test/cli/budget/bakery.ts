import { readdirSync } from "node:fs";
import { expect } from "vitest";
import { type Lab, openLab } from "../lab.ts";

/** Two phases, of which the last task fails. */
export const TASKS = `# Bakery
## Phase 1: Build
### [ ] T1.1: Oven
- run: printf 'Decision - none\\nDecision: one oven\\n'
### [ ] T1.2: Flour
- depends_on: [T1.1]
- run: echo fine
## Phase 2: Sell
### [ ] T2.1: Shop
- run: test -e open
`;
export const CONFIG = "maxAttempts: 1\nbackoff: { first: 0s }\n";

export const lab = (files: Record<string, string> = {}): Lab =>
  openLab({ "TASKS.md": TASKS, "espalier.yaml": CONFIG, ...files });

/** A lab in which the tasks were run: two checkpoints, the second with a failed task. */
export async function ran(): Promise<Lab> {
  const made = lab();
  expect((await made.ask("run", "--yes")).code).toBe(1);
  return made;
}

/** What a command on checkpoints says that does well. */
export async function out(one: Lab, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await one.ask("checkpoint", ...args);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}

export const json = async (one: Lab, ...args: string[]) => JSON.parse(await out(one, ...args, "--json"));
export const names = (one: Lab) => readdirSync(one.path(".espalier/checkpoints")).toSorted();
