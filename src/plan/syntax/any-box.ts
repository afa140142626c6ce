import { isWord } from "./chars.ts";
import { readHead } from "./head.ts";
import type { IdShape } from "./ids.ts";
import { stateOf } from "./marks.ts";

/** A box as a reader of the text sees one, however it is written, and the id behind it. */
export interface SeenBox {
  readonly at: number;
  /** Offset behind the id, or behind the box where there is none. */
  readonly end: number;
  readonly id?: string;
  readonly shape?: IdShape;
  /** The id is set off as a task's is, or holds a dot. */
  readonly isFirm: boolean;
  /** A bracket that may also begin a link, and boxes in code spans: without an id they are none. */
  readonly isVague: boolean;
}

/** What is seen as a bracket: plain, full-width, escaped, or as an entity. */
const OPENING = ["[", "\uff3b", "&#91;", "&#x5b;", "&lbrack;", "&lsqb;"];
const CLOSING = ["]", "\uff3d", "\\]", "&#93;", "&#x5d;", "&rbrack;", "&rsqb;"];
/** `☐ ☑ ☒ □ ▢ ◻ ◽ ❏ ❐ ❑ ❒ ⬚ ⬜`, and with them whatever else a box may begin with. */
const BALLOT = /[\u2610-\u2612\u25a1\u25a2\u25fb\u25fd\u274f-\u2752\u2b1a\u2b1c]/;
const MAY_BEGIN = /[[\uff3b&\u2610-\u2612\u25a1\u25a2\u25fb\u25fd\u274f-\u2752\u2b1a\u2b1c]/g;

/** Most characters in a box, between a box and its id, and of an id with what stands around it. */
const MAX_CONTENT = 14;
const MAX_GAP = 120;
const MAX_HEAD = 200;

/** Offset of the first character from `from` on with which a box may begin, or -1. */
export function nextBoxStart(text: string, from: number): number {
  MAY_BEGIN.lastIndex = from;
  return MAY_BEGIN.exec(text)?.index ?? -1;
}

/** All boxes in a line, wherever they stand in it, but those that `isRead` knows by their offset. Linear. */
export function boxesIn(
  text: string,
  start: number,
  end: number,
  numbers: boolean,
  isRead: (at: number) => boolean,
): SeenBox[] {
  const boxes: SeenBox[] = [];
  let word = -1;
  let span = -1;
  let seen = start;
  for (let at = nextBoxStart(text, start); at >= 0 && at < end; at = nextBoxStart(text, seen)) {
    for (let i = seen; i < at; i++) if (text.charCodeAt(i) === 96) span = span < 0 ? i : -1;
    seen = at + 1;
    const stop = boxEnd(text, at, end);
    if (stop < 0) continue;
    seen = stop;
    if (isRead(at)) continue;
    const behind = skipToWord(text, stop, end);
    const { id, shape, idAt, setOff } = readHead(
      text,
      behind,
      Math.min(end, behind + MAX_HEAD),
      numbers,
      true,
    );
    const isInSpan = span >= 0;
    if (isInSpan && word < 0) word = firstWord(text, start, end);
    // A code span behind words shows something, unless the id stands outside of it.
    const isShown = isInSpan && word < span && !text.slice(stop, behind).includes("`");
    if (id !== undefined && shape !== undefined && !isShown)
      boxes.push({
        at,
        end: idAt + id.length,
        id,
        shape,
        isFirm: setOff || id.includes("."),
        isVague: false,
      });
    else boxes.push({ at, end: stop, isFirm: false, isVague: isInSpan || text.charCodeAt(stop) === 40 });
  }
  return boxes;
}

function firstWord(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && !isWord(text.charCodeAt(at))) at++;
  return at;
}

/** Offset behind the box that begins at `at`, or -1. It holds nothing, a mark with a meaning, or one character but `P`. */
function boxEnd(text: string, at: number, end: number): number {
  const first = text[at]!;
  if (first !== "[" && first !== "\uff3b" && first !== "&") return BALLOT.test(first) ? at + 1 : -1;
  const opening = OPENING.find(mark => text.startsWith(mark, at));
  if (opening === undefined) return -1;
  const from = at + opening.length;
  const limit = Math.min(end, from + MAX_CONTENT + 1);
  for (let i = from; i < limit; i++) {
    if (!"]\uff3d\\&".includes(text[i]!)) continue;
    const closing = CLOSING.find(mark => text.startsWith(mark, i));
    if (closing !== undefined) return isMark(text.slice(from, i)) ? i + closing.length : -1;
  }
  return -1;
}

function isMark(content: string): boolean {
  const mark = content.replaceAll(/[\u200b-\u200d\u2060]|&nbsp;/g, "").trim();
  return mark === "" || stateOf(mark) !== undefined || /^[^P]$/u.test(mark);
}

/** Where the first word behind a box begins: markup, emoji, tags, short codes and a link target are passed over. */
function skipToWord(text: string, from: number, end: number): number {
  const limit = Math.min(end, from + MAX_GAP);
  let at = text.charCodeAt(from) === 40 ? asideEnd(text, from, limit, ")") : from;
  let tagsEnd = limit;
  while (at < limit && !isWord(text.charCodeAt(at))) {
    const mark = text[at]!;
    if (mark !== "<" && boxEnd(text, at, end) >= 0) break;
    const close = mark === "<" && at < tagsEnd ? ">" : mark === ":" ? ":" : "";
    const stop = close === "" ? at + 1 : asideEnd(text, at, limit, close);
    if (mark === "<" && stop === at + 1) tagsEnd = at;
    at = stop;
  }
  return at;
}

/** Offset behind the mark that closes what begins at `at`, or behind its first character. A short code is one word. */
function asideEnd(text: string, at: number, limit: number, close: string): number {
  for (let stop = at + 1; stop < limit; stop++) {
    if (text[stop] === close) return stop + 1;
    if (close === ":" && !isWord(text.charCodeAt(stop)) && !"_-+".includes(text[stop]!)) break;
  }
  return at + 1;
}
