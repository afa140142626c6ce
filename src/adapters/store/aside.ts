import { existsSync, linkSync, renameSync } from "node:fs";
import { basename } from "node:path";

/** The time as it stands in file names, such as `20301224T180000Z`. */
export function fileStamp(now: number): string {
  return new Date(now).toISOString().replaceAll("-", "").replaceAll(":", "").replace(/\.\d+/, "");
}

/**
 * Keeps a file that is no good any more under a name of its own, `<name>.corrupt-<time>`, and returns that name.
 * Undefined when there was no file. Throws what the system throws.
 */
export function moveAside(path: string, stamp: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const aside = freeName(`${path}.corrupt-${stamp}`);
  renameSync(path, aside);
  return basename(aside);
}

/**
 * The same for a database with its log. The database keeps its name as well until its successor takes it, so that a
 * crash in between finds something to recover; the log must go, or SQLite would apply it to the successor.
 */
export function setAsideDatabase(path: string, stamp: string): string | undefined {
  const companions = ["-wal", "-shm"].filter(ending => existsSync(`${path}${ending}`));
  const there = existsSync(path);
  if (!there && companions.length === 0) return undefined;
  const aside = freeName(`${path}.corrupt-${stamp}`);
  if (there) {
    try {
      linkSync(path, aside);
    } catch {
      renameSync(path, aside);
    }
  }
  for (const ending of companions) renameSync(`${path}${ending}`, `${aside}${ending}`);
  return basename(aside);
}

/** A path that begins with this one, and under which nothing stands yet. */
export function freeName(wanted: string): string {
  const taken = (name: string) => ["", "-wal", "-shm"].some(ending => existsSync(`${name}${ending}`));
  for (let count = 1; ; count++) {
    const name = count === 1 ? wanted : `${wanted}.${count}`;
    if (!taken(name)) return name;
  }
}
