import type { Category, DecodeFailure, EncodeFailure } from "../../../delta/index.ts";
import type { Told } from "./context-words.ts";

/** What the delta commands say, in one language. Arguments are already safe to show. */
export interface DeltaWords {
  readonly exact: (from: string, to: string, hash: string) => string;
  readonly places: (count: number) => string;
  readonly lines: (added: number, removed: number) => string;
  readonly changedLines: (added: number, removed: number) => string;
  readonly tokensFor: (message: number, document: number) => string;
  readonly instead: (message: number, document: number) => string;
  readonly unproven: (name: string) => string;
  readonly appliesExactly: string;
  readonly appliesUnproven: string;
  readonly line: (number: number) => string;
  readonly category: Readonly<Record<Category, string>>;

  readonly doesNotApply: (name: string, why: string) => string;
  /** What stood against a message, where the reader's own sentence is not in this language. */
  readonly why: (failure: DecodeFailure) => string;
  readonly expectedFound: (expected: string, found: string) => string;
  readonly theMessage: (versions: string) => string;
  readonly advice: Readonly<Partial<Record<DecodeFailure["kind"], string>>>;
  readonly notExact: (name: string, led: string, wanted: string, is: string) => string;
  readonly notMade: (failure: EncodeFailure) => string;
  readonly chain: (name: string, expected: string, found: string) => Told;
  readonly notUtf8: (name: string, offset: number) => Told;
  readonly twice: string;
  readonly standardInput: string;

  readonly columns: Readonly<Record<"step" | "form" | "sent" | "full" | "saved", string>>;
  readonly sameVersions: (path: string) => string;
  readonly stepsExact: (exact: number, steps: number) => string;
  readonly share: (mean: string, median: string) => readonly [string, string];
  readonly sum: (sent: number, full: number, saved: string | undefined) => string;
  readonly plainDiff: (tokens: number, among: number | undefined, factor: string | undefined) => string;
  readonly noPlainDiff: string;
  readonly forms: (list: string) => string;
  readonly progress: (seen: number, count: number) => string;
  readonly leftOutLarge: (commit: string, size: number, most: number) => string;
  readonly leftOut: (commit: string, why: string) => string;
  readonly ofFolder: (path: string) => Told;
  readonly emptyFolder: (path: string) => Told;
  readonly noFolder: string;
  readonly noGit: string;
  readonly noVersions: string;
  readonly noContent: (blob: string, commit: string) => string;
  readonly historyHint: string;
}
