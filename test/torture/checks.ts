import { diffPlans, type Plan } from "../../src/plan/index.ts";
import type { TaskStatus } from "../../src/ports/index.ts";
import { nextAnswer, type RunInput, type RunState, type StepResult } from "../../src/run/index.ts";
import { reasonText } from "../../src/text/index.ts";

type Statuses = ReadonlyMap<string, TaskStatus>;

/** Rules about single steps that the state alone cannot show; `wrong` ends the simulation. */
export class StepChecks {
  readonly #wrong: (what: string) => never;
  /** Running tasks whose text was edited since their dispatch. */
  readonly #edited = new Set<string>();
  /** Completed tasks that left the plan. */
  readonly #left = new Set<string>();
  #ends = 0;

  constructor(wrong: (what: string) => never) {
    this.#wrong = wrong;
  }

  /** A crash: what was remembered between steps is gone for the run as well. */
  forget(): void {
    this.#edited.clear();
    this.#left.clear();
  }

  check(run: RunState, input: RunInput, out: StepResult, before: Statuses, plan: Plan): void {
    const ends = out.commands.filter(command => command.type === "end").length;
    if (ends > 1 || (ends === 1) !== out.events.some(event => event.type === "run-ended"))
      this.#wrong("the end was not told once");
    this.#ends += ends;
    if (out.refused !== undefined && out.touched.size + out.commands.length + out.events.length > 0)
      this.#wrong("a refused input had an effect");
    for (const command of out.commands)
      if (command.type === "dispatch") this.#checkDispatch(run, command.task);
    const edited = new Set(input.type === "plan-changed" ? diffPlans(plan, input.plan).changed : []);
    this.#checkCompleted(run, input, before, edited);
    if (input.type === "plan-changed") this.#checkPlan(run, before, edited);
    for (const event of out.events) {
      if (event.type === "phase-started") this.#checkGate(run, event.phase);
      if (event.type === "completed" && event.by === "agent" && this.#edited.has(event.task))
        this.#wrong(`${event.task} was edited while it ran and completed all the same`);
    }
  }

  #checkDispatch(run: RunState, id: string): void {
    this.#edited.delete(id);
    if (run.stopping) this.#wrong(`${id} was dispatched after a stop`);
    const state = run.byId.get(id) ?? this.#wrong(`${id} was dispatched and is no task`);
    if (state.status !== "in_progress") this.#wrong(`${id} was dispatched and is not in progress`);
    if (state.unmet + state.unordered + state.broken > 0) this.#wrong(`${id} went too early`);
    if (state.phaseIndex > run.open) this.#wrong(`${id} went before its phase`);
    if (run.only?.has(id) === false) this.#wrong(`${id} is out of scope`);
    const { parallelMode, advance } = run.policy;
    if (parallelMode === "auto" || advance === "asked") return;
    for (const other of run.running) {
      if (other !== state && !state.task.parallelWith.includes(other.task.id))
        this.#wrong(`${id} was not declared beside ${other.task.id}`);
    }
  }

  /** Completed is completed, unless a person or an edit says otherwise. */
  #checkCompleted(run: RunState, input: RunInput, before: Statuses, edited: ReadonlySet<string>): void {
    for (const [id, status] of before) {
      const state = run.byId.get(id);
      if (status !== "completed" || state === undefined || state.status === "completed") continue;
      const asked = input.type === "act" && input.action === "retry" && input.task === id;
      if (!asked && !edited.has(id) && state.task.children === undefined)
        this.#wrong(`${id} is completed no more`);
    }
  }

  /** What left the plan and came back has lost nothing. */
  #checkPlan(run: RunState, before: Statuses, edited: ReadonlySet<string>): void {
    for (const [id, status] of before) {
      if (status === "in_progress" && edited.has(id)) this.#edited.add(id);
      if (status === "completed" && !run.byId.has(id)) this.#left.add(id);
    }
    for (const id of this.#left) {
      const state = run.byId.get(id);
      if (state === undefined) continue;
      this.#left.delete(id);
      if (state.status !== "completed" && state.status !== "paused" && state.task.children === undefined)
        this.#wrong(`${id} was completed when it left, and came back as ${state.status}`);
    }
  }

  #checkGate(run: RunState, label: string): void {
    const previous = run.phases[run.phases.findIndex(phase => phase.label === label) - 1];
    if (previous === undefined) return;
    if (run.forced.has(label)) {
      if (previous.active > 0) this.#wrong(`phase ${label} was forced beside what still moved`);
      return;
    }
    const counted = previous.members.length - previous.skipped;
    const passes = counted === 0 || previous.completed / counted >= run.policy.phaseGate - 1e-9;
    if (previous.ended < previous.members.length || !passes)
      this.#wrong(`phase ${label} started through a closed gate`);
  }

  /** Every run ends, and as what it is; returns as what. */
  checkEnd(run: RunState): string {
    const { ended } = run;
    if (ended === undefined) {
      const answer = nextAnswer(run);
      if (run.policy.advance === "asked" && !answer.startsWith("READY")) return `lead:${answer}`;
      return this.#wrong("the run does not end");
    }
    const has = (...statuses: TaskStatus[]) =>
      run.tasks.some(s => statuses.includes(s.status) && run.only?.has(s.task.id) !== false);
    const open = has("pending", "ready", "in_progress", "waiting");
    if (ended.outcome === "completed" && (open || has("failed", "blocked", "paused", "cancelled")))
      this.#wrong("completed, but not all tasks are");
    if (ended.outcome === "failed" && open && run.only === undefined)
      this.#wrong(`stuck: ${reasonText(ended.reason, "en")}`);
    if (ended.outcome === "waiting" && !has("paused") && run.open + 1 >= run.phases.length)
      this.#wrong("waits for nothing");
    if (ended.outcome === "interrupted" && !run.stopping) this.#wrong("interrupted without a stop");
    if (this.#ends === 0) this.#wrong("no end was commanded");
    return ended.outcome;
  }
}
