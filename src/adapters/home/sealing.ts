import { randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, linkSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fail, ok, type Result } from "../../ports/index.ts";
import { nodeFileCalls, readBounded, syncDirectory, temporaryName } from "../file/index.ts";
import { createSeal, type Head, type Sealing } from "../store/index.ts";
import { makePrivate } from "./folder.ts";

const BYTES = 32;
/** Bytes of what is remembered: within one sector, so that it is there as a whole or as it was before. */
const RECORD = 256;
const OWN = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW;

function readKey(path: string): Buffer | undefined {
  const bytes = readBounded(path, { maxBytes: 1024 });
  if (!bytes.ok) return undefined;
  const key = Buffer.from(Buffer.from(bytes.value).toString("latin1").trim(), "hex");
  return key.length === BYTES ? key : undefined;
}

/** The key of a project, made where it is missing; of several makers one wins. Throws what the system throws. */
function keyIn(folder: string): Buffer {
  const path = join(folder, "key");
  const known = readKey(path);
  if (known !== undefined) return known;
  const temporary = temporaryName(folder);
  const fd = openSync(temporary, "wx", 0o600);
  try {
    writeSync(fd, `${randomBytes(BYTES).toString("hex")}\n`);
    nodeFileCalls.fsync(fd);
  } finally {
    closeSync(fd);
  }
  try {
    linkSync(temporary, path);
    syncDirectory(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  const made = readKey(path);
  if (made === undefined) throw new Error(`${path} is not a key; move it away`);
  return made;
}

function headFrom(text: string): Head | undefined {
  try {
    const { run, seq, seal, whole } = JSON.parse(text) as Record<string, unknown>;
    if (typeof run !== "string" || typeof seq !== "number" || typeof seal !== "string") return undefined;
    return { run, seq, seal, whole: whole === true };
  } catch {
    return undefined;
  }
}

/** A file that holds how far a project has come; written in place, and never waited for. */
function headFile(path: string): Pick<Sealing, "head" | "remember"> & { close(): void } {
  const fd = openSync(path, OWN, 0o600);
  if (!fstatSync(fd).isFile()) {
    closeSync(fd);
    throw new Error(`${path} is not a plain file`);
  }
  const bytes = Buffer.alloc(RECORD);
  const length = readSync(fd, bytes, 0, RECORD, 0);
  let isOpen = true;
  return {
    head: headFrom(bytes.toString("utf8", 0, length)),
    remember(head) {
      if (!isOpen) return;
      bytes.fill(" ");
      // A name that is too long leaves a record that nobody can read: nothing is remembered then.
      bytes.write(`${JSON.stringify(head)}\n`);
      try {
        writeSync(fd, bytes, 0, RECORD, 0);
      } catch {
        // A full disk: what stands there is older, as it may be.
      }
    },
    close() {
      if (isOpen) closeSync(fd);
      isOpen = false;
    },
  };
}

/** What a project's state is sealed with, until closed; the failure says why it cannot be. */
export function openSealing(folder: string): Result<Sealing & { close(): void }, string> {
  try {
    makePrivate(folder);
    return ok({ seal: createSeal(keyIn(folder)), ...headFile(join(folder, "head")) });
  } catch (error) {
    return fail((error as Error).message);
  }
}
