import type { AttemptOutcome, RunInput, RunState } from "../../src/run/index.ts";
import { said } from "../../src/text/index.ts";
import { agentSaid } from "../reasons.ts";
import type { Random } from "./random.ts";

const REASONS = ["TypeError", "no such file", "verify exit 1", "two\nlines", "", "x".repeat(300)];

interface Agent {
  readonly task: string;
  readonly attempt: number;
  readonly files: readonly string[];
  readonly alone: boolean;
  endsAt: number;
  outcome: AttemptOutcome;
}

/** The agents that are alive, of the run or of its lead. `wrong` hears when two must not be alive together. */
export class Agents {
  readonly #random: Random;
  readonly #luck: number;
  readonly #wrong: (what: string) => never;
  #alive: Agent[] = [];

  /** `luck` of a hundred attempts succeed. */
  constructor(random: Random, luck: number, wrong: (what: string) => never) {
    this.#random = random;
    this.#luck = luck;
    this.#wrong = wrong;
  }

  get size(): number {
    return this.#alive.length;
  }

  get times(): number[] {
    return this.#alive.map(agent => agent.endsAt);
  }

  start(run: RunState, id: string, attempt: number, now: number): void {
    // A batch may have dispatched a task and taken it out of the plan.
    const { files = [], risk, phase } = run.byId.get(id)?.task ?? {};
    const alone = phase === 0 || risk === "critical";
    const outcome = this.outcome(id, now);
    const agent = { task: id, attempt, files, alone, endsAt: now + this.#random.between(0, 20_000), outcome };
    if (run.policy.advance === "auto") this.#checkNeighbours(run, agent);
    this.#alive.push(agent);
  }

  #checkNeighbours(run: RunState, agent: Agent): void {
    for (const other of this.#alive) {
      if (other.task === agent.task) this.#wrong(`two agents work on ${agent.task}`);
      if (other.alone || agent.alone) this.#wrong(`${agent.task} is not alone`);
      if (other.files.some(file => agent.files.includes(file)))
        this.#wrong(`agents of ${agent.task} and ${other.task} share a file`);
    }
    if (this.#alive.length >= run.policy.parallel) this.#wrong("more agents than slots");
  }

  /** Told to end, an agent does so soon; one of five finishes its work all the same. */
  cancel(task: string, attempt: number, now: number): void {
    const agent = this.#alive.find(a => a.task === task && a.attempt === attempt);
    if (agent === undefined) return;
    agent.endsAt = Math.min(agent.endsAt, now + this.#random.between(0, 3000));
    if (!this.#random.chance(0.2)) agent.outcome = { kind: "cancelled" };
  }

  killAll(): void {
    this.#alive = [];
  }

  /** The wall clock was set: what is alive goes on from there. */
  reschedule(now: number): void {
    for (const agent of this.#alive) agent.endsAt = now + this.#random.between(0, 20_000);
  }

  /** Takes the results that have come by now. */
  take(now: number): RunInput[] {
    const ended = this.#alive.filter(agent => agent.endsAt <= now);
    this.#alive = this.#alive.filter(agent => agent.endsAt > now);
    return ended.map(({ task, attempt, outcome }) => ({
      type: "attempt-ended",
      task,
      attempt,
      outcome,
      ms: 5,
      now,
    }));
  }

  outcome(id: string, now: number): AttemptOutcome {
    const random = this.#random;
    const dice = random.below(100);
    if (dice < this.#luck) return { kind: "done", verified: random.chance(0.5), textHash: `hash of ${id}` };
    if (dice < 92) return { kind: "failed", reason: said("agent", random.pick(REASONS)) };
    if (dice < 94) return { kind: "no-signal" };
    if (dice < 96) return { kind: "stalled", reason: agentSaid("EAGAIN") };
    if (dice < 98) {
      const until = random.pick([now + 60_000, now - 5, Number.NaN, Number.MAX_VALUE, 0]);
      return { kind: "quota", agent: "claude", until };
    }
    const asks = dice < 99 && random.chance(0.5);
    return asks ? { kind: "needs-person", reason: agentSaid("not logged in") } : { kind: "cancelled" };
  }
}
