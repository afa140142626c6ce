import type { Plan, Task } from "../../src/plan/index.ts";
import {
  type AttemptOutcome,
  DEFAULT_POLICY,
  freshRun,
  type RunInput,
  type RunPolicy,
  type RunState,
  type StepResult,
  step,
  type TaskAction,
} from "../../src/run/index.ts";
import { said } from "../../src/text/index.ts";

/** A task with everything it does not name left empty. Its phase is what stands before the dot of its id. */
export function task(id: string, more: Partial<Task> = {}): Task {
  const phase = Number.parseInt(id.slice(1), 10);
  return {
    id,
    phase: Number.isNaN(phase) ? 1 : phase,
    title: `title of ${id}`,
    kind: "worker",
    done: false,
    dependsOn: [],
    parallelWith: [],
    files: [],
    line: 1,
    text: `### [ ] ${id}: ${more.title ?? "title"}`,
    ...more,
  };
}

/** A plan of these tasks; phases in the order in which tasks name them, numbers first. */
export function plan(...tasks: readonly Task[]): Plan {
  const phases = [...new Set(tasks.map(t => t.phase))].sort((a, b) => {
    if (typeof a === "number" && typeof b === "number") return a - b;
    return typeof a === typeof b ? 0 : typeof a === "number" ? -1 : 1;
  });
  return {
    format: "tasks-md",
    project: "demo",
    phases: phases.map(phase => ({ phase, title: `phase ${phase}` })),
    tasks,
    contextNodes: [],
  };
}

export const hash = (text: string): string => `hash of ${text}`;

/** The default rules without waits, unless told otherwise. */
export function rules(more: Partial<RunPolicy> = {}): RunPolicy {
  return { ...DEFAULT_POLICY, backoffMs: 0, ...more };
}

/** The words of the n-th of failures that are told apart: by a number alone they would be one. */
export const unlike = (n: number): string => `reason ${String.fromCharCode(97 + n)}`;

/** A run under test: every input goes through `step`, every result is kept. */
export class Bench {
  readonly run: RunState;
  readonly results: StepResult[] = [];
  now = 1_000_000;

  constructor(run: RunState) {
    this.run = run;
  }

  static of(
    p: Plan,
    more: Partial<RunPolicy> = {},
    options: { only?: string[]; forced?: string[] } = {},
  ): Bench {
    const { only, forced } = options;
    const run = freshRun(
      p,
      {
        policy: rules(more),
        ...(only === undefined ? {} : { only: new Set(only) }),
        ...(forced === undefined ? {} : { forced }),
      },
      hash,
    );
    const bench = new Bench(run);
    bench.start();
    return bench;
  }

  send(input: RunInput): StepResult {
    const out = step(this.run, input);
    this.results.push(out);
    return out;
  }

  start(resumed = false): StepResult {
    return this.send({ type: "start", resumed, now: this.now });
  }

  end(id: string, outcome: AttemptOutcome, attempt = this.state(id).attempts): StepResult {
    return this.send({ type: "attempt-ended", task: id, attempt, outcome, ms: 5, now: this.now });
  }

  done(id: string, verified = true): StepResult {
    return this.end(id, { kind: "done", verified, textHash: `hash of ${id}` });
  }

  fail(id: string, reason = "TypeError"): StepResult {
    return this.end(id, { kind: "failed", reason: said("agent", reason) });
  }

  /** Fails a task until it has no attempts left, with a new reason each time. */
  failForGood(id: string): StepResult {
    let out = this.fail(id, unlike(0));
    for (let n = 1; this.state(id).status === "in_progress"; n++) out = this.fail(id, unlike(n));
    return out;
  }

  act(action: TaskAction, id: string, note = ""): StepResult {
    return this.send({ type: "act", action, task: id, note, textHash: "by hand", now: this.now });
  }

  tick(ms: number): StepResult {
    this.now += ms;
    return this.send({ type: "tick", now: this.now });
  }

  edit(p: Plan): StepResult {
    return this.send({ type: "plan-changed", plan: p, now: this.now });
  }

  stop(how: "soft" | "hard" = "soft"): StepResult {
    return this.send({ type: "stop", by: "SIGINT", how, now: this.now });
  }

  state(id: string): RunState["tasks"][number] {
    const state = this.run.byId.get(id);
    if (state === undefined) throw new Error(`no ${id} in the plan of this test`);
    return state;
  }

  status(id: string): string {
    return this.state(id).status;
  }

  /** Ids in progress, in plan order. */
  running(): string[] {
    return this.run.tasks.filter(s => s.status === "in_progress").map(s => s.task.id);
  }

  /** `id:status` of all tasks, short enough to compare at a glance. */
  all(): string {
    return this.run.tasks.map(s => `${s.task.id}:${s.status}`).join(" ");
  }
}

/** The types of a step's events, in order. */
export function eventTypes(out: StepResult): string[] {
  return out.events.map(event => event.type);
}

/** The tasks a step dispatches. */
export function dispatched(out: StepResult): string[] {
  return out.commands.flatMap(command => (command.type === "dispatch" ? [command.task] : []));
}

/** A task with other words, and whatever else an edit changes. */
export function edited(t: Task, more: Partial<Task> = {}): Task {
  return { ...t, text: `${t.text}\n- one more line`, ...more };
}

/** A plan in which one task was changed. */
export function withTask(p: Plan, id: string, change: (t: Task) => Task): Plan {
  return { ...p, tasks: p.tasks.map(t => (t.id === id ? change(t) : t)) };
}
