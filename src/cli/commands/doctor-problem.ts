import { EspalierError, type Reason } from "../../ports/index.ts";

/** One thing that was looked at. */
export interface Check {
  readonly name: string;
  readonly level: "ok" | "note" | "problem";
  readonly found: string;
  /** A person ended it before it was through. */
  readonly stopped?: true;
  /** What to do, where something is to be done. */
  readonly advice?: string;
}

/** What an error stands against, in the words of a language. Throws what is none of ours. */
export function problemFrom(name: string, error: unknown, words: (reason: Reason) => string): Check {
  if (!(error instanceof EspalierError)) throw error;
  const { message, hint, reason, advice } = error;
  const found = reason === undefined ? message : words(reason);
  const then = advice === undefined ? hint : words(advice);
  return { name, level: "problem", found, ...(then === undefined ? {} : { advice: then }) };
}
