import { closeSync, opendirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { hold } from "./hold.ts";

/** Files and folders, at most, that are removed in this thread: more take seconds in which nothing else would happen. */
const AT_ONCE = 2_000;
const REMOVE = `
const { rmSync } = require("node:fs");
for (const path of require("node:worker_threads").workerData) rmSync(path, { force: true, recursive: true });
`;

/** Whether more than so many files and folders stand at these paths; no link is followed. */
function holdMore(paths: readonly string[], most: number): boolean {
  const folders: string[] = [];
  let left = most;
  const count = (path: string, isFolder: boolean) => {
    left--;
    if (isFolder) folders.push(path);
  };
  for (const path of paths) count(path, true);
  for (let folder = folders.pop(); folder !== undefined && left >= 0; folder = folders.pop()) {
    try {
      using entries = opendirSync(folder);
      for (let entry = entries.readSync(); entry !== null && left >= 0; entry = entries.readSync())
        count(join(folder, entry.name), entry.isDirectory());
    } catch {
      // No folder: it counts as one.
    }
  }
  return left < 0;
}

async function removeInThread(paths: readonly string[]): Promise<void> {
  const { Worker } = await import("node:worker_threads");
  const { promise, resolve: done, reject } = Promise.withResolvers<void>();
  const thread = new Worker(REMOVE, { eval: true, workerData: paths, execArgv: [], env: {} });
  thread.once("error", reject);
  thread.once("exit", code => (code === 0 ? done() : reject(new Error(`the thread ended with ${code}`))));
  return promise;
}

/**
 * Removes entries of a folder that no link leads to, each with all that is in it; a link is removed, not what it leads to.
 * Many are removed in a thread of their own. Throws what the file system says, e.g. `ENOENT` where the folder is missing.
 */
export async function removeEntries(folder: string, names: readonly string[]): Promise<void> {
  const held = hold(resolve(folder));
  try {
    const paths = names.map(name => join(held.via, name));
    if (holdMore(paths, AT_ONCE)) await removeInThread(paths);
    else for (const path of paths) rmSync(path, { force: true, recursive: true });
  } finally {
    closeSync(held.fd);
  }
}
