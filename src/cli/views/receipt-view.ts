import type { PackageReceipt, ReceiptPart } from "../../assembly/index.ts";
import { visible } from "../../text/index.ts";
import { cell, type Look, line } from "./look.ts";
import type { Piece } from "./terminal/paint.ts";
import { columnWidth } from "./terminal/width.ts";
import type { TreeWords } from "./words/context-tree-words.ts";

const LENGTH = 100;

function sourceOf({ source, version }: ReceiptPart): string {
  return visible(version === undefined ? source : `${source} v${version}`, LENGTH);
}

/** A limit that kept a part from being whole, in every language. */
function boundText({ limit, tokens, counted }: NonNullable<ReceiptPart["bound"]>): string {
  return `${visible(limit, LENGTH)}: ${tokens}${counted === undefined ? "" : ` = ${counted} o200k`}`;
}

function reasonOf(part: ReceiptPart, words: TreeWords): string {
  const { kind, level, whole, why, bound, of } = part;
  const isShorter = (kind === "result" || kind === "document") && typeof level === "number" && level > 0;
  const shorter = isShorter ? `L${level}  ` : "";
  const reason = [
    `${shorter}${words.reasons[why]}`,
    ...(bound === undefined ? [] : [boundText(bound)]),
    ...(whole === undefined ? [] : [words.whole(whole)]),
  ].join("; ");
  return of === undefined ? reason : `${reason} ${visible(of, LENGTH)}`;
}

/** What one attempt was given to read, a line for each part, and what it was not. */
export function receiptView(
  attempt: string,
  receipt: PackageReceipt,
  words: TreeWords,
  look: Look,
): string[] {
  const { node, tokens, limit, prefix, parts, live = [], asked = [], cited = [], share: own } = receipt;
  const share = tokens === 0 ? 0 : Math.round((prefix.tokens / tokens) * 100);
  const kind = columnWidth(parts, part => words.kinds[part.kind], 20);
  const source = columnWidth(parts, sourceOf, 48);
  const digits = Math.max(...parts.map(part => String(part.tokens).length), 1);
  return [
    line(look, { text: words.receipt(attempt, visible(node, LENGTH), tokens, limit), style: "bold" }),
    ...(prefix.tokens === 0 ? [] : [line(look, { text: words.prefix(prefix.tokens, share), style: "dim" })]),
    ...(own === undefined
      ? []
      : [line(look, { text: words.handsOn(own.tokens, visible(own.stage, LENGTH)), style: "dim" })]),
    ...parts.map(part => {
      const reason = reasonOf(part, words);
      const pieces: Piece[] = [
        { text: `  ${String(part.tokens).padStart(digits)}  ` },
        { text: `${cell(look, words.kinds[part.kind], kind)}  `, style: "dim" },
        { text: cell(look, sourceOf(part), source), style: part.in ? "plain" : "yellow" },
        { text: `  ${part.node ?? ""}`, style: "dim" },
      ];
      if (!part.in) pieces.push({ text: `  ${words.out}`, style: "yellow" });
      if (reason !== "") pieces.push({ text: `  ${reason}`, style: "yellow" });
      return line(look, ...pieces).trimEnd();
    }),
    ...live.map(({ label, version, tokens: told, acknowledged }) =>
      line(
        look,
        { text: `  ${String(told).padStart(digits)}  ` },
        { text: `${cell(look, words.kinds.update, kind)}  `, style: "dim" },
        { text: `${cell(look, `${visible(label, LENGTH)} v${version}`, source)}  ` },
        { text: words.live(acknowledged), style: acknowledged ? "dim" : "yellow" },
      ),
    ),
    ...asked.map(({ source: name, tokens: told, times }) =>
      line(
        look,
        { text: `  ${String(told).padStart(digits)}  ` },
        { text: `${cell(look, visible(name, LENGTH), kind + source + 2)}  ` },
        { text: words.asked(times), style: "dim" },
      ),
    ),
    ...cited.map(({ source: name, against, said }) =>
      line(
        look,
        { text: `  ${" ".repeat(digits)}  ` },
        { text: `${cell(look, visible(name, LENGTH), kind + source + 2)}  ` },
        {
          text: `${words.cited(against > 0)}: "${visible(said, LENGTH)}"`,
          style: against > 0 ? "yellow" : "dim",
        },
      ),
    ),
  ];
}
