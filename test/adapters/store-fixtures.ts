import { copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Result } from "../../src/ports/result.ts";

/** The value of a success; anything else fails the test with the failure in its message. */
export function must<T>(result: Result<T, unknown>): T {
  if (result.ok) return result.value;
  throw new Error(`unexpected failure: ${JSON.stringify(result.failure)}`);
}

/** One task of a thin state as its file spells it. */
export interface ThinEntry {
  readonly id: string;
  readonly status: string;
  readonly retry_count?: unknown;
  readonly verified?: unknown;
}

/** The text of a thin state file. */
export function thinText(
  position: { readonly run?: string; readonly epoch: number; readonly seq: number },
  tasks: readonly ThinEntry[],
): string {
  const rows = tasks.map(task => ({ phase: 1, depends_on: [], parallel_with: [], retry_count: 0, ...task }));
  const head = { version: "3.0", project: "demo", run: "run-1", ...position };
  return `${JSON.stringify({ ...head, updated_at: "2030-01-01T00:00:00.000Z", phase: 1, tasks: rows })}\n`;
}

/** Copies all files of a directory, as a killed process leaves them. */
export function copyFiles(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) copyFileSync(join(from, name), join(to, name));
}

/** Every file of a directory with its content. */
export function contents(directory: string): ReadonlyMap<string, Buffer> {
  return new Map(
    readdirSync(directory)
      .sort()
      .map(name => [name, readFileSync(join(directory, name))]),
  );
}
