import { isSpace, isSymbol } from "./chars.ts";

/** The words around ids in dependency values, in the languages task files are written in. */

const NONE_WORDS = new Set(
  (
    "없음|없다|무|無|无|なし|해당없음|해당|독립|독립적|불필요|불가|불가능|none|no|nothing|null|nil|na|n/a|n.a|x|-|–|—|―|∅|" +
    "false|false.|independent|standalone"
  ).split("|"),
);
const BESIDE =
  "병렬|독립|무관|동시|불필요|without|independent|parallel|concurrent|並列|并行|不依赖|not depend|not block".split(
    "|",
  );
const AFTER =
  "완료 후|완료후|이후|끝난 후|종료 후|다음에|후에|完了後|完成后|之后|after|once|following|depends|의존".split(
    "|",
  );
const APART =
  "순차|순서대로|차례로|불가|금지|안 됨|안됨|sequential|in sequence|in series|serially|cannot|can't|can not|not parallel|not in parallel|not with|逐次|直列|串行|顺序|不可".split(
    "|",
  );
const ARCHIVED =
  "완료|archive|아카이브|done|complete|기존|이전 버전|삭제|済|完了|已完成|shipped|merged|✅".split("|");
const RESOURCE = "resource|리소스|backend|백엔드|api".split("|");
const SCREEN = "screen|화면|frontend|프론트엔드|ui".split("|");

function contains(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.some(word => lower.includes(word));
}

/** The text speaks of tasks that run beside, and need not come first. */
export function saysBeside(text: string): boolean {
  return contains(text, BESIDE);
}

/** The text speaks of tasks that are not to run beside: `T1.2와 순차`, `T1.2와 병렬 불가`. */
export function saysApart(text: string): boolean {
  return contains(text, APART);
}

/** The text puts what it names before: `T1.1 완료 후`. */
export function saysAfter(text: string): boolean {
  return contains(text, AFTER);
}

/** The text leaves open which of what it names is meant: `T1.2 or T1.3`. */
export function saysEither(text: string): boolean {
  return /(?:^|[^\p{L}\p{N}])(?:or|또는|혹은)(?=$|[^\p{L}\p{N}])|或|または/iu.test(text);
}

/** The text says that what it names is finished and may be gone from the file. */
export function saysArchived(text: string): boolean {
  return contains(text, ARCHIVED);
}

/** Which tasks of a phase are meant: `P1 Resource 태스크`, `Phase 2 화면`. */
export function partOfPhase(text: string): "R" | "S" | undefined {
  const rest = text.slice(0, 40).trimStart().toLowerCase();
  if (RESOURCE.some(word => rest.startsWith(word))) return "R";
  return SCREEN.some(word => rest.startsWith(word)) ? "S" : undefined;
}

/** The value says "none", whatever remark follows: `없음 (T12.1과 병렬 가능)`, `N/A`, `[]`. */
export function saysNone(text: string): boolean {
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
    NONE_WORDS.has(clean) ||
    (NONE_WORDS.has(word) && !/^(?:no|x|해당|독립|불가)$/.test(word)) ||
    /^(?:no (?:dep|pre)|해당 없|독립|불가|없)/.test(clean)
  );
}
