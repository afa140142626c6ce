import { fail, ok, type Result } from "../../ports/result.ts";
import { type FileCalls, nodeFileCalls } from "./calls.ts";
import { errnoOf, type ReadFailure } from "./failure.ts";

/** How much is read, and of what. */
export interface ReadOptions {
  readonly maxBytes: number;
  /** Whether the path may end in a symbolic link; false unless said. */
  readonly follow?: boolean;
  readonly calls?: FileCalls;
}

/** Reads a plain file whole. A pipe, a device, a directory or a file above the limit is an answer, never a wait. */
export function readBounded(path: string, options: ReadOptions): Result<Uint8Array, ReadFailure> {
  const calls = options.calls ?? nodeFileCalls;
  let fd: number | undefined;
  try {
    fd = calls.open(path, options.follow === true ? "follow" : "read", 0);
    const facts = calls.fstat(fd);
    if (facts.kind !== "file") return fail(notPlain(path));
    if (facts.size > options.maxBytes) return fail(tooLarge(path, facts.size, options.maxBytes));
    return drain(calls, fd, path, facts.size, options.maxBytes);
  } catch (error) {
    return fail(readFailure(path, error));
  } finally {
    if (fd !== undefined) closeQuietly(calls, fd);
  }
}

// The size is only a hint: a file may grow meanwhile, and those of /proc say 0.
function drain(
  calls: FileCalls,
  fd: number,
  path: string,
  size: number,
  limit: number,
): Result<Uint8Array, ReadFailure> {
  let buffer = new Uint8Array(Math.min(size, limit) + 1);
  let filled = 0;
  for (;;) {
    const count = calls.read(fd, buffer, filled, filled);
    if (count === 0) return ok(buffer.subarray(0, filled));
    filled += count;
    if (filled > limit) return fail(tooLarge(path, filled, limit));
    if (filled === buffer.length) {
      const larger = new Uint8Array(Math.min(Math.max(filled * 2, 4096), limit + 1));
      larger.set(buffer);
      buffer = larger;
    }
  }
}

/** Closes a file whose content no longer matters. */
export function closeQuietly(calls: FileCalls, fd: number): void {
  try {
    calls.close(fd);
  } catch (error) {
    errnoOf(error);
  }
}

function notPlain(path: string): ReadFailure {
  return { kind: "not-regular", path, message: `${path} is not a plain file` };
}

function tooLarge(path: string, size: number, limit: number): ReadFailure {
  return {
    kind: "too-large",
    path,
    size,
    limit,
    message: `${path} has ${size} bytes or more; at most ${limit} are read`,
  };
}

function readFailure(path: string, error: unknown): ReadFailure {
  const errno = errnoOf(error);
  const message = `${path}: ${(error as Error).message}`;
  if (errno === "ENOENT" || errno === "ENOTDIR") return { kind: "missing", path, message };
  // ELOOP: a symbolic link that is not followed; ENXIO: a socket or a device without a driver.
  if (errno === "ENOTOWNED") return { kind: "not-regular", path, message: (error as Error).message };
  if (errno === "ELOOP" || errno === "ENXIO" || errno === "EISDIR") return notPlain(path);
  if (errno === "EACCES" || errno === "EPERM") return { kind: "permission", path, message };
  return { kind: "io", path, errno, message };
}
