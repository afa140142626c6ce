import { z } from "zod";

/** What other processes may ask of the one that holds the lock. One JSON object a line, answered by one. */
export const ControlRequest = z.discriminatedUnion("method", [
  z.strictObject({
    method: z.literal("act"),
    action: z.enum(["retry", "skip", "done", "pause", "resume", "cancel"]),
    task: z.string().min(1).max(200),
    note: z.string().max(1000).default(""),
  }),
  z.strictObject({ method: z.literal("force-phase"), phase: z.string().min(1).max(100) }),
  z.strictObject({ method: z.literal("stop"), how: z.enum(["soft", "hard"]).default("soft") }),
  z.strictObject({ method: z.literal("ping") }),
]);
export type ControlRequest = z.infer<typeof ControlRequest>;

export const ControlReply = z.discriminatedUnion("ok", [
  z.strictObject({ ok: z.literal(true), message: z.string() }),
  z.strictObject({ ok: z.literal(false), message: z.string() }),
]);
export type ControlReply = z.infer<typeof ControlReply>;

/** Bytes a request line may have; longer ones end the connection. */
export const MAX_REQUEST = 64 * 1024;
