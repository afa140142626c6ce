import { createHash, randomBytes } from "node:crypto";
import { constants, createReadStream, lstatSync, renameSync, rmSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createInflate } from "node:zlib";
import type { SyncCall } from "../../../file/index.ts";

/** A name for what is being written: what a crash leaves of this kind, git clears away. */
export function temporaryObject(folder: string): string {
  return join(folder, `tmp_obj_${randomBytes(6).toString("hex")}`);
}

/** The object that a file of its own is named after. */
export function objectAt(path: string): string {
  return basename(dirname(path)) + basename(path);
}

/** Whether a file of a single object holds what its name says: a power cut leaves files that are empty or cut short. */
export async function isWhole(path: string): Promise<boolean> {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts?.isFile() !== true || facts.size === 0) return false;
  const id = objectAt(path);
  const hash = createHash(id.length === 40 ? "sha1" : "sha256");
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  try {
    await pipeline(createReadStream(path, { flags: flags as unknown as string }), createInflate(), hash);
  } catch {
    return false;
  }
  return hash.digest("hex") === id;
}

/**
 * Writes an object anew from what can still be read of it: after a failed write the kernel takes the old file for written,
 * whatever is on the disk. Rejects where it cannot be read whole or the disk refuses again.
 */
export async function rewriteObject(path: string, sync: SyncCall): Promise<void> {
  const temporary = temporaryObject(dirname(path));
  try {
    if (!(await isWhole(path))) throw Object.assign(new Error(`${objectAt(path)} is lost`), { code: "EIO" });
    await copyFile(path, temporary, constants.COPYFILE_EXCL);
    await sync(temporary);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
