import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Cell, mounts } from "./cell.ts";

/** What runs the project: its database, its lock, the sockets by which people steer it. */
const STEERING = /^(?:espalier\.db|lock\.db|holder\.json|.*\.sock$|orchestrate)/;

/**
 * The mounts of a project's state. An agent reads prompts and documents there and writes its lessons; who could change
 * the database or reach the control socket could complete any task, allow itself anything, and answer as a person.
 */
export function stateMounts({ state, writable, sockets = [] }: Cell): string[] {
  const entries = state === undefined ? undefined : entriesOf(state);
  const open = [...new Set(writable.map(path => dirname(path)))];
  if (state === undefined || entries === undefined)
    return [...mounts("--bind-try", open), ...mounts("--bind-try", sockets)];
  const seen = entries.filter(name => !STEERING.test(name)).map(name => join(state, name));
  return [
    "--tmpfs",
    state,
    ...mounts("--ro-bind-try", seen),
    ...mounts("--bind-try", [...open, ...sockets]),
    "--remount-ro",
    state,
  ];
}

function entriesOf(folder: string): string[] | undefined {
  try {
    return readdirSync(folder).sort();
  } catch {
    return undefined;
  }
}
