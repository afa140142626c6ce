import { because, fail, ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import { firstLine } from "../../../../text/index.ts";
import { CALL_LOST, type CallEnd, callHere, callProgram } from "../../../process/index.ts";
import type { Override } from "./settings.ts";

/** What one call of git came to, where its exit code is an answer. */
export interface GitAnswer {
  readonly code: number;
  readonly stdout: Buffer;
}

export interface CallOptions {
  readonly cwd?: string;
  readonly input?: string | Uint8Array;
  /** An index of the caller's own instead of the folder's. */
  readonly index?: string;
  /** Exit codes besides 0 that are answers. */
  readonly answers?: readonly number[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Git in one repository: every call without a shell, and deaf to what the repository could make it start. */
export interface Git {
  /** Where calls without a `cwd` of their own are made. */
  readonly root: string;
  run(args: readonly string[], options?: CallOptions): Promise<Result<GitAnswer, VcsFailure>>;
  /** The output as text, without its final newline. */
  text(args: readonly string[], options?: CallOptions): Promise<Result<string, VcsFailure>>;
  /** The fields of a NUL-separated output. */
  fields(args: readonly string[], options?: CallOptions): Promise<Result<readonly string[], VcsFailure>>;
}

/** A repository is foreign: nothing in it may start a program, sign, fetch, or ask. */
const SETTINGS: readonly string[] = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.sshCommand=false",
  "core.pager=cat",
  "core.editor=false",
  "core.askPass=",
  "credential.helper=",
  "gpg.program=false",
  "commit.gpgSign=false",
  "log.showSignature=false",
  "protocol.allow=never",
  "submodule.recurse=false",
  // A folder among a checkout's files may be laid out as a repository: one without a `.git` over it is not taken for one.
  "safe.bareRepository=explicit",
  "core.splitIndex=false",
  "core.quotePath=false",
  // What work stands as is its own; the files themselves stay as they are.
  "core.safecrlf=false",
  // We write UTF-8, and read it.
  "i18n.commitEncoding=UTF-8",
  "i18n.logOutputEncoding=UTF-8",
  "gc.auto=0",
  "maintenance.auto=false",
  // A ref takes its new place only once its bytes are on the disk.
  "core.fsync=reference",
  "advice.detachedHead=false",
];

const GUARDS = ["--no-pager", "--literal-pathspecs", ...SETTINGS.flatMap(setting => ["-c", setting])];

/** What stands before the command of every call of git. */
export function gitGuards(): readonly string[] {
  return GUARDS;
}

/** Settings as variables: a key on the command line ends at its first `=`, wherever that stands. */
function asVariables(overrides: readonly Override[]): Record<string, string> {
  if (overrides.length === 0) return {};
  const pairs = overrides.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return { GIT_CONFIG_COUNT: `${overrides.length}`, ...Object.fromEntries(pairs) };
}

/** Bytes that one call may answer with. */
const MAX_OUTPUT = 256 * 1024 ** 2;
/** Milliseconds a call may take: a checkout of a huge repository is slow, a hung one is not waited for. */
const LONGEST = 15 * 60_000;

/** What changes nothing, or only adds objects: it may be asked again where nobody knows whether it was done. */
const READS: ReadonlySet<string> = new Set([
  "cat-file",
  "check-attr",
  "check-ignore",
  "config",
  "diff",
  "diff-files",
  "diff-index",
  "diff-tree",
  "for-each-ref",
  "hash-object",
  "log",
  "ls-files",
  "ls-tree",
  "merge-base",
  "merge-tree",
  "rev-list",
  "rev-parse",
  "show-ref",
  "status",
]);

/** Git's own environment variables could redirect every call; none is passed on. */
export function gitEnv(env: NodeJS.ProcessEnv): Record<string, string> {
  const own = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || name.startsWith("GIT_") ? [] : [[name, value] as const],
  );
  return {
    ...Object.fromEntries(own),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_EDITOR: "false",
    GIT_ALLOW_PROTOCOL: "none",
  };
}

/** Characters of one line of git's: it may hold two paths. */
const LINE_LENGTH = 2000;

/** What git says is wrong; the advice it gives besides would push that out. */
function complaint(stderr: string): string {
  const said = stderr.split("\n").filter(line => line.trim() !== "" && !line.startsWith("hint:"));
  const grave = said.filter(line => line.startsWith("fatal:") || line.startsWith("error:"));
  const lines = grave.length > 0 ? grave : said;
  return lines
    .slice(-3)
    .map(line => firstLine(line, LINE_LENGTH))
    .join("; ");
}

function failureOf(args: readonly string[], { why, stderr }: CallEnd): VcsFailure {
  const end = why === "late" ? "no end within 15 minutes" : `exit ${why}`;
  const text = `git ${args[0] ?? ""}: ${complaint(stderr) || end}`;
  const full = stderr.includes("No space left on device") || stderr.includes("Disk quota exceeded");
  const reason = because("said", { by: "git", text });
  if (full) return { kind: "full", reason };
  return { kind: stderr.includes("external filter '") ? "filter-failed" : "failed", reason };
}

export interface GitOptions {
  /** Absolute path of the program. */
  readonly program: string;
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  /** Settings that outrank those of every file. */
  readonly overrides?: readonly Override[];
  /** Asked before each call; what it fails with is the call's answer, and git is not called. */
  readonly before?: () => Promise<Result<void, VcsFailure>>;
}

/** Git with every entry point shut that the repository could leave open. */
export function openGit({ program, root, env, overrides = [], before }: GitOptions): Git {
  const base = { ...gitEnv(env), ...asVariables(overrides) };
  const run: Git["run"] = async (args, { answers = [], cwd = root, env: more, index, input = "" } = {}) => {
    const sound = await before?.();
    if (sound?.ok === false) return sound;
    const own = index === undefined ? {} : { GIT_INDEX_FILE: index };
    const call = {
      file: program,
      args: [...GUARDS, ...args],
      cwd,
      env: { ...base, ...own, ...more },
      input,
      longestMs: LONGEST,
      mostBytes: MAX_OUTPUT,
    };
    let end = await callProgram(call);
    if (end === CALL_LOST && READS.has(args[0] ?? "")) end = await callHere(call);
    const { code, stdout } = end;
    return code === 0 || (code !== undefined && answers.includes(code))
      ? ok({ code, stdout })
      : fail(failureOf(args, end));
  };
  return gitFrom(root, run);
}

/** Where a repository lies; with all three git searches for nothing and believes no file that leads elsewhere. */
export interface Pin {
  readonly top: string;
  readonly gitDir: string;
  readonly common: string;
}

/** The same git held to one repository, whatever comes to lie around the folder it is called in. */
export function pinGit(git: Git, { top, gitDir, common }: Pin): Git {
  const pins = { GIT_DIR: gitDir, GIT_COMMON_DIR: common, GIT_WORK_TREE: top };
  return gitFrom(git.root, (args, options) =>
    git.run(args, { ...options, env: { ...pins, ...options?.env } }),
  );
}

function gitFrom(root: string, run: Git["run"]): Git {
  return {
    root,
    run,
    async text(args, options) {
      const done = await run(args, options);
      return done.ok ? ok(done.value.stdout.toString().replace(/\n$/, "")) : done;
    },
    async fields(args, options) {
      const done = await run(args, options);
      return done.ok ? ok(splitFields(done.value.stdout)) : done;
    },
  };
}

/** The fields of a NUL-terminated list. */
export function splitFields(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  if (text === "") return [];
  return (text.endsWith("\0") ? text.slice(0, -1) : text).split("\0");
}
