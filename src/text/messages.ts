import type { LeftWork, RunEvent } from "../ports/index.ts";
import type { PackageWords } from "./package-words.ts";
import type { InTurnFacts, UpdateFacts } from "./update-words.ts";

export type Locale = "en" | "ko";

/** What a dispatch prompt is made of. Nothing in it is model-written; ids and paths come from the plan. */
export interface PromptFacts {
  readonly task: string;
  readonly phase: string;
  readonly title: string;
  /** Path of the task file, as the agent should open it. */
  readonly file: string;
  /** 1-based line of the task in the file; 0 when the format has no lines. */
  readonly line: number;
  /** Path of the file the agent may write lessons to; its own, so that parallel agents never share one. */
  readonly learnings: string;
  /** Path of the file in which a context-fill may leave its document instead of answering with it. */
  readonly document?: string;
  /** Path of the file that takes its whole answer, where whoever asks reads only the last line. */
  readonly answer?: string;
  /** The second half of the signal, `T1.3#k7f2`: never shown right behind `DONE:`. */
  readonly signalId: string;
  readonly kind: "worker" | "context-fill";
  readonly fills?: string;
  readonly verify?: string;
  /** What the last attempt failed of, when there was one. Foreign text. */
  readonly feedback?: string;
  readonly attempt: number;
  readonly maxAttempts: number;
  /** What is to be researched; the task stands in no file then. Foreign text. */
  readonly question?: string;
  /** How its folder stands to what earlier attempts of the task have left; absent where there is nothing to say. */
  readonly left?: LeftWork | { readonly kind: "as-left" | "none" };
  /** What a person asks for who has looked at what was made before. */
  readonly sentBack?: string;
  /** Asks for a section that hands over to later tasks, in this language; absent where it is not asked for. */
  readonly handover?: Locale;
  /** It stands in a context package that tells the role and earlier attempts itself. */
  readonly packaged?: boolean;
}

/** Everything Espalier says to people and agents, in one language. */
export interface Messages {
  readonly locale: Locale;
  /** The documents' log line of an event (004 section 8.1), or undefined when the event is not logged there. */
  logLine(event: RunEvent): string | undefined;
  /** The dispatch prompt (004 section 4.1). */
  prompt(facts: PromptFacts): string;
  /** Tells an agent at work that documents it was given have changed. */
  update(facts: UpdateFacts): string;
  /** The same between two of its tool calls; empty where there is nothing. */
  inTurn(facts: InTurnFacts): string;
  /** Tells an agent at work what a person said to it. */
  words(said: readonly string[]): string;
  /** Follows what an agent is told behind an answer of its: both count as one. */
  readonly answerStands: string;
  /** The same where the answer is a document. */
  readonly documentStands: string;
  /** What stands between the texts of a context package. */
  readonly inPackage: PackageWords;
}
