import type { Names } from "./names.ts";
import type { Nothing } from "./refusal.ts";

/** What a person may do to one task. */
export const TASK_ACTS = [
  "retry",
  "skip",
  "done",
  "pause",
  "resume",
  "cancel",
  "send-back",
  "approve",
] as const;

export type TaskAct = (typeof TASK_ACTS)[number];

interface OfTask {
  readonly task: string;
}

/** What a process that holds a run answers to what is asked of it, by its code. */
export interface AnswerArgs {
  /** What a person said to an attempt: it is told between its turns, hears nothing, ended first, or is none. */
  readonly "word-taken": OfTask;
  readonly "word-unheard": OfTask & { readonly agent: string };
  readonly "word-late": { readonly said: string; readonly again: boolean };
  readonly "not-at-work": OfTask;
  readonly "words-wait": OfTask & { readonly most: number };
  readonly acted: OfTask & { readonly action: TaskAct; readonly resume: boolean };
  /** Its text was found to ask less of it only when this was decided: nobody had been shown that. */
  readonly "asks-less-now": OfTask & { readonly fields: readonly string[] };
  readonly stopping: { readonly lead: boolean };
  readonly "lead-holds": { readonly method: string };
  readonly "lead-leaving": Nothing;
  readonly "no-such-service": { readonly what: "workers" | "checkpoints" };
  readonly "nobody-waits": Nothing;
  /** Of a run that somebody wants to go on. */
  readonly "goes-on": Nothing;
  /** Of phases that somebody wants merged. */
  readonly "merge-after-run": Nothing;
  readonly "merge-unapproved": { readonly commands: Names; readonly phase?: string };
  readonly "no-branches": Nothing;
  readonly "runs-already": Nothing;
  readonly "goes-on-unapproved": Nothing;
  readonly "does-not-go-on": { readonly said: string };
}
