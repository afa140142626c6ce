import type { AckAction } from "./ack.ts";
import { DENYING, HEDGES, KOREAN_HEDGES, LEADING, NOTHING, tokensOf, wordsOf } from "./ack-words.ts";
import { type Acknowledged, isGoingOn, isPlainYes } from "./ack-yes.ts";

/** What an action's value says; not `plain` where it says more than one thing, or something that is not known. */
export interface SaidAction {
  readonly action?: AckAction;
  readonly plain: boolean;
}

/** Words from the gravest on: of several actions the first in this order counts. */
const GRAVITY: readonly AckAction[] = ["PAUSE", "NEED_CLARIFICATION", "CONTINUE"];

const PAUSING: ReadonlySet<string> = new Set(["PAUSE", "PAUSED", "PAUSES", "PAUSING"]);
const KOREAN_PAUSE = [
  "일시중지",
  "일시정지",
  "일시중단",
  "일시멈춤",
  "중단",
  "중지",
  "정지",
  "보류",
  "멈춤",
  "멈추",
  "멈춥",
  "멈춰",
  "멈출",
];
const KOREAN_CLARIFY = [
  "명확화",
  "명확히",
  "해명",
  "설명",
  "확인필요",
  "확인이필요",
  "확인요청",
  "질문",
  "문의",
];
/** Behind a Korean word these deny it. */
const KOREAN_DENIALS = ["없", "않", "안함", "불필요", "필요없"];

/** The gravest of several actions. */
export function gravest(actions: Iterable<AckAction | undefined>): AckAction | undefined {
  const said = new Set(actions);
  return GRAVITY.find(action => said.has(action));
}

/** Reads the value of an action: its name, and a remark that takes nothing back from what is acknowledged. */
export function readAction(value: string, of: Partial<Acknowledged> = {}): SaidAction {
  const words = tokensOf(value);
  const pauses = namedBy(words, word => PAUSING.has(word) || KOREAN_PAUSE.some(name => word.includes(name)));
  const asks = namedBy(words, (word, next) => {
    return word.includes("CLARIF") || KOREAN_CLARIFY.some(name => (word + next).startsWith(name));
  });
  const first = words.find(word => LETTER.test(word) && !LEADING.has(word)) ?? "";
  const isYes = isPlainYes(value, of);
  const goesOn = isYes || isGoingOn(first);
  const action = gravest([
    pauses === "said" ? "PAUSE" : undefined,
    asks === "said" ? "NEED_CLARIFICATION" : undefined,
    goesOn && pauses === "unsaid" && asks === "unsaid" && !isHedged(value, words) ? "CONTINUE" : undefined,
  ]);
  // Whoever repeats the form has chosen nothing.
  if (isForm(value) && pauses === "said" && asks === "said" && goesOn) return { plain: false };
  const kinds = [pauses !== "unsaid", asks !== "unsaid", goesOn || words.some(isGoingOn)];
  return {
    ...(action === undefined ? {} : { action }),
    plain: action !== undefined && kinds.filter(Boolean).length === 1 && (isYes || action !== "CONTINUE"),
  };
}

/** A form that was not filled in: `{NONE | description}`. */
export function isForm(value: string): boolean {
  const text = value.trimStart();
  const end = text.startsWith("{") ? text.indexOf("}") : text.startsWith("<") ? text.indexOf(">") : 0;
  return text.slice(0, end < 0 ? undefined : end).includes("|");
}

/** Whether a thing is named, and not only to say that it is not so. */
function namedBy(
  words: readonly string[],
  names: (word: string, next: string) => boolean,
): "said" | "denied" | "unsaid" {
  let found: "denied" | "unsaid" = "unsaid";
  for (const [index, word] of words.entries()) {
    if (!names(word, words[index + 1] ?? "")) continue;
    if (!isDenied(words, index)) return "said";
    found = "denied";
  }
  return found;
}

const LETTER = /\p{L}/u;

/** `no need to PAUSE`, `without a PAUSE`, `PAUSE 없이`: denied within its clause. */
export function isDenied(tokens: readonly string[], index: number): boolean {
  for (let at = index - 1; at >= Math.max(0, index - 3); at--) {
    if (DENYING.has(tokens[at]!)) return true;
    if (!LETTER.test(tokens[at]!)) break;
  }
  const behind = `${tokens[index]!}${tokens[index + 1] ?? ""}`;
  return KOREAN_DENIALS.some(denial => behind.includes(denial));
}

/** Whether a remark takes back what stands before it. */
export function isHedged(text: string, words: readonly string[]): boolean {
  return text.includes("?") || words.some(word => HEDGES.has(word)) || hedgedInKorean(text);
}

function hedgedInKorean(text: string): boolean {
  const plain = text.normalize("NFKC");
  return KOREAN_HEDGES.some(hedge => plain.includes(hedge));
}

/** What the value of a count says. */
export interface SaidItems {
  readonly items?: { readonly applied: number; readonly total: number };
  /** What it names as unclear itself, without a field of its own. */
  readonly unclear: readonly string[];
  readonly plain: boolean;
}

const COUNT_PART = /\d+|\p{L}+|[/.]/gu;
const NUMERALS = ["ZERO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN"];
const UNITS: ReadonlySet<string> = new Set(wordsOf("items item changes 개 건 항목 가지"));
const WHOLE: ReadonlySet<string> = new Set(wordsOf("all every full 모두 전부 전체 모든"));
/** Characters of a count in which its numbers are looked for. */
const COUNT_LENGTH = 200;

/** Reads `2/3`, `2 of 3`, `all 3`, `3개 중 2개`; counts of up to nine digits. */
export function readItems(value: string): SaidItems {
  const plain = value.normalize("NFKC").toUpperCase().replaceAll("⁄", "/");
  const parts = (plain.slice(0, COUNT_LENGTH).match(COUNT_PART) ?? []).filter(part => part !== ".");
  const { items, used } = countOf(parts);
  const unclear = unclearIn(value);
  const rest = parts.slice(used);
  const again = rest.some((part, index) => part === "/" && NUMBER.test(rest[index + 1] ?? ""));
  const whole = items === undefined && (WHOLE.has(parts[0] ?? "") || isNothingToCount(plain));
  const hedged = isHedged(value, wordsOf(value)) && unclear === undefined && items?.applied === items?.total;
  const negative = plain.trimStart().startsWith("-") && items !== undefined;
  const fraction = FRACTION.test(plain.slice(0, COUNT_LENGTH));
  return {
    ...(items === undefined ? {} : { items }),
    unclear: unclear ?? [],
    plain: (items !== undefined || whole) && !again && !hedged && !negative && !fraction,
  };
}

const NUMBER = /^\d{1,9}$/;
const FRACTION = /\d\.\d/;

/** The numbers at the beginning of a count, and how many of its parts they take. */
function countOf(parts: readonly string[]): { readonly items?: SaidItems["items"]; readonly used: number } {
  let at = 0;
  const whole = WHOLE.has(parts[0] ?? "");
  if (whole) at++;
  const first = numberOf(parts[at]);
  if (first === undefined) return { used: 0 };
  at++;
  while (UNITS.has(parts[at] ?? "")) at++;
  const between = parts[at];
  const second = between === "OUT" && parts[at + 1] === "OF" ? at + 2 : at + 1;
  const other = numberOf(parts[second]);
  if (other !== undefined && (between === "/" || between === "OF" || between === "OUT"))
    return { items: { applied: first, total: other }, used: second + 1 };
  if (other !== undefined && between!.endsWith("중"))
    return { items: { applied: other, total: first }, used: second + 1 };
  if (whole || WHOLE.has(between ?? "")) return { items: { applied: first, total: first }, used: at };
  return { used: 0 };
}

function numberOf(part: string | undefined): number | undefined {
  if (part === undefined) return undefined;
  const numeral = NUMERALS.indexOf(part);
  if (numeral >= 0) return numeral;
  return NUMBER.test(part) ? Number(part) : undefined;
}

/** A whole document has no items to count. */
function isNothingToCount(plain: string): boolean {
  const word = wordsOf(plain).join("");
  return word === "NA" || word === "해당없음" || plain.trim() === "-";
}

const UNCLEAR = ["UNCLEAR", "NOT UNDERSTOOD", "불명확", "불분명", "모호"];

/** What a count names as unclear in passing: `2/3 (unclear §D-7)`. Empty where it says that nothing is. */
function unclearIn(value: string): readonly string[] | undefined {
  const upper = value.toUpperCase();
  for (const word of UNCLEAR) {
    const at = upper.indexOf(word);
    if (at < 0) continue;
    const before = wordsOf(value.slice(Math.max(0, at - 20), at));
    if (before.slice(-2).some(said => NOTHING.has(said))) return [];
    const named = readUnclear(value.slice(at + word.length));
    return named.length > 0 ? named : [value.trim()];
  }
  return undefined;
}

/** Unclear items that are read. */
const MOST_UNCLEAR = 200;
const OPENING = " ,;§.([{<:-–—*`'\"“”‘’";
const CLOSING = ")]}>*`'\"“”‘’. ";

/** `§Decisions D-7, §"a, b"` → `Decisions D-7`, `a, b`; nothing for `none`. */
export function readUnclear(list: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < list.length && found.length < MOST_UNCLEAR; ) {
    let quoted: number | undefined;
    while (at < list.length && OPENING.includes(list[at]!)) {
      if (list[at] === '"') quoted = stringEnd(list, at);
      if (quoted !== undefined) break;
      at++;
    }
    if (quoted !== undefined) {
      const ref = unquoted(list.slice(at, quoted));
      // Behind `§` it is a name, even that of a section called `none`.
      if (list[at - 1] === "§" || !isNothing(ref)) found.push(ref);
      at = quoted;
      while (at < list.length && !",;§".includes(list[at]!)) at++;
      continue;
    }
    let end = at;
    while (end < list.length && !",;".includes(list[end]!)) end++;
    const ref = trimmedEnd(list.slice(at, end));
    if (!isNothing(ref)) found.push(ref);
    at = end + 1;
  }
  return found;
}

function isNothing(ref: string): boolean {
  const word = wordsOf(ref).join("");
  return word === "" || NOTHING.has(word);
}

function trimmedEnd(text: string): string {
  let end = text.length;
  while (end > 0 && CLOSING.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** The end of the JSON string that opens at a place. */
export function stringEnd(text: string, open: number): number | undefined {
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at + 1;
  }
  return undefined;
}

/** A JSON string as what it says; anything else as it stands. */
export function unquoted(text: string): string {
  if (!text.startsWith('"')) return text;
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}
