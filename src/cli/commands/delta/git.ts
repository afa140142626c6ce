import { execFile } from "node:child_process";
import { findProgram } from "../../../adapters/process/index.ts";
import { gitEnv, gitGuards, trapAround } from "../../../adapters/vcs/git/index.ts";
import { fail, ok, type Result } from "../../../ports/index.ts";
import type { Io } from "../../io.ts";

/** A call of git: its output, or the last line of what it complained about. Exit 1 is a success for `diff --no-index`. */
export type Git = (
  args: readonly string[],
  options?: { readonly input?: string; readonly maxBytes?: number; readonly differs?: boolean },
) => Promise<Result<Buffer, string>>;

/** Git in a folder, called without a shell; undefined when there is none. */
export function gitIn(io: Io, cwd: string): Git | undefined {
  const program = findProgram("git", { path: io.env["PATH"] });
  if (!program.ok) return undefined;
  const trap = trapAround(cwd);
  if (trap !== undefined) return async () => fail(trap);
  const env = gitEnv(io.env);
  return (args, { input, maxBytes = 64 * 1024 ** 2, differs = false } = {}) =>
    new Promise(resolve => {
      const child = execFile(
        program.value,
        [...gitGuards(), ...args],
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
