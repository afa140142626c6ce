import { isSpace, isWord, skipSpaces } from "./chars.ts";
import { skipDecoration } from "./clauses.ts";
import { readId, readNumber } from "./ids.ts";
import { readPhaseWord } from "./phase.ts";

/** Words in front of the ids that a task waits for. */
const BEFORE =
  /^(?:depends? (?:up)?on|dependent on|depending on|blocked (?:by|on)|wait(?:s|ing)? for|requires?|needs?|after|following|once)[:：]? +/i;
/** Words behind them, up to the end; runs of spaces are one. */
const BEHIND =
  /^ ?(?:에|을|를|이|가|의)? ?(?:모두|전부|먼저)? ?(?:의존(?:성|함)?|선행(?: ?필요)?|필요|완료 ?(?:후|뒤|시|이후|필요|되면)|끝난 ?(?:후|뒤)|종료 ?후|이후|다음|후|뒤)(?:에만|에)? ?(?:진행|시작|착수|실행|가능)? ?[.。]?$/;
const BETWEEN = /^(?:[,，、·+&/~〜～–—-]|\.{2,3}|…|및|와|과|부터|and |or |to |through )/;
/** What separates the words of a title from what it waits for. */
const LONGEST = 160;

/** Where a row of ids, joined by commas, "and" or as a range, ends; or -1 where none begins at `at`. */
function idsEnd(text: string, at: number): number {
  let end = -1;
  for (let from = skipDecoration(text, at); from < text.length; ) {
    const phase = readPhaseWord(text, from, text.length);
    const read =
      phase !== undefined && !phase.weak
        ? phase
        : (readId(text, from, text.length, true) ??
          (end < 0 ? undefined : readNumber(text, from, text.length)));
    if (read === undefined) break;
    end = read.end;
    if (text[end] === "*" && text[end - 1] === "-") end++;
    let next = end;
    while (isSpace(text.charCodeAt(next)) || "*`_]".includes(text[next] ?? " ")) next++;
    const joint = BETWEEN.exec(text.slice(next, next + 10));
    if (joint === null) break;
    from = skipDecoration(text, next + joint[0].length);
  }
  return end;
}

/** Text without closing markup and brackets. */
function isOver(text: string, at: number): boolean {
  for (let i = at; i < text.length; i++) if (!" \t*`_)].。~".includes(text[i]!)) return false;
  return true;
}

/**
 * Whether a text says nothing but what has to come first: `after T1.1`, `needs T1.1, T1.2`, `T1.1에 의존`,
 * `R1~R4 의존`, `T1.1 완료 후`. Words between the ids and their reason make it something else.
 */
export function saysWait(text: string): boolean {
  if (text.length > LONGEST) return false;
  const at = skipSpaces(text, 0, text.length);
  const before = BEFORE.exec(text.slice(at, at + 24));
  if (before !== null) {
    const end = idsEnd(text, at + before[0].length);
    return end >= 0 && isOver(text, end);
  }
  const end = idsEnd(text, at);
  if (end < 0) return false;
  let next = end;
  while ("*`_]".includes(text[next] ?? " ")) next++;
  return BEHIND.test(text.slice(next).replaceAll(/ +/g, " "));
}

const REASON = /의존|선행|완료 ?(?:후|뒤)|끝난 ?(?:후|뒤)|종료 ?후|이후/g;

/**
 * Where words begin that speak of ids as of what comes first, though other words beside them make it a mention: `needs T1.1 to
 * be rewritten`, `T1.1 이후 바뀐 문서`; -1 where none do.
 */
export function mentionOfWait(title: string): number {
  if (title.length > 1000) return -1;
  for (const { index, 0: words } of title.matchAll(IN_WORDS))
    if (!isWord(title.charCodeAt(index - 1)) && idsEnd(title, index + words.length) >= 0) return index;
  for (const { index } of title.matchAll(REASON)) {
    const before = title
      .slice(Math.max(0, index - LONGEST_ID), index)
      .replace(/(?:에|을|를|이|가|의)? ?$/, "");
    const at = index - Math.min(index, LONGEST_ID) + before.lastIndexOf(" ") + 1;
    if (idsEnd(title.slice(0, index), at) >= 0) return at;
  }
  return -1;
}

const LONGEST_ID = 40;

const IN_WORDS = /(?:depends? (?:up)?on|blocked (?:by|on)|waits? for|after|needs|requires) /gi;

/** Where such words begin that end a title in the open: `Login after T1.1`, `화면 — R1 의존`; -1 where none do. */
export function waitAtEnd(title: string): number {
  if (title.length > 1000) return -1;
  for (const { index } of title.matchAll(IN_WORDS)) {
    const isWhole = index > 0 && !isWord(title.charCodeAt(index - 1));
    // `before and after T1.1` compares.
    if (isWhole && !/(?:and|or) $/i.test(title.slice(0, index)) && saysWait(title.slice(index))) return index;
  }
  for (const mark of [" — ", " – ", " - ", " | ", ", "]) {
    const at = title.lastIndexOf(mark);
    if (at > 0 && saysWait(title.slice(at + mark.length))) return at + mark.length;
  }
  return -1;
}
