import { createHash } from "node:crypto";
import { z } from "zod";
import { ContextCommand, type ContextReply } from "../../context/shared/index.ts";
import { type Reason, TASK_ACTS } from "../../ports/index.ts";
import { type Locale, reasonText } from "../../text/index.ts";
import { Decider } from "./decider.ts";

// Shapes of many parts are made when the first message is read: a command that meets no process needs none.

/** Who asks, as events name them. */
const who = z.string().min(1).max(100).optional();

/** What people are told, by its code; both sides are the same program. */
const reason = z
  .custom<Reason>(value => typeof value === "object" && value !== null && "code" in value && "args" in value)
  .optional();

const label = z.string().min(1).max(100);
const version = z.int().min(0).max(999_999_999);

/** What an attempt may ask for: its own standing, and the documents of its own node. */
export const WorkerAsk = z.lazy(() =>
  z.discriminatedUnion("op", [
    z.strictObject({ op: z.literal("status") }),
    /** Changes since the version it holds, which its hash proves. */
    z.strictObject({
      op: z.literal("pull"),
      label,
      since: version.optional(),
      hash: z.string().min(4).max(64).optional(),
    }),
    /** What has become due since: nothing, mostly. */
    z.strictObject({ op: z.literal("due") }),
    z.strictObject({ op: z.literal("ack"), text: z.string().min(1).max(10_000) }),
    /** A document that its node reads, by label or path, or the result of a task that it builds on; without a name the list. */
    z.strictObject({
      op: z.literal("get"),
      name: z.string().min(1).max(1000).optional(),
      version: version.optional(),
    }),
    /** A document for a node of its path, taken in when the attempt is accepted. */
    z.strictObject({ op: z.literal("add"), node: label, text: z.string().min(1).max(1_000_000) }),
  ]),
);
export type WorkerAsk = z.infer<typeof WorkerAsk>;

/** What other processes may ask of the one that holds the lock. One JSON object a line, answered by one. */
export const ControlRequest = z.lazy(() =>
  z.discriminatedUnion("method", [
    z.strictObject({
      method: z.literal("act"),
      action: z.enum(TASK_ACTS),
      task: z.string().min(1).max(200),
      note: z.string().max(4000).default(""),
      by: who,
    }),
    /** Says something to the agent at work on a task; it hears it between its turns. */
    z.strictObject({
      method: z.literal("tell"),
      task: z.string().min(1).max(200),
      text: z.string().trim().min(1).max(4000),
      by: who,
    }),
    z.strictObject({ method: z.literal("force-phase"), phase: z.string().min(1).max(100), by: who }),
    /** Merges phases whose tasks are done: the named one, or all that are ready. */
    z.strictObject({
      method: z.literal("merge"),
      phase: z.string().min(1).max(100).optional(),
      by: who,
    }),
    /** Holds new dispatches back, or lets them go again. */
    z.strictObject({ method: z.literal("hold"), held: z.boolean(), by: who }),
    z.strictObject({ method: z.literal("stop"), how: z.enum(["soft", "hard"]).default("soft"), by: who }),
    /** Answers what an agent asked (`asked`). */
    z.strictObject({ method: z.literal("permit"), id: z.int().min(1), allowed: z.boolean(), by: who }),
    /** Answered, and then kept open: somebody is there to answer agents' questions until the connection closes. */
    z.strictObject({ method: z.literal("attend") }),
    /** Answered, and then every event of the run as one JSON object a line, until either side leaves. */
    z.strictObject({ method: z.literal("follow") }),
    /** Writes a checkpoint now; `shift` declares a change of direction. */
    z.strictObject({
      method: z.literal("checkpoint"),
      why: z.string().max(400).optional(),
      shift: z.boolean().default(false),
    }),
    /** Something for the shared context. */
    z.strictObject({ method: z.literal("context"), command: ContextCommand }),
    /** Takes back what an attempt handed to the context tree. */
    z.strictObject({
      method: z.literal("revert"),
      task: z.string().min(1).max(200),
      attempt: z.int().min(1).max(1_000_000),
    }),
    /** Completes or abandons a node of the context tree, or merges it into another. Answered by a `NodeAnswer` as JSON. */
    z.strictObject({
      method: z.literal("node"),
      action: z.enum(["complete", "abandon", "merge"]),
      node: z.string().min(1).max(200),
      into: z.string().min(1).max(200).optional(),
    }),
    /** An attempt under way asks for itself; its token proves which one it is. */
    z.strictObject({
      method: z.literal("worker"),
      task: z.string().min(1).max(200),
      token: z.string().min(1).max(200),
      ask: WorkerAsk,
    }),
    z.strictObject({ method: z.literal("ping") }),
  ]),
);
export type ControlRequest = z.infer<typeof ControlRequest>;

/** Whether a request decides something: only a person's is carried out. */
export function isDecision(request: ControlRequest): boolean {
  switch (request.method) {
    case "act":
    case "tell":
    case "force-phase":
    case "merge":
    case "hold":
    case "stop":
    case "permit":
    case "revert":
    case "node":
      return true;
    case "checkpoint":
      return request.shift;
    case "context":
      return request.command.op === "resume";
    case "attend":
    case "follow":
    case "worker":
    case "ping":
      return false;
    default:
      throw new Error(`unknown request ${JSON.stringify(request satisfies never)}`);
  }
}

/** Asks the one who decides to show where no other process can what `shownFor` makes of this word, and to name itself. */
export const Challenge = z.strictObject({ show: z.string().min(8).max(64) });
/**
 * What is shown for a challenge to a request, as its line was sent. Whoever stands between the two cannot have another
 * request carried out by it. Sixteen characters: a command line can be replaced by none that is longer.
 */
export function shownFor(word: string, line: string): string {
  return createHash("sha256").update(`${word}\n${line}`).digest("base64url").slice(0, 16);
}

/** The answer to a challenge. */
export const Shows = z.strictObject({ pid: z.int().min(1) });

function isReply(value: unknown): boolean {
  return typeof value === "object" && value !== null && "kind" in value && typeof value.kind === "string";
}

export const ControlReply = z.lazy(() =>
  z.discriminatedUnion("ok", [
    z.strictObject({
      ok: z.literal(true),
      message: z.string(),
      reason,
      /** Whether a person holds back what would start, where that was asked. */
      held: z.boolean().optional(),
      /** What the shared context answered; both sides are the same program. */
      context: z.custom<ContextReply>(isReply).optional(),
    }),
    z.strictObject({
      ok: z.literal(false),
      message: z.string(),
      reason,
      /** Who asked, where that is why it was refused. */
      decider: Decider.optional(),
    }),
  ]),
);
export type ControlReply = z.infer<typeof ControlReply>;

/** An answer to a person. */
export function replyWith(ok: boolean, reason: Reason): ControlReply {
  return { ok, message: reasonText(reason, "en"), reason };
}

/** An answer as a person reads it. */
export function replyText({ message, reason }: ControlReply, locale: Locale): string {
  return reason === undefined ? message : reasonText(reason, locale);
}

/** Characters a line may have, either way; a longer one ends the connection. */
export const MAX_REQUEST: number = 64 * 1024;
/** The same for what concerns the shared context, which carries whole documents. */
export const MAX_CONTEXT: number = 64 * 1024 ** 2;
/** How requests begin that carry documents. */
export const LARGE_STARTS: readonly string[] = ['{"method":"context"', '{"method":"worker"'];
