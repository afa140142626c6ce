import { type AgentFailure, fail, ok, type Result } from "../../ports/index.ts";
import { findProgram } from "./find-program.ts";

/** A shell, and the arguments that make it run the script that stands ready on descriptor 3. */
export interface Shell {
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * The script comes over descriptor 3, because an argument may have 128 KiB at most and everyone can read it in `ps`;
 * stdin stays free for the script's own programs. It is read whole and the descriptor closed before it runs. A script
 * that could not be read must not pass for an empty one that succeeds. All on one line: the shell counts from there.
 */
const BASH =
  'IFS= read -r -d "" espalier_script <&3 || [[ -n $espalier_script ]] || exit 127; eval "$espalier_script" 3<&-';

/** Only some `sh` know `pipefail`; asking first keeps `-e` from ending the others. */
const SH =
  'case $(set -o) in *pipefail*) set -o pipefail ;; esac; espalier_script=$(cat <&3); eval "$espalier_script" 3<&-';

/**
 * The shell for a user's script: `bash` when it is on PATH, else `sh`. The script stops at the first command that
 * fails (`-e`), a pipeline fails when any part fails (`pipefail`, in `sh` where it has it), unset variables are empty
 * (no `-u`). No profile or rc file is read, stdin is empty. `title` stands in front of the shell's own messages.
 */
export function findShell(path: string | undefined, title: string): Result<Shell, AgentFailure> {
  const bash = findProgram("bash", { path });
  if (bash.ok) return ok({ file: bash.value, args: ["-e", "-o", "pipefail", "-c", BASH, title] });
  const sh = findProgram("sh", { path });
  return sh.ok ? ok({ file: sh.value, args: ["-e", "-c", SH, title] }) : fail(sh.failure);
}

/** A program that runs a script in the shell found on PATH. */
export function shellProgram(
  script: string,
  title: string,
  path: string | undefined,
): Result<Shell & { readonly script: string }, AgentFailure> {
  if (script.includes("\0") || title.includes("\0")) {
    return fail({ kind: "unsuitable", message: `the script of ${title} holds a NUL byte`, retryable: false });
  }
  const shell = findShell(path, title);
  return shell.ok ? ok({ ...shell.value, script }) : shell;
}
