import type { BudgetItem } from "../budget/index.ts";
import type { Bound, PartLevel, PartReason, Piece, ReceiptPart, SourceLevels } from "./types.ts";

/** A source that wants into a package, with the pieces it can stand there as. */
export interface Wanted {
  readonly section: "documents" | "results" | "attempts";
  readonly part: Pick<ReceiptPart, "kind" | "source" | "node" | "version" | "hash">;
  /** By which it is asked for; empty where it cannot be. */
  readonly name: string;
  /** Tokens of its whole text. */
  readonly whole: number;
  readonly item: Omit<BudgetItem, "id" | "offers">;
  /** Finest first. */
  readonly forms: readonly WantedForm[];
}

/** One way in which a source can stand in a package. */
export interface WantedForm {
  readonly piece: Piece;
  /** Share of the whole that it keeps, 0 to 1. */
  readonly retention: number;
}

/** Why a form is not the whole, and which limit is behind it: its own for the finest that may be told, else the package's. */
export function whyOf(
  levels: SourceLevels,
  level: PartLevel,
  at: number,
  limit: number,
): { readonly why: PartReason; readonly bound?: Bound } {
  if (level === 0) return { why: "given" };
  const { why, bound } = levels;
  if (at === 0 && why !== undefined) return { why, ...(bound === undefined ? {} : { bound }) };
  return { why: "no-room", bound: { limit: "context.package.tokens", tokens: limit } };
}

/** Forms within a limit that a person set for one text, which is named; the shortest where none is. */
export function within(
  forms: readonly WantedForm[],
  most: number | undefined,
  limit: "context.package.document" | "context.package.result",
): readonly WantedForm[] {
  if (most === undefined || (forms[0]?.piece.part.tokens ?? 0) <= most) return forms;
  const short = forms.filter(({ piece }) => piece.part.tokens <= most);
  const why = limit.endsWith("result") ? "longer-than-a-result-may-be" : "longer-than-a-document-may-be";
  // A still shorter form is nothing that this limit asks for.
  return (short.length > 0 ? short : forms.slice(-1)).map(({ retention, piece: { text, part } }, at) => ({
    retention,
    piece: {
      text,
      part: part.level === 0 || at > 0 ? part : { ...part, why, bound: { limit, tokens: most } },
    },
  }));
}
