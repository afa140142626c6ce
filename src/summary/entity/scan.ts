import type { Entity } from "./types.ts";
import { classify, classifyCode } from "./word.ts";

/** Characters between two code marks that still are a name. */
const LONGEST_SPAN = 120;
/** Characters of a run that are looked at: beyond it is data. */
const LONGEST_RUN = 400;

const WORD = new Uint8Array(128);
for (const char of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./-@:#%+~$&?=") {
  WORD[char.charCodeAt(0)] = 1;
}

/** Calls back for every fact of a text, in order, as often as it stands there. Linear for any text. */
export function scanEntities(text: string, found: (entity: Entity) => void): void {
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === 96) at = codeSpan(text, at, found);
    else if (code < 128 && WORD[code] === 1) at = run(text, at, found);
    else at++;
  }
}

/** The facts of a text with how often each stands there, by identity. */
export function entitiesIn(text: string): Map<string, { readonly entity: Entity; count: number }> {
  const counts = new Map<string, { readonly entity: Entity; count: number }>();
  scanEntities(text, entity => {
    const before = counts.get(entity.key);
    if (before === undefined) counts.set(entity.key, { entity, count: 1 });
    else before.count++;
  });
  return counts;
}

/** Reads what stands between two backticks of one line; returns where to go on. */
function codeSpan(text: string, at: number, found: (entity: Entity) => void): number {
  let open = at;
  while (text.charCodeAt(open) === 96) open++;
  const marks = open - at;
  if (marks > 2) return open;
  const limit = Math.min(text.length, open + LONGEST_SPAN);
  let close = open;
  while (close < limit && text.charCodeAt(close) !== 96 && text.charCodeAt(close) !== 10) close++;
  if (close >= limit || text.charCodeAt(close) !== 96 || close === open) return open;
  const content = text.slice(open, close).trim();
  if (content !== "") found(classifyCode(content));
  // A command line names files and flags besides itself.
  if (content.includes(" ")) scanEntities(content.replaceAll("`", ""), found);
  return close + marks;
}

/** Reads a run of word characters; returns where to go on. */
function run(text: string, from: number, found: (entity: Entity) => void): number {
  let end = from;
  for (;;) {
    while (end < text.length && isWordAt(text, end, from)) end++;
    const next = placeholderEnd(text, end);
    if (next === end) break;
    end = next;
  }
  if (end - from > LONGEST_RUN) return end;
  const words = text.slice(from, end);
  const pieces = words.includes("://") ? [words] : words.split(/[=&?]/);
  let at = from;
  for (const piece of pieces) {
    const behind = at + piece.length;
    for (const word of trimmed(piece)) {
      const entity = classify(word, behind === end ? text.slice(end, end + 13) : "");
      if (entity !== undefined) found(entity);
    }
    at = behind + 1;
  }
  return end;
}

/** `/users/{id}/orders` is one path: the end of a placeholder behind a slash, or `at` itself. */
function placeholderEnd(text: string, at: number): number {
  if (text.charCodeAt(at) !== 123 || text.charCodeAt(at - 1) !== 47) return at;
  for (let end = at + 1; end < at + 32 && end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === 125) return end + 1;
    if (code >= 128 || WORD[code] !== 1) return at;
  }
  return at;
}

/** A comma between digits belongs to a number: `12,345`. */
function isWordAt(text: string, at: number, from: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128 && WORD[code] === 1) return true;
  if (code !== 44 || at === from) return false;
  return [at - 1, at + 1, at + 2, at + 3].every(digit => isDigit(text.charCodeAt(digit)));
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** A run without the punctuation around it; what a colon joins that is no place, time or address comes apart. */
function trimmed(run: string): readonly string[] {
  let from = 0;
  let end = run.length;
  while (from < end && "-+?&:%.".includes(run[from]!) && !opensName(run, from)) from++;
  while (end > from && ".:-?&/#~".includes(run[end - 1]!)) end--;
  // A folder keeps its slash: it tells it from a word.
  if (run[end] === "/" && end > from) end++;
  const word = run.slice(from, end);
  if (!word.includes(":") || word.includes("://") || isDigit(word.charCodeAt(word.indexOf(":") + 1)))
    return [word];
  return word.split(":").filter(part => part !== "");
}

/** `--flag`, `./path`, `../path`, `.env`, `-5`. */
function opensName(run: string, at: number): boolean {
  const next = run[at + 1] ?? "";
  if (run[at] === ".") return next === "/" || next === "." || (next >= "a" && next <= "z");
  return run[at] === "-" && (next === "-" || isDigit(next.charCodeAt(0)));
}
