import { EspalierError, EXIT } from "../ports/index.ts";
import { describeError, type Io, processIo, warn } from "./io.ts";
import { buildProgram, UsageError } from "./program.ts";
import { VERSION } from "./version.ts";

/** What writing to a pipe nobody reads, or to a terminal that was closed, comes to. */
const GONE: ReadonlySet<string | undefined> = new Set(["EPIPE", "EIO", "ENXIO", "ERR_STREAM_DESTROYED"]);

/** A reader that went away (`espalier status | head -1`) is no error of ours. */
function tolerateClosedPipes(io: Io): void {
  for (const stream of [io.stdout, io.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (!GONE.has(error.code)) throw error;
    });
  }
}

function report(io: Io, error: unknown): number {
  if (error instanceof UsageError) return error.exitCode;
  if (error instanceof EspalierError) {
    warn(io, describeError(error));
    return error.exitCode;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  warn(io, `BUG: this should not have happened (espalier ${VERSION}, Node ${process.versions.node}).`);
  warn(io, `  State that was acknowledged is safe. Please report this:\n${text}`);
  return EXIT.bug;
}

/** Runs one command line and leaves its exit code in the process. */
export async function main(argv: readonly string[]): Promise<void> {
  const io = processIo();
  tolerateClosedPipes(io);
  try {
    const program = buildProgram(io, code => {
      process.exitCode = code;
    });
    await program.parseAsync([...argv]);
  } catch (error) {
    process.exitCode = report(io, error);
  }
}
