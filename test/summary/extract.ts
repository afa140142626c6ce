/** What tests of extraction ask of a text. */
import { scanMarkdown } from "../../src/markdown/index.ts";
import { type Piece, piecesOf } from "../../src/summary/extract/index.ts";
import { type LevelRules, readSource, summarize } from "../../src/summary/index.ts";

/** How a table says what it leaves out. */
export const more = (rows: number): string => `(${rows} more rows)`;

export const piecesIn = (text: string, locale?: "en" | "ko"): readonly Piece[] =>
  piecesOf(scanMarkdown(text), locale);

export const kindsOf = (text: string): readonly string[] =>
  piecesIn(text).map(({ kind, text: own }) => `${kind}: ${own}`);

/** An extraction of so many tokens, without a template. */
export function extract(text: string, tokens: number): ReturnType<typeof summarize> {
  const rule = { format: "", tokens };
  const rules: LevelRules = { 1: rule, 2: rule, 3: rule };
  return summarize(readSource(text, ""), 3, { rules });
}
