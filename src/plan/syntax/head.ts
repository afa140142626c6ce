import type { Phase } from "../types.ts";
import { type Box, readBox, readLetterBox } from "./box.ts";
import {
  codesOf,
  isColon,
  isDigit,
  isMarkup,
  isSpace,
  isSymbol,
  isWord,
  skipSpaces,
  trimEnd,
} from "./chars.ts";
import { type IdRead, type IdShape, readId, readNumber } from "./ids.ts";
import { emojiAt, type State, trailingState } from "./marks.ts";
import { afterSeparator, type PhaseRead, readPhaseWord, toPhase } from "./phase.ts";

/** What the head of a heading, list item or table cell says: box, mark, phase prefix, id, title. */
export interface Head {
  readonly box?: Box;
  /** State of an emoji or word that marks the title. */
  readonly mark?: State;
  readonly phase?: Phase;
  /** The phase is named by a word that gives way to ids (`Sprint 2`). */
  readonly weak: boolean;
  readonly id?: string;
  readonly shape?: IdShape;
  /** Offset of the id. */
  readonly idAt: number;
  /** The id is set off: by a colon or dash behind it, by bold, backticks or brackets around it, by `Task` before it. */
  readonly setOff: boolean;
  readonly title: string;
  /** `[P]` or `(P)`: may run beside its neighbours. */
  readonly parallel: boolean;
  /** The line speaks about several ids or about a range, so it defines none. */
  readonly several: boolean;
  /** Struck out: `~~T1.2: Title~~`. */
  readonly struck: boolean;
}

interface Start {
  at: number;
  /** Behind box and state marks, before what wraps an id: where a title without id begins. */
  words: number;
  box?: Box;
  mark?: State;
  wrapped: boolean;
  struck: boolean;
  parallel: boolean;
}

/** Where a tag in front of an id ends (`[Backend] T1.2`), or -1; `[T1.2]` and `[M1] T1.2` are none. */
function tagEnd(text: string, at: number, end: number): number {
  const limit = Math.min(end, at + MAX_TAG);
  let close = at + 1;
  while (close < limit && text.charCodeAt(close) !== 93 && text.charCodeAt(close) !== 91) close++;
  if (close >= limit || close === at + 1 || text.charCodeAt(close) !== 93) return -1;
  const next = skipSpaces(text, close + 1, end);
  if (next === close + 1 || readId(text, next, end)?.shape !== "task") return -1;
  const inner = readId(text, at + 1, close);
  return inner === undefined || inner.shape === "other" ? close + 1 : -1;
}

const MAX_TAG = 24;

/** `[z] T1.2`: in front of an id, or of the phase it stands in, a single letter can only be meant as a mark. */
function unknownBox(text: string, at: number, end: number): Box | undefined {
  const box = readLetterBox(text, at, end);
  if (box === undefined) return undefined;
  let next = skipSpaces(text, box.end, end);
  while (next < end && (isMarkup(text.charCodeAt(next)) || text[next] === "[")) next++;
  const prefix = readPhaseWord(text, next, end) ?? readShortPrefix(text, next, end);
  if (prefix !== undefined) next = skipStart(text, afterSeparator(text, prefix.end, end), end).at;
  const read = readWordedId(text, next, end) ?? readId(text, next, end);
  return read?.shape === "task" ? box : undefined;
}

/** Passes over box, state marks, markup, emoji and one opening bracket before the id. */
function skipStart(text: string, at: number, end: number): Start {
  const start: Start = { at, words: at, wrapped: false, struck: false, parallel: false };
  for (let i = 0; i < 24 && start.at < end; i++) {
    const code = text.charCodeAt(start.at);
    const opens = (code === 91 || code === 0xff3b) && start.box === undefined;
    const box = opens ? (readBox(text, start.at, end) ?? unknownBox(text, start.at, end)) : undefined;
    const emoji = box === undefined ? emojiAt(text, start.at) : undefined;
    const tag = code === 91 && box === undefined ? tagEnd(text, start.at, end) : -1;
    if (box !== undefined) {
      start.box = box;
      start.at = start.words = box.end;
      start.wrapped = false;
    } else if (tag > 0) {
      start.parallel ||= text.startsWith("[P]", start.at);
      start.at = tag;
    } else if (emoji !== undefined) {
      start.mark ??= emoji.state;
      start.at = start.words = start.at + emoji.length;
    } else if (isMarkup(code)) {
      start.wrapped ||= code === 42 || code === 96;
      start.struck ||= code === 126 && text.charCodeAt(start.at + 1) === 126;
      start.at++;
    } else if (code === 91 || code === 40 || code === 0x3010 || code === 0xff08 || code === 35) {
      start.wrapped = true;
      start.at++;
    } else if (isSpace(code) || isSymbol(code)) start.at++;
    else break;
  }
  return start;
}

const TASK_FIRST = codesOf("tT태작タ任");
const TASK_WORDS = ["task", "태스크", "작업", "タスク", "任务"];

/** Reads `Task 1.2`, `태스크 3`, `Task T1.2`: the word tells that what follows is an id. */
function readWordedId(text: string, at: number, end: number): IdRead | undefined {
  if (at >= end || !TASK_FIRST.has(text.charCodeAt(at))) return undefined;
  const head = text.slice(at, at + 4).toLowerCase();
  const word = TASK_WORDS.find(candidate => head.startsWith(candidate));
  if (word === undefined) return undefined;
  let next = at + word.length;
  if (!isSpace(text.charCodeAt(next)) && text[next] !== "#") return undefined;
  next = skipSpaces(text, next, end);
  if (text[next] === "#") next++;
  const number = readNumber(text, next, end, true);
  return number === undefined ? readId(text, next, end) : { ...number, shape: "task" };
}

/** Passes over closing markup, brackets, `[P]` and `[US1]` behind the id; a box may also stand here. */
function skipTags(
  text: string,
  at: number,
  end: number,
  closing: boolean,
): { at: number; box?: Box; parallel: boolean } {
  let box: Box | undefined;
  let parallel = false;
  for (let i = 0; i < 24 && at < end; i++) {
    const code = text.charCodeAt(at);
    // A backtick closes one around the id; later ones open a code span of the title.
    const closes = code === 95 && !isSpace(text.charCodeAt(at - 1));
    if (isSpace(code) || code === 42 || closes || code === 126 || code === 93 || code === 0x3011) at++;
    else if (code === 96 && closing && i === 0) at++;
    else if (code === 91) {
      const read = box === undefined ? readBox(text, at, end) : undefined;
      let close = at + 1;
      while (close < end && close < at + 10 && text.charCodeAt(close) !== 93) close++;
      if (read !== undefined) {
        box = read;
        at = read.end;
      } else if (close < end && close < at + 10 && isTag(text.slice(at + 1, close))) {
        parallel ||= text.slice(at + 1, close) === "P";
        at = close + 1;
      } else break;
    } else if (text.startsWith("(P)", at)) {
      parallel = true;
      at += 3;
    } else break;
  }
  return { at, ...(box === undefined ? {} : { box }), parallel };
}

/** `P`, `US1`, `S2`, `X-1`: upper case and digits only. */
function isTag(text: string): boolean {
  return /^[A-Z][A-Z0-9-]{0,6}$/.test(text);
}

/** `P0, T0.1`, `[M1] T1.1`: the short name of a phase or milestone in front of an id. */
function readShortPrefix(text: string, at: number, end: number): PhaseRead | undefined {
  if (!"PpMm".includes(text[at] ?? " ")) return undefined;
  const short = readId(text, at, end);
  if (short?.shape !== "phase" && short?.shape !== "milestone") return undefined;
  const between = afterSeparator(text, short.end, end);
  if (between === short.end || /[:：]/.test(text.slice(short.end, between))) return undefined;
  const id = readId(text, skipStart(text, between, end).at, end);
  if (id?.shape !== "task" || !/[.-]/.test(id.id) || namesSeveral(text, id.end, end)) return undefined;
  return { phase: toPhase(short.id.slice(1)), weak: short.shape === "milestone", end: short.end };
}

/** A remark behind an id is at most this long where another id may follow. */
const MAX_REMARK = 80;

/** Behind blanks and markup. */
function skipMarkup(text: string, at: number, end: number): number {
  let next = at;
  while (next < end && (isSpace(text.charCodeAt(next)) || "*_`".includes(text[next]!))) next++;
  return next;
}

/** Behind the remark in parentheses that begins at `at`, if one does. */
function skipRemark(text: string, at: number, end: number): number {
  if (!"(（".includes(text[at] ?? " ")) return at;
  const length = text.slice(at, Math.min(end, at + MAX_REMARK)).search(/[)）]/);
  return length < 0 ? at : skipMarkup(text, at + length + 1, end);
}

/** Whether another id follows: `P1-T1, P1-T2`, `T1.1~T1.6`, `T1.1 → T1.2`, `T1.1 (API) / T1.2 (UI)`. */
function namesSeveral(text: string, at: number, end: number): boolean {
  const behind = skipMarkup(text, at, end);
  let next = skipRemark(text, behind, end);
  const hasRemark = next > behind;
  const joins = ",，~→+&/·".includes(text[next] ?? " ");
  const reaches = text.startsWith("..", next) || /^[와과–-]/.test(text.slice(next, next + 1));
  if (!joins && (hasRemark || !reaches)) return false;
  const mark = next;
  while (next < end && !isWord(text.charCodeAt(next)) && next < mark + 12) next++;
  if (text[next] === "와" || text[next] === "과") next = skipSpaces(text, next + 1, end);
  return readId(text, next, end)?.shape === "task" || (text[at] === "~" && isDigit(text.charCodeAt(next)));
}

/** Title text without the box or closing `#`s that may end a heading. */
export function titleOf(text: string, at: number, end: number): { title: string; box?: Box } {
  let stop = trimEnd(text, at, end);
  let hashes = stop;
  while (hashes > at && text[hashes - 1] === "#") hashes--;
  if (hashes < stop && hashes > at && isSpace(text.charCodeAt(hashes - 1))) stop = trimEnd(text, at, hashes);
  // A box at the end may stand in backticks.
  const quoted = text.charCodeAt(stop - 1) === 96 && text.charCodeAt(stop - 2) === 93;
  const close = quoted ? stop - 1 : stop;
  let open = text.charCodeAt(close - 1) === 93 ? close - 2 : -1;
  while (open >= Math.max(at, close - 4) && text.charCodeAt(open) !== 91) open--;
  const box = open >= Math.max(at, close - 4) ? readBox(text, open, close) : undefined;
  const before = quoted && text.charCodeAt(open - 1) === 96 ? open - 1 : open;
  if (box !== undefined && box.end === close && before > at && isSpace(text.charCodeAt(before - 1)))
    return { title: text.slice(at, trimEnd(text, at, before)), box };
  return { title: text.slice(at, stop) };
}

const MARKS = ["**", "~~", "`"];

/**
 * The title without marks that close in it what was opened before it (`**[x] T1.2** Title`), and with those that open it and were
 * passed over on the way to it (`T1.2 **API** server`). `from` is where the line begins, `at` where the title does.
 */
function balance(text: string, from: number, at: number, title: string): string {
  let clean = title;
  for (const mark of MARKS) {
    if (!clean.includes(mark) || isEven(clean, mark) || isEven(text.slice(from, at), mark)) continue;
    const opened = at - mark.length;
    const opens = text.startsWith(mark, opened) && isSpace(text.charCodeAt(opened - 1));
    const close = opens ? clean.lastIndexOf(mark) : clean.indexOf(mark);
    if (opens && close < clean.length - mark.length) clean = mark + clean;
    else clean = (clean.slice(0, close) + clean.slice(close + mark.length)).trim();
  }
  return clean;
}

function isEven(text: string, mark: string): boolean {
  return text.split(mark).length % 2 === 1;
}

/** The head of a line that says nothing we look for. */
const NOTHING: Head = {
  weak: false,
  idAt: 0,
  setOff: false,
  title: "",
  parallel: false,
  several: false,
  struck: false,
};

/**
 * Reads the head that begins at `at`. `numbers` lets plain numbers be ids (`1.2 Title`). With `brief` the title of a line
 * without box, mark, id and phase stays unread.
 */
export function readHead(text: string, at: number, end: number, numbers: boolean, brief = false): Head {
  const start = skipStart(text, at, end);
  const prefix = readPhaseWord(text, start.at, end) ?? readShortPrefix(text, start.at, end);
  const prefixEnd = prefix === undefined ? start.at : afterSeparator(text, prefix.end, end);
  const idAt = prefix === undefined ? start.at : skipStart(text, prefixEnd, end).at;
  const worded = readWordedId(text, idAt, end);
  const number = numbers && worded === undefined ? readNumber(text, idAt, end, true) : undefined;
  const read = worded ?? readId(text, idAt, end) ?? number;
  const { mark } = start;
  if (brief && read === undefined && prefix === undefined && start.box === undefined && mark === undefined)
    return NOTHING;
  if (read === undefined || (prefix !== undefined && !belongsToPrefix(text, prefix.end, prefixEnd, read))) {
    const wordsAt = skipSpaces(text, start.words, end);
    const { title: words } = titleOf(text, wordsAt, end);
    const box = start.box;
    const state = mark ?? trailingState(words);
    const title =
      prefix === undefined
        ? balance(text, at, wordsAt, words)
        : balance(text, at, prefixEnd, titleOf(text, prefixEnd, end).title);
    return {
      ...(box === undefined ? {} : { box }),
      ...(state === undefined ? {} : { mark: state }),
      ...(prefix === undefined ? {} : { phase: prefix.phase }),
      weak: prefix?.weak ?? false,
      idAt: start.at,
      setOff: false,
      title,
      parallel: false,
      several: false,
      struck: start.struck,
    };
  }
  const isNumber = read.shape === "number" && worded === undefined;
  const afterId = isNumber ? skipNumberMark(text, read.end, end) : { at: read.end, optional: false };
  const tags = skipTags(text, afterId.at, end, true);
  const delimiter = text.charCodeAt(tags.at);
  const isDash =
    (delimiter === 45 || delimiter === 0x2013 || delimiter === 0x2014) &&
    isSpace(text.charCodeAt(tags.at + 1));
  const colon = tags.at < end && (isColon(delimiter) || delimiter === 124 || (isDash && tags.at > read.end));
  const closed = start.wrapped && tags.at > read.end;
  const titleAt = skipTags(text, afterSeparator(text, tags.at, end), end, false);
  const { title: rawTitle, box: tailBox } = titleOf(text, titleAt.at, end);
  const marked = rawTitle.endsWith("(P)") || rawTitle.endsWith("[P]");
  const title = balance(text, at, titleAt.at, marked ? rawTitle.slice(0, -3).trimEnd() : rawTitle);
  const box = start.box ?? tags.box ?? titleAt.box ?? tailBox;
  const state = mark ?? trailingState(title);
  return {
    ...(box === undefined ? {} : { box: afterId.optional ? { ...box, optional: true } : box }),
    ...(state === undefined ? {} : { mark: state }),
    ...(prefix === undefined ? {} : { phase: prefix.phase }),
    weak: prefix?.weak ?? false,
    id: read.id,
    shape: read.shape,
    idAt: worded === undefined ? idAt : read.end - read.id.length,
    setOff: colon || closed || worded !== undefined || prefix !== undefined || afterId.at > read.end,
    title,
    parallel: start.parallel || tags.parallel || titleAt.parallel || marked,
    several: namesSeveral(text, read.end, end),
    struck: start.struck,
  };
}

/** `Phase 1, T1.1` names a task; `Phase 1: T3 stack` is a phase with a title. */
function belongsToPrefix(text: string, from: number, to: number, read: IdRead): boolean {
  if (read.shape !== "task") return false;
  return /[.-]/.test(read.id) || !/[:：]/.test(text.slice(from, to));
}

/** Passes over the `.`, `)`, `、` or `*` behind a number used as id. */
function skipNumberMark(text: string, at: number, end: number): { at: number; optional: boolean } {
  let next = at;
  let optional = false;
  for (let i = 0; i < 2 && next < end; i++) {
    const mark = text[next];
    if (mark === "*" && text[next + 1] !== "*") optional = true;
    else if (mark !== "." && mark !== ")" && mark !== "、" && mark !== "．" && mark !== ":" && mark !== "：")
      break;
    next++;
  }
  return { at: next, optional };
}
