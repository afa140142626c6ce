import { ACK_TAG, type Ack, type AckAction, isNone } from "./ack.ts";

/** Characters of one acknowledgement that are looked at. */
const LONGEST = 16_384;
/** Unclear items that are read. */
const MOST_UNCLEAR = 200;
const LABELLED = /^([\p{L}\p{N}_][\p{L}\p{N}_.-]{0,63})-v(\d{1,9})$/u;
const HASH = /^[0-9a-f]{4,64}$/;
const COUNT = /^(\d{1,9}) ?\/ ?(\d{1,9})/;
const ACTIONS: readonly (readonly [string, AckAction])[] = [
  ["need_clarification", "NEED_CLARIFICATION"],
  ["request clarification", "NEED_CLARIFICATION"],
  ["continue", "CONTINUE"],
  ["pause", "PAUSE"],
];
/** Every field's names in the three spellings, longest first. */
const FIELDS: readonly (readonly [string, Field])[] = [
  ["delta items applied:", "items"],
  ["items applied:", "items"],
  ["impact on my work:", "impact"],
  ["unclear items:", "unclear"],
  ["action taken:", "action"],
  ["unclear:", "unclear"],
  ["impact:", "impact"],
  ["action:", "action"],
  ["items:", "items"],
];

type Field = "items" | "impact" | "action" | "unclear";

/** Reads all acknowledgements that stand in a text, at beginnings of lines, in any of the documents' spellings. */
export function readAcks(text: string): Ack[] {
  const acks: Ack[] = [];
  for (let at = 0; at >= 0 && at < text.length; ) {
    if (text.startsWith(ACK_TAG, at)) {
      const block = blockAt(text, at);
      const ack = readOne(block);
      if (ack !== undefined) acks.push(ack);
    }
    const end = text.indexOf("\n", at);
    at = end < 0 ? -1 : end + 1;
  }
  return acks;
}

/** The head line and the lines below it that name one of its fields. */
function blockAt(text: string, at: number): string[] {
  const lines: string[] = [];
  const limit = Math.min(text.length, at + LONGEST);
  for (let from = at; from < limit; ) {
    const newline = text.indexOf("\n", from);
    const end = newline < 0 || newline > limit ? limit : newline;
    const line = text.slice(from, end).trim();
    if (lines.length > 0 && fieldAt(line.startsWith("- ") ? line.slice(2) : line, 0) === undefined) break;
    lines.push(line.startsWith("- ") ? line.slice(2) : line);
    from = end + 1;
  }
  return lines;
}

function readOne([head = "", ...lines]: readonly string[]): Ack | undefined {
  const words = head.slice(ACK_TAG.length);
  const first = wordAt(words, 0);
  const named = LABELLED.exec(withoutStop(first.text));
  if (named === null) return undefined;
  let at = first.end;
  let hash: string | undefined;
  let serial: number | undefined;
  for (;;) {
    const word = wordAt(words, at);
    const bare = withoutStop(word.text);
    if (hash === undefined && serial === undefined && HASH.test(bare)) hash = bare;
    else if (serial === undefined && /^#\d{1,9}$/.test(bare)) serial = Number(bare.slice(1));
    else if (bare !== "received") break;
    at = word.end;
    if (at >= words.length) break;
  }
  const fields: Partial<Record<Field, string>> = {};
  readInline(words.slice(at), fields);
  for (const line of lines) {
    const field = fieldAt(line, 0)!;
    fields[field.name] ??= line.slice(field.end).trim();
  }
  return {
    label: named[1]!,
    version: Number(named[2]),
    ...(hash === undefined ? {} : { hash }),
    ...(serial === undefined ? {} : { serial }),
    ...content(fields),
  };
}

function content(
  fields: Partial<Record<Field, string>>,
): Pick<Ack, "items" | "impact" | "action" | "unclear"> {
  const items = fields.items ?? "";
  const count = COUNT.exec(items);
  const behind = items.toLowerCase().indexOf("unclear:");
  const unclear = [...refs(behind < 0 ? "" : items.slice(behind + 8)), ...refs(fields.unclear ?? "")];
  const said = withoutQuotes(fields.impact ?? "");
  const word = (fields.action ?? "").toLowerCase();
  const action = ACTIONS.find(([spelling]) => word.startsWith(spelling))?.[1];
  return {
    ...(count === null ? {} : { items: { applied: Number(count[1]), total: Number(count[2]) } }),
    impact: said,
    ...(action === undefined ? {} : { action }),
    unclear: unclear.slice(0, MOST_UNCLEAR),
  };
}

/** The fields of a one-line form. An impact is free text: it goes up to the last thing that reads as an action. */
function readInline(text: string, fields: Partial<Record<Field, string>>): void {
  const marks: { name: Field; from: number; to: number }[] = [];
  for (let at = 0; at < text.length; at++) {
    if (at > 0 && text[at - 1] !== " ") continue;
    const quote = quoteAt(text, at, marks.at(-1));
    if (quote !== undefined) {
      at = quote - 1;
      continue;
    }
    const field = fieldAt(text, at);
    if (field === undefined || (field.name === "items" && marks.length > 0)) continue;
    const known = marks.findIndex(mark => mark.name === field.name);
    if (known >= 0 && field.name !== "action") continue;
    if (known >= 0) marks.splice(known);
    marks.push({ name: field.name, from: at, to: field.end });
    at = field.end - 1;
  }
  for (const [index, { name, to }] of marks.entries()) {
    fields[name] = withoutStop(text.slice(to, marks[index + 1]?.from ?? text.length).trim());
  }
}

/** The end of the JSON string that is the impact, or a reference behind its `§`. */
function quoteAt(
  text: string,
  at: number,
  last: { readonly name: Field; readonly to: number } | undefined,
): number | undefined {
  if (last?.name === "impact" && text[at] === '"' && at <= last.to + 1) return stringEnd(text, at);
  if (last?.name === "unclear" && text[at] === "§" && text[at + 1] === '"') return stringEnd(text, at + 1);
  return undefined;
}

function stringEnd(text: string, open: number): number | undefined {
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at + 1;
  }
  return undefined;
}

function fieldAt(text: string, at: number): { readonly name: Field; readonly end: number } | undefined {
  const start = text.slice(at, at + 24).toLowerCase();
  const found = FIELDS.find(([spelling]) => start.startsWith(spelling));
  return found === undefined ? undefined : { name: found[1], end: at + found[0].length };
}

/** `§Decisions D-7, §"a, b"` → `Decisions D-7`, `a, b`. */
function refs(list: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < list.length && found.length < MOST_UNCLEAR; ) {
    while (at < list.length && " ,;§.".includes(list[at]!)) at++;
    const close = list[at] === '"' ? stringEnd(list, at) : undefined;
    let end = close ?? at;
    while (end < list.length && list[end] !== "," && list[end] !== ";") end++;
    const ref =
      close === undefined ? withoutStop(list.slice(at, end).trim()) : withoutQuotes(list.slice(at, close));
    if (close !== undefined || !isNone(ref)) found.push(ref);
    at = end + 1;
  }
  return found;
}

function withoutQuotes(text: string): string {
  if (!text.startsWith('"') || !text.endsWith('"')) return text;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : text;
  } catch {
    return text;
  }
}

function withoutStop(text: string): string {
  return text.endsWith(".") ? text.slice(0, -1).trimEnd() : text;
}

function wordAt(text: string, from: number): { readonly text: string; readonly end: number } {
  let at = from;
  while (text[at] === " ") at++;
  const end = text.indexOf(" ", at);
  return { text: text.slice(at, end < 0 ? text.length : end), end: end < 0 ? text.length : end };
}
