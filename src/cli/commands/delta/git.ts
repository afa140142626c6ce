import { execFile } from "node:child_process";
import { findProgram } from "../../../adapters/process/index.ts";
import { fail, ok, type Result } from "../../../ports/index.ts";
import type { Io } from "../../io.ts";

/** A call of git: its output, or the last line of what it complained about. Exit 1 is a success for `diff --no-index`. */
export type Git = (
  args: readonly string[],
  options?: { readonly input?: string; readonly maxBytes?: number; readonly differs?: boolean },
) => Promise<Result<Buffer, string>>;

/** A repository is foreign: nothing in its configuration may start a program, sign, fetch or lock. */
const HARDENED = [
  "--no-pager",
  "--literal-pathspecs",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "log.showSignature=false",
];

function environment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = Object.entries(env).filter(([name]) => !name.startsWith("GIT_"));
  return {
    ...Object.fromEntries(own),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
  };
}

/** Git in a folder, called without a shell; undefined when there is none. */
export function gitIn(io: Io, cwd: string): Git | undefined {
  const program = findProgram("git", { path: io.env["PATH"] });
  if (!program.ok) return undefined;
  const env = environment(io.env);
  return (args, { input, maxBytes = 64 * 1024 ** 2, differs = false } = {}) =>
    new Promise(resolve => {
      const child = execFile(
        program.value,
        [...HARDENED, ...args],
        { cwd, env, encoding: "buffer", maxBuffer: maxBytes },
        (error, stdout, stderr) => {
          if (error === null || (differs && error.code === 1)) resolve(ok(stdout));
          else resolve(fail(stderr.toString().trim().split("\n").at(-1) || error.message));
        },
      );
      // Git may end before it has read everything; what it then says is what counts.
      child.stdin?.on("error", () => {});
      child.stdin?.end(input ?? "");
    });
}
