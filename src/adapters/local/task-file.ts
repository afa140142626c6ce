import type { TaskFile } from "../../engine/world.ts";
import { fail, ok } from "../../ports/index.ts";
import { directFileCalls, readBounded, writeAtomic } from "../file/index.ts";

/** Bytes beyond which a task file is not read. */
const MAX_BYTES = 64 * 1024 ** 2;

/**
 * The task file on disk. A link in its place is read but never written through; `path` has none on the way. What is about to
 * take its place stands in `stateDir` until then, where git does not look.
 */
export function localTaskFile(path: string, displayPath: string, stateDir: string): TaskFile {
  return {
    displayPath,
    read() {
      const bytes = readBounded(path, { maxBytes: MAX_BYTES, follow: true });
      return bytes.ok ? bytes : fail(bytes.failure.message);
    },
    write(bytes) {
      const written = writeAtomic(path, bytes, { keepMode: true, through: stateDir, calls: directFileCalls });
      return written.ok ? ok(undefined) : fail(written.failure.message);
    },
  };
}
