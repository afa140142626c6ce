import { diffPlans, type Plan } from "../../src/plan/index.ts";
import {
  freshRun,
  MAX_WAIT_MS,
  nextAnswer,
  pauseChanged,
  type RestoreOptions,
  type RunCommand,
  type RunInput,
  type RunPolicy,
  type RunState,
  restoreRun,
  type StepResult,
  step,
  type TaskAction,
  weakerTasks,
} from "../../src/run/index.ts";
import { reasonText } from "../../src/text/index.ts";
import { Agents } from "./agents.ts";
import { StepChecks } from "./checks.ts";
import { Durable } from "./durable.ts";
import { brokenInvariants } from "./invariants.ts";
import { Random } from "./random.ts";
import { editPlan, randomPlan, randomPolicy } from "./random-plan.ts";

/** Inputs a run of at most 60 tasks can need; more means that it turns in circles. */
const MAX_STEPS = 20_000;
/** Everything but agents' results, per run: crashes, acts, edits, stops, foreign events. */
const MAX_FAULTS = 40;
const ACTIONS: readonly TaskAction[] = ["retry", "skip", "done", "pause", "resume", "cancel"];

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

/** One random run with everything around it: file, agents, disk, a person, and what goes wrong. */
export class World {
  readonly #seed: number;
  readonly #random: Random;
  readonly #policy: RunPolicy;
  readonly #only: ReadonlySet<string> | undefined;
  readonly #durable: Durable;
  readonly #history: Plan[] = [];
  readonly #faults = new Map<FaultKind, number>();
  #file: Plan;
  #run: RunState;
  readonly #agents: Agents;
  readonly #checks: StepChecks;
  #late: { at: number; input: RunInput }[] = [];
  #now = 1_700_000_000_000;
  #steps = 0;
  #fresh = 0;
  #faultsLeft: number;
  #hash = 0x811c9dc5;
  #last = "";

  constructor(seed: number) {
    this.#seed = seed;
    const random = new Random(seed);
    this.#random = random;
    this.#file = randomPlan(random, random.pick([4, 15, 40, 60]));
    const wrong = (what: string) => this.#wrong(what);
    this.#agents = new Agents(random, random.pick([50, 75, 90]), wrong);
    this.#checks = new StepChecks(wrong);
    this.#policy = randomPolicy(random);
    this.#only = random.chance(0.1)
      ? new Set(random.some(this.#file.tasks, 0.5).map(task => task.id))
      : undefined;
    this.#faultsLeft = random.chance(0.2) ? 0 : random.between(1, MAX_FAULTS);
    this.#durable = new Durable(this.#file);
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
    this.#checks.check(this.#run, input, out, before, plan);
    return out;
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
    const lost = this.#durable.commit(this.#run, outs);
    if (lost !== undefined) this.#wrong(lost);
  }

  #perform(command: RunCommand): void {
    if (command.type === "dispatch") this.#agents.start(this.#run, command.task, command.attempt, this.#now);
    else if (command.type === "cancel" && !this.#lead)
      this.#agents.cancel(command.task, command.attempt, this.#now);
  }

  #crash(): void {
    const random = this.#random;
    if (!this.#lead) this.#agents.killAll();
    this.#late = [];
    this.#checks.forget();
    if (random.chance(0.2)) {
      this.#count("clock-jump");
      this.#now += random.pick([-400, 400, -1]) * 24 * 3_600_000;
      this.#agents.reschedule(this.#now);
    }
    if (random.chance(0.3)) {
      this.#count("edit-while-dead");
      this.#editFile();
    }
    const { rows, plan, phase, completed } = this.#durable;
    const { removed, changed } = diffPlans(plan, this.#file);
    const keepRunning = new Set(this.#lead ? this.#durable.running : []);
    this.#run = restoreRun(this.#file, rows.values(), { ...this.#options(), phase, keepRunning });
    pauseChanged(this.#run, changed, weakerTasks(plan.tasks, this.#file.tasks));
    for (const id of removed) rows.delete(id);
    this.#deliverOne({ type: "start", resumed: true, now: this.#now });
    for (const state of this.#run.tasks) {
      const longest = state.status === "waiting" ? MAX_WAIT_MS : this.#policy.backoffMaxMs;
      if (state.notBefore > this.#now + longest)
        this.#wrong(`${state.task.id} waits too long after a restart`);
    }
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
    return reasonText(out.refused, "en") || undefined;
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
        this.#deliver([
          { type: "attempt-ended", task, attempt, outcome: this.#agents.outcome(task, now), ms: 1, now },
        ]);
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
        if (!random.chance(0.4)) return;
        this.#count("stop");
        this.#deliver([{ type: "stop", by: "SIGINT", how: random.pick(["soft", "hard"]), now }]);
        return;
      default: {
        this.#count("act");
        const [running] = random.chance(0.5) ? [...this.#run.running] : [];
        const chosen = running?.task.id ?? id;
        const acts = [this.#act(chosen)];
        if (random.chance(0.3))
          acts.push({ ...acts[0]!, action: random.pick(["retry", "resume"]) } as RunInput);
        this.#deliver(acts);
      }
    }
  }

  #act(id: string): RunInput {
    const action = this.#random.pick(ACTIONS);
    const note = this.#random.pick(["", "because", "line\nbreak"]);
    return { type: "act", action, task: id, note, textHash: "by hand", now: this.#now };
  }

  /** The time of whatever happens next by itself. */
  #nextAt(): number | undefined {
    const times = [...this.#agents.times, ...this.#late.map(late => late.at)];
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
    for (const input of this.#agents.take(now)) {
      inputs.splice(random.below(inputs.length + 1), 0, input);
      if (this.#faultsLeft <= 0 || !random.chance(0.05)) continue;
      const twice = random.chance(0.5);
      this.#count(twice ? "duplicate" : "late");
      if (twice) inputs.push(input);
      else this.#late.push({ at: now + random.between(0, 60_000), input });
    }
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

  live(): Report {
    this.#deliver([{ type: "start", resumed: false, now: this.#now }]);
    for (;;) {
      if (this.#run.ended !== undefined && this.#agents.size === 0) {
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
      outcome: this.#checks.checkEnd(this.#run),
      hash: (this.#hash >>> 0).toString(16),
      faults: this.#faults,
    };
  }
}
