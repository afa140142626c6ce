import { ACK_TAG, type Ack, type AckAction, isNone } from "./ack.ts";

/** Characters of one acknowledgement that are looked at. */
const LONGEST = 16_384;
/** Unclear items that are read. */
const MOST_UNCLEAR = 200;
const LABELLED = /^([\p{L}\p{N}_][\p{L}\p{N}_.-]{0,63})-v(\d{1,9})$/u;
const HASH = /^[0-9a-f]{4,64}$/;
const SERIAL = /^#\d{1,9}$/;
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
  let at = 0;
  do {
    if (text.startsWith(ACK_TAG, at)) {
      const ack = readOne(blockOf(text.slice(at, at + LONGEST)));
      if (ack !== undefined) acks.push(ack);
    }
    at = text.indexOf("\n", at) + 1;
  } while (at > 0);
  return acks;
}

/** The head line and the lines below it that name one of its fields. */
function blockOf(text: string): string[] {
  const lines: string[] = [];
  let at = 0;
  do {
    const newline = text.indexOf("\n", at);
    const whole = text.slice(at, newline < 0 ? undefined : newline).trim();
    const line = whole.startsWith("- ") ? whole.slice(2) : whole;
    if (at > 0 && fieldAt(line, 0) === undefined) break;
    lines.push(line);
    at = newline + 1;
  } while (at > 0);
  return lines;
}

function readOne([head, ...lines]: readonly string[]): Ack | undefined {
  const words = head!.slice(ACK_TAG.length);
  const [first, ...more] = words.trimStart().split(/ +/).map(withoutStop);
  const named = LABELLED.exec(first!);
  if (named === null) return undefined;
  let hash: string | undefined;
  let serial: number | undefined;
  for (const word of more) {
    if (HASH.test(word)) hash ??= word;
    else if (SERIAL.test(word)) serial ??= Number(word.slice(1));
    else if (word !== "received") break;
  }
  const fields: Partial<Record<Field, string>> = {};
  readInline(words, fields);
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
  const word = fields.action?.toLowerCase();
  const action = ACTIONS.find(([spelling]) => word?.startsWith(spelling))?.[1];
  return {
    ...(count === null ? {} : { items: { applied: Number(count[1]), total: Number(count[2]) } }),
    impact: said,
    ...(action === undefined ? {} : { action }),
    unclear: unclear.slice(0, MOST_UNCLEAR),
  };
}

/** The fields behind a head. An impact is free text: it goes up to the last thing that reads as an action. */
function readInline(text: string, fields: Partial<Record<Field, string>>): void {
  const marks: Mark[] = [];
  for (let at = 1; at < text.length; at++) {
    if (text[at - 1] !== " ") continue;
    const quote = quoteAt(text, at, marks.at(-1));
    if (quote !== undefined) {
      at = quote;
      continue;
    }
    const field = fieldAt(text, at);
    if (field === undefined || (field.name === "items" && marks.length > 0)) continue;
    const known = marks.findIndex(mark => mark.name === field.name);
    if (known >= 0 && field.name !== "action") continue;
    if (known >= 0) marks.splice(known);
    marks.push({ name: field.name, from: at, to: field.end });
    at = field.end;
  }
  for (const [index, { name, to }] of marks.entries()) {
    fields[name] = withoutStop(text.slice(to, marks[index + 1]?.from).trim());
  }
}

interface Mark {
  readonly name: Field;
  readonly from: number;
  /** Behind its name and colon. */
  readonly to: number;
}

/** The end of the JSON string that a field consists of, or of a reference behind its `§`. */
function quoteAt(text: string, at: number, last: Mark | undefined): number | undefined {
  if (text[at] === '"' && at - 1 === last?.to) return stringEnd(text, at);
  return text.startsWith('§"', at) ? stringEnd(text, at + 1) : undefined;
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
  for (let at = 0; at < list.length; ) {
    while (" ,;§.".includes(list[at]!)) at++;
    const close = list[at] === '"' ? stringEnd(list, at) : undefined;
    let end = close ?? at;
    while (end < list.length && !",;".includes(list[end]!)) end++;
    const ref =
      close === undefined ? withoutStop(list.slice(at, end).trim()) : withoutQuotes(list.slice(at, close));
    if (close !== undefined || !isNone(ref)) found.push(ref);
    at = end + 1;
  }
  return found;
}

/** A JSON string as what it says; anything else as it stands. */
function withoutQuotes(text: string): string {
  if (!text.startsWith('"')) return text;
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

function withoutStop(text: string): string {
  return text.endsWith(".") ? text.slice(0, -1).trimEnd() : text;
}
