import type { Entity, EntityKind } from "./types.ts";

/** Endings of file names that are told from the ends of sentences. */
const EXTENSIONS: ReadonlySet<string> = new Set(
  (
    "ts tsx js jsx mjs cjs mts json jsonl md mdx yaml yml toml lock env txt csv tsv sql py rs go java kt swift rb php c h cc " +
    "cpp hpp cs sh bash zsh ps1 html css scss svg png jpg jpeg gif pdf xml proto graphql ini cfg conf log db sqlite ipynb vue svelte zip gz"
  ).split(" "),
);

/** First folders that make two plain words a path. */
const ROOTS: ReadonlySet<string> = new Set(
  "src lib test tests docs doc app apps bin bench scripts web api packages server client config public examples tools pkg cmd internal".split(
    " ",
  ),
);

/** What follows a number and belongs to it. */
const UNITS: ReadonlySet<string> = new Set(
  (
    "% ms s sec secs seconds second min mins minutes minute h hour hours day days week weeks month months year years b kb mb gb tb " +
    "kib mib gib bytes byte tokens token rows row lines line files file tests test users user requests request req rps qps px em rem x " +
    "percent points point items item cases case errors error retries attempts workers threads connections usd eur krw"
  ).split(" "),
);
const KOREAN_UNITS = [
  "퍼센트",
  "시간",
  "토큰",
  "단계",
  "개월",
  "개",
  "명",
  "초",
  "분",
  "일",
  "건",
  "원",
  "배",
  "회",
  "번",
  "줄",
  "행",
  "년",
  "월",
  "주",
  "만",
];

/** Longer words are data, not names. */
const LONGEST = 200;

const HEX = /^[0-9a-f]{7,40}$/;
const NUMBER = /^[$€₩~<>=+-]{0,2}(\d[\d,.]*)([a-zA-Z%µ]{0,8})$/;
const DATE = /^\d{4}-\d{2}(?:-\d{2})?$|^\d{1,2}:\d{2}(?::\d{2})?$/;
const VERSION = /^v?\d{1,6}\.\d{1,6}\.\d{1,6}(?:[-.][\w.-]*)?$/;
const IDENTIFIER = /^[A-Za-z_$][\w$.]*$/;

/** What a word names; undefined for an ordinary one. `after` is the text behind it, for units. */
export function classify(word: string, after: string): Entity | undefined {
  if (word.length < 2 || word.length > LONGEST) return isDigit(word) ? number(word, after) : undefined;
  if (word.includes("://")) return entity("path", word);
  const path = pathOf(word);
  if (path !== undefined) return entity("path", path);
  if (isDigit(word[0]!) || /^[$€₩~<>=+-]{1,2}\d/.test(word)) return number(word, after);
  if (word.startsWith("v") && VERSION.test(word)) return entity("number", word);
  if (isId(word)) return entity("id", word);
  if (isIdentifier(word)) return entity("code", word);
  return word.startsWith("--") && /^--[a-z][a-z0-9-]+$/.test(word) ? entity("code", word) : undefined;
}

/** The identity of what stands in code marks. */
export function classifyCode(content: string): Entity {
  const bare = content.endsWith("()") ? content.slice(0, -2) : content;
  return (content.includes(" ") ? undefined : classify(bare, "")) ?? entity("code", bare);
}

function entity(kind: EntityKind, key: string): Entity {
  return { kind, key };
}

function isDigit(text: string): boolean {
  const code = text.charCodeAt(0);
  return code >= 48 && code <= 57;
}

/** A path without `./` and line number, or undefined. */
function pathOf(word: string): string | undefined {
  const bare = withoutPlace(word.startsWith("./") ? word.slice(2) : word);
  const slash = bare.indexOf("/");
  if (slash < 0) return isFileName(bare) ? bare : undefined;
  const parts = bare.split("/");
  if (parts.some((part, at) => part === "" && at > 0 && at < parts.length - 1)) return undefined;
  const rest = parts.filter(part => part !== "");
  if (rest.every(part => /^\d+$/.test(part))) return undefined;
  if (slash === 0) return rest[0]!.length > 1 ? bare : undefined;
  if (rest.length > 2 && rest.every(part => part.length > 1)) return bare;
  if (bare.startsWith("../") || bare.startsWith("~/") || bare.startsWith("@")) return bare;
  if (ROOTS.has(rest[0]!) || isFileName(rest.at(-1)!)) return bare;
  return rest.length > 1 && rest.some(part => /[a-z][-_.][a-z]/.test(part)) ? bare : undefined;
}

/** `src/a.ts:12` → `src/a.ts`. */
function withoutPlace(word: string): string {
  const colon = word.indexOf(":");
  return colon > 0 && isDigit(word.slice(colon + 1)) ? word.slice(0, colon) : word;
}

function isFileName(word: string): boolean {
  const dot = word.lastIndexOf(".");
  if (dot === 0) return /^\.[a-z]{2,20}$/.test(word);
  return dot > 0 && EXTENSIONS.has(word.slice(dot + 1).toLowerCase()) && !/^\d+$/.test(word.slice(0, dot));
}

/** A number with its unit, a version, a date; one digit alone is no fact unless it has a unit. */
function number(word: string, after: string): Entity | undefined {
  if (DATE.test(word) || VERSION.test(word)) return entity("number", word);
  if (HEX.test(word) && /[a-f]/.test(word)) return entity("id", word);
  const match = NUMBER.exec(word);
  if (match === null) return undefined;
  const value = match[1]!.replaceAll(",", "");
  const digits = value.endsWith(".") ? value.slice(0, -1) : value;
  const unit = match[2]! === "" ? unitAfter(after) : match[2]!;
  if (unit !== "") return entity("number", `${digits}${unit.toLowerCase()}`);
  return digits.length > 1 ? entity("number", digits) : undefined;
}

function unitAfter(after: string): string {
  const korean = KOREAN_UNITS.find(unit => after.startsWith(unit));
  if (korean !== undefined) return korean;
  const word = /^ ?([A-Za-z%]{1,11})/.exec(after)?.[1]?.toLowerCase() ?? "";
  return UNITS.has(word) ? word : "";
}

/** `T1.3`, `D-7`, `ADR-002`, `P2-S1-T1`, `GC-v4`, `#123`, a commit's hash. */
function isId(word: string): boolean {
  if (HEX.test(word)) return /\d/.test(word) && /[a-f]/.test(word);
  if (/^#\d{1,9}$/.test(word)) return true;
  return word.length <= 40 && /^[A-Z]{1,10}(?:-v|-)?\d[\w.-]*$/.test(word);
}

/** `snake_case`, `camelCase`, `SCREAMING_CASE`, `a.bC`: spelt like no word of prose. */
function isIdentifier(word: string): boolean {
  if (!IDENTIFIER.test(word)) return false;
  const inner = word.slice(1);
  return /[A-Za-z\d]_[A-Za-z\d]/.test(word) || /[a-z\d][A-Z]/.test(inner);
}
