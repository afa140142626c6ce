import { createHash } from "node:crypto";
import { localeOf } from "../text/index.ts";
import { countTokens } from "../tokens/index.ts";
import { artifactsOf } from "./artifacts.ts";
import { scanVisible } from "./comments.ts";
import { contractOf, withoutHandover } from "./contract/index.ts";
import { type PieceKind, piecesOf, weigh } from "./extract/index.ts";
import { readable } from "./readable.ts";
import type { Source } from "./types.ts";

/** Tokens of a line's end; of a table, of what is told of the rows left out, too. */
const AROUND: Readonly<Record<PieceKind, number>> = {
  heading: 1,
  line: 1,
  sentence: 1,
  part: 0,
  table: 7,
  row: 1,
  block: 1,
  "stand-in": 1,
};

/** Reads an output once for all levels. Any text is fine: bounded in time and memory for fifty megabytes of anything. */
export function readSource(text: string, id?: string): Source {
  const binary = isBinary(text);
  const { text: read, unread } = binary ? { text: "", unread: text.length } : readable(text);
  const { handover, rest } = withoutHandover(read);
  const locale = localeOf(read);
  const document = scanVisible(rest);
  const { contract, problems } = contractOf(document);
  const decides = handover?.some(({ field }) => field === "decisions") === true;
  const pieces = piecesOf(document, locale);
  const costs = pieces.map(({ kind, text: own }) => countTokens(own) + AROUND[kind]);
  return {
    id: id ?? contract.agent ?? "",
    text,
    locale,
    tokens: countTokens(text),
    hash: createHash("sha256").update(text, "utf8").digest("hex"),
    binary,
    unread,
    contract,
    // What it hands over states its decisions, too.
    problems: decides ? problems.filter(({ kind }) => kind !== "missing") : problems,
    handover,
    artifacts: artifactsOf(pieces),
    document,
    pieces,
    weights: weigh(pieces, costs),
    costs,
  };
}

/** NUL, or one control or replacement character in ten, among the first thousands. */
function isBinary(text: string): boolean {
  const limit = Math.min(text.length, 8000);
  let odd = 0;
  for (let at = 0; at < limit; at++) {
    const code = text.charCodeAt(at);
    if (code === 0) return true;
    if ((code < 32 && (code < 9 || code > 13) && code !== 27) || code === 0xfffd) odd++;
  }
  return odd * 10 > limit;
}
