import type { Phase } from "../types.ts";
import {
  codesOf,
  isAlpha,
  isColon,
  isDigit,
  isMarkup,
  isSpace,
  isSymbol,
  isWord,
  skipSpaces,
} from "./chars.ts";
import { compareNaturally } from "./ids.ts";

/** A phase or milestone named at the head of a line. */
export interface PhaseRead {
  readonly phase: Phase;
  /** `weak` names (`M1`, `Sprint 2`, `Week 3`) give way to what the ids below them say. */
  readonly weak: boolean;
  /** Offset after the name. */
  readonly end: number;
}

/**
 * A phase label as a value: a number where it is written as one, with at most one digit behind the point. `3.10` comes
 * after `3.9`, so it stays a label.
 */
export function toPhase(label: string): Phase {
  const isNumber = /^\d{1,15}(?:\.[1-9])?$/.test(label);
  return isNumber ? Number(label) : label;
}

const STRONG = ["phase", "페이즈", "단계", "フェーズ", "阶段", "階段"];
const WEAK = [
  "milestone",
  "마일스톤",
  "sprint",
  "스프린트",
  "stage",
  "week",
  "wave",
  "iteration",
  "이터레이션",
  "スプリント",
  "マイルストーン",
  "里程碑",
];
const WEEK = "주차";
/** What stands behind its number. */
const COUNTED = [...STRONG.slice(1), WEEK];
const CHINESE = "零一二三四五六七八九十";

/** First characters of all phase words, and digits: most lines are told apart by one look. */
const FIRST = codesOf("pPmMsSfFwWiI0123456789페단마스이フマス阶階里第");

function wordAt(text: string, at: number, words: readonly string[]): string | undefined {
  const head = text.slice(at, at + 12).toLowerCase();
  return words.find(word => head.startsWith(word));
}

/** Where the `a`, `-A` or `+` behind a phase's number ends. */
function suffixEnd(text: string, at: number, end: number): number {
  if (text[at] === "+") return at + 1;
  const letter = text[at] === "-" ? at + 1 : at;
  const next = text.charCodeAt(letter + 1);
  const isOne =
    letter < end && isAlpha(text.charCodeAt(letter)) && !(letter > at ? isWord(next) : isAlpha(next));
  return isOne ? letter + 1 : at;
}

/** Reads the number (`1`, `1.5`, `0`, `5-A`, `4+`) or the one or two letters (`A`, `A2`, `A3a`) behind a phase word. */
function labelAt(text: string, at: number, end: number): { label: string; end: number } | undefined {
  let i = at;
  while (
    i < end &&
    (isDigit(text.charCodeAt(i)) || (text[i] === "." && isDigit(text.charCodeAt(i + 1)) && i > at))
  )
    i++;
  if (i > at) {
    // `Phase 1-3` and `Phase 1~3` speak of several.
    const next = text[i];
    if ((next === "-" || next === "~" || next === "–") && isDigit(text.charCodeAt(i + 1))) return undefined;
    const stop = suffixEnd(text, i, end);
    return { label: text.slice(at, stop), end: stop };
  }
  while (i < end && isAlpha(text.charCodeAt(i))) i++;
  if (i === at || i - at > 2 || text.slice(at, i) !== text.slice(at, i).toUpperCase()) return undefined;
  const letters = i;
  while (i < end && isDigit(text.charCodeAt(i))) i++;
  const stop = i === letters ? i : suffixEnd(text, i, end);
  return { label: text.slice(at, stop), end: stop };
}

/** Reads `Phase 1`, `페이즈 2`, `第1阶段`, `1단계`, `Final Phase`, `Milestone 3` at `at`. */
export function readPhaseWord(text: string, at: number, end: number): PhaseRead | undefined {
  if (at >= end || !FIRST.has(text.charCodeAt(at))) return undefined;
  const strong = wordAt(text, at, STRONG);
  const word = strong ?? wordAt(text, at, WEAK);
  if (word !== undefined) {
    const number = skipSpaces(text, at + word.length, end);
    const read = labelAt(text, number, end);
    if (read === undefined || (number === at + word.length && isAlpha(text.charCodeAt(number))))
      return undefined;
    return { phase: toPhase(read.label), weak: strong === undefined, end: read.end };
  }
  if (text.slice(at, at + 11).toLowerCase() === "final phase")
    return { phase: "Final", weak: false, end: at + 11 };
  return counted(text, at, end);
}

/** `1단계`, `第1阶段`, `第一阶段`, `第2フェーズ`, `1주차`. */
function counted(text: string, at: number, end: number): PhaseRead | undefined {
  const start = text[at] === "第" ? at + 1 : at;
  let i = start;
  while (i < end && isDigit(text.charCodeAt(i))) i++;
  let label = text.slice(start, i);
  if (i === start) {
    const value = text[at] === "第" ? CHINESE.indexOf(text[start] ?? " ") : -1;
    if (value < 0) return undefined;
    label = String(value);
    i++;
  }
  const word = wordAt(text, skipSpaces(text, i, end), COUNTED);
  return word === undefined
    ? undefined
    : { phase: toPhase(label), weak: word === WEEK, end: skipSpaces(text, i, end) + word.length };
}

/** A phase named in parentheses inside a heading: `M1: Login (Phase 1)`. `(Phase 2 feature)` only speaks of one. */
export function phaseInParentheses(title: string): Phase | undefined {
  const open = title.toLowerCase().indexOf("(phase ");
  if (open < 0) return undefined;
  const read = labelAt(title, open + 7, title.length);
  if (read === undefined || !isDigit(read.label.charCodeAt(0))) return undefined;
  const next = title.charCodeAt(skipSpaces(title, read.end, title.length));
  return isWord(next) ? undefined : toPhase(read.label);
}

/** Skips what separates a phase or id from its title: `:`, `-`, `—`, `.`, `|`, brackets, bold. A code span stays whole. */
export function afterSeparator(text: string, at: number, end: number): number {
  for (let i = 0; i < 8 && at < end; i++) {
    const code = text.charCodeAt(at);
    const isDash =
      code === 0x2013 ||
      code === 0x2014 ||
      code === 0x2015 ||
      ((code === 45 || code === 46) && !isWord(text.charCodeAt(at + 1)));
    const isSpaced = (code === 62 || code === 47) && isSpace(text.charCodeAt(at + 1));
    const separates =
      isDash ||
      isSpaced ||
      code === 124 ||
      code === 0xb7 ||
      code === 93 ||
      code === 41 ||
      code === 0xff09 ||
      code === 0xff0c ||
      code === 44 ||
      code === 42 ||
      // `_` closes markup behind a word; before one it belongs to it (`__init__.py`).
      (code === 95 && !isSpace(text.charCodeAt(at - 1)));
    if (!separates && !isColon(code) && !isSpace(code)) break;
    at++;
  }
  return at;
}

/** Skips numbering and decoration before the words of a heading: `1. `, `📦 `, `**`. */
export function beforeWords(text: string, at: number, end: number): number {
  for (let i = 0; i < 16 && at < end; i++) {
    const code = text.charCodeAt(at);
    if (isWord(code) || (!isSpace(code) && !isMarkup(code) && !isSymbol(code) && code !== 91)) break;
    at++;
  }
  return at;
}

/** Orders phases: numbers by value (fractions too), dotted labels as people count, then words. */
export function comparePhases(a: Phase, b: Phase): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const aNumeric = isDigit(String(a).charCodeAt(0));
  const bNumeric = isDigit(String(b).charCodeAt(0));
  if (aNumeric !== bNumeric) return aNumeric ? -1 : 1;
  return compareNaturally(String(a), String(b));
}
