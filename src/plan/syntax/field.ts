import {
  codesOf,
  isAlnum,
  isColon,
  isDigit,
  isLower,
  isMarkup,
  isSpace,
  isSymbol,
  isWord,
  skipSpaces,
  trimEnd,
} from "./chars.ts";
import { fieldKey } from "./field-key.ts";
import type { FieldKey } from "./fields.ts";
import { saysWait } from "./waits.ts";

/** A field as it stands in the text. */
export interface FieldHit {
  readonly key: FieldKey;
  readonly nameStart: number;
  readonly valueStart: number;
  readonly valueEnd: number;
  /** Written as we write our own: lower case, no markup. Only then may loose text be a command. */
  readonly plain: boolean;
}

const SEPARATORS: ReadonlySet<number> = new Set([124, 44, 59, 0xb7, 0xff0c, 47, 0x2013, 0x2014]);

/** Longest field name looked for, remark in parentheses included. */
const MAX_NAME = 48;

/** Skips what decorates a name: markup, emoji, quotes, spaces, one opening bracket. */
function skipDecoration(text: string, at: number, end: number): number {
  for (let i = 0; i < 12 && at < end; i++) {
    const code = text.charCodeAt(at);
    const isBracket = i === 0 && (code === 40 || code === 91 || code === 0xff08);
    if (!isSpace(code) && !isMarkup(code) && !isSymbol(code) && code !== 34 && !isBracket) break;
    at++;
  }
  return at;
}

/** Where a name ends: before a colon, closing markup, a remark, or anything that is no part of a name. */
function nameEnd(text: string, at: number, end: number): number {
  const limit = Math.min(end, at + MAX_NAME);
  let i = at;
  for (; i < limit; i++) {
    const code = text.charCodeAt(i);
    const inner = code === 95 && i + 1 < limit && isWord(text.charCodeAt(i + 1));
    if (
      !isWord(code) &&
      !isSpace(code) &&
      code !== 45 &&
      code !== 47 &&
      code !== 0xb7 &&
      code !== 38 &&
      !inner
    )
      break;
  }
  return i;
}

/** Skips `(remark)`, closing markup and quotes after a name; tells whether markup closed and a colon came. */
function afterName(text: string, at: number, end: number): { at: number; colon: boolean; closed: boolean } {
  let closed = false;
  for (let i = 0; i < MAX_NAME && at < end; i++) {
    const code = text.charCodeAt(at);
    if (isMarkup(code) || code === 34) {
      closed ||= isMarkup(code);
      at++;
    } else if (isColon(code)) {
      at++;
      // `**담당:**` closes behind the colon; a code span may follow and stays.
      while (at < end && (text.charCodeAt(at) === 42 || text.charCodeAt(at) === 95)) at++;
      return { at: skipSpaces(text, at, end), colon: true, closed };
    } else if (code === 40 || code === 0xff08) {
      const limit = Math.min(end, at + MAX_NAME);
      let close = at + 1;
      while (close < limit && text.charCodeAt(close) !== (code === 40 ? 41 : 0xff09)) close++;
      if (close >= limit) break;
      at = close + 1;
    } else if (isSpace(code)) at++;
    else break;
  }
  return { at, colon: false, closed };
}

/** `Depends on 1.1`: the phrases that name their field without a colon, where ids follow. */
const PHRASES = ["depends on ", "blocked by ", "의존 ", "의존성 ", "선행 "];

/** Beginnings of lines that may say nothing but what has to come first: words for it, or the letter of an id. */
const MAY_WAIT = codesOf("dDbBwWaAnNrRfFoO의선ABCDEFGHIJKLMNOPQRSTUVWXYZ");

function readPhrase(text: string, nameStart: number, end: number): FieldHit | undefined {
  if (!MAY_WAIT.has(text.charCodeAt(nameStart))) return undefined;
  if (end - nameStart < 160 && saysWait(text.slice(nameStart, end)))
    return {
      key: "depends",
      nameStart,
      valueStart: nameStart,
      valueEnd: trimEnd(text, nameStart, end),
      plain: false,
    };
  const head = text.slice(nameStart, nameStart + 11).toLowerCase();
  const phrase = PHRASES.find(words => head.startsWith(words));
  if (phrase === undefined) return undefined;
  const valueStart = skipSpaces(text, nameStart + phrase.length, end);
  const isIds =
    (phrase === PHRASES[0] && isDigit(text.charCodeAt(valueStart))) ||
    /^[`*[]*(?:[A-Za-z]{1,4}-?\d|task )/i.test(text.slice(valueStart, valueStart + 12));
  return isIds
    ? { key: "depends", nameStart, valueStart, valueEnd: trimEnd(text, valueStart, end), plain: false }
    : undefined;
}

/** Reads the field that begins at `at`: `**담당**: x`, `- Depends: x`, `_Depends: 1.1_`, `**담당** x`. */
export function readField(text: string, at: number, end: number): FieldHit | undefined {
  const nameStart = skipDecoration(text, at, end);
  const phrase = readPhrase(text, nameStart, end);
  if (phrase !== undefined) return phrase;
  const stop = nameEnd(text, nameStart, end);
  if (stop === nameStart) return undefined;
  const next = stop < end ? text.charCodeAt(stop) : 0;
  if (!isColon(next) && !isMarkup(next) && next !== 40 && next !== 0xff08 && next !== 34) return undefined;
  const key = fieldKey(text.slice(nameStart, trimEnd(text, nameStart, stop)));
  if (key === undefined) return undefined;
  // A name inside a code span is being talked about: `blocked_by: T1.2`.
  if (text.charCodeAt(nameStart - 1) === 96 && nameStart > at && text.charCodeAt(stop) !== 96)
    return undefined;
  const after = afterName(text, stop, end);
  if (!after.colon && !(after.closed && nameStart > at)) return undefined;
  // `**담당**이 …` goes on as a sentence.
  if (!after.colon && after.at < end && !isSpace(text.charCodeAt(after.at - 1))) return undefined;
  return {
    key,
    nameStart,
    valueStart: after.at,
    valueEnd: Math.max(after.at, closingBracket(text, at, nameStart, trimEnd(text, after.at, end))),
    plain: isLower(text.charCodeAt(nameStart)) && nameStart === skipSpaces(text, at, end) && !after.closed,
  };
}

/** Where a value ends whose line stands in brackets: `(담당: x)`. */
function closingBracket(text: string, at: number, nameStart: number, end: number): number {
  const isOpen = nameStart > at && "([（".includes(text[skipSpaces(text, at, nameStart)]!);
  return isOpen && ")]）".includes(text[end - 1]!) ? end - 1 : end;
}

/** `|`, `,`, `;`, `·`, `/`, long dashes, and a dash between spaces. */
function separates(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code === 45) return isSpace(text.charCodeAt(at - 1)) && isSpace(text.charCodeAt(at + 1));
  return SEPARATORS.has(code);
}

/** Finds further fields behind separators on the same line: `담당: a | 의존: T1.1`, `deps: T1.1, owner: x`. */
export function readFields(text: string, at: number, end: number): FieldHit[] {
  const hits: FieldHit[] = [];
  const first = readField(text, at, end);
  if (first !== undefined) hits.push(first);
  let separator = -1;
  let cut = -1;
  for (let i = first?.valueStart ?? at; i < end; i++) {
    const code = text.charCodeAt(i);
    // Letters make up most of a line: they neither separate nor end a name.
    if (isAlnum(code) || (code > 0x2014 && code !== 0xff0c && !isColon(code))) continue;
    const isBold = code === 42 && text.charCodeAt(i + 1) === 42 && isSpace(text.charCodeAt(i - 1));
    // Behind a separator the bold name begins what the separator announced.
    if (isBold) separator = separator >= 0 && skipSpaces(text, separator + 1, i) === i ? separator : i - 1;
    else if (code === 60 && /^<br ?\/?>/i.test(text.slice(i, i + 6))) {
      separator = text.indexOf(">", i);
      cut = i;
    } else if (separates(text, i)) {
      separator = i;
      cut = -1;
    } else if (isColon(code) && separator >= 0) {
      const hit = i - separator <= MAX_NAME ? readField(text, separator + 1, end) : undefined;
      if (hit !== undefined && hit.valueStart > i) {
        const before = hits.at(-1);
        if (before !== undefined)
          hits[hits.length - 1] = {
            ...before,
            valueEnd: Math.max(
              before.valueStart,
              trimEnd(text, before.valueStart, cut > before.valueStart ? cut : separator),
            ),
          };
        hits.push(hit);
        i = hit.valueStart - 1;
      }
      separator = -1;
      cut = -1;
    }
  }
  return hits;
}
