import type { Clock } from "../ports/index.ts";
import { type RunState, standing, thinTask } from "../run/index.ts";
import type { StateFiles } from "./world.ts";

/** Milliseconds a change may be missing from the thin state. */
const FRESHNESS = 500;
/** The thin state is written for at most this share of the time. */
const WORK_SHARE = 0.05;

export interface ThinFacts {
  readonly runId: string;
  readonly epoch: number;
  readonly seq: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The text of `orchestrate-state.json`: the thin state of a run, for people and other tools. */
export function thinStateJson(run: RunState, facts: ThinFacts): string {
  const head = JSON.stringify({
    version: "3.0",
    project: run.plan.project,
    run: facts.runId,
    epoch: facts.epoch,
    seq: facts.seq,
    updated_at: new Date(facts.now).toISOString(),
    phase: run.phases[run.open]?.phase ?? null,
    state: standing(run, "running"),
  });
  const tasks = run.tasks.map(state => {
    const { id, phase, status, dependsOn, parallelWith, retries } = thinTask(state);
    const row = {
      id,
      phase,
      status,
      depends_on: dependsOn,
      parallel_with: parallelWith,
      retry_count: retries,
    };
    return JSON.stringify(state.verified === undefined ? row : { ...row, verified: state.verified });
  });
  return `${head.slice(0, -1)},"tasks":[\n${tasks.join(",\n")}\n]}\n`;
}

/** Keeps the thin file near the truth without writing it at every change. */
export interface ThinWriter {
  changed(): void;
  flush(): void;
  /** From now on nothing is written. */
  stop(): void;
}

/**
 * A writer that is at most `FRESHNESS` behind, later only when writing itself takes long. While `text` is undefined
 * there is nothing that may be told yet.
 */
export function createThinWriter(
  clock: Clock,
  files: StateFiles,
  text: () => string | undefined,
  onProblem: (message: string) => void,
): ThinWriter {
  let cancelTimer: (() => void) | undefined;
  let pause = FRESHNESS;
  let dirty = false;
  let stopped = false;

  const flush = () => {
    cancelTimer?.();
    cancelTimer = undefined;
    if (!dirty || stopped) return;
    const before = clock.monotonic();
    const now = text();
    if (now === undefined) {
      cancelTimer = clock.after(pause, flush);
      return;
    }
    dirty = false;
    const written = files.writeThin(now);
    pause = Math.max(FRESHNESS, (clock.monotonic() - before) / WORK_SHARE);
    if (!written.ok) onProblem(written.failure);
  };

  return {
    changed() {
      dirty = true;
      if (!stopped) cancelTimer ??= clock.after(pause, flush);
    },
    flush,
    stop() {
      stopped = true;
      cancelTimer?.();
      cancelTimer = undefined;
    },
  };
}
