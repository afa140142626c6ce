import { CommanderError } from "commander";
import { VERSION } from "../host/package.ts";
import { describeError } from "../host/project/errors.ts";
import { redactorOf } from "../host/project/secrets.ts";
import { EspalierError, EXIT } from "../ports/index.ts";
import type { Locale } from "../text/index.ts";
import { changed, type Io, processIo, say, warn } from "./io.ts";
import { leaveSoon } from "./leave.ts";
import { watchPrinted } from "./printed.ts";
import { buildProgram } from "./program.ts";
import { inSources } from "./source-stack.ts";
import type { ViewStream } from "./views/look.ts";

/** Columns below which a terminal breaks lines as it likes. */
const NARROW = 20;

type Wrap = (text: string) => string;

/** Breaks what an error says between words where the terminal would break it anywhere; hints and excerpts are to be copied. */
async function wrapOf({ isTTY, columns = 0 }: ViewStream): Promise<Wrap> {
  if (isTTY !== true || columns < NARROW) return text => text;
  const { broken } = await import("./views/broken.ts");
  return text =>
    text
      .split("\n")
      .flatMap(line => (line.startsWith(" ") ? [line] : broken(line, columns)))
      .join("\n");
}

function report(io: Io, error: unknown, locale: Locale, wrap: Wrap = text => text): number {
  if (error instanceof EspalierError) {
    warn(io, wrap(redactorOf(io.env, io.cwd)(describeError(error, locale))));
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

/** Asked by scripts before each call of ours: answered before the program's commands are made. */
const VERSION_ASKED: ReadonlySet<string | undefined> = new Set(["--version", "-V"]);

/** Runs one command line in the world of `io`; returns its exit code. */
export async function runCommandLine(io: Io, argv: readonly string[]): Promise<number> {
  let exitCode: number = EXIT.done;
  if (argv.length === 3 && VERSION_ASKED.has(argv[2])) {
    say(io, VERSION);
    return exitCode;
  }
  const { locale, rest } = languageAsked(argv);
  const asked = changed(io, { locale, isForPrograms: argv.includes("--json") });
  try {
    const exit = (code: number) => {
      exitCode = code;
    };
    if (rest[2] === "help") {
      const commands = buildProgram(asked, exit).commands.map(command => command.name());
      const [, , , name = "topics"] = rest;
      if (rest.length > 3 && !commands.includes(name) && !name.startsWith("-"))
        return await (await import("./help/topics.ts")).helpTopic(asked, rest.slice(3), commands);
    }
    await buildProgram(asked, exit, rest[2]).parseAsync([...rest]);
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return (await import("./help/explain.ts")).explain(asked, rest);
    return report(
      io,
      error,
      error instanceof EspalierError ? await localeFor(asked) : "en",
      await wrapOf(io.stderr),
    );
  }
}

/** `--locale`, which may stand before and behind a command, and the command line without it. */
function languageAsked(argv: readonly string[]): { locale: Locale | undefined; rest: readonly string[] } {
  const at = argv.findIndex(word => word === "--" || word === "--locale" || word.startsWith("--locale="));
  if (at < 0 || argv[at] === "--") return { locale: undefined, rest: argv };
  const [word = "", next] = argv.slice(at);
  const value = word === "--locale" ? next : word.slice("--locale=".length);
  const others = argv.toSpliced(at, word === "--locale" ? 2 : 1);
  if (value === "en" || value === "ko") return { locale: value, rest: others };
  // Refused where the program itself takes it.
  return {
    locale: undefined,
    rest: others.toSpliced(2, 0, ...(value === undefined ? [word] : ["--locale", value])),
  };
}

/** The language of an error. Nothing is read for a command that succeeds. */
async function localeFor(io: Io): Promise<Locale> {
  return (await import("./project.ts")).localeOf(io);
}

/** Runs one command line and leaves its exit code in the process. */
export async function main(argv: readonly string[]): Promise<void> {
  const io = processIo();
  const printed = watchPrinted(io);
  // Whatever nobody waits for; the warden ends the agents, the state stays as it was acknowledged.
  process.on("uncaughtException", error => process.exit(report(io, error, "en")));
  const exitCode = await runCommandLine(io, argv);
  // Errors of the last writes are told a moment later.
  await new Promise(setImmediate);
  const lost = printed.lost();
  if (lost !== undefined) report(io, lost, await localeFor(io));
  process.exitCode = exitCode === EXIT.done && lost !== undefined ? lost.exitCode : exitCode;
  if (printed.terminalGone()) leaveWithTerminal();
  leaveSoon();
}
