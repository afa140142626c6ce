import { keyOf, lineShape } from "../../markdown/index.ts";
import { LONGEST_LABEL } from "./lines.ts";

/** A line that could have taken the first word of the next one within so many characters was ended by its author. */
const NARROW = 60;

/** A paragraph's statements: its author ended a line behind each, or began each with a label; a log has one a line. */
export function statementsIn(text: string): string[] {
  const lines = text.trimEnd().split("\n");
  const labelled = isLabelled(lines[0]!);
  return (
    logged(lines) ?? joined(lines, (line, before) => isEnded(before, line) || (labelled && isLabelled(line)))
  );
}

/** Keys in keys that are followed. */
const DEEPEST_KEYS = 20;
/** Lines of a log that are looked at, and the fewest it has. */
const MOST_LOOKED_AT = 400;
const FEWEST = 4;
/** How programs begin a line: with a time, a place or a name in code, a level, or the state of a test. */
const RECORD =
  /^(?:\S*[\d/_=@[\]]\S*|(?:INFO|WARN(?:ING)?|ERROR|DEBUG|TRACE|FATAL|NOTICE|CRITICAL|PASS(?:ED)?|FAIL(?:ED)?|SKIP(?:PED)?)\b|[✓✔✗✘×√●]|(?:not )?ok \d|(?:error|warning):)/u;

/** The statements of a text in which most lines are what programs tell while they work; undefined of any other. */
function logged(lines: readonly string[]): string[] | undefined {
  const margin = Math.min(
    ...lines
      .slice(0, MOST_LOOKED_AT)
      .map(line => line.search(/\S/))
      .filter(at => at >= 0),
  );
  const begins = (line: string) => line.search(/\S/) === margin;
  const own = lines.slice(0, MOST_LOOKED_AT).filter(begins);
  const isLog =
    own.length >= FEWEST && own.filter(line => RECORD.test(line.slice(margin))).length >= own.length * 0.8;
  return isLog ? joined(lines, begins) : undefined;
}

/** A line that stands under a key alone where it is indented further: `above` is the place of that among the lines, -1 the item's own. */
export interface KeyLine {
  readonly text: string;
  readonly above: number;
  /** Keys between its item and itself. */
  readonly deeper: number;
}

export interface ItemStatements {
  readonly own: string;
  /** `key: value` lines below an item's own one. */
  readonly below: readonly KeyLine[];
  /** Lines no further right than its mark that are written right behind it, and are none of it. */
  readonly behind: readonly string[];
}

/** What the lines of a list item state. */
export function itemStatements(text: string): ItemStatements {
  const lines = text.trimEnd().split("\n");
  const own = lines[0]!;
  const labelled = isLabelled(own.slice(lineShape(own.slice(0, 400)).content));
  const { indent } = lineShape(own.slice(0, 400));
  const margin = lines.findIndex((line, at) => {
    if (at === 0 || lineShape(line.slice(0, 400)).indent > indent) return false;
    return isEnded(lines[at - 1]!, line) || isTitle(lines[at - 1]!, line);
  });
  const inside = joined(
    margin < 0 ? lines : lines.slice(0, margin),
    line => labelled && /^\s/.test(line) && isLabelled(line),
  );
  return {
    own: inside[0]!,
    below: keyLines(inside.slice(1)),
    behind: margin < 0 ? [] : statementsIn(lines.slice(margin).join("\n")),
  };
}

function keyLines(lines: readonly string[]): KeyLine[] {
  const open: { readonly indent: number; readonly at: number }[] = [];
  return lines.map((text, at) => {
    const { indent } = lineShape(text.slice(0, 400));
    while (open.length > 0 && open.at(-1)!.indent >= indent) open.pop();
    const line = { text, above: open.at(-1)?.at ?? -1, deeper: open.length };
    if (/[:：]\s*$/u.test(text) && open.length < DEEPEST_KEYS) open.push({ indent, at });
    return line;
  });
}

/** Lines with those that go on them. */
function joined(lines: readonly string[], begins: (line: string, before: string) => boolean): string[] {
  const statements: string[] = [];
  for (const [at, line] of lines.entries()) {
    if (at === 0 || begins(line, lines[at - 1]!)) statements.push(line);
    else statements.push(`${statements.pop()!} ${line}`);
  }
  return statements;
}

/** Words that a line does not end with: what follows goes on it. */
const OPEN_END = /\b(?:the|an?|of|as|to|in|on|by|for|with|and|or|these|this|that|is|are)$/iu;

/** Whether a line is a title in all but its marks: a label alone (`Never do:`, `must_not:`, `금지:`), or bold to its end. */
function isTitle(before: string, line: string): boolean {
  const words = line.trim();
  if (words.length > LONGEST_LABEL + 4 || OPEN_END.test(before.trimEnd())) return false;
  const isBold = words.startsWith("**") && words.indexOf("**", 2) === words.length - 2;
  if (isBold) return true;
  // A wrapped line goes on in small letters, or ends a Korean sentence.
  const isKey = /^[a-z]+(?:[_-][a-z]+)*:$/u.test(words);
  return isKey || (/^[^\p{Ll}([,.;]/u.test(words) && /[:：]\**$/u.test(words) && !/다[:：]\**$/u.test(words));
}

function isLabelled(line: string): boolean {
  const key = keyOf(line);
  return key !== undefined && key.length <= LONGEST_LABEL;
}

/** Whether the author ended a line rather than its width: by the marks for that, or far before the next word had no room. */
function isEnded(line: string, next: string): boolean {
  const words = next.trim();
  if (/^[\p{Ll}([,.;:—–&+]/u.test(words)) return false;
  if (/ {2}\r?$|\\\r?$/.test(line.slice(-4))) return true;
  const end = line.trimEnd();
  if (/[,;:—–&+-]$/.test(end)) return false;
  const blank = words.indexOf(" ");
  return end.length + 1 + (blank < 0 ? words.length : blank) <= NARROW;
}
