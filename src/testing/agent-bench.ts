import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type {
  Agent,
  AgentEvent,
  AgentFailure,
  AgentLimits,
  AgentSession,
  SessionRequest,
  TurnEnd,
} from "../ports/agent.ts";

/** Milliseconds that no case takes: a limit of as much is not what ended a turn. */
export const NEVER = 600_000;

/** One requirement of the Agent port. */
export interface Rule {
  readonly name: string;
  readonly needs?: "message" | "exit-code" | "turn-process" | "detached";
  readonly script?: string;
  /** Given as a function: by the milliseconds an agent takes here to its first line, on a busy machine as on a quiet one. */
  readonly limits?: Partial<AgentLimits> | ((startMs: number) => Partial<AgentLimits>);
  readonly check: (bench: Bench) => Promise<void>;
}

/** What a rule works with: one agent whose turns run the rule's script. */
export interface Bench {
  readonly agent: Agent;
  readonly missing: Agent;
  readonly folder: string;
  readonly request: SessionRequest;
  /** True when what the agent writes holds the script's output but is not it. */
  readonly isEncoded: boolean;
  /** All that reached the log, and nothing when there was none. */
  readonly logged: () => string;
  readonly session: () => Promise<AgentSession>;
  /** One turn of a new session, closed afterwards. */
  readonly turn: (message?: string) => Promise<Heard>;
}

/** What a turn yielded, from its start to its end. */
export interface Heard {
  readonly events: readonly AgentEvent[];
  readonly end: TurnEnd;
  readonly lines: readonly string[];
  readonly ms: number;
}

/** Takes everything a turn yields and checks that it ends once and last. */
export async function listen(turn: AsyncIterable<AgentEvent>): Promise<Heard> {
  const began = performance.now();
  const events: AgentEvent[] = [];
  for await (const event of turn) events.push(event);
  const ends = events.filter(event => event.type === "ended");
  strictEqual(ends.length, 1, "a turn ends exactly once");
  const last = events.at(-1);
  if (last?.type !== "ended") throw new Error("`ended` is not the last event");
  const lines = events.flatMap(event => (event.type === "line" ? [event.text] : []));
  return { events, end: last.end, lines, ms: performance.now() - began };
}

/** The end of a turn of which nothing else is kept: what a reader gathers grows with the time that it takes. */
export async function endOf(turn: AsyncIterable<AgentEvent>): Promise<TurnEnd> {
  let end: TurnEnd | undefined;
  for await (const event of turn) if (event.type === "ended") end = event.end;
  if (end === undefined) throw new Error("the turn has no end");
  return end;
}

/** The end of a turn that must be a completed one. */
export function completed(end: TurnEnd): Extract<TurnEnd, { kind: "completed" }> {
  if (end.kind !== "completed") deepStrictEqual(end, { kind: "completed" });
  return end as Extract<TurnEnd, { kind: "completed" }>;
}

/** The failure of a turn that must have failed. */
export function failureOf(end: TurnEnd): AgentFailure {
  if (end.kind !== "failed") deepStrictEqual(end, { kind: "failed" });
  return (end as Extract<TurnEnd, { kind: "failed" }>).failure;
}

/** True while the process runs; a zombie does not, nor one that is ending and has given its memory back. */
export function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (!existsSync("/proc/self/stat")) return true;
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] !== "Z" && fields[20] !== "0";
  } catch {
    return false;
  }
}

/** The first line that begins with `prefix`, without it; the turn goes on unread. */
export async function firstLine(events: AsyncIterator<AgentEvent>, prefix: string): Promise<string> {
  for (;;) {
    const next = await events.next();
    if (next.done === true || next.value.type === "ended")
      throw new Error(`the turn ended without ${prefix}`);
    if (next.value.type === "line" && next.value.text.startsWith(prefix))
      return next.value.text.slice(prefix.length);
  }
}

/** What is left of a turn. */
export async function rest(events: AsyncIterator<AgentEvent>): Promise<Heard> {
  return listen({ [Symbol.asyncIterator]: () => events });
}

const SAMPLE_MS = 250;

/**
 * What something resolves with, and the most bytes that were kept in memory meanwhile, more than before. Whatever only waits to be
 * collected is collected first: how much of that there is depends on how busy the machine is.
 */
export async function mostKept<T>(work: () => Promise<T>): Promise<readonly [T, number]> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const kept = () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = kept();
  let most = 0;
  const timer = setInterval(() => (most = Math.max(most, kept() - before)), SAMPLE_MS);
  try {
    const value = await work();
    return [value, Math.max(most, kept() - before)];
  } finally {
    clearInterval(timer);
  }
}
