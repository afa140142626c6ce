import { lstatSync } from "node:fs";
import { join } from "node:path";
import { readBounded, removeOwned, unsyncedFileCalls, writeAtomic } from "../file/index.ts";

const at = (folder: string) => join(folder, "socket");

/** Tells one file from another that was put in its place: nobody can set the time of a file's last change. */
function identityOf(path: string): string | undefined {
  const facts = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return facts === undefined ? undefined : `${facts.dev}:${facts.ino}:${facts.ctimeNs}`;
}

/** Remembers which socket is that of the process that holds a project; what it returns forgets it again. */
export function rememberSocket(folder: string, path: string): () => void {
  const forget = () => removeOwned(at(folder));
  const identity = identityOf(path);
  const written =
    identity !== undefined && writeAtomic(at(folder), identity, { mode: 0o600, calls: unsyncedFileCalls }).ok;
  // Nothing is better than what an earlier process has left there.
  if (!written) forget();
  return forget;
}

/** Whether a socket stands where another one was remembered; without a memory it is taken as it is. */
export function isReplaced(folder: string, path: string): boolean {
  const remembered = readBounded(at(folder), { maxBytes: 1024 });
  return remembered.ok && Buffer.from(remembered.value).toString("latin1") !== identityOf(path);
}
