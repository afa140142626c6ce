import { closeSync, fstatSync, mkdirSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type FileCalls, type FileFacts, nodeFileCalls } from "./calls.ts";
import { type Held, hold, NotOwned, withEntry } from "./hold.ts";

/**
 * The system calls for files in a checkout that others may have filled: no symbolic link is followed, neither in a file's
 * place nor on the way to it from the file system's root. On Linux each call goes through the open folder, so that a link
 * put there in between is not followed either. Callers resolve the project's own path first.
 */
export const directFileCalls: FileCalls = {
  ...nodeFileCalls,
  open(path, way, mode) {
    if (way === "directory") return hold(resolve(path)).fd;
    return withEntry(path, via => nodeFileCalls.open(via, way === "follow" ? "read" : way, mode));
  },
  lstat: path => withEntry(path, nodeFileCalls.lstat),
  rename: (from, to) => withEntry(from, one => withEntry(to, other => nodeFileCalls.rename(one, other))),
  link: (from, to) => withEntry(from, one => withEntry(to, other => nodeFileCalls.link(one, other))),
  unlink: path => withEntry(path, nodeFileCalls.unlink),
  list(directory) {
    const held = hold(resolve(directory));
    try {
      return nodeFileCalls.list(held.via);
    } finally {
      closeSync(held.fd);
    }
  },
};

/**
 * The same for what is Espalier's alone: besides, what is opened is nobody else's, and no name of it lies in another
 * folder. Throws `NotOwned`.
 */
export const ownedFileCalls: FileCalls = {
  ...directFileCalls,
  open(path, way, mode) {
    if (way === "directory") return holdOwn(resolve(path)).fd;
    return withEntry(path, via => {
      const fd = nodeFileCalls.open(via, way === "follow" ? "read" : way, mode);
      try {
        requireOwn(path, via, () => nodeFileCalls.fstat(fd));
        return fd;
      } catch (error) {
        closeSync(fd);
        throw error;
      }
    });
  },
};

/** The same without waiting for the disk: for files that are worth nothing after a power cut. */
export const unsyncedOwnedCalls: FileCalls = { ...ownedFileCalls, fsync() {} };

/** Where every user's file is shown as one and the same user's, ours belong to whoever the folder belongs to. */
function requireOwner(path: string, owner: number, folder: string): void {
  const me = process.geteuid?.();
  if (me !== undefined && owner !== me && owner !== statSync(folder).uid)
    throw new NotOwned(path, "another-users");
}

function holdOwn(folder: string): Held {
  const held = hold(folder);
  try {
    // Not joined: that would take the two dots as text.
    requireOwner(folder, fstatSync(held.fd).uid, `${held.via}/..`);
    return held;
  } catch (error) {
    closeSync(held.fd);
    throw error;
  }
}

/** Milliseconds after which a name that is not found is not here: another process may just be renaming it. */
const PATIENCE_MS = 50;
/** Looks at least, however long one takes: a machine may stand still between two. */
const LOOKS = 3;

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
}

/** `look` tells how the file stands now: names come and go while another process writes it. */
function requireOwn(path: string, via: string, look: () => FileFacts): void {
  const folder = dirname(via);
  const begun = performance.now();
  for (let looks = 1; ; looks++) {
    const facts = look();
    requireOwner(path, facts.owner, folder);
    if (facts.kind !== "file" || facts.links <= 1) return;
    // A backup and what is set aside are further names for a moment; a name elsewhere would change with ours.
    const names = nodeFileCalls
      .list(folder)
      .filter(name => factsOf(join(folder, name))?.identity === facts.identity);
    if (names.length >= facts.links) return;
    if (looks >= LOOKS && performance.now() - begun > PATIENCE_MS)
      throw new NotOwned(path, "linked-elsewhere", facts.links);
    pause();
  }
}

/** Refuses what stands under a name of ours and is no file of ours; nothing may stand there. Throws `NotOwned`. */
export function requireOwnFile(path: string): void {
  withEntry(path, via => {
    try {
      requireOwn(path, via, () => {
        const facts = nodeFileCalls.lstat(via);
        const { kind } = facts;
        if (kind !== "file") throw new NotOwned(path, kind === "symlink" ? "link" : "no-file");
        return facts;
      });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  });
}

/**
 * Makes a folder of ours and those above it that are missing, private to their owner, through no link. Returns the first
 * one made; undefined when all were there. Throws `NotOwned` and what the system throws.
 */
export function makeOwnedFolder(path: string): string | undefined {
  const folder = resolve(path);
  const made = makeDirectFolder(folder, 0o700);
  closeSync(holdOwn(folder).fd);
  return made;
}

/** The same for a folder that may belong to others as well, as one of git's does. */
export function makeDirectFolder(path: string, mode = 0o777): string | undefined {
  const folder = resolve(path);
  try {
    closeSync(hold(folder).fd);
    return undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const above = makeDirectFolder(dirname(folder), mode);
  try {
    withEntry(folder, via => mkdirSync(via, { mode }));
  } catch (error) {
    // Two processes that start at once both make it.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return above ?? folder;
}

/** The entries of a folder of ours with what each is; none where the folder is missing. Throws `NotOwned`. */
export function entriesOwned(path: string): readonly { readonly name: string; readonly facts: FileFacts }[] {
  let held: Held;
  try {
    held = holdOwn(resolve(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  try {
    return nodeFileCalls.list(held.via).flatMap(name => {
      const facts = factsOf(join(held.via, name));
      return facts === undefined ? [] : [{ name, facts }];
    });
  } finally {
    closeSync(held.fd);
  }
}

function factsOf(via: string): FileFacts | undefined {
  try {
    return nodeFileCalls.lstat(via);
  } catch {
    return undefined;
  }
}

/** Removes what stands under a name of ours, a folder with all that is in it; a link is removed, not what it leads to. */
export function removeOwned(path: string): void {
  try {
    withEntry(path, via => rmSync(via, { force: true, recursive: true }));
  } catch (error) {
    // Below what is missing, or is no folder, nothing stands.
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
  }
}
