import { cellsOf, type Line, type Mark, marksIn, nameAt, readLine } from "./ack-lines.ts";
import { readAction } from "./ack-values.ts";
import { FIELD_OF, keyOf, LONG_KEYS, misspelt, RECEIVED, wordsOf } from "./ack-words.ts";

/** A field, the head, or something between them, with all lines that belong to it. */
export interface Unit {
  readonly kind: "head" | "field" | "unknown" | "prose";
  /** Lines, joined by spaces, or by commas where they are a list. */
  readonly text: string;
  /** The field it begins with. */
  readonly first?: Mark;
  /** A blank line stands before it. */
  readonly apart: boolean;
  /** It is an item of a list. */
  readonly item: boolean;
}

/** A unit that may still grow. */
interface Growing extends Unit {
  text: string;
  readonly indent: number;
  /** Its value stands in a list below its name. */
  listed: boolean;
  /** Only a deeper line goes on with it. */
  ended: boolean;
  empty: boolean;
}

/** Characters at the end of a line in which the beginning of a name is looked for. */
const WRAPPED = 40;
/** Words with which a head may end, and those after which another one follows if no stop does. */
const OPEN: ReadonlySet<string> = new Set(wordsOf("and 및 수신 확인 적용"));
const STOP = /[.!:*`_]$/;
const OPENING = /[:：]$/;
const SIGNAL = /^(?:done|fail|[A-Z]{3,12})[:：]/;
/** A field without its value. */
const DANGLING = /[:：] ?$/;
const UNFILLED = /^[\s*_`]*$/;

/** Puts the lines of an acknowledgement together: wrapped values, lists below a name, rows of tables. */
export function unitsOf(lines: readonly string[]): Unit[] {
  const [head = "", ...rest] = lines;
  const units: Growing[] = [begin("head", { kind: "text", text: head.trim(), indent: 0 }, false)];
  let gap = false;
  let columns: readonly string[] | undefined;
  const parsed = rest.map(readLine);
  for (const [index, line] of parsed.entries()) {
    if (line.kind === "blank" || line.kind === "fence" || line.kind === "rule") {
      gap = true;
      continue;
    }
    if (line.kind === "row") {
      const cells = cellsOf(line.text);
      if (isHeader(cells, parsed[index + 1]))
        columns = cells.some(cell => FIELD_OF.has(keyOf(cell))) ? cells : undefined;
      else units.push(...rowUnits(cells, columns, line, gap));
      gap = false;
      continue;
    }
    const named = nameAt(line);
    const last = units.at(-1)!;
    const isField = named !== undefined && "field" in named;
    if (isField && !gap && isWrappedName(last, line, named)) grow(last, line);
    else if (isField) {
      columns = undefined;
      units.push(begin("field", line, gap, named));
    } else if (goesOn(last, line, gap)) grow(last, line);
    else units.push(begin(named !== undefined && isDressed(line) ? "unknown" : "prose", line, gap));
    gap = false;
  }
  return units;
}

function isDressed({ kind, text }: Line): boolean {
  return kind === "item" || text.startsWith("**") || text.startsWith("__");
}

function begin(kind: Unit["kind"], line: Line, apart: boolean, first?: Mark): Growing {
  const { text, indent } = line;
  const unit: Growing = {
    kind,
    text,
    ...(first === undefined ? {} : { first }),
    apart,
    item: line.kind === "item",
    indent,
    listed: false,
    ended: false,
    empty: UNFILLED.test(first === undefined ? text : text.slice(first.to)),
  };
  unit.ended = isEnded(unit, text, first);
  return unit;
}

/** A head that says it is received, and an action that is named, take nothing more from the margin. */
function isEnded({ kind, empty }: Growing, line: string, first?: Mark): boolean {
  if (empty || kind === "prose" || kind === "unknown") return false;
  const last = marksIn(line, first, kind === "head").at(-1);
  if (last === undefined) return kind === "head" && isReceived(line);
  return isUnderstood(line, last);
}

function isReceived(line: string): boolean {
  const last = wordsOf(line).at(-1) ?? "";
  return RECEIVED.has(last) && (STOP.test(line) || !OPEN.has(last));
}

/** `received` and, on the next line, `and applied.` */
function isMoreReceived({ kind, text }: Line): boolean {
  const [first = ""] = text.split(" ", 1);
  return kind === "text" && first === first.toLowerCase() && RECEIVED.has(first.toUpperCase());
}

function isUnderstood(text: string, { field, to }: Mark): boolean {
  if (text.trimEnd().endsWith(",")) return false;
  const { action, plain } = field === "action" ? readAction(text.slice(to)) : {};
  return action !== undefined && plain === true;
}

/** Names of fields, or a row above a rule, are the columns; a pair of a field and its value there is a row like others. */
function isHeader(cells: readonly string[], next: Line | undefined): boolean {
  const [first = "", second = "", ...more] = cells;
  if (cells.length > 1 && cells.every(cell => FIELD_OF.has(keyOf(cell)))) return true;
  if (next?.kind !== "rule" || !next.text.includes("|")) return false;
  return more.length > 0 || !FIELD_OF.has(keyOf(first)) || FIELD_OF.has(keyOf(second));
}

function rowUnits(
  cells: readonly string[],
  columns: readonly string[] | undefined,
  line: Line,
  apart: boolean,
): Growing[] {
  if (columns !== undefined)
    return columns.map((name, index) => cellUnit(name, cells[index] ?? "", line, apart));
  const [name = "", ...values] = cells;
  return [cellUnit(name, values.join(" | "), line, apart)];
}

function cellUnit(name: string, value: string, line: Line, apart: boolean): Growing {
  const key = keyOf(name);
  const known = FIELD_OF.get(key);
  const field = known ?? misspelt(key);
  if (field === undefined) return begin("unknown", { ...line, text: `${name}: ${value}` }, apart);
  const mark = { field, from: 0, to: 0, ...(known === undefined ? { guessed: true } : {}) };
  return begin("field", { ...line, text: value }, apart, mark);
}

/** Whether the name that a line begins with has its first words at the end of the line before. */
function isWrappedName({ text }: Unit, line: Line, { to }: Mark): boolean {
  const tail = text.slice(-WRAPPED).split(" ").slice(-3);
  return tail.some((_, index) => {
    const words = tail.slice(index);
    return words.every(isWord) && LONG_KEYS.has(keyOf(`${words.join(" ")} ${line.text.slice(0, to)}`));
  });
}

const WORD = /^[\p{L}*_`]+$/u;

function isWord(word: string): boolean {
  return WORD.test(word);
}

/** Whether a line belongs to what stands before it. */
function goesOn(unit: Growing, line: Line, gap: boolean): boolean {
  if (!gap && !SIGNAL.test(line.text) && isRestOfAction(unit, line)) return true;
  if (unit.kind === "prose") return !gap && line.kind === "text" && OPENING.test(unit.text);
  if (SIGNAL.test(line.text) || line.kind === "heading") return false;
  if (
    unit.empty ||
    DANGLING.test(unit.text.slice(-2)) ||
    (unit.kind === "head" && !gap && isMoreReceived(line))
  )
    return true;
  if (line.indent > unit.indent && !(gap && unit.ended)) return unit.kind !== "head" || !gap;
  if (line.kind === "item") return unit.listed;
  return !gap && !unit.ended && unit.kind !== "unknown" && !unit.listed;
}

/** Characters at the end of a unit in which the action is named that goes on. */
const LONGEST_WRAPPED = 260;
const REST = /^[(\p{Ll}]/u;

/** `CONTINUE` and, on the next line, `with the old version`. */
function isRestOfAction({ text, first, kind }: Unit, line: Line): boolean {
  if (line.kind !== "text" || !REST.test(line.text)) return false;
  const tail = text.slice(-LONGEST_WRAPPED);
  return marksIn(tail, tail === text ? first : undefined, kind === "head").at(-1)?.field === "action";
}

function grow(unit: Growing, line: Line): void {
  if (unit.empty && line.kind === "item") unit.listed = true;
  unit.text += `${unit.listed && !unit.empty ? ", " : " "}${line.text}`;
  if (!unit.empty) {
    const last = marksIn(line.text).at(-1);
    if (last !== undefined) unit.ended = isUnderstood(line.text, last);
    return;
  }
  unit.empty = false;
  unit.ended = isEnded(unit, unit.text, unit.first);
}
