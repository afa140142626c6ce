import type { Piece } from "../markdown/document.ts";
import type { Phase } from "../types.ts";
import { isAlnum, isAlpha, isDigit, isMarkup, isSpace, isWord, skipSpaces, trimMarks } from "./chars.ts";
import { type Clause, skipDecoration, withoutRemark } from "./clauses.ts";
import { partOfPhase, saysAfter, saysArchived } from "./dependency-words.ts";
import { type IdRead, readId, readNumber } from "./ids.ts";
import { readPhaseWord, toPhase } from "./phase.ts";
import type { Place, Ref } from "./ref.ts";

/** Where the clauses come from, and how to read them. */
export interface Reader {
  readonly piece: Piece;
  readonly numbers: boolean;
  /** Whether a task has this id: of a plan of `T1.1`, a bare `1.1` is one. */
  readonly isId: (id: string) => boolean;
}

/** What joins ids, and the words that may stand before and behind them where nothing else is said. */
const JOINS = /(?:와|과)?[\s/&~,:]+|[-–—]/;
const LINKS = new Set(
  "and or then task tasks depends depend on needs need requires require after following once blocked by waits wait for 및 그리고 태스크 작업 모두 완료 후 이후 뒤 다음 필요 의존".split(
    " ",
  ),
);

/** Whether a clause is nothing but ids and short numbers: there `1.2` is an id, and no version of something. */
function isOfIds(text: string): boolean {
  return text
    .trim()
    .split(JOINS)
    .every(
      word =>
        LINKS.has(word.toLowerCase()) ||
        /^[*`#@_]*(?:[A-Za-z]{0,8}\d{1,3}(?:\.\d{1,3}){0,3}[*`_]*)?$/.test(word),
    );
}

function placeOf(reader: Reader, at: number, length: number): Place {
  return { line: reader.piece.line, column: reader.piece.column + at, length: Math.max(1, length) };
}

/** Reads `*` or `x` behind an id: everything that begins so. */
function wildcardEnd(text: string, end: number): number {
  if (text[end] === "*") return end + 1;
  const mark = text[end + 1];
  const isMark = mark === "*" || ((mark === "x" || mark === "X") && !isAlnum(text.charCodeAt(end + 2)));
  return (text[end] === "." || text[end] === "-") && isMark ? end + 2 : -1;
}

/** Reads the connector of a range and returns where its second end begins, or -1. */
function rangeConnector(text: string, at: number): number {
  let i = skipSpaces(text, at, text.length);
  while (isMarkup(text.charCodeAt(i)) && text[i] !== "~") i = skipSpaces(text, i + 1, text.length);
  for (const mark of ["~", "〜", "～", "...", "..", "…", "–", "—", "-", "부터", "to ", "through ", "thru "]) {
    if (!text.startsWith(mark, i)) continue;
    if (mark.endsWith(" ") && !isSpace(text.charCodeAt(i - 1))) continue;
    return skipDecoration(text, i + mark.length);
  }
  return -1;
}

/** Where a word that only begins like a phase ends (`P1-T5x9`): it is a misspelt id, and not all of `P1`. */
function wordEnd(text: string, end: number): number {
  if (text[end] !== "-" || !isAlnum(text.charCodeAt(end + 1))) return end;
  let stop = end + 1;
  while (
    stop < text.length &&
    stop - end < 40 &&
    (isAlnum(text.charCodeAt(stop)) || "-.".includes(text[stop]!))
  )
    stop++;
  return /\d/.test(text.slice(end, stop)) ? stop : end;
}

/** Collects the refs of one clause. `before` is the last id of the clauses before it. */
export function readClause(reader: Reader, clause: Clause, before: { id: string }): Ref[] {
  const text = withoutRemark(clause.text);
  const refs: Ref[] = [];
  const isList = isOfIds(text);
  const isShort = isList || text.trim().length <= 8;
  const archived =
    saysArchived(clause.remark) ||
    saysArchived(clause.text.slice(text.length)) ||
    (!saysAfter(text) && saysArchived(text));
  for (let i = 0; i < text.length; ) {
    const left = i > 0 ? text.charCodeAt(i - 1) : 32;
    const isStart = !isAlnum(left) && left !== 46 && left !== 95;
    if (!isStart || !isWord(text.charCodeAt(i))) {
      i++;
      continue;
    }
    const phase = readPhaseWord(text, i, text.length);
    if (phase !== undefined && !phase.weak) {
      const next = skipDecoration(text, phase.end);
      const task = readId(text, next, text.length);
      if (task?.shape !== "task") refs.push(phaseRef(reader, clause, phase.phase, i, phase.end, text));
      i = phase.end;
      continue;
    }
    const repeats = left === 47 || left === 38 || isShort ? before.id : "";
    const read =
      readId(text, i, text.length, true) ??
      readShortcut(text, i, repeats, reader.numbers) ??
      (isList ? readBare(reader, text, i) : undefined) ??
      wildcardId(text, i);
    if (read === undefined) {
      while (i < text.length && isAlnum(text.charCodeAt(i))) i++;
      if (i < text.length && !isAlnum(text.charCodeAt(i))) i++;
      continue;
    }
    const found = refAt(reader, clause, text, i, read);
    const base = left === 47 ? baseOf(before.id, read.id) : undefined;
    refs.push(
      found.ref.kind === "id"
        ? { ...found.ref, archived, ...(base === undefined ? {} : { base }) }
        : found.ref,
    );
    i = found.end;
    before.id = base === undefined ? read.id : `${base}-${read.id}`;
  }
  return refs;
}

/** What the last part of an id and a short one behind a slash have in common: `P1` in `P1-T1/T2`. */
function baseOf(before: string, id: string): string | undefined {
  const dash = before.lastIndexOf("-");
  const isAlike = dash > 0 && isAlpha(before.charCodeAt(dash + 1)) && before[dash + 1] === id[0];
  return isAlike && !id.includes("-") ? before.slice(0, dash) : undefined;
}

/** What an id at `from` means with what follows it: itself, a range, everything that begins so, or a phase. */
function refAt(
  reader: Reader,
  clause: Clause,
  text: string,
  from: number,
  read: IdRead,
): { ref: Ref; end: number } {
  const place = (end: number) => placeOf(reader, clause.at + from, end - from);
  const archived = false;
  // In `**T1.1**` the star is bold, not a wildcard.
  const wild = text[from - 1] === "*" ? -1 : wildcardEnd(text, read.end);
  if (wild >= 0) {
    const separator = text[read.end] === "*" ? "" : text[read.end]!;
    return { ref: { kind: "prefix", prefix: read.id + separator, at: place(read.end) }, end: wild };
  }
  const second = rangeConnector(text, read.end);
  const last =
    second < 0
      ? undefined
      : (readId(text, second, text.length, true) ?? readShortcut(text, second, read.id, true));
  if (last !== undefined)
    return { ref: { kind: "range", from: read.id, to: last.id, at: place(last.end) }, end: last.end };
  if (read.shape !== "phase")
    return {
      ref: { kind: "id", id: read.id, shape: read.shape, at: place(read.end), archived },
      end: read.end,
    };
  const stop = wordEnd(text, read.end);
  if (stop > read.end)
    return {
      ref: { kind: "id", id: text.slice(from, stop), shape: "task", at: place(stop), archived },
      end: stop,
    };
  return { ref: phaseRef(reader, clause, toPhase(read.id.slice(1)), from, read.end, text), end: read.end };
}

/** `P2-R*` and `T1.x` are no ids as they stand: reads what stands before the star or `.x`. */
function wildcardId(text: string, at: number): IdRead | undefined {
  let end = at;
  while (
    end < text.length &&
    (isAlnum(text.charCodeAt(end)) || text[end] === "-" || text[end] === ".") &&
    end - at < 40
  )
    end++;
  if (text[end] !== "*") {
    if (end - at < 4 || wildcardEnd(text, end - 2) < 0) return undefined;
    end -= 2;
  }
  return end > at && /\d/.test(text.slice(at, end))
    ? { id: text.slice(at, end), end, shape: "other" }
    : undefined;
}

/** A number that repeats the prefix before it: `T1.1, 1.2`, `P2-S1/S2`; or a number that is an id of its own. */
function readShortcut(text: string, at: number, previous: string, numbers: boolean): IdRead | undefined {
  if (!isDigit(text.charCodeAt(at))) return undefined;
  const number = readNumber(text, at, text.length);
  if (number === undefined) return undefined;
  if (previous === "" || isDigit(previous.charCodeAt(0)))
    return numbers || /^0\d\d$/.test(number.id) ? number : undefined;
  const dots = number.id.split(".").length;
  const head = trimMarks(previous.replace(/\d[a-z]$/, ""), "", "0123456789.");
  const tail = previous.slice(head.length).split(".");
  const kept = tail.slice(0, Math.max(0, tail.length - dots));
  return { id: head + [...kept, number.id].join("."), end: number.end, shape: "task" };
}

/** `1.1` in a plan of `T1.1`. */
function readBare({ isId }: Reader, text: string, at: number): IdRead | undefined {
  const number = isDigit(text.charCodeAt(at)) ? readNumber(text, at, text.length) : undefined;
  return number?.id.includes(".") && isId(`T${number.id}`)
    ? { ...number, id: `T${number.id}`, shape: "task" }
    : undefined;
}

function phaseRef(reader: Reader, clause: Clause, phase: Phase, from: number, to: number, text: string): Ref {
  const only = partOfPhase(text.slice(to, to + 40));
  const at = placeOf(reader, clause.at + from, to - from);
  return { kind: "phase", phase, ...(only === undefined ? {} : { only }), at };
}
