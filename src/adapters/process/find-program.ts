import { accessSync, closeSync, constants, openSync, readSync, statSync } from "node:fs";
import { basename, extname, isAbsolute, join, resolve, sep } from "node:path";
import {
  type AgentFailure,
  because,
  type FileTrouble,
  fail,
  ok,
  type Reason,
  type Result,
} from "../../ports/index.ts";
import { failedFor } from "../../text/index.ts";

/** Where the system keeps its programs when PATH is not set. */
export const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

export interface FindOptions {
  /** The PATH to search, as in the environment. */
  readonly path?: string | undefined;
  /** What a name with a slash is relative to; without it such a name must be absolute. */
  readonly cwd?: string | undefined;
}

/**
 * The absolute path of a program, found as a shell finds it, with one exception: relative folders of PATH and
 * `node_modules/.bin` are not searched, so that a repository cannot put its own program in place of a known agent.
 * A name that contains a slash is taken as it is.
 */
export function findProgram(name: string, options: FindOptions): Result<string, AgentFailure> {
  if (name.includes("/")) return explicitProgram(name, options.cwd);
  const searched: string[] = [];
  let unfit: { readonly file: string; readonly trouble: FileTrouble } | undefined;
  for (const folder of (options.path ?? DEFAULT_PATH).split(":")) {
    if (!isTrusted(folder)) continue;
    searched.push(folder);
    const file = join(folder, name);
    const trouble = name === "" ? "nameless" : troubleOf(file);
    if (trouble === undefined) return ok(file);
    if (trouble !== "missing") unfit ??= { file, trouble };
  }
  return notFound(because("program-not-found", { program: name, searched, unfit }));
}

function explicitProgram(name: string, cwd: string | undefined): Result<string, AgentFailure> {
  if (!isAbsolute(name) && cwd === undefined) {
    return notFound(because("program-relative", { program: name }));
  }
  const file = resolve(cwd ?? "/", name);
  const trouble = troubleOf(file);
  return trouble === undefined ? ok(file) : notFound(because("program-unfit", { file, trouble }));
}

/** Programs that run the file which their first argument names. */
const INTERPRETERS = new Set([
  "bash",
  "bun",
  "node",
  "perl",
  "php",
  "python",
  "python3",
  "ruby",
  "sh",
  "tsx",
  "zsh",
]);

/** Those that look for a file in the folders of PATH, too; `sh` may be `bash`. */
const SEARCHING = new Set(["bash", "sh"]);

/** How files end that these run. What ends otherwise may be a name that they complete, or a word of their own. */
const SCRIPTS = /^\.(?:[cm]?[jt]s|[jt]sx|pyz?|rb|p[lh]|php|(?:ba|z)?sh)$/;

/**
 * A program as `findProgram` finds it, and where it only runs a file that its first argument names, that file too: an interpreter
 * alone is no program. A file is told from other words by its extension.
 */
export function findCommand(
  words: readonly string[],
  {
    folder,
    ...options
  }: FindOptions & {
    /** Where it is to run; without it only a file with an absolute path is looked for. */
    readonly folder?: string | undefined;
  },
): Result<string, AgentFailure> {
  const [name = "", script = ""] = words;
  const program = findProgram(name, options);
  const interpreter = basename(name);
  const isScript = INTERPRETERS.has(interpreter) && !script.startsWith("-") && SCRIPTS.test(extname(script));
  if (!program.ok || !isScript || !(isAbsolute(script) || folder !== undefined)) return program;
  const file = resolve(folder ?? "/", script);
  const trouble = absence(file);
  if (trouble === undefined || (SEARCHING.has(interpreter) && isOnPath(script, options.path))) return program;
  return notFound(because("script-unfit", { program: program.value, file, trouble }));
}

/** Why a file cannot be read where it is named. */
function absence(file: string): FileTrouble | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false }) === undefined ? "missing" : undefined;
  } catch (error) {
    return { code: String((error as NodeJS.ErrnoException).code) };
  }
}

function isOnPath(name: string, path = DEFAULT_PATH): boolean {
  if (name.includes("/")) return false;
  return path.split(":").some(folder => isAbsolute(folder) && absence(join(folder, name)) === undefined);
}

function isTrusted(folder: string): boolean {
  return isAbsolute(folder) && !`${folder}${sep}`.includes(`${sep}node_modules${sep}.bin${sep}`);
}

function troubleOf(file: string): FileTrouble | undefined {
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat === undefined) return "missing";
    if (!stat.isFile()) return stat.isDirectory() ? "folder" : "irregular";
    accessSync(file, constants.X_OK);
    return isForeign(file) ? "foreign" : undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "EACCES" ? "not-executable" : { code: String(code) };
  }
}

/** 32-bit programs that 64-bit machines run: i386 on x86-64, arm on aarch64, by the numbers of the ELF format. */
const RUNS_TOO: Readonly<Record<number, number>> = { 62: 3, 183: 40 };

/**
 * True for an ELF program of another machine than the one Node runs on. The operating system's own refusal never
 * shows: the C library then tries the file as a shell script, which ends in a puzzling syntax error.
 */
function isForeign(file: string): boolean {
  if (process.platform !== "linux") return false;
  const machine = elfMachine(file);
  const own = elfMachine(process.execPath);
  return machine !== undefined && own !== undefined && machine !== own && machine !== RUNS_TOO[own];
}

function elfMachine(file: string): number | undefined {
  const head = Buffer.alloc(20);
  let descriptor: number;
  try {
    descriptor = openSync(file, "r");
  } catch {
    // A program may be executable and still not readable.
    return undefined;
  }
  try {
    if (readSync(descriptor, head) < head.length || head.readUInt32BE(0) !== 0x7f454c46) return undefined;
    return head[5] === 2 ? head.readUInt16BE(18) : head.readUInt16LE(18);
  } finally {
    closeSync(descriptor);
  }
}

function notFound(reason: Reason): Result<never, AgentFailure> {
  return fail(failedFor(reason, { kind: "not-found", retryable: false }));
}
