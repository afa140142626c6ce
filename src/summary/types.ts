import type { MarkdownDocument } from "../markdown/index.ts";
import type { Locale } from "../text/index.ts";
import type { ArtifactIndex } from "./artifacts.ts";
import type { Contract, ContractProblem, Handover } from "./contract/index.ts";
import type { Piece, Weights } from "./extract/index.ts";

/** How much of an output is told: 0 all of it, 3 the least. */
export type Level = 0 | 1 | 2 | 3;

/** The levels that are summaries. */
export type SummaryLevel = Exclude<Level, 0>;

/** An output, read once; every level is computed from it. */
export interface Source {
  /** Whom it is from, as summaries name it. */
  readonly id: string;
  readonly text: string;
  /** The language most of its sentences are in, of those we speak. */
  readonly locale: Locale;
  readonly tokens: number;
  /** SHA-256 of the text. */
  readonly hash: string;
  /** Holds NUL or mostly control characters: nothing of it is told but its size. */
  readonly binary: boolean;
  /** Characters that were not read because the output is too long. */
  readonly unread: number;
  readonly contract: Contract;
  readonly problems: readonly ContractProblem[];
  /** What it hands over at its end, in its own words; the pieces are those of the rest. */
  readonly handover: Handover | undefined;
  readonly artifacts: ArtifactIndex;
  readonly document: MarkdownDocument;
  readonly pieces: readonly Piece[];
  readonly weights: Weights;
  /** Tokens of each piece. */
  readonly costs: readonly number[];
}

/** An output at one level. */
export interface Summary {
  readonly level: Level;
  readonly text: string;
  readonly tokens: number;
  /** The text is the output itself. */
  readonly whole: boolean;
}
