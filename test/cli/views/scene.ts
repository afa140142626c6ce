import { EventEmitter } from "node:events";
import type { Look } from "../../../src/cli/views/look.ts";
import { lookOf } from "../../../src/cli/views/look.ts";
import type { Plan, Task } from "../../../src/plan/index.ts";
import type { AttemptRow, Clock, RunEvent, StampedEvent } from "../../../src/ports/index.ts";
import {
  DEFAULT_POLICY,
  freshRun,
  type RunInput,
  type RunPolicy,
  type RunState,
  step,
} from "../../../src/run/index.ts";
import type { Locale } from "../../../src/text/index.ts";
import { agentSaid } from "../../reasons.ts";

/** A wall time whose local hours are the same everywhere. */
export const NOON: number = new Date(2026, 0, 5, 12, 0, 0).getTime();

type Part = Partial<Task> & Pick<Task, "id">;

/** A task with everything it needs. */
export function task(part: Part): Task {
  return {
    phase: 1,
    title: `Title of ${part.id}`,
    kind: "worker",
    done: false,
    dependsOn: [],
    parallelWith: [],
    files: [],
    line: 1,
    text: `### [ ] ${part.id}: a task\n- a line`,
    ...part,
  };
}

/** A plan of these tasks; its phases are theirs, in order of appearance. */
export function plan(
  tasks: readonly Task[],
  titles: Readonly<Record<string, string>> = {},
  project = "shop-backend",
): Plan {
  const phases = [...new Set(tasks.map(({ phase }) => phase))];
  return {
    format: "tasks-md",
    project,
    phases: phases.map(phase => ({ phase, title: titles[String(phase)] ?? "" })),
    tasks,
    contextNodes: [],
  };
}

/** A run over a plan whose inputs are given one by one, and every event it had. */
export interface Scene {
  readonly run: RunState;
  readonly events: StampedEvent[];
  /** Gives one input; returns its events, stamped with the scene's time. */
  give(input: RunInputWithoutNow): StampedEvent[];
  done(id: string, verified?: boolean, ms?: number): StampedEvent[];
  fail(id: string, reason: string): StampedEvent[];
  pass(ms: number): void;
  readonly now: number;
}

type Without<T> = T extends { readonly now: number } ? Omit<T, "now"> : T;
type RunInputWithoutNow = Without<RunInput>;

/** Starts a run of a plan at noon. */
export function scene(of: Plan, policy: Partial<RunPolicy> = {}, only?: readonly string[]): Scene {
  const run = freshRun(
    of,
    { policy: { ...DEFAULT_POLICY, ...policy }, ...(only === undefined ? {} : { only: new Set(only) }) },
    text => text,
  );
  let now = NOON;
  const events: StampedEvent[] = [];
  const give = (input: RunInputWithoutNow) => {
    const out = step(run, { ...input, now } as RunInput);
    const stamped = out.events.map((event, at) => ({ seq: events.length + at + 1, at: now, event }));
    events.push(...stamped);
    return stamped;
  };
  const ended = (id: string, outcome: Extract<RunInput, { type: "attempt-ended" }>["outcome"], ms: number) =>
    give({ type: "attempt-ended", task: id, attempt: run.byId.get(id)?.attempts ?? 0, outcome, ms });
  give({ type: "start", resumed: false });
  return {
    run,
    events,
    give,
    done: (id, verified = true, ms = 12_000) => ended(id, { kind: "done", verified, textHash: "" }, ms),
    fail: (id, reason) => ended(id, { kind: "failed", reason: agentSaid(reason) }, 5000),
    pass(ms) {
      now += ms;
      give({ type: "tick" });
    },
    get now() {
      return now;
    },
  };
}

/** Stamps an event the engine tells by itself. */
export function told(event: RunEvent, at: number = NOON): StampedEvent {
  return { seq: 0, at, event };
}

/** A plain look of a width. */
export function look(width: number, locale: Locale = "en", color = false): Look {
  const env = color ? { FORCE_COLOR: "1" } : { NO_COLOR: "1" };
  return lookOf({ isTTY: true, columns: width }, env, locale);
}

/** An attempt that failed. */
export function attempt(part: Partial<AttemptRow> & Pick<AttemptRow, "task">): AttemptRow {
  return {
    number: 1,
    token: "token",
    nonce: "k7f2a",
    agent: "claude",
    startedAt: NOON,
    endedAt: NOON + 65_000,
    outcome: "failed",
    reason: undefined,
    evidence: "",
    finalMessage: "",
    feedback: "",
    ...part,
  };
}

/** A clock that stands until it is moved; `advance` calls back in order of time. */
export interface FakeClock extends Clock {
  advance(ms: number): void;
  /** How many calls are waiting. */
  readonly pending: number;
}

/** A clock at noon. */
export function fakeClock(): FakeClock {
  let passed = 0;
  let waiting: { at: number; call: () => void }[] = [];
  return {
    portVersion: 1,
    now: () => NOON + passed,
    monotonic: () => passed,
    after(ms, call) {
      const entry = { at: passed + ms, call };
      waiting.push(entry);
      return () => {
        waiting = waiting.filter(other => other !== entry);
      };
    },
    advance(ms) {
      const end = passed + ms;
      for (;;) {
        const next = waiting.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        waiting = waiting.filter(other => other !== next);
        passed = Math.max(passed, next.at);
        next.call();
      }
      passed = end;
    },
    get pending() {
      return waiting.length;
    },
  };
}

/** A terminal that keeps what is written to it. */
export class FakeTerminal extends EventEmitter {
  readonly isTTY = true;
  readonly writable = true;
  readonly chunks: string[] = [];
  columns: number;
  rows: number;

  constructor(columns: number, rows: number) {
    super();
    this.columns = columns;
    this.rows = rows;
  }

  write(chunk: string, encoding?: unknown, callback?: unknown): boolean {
    this.chunks.push(chunk);
    const done = typeof encoding === "function" ? encoding : callback;
    if (typeof done === "function") queueMicrotask(() => (done as () => void)());
    return true;
  }

  resize(columns: number, rows: number): void {
    this.columns = columns;
    this.rows = rows;
    this.emit("resize");
  }

  get stream(): NodeJS.WriteStream {
    return this as unknown as NodeJS.WriteStream;
  }

  get text(): string {
    return this.chunks.join("");
  }
}
