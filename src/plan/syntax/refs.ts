import type { Piece } from "../markdown/document.ts";
import type { Phase } from "../types.ts";
import { isAlnum, isDigit, isMarkup, isSpace, isSymbol, isWord, skipSpaces } from "./chars.ts";
import { type IdRead, readId, readNumber } from "./ids.ts";
import { readPhaseWord, toPhase } from "./phase.ts";

/** One thing a dependency value names, before anyone looked up what it is. */
export type Ref =
  | {
      readonly kind: "id";
      readonly id: string;
      readonly shape: IdRead["shape"];
      readonly at: Place;
      readonly archived: boolean;
    }
  | { readonly kind: "range"; readonly from: string; readonly to: string; readonly at: Place }
  /** `P2-R*`, `T1.x`: all ids that begin so. */
  | { readonly kind: "prefix"; readonly prefix: string; readonly at: Place }
  /** `Phase 2`; `only` is R or S where it says "Resource tasks" or "screens". */
  | { readonly kind: "phase"; readonly phase: Phase; readonly only?: "R" | "S"; readonly at: Place };

export interface Place {
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

/** What a value says: the refs to wait for, or to run beside, and those it puts behind "after". */
export interface Refs {
  readonly refs: readonly Ref[];
  /** Of a `병렬:` value: ids named with "완료 후", "after". */
  readonly after: readonly Ref[];
  /** It says "none", in whatever language. */
  readonly none: boolean;
  /** Words that name nothing. */
  readonly unread: boolean;
}

const NONE_WORDS =
  "없음 없다 무 無 无 なし 해당없음 해당 독립 독립적 불필요 불가 불가능 none no nothing null nil na n/a n.a x - – — ― ∅ false false. independent standalone".split(
    " ",
  );
/** A clause with one of these speaks of tasks that need not come first. */
const BESIDE = [
  "병렬",
  "독립",
  "무관",
  "동시",
  "불필요",
  "without",
  "independent",
  "parallel",
  "concurrent",
  "並列",
  "并行",
  "不依赖",
  "not depend",
  "not block",
];
const AFTER = [
  "완료 후",
  "완료후",
  "이후",
  "끝난 후",
  "종료 후",
  "다음에",
  "후에",
  "完了後",
  "完成后",
  "之后",
  "after",
  "once",
  "following",
  "depends",
  "의존",
];
const ARCHIVED = [
  "완료",
  "archive",
  "아카이브",
  "done",
  "complete",
  "기존",
  "이전 버전",
  "삭제",
  "済",
  "完了",
  "已完成",
  "shipped",
  "merged",
  "✅",
];
const RESOURCE = ["resource", "리소스", "backend", "백엔드", "api"];
const SCREEN = ["screen", "화면", "frontend", "프론트엔드", "ui"];

interface Clause {
  readonly text: string;
  /** Offset of the clause in the piece. */
  readonly at: number;
  /** Text of the parentheses in it. */
  readonly remark: string;
}

const SEPARATORS = new Set([44, 0xff0c, 0x3001, 59, 0xff1b, 0xb7, 0x2022, 43, 38, 124, 0x3002, 10]);

/** Splits a value at separators outside parentheses; parentheses become remarks, unless they hold the whole clause. */
function clausesOf(text: string): Clause[] {
  const clauses: Clause[] = [];
  let out = "";
  let remark = "";
  let from = -1;
  let depth = 0;
  let worded = false;
  const push = () => {
    if (from >= 0) clauses.push({ text: out, at: from, remark });
    out = "";
    remark = "";
    from = -1;
    worded = false;
  };
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const opens = code === 40 || code === 0xff08;
    const closes = code === 41 || code === 0xff09;
    if (opens && (depth > 0 || worded)) {
      depth++;
      continue;
    }
    if (closes) {
      if (depth > 0) depth--;
      continue;
    }
    if (depth > 0) {
      remark += text[i];
      out += " ";
      continue;
    }
    const ends =
      SEPARATORS.has(code) ||
      (code === 46 && (i + 1 === text.length || isSpace(text.charCodeAt(i + 1)))) ||
      isArrow(text, i);
    if (ends) push();
    else {
      if (from < 0) from = i;
      worded ||= isWord(code);
      out +=
        opens || code === 91 || code === 93 || code === 34 || code === 39 || code === 123 || code === 125
          ? " "
          : text[i];
    }
  }
  push();
  return clauses;
}

function hasWord(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (isWord(text.charCodeAt(i))) return true;
  return false;
}

function isArrow(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x2192 || code === 0x21d2 || (code === 62 && text.charCodeAt(at - 1) === 45);
}

function contains(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.some(word => lower.includes(word));
}

/** Cuts a clause at ` - remark` and `: remark`; a dash directly before another id is a range and stays. */
function withoutRemark(text: string): string {
  let worded = false;
  let digits = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const isDash =
      (code === 45 || code === 0x2013 || code === 0x2014) &&
      isSpace(text.charCodeAt(i - 1)) &&
      isSpace(text.charCodeAt(i + 1));
    if (isDash && worded) {
      const next = skipDecoration(text, i + 1);
      if (readId(text, next, text.length, true) === undefined && !isDigit(text.charCodeAt(next)))
        return text.slice(0, i);
    }
    if (code === 58 && digits && isSpace(text.charCodeAt(i + 1))) return text.slice(0, i);
    worded ||= isWord(code);
    digits ||= isDigit(code);
  }
  return text;
}

function skipDecoration(text: string, at: number): number {
  while (
    at < text.length &&
    (isSpace(text.charCodeAt(at)) || isMarkup(text.charCodeAt(at)) || text[at] === "#" || text[at] === "@")
  )
    at++;
  return at;
}

interface Reader {
  readonly piece: Piece;
  readonly numbers: boolean;
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

/** Collects the refs of one clause. `before` is the last id of the clauses before it. */
function readClause(reader: Reader, clause: Clause, before: { id: string }): Ref[] {
  const text = withoutRemark(clause.text);
  const refs: Ref[] = [];
  const archived =
    contains(clause.remark, ARCHIVED) ||
    contains(clause.text.slice(text.length), ARCHIVED) ||
    (!contains(text, AFTER) && contains(text, ARCHIVED));
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
    const repeats = left === 47 || left === 38 || text.trim().length <= 8 ? before.id : "";
    const read =
      readId(text, i, text.length, true) ??
      readShortcut(text, i, repeats, reader.numbers) ??
      wildcardId(text, i);
    if (read === undefined) {
      while (i < text.length && isAlnum(text.charCodeAt(i))) i++;
      if (i < text.length && !isAlnum(text.charCodeAt(i))) i++;
      continue;
    }
    const at = placeOf(reader, clause.at + i, read.end - i);
    // In `**T1.1**` the star is bold, not a wildcard.
    const wild = text[i - 1] === "*" ? -1 : wildcardEnd(text, read.end);
    const second = wild < 0 ? rangeConnector(text, read.end) : -1;
    const last =
      second < 0
        ? undefined
        : (readId(text, second, text.length, true) ?? readShortcut(text, second, read.id, true));
    if (wild >= 0) {
      const separator = text[read.end] === "*" ? "" : text[read.end]!;
      refs.push({ kind: "prefix", prefix: read.id + separator, at });
      i = wild;
    } else if (last !== undefined) {
      refs.push({ kind: "range", from: read.id, to: last.id, at: { ...at, length: last.end - i } });
      i = last.end;
    } else {
      if (read.shape === "phase")
        refs.push(phaseRef(reader, clause, toPhase(read.id.slice(1)), i, read.end, text));
      else refs.push({ kind: "id", id: read.id, shape: read.shape, at, archived });
      i = read.end;
    }
    before.id = read.id;
  }
  return refs;
}

/** `P2-R*` stops an id at the letter: reads what stands before the star. */
function wildcardId(text: string, at: number): IdRead | undefined {
  let end = at;
  while (
    end < text.length &&
    (isAlnum(text.charCodeAt(end)) || text[end] === "-" || text[end] === ".") &&
    end - at < 40
  )
    end++;
  if (text[end] !== "*" || end === at || !/\d/.test(text.slice(at, end))) return undefined;
  return { id: text.slice(at, end), end, shape: "other" };
}

/** A number that repeats the prefix before it: `T1.1, 1.2`, `P2-S1/S2`; or a number that is an id of its own. */
function readShortcut(text: string, at: number, previous: string, numbers: boolean): IdRead | undefined {
  if (!isDigit(text.charCodeAt(at))) return undefined;
  const number = readNumber(text, at, text.length);
  if (number === undefined) return undefined;
  if (previous === "" || isDigit(previous.charCodeAt(0)))
    return numbers || /^0\d\d$/.test(number.id) ? number : undefined;
  const dots = number.id.split(".").length;
  const head = previous.replace(/[\d.]+[a-z]?$/, "");
  const tail = previous.slice(head.length).split(".");
  const kept = tail.slice(0, Math.max(0, tail.length - dots));
  return { id: head + [...kept, number.id].join("."), end: number.end, shape: "task" };
}

function phaseRef(reader: Reader, clause: Clause, phase: Phase, from: number, to: number, text: string): Ref {
  const at = placeOf(reader, clause.at + from, to - from);
  const rest = text
    .slice(to, to + 40)
    .trimStart()
    .toLowerCase();
  const only = RESOURCE.some(word => rest.startsWith(word))
    ? "R"
    : SCREEN.some(word => rest.startsWith(word))
      ? "S"
      : undefined;
  return { kind: "phase", phase, ...(only === undefined ? {} : { only }), at };
}

function saysNone(text: string): boolean {
  let at = 0;
  while (at < text.length && (isSymbol(text.charCodeAt(at)) || isSpace(text.charCodeAt(at)))) at++;
  const clean = text
    .slice(at, at + 200)
    .replace(/[*_`~[\]{}"']/g, "")
    .trim()
    .toLowerCase();
  if (clean === "") return /[[\]{}]/.test(text);
  const word = clean.split(/[\s(（,，;:.]/, 1)[0]!;
  return (
    NONE_WORDS.includes(clean) ||
    (NONE_WORDS.includes(word) && !/^(?:no|x|해당|독립|불가)$/.test(word)) ||
    /^(?:no (?:dep|pre)|해당 없|독립|불가|없)/.test(clean)
  );
}

/** Reads a dependency value. `numbers`: plain numbers are ids of this plan. */
export function readRefs(pieces: readonly Piece[], numbers: boolean): Refs {
  const refs: Ref[] = [];
  let none = false;
  let unread = false;
  const before = { id: "" };
  for (const [index, piece] of pieces.entries()) {
    if (saysNone(piece.text)) {
      none ||= index === 0 || pieces.length === 2;
      continue;
    }
    for (const clause of clausesOf(piece.text)) {
      const found = readClause({ piece, numbers }, clause, before);
      const text = withoutRemark(clause.text);
      if (found.length === 0) unread ||= hasWord(clause.text);
      else if (!contains(text, BESIDE)) refs.push(...found);
    }
  }
  return {
    refs: withoutPrefixes(refs),
    after: [],
    none: none && refs.length === 0,
    unread: unread && refs.length === 0,
  };
}

/** In `Phase 1, T1.2` the phase only says where the task stands. */
function withoutPrefixes(refs: readonly Ref[]): Ref[] {
  return refs.filter((ref, index) => {
    const next = refs[index + 1];
    return !(ref.kind === "phase" && next?.kind === "id" && next.id.startsWith(`T${ref.phase}.`));
  });
}

/** Reads a `parallel` value: who runs beside, and whom it waits for after all (`P1-R1 완료 후`). */
export function readParallel(pieces: readonly Piece[], numbers: boolean): Refs {
  const refs: Ref[] = [];
  const after: Ref[] = [];
  let none = false;
  const before = { id: "" };
  for (const piece of pieces) {
    const reader = { piece, numbers };
    const refused = saysNone(piece.text);
    none ||= refused;
    let pending: Ref[] = [];
    for (const clause of clausesOf(piece.text)) {
      pending.push(...readClause(reader, clause, before));
      const isAfter = contains(clause.text, AFTER);
      if (isAfter || contains(clause.text, BESIDE)) {
        (isAfter ? after : refs).push(...pending);
        pending = [];
      }
      if (contains(clause.remark, AFTER)) {
        for (const inner of clausesOf(clause.remark))
          after.push(...readClause(reader, { ...inner, at: clause.at }, before));
      }
    }
    refs.push(...pending);
    if (refused) refs.length = 0;
  }
  return { refs, after, none, unread: false };
}
