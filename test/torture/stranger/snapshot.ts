import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** What stands below a folder, by path: kind, mode, size, time of the last change, content. */
export type Snapshot = ReadonlyMap<string, string>;

/** Bytes of a file that is read; one that was planted without an end is known by its size. */
const MOST = 64 * 1024 ** 2;

function contentOf(path: string, isFile: boolean, isLink: boolean, size: number): string {
  if (isLink) return readlinkSync(path);
  if (size > MOST) return "endless";
  return isFile ? createHash("sha256").update(readFileSync(path)).digest("hex").slice(0, 16) : "";
}

/** Looks at everything below a folder, links not followed, but for what `leaveOut` names. */
export function snapshot(root: string, leaveOut: (path: string) => boolean): Snapshot {
  const found = new Map<string, string>();
  const look = (name: string): void => {
    const path = join(root, name);
    const facts = lstatSync(path);
    const kind = facts.mode.toString(8);
    const content = contentOf(path, facts.isFile(), facts.isSymbolicLink(), facts.size);
    found.set(name, `${kind} ${facts.isFile() ? facts.size : ""} ${facts.mtimeMs} ${content}`);
    if (!facts.isDirectory()) return;
    for (const entry of readdirSync(path)) {
      const below = join(name, entry);
      if (!leaveOut(below)) look(below);
    }
  };
  look(".");
  return found;
}

/** What differs, one path each. */
export function changes(before: Snapshot, after: Snapshot): readonly string[] {
  const told = (path: string) =>
    `${path}: ${before.get(path) ?? "nothing"} → ${after.get(path) ?? "nothing"}`;
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter(path => before.get(path) !== after.get(path)).map(told);
}
