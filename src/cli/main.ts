import { loadRanks } from "../adapters/ranks/index.ts";
import { VERSION } from "../host/package.ts";
import { describeError } from "../host/project/errors.ts";
import { redactorOf } from "../host/project/secrets.ts";
import { EspalierError, EXIT } from "../ports/index.ts";
import type { Locale } from "../text/index.ts";
import { provideRanks } from "../tokens/ranks.ts";
import { type Io, processIo, warn } from "./io.ts";
import { buildProgram, UsageError } from "./program.ts";
import { inSources } from "./source-stack.ts";

/** What writing to a pipe nobody reads comes to, and to a terminal that was closed. */
const GONE: ReadonlySet<string | undefined> = new Set(["EPIPE", "EIO", "ENXIO", "ERR_STREAM_DESTROYED"]);

/**
 * A reader that went away (`espalier status | head -1`) is no error of ours. Returns whether the terminal itself has
 * gone.
 */
function tolerateClosedPipes(io: Io): () => boolean {
  let terminalGone = false;
  for (const stream of [io.stdout, io.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (!GONE.has(error.code)) throw error;
      terminalGone ||= stream.isTTY && error.code !== "EPIPE";
    });
  }
  return () => terminalGone;
}

function report(io: Io, error: unknown, locale: Locale): number {
  if (error instanceof UsageError) return error.exitCode;
  if (error instanceof EspalierError) {
    warn(io, redactorOf(io.env, io.cwd)(describeError(error, locale)));
    return error.exitCode;
  }
  const text = redactorOf(
    io.env,
    io.cwd,
  )(error instanceof Error ? inSources(error.stack ?? error.message) : String(error));
  warn(io, `BUG: this should not have happened (espalier ${VERSION}, Node ${process.versions.node}).`);
  warn(io, `  State that was acknowledged is safe. Please report this:\n${text}`);
  return EXIT.bug;
}

/** On its orderly way out Node aborts when it cannot restore a terminal that is gone; the terminal's own signal ends us. */
function leaveWithTerminal(): void {
  process.removeAllListeners("SIGHUP");
  process.kill(process.pid, "SIGHUP");
}

/** Runs one command line in the world of `io`; returns its exit code. */
export async function runCommandLine(io: Io, argv: readonly string[]): Promise<number> {
  let exitCode: number = EXIT.done;
  try {
    const exit = (code: number) => {
      exitCode = code;
    };
    const program = buildProgram(io, exit, argv[2]);
    await program.parseAsync([...argv]);
    return exitCode;
  } catch (error) {
    return report(io, error, error instanceof EspalierError ? await localeOf(io) : "en");
  }
}

/** The language of the project that a command was called in. Nothing is read for a command that succeeds. */
async function localeOf({ cwd }: Io): Promise<Locale> {
  const { localeAt } = await import("../host/project/project.ts");
  return localeAt(cwd);
}

/** Runs one command line and leaves its exit code in the process. */
export async function main(argv: readonly string[]): Promise<void> {
  // Most commands count nothing; what counts is imported later, by the command that does.
  provideRanks(loadRanks);
  const io = processIo();
  const isTerminalGone = tolerateClosedPipes(io);
  // Whatever nobody waits for; the warden ends the agents, the state stays as it was acknowledged.
  process.on("uncaughtException", error => process.exit(report(io, error, "en")));
  process.exitCode = await runCommandLine(io, argv);
  // Errors of the last writes are told a moment later.
  await new Promise(setImmediate);
  if (isTerminalGone()) leaveWithTerminal();
}
