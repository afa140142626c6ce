import { isAlnum, isAlpha, isDigit, isLower, isUpper } from "./chars.ts";

/**
 * What an id's shape says: `task` ids are tasks wherever they head a line; `phase` (`P0`) and `milestone` (`M1`) name
 * containers; `other` (`BE-01`, `S3`) needs further signs; `number` (`1.2`, `001`) is a task only where a format says so.
 */
export type IdShape = "task" | "phase" | "milestone" | "other" | "number";

/** An id found in a text. */
export interface IdRead {
  readonly id: string;
  readonly end: number;
  readonly shape: IdShape;
}

const MAX_LENGTH = 64;
/** Prefixes of what is counted in requirements, tests and standards, never of tasks. */
const NOT_TASKS = new Set(
  "AC,TC,FR,NFR,US,UC,REQ,SC,KPI,UTF,ISO,RFC,ES,EC,H,Q,HTTP,HTTPS,MD,SHA,AES,RSA,IPV,OAUTH,S,EPIC,ADR,CP,TD,BR,NF,GPT".split(
    ",",
  ),
);

/** Digits, further `.digits`, and at most one letter behind (`0.5.1`, `117a`). Returns `at` when there is none. */
function afterNumber(text: string, at: number, end: number): number {
  let i = at;
  while (i < end && isDigit(text.charCodeAt(i))) i++;
  if (i === at) return at;
  while (i + 1 < end && text.charCodeAt(i) === 46 && isDigit(text.charCodeAt(i + 1))) {
    i++;
    while (i < end && isDigit(text.charCodeAt(i))) i++;
  }
  const isLetter = i < end && isAlpha(text.charCodeAt(i));
  return isLetter && !(i + 1 < end && isAlnum(text.charCodeAt(i + 1))) ? i + 1 : i;
}

/** One `-R1`, `-T0.1`, `-V`, `-FE`, `-001` or (`dotted`) `.T1` behind an id, or `at` when what follows is no part of it. */
function afterSegment(text: string, at: number, end: number, dotted: boolean): number {
  const mark = text.charCodeAt(at);
  if (mark !== 45 && mark !== 95 && !(dotted && mark === 46)) return at;
  let letters = at + 1;
  let allUpper = true;
  while (letters < end && isAlpha(text.charCodeAt(letters))) {
    allUpper &&= isUpper(text.charCodeAt(letters));
    letters++;
  }
  const count = letters - at - 1;
  const digits = afterNumber(text, letters, end);
  if (mark === 46 && (digits === letters || count !== 1 || !allUpper)) return at;
  if (digits === letters && (count === 0 || count > 6 || (!allUpper && count > 1))) return at;
  if (digits > letters && count > 4) return at;
  return digits < end && isAlnum(text.charCodeAt(digits)) ? at : digits;
}

function shapeOf(head: string, hasNumber: boolean, segments: readonly string[]): IdShape {
  const first = segments[0];
  const letters = head.toUpperCase();
  if (letters === "T" || letters === "TASK") {
    return hasNumber || (first !== undefined && isDigit(first.charCodeAt(0))) ? "task" : "other";
  }
  if (letters === "P" && hasNumber) return first === undefined ? "phase" : "task";
  if ((letters === "PF" || letters === "PX" || letters === "PN") && !hasNumber && first !== undefined)
    return "task";
  if (letters === "M" && hasNumber) return first === undefined ? "milestone" : "task";
  const last = segments.at(-1);
  const endsInTask =
    last !== undefined &&
    last.length > 1 &&
    (last[0] === "T" || last[0] === "V") &&
    isDigit(last.charCodeAt(1));
  return endsInTask ? "task" : "other";
}

/**
 * Reads an id that begins with letters at `at`; undefined for ordinary words, `Next.js`, `OAuth2` and the like.
 * `anyPrefix` also takes prefixes that never head a task (`S1`), for values that may shorten ids.
 */
export function readId(text: string, at: number, end: number, anyPrefix = false): IdRead | undefined {
  let i = at;
  const limit = Math.min(end, at + MAX_LENGTH);
  while (i < limit && isAlpha(text.charCodeAt(i))) i++;
  const letters = i - at;
  if (letters === 0 || letters > 10) return undefined;
  const head = text.slice(at, i);
  const afterDigits = afterNumber(text, i, limit);
  const hasNumber = afterDigits > i;
  i = afterDigits;
  const segments: string[] = [];
  let anyDigit = hasNumber;
  for (;;) {
    // `P1.T1`: only behind the number an id begins with.
    const next = afterSegment(text, i, limit, hasNumber && segments.length === 0);
    if (next === i) break;
    const segment = text.slice(i + 1, next);
    // `T001-T009`, `P0-P1`, `M1-M5` span from one id to another.
    if (hasNumber && startsAlike(segment, head)) break;
    anyDigit ||= /\d/.test(segment);
    segments.push(segment);
    i = next;
  }
  if (!anyDigit || (i < end && !endsHere(text, i, end))) return undefined;
  const shape = shapeOf(head, hasNumber, segments);
  if (shape === "other" && (!isUpperWord(head) || (!anyPrefix && NOT_TASKS.has(head)))) return undefined;
  if (head.length > 1 && head !== "task" && isLower(head.charCodeAt(0))) return undefined;
  return { id: text.slice(at, i), end: i, shape };
}

function startsAlike(segment: string, head: string): boolean {
  return (
    segment.length > head.length &&
    segment.slice(0, head.length).toUpperCase() === head.toUpperCase() &&
    isDigit(segment.charCodeAt(head.length))
  );
}

/** An id is over where no letter, digit or file-name part goes on. */
function endsHere(text: string, at: number, end: number): boolean {
  const code = text.charCodeAt(at);
  if (isAlnum(code) || code === 64) return false;
  const next = at + 1 < end ? text.charCodeAt(at + 1) : 0;
  return !(code === 46 && isAlnum(next));
}

function isUpperWord(word: string): boolean {
  for (let i = 0; i < word.length; i++) if (!isUpper(word.charCodeAt(i))) return false;
  return true;
}

/** Reads `1`, `1.2`, `12.3.4`, `2a`, `001`, and with `dashed` `1-2`: numbers that some formats use as ids. */
export function readNumber(text: string, at: number, end: number, dashed = false): IdRead | undefined {
  const limit = Math.min(end, at + 24);
  let stop = afterNumber(text, at, limit);
  while (dashed && stop > at && text.charCodeAt(stop) === 45) {
    const next = afterNumber(text, stop + 1, limit);
    if (next === stop + 1) break;
    stop = next;
  }
  if (stop === at || (stop < end && isAlnum(text.charCodeAt(stop)))) return undefined;
  return { id: text.slice(at, stop), end: stop, shape: "number" };
}

/** Splits an id into its prefix and its last number, for ranges: `P12-T1` is `P12-T` and 1. */
export function lastNumber(id: string): { prefix: string; number: string } | undefined {
  let stop = id.length;
  while (stop > 0 && !isDigit(id.charCodeAt(stop - 1))) stop--;
  let start = stop;
  while (start > 0 && isDigit(id.charCodeAt(start - 1))) start--;
  return start === stop || id.length - stop > 1
    ? undefined
    : { prefix: id.slice(0, start), number: id.slice(start, stop) };
}

/** The phase label an id carries in front (`P1.5-SK2-T1` is `1.5`, `PF-R1-T1` is `F`). */
export function phasePrefix(id: string): string | undefined {
  if (!/^[Pp]/.test(id)) return undefined;
  let end = 1;
  while (
    end < id.length &&
    (isAlnum(id.charCodeAt(end)) || (id[end] === "." && isDigit(id.charCodeAt(end + 1))))
  )
    end++;
  return end > 1 && end < id.length ? id.slice(1, end) : undefined;
}

/** Orders ids as people count: digits by value, everything else by code unit. */
export function compareNaturally(a: string, b: string): number {
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (isDigit(a.charCodeAt(i)) && isDigit(b.charCodeAt(j))) {
      const [x, nextI] = digitsAt(a, i);
      const [y, nextJ] = digitsAt(b, j);
      if (x.length !== y.length) return x.length - y.length;
      if (x !== y) return x < y ? -1 : 1;
      i = nextI;
      j = nextJ;
      continue;
    }
    const difference = a.charCodeAt(i) - b.charCodeAt(j);
    if (difference !== 0) return difference;
    i++;
    j++;
  }
  return a.length - i - (b.length - j);
}

/** The digits at `at` without leading zeros, and where they end. */
function digitsAt(text: string, at: number): [string, number] {
  let start = at;
  while (text.charCodeAt(start) === 48 && isDigit(text.charCodeAt(start + 1))) start++;
  let stop = start;
  while (stop < text.length && isDigit(text.charCodeAt(stop))) stop++;
  return [text.slice(start, stop), stop];
}
