import { z } from "zod";
import { TASK_ACTS, TASK_STATUSES } from "../../ports/index.ts";

/** Foreign text as the page may show it: made visible and cut by the server. */
const text = z.string();

export const Status = z.enum(TASK_STATUSES);
export type Status = z.infer<typeof Status>;

/** What a person may do to a task. */
export const Action = z.enum(TASK_ACTS);
export type Action = z.infer<typeof Action>;

/** What the plan says of a task: it changes only when the task file does. */
export const TaskCard = z.strictObject({
  id: text,
  phase: text,
  title: text,
  kind: z.enum(["worker", "context-fill"]),
  dependsOn: z.array(text),
  /** The role or agent that is meant to work on it. */
  role: text.optional(),
  risk: z.enum(["low", "medium", "critical"]).optional(),
  /** It only groups others. */
  container: z.boolean(),
  /** On the longest chain of tasks. */
  critical: z.boolean(),
});
export type TaskCard = z.infer<typeof TaskCard>;

/** Where a task stands now. */
export const TaskNow = z.strictObject({
  id: text,
  status: Status,
  retries: z.int(),
  attempts: z.int(),
  verified: z.boolean().nullable(),
  reason: text,
  /** Epoch milliseconds before which it is not dispatched again; 0 for none. */
  notBefore: z.int(),
  /** The broken task at the root of its trouble. */
  blockedBy: text.optional(),
  /** Completed by an agent that did not hold the newest context. */
  stale: z.literal(true).optional(),
  /** Who works on it, or did last. */
  agent: text.optional(),
  /** Since when the attempt under way runs, in epoch milliseconds. */
  since: z.int().optional(),
  /** What its ended attempts took together, and when the last of them ended. */
  tookMs: z.int().optional(),
  endedAt: z.int().optional(),
  /** As far as its agents tell. */
  tokens: z.int().optional(),
  costUsd: z.number().optional(),
  /** It goes on only when a person decides: what is decided most often. */
  ask: Action.optional(),
});
export type TaskNow = z.infer<typeof TaskNow>;

/** How long the run still takes, told by its own attempts; times in milliseconds from `at` on. */
export const Left = z.strictObject({
  at: z.int(),
  ms: z.int(),
  /** Nine of ten times it is between these; absent where one task alone has shown how long one takes. */
  low: z.int().optional(),
  high: z.int().optional(),
  /** Completed tasks that it is made of, tasks that it counts, and those that wait for a person and are not counted. */
  basis: z.int(),
  ahead: z.int(),
  held: z.int(),
  atOnce: z.number(),
});
export type Left = z.infer<typeof Left>;

/** The run as a whole. */
export const RunHead = z.strictObject({
  id: text,
  project: text,
  state: z.enum(["running", "completed", "failed", "waiting", "interrupted"]),
  phase: text,
  startedAt: z.int(),
  updatedAt: z.int(),
  /** When work on it ended, whatever was decided since; absent while it goes on, and where it has not told. */
  endedAt: z.int().optional(),
  forced: z.array(text),
  reason: text,
  file: text,
  /** The phase that waits for a person because too little of the one before completed. */
  gated: text.optional(),
  /** What its ended attempts took, how much of it is an estimate, and how many of them nobody knows the price of. */
  attempts: z.int(),
  tokens: z.int(),
  estimated: z.int(),
  costUsd: z.number(),
  unpriced: z.int(),
  /** Absent where nothing tells it. */
  left: Left.optional(),
});
export type RunHead = z.infer<typeof RunHead>;

/** Whether anybody works on the run; actions need it. */
export const Link = z.strictObject({
  /** A process holds the run and listens. */
  live: z.boolean(),
  /** A person holds new dispatches back. */
  held: z.boolean(),
  /** What agents wait to be allowed. */
  asked: z.array(z.strictObject({ id: z.int(), task: text, attempt: z.int(), kind: text, title: text })),
});
export type Link = z.infer<typeof Link>;

/** `GET /api/run`: everything the graph needs. `run` is null before the first one. */
export const RunShape = z.strictObject({
  /** Place in the stream from which changes follow. */
  revision: z.string(),
  version: z.string(),
  locale: z.enum(["en", "ko"]),
  project: text,
  /** The server's clock, epoch milliseconds. */
  now: z.int(),
  run: RunHead.nullable(),
  link: Link,
  phases: z.array(z.strictObject({ label: text, title: text })),
  plan: z.array(TaskCard),
  tasks: z.array(TaskNow),
  /** The last words of tasks whose agents have said something. */
  last: z.record(z.string(), text),
  maxAttempts: z.int(),
  phaseGate: z.number(),
  /** Why the state cannot be read, when it cannot. */
  problem: text.optional(),
});
export type RunShape = z.infer<typeof RunShape>;
