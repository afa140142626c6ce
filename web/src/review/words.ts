import type { DiffFile, DiffShape } from "../../../src/server/shapes/review.ts";

/** What the review says, in one language. It is loaded with the review alone. */
export interface ReviewWords {
  readonly choose: string;
  readonly chooseHint: string;
  readonly phases: string;
  readonly tasks: string;
  readonly files: (count: number) => string;
  readonly filter: string;
  readonly unified: string;
  readonly split: string;
  readonly layout: string;
  readonly state: Readonly<Record<DiffShape["state"], string>>;
  readonly commits: (count: number) => string;
  readonly others: (count: number) => string;
  readonly status: Readonly<Record<DiffFile["status"], string>>;
  readonly movedFrom: (path: string) => string;
  readonly modes: (before: string, after: string) => string;
  readonly crlf: string;
  readonly binary: string;
  readonly submodule: string;
  readonly unchanged: string;
  readonly folded: (lines: number) => string;
  readonly show: string;
  readonly moreLines: (count: number) => string;
  readonly moreFiles: (count: number) => string;
  readonly noNewline: string;
  readonly diff: string;
  readonly before: string;
  readonly after: string;
  readonly again: string;
  readonly back: string;
  readonly newest: string;
  readonly provedBy: string;
  readonly provedByNothing: string;
  readonly review: string;
  readonly overview: string;
}
