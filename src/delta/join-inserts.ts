import { diffStrings } from "./intern.ts";
import { joinsJson, readJson } from "./join-json.ts";

/** A text as its lines without their ends; `ended` where a newline stands behind the last one. */
interface Lines {
  readonly lines: readonly string[];
  readonly ended: boolean;
}

/**
 * The lines of a text. One that lacks only its newline counts as the same with it, so that appending to it changes no old
 * line; undefined where a carriage return at the end could belong to the line or to a newline that is missing.
 */
function readLines(text: string): Lines | undefined {
  const lines = text.split("\n");
  const last = lines.pop()!;
  if (last === "") return { lines, ended: true };
  if (last.endsWith("\r")) return undefined;
  lines.push(lines.at(-1)?.endsWith("\r") === true ? `${last}\r` : last);
  return { lines, ended: false };
}

function writeLines(lines: readonly string[], ended: boolean): string {
  if (lines.length === 0) return "";
  const text = lines.join("\n");
  if (ended) return `${text}\n`;
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}

/** How many lines two texts begin with in common. */
function commonStart(ours: readonly string[], theirs: readonly string[]): number {
  let at = 0;
  while (at < ours.length && ours[at] === theirs[at]) at++;
  return at;
}

/** Lines of the base from `from` to before `to` that give way to others on one side. */
interface Change {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
  /** The line before got a comma, which it needs only because of what stands behind it now. */
  readonly separated?: boolean;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, at) => line === other[at]);
}

function withComma(line: string): string {
  return line.endsWith("\r") ? `${line.slice(0, -1)},\r` : `${line},`;
}

/** What one side did to the base. A comma that an old line got before new ones is told apart from them: it changes nothing. */
function changesOf(base: readonly string[], side: readonly string[]): readonly Change[] {
  return diffStrings(base, side).flatMap(({ a: from, aEnd: to, b, bEnd }): readonly Change[] => {
    const lines = side.slice(b, bEnd);
    const at = to - from === 1 ? lines.indexOf(withComma(base[from]!)) : -1;
    if (at === -1 || at === lines.length - 1) return [{ from, to, lines }];
    const behind = { from: to, to, lines: lines.slice(at + 1), separated: true };
    return at === 0 ? [behind] : [{ from, to: from, lines: lines.slice(0, at) }, behind];
  });
}

/** Lines that end one item of a list, with the comma that the next one needs; undefined where they end in something else. */
function separated(lines: readonly string[]): readonly string[] | undefined {
  const last = lines.at(-1)!.trim();
  if (last.endsWith(",")) return lines;
  return /^(?:\/\/|\/\*|\*|#|--)|[;:([{]$|^$/u.test(last)
    ? undefined
    : [...lines.slice(0, -1), withComma(lines.at(-1)!)];
}

/** Items that both sides put between the brackets of a line that held none, e.g. `"scripts": {}`. */
function opened(base: readonly string[], one: Change, other: Change): readonly string[] | undefined {
  const [line = ""] = base.slice(one.from, one.to);
  const [first, last] = [one.lines[0], one.lines.at(-1)];
  const isAlike = first === other.lines[0] && last === other.lines.at(-1);
  if (one.to - one.from !== 1 || !isAlike || first === undefined || last === undefined) return undefined;
  if (Math.min(one.lines.length, other.lines.length) < 3 || line !== first.trimEnd() + last.trimStart())
    return undefined;
  const items = separated(one.lines.slice(1, -1));
  return items && [first, ...items, ...other.lines.slice(1)];
}

/** Two changes that meet, as one run of lines; undefined where one of them is more than an insertion. */
function meet(
  base: readonly string[],
  one: Change,
  other: Change,
  isJson: boolean,
): readonly string[] | undefined {
  if (one.separated !== other.separated) return undefined;
  if (one.from === other.from && one.to === other.to && isSame(one.lines, other.lines)) return one.lines;
  const insertOnly = one.from === one.to && other.from === other.to;
  if (!insertOnly)
    return isJson && one.from === other.from && one.to === other.to ? opened(base, one, other) : undefined;
  const lines = one.separated === true ? separated(one.lines) : one.lines;
  return lines && [...lines, ...other.lines];
}

/** Both sides' changes of the base in its order; undefined where two meet that are no insertions at one place. */
function mergeChanges(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
  isJson: boolean,
): readonly string[] | undefined {
  const [left, right] = [changesOf(base, ours), changesOf(base, theirs)];
  const commas = new Set(
    [...left, ...right].flatMap(change => (change.separated === true ? [change.from - 1] : [])),
  );
  const old = base.map((line, at) => (commas.has(at) ? withComma(line) : line));
  const joined: string[] = [];
  let from = 0;
  const take = (change: Change, lines: readonly string[]) => {
    joined.push(...old.slice(from, change.from), ...lines);
    from = change.to;
  };
  for (let at = 0, to = 0; at < left.length || to < right.length; ) {
    const one = left[at];
    const other = right[to];
    if (other === undefined || (one !== undefined && one.to < other.from)) {
      take(one!, one!.lines);
      at++;
    } else if (one === undefined || other.to < one.from) {
      take(other, other.lines);
      to++;
    } else {
      const both = meet(base, one, other, isJson);
      if (both === undefined) return undefined;
      take(one, both);
      at++;
      to++;
    }
  }
  joined.push(...old.slice(from));
  return joined;
}

/**
 * Joins two descendants of a text. Where both inserted lines at one place, those of `ours` stand before those of `theirs`;
 * the same change on both sides stands once, and a comma before what was inserted changes nothing. Undefined where both changed
 * the same old lines, or lines that touch, and where both are JSON and the result would not be what both say. Without a base,
 * what both begin with is the base. Texts are any characters, such as bytes read as Latin-1.
 */
export function joinInserts(base: string | undefined, ours: string, theirs: string): string | undefined {
  const one = readLines(ours);
  const other = readLines(theirs);
  const known = base === undefined ? undefined : readLines(base);
  if (one === undefined || other === undefined || (base !== undefined && known === undefined))
    return undefined;
  const values = { base: readJson(base ?? ""), ours: readJson(ours), theirs: readJson(theirs) };
  // Objects of a line each are items of a list, as in JSON Lines.
  const isWhole = Math.max(one.lines.length, other.lines.length) > 1;
  const isJson = isWhole && values.ours !== undefined && values.theirs !== undefined;
  const lines = known?.lines ?? one.lines.slice(0, commonStart(one.lines, other.lines));
  const joined = mergeChanges(lines, one.lines, other.lines, isJson);
  if (joined === undefined) return undefined;
  // The side that differs from the base has changed it; a base without lines has no last newline to keep.
  const wasEnded = lines.length > 0 && known !== undefined ? known.ended : false;
  const ended = one.ended === wasEnded ? other.ended : one.ended;
  const text = writeLines(joined, ended);
  return !isJson || joinsJson(values, text) ? text : undefined;
}
