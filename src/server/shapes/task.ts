import { z } from "zod";
import { Action, TaskNow } from "./run.ts";

const text = z.string();

export const Usage = z.strictObject({
  input: z.int().optional(),
  output: z.int().optional(),
  cached: z.int().optional(),
  /** Of the output. */
  reasoning: z.int().optional(),
  /** Of all tokens: what the agent did not count. */
  estimated: z.int().optional(),
  costUsd: z.number().optional(),
  /** Beside all that: what each reviewer took. */
  reviewers: z
    .array(z.strictObject({ by: text, tokens: z.int(), costUsd: z.number().optional() }))
    .optional(),
});
export type Usage = z.infer<typeof Usage>;

/** One part of what an attempt was given to read. */
export const ReceiptPart = z.strictObject({
  /** `role`, `document`, `update`, `result`, `attempt`, `task`, `heading`. */
  kind: text,
  source: text,
  node: text.optional(),
  /** `0` to `3` or `pointer`; `capped` in receipts of earlier versions. */
  level: text,
  tokens: z.int(),
  in: z.boolean(),
  why: text,
  /** What it repeats. */
  of: text.optional(),
  /** Which limit kept it from being given whole, and the tokens that it allows. */
  bound: text.optional(),
});
export type ReceiptPart = z.infer<typeof ReceiptPart>;

export const Receipt = z.strictObject({
  attempt: z.int(),
  tokens: z.int(),
  limit: z.int(),
  /** Tokens at the beginning shared with the package before. */
  prefix: z.int(),
  parts: z.array(ReceiptPart),
});
export type Receipt = z.infer<typeof Receipt>;

export const Attempt = z.strictObject({
  number: z.int(),
  agent: text,
  startedAt: z.int(),
  /** 0 while it runs. */
  endedAt: z.int(),
  outcome: z.enum(["running", "done", "failed", "no-signal", "unproven", "cancelled", "crashed"]),
  reason: text,
  evidence: text,
  finalMessage: text,
  feedback: text,
  usage: Usage.optional(),
  /** What it counts with in place of a report: the tokens of its package. */
  estimate: z.int().optional(),
  branch: text.optional(),
  commit: text.optional(),
  folder: text.optional(),
  /** Numbers of the further agents that worked on it at once, each with output of its own. */
  others: z.array(z.int()).optional(),
});
export type Attempt = z.infer<typeof Attempt>;

/** `GET /api/task?id=`: everything known about one task. */
export const TaskShape = z.strictObject({
  now: TaskNow,
  text,
  line: z.int(),
  file: text,
  role: text.optional(),
  agent: text.optional(),
  verify: text.optional(),
  run: text.optional(),
  test: text.optional(),
  contextRef: text.optional(),
  fills: text.optional(),
  files: z.array(text),
  neededBy: z.array(text),
  attempts: z.array(Attempt),
  /** Attempts before the ones shown. */
  older: z.int(),
  receipts: z.array(Receipt),
  /** What a person may do in this state. */
  actions: z.array(Action),
});
export type TaskShape = z.infer<typeof TaskShape>;

/** `GET /api/changes?task=&attempt=`: the files of an attempt's commit. */
export const ChangesShape = z.strictObject({
  /** Lines of all files. */
  added: z.int(),
  removed: z.int(),
  /** Without numbers where git counts no lines. */
  files: z.array(z.strictObject({ path: text, added: z.int().optional(), removed: z.int().optional() })),
  /** Files beside these. */
  more: z.int(),
  /** Why the commit cannot be read, where it cannot. */
  problem: text.optional(),
});
export type ChangesShape = z.infer<typeof ChangesShape>;

/** `GET /api/log?task=&attempt=`: the end of an attempt's raw output; with `&of=` of one of several agents on it. */
export const LogShape = z.strictObject({ text, bytes: z.int(), cut: z.boolean(), path: text });
export type LogShape = z.infer<typeof LogShape>;
