import type { AckAction } from "./ack.ts";
import { gravest, isDenied } from "./ack-values.ts";
import { DENYING } from "./ack-words.ts";

/** What is heard wherever it stands: lost, it would let work go on that must not. */
export interface Loud {
  readonly action?: AckAction;
  readonly lost: boolean;
  readonly wantsFull: boolean;
}

const SPOKEN = /[\p{L}\p{N}]+|[.,;:!?()|—–\n]/gu;
const ALNUM = /[\p{L}\p{N}]/u;
const ASKED: ReadonlySet<string> = new Set(["NEED", "NEEDS", "REQUEST", "REQUESTS"]);

/** What words in capitals and fixed phrases in free text say, whatever the sentence around them. */
export function loudIn(text: string): Loud {
  const spoken = [...text.matchAll(SPOKEN)].map(({ 0: word, index }) => ({
    word,
    from: index,
    to: index + word.length,
  }));
  const words = spoken.map(({ word }) => word.toUpperCase());
  const actions: AckAction[] = [];
  let lost = false;
  for (const [index, { word, from, to }] of spoken.entries()) {
    const before = spoken[index - 1];
    if (word === "PAUSE") {
      if (!isDenied(words, index) && !isPartOfName(text, from, to)) actions.push("PAUSE");
    } else if (word === "CLARIFICATION" && before !== undefined && ASKED.has(before.word)) {
      if (!isDenied(words, index - 1) && !isPartOfName(text, before.from, to))
        actions.push("NEED_CLARIFICATION");
    } else if (word === "LOST" && before?.word === "CONTEXT") {
      lost ||= !isDenied(words, index - 1) && isLoss(text, before.from, to);
    }
  }
  const action = gravest(actions);
  return { ...(action === undefined ? {} : { action }), lost, wantsFull: wantsFull(words) };
}

/** Part of a path, or of a name in code. */
function isPartOfName(text: string, from: number, to: number): boolean {
  const before = text[from - 1] ?? " ";
  const behind = text[to] ?? " ";
  if ("./$@".includes(before) || "(/".includes(behind)) return true;
  if ("_-".includes(before) && ALNUM.test(text[from - 2] ?? " ")) return true;
  return "._-".includes(behind) && ALNUM.test(text[to + 1] ?? " ");
}

const CLAUSE = ".,;:!?|()[]{}<>*_`\"'“”—–-#=";

/** `CONTEXT_LOST` alone, at the beginning of a clause or at its end: not the name of something within a sentence. */
function isLoss(text: string, from: number, to: number): boolean {
  if (isPartOfName(text, from, to)) return false;
  let before = from - 1;
  let behind = to;
  while (text[before] === " ") before--;
  while (text[behind] === " ") behind++;
  return [text[before], text[behind]].some(
    char => char === undefined || char === "\n" || CLAUSE.includes(char),
  );
}

const WHOLE: ReadonlySet<string> = new Set(["CONTEXT", "GC", "INJECTION", "REINJECTION"]);
const WANTING: ReadonlySet<string> = new Set(
  "NEED NEEDS NEEDED REQUEST REQUESTING REQUESTED REQUIRE REQUIRED REQUIRES SEND RESEND PLEASE WANT".split(
    " ",
  ),
);
const KOREAN_CONTEXT = ["컨텍스트", "콘텍스트", "문맥", "GC"];
const KOREAN_WANTING = ["필요", "요청", "재전송", "보내", "다시", "주세요"];

/** All of it: `전체 컨텍스트`, `컨텍스트 전체가`, `GC 전문을`. */
export function isKoreanWhole(word: string): boolean {
  return /^(?:전체|전문|전부)[가를을이]?$/u.test(word);
}

export function isKoreanContext(word: string): boolean {
  return KOREAN_CONTEXT.some(name => word.startsWith(name));
}

/** `need full context`, `full context needed`, `전체 컨텍스트가 필요합니다`, `컨텍스트 전체가 필요합니다`. */
function wantsFull(words: readonly string[]): boolean {
  return words.some((word, index) => {
    const next = words[index + 1] ?? "";
    if (word === "FULL" && WHOLE.has(next)) {
      const clause = clauseAround(words, index);
      return clause.some(said => WANTING.has(said)) && !clause.some(said => DENYING.has(said));
    }
    const isAll =
      (word === "전체" && isKoreanContext(next)) || (isKoreanContext(word) && isKoreanWhole(next));
    if (!isAll) return false;
    const behind = words.slice(index + 2, index + 5);
    const asks = behind.some(said => KOREAN_WANTING.some(want => said.startsWith(want)));
    return (
      asks && !behind.some(said => said.includes("없") || said.includes("않") || said.startsWith("불필요"))
    );
  });
}

/** The words of a clause around one of them, a few to each side. */
function clauseAround(words: readonly string[], index: number): readonly string[] {
  let [from, to] = [index, index];
  while (from > Math.max(0, index - 5) && ALNUM.test(words[from - 1]!)) from--;
  while (to < Math.min(words.length - 1, index + 5) && ALNUM.test(words[to + 1]!)) to++;
  return words.slice(from, to + 1);
}
