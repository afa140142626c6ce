import {
  type AgentFailure,
  type AgentLimits,
  type ByteMask,
  cappedLog,
  type OutputLog,
} from "../../ports/index.ts";
import { attemptEnv } from "./attempt-env.ts";
import { createByteTail } from "./byte-tail.ts";
import { attemptMarker } from "./markers.ts";
import { runProcess } from "./run-process.ts";
import { shellProgram } from "./shell-program.ts";
import { lostFailure } from "./spawn-failure.ts";
import type { Program } from "./start-program.ts";
import type { Warden } from "./start-warden.ts";
import { restOf, wholeLines } from "./whole-lines.ts";

/** Bytes of output kept to tell people and the next attempt what went wrong. */
const TAIL_BYTES = 4096;

export interface ShellCommand {
  /** One line or a whole script; shell by definition, so only ever the user's own. */
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The whole of its standard input; without it that is empty. */
  readonly input?: string | undefined;
  readonly limits: AgentLimits;
  readonly log: OutputLog;
  readonly task: string;
  /** The attempt's token: what detached processes are found by. */
  readonly token: string;
  readonly warden?: Warden | undefined;
  /** Masks one stream of its output; the tail is cut behind it. */
  readonly mask?: () => ByteMask;
  /** Puts the shell into a jail. */
  readonly confine?: ((program: Program) => Program) | undefined;
  /** Stands in front of the shell's own messages. */
  readonly title: string;
  /** Ends it: SIGTERM, then SIGKILL after the grace. */
  readonly cancel?: AbortSignal;
  /** Ends it with SIGKILL. */
  readonly kill?: AbortSignal;
}

/** How a command ended, and the last 4 KiB of its stdout and stderr together. */
export type ShellCommandEnd = (
  | { readonly kind: "exited"; readonly exitCode: number }
  | { readonly kind: "killed"; readonly signal: string }
  | { readonly kind: "wall-clock" | "idle" | "cancelled" }
  | { readonly kind: "not-started"; readonly failure: AgentFailure }
) & { readonly tail: string; readonly outputBytes: number; readonly ms: number };

/**
 * Runs a command line of the user, e.g. a task's `verify:`, in a shell under limits; see `findShell` for its rules.
 * When it resolves nothing of it is alive. Never throws.
 */
export async function runShellCommand(request: ShellCommand): Promise<ShellCommandEnd> {
  const { command, cwd, task, token, warden, title, confine = program => program } = request;
  const tail = createByteTail(TAIL_BYTES);
  const log = cappedLog(request.log, request.limits.logBytes);
  const began = performance.now();
  const masks = { stdout: request.mask?.(), stderr: request.mask?.() };
  const lines = { stdout: wholeLines(tail.push), stderr: wholeLines(tail.push) };
  let outputBytes = 0;
  const sofar = () => {
    for (const stream of ["stdout", "stderr"] as const) {
      const held = masks[stream]?.end();
      if (held !== undefined) lines[stream].push(held);
    }
    tail.push(restOf(lines.stdout, lines.stderr));
    return { tail: tail.text(), outputBytes, ms: performance.now() - began };
  };

  const shell = shellProgram(command, title, request.env["PATH"]);
  if (!shell.ok) return { kind: "not-started", failure: shell.failure, ...sofar() };
  const running = await runProcess(
    confine({
      ...shell.value,
      cwd,
      ...(request.input === undefined ? {} : { input: request.input }),
      env: attemptEnv(request.env, { task, token, instance: warden?.instance }),
    }),
    {
      limits: request.limits,
      groups: warden,
      marker: attemptMarker(token),
      onOutput(stream, chunk) {
        outputBytes += chunk.length;
        lines[stream].push(masks[stream]?.push(chunk) ?? chunk);
        log(stream, chunk);
      },
    },
  );
  if (!running.ok) return { kind: "not-started", failure: running.failure, ...sofar() };

  const release = [
    onAbort(request.cancel, () => running.value.stop("soft")),
    onAbort(request.kill, () => running.value.stop("hard")),
  ];
  const end = await running.value.ended;
  for (const each of release) each();
  if (end.cause === "lost")
    return { kind: "not-started", failure: lostFailure(shell.value.file), ...sofar() };
  if (end.cause !== "exit") return { kind: end.cause, ...sofar() };
  if (end.exitCode === null) return { kind: "killed", signal: end.signal ?? "SIGKILL", ...sofar() };
  return { kind: "exited", exitCode: end.exitCode, ...sofar() };
}

/** Calls at once when it is already aborted. Returns what stops listening. */
function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal === undefined) return () => {};
  if (signal.aborted) callback();
  else signal.addEventListener("abort", callback, { once: true });
  return () => signal.removeEventListener("abort", callback);
}
