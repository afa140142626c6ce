import { z } from "zod";
import { TASK_STATUSES } from "../../ports/index.ts";

const text = z.string();

/** Where a task stood, with what is done taken apart. */
export const PastStand = z.enum([...TASK_STATUSES, "unverified", "stale"]);
export type PastStand = z.infer<typeof PastStand>;

/** One attempt as a bar: who, where and how long. */
export const Span = z.strictObject({
  task: text,
  number: z.int(),
  agent: text,
  /** The machine that carried it out; absent where it was this one. */
  machine: text.optional(),
  startedAt: z.int(),
  /** 0 while it runs. */
  endedAt: z.int(),
  outcome: z.enum(["running", "done", "failed", "no-signal", "unproven", "cancelled", "crashed"]),
});
export type Span = z.infer<typeof Span>;

/** `GET /api/history`: what a chart of the run is drawn from, and what tells how it stood at any past moment. */
export const HistoryShape = z.strictObject({
  startedAt: z.int(),
  /** In the order in which they began; older ones are counted. */
  spans: z.array(Span),
  older: z.int(),
  /** What moved, by the events of the run: when, which task, and where it stood from then on. */
  moves: z.array(z.tuple([z.int(), text, PastStand])),
  /** Where tasks stood before the first of `moves`; others were pending. */
  before: z.array(z.tuple([text, PastStand])),
});
export type HistoryShape = z.infer<typeof HistoryShape>;

/** `GET /api/search`: where words stand in what agents put out, newest attempts first. */
export const SearchShape = z.strictObject({
  hits: z.array(
    z.strictObject({
      task: text,
      attempt: z.int(),
      agent: text,
      startedAt: z.int(),
      /** The lines it stands in. */
      lines: z.array(text),
      /** Lines beyond those. */
      more: z.int(),
    }),
  ),
  /** Attempts that were looked through, and those of them whose beginning was too far from the end. */
  searched: z.int(),
  cut: z.int(),
  /** From where to go on; absent where all was looked through. */
  next: z.int().optional(),
});
export type SearchShape = z.infer<typeof SearchShape>;
