import { writeSync } from "node:fs";
import { because, type EspalierError, EXIT } from "../ports/index.ts";
import { errorFor } from "../text/index.ts";
import type { Io } from "./io.ts";

/** What writing to a pipe nobody reads comes to, and to a terminal that was closed. */
const GONE: ReadonlySet<string | undefined> = new Set([
  "EPIPE",
  "ECONNRESET",
  "EIO",
  "ENXIO",
  "ERR_STREAM_DESTROYED",
]);
const LINE_END = 0x0a;

/** What became of what was printed. */
export interface Printed {
  /** Whether the terminal itself has gone. */
  terminalGone(): boolean;
  /** Why something could not be printed, other than that nobody reads it any more. */
  lost(): EspalierError | undefined;
}

/**
 * Goes on with a file that took nothing for a while, where Node's own way ends the stream or the process. What it took only a part of
 * is a line of its own.
 */
function goOnWriting(
  stream: NodeJS.WriteStream,
  fd: number,
  tell: (error: NodeJS.ErrnoException) => void,
): void {
  let isCut = false;
  stream._write = (chunk: Buffer | string, encoding: BufferEncoding, done: () => void) => {
    const text = typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk;
    const bytes = isCut ? Buffer.concat([Buffer.of(LINE_END), text]) : text;
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(fd, bytes, written);
      isCut = false;
    } catch (error) {
      if (written > 0) isCut = bytes[written - 1] !== LINE_END;
      tell(error as NodeJS.ErrnoException);
    }
    done();
  };
}

/** Node's streams of files say so: pipes and terminals are written to in another way. */
function isFile(stream: NodeJS.WriteStream & { readonly _type?: string }): boolean {
  return stream._type === "fs";
}

/**
 * What is printed may be lost, and nothing else with it: a reader that went away (`espalier status | head -1`) is no error of ours, and
 * a full disk under what is printed ends no run.
 */
export function watchPrinted(io: Pick<Io, "stdout" | "stderr">): Printed {
  let terminalGone = false;
  let lost: NodeJS.ErrnoException | undefined;
  const tell = (error: NodeJS.ErrnoException) => {
    lost ??= error;
  };
  for (const [fd, stream] of [
    [1, io.stdout],
    [2, io.stderr],
  ] as const) {
    if (isFile(stream)) goOnWriting(stream, fd, tell);
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (GONE.has(error.code)) terminalGone ||= stream.isTTY && error.code !== "EPIPE";
      else tell(error);
    });
  }
  return {
    terminalGone: () => terminalGone,
    lost: () =>
      lost === undefined
        ? undefined
        : errorFor("NOT_PRINTED", because("not-printed", { said: lost.message }), {
            exitCode: EXIT.environment,
          }),
  };
}
