import { type AttemptRow, because, HERE, type Reason, type RunEvent } from "../ports/index.ts";
import type { AttemptOutcome } from "../run/index.ts";
import type { AgentPool } from "./pool.ts";

/** What a task that lost its agent is handed over by. */
export interface HandOver {
  readonly pool: AgentPool;
  /** The agents that are to work on a task; undefined where the plan no longer has it. */
  wanted(task: string): readonly string[] | undefined;
  /** Wall time, epoch milliseconds. */
  now(): number;
  tell(events: readonly RunEvent[]): void;
}

/** That an agent has no quota, or is not let in, and who takes over. */
export function takenOver(agent: string, next: string, outcome: AttemptOutcome, task: string): RunEvent {
  const isOut = outcome.kind === "quota";
  const message: Reason = isOut
    ? because("out-of-quota", { agent, until: outcome.until, next })
    : because("agent-refused", { agent, next });
  return { type: "warning", code: isOut ? "AGENT_OUT_OF_QUOTA" : "AGENT_REFUSED", message, task };
}

/**
 * What the end of an attempt means for its task once the pool has heard of it: a task whose agent is out of quota waits, and one
 * whose agent is out of quota or not let in is handed at once to an agent that takes over.
 */
export function handOver(
  { pool, wanted, now, tell }: HandOver,
  row: AttemptRow,
  outcome: AttemptOutcome,
): AttemptOutcome {
  pool.hear(row, outcome);
  // What a `run:` block met is its command's: other blocks go on, and no agent takes over.
  if (row.agent === "shell") return outcome;
  const at = now();
  const agents = wanted(row.task) ?? [row.agent];
  const able = agents.map(name => pool.pick(name, at));
  const next = able.find(name => pool.isOpen(name, at));
  const first = pool.first(agents, at);
  if (outcome.kind === "needs-person" && outcome.account !== undefined) {
    const { account } = outcome;
    // Whether another machine lets it in tells nothing of who is let in here.
    const taker = row.machine === HERE ? (next ?? first?.agent) : undefined;
    if (taker === undefined) return outcome;
    tell([takenOver(account, taker, outcome, row.task)]);
    return next === undefined && first !== undefined
      ? { kind: "quota", ...first }
      : { kind: "quota", agent: account, until: at };
  }
  if (outcome.kind !== "quota") return outcome;
  // Whoever has quota again first takes the task: one of its own agents, or one that takes over.
  if (first !== undefined) return { ...outcome, ...first };
  tell([takenOver(outcome.agent, next ?? able[0] ?? outcome.agent, outcome, row.task)]);
  return { ...outcome, until: at };
}
