import { diffPlans, type Plan } from "../../src/plan/index.ts";
import type { TaskRow, TaskStatus } from "../../src/ports/index.ts";
import {
  type AttemptOutcome,
  freshRun,
  nextAnswer,
  pauseChanged,
  type RestoreOptions,
  type RunInput,
  type RunPolicy,
  type RunState,
  restoreRun,
  type StepResult,
  step,
  type TaskAction,
  taskRow,
} from "../../src/run/index.ts";
import { brokenInvariants } from "./invariants.ts";
import { Random } from "./random.ts";
import { editPlan, randomPlan, randomPolicy } from "./random-plan.ts";

/** Inputs a run of at most 60 tasks can need; more means that it turns in circles. */
const MAX_STEPS = 20_000;
/** Everything but agents' results, per run: crashes, acts, edits, stops, foreign events. */
const MAX_FAULTS = 40;
const ACTIONS: readonly TaskAction[] = ["retry", "skip", "done", "pause", "resume", "cancel"];
const REASONS = ["TypeError", "no such file", "verify exit 1", "two\nlines", "", "x".repeat(300)];

export type FaultKind =
  | "crash"
  | "crash-before-commit"
  | "clock-jump"
  | "edit-while-dead"
  | "duplicate"
  | "late"
  | "foreign"
  | "act"
  | "repair"
  | "force"
  | "edit"
  | "stop"
  | "idle-tick";

export interface Report {
  readonly seed: number;
  readonly steps: number;
  readonly tasks: number;
  /** Of every input, command and event, in order. */
  readonly hash: string;
  readonly outcome: string;
  readonly faults: ReadonlyMap<FaultKind, number>;
}

/** A rule that did not hold, with what is needed to see it again. */
export class Violation extends Error {}

interface Agent {
  readonly task: string;
  readonly attempt: number;
  readonly files: readonly string[];
  readonly alone: boolean;
  endsAt: number;
  outcome: AttemptOutcome;
}

/** What survives a crash. */
interface Durable {
  readonly rows: Map<string, TaskRow>;
  plan: Plan;
  phase: string;
  forced: readonly string[];
}

class World {
  readonly #seed: number;
  readonly #random: Random;
  readonly #policy: RunPolicy;
  readonly #only: ReadonlySet<string> | undefined;
  readonly #durable: Durable;
  readonly #history: Plan[] = [];
  readonly #faults = new Map<FaultKind, number>();
  /** Attempts out of a hundred that succeed. */
  readonly #luck: number;
  #file: Plan;
  #run: RunState;
  #agents: Agent[] = [];
  #late: { at: number; input: RunInput }[] = [];
  #now = 1_700_000_000_000;
  #steps = 0;
  #ends = 0;
  #fresh = 0;
  #faultsLeft: number;
  #hash = 0x811c9dc5;
  #last = "";

  constructor(seed: number) {
    this.#seed = seed;
    const random = new Random(seed);
    this.#random = random;
    this.#file = randomPlan(random, random.pick([4, 15, 40, 60]));
    this.#luck = random.pick([50, 75, 90]);
    this.#policy = randomPolicy(random);
    this.#only = random.chance(0.1)
      ? new Set(random.some(this.#file.tasks, 0.5).map(task => task.id))
      : undefined;
    this.#faultsLeft = random.chance(0.2) ? 0 : random.between(1, MAX_FAULTS);
    this.#durable = { rows: new Map(), plan: this.#file, phase: "", forced: [] };
    this.#run = freshRun(this.#file, this.#options(), text => `hash of ${text}`);
  }

  get #lead(): boolean {
    return this.#policy.advance === "asked";
  }

  #options(): RestoreOptions {
    const only = this.#only === undefined ? {} : { only: this.#only };
    return { policy: this.#policy, forced: this.#durable.forced, ...only };
  }

  #wrong(what: string): never {
    throw new Violation(`seed ${this.#seed}, step ${this.#steps}, after ${this.#last}: ${what}`);
  }

  #note(text: string): void {
    for (let i = 0; i < text.length; i++) this.#hash = Math.imul(this.#hash ^ text.charCodeAt(i), 0x01000193);
  }

  #count(kind: FaultKind): void {
    this.#faults.set(kind, (this.#faults.get(kind) ?? 0) + 1);
  }

  #step(input: RunInput): StepResult {
    if (++this.#steps > MAX_STEPS) this.#wrong("too many steps");
    const shown = input.type === "plan-changed" ? { ...input, plan: input.plan.tasks.length } : input;
    this.#last = JSON.stringify(shown);
    const before = new Map(this.#run.tasks.map(s => [s.task.id, s.status]));
    const plan = this.#run.plan;
    const out = step(this.#run, input);
    this.#note(`${this.#last}${JSON.stringify([out.commands, out.events, out.removed, out.refused])}`);
    const wrong = brokenInvariants(this.#run, input.now);
    if (wrong.length > 0) this.#wrong(wrong.join("; "));
    this.#checkStep(input, out, before, plan);
    return out;
  }

  #checkStep(input: RunInput, out: StepResult, before: ReadonlyMap<string, TaskStatus>, plan: Plan): void {
    const run = this.#run;
    const ends = out.commands.filter(command => command.type === "end").length;
    if (ends > 1 || (ends === 1) !== out.events.some(event => event.type === "run-ended")) this.#wrong("ends");
    this.#ends += ends;
    if (out.refused !== undefined && out.touched.size + out.commands.length + out.events.length > 0)
      this.#wrong("a refused input had an effect");
    for (const command of out.commands) {
      if (command.type !== "dispatch") continue;
      const state = run.byId.get(command.task);
      if (state?.status !== "in_progress") this.#wrong(`${command.task} was dispatched and is not in progress`);
      if (state.unmet + state.unordered + state.broken > 0) this.#wrong(`${command.task} went too early`);
      if (state.phaseIndex > run.open) this.#wrong(`${command.task} went before its phase`);
      if (this.#only?.has(command.task) === false) this.#wrong(`${command.task} is out of scope`);
      const others = [...run.running].filter(other => other !== state);
      if (this.#policy.parallelMode === "declared" && !this.#lead) {
        if (!others.every(other => state.task.parallelWith.includes(other.task.id)))
          this.#wrong(`${command.task} was not declared beside what runs`);
      }
    }
    const edited = input.type === "plan-changed" ? new Set(diffPlans(plan, input.plan).changed) : new Set();
    for (const [id, status] of before) {
      const state = run.byId.get(id);
      if (status !== "completed" || state === undefined || state.status === "completed") continue;
      const asked = input.type === "act" && input.action === "retry" && input.task === id;
      if (!asked && !edited.has(id) && state.task.children === undefined) this.#wrong(`${id} is completed no more`);
    }
    for (const event of out.events) {
      if (event.type !== "phase-started") continue;
      const at = run.phases.findIndex(phase => phase.label === event.phase);
      const previous = run.phases[at - 1];
      if (previous === undefined || run.forced.has(event.phase)) continue;
      const counted = previous.members.length - previous.skipped;
      const passes = counted === 0 || previous.completed / counted >= this.#policy.phaseGate - 1e-9;
      if (previous.ended < previous.members.length || !passes)
        this.#wrong(`phase ${event.phase} started through a closed gate`);
    }
  }

  /** What the engine does with a few inputs that arrived together: step each, make durable once, then perform. */
  #deliver(inputs: readonly RunInput[]): void {
    const outs = inputs.map(input => this.#step(input));
    if (this.#faultsLeft > 0 && this.#random.chance(0.02)) {
      this.#count("crash-before-commit");
      this.#crash();
      // A lead whose command got no answer gives it again.
      if (this.#lead) this.#deliver(inputs.filter(input => input.type === "attempt-ended"));
      return;
    }
    this.#commit(outs);
    for (const out of outs) for (const command of out.commands) this.#perform(command);
  }

  #commit(outs: readonly StepResult[]): void {
    const { rows } = this.#durable;
    const run = this.#run;
    for (const out of outs) for (const id of out.removed) rows.delete(id);
    for (const out of outs) {
      for (const state of out.touched) {
        if (run.byId.get(state.task.id) === state) rows.set(state.task.id, taskRow(state));
      }
    }
    if (outs.some(out => out.runTouched)) {
      this.#durable.phase = run.phases[run.open]?.label ?? "";
      this.#durable.forced = [...run.forced];
      this.#durable.plan = run.plan;
    }
    for (const state of run.tasks) {
      const row = JSON.stringify(rows.get(state.task.id));
      if (row !== JSON.stringify(taskRow(state)))
        this.#wrong(`the durable row of ${state.task.id} is ${row}, its state is ${JSON.stringify(taskRow(state))}`);
    }
    if (rows.size !== run.tasks.length) this.#wrong("a row is left of a task that is gone");
    const label = run.phases[run.open]?.label ?? "";
    if (this.#durable.phase !== label || this.#durable.forced.length !== run.forced.size)
      this.#wrong("the durable run is not what the run is");
  }

  #perform(command: StepResult["commands"][number]): void {
    if (command.type === "cancel") {
      const agent = this.#agents.find(a => a.task === command.task && a.attempt === command.attempt);
      if (agent === undefined || this.#lead) return;
      agent.endsAt = Math.min(agent.endsAt, this.#now + this.#random.between(0, 3000));
      if (!this.#random.chance(0.2)) agent.outcome = { kind: "cancelled" };
    } else if (command.type === "dispatch") this.#startAgent(command.task, command.attempt);
  }

  #startAgent(id: string, attempt: number): void {
    const state = this.#run.byId.get(id);
    // A batch may have dispatched a task and taken it out of the plan.
    const { files = [], risk, phase } = state?.task ?? {};
    const alone = phase === 0 || risk === "critical";
    const agent: Agent = { task: id, attempt, files, alone, endsAt: 0, outcome: this.#outcome(id) };
    agent.endsAt = this.#now + this.#random.between(0, 20_000);
    if (!this.#lead) {
      if (this.#agents.some(other => other.task === id)) this.#wrong(`two agents work on ${id}`);
      if (this.#agents.some(other => other.alone || alone)) this.#wrong(`${id} is not alone`);
      const shared = this.#agents.find(other => other.files.some(file => files.includes(file)));
      if (shared !== undefined) this.#wrong(`agents of ${id} and ${shared.task} share a file`);
      if (this.#agents.length >= this.#policy.parallel) this.#wrong("more agents than slots");
    }
    this.#agents.push(agent);
  }

  #outcome(id: string): AttemptOutcome {
    const random = this.#random;
    const dice = random.below(100);
    if (dice < this.#luck) return { kind: "done", verified: random.chance(0.5), textHash: `hash of ${id}` };
    if (dice < 92) return { kind: "failed", reason: random.pick(REASONS) };
    if (dice < 94) return { kind: "no-signal" };
    if (dice < 96) return { kind: "stalled", reason: "EAGAIN" };
    if (dice < 98) {
      const until = random.pick([this.#now + 60_000, this.#now - 5, Number.NaN, Number.MAX_VALUE, 0]);
      return { kind: "quota", agent: "claude", until };
    }
    return dice < 99 && random.chance(0.5) ? { kind: "needs-person", reason: "not logged in" } : { kind: "cancelled" };
  }

  #crash(): void {
    const random = this.#random;
    if (!this.#lead) this.#agents = [];
    this.#late = [];
    if (random.chance(0.2)) {
      this.#count("clock-jump");
      this.#now += random.pick([-400, 400, -1]) * 24 * 3_600_000;
      for (const agent of this.#agents) agent.endsAt = this.#now + random.between(0, 20_000);
    }
    if (random.chance(0.3)) {
      this.#count("edit-while-dead");
      this.#editFile();
    }
    const { rows, plan, phase } = this.#durable;
    const completed = [...rows.values()].filter(row => row.status === "completed").map(row => row.id);
    const { removed, changed } = diffPlans(plan, this.#file);
    const working = [...rows.values()].filter(row => this.#lead && row.status === "in_progress");
    const keepRunning = new Set(working.map(row => row.id));
    this.#run = restoreRun(this.#file, rows.values(), { ...this.#options(), phase, keepRunning });
    pauseChanged(this.#run, changed);
    for (const id of removed) rows.delete(id);
    this.#deliverOne({ type: "start", resumed: true, now: this.#now });
    for (const id of completed) {
      const state = this.#run.byId.get(id);
      if (state === undefined || state.status === "completed" || changed.includes(id)) continue;
      if (state.task.children === undefined) this.#wrong(`${id} was completed before the crash`);
    }
  }

  /** One input without a crash in between; returns why it was refused. */
  #deliverOne(input: RunInput): string | undefined {
    const out = this.#step(input);
    this.#commit([out]);
    for (const command of out.commands) this.#perform(command);
    return out.refused;
  }

  #editFile(): void {
    this.#history.push(this.#file);
    this.#file = editPlan(this.#random, this.#file, this.#history, `N${this.#fresh++}`);
  }

  #disturb(): void {
    const random = this.#random;
    this.#faultsLeft--;
    const id = random.pick(this.#file.tasks).id;
    const now = this.#now;
    switch (random.below(12)) {
      case 0:
      case 1:
        this.#count("crash");
        this.#crash();
        return;
      case 2: {
        this.#count("foreign");
        const attempt = random.pick([0, 1, 2, 99]);
        const task = random.pick([id, "T999", "__proto__", "constructor"]);
        const state = this.#run.byId.get(task);
        if (state?.attempts === attempt || this.#run.orphans.get(task)?.attempt === attempt) return;
        this.#deliver([{ type: "attempt-ended", task, attempt, outcome: this.#outcome(task), ms: 1, now }]);
        return;
      }
      case 3:
        this.#count("force");
        this.#deliver([{ type: "force-phase", phase: random.pick([0, 1, 2, "PF", 77]), by: "ann", now }]);
        return;
      case 4:
      case 5:
        this.#count("edit");
        this.#editFile();
        this.#deliver([{ type: "plan-changed", plan: this.#file, now }]);
        return;
      case 6:
        this.#count("idle-tick");
        this.#deliver([{ type: "tick", now }]);
        return;
      case 7:
        if (!random.chance(0.2)) return;
        this.#count("stop");
        this.#deliver([{ type: "stop", by: "SIGINT", how: random.pick(["soft", "hard"]), now }]);
        return;
      default:
        this.#count("act");
        this.#deliver([this.#act(id)]);
    }
  }

  #act(id: string): RunInput {
    const action = this.#random.pick(ACTIONS);
    const note = this.#random.pick(["", "because", "line\nbreak"]);
    return { type: "act", action, task: id, note, textHash: "by hand", now: this.#now };
  }

  /** The time of whatever happens next by itself. */
  #nextAt(): number | undefined {
    const times = [...this.#agents.map(agent => agent.endsAt), ...this.#late.map(late => late.at)];
    const due = this.#run.ended === undefined && !this.#run.stopping ? this.#run.due.nextAt() : undefined;
    if (due !== undefined) times.push(due);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  #passTime(at: number): void {
    const random = this.#random;
    this.#now = Math.max(this.#now, at);
    const now = this.#now;
    const inputs: RunInput[] = [];
    for (const late of this.#late.filter(l => l.at <= now)) inputs.push({ ...late.input, now } as RunInput);
    this.#late = this.#late.filter(l => l.at > now);
    // Results that arrive together come in any order.
    for (const agent of this.#agents.filter(a => a.endsAt <= now)) {
      const { task, attempt, outcome } = agent;
      const input: RunInput = { type: "attempt-ended", task, attempt, outcome, ms: 5, now };
      inputs.splice(random.below(inputs.length + 1), 0, input);
      if (this.#faultsLeft <= 0 || !random.chance(0.05)) continue;
      const twice = random.chance(0.5);
      this.#count(twice ? "duplicate" : "late");
      if (twice) inputs.push(input);
      else this.#late.push({ at: now + random.between(0, 60_000), input });
    }
    this.#agents = this.#agents.filter(a => a.endsAt > now);
    if (inputs.length === 0) inputs.push({ type: "tick", now });
    if (this.#faultsLeft > 0 && random.chance(0.03)) {
      this.#faultsLeft--;
      this.#count("edit");
      this.#editFile();
      inputs.push({ type: "plan-changed", plan: this.#file, now });
    }
    this.#deliver(inputs);
  }

  /** What a lead does with the one line it gets; false when there is nothing to do but wait or give up. */
  #leadTurn(): boolean {
    const now = this.#now;
    const answer = nextAnswer(this.#run);
    this.#note(answer);
    if (answer.startsWith("READY:")) {
      const group = (answer.slice(6).split("|")[0] ?? "").split("+")[0] ?? "";
      for (const task of group.split(",")) {
        const refused = this.#deliverOne({ type: "claim", task, now });
        if (refused !== undefined) this.#wrong(`${answer} was offered, but: ${refused}`);
      }
      return true;
    }
    if (answer.startsWith("PHASE_DONE:")) {
      const refused = this.#deliverOne({ type: "advance", now });
      if (refused !== undefined) this.#wrong(`${answer} was offered, but: ${refused}`);
      return true;
    }
    // What was not offered is refused, or the rules allow it.
    if (this.#random.chance(0.2)) {
      this.#deliverOne({ type: "claim", task: this.#random.pick(this.#file.tasks).id, now });
    }
    return false;
  }

  /** Stopped runs are started again, ended ones sometimes repaired by a person; false when it stays at the end. */
  #afterEnd(): boolean {
    if (this.#faultsLeft <= 0) return false;
    if (this.#run.stopping) {
      this.#faultsLeft--;
      this.#crash();
      return true;
    }
    if (this.#random.chance(0.1)) return false;
    if (this.#random.chance(0.2)) this.#disturb();
    else this.#repair();
    return true;
  }

  /** A person looks at what keeps the run from going on and decides. */
  #repair(): void {
    const random = this.#random;
    this.#faultsLeft--;
    this.#count("repair");
    const needy = this.#run.tasks.filter(s => ["paused", "failed", "cancelled"].includes(s.status));
    const next = this.#run.phases[this.#run.open + 1];
    if (needy.length > 0 && random.chance(0.9)) {
      const action = random.pick(["retry", "retry", "skip", "done"] as const);
      const task = random.pick(needy).task.id;
      this.#deliver([{ type: "act", action, task, note: "repair", textHash: "by hand", now: this.#now }]);
    } else if (next !== undefined) {
      this.#deliver([{ type: "force-phase", phase: next.phase, by: "ann", now: this.#now }]);
    } else this.#disturb();
  }

  #checkEnd(): string {
    const run = this.#run;
    const { ended } = run;
    if (ended === undefined) {
      if (this.#lead && (run.stopping || !nextAnswer(run).startsWith("READY"))) return `lead:${nextAnswer(run)}`;
      return this.#wrong("the run does not end");
    }
    const has = (...statuses: TaskStatus[]) =>
      run.tasks.some(s => statuses.includes(s.status) && (this.#only === undefined || this.#only.has(s.task.id)));
    const open = has("pending", "ready", "in_progress", "waiting");
    if (ended.outcome === "completed" && (open || has("failed", "blocked", "paused", "cancelled")))
      this.#wrong("completed, but not all tasks are");
    if (ended.outcome === "failed" && open && this.#only === undefined) this.#wrong(`stuck: ${ended.reason}`);
    if (ended.outcome === "waiting" && !has("paused") && run.open + 1 >= run.phases.length)
      this.#wrong("waits for nothing");
    if (ended.outcome === "interrupted" && !run.stopping) this.#wrong("interrupted without a stop");
    if (this.#ends === 0) this.#wrong("no end was commanded");
    return ended.outcome;
  }

  live(): Report {
    this.#deliver([{ type: "start", resumed: false, now: this.#now }]);
    for (;;) {
      if (this.#run.ended !== undefined && this.#agents.length === 0) {
        if (!this.#afterEnd()) break;
        continue;
      }
      if (this.#faultsLeft > 0 && this.#random.chance(0.1)) this.#disturb();
      else if (this.#lead && this.#run.ended === undefined && this.#leadTurn()) continue;
      else {
        const at = this.#nextAt();
        if (at !== undefined) this.#passTime(at);
        else if (!this.#lead || !this.#afterEnd()) break;
      }
    }
    return {
      seed: this.#seed,
      steps: this.#steps,
      tasks: this.#run.tasks.length,
      outcome: this.#checkEnd(),
      hash: (this.#hash >>> 0).toString(16),
      faults: this.#faults,
    };
  }
}

/** Lives one random run to its end; throws a `Violation` when a rule does not hold. Same seed, same report. */
export function simulate(seed: number): Report {
  return new World(seed).live();
}

export interface Tally {
  readonly runs: number;
  readonly steps: number;
  readonly outcomes: ReadonlyMap<string, number>;
  readonly faults: ReadonlyMap<FaultKind, number>;
  /** One line per broken rule; at most ten. */
  readonly violations: readonly string[];
}

/** Lives `count` runs from `firstSeed` on. */
export function simulateMany(firstSeed: number, count: number): Tally {
  const outcomes = new Map<string, number>();
  const faults = new Map<FaultKind, number>();
  const violations: string[] = [];
  let steps = 0;
  for (let seed = firstSeed; seed < firstSeed + count && violations.length < 10; seed++) {
    try {
      const report = simulate(seed);
      steps += report.steps;
      const outcome = report.outcome.split(":")[0] ?? "";
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      for (const [kind, n] of report.faults) faults.set(kind, (faults.get(kind) ?? 0) + n);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      violations.push(error instanceof Violation ? error.message : `seed ${seed}: ${error.stack ?? error.message}`);
    }
  }
  return { runs: count, steps, outcomes, faults, violations };
}
