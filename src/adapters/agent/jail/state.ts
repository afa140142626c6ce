import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Cell, type Mount, mounts } from "./cell.ts";

/** What runs the project: its database, its lock, the sockets by which people steer it. */
const STEERING = /^(?:espalier\.db|lock\.db|holder\.json|.*\.sock$|orchestrate)/;

/**
 * The mounts of a project's state. An agent reads prompts and documents there and writes its lessons; who could change
 * the database or reach the control socket could complete any task, allow itself anything, and answer as a person.
 */
export function stateMounts({ state, writable, sockets = [] }: Cell): Mount[] {
  const entries = state === undefined ? undefined : entriesOf(state);
  const open = mounts("--bind-try", [...new Set(writable.map(path => dirname(path))), ...sockets]);
  if (state === undefined || entries === undefined) return open;
  const seen = entries.filter(name => !STEERING.test(name)).map(name => join(state, name));
  return [["--tmpfs", state], ...mounts("--ro-bind-try", seen), ...open];
}

function entriesOf(folder: string): string[] | undefined {
  try {
    return readdirSync(folder).sort();
  } catch {
    return undefined;
  }
}
