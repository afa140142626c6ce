import { keyOf, lineShape } from "../../markdown/index.ts";
import { LONGEST_LABEL } from "./lines.ts";

/** A line that could have taken the first word of the next one within so many characters was ended by its author. */
const NARROW = 60;

/** A paragraph's statements: its author ended a line behind each, or began each with a label. */
export function statementsIn(text: string): string[] {
  const lines = text.trimEnd().split("\n");
  const labelled = isLabelled(lines[0]!);
  return joined(lines, (line, before) => isEnded(before, line) || (labelled && isLabelled(line)));
}

export interface ItemStatements {
  readonly own: string;
  /** `key: value` lines below an item's own one. */
  readonly below: readonly string[];
  /** Lines at the left margin that are written right behind it, and are none of it. */
  readonly behind: readonly string[];
}

/** What the lines of a list item state. */
export function itemStatements(text: string): ItemStatements {
  const lines = text.trimEnd().split("\n");
  const own = lines[0]!;
  const labelled = isLabelled(own.slice(lineShape(own.slice(0, 400)).content));
  const margin = lines.findIndex((line, at) => at > 0 && /^\S/.test(line) && isEnded(lines[at - 1]!, line));
  const inside = joined(
    margin < 0 ? lines : lines.slice(0, margin),
    line => labelled && /^\s/.test(line) && isLabelled(line),
  );
  return {
    own: inside[0]!,
    below: inside.slice(1),
    behind: margin < 0 ? [] : statementsIn(lines.slice(margin).join("\n")),
  };
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
