import { cpSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeOwnedFolder } from "../../../file/index.ts";

/** Moves a file or folder, to another file system too: there it is removed only once the copy is whole. */
function moveFile(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    try {
      cpSync(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    } catch (problem) {
      rmSync(to, { recursive: true, force: true });
      throw problem;
    }
    rmSync(from, { recursive: true, force: true });
  }
}

/** Moves files out of a folder that is about to go. Returns the first that could not be moved. */
export function moveOut(from: string, to: string, paths: readonly string[]): string | undefined {
  for (const path of paths) {
    try {
      makeOwnedFolder(dirname(join(to, path)));
      moveFile(join(from, path), join(to, path));
    } catch (error) {
      return `${path}: ${(error as Error).message}`;
    }
  }
  return undefined;
}
