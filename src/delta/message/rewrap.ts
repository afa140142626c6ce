import { scanBlocks } from "../../markdown/index.ts";
import type { Base } from "./base.ts";
import type { Piece } from "./piece.ts";
import { rangeWords } from "./place.ts";
import { ONE_LINE } from "./read-head.ts";
import { isPlain } from "./sentences.ts";
import type { Lines } from "./slides.ts";
import { isParagraph, sectionAt } from "./view.ts";
import { joined, widthOf, wrapped } from "./wrapping.ts";
import { type CountTokens, writeText } from "./write-change.ts";

/** Lines of a paragraph that break elsewhere now, with what changed of their words; undefined where they are none, or break at no width. */
export function rewrapping(
  base: Base,
  { at, removed, added }: Lines,
  countTokens: CountTokens,
): Piece | undefined {
  const width =
    removed.length + added.length < 3 || removed.length === 0 || added.length === 0
      ? undefined
      : widthOf(added);
  if (
    width === undefined ||
    ![removed, added].every(lines => lines.slice(1).every(line => isPlain(line) && !line.startsWith("**")))
  )
    return undefined;
  if (
    !isParagraph(base.view, at, at + removed.length) ||
    !isParagraph({ blocks: scanBlocks(added) }, 0, added.length)
  )
    return undefined;
  const old = joined(removed);
  const { text } = joined(added);
  const made = wrapped({ ...old, text }, width);
  if (made.length !== added.length || made.some((line, index) => line !== added[index])) return undefined;
  const inline = old.text === text ? "" : writeText(old.text, text, countTokens);
  if (inline === undefined) return undefined;
  const section = sectionAt(base.view, at);
  const range = rangeWords(base, section, at, at + removed.length);
  const place = ` from ${range}${width === Infinity ? ONE_LINE : ` at ${width}`}`;
  return { kind: "REWRAPPED", section, place, inline };
}
