import { type FileCalls, nodeFileCalls } from "../../src/adapters/file/index.ts";

/** How a call goes wrong: before it had any effect, or after it took place. */
export interface Fault {
  /** Counted from 1 over all calls. */
  readonly at: number;
  readonly errno: string;
  readonly forever: boolean;
  readonly after: boolean;
}

/** A system error as `node:fs` throws it. */
export function systemError(errno: string, call: string): Error {
  return Object.assign(new Error(`${errno}: injected, ${call}`), { code: errno, syscall: call });
}

/** The real calls with one fault (or all from one on), and a log of what was called. */
export function faulty(
  fault: Fault | undefined,
  base: FileCalls = nodeFileCalls,
): { calls: FileCalls; log: string[]; fired: () => boolean } {
  const log: string[] = [];
  let fired = false;
  const calls = new Proxy(base, {
    get(target, name: keyof FileCalls) {
      const real = target[name] as (...given: unknown[]) => unknown;
      if (name === "token") return real;
      return (...given: unknown[]) => {
        log.push(name);
        const hit = fault !== undefined && (fault.forever ? log.length >= fault.at : log.length === fault.at);
        if (!hit) return real(...given);
        fired = true;
        // A close that fails has closed all the same; anything else would only leak descriptors in the test.
        if (fault.after || name === "close") {
          try {
            real(...given);
          } catch {}
        }
        throw systemError(fault.errno, name);
      };
    },
  });
  return { calls, log, fired: () => fired };
}

/** Real calls whose writes take at most `most` bytes at a time. */
export function shortWrites(most: number): FileCalls {
  return {
    ...nodeFileCalls,
    write: (fd, bytes, offset, position) =>
      nodeFileCalls.write(fd, bytes.subarray(0, Math.min(bytes.length, offset + most)), offset, position),
  };
}

/** Real calls on a disk with room for `room` bytes in all new files together. */
export function smallDisk(room: number): FileCalls {
  let left = room;
  return {
    ...nodeFileCalls,
    write: (fd, bytes, offset, position) => {
      if (left === 0) throw systemError("ENOSPC", "write");
      const end = Math.min(bytes.length, offset + left);
      const count = nodeFileCalls.write(fd, bytes.subarray(0, end), offset, position);
      left -= count;
      return count;
    },
  };
}
