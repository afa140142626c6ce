import { existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Makes a folder that is to be mounted; what cannot be made the agent has to do without. */
export function makeFolder(path: string): void {
  try {
    if (!existsSync(path)) mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch {
    // Then it is not mounted.
  }
}

/** Makes a file that is to be guarded, where there is none: what is not there cannot be. */
export function makeFile(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, text, { flag: "wx", mode: 0o600 });
  } catch {
    // It is there, or nobody can make one.
  }
}

/** Where a path really leads; undefined when it leads nowhere. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
