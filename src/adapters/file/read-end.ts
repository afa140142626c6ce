import { ownedFileCalls } from "./owned.ts";
import { closeQuietly } from "./read-bounded.ts";

/** The end of a file, as text, and the size of the whole. */
export interface FileEnd {
  readonly text: string;
  readonly size: number;
}

/** Reads at most the last `maxBytes` of a plain file of ours; undefined for anything else, and for what cannot be read. */
export function readEnd(path: string, maxBytes: number): FileEnd | undefined {
  const calls = ownedFileCalls;
  let fd: number | undefined;
  try {
    fd = calls.open(path, "read", 0);
    const { kind, size } = calls.fstat(fd);
    if (kind !== "file") return undefined;
    const buffer = Buffer.alloc(Math.min(size, maxBytes));
    const from = size - buffer.length;
    let filled = 0;
    while (filled < buffer.length) {
      const count = calls.read(fd, buffer, filled, from + filled);
      if (count === 0) break;
      filled += count;
    }
    return { text: buffer.toString("utf8", 0, filled), size };
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeQuietly(calls, fd);
  }
}
