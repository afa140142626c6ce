import { fail, ok, type Result } from "../../ports/result.ts";
import type { FileCalls, FileFacts } from "./calls.ts";
import { notRegular, type WriteFailure, writeFailure } from "./failure.ts";
import { closeQuietly } from "./read-bounded.ts";
import { removeQuietly, temporaryName } from "./temporaries.ts";

/** What a new file gets besides its bytes. */
export interface FillOptions {
  readonly mode: number;
  /** The file whose mode and owner are taken over. */
  readonly like?: FileFacts;
  /** Whether the bytes are read back and compared. */
  readonly reread: boolean;
}

interface FillFailure extends WriteFailure {
  /** The kernel may have dropped pages it failed to write: this file is lost, a new one may succeed. */
  readonly lost: boolean;
}

/** Writes bytes into a new, synced temporary file in `directory` and returns its path. */
export function fillTemporary(
  directory: string,
  bytes: Uint8Array,
  options: FillOptions,
  calls: FileCalls,
): Result<string, WriteFailure> {
  const first = fillOnce(directory, bytes, options, calls);
  return first.ok || !first.failure.lost ? first : fillOnce(directory, bytes, options, calls);
}

function fillOnce(
  directory: string,
  bytes: Uint8Array,
  options: FillOptions,
  calls: FileCalls,
): Result<string, FillFailure> {
  const path = temporaryName(directory, calls);
  let fd: number | undefined;
  let lost = false;
  try {
    fd = calls.open(path, "create", options.mode);
    writeAll(calls, fd, bytes);
    if (options.like !== undefined) resemble(calls, fd, options.like);
    lost = true;
    calls.fsync(fd);
    lost = false;
    const wrong = difference(calls, fd, bytes, options.reread);
    const open = fd;
    fd = undefined;
    // Some file systems tell only now that the bytes did not arrive.
    lost = true;
    calls.close(open);
    if (wrong === undefined) return ok(path);
    removeQuietly(path, calls);
    return fail({ kind: "io", path, errno: "", message: `${path}: ${wrong}`, applied: "no", lost });
  } catch (error) {
    if (fd !== undefined) closeQuietly(calls, fd);
    removeQuietly(path, calls);
    return fail({ ...writeFailure(path, error), lost });
  }
}

// Positional writes in a loop: a single call may take only the part that still fits on the disk.
function writeAll(calls: FileCalls, fd: number, bytes: Uint8Array): void {
  let offset = 0;
  while (offset < bytes.length) {
    const count = calls.write(fd, bytes, offset, offset);
    if (count <= 0) throw Object.assign(new Error("no byte was taken"), { code: "ENOSPC" });
    offset += count;
  }
}

function resemble(calls: FileCalls, fd: number, like: FileFacts): void {
  const own = calls.fstat(fd);
  if (own.owner !== like.owner || own.group !== like.group) {
    try {
      calls.chown(fd, like.owner, like.group);
    } catch {
      // Only root may give files away; the content matters more than its owner.
    }
  }
  calls.chmod(fd, like.mode);
}

function difference(calls: FileCalls, fd: number, bytes: Uint8Array, reread: boolean): string | undefined {
  const { size } = calls.fstat(fd);
  if (size !== bytes.length) return `${size} of ${bytes.length} bytes are in the file`;
  if (!reread) return undefined;
  const back = new Uint8Array(bytes.length);
  let filled = 0;
  while (filled < back.length) {
    const count = calls.read(fd, back, filled, filled);
    if (count === 0) break;
    filled += count;
  }
  return Buffer.compare(back, bytes) === 0 ? undefined : "what was read back differs from what was written";
}

/** Refuses a name that is anything but a plain file or free. */
export function plainOrFree(path: string, calls: FileCalls): Result<FileFacts | undefined, WriteFailure> {
  let facts: FileFacts;
  try {
    facts = calls.lstat(path);
  } catch (error) {
    const failure = writeFailure(path, error);
    return failure.errno === "ENOENT" ? ok(undefined) : fail(failure);
  }
  if (facts.kind === "file") return ok(facts);
  const found = { directory: "a directory", symlink: "a symbolic link", other: "a pipe, socket or device" };
  return fail(notRegular(path, found[facts.kind]));
}
