import { z } from "zod";
import { Action } from "./run.ts";

/** `POST /api/act`: what a person decided. Each becomes an ordinary event with who and when. */
export const ActRequest = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("task"),
    action: Action,
    task: z.string().min(1).max(200),
    note: z.string().max(4000).default(""),
  }),
  /** Says something to the agent at work on a task. */
  z.strictObject({
    kind: z.literal("tell"),
    task: z.string().min(1).max(200),
    text: z.string().trim().min(1).max(4000),
  }),
  z.strictObject({ kind: z.literal("force-phase"), phase: z.string().min(1).max(100) }),
  /** Merges a phase whose tasks are done, or all that are ready. */
  z.strictObject({ kind: z.literal("merge"), phase: z.string().min(1).max(100).optional() }),
  z.strictObject({ kind: z.literal("hold"), held: z.boolean() }),
  z.strictObject({ kind: z.literal("permit"), id: z.int().min(1), allowed: z.boolean() }),
  /** Takes back what an attempt handed to the context tree. */
  z.strictObject({
    kind: z.literal("revert"),
    task: z.string().min(1).max(200),
    attempt: z.int().min(1).max(1_000_000),
  }),
  z.strictObject({ kind: z.literal("checkpoint"), why: z.string().max(400).optional() }),
  /** Goes on with a run that nobody works on. */
  z.strictObject({ kind: z.literal("go-on") }),
  z.strictObject({ kind: z.literal("stop"), how: z.enum(["soft", "hard"]).default("soft") }),
]);
export type ActRequest = z.infer<typeof ActRequest>;

/** What came of it, in one line for the person. */
export const ActReply = z.strictObject({ ok: z.boolean(), message: z.string() });
export type ActReply = z.infer<typeof ActReply>;

/** Every refusal of the API. */
export const Refusal = z.strictObject({ error: z.string() });
export type Refusal = z.infer<typeof Refusal>;
