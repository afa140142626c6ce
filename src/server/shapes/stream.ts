import { z } from "zod";
import { Link, RunHead, TaskNow } from "./run.ts";

/** An event of the run with its texts made visible; the fields beside `type` are those of `RunEvent`. */
export const Happening = z.strictObject({
  seq: z.int(),
  at: z.int(),
  event: z.looseObject({ type: z.string() }),
});
export type Happening = z.infer<typeof Happening>;

/** A line an agent wrote; `n` counts the lines of the attempt. */
export const TailLine = z.strictObject({ n: z.int(), text: z.string() });
export type TailLine = z.infer<typeof TailLine>;

/**
 * `GET /api/stream`, server-sent events. `change` carries an id to resume from and what is durable; `output` carries what
 * agents say right now and can be missed; `reset` asks for a fresh `GET /api/run`.
 */
export const ChangeMessage = z.strictObject({
  run: RunHead.optional(),
  link: Link.optional(),
  tasks: z.array(TaskNow).optional(),
  events: z.array(Happening).optional(),
  /** How many entries the log of the shared context has: something was published, sent or answered. */
  context: z.int().optional(),
});
export type ChangeMessage = z.infer<typeof ChangeMessage>;

export const OutputMessage = z.strictObject({
  /** The last line of each task that said something, by id. */
  last: z.record(z.string(), z.string()).optional(),
  /** New lines of the task that is followed, and of which attempt. */
  lines: z.array(TailLine).optional(),
  attempt: z.int().optional(),
});
export type OutputMessage = z.infer<typeof OutputMessage>;

/** `GET /api/events`: history, oldest first. */
export const EventsShape = z.strictObject({ events: z.array(Happening), lastSeq: z.int() });
export type EventsShape = z.infer<typeof EventsShape>;
