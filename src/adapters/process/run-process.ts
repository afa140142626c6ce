import type { Writable } from "node:stream";
import { type AgentFailure, type AgentLimits, ok, type Result } from "../../ports/index.ts";
import { callAfter, callAfterSilence, pause, within } from "./deadlines.ts";
import { countBegun } from "./descent.ts";
import { instanceMarker, type Marker } from "./markers.ts";
import { groupLives } from "./proc-table.ts";
import { type Exit, type OnOutput, type Program, startProgram } from "./start-program.ts";
import { signalGroup, sweep } from "./sweep.ts";

/** Milliseconds without output after which nobody is thought to write any more once the process is dead. */
const DRAIN_IDLE = 500;
/** Milliseconds after its death that output is read at most. */
const DRAIN_LONGEST = 5_000;
/** Milliseconds until the end of output once everyone known is dead. */
const DRAIN_DEAD = 250;
/** Milliseconds to wait for the death of a process that got SIGKILL: in the kernel it can hang for ever. */
const UNKILLABLE = 2_000;

/** Who is told which process groups run, so that they can be ended if this process dies. */
export interface GroupWatch {
  /** In the environment of all that it is told of: nobody else's processes are ended. */
  readonly instance?: string;
  watch(group: number): void;
  forget(group: number): void;
}

export interface RunOptions {
  readonly limits: Pick<AgentLimits, "wallMs" | "idleMs" | "graceMs">;
  readonly onOutput: OnOutput;
  /** When it last made progress, in monotonic time, where that is not simply when it last wrote. */
  readonly lastProgress?: () => number;
  /** Stands in `program.env`: what detached children are found by. Without it only the group is ended. */
  readonly marker?: Marker;
  readonly groups?: GroupWatch | undefined;
}

/** Why a process ended: by itself, or the first thing that made us end it. `lost`: nobody would have heard of its end. */
export type EndCause = "exit" | "wall-clock" | "idle" | "cancelled" | "lost";

export interface ProcessEnd extends Exit {
  readonly cause: EndCause;
  readonly ms: number;
  /** Processes that outlived it and were ended. */
  readonly leftovers: readonly number[];
  /** Processes that could not be ended. */
  readonly survivors: readonly number[];
}

export interface RunningProcess {
  readonly pid: number;
  /** Its stdin, where the program was given a channel. */
  readonly input: Writable | undefined;
  /** Resolves when the process, its group and everything marked is dead and all output was delivered. */
  readonly ended: Promise<ProcessEnd>;
  /** `soft`: SIGTERM to the group, SIGKILL after the grace; `hard`: SIGKILL. May be called again to be harder. */
  stop(how: "soft" | "hard"): void;
}

/**
 * Starts a program under limits. Its end comes at the latest after `wallMs` + `graceMs` and the few seconds that
 * reading the rest of its output and ending what it left behind may take. Never throws.
 */
export async function runProcess(
  program: Program,
  options: RunOptions,
): Promise<Result<RunningProcess, AgentFailure>> {
  const { limits, marker, groups } = options;
  const of = groups?.instance === undefined ? undefined : instanceMarker(groups.instance);
  const began = performance.now();
  let lastOutput = began;
  const begun = countBegun();
  const started = await startProgram(program, (stream, chunk) => {
    lastOutput = performance.now();
    options.onOutput(stream, chunk);
  });
  if (!started.ok) {
    // Of a start that came to nothing known, a process may be there all the same.
    if (marker !== undefined && started.failure.retryable) await sweep(marker, undefined, undefined, of);
    return started;
  }
  const output = started.value;
  const { pid, exited, outputClosed } = output;
  groups?.watch(pid);
  const since = begun === undefined ? undefined : { pid, begun };

  let cause: EndCause = "exit";
  let force: "none" | "soft" | "hard" = "none";
  let groupGone = false;
  const forced = Promise.withResolvers<void>();
  const killed = Promise.withResolvers<void>();
  const cancelWall = callAfter(limits.wallMs, () => end("soft", "wall-clock"));
  const cancelIdle = callAfterSilence(limits.idleMs, options.lastProgress ?? (() => lastOutput), () =>
    end("soft", "idle"),
  );
  const gaveUp = Promise.withResolvers<undefined>();
  let cancelGrace = (): void => {};
  let cancelGiveUp = (): void => {};

  function end(how: "soft" | "hard", why: EndCause): void {
    if (cause === "exit") cause = why;
    if (force === "none" && how === "soft") {
      force = "soft";
      signal("SIGTERM");
      // A stopped process would keep the signal for later.
      signal("SIGCONT");
      cancelGrace = callAfter(limits.graceMs, () => end("hard", why));
    } else if (force !== "hard" && how === "hard") {
      force = "hard";
      signal("SIGKILL");
      cancelGiveUp = callAfter(UNKILLABLE, () => gaveUp.resolve(undefined));
      killed.resolve();
    }
    forced.resolve();
  }

  // Once the group is empty its number can come to stand for somebody else's processes.
  function signal(name: NodeJS.Signals): void {
    if (!groupGone) signalGroup(pid, name);
  }

  /** Waits for the output of those who outlive the process, while they write and nobody hurries. */
  async function drain(): Promise<void> {
    const start = performance.now();
    const hurried = Promise.race([outputClosed, forced.promise]);
    for (;;) {
      const now = performance.now();
      const left = Math.min(Math.max(lastOutput, start) + DRAIN_IDLE, start + DRAIN_LONGEST) - now;
      if (left <= 0 || (await within(hurried, left))) return;
    }
  }

  /** For members that bear no mark. */
  async function endGroup(): Promise<void> {
    const end = performance.now() + UNKILLABLE;
    while (!groupGone && performance.now() < end) {
      signal("SIGKILL");
      await pause(2);
      groupGone = !groupLives(pid);
    }
  }

  async function untilEnd(): Promise<ProcessEnd> {
    const exit = await Promise.race([exited, gaveUp.promise]);
    cancelGiveUp();
    cancelWall();
    cancelIdle();
    groupGone = !groupLives(pid);
    await drain();
    // Members of the group that got SIGTERM have the rest of the grace even if their leader was quick.
    while (force === "soft" && !groupGone) {
      await within(killed.promise, 20);
      groupGone = !groupLives(pid);
    }
    cancelGrace();
    // It may have been ended by force after its leader was gone; whoever comes later finds nothing to end.
    cancelGiveUp();
    force = "hard";
    const swept = marker === undefined ? { ended: [], left: [] } : await sweep(marker, undefined, since, of);
    await endGroup();
    await within(outputClosed, DRAIN_DEAD);
    output.destroyOutput();
    await outputClosed;
    groups?.forget(pid);
    return {
      exitCode: exit?.exitCode ?? null,
      signal: exit?.signal ?? null,
      cause: exit?.isLost === true && cause === "exit" ? "lost" : cause,
      ms: performance.now() - began,
      leftovers: swept.ended.filter(one => one !== pid),
      survivors: exit === undefined ? [...new Set([pid, ...swept.left])] : swept.left,
    };
  }

  return ok({ pid, input: output.input, ended: untilEnd(), stop: how => end(how, "cancelled") });
}
