import { type Ack, type AckAction, isHalting } from "./ack.ts";
import { readHead } from "./ack-head.ts";
import { marksIn } from "./ack-lines.ts";
import { type Loud, loudIn } from "./ack-loud.ts";
import { type Unit, unitsOf } from "./ack-units.ts";
import {
  gravest,
  isForm,
  isHedged,
  readAction,
  readItems,
  readUnclear,
  stringEnd,
  unquoted,
} from "./ack-values.ts";
import { type Field, wordsOf } from "./ack-words.ts";
import { type Acknowledged, isContrary } from "./ack-yes.ts";

/** An acknowledgement as it was understood. */
export interface ReadBlock {
  /** Absent where its head names no version of a document. */
  readonly ack?: Ack;
  /** What it asks for, whether or not it can be attributed to a version. */
  readonly action?: AckAction;
  readonly impact: string;
  readonly loud: Loud;
}

/** Characters of an impact that are kept. */
const LONGEST_IMPACT = 16_384;
/** Characters to both sides of a line's end in which a wrapped phrase is looked for. */
const WRAPPED = 40;
/** Characters of what is shown as not understood. */
const LONGEST_DOUBT = 80;

/** What the lines of an acknowledgement say, before its values are read. */
interface Gathered {
  /** In front of the first field. */
  head: string;
  readonly fields: Map<Field, string>;
  /** Every value of every field, in order. */
  readonly said: [Field, string][];
  readonly louds: Loud[];
  readonly doubts: string[];
}

/**
 * Reads one acknowledgement: the lines from its tag on, the rest of the tag's line first. What is not understood,
 * contradicts or stands twice becomes its doubt; the gravest action of all that are named counts.
 */
export function readBlock(lines: readonly string[], inSentence: boolean): ReadBlock {
  const { head, fields, said, louds, doubts } = gather(lines);
  const read = readHead(head);
  if (read?.doubt !== undefined) doubts.push(read.doubt);
  if (inSentence) doubts.push(head);
  const values = valuesOf(fields, read ?? {}, doubts);
  const loud = {
    lost: louds.some(({ lost }) => lost),
    wantsFull: louds.some(({ wantsFull }) => wantsFull),
  };
  if (loud.lost || loud.wantsFull) doubts.push("full context");
  const named = said.map(([field, value]) =>
    field === "action" ? readAction(value, read).action : undefined,
  );
  const action = gravest([...named, ...louds.map(one => one.action)]);
  if (action !== values.action) doubts.push(action ?? "");
  const { impact, items, unclear, seen } = values;
  const asked = action === undefined ? {} : { action };
  if (read === undefined) return { impact, loud, ...asked };
  const { label, version, hash, serial } = read;
  const [doubt] = doubts;
  const ack: Ack = {
    label,
    version,
    ...(hash === undefined ? {} : { hash }),
    ...(serial === undefined ? {} : { serial }),
    ...(items === undefined ? {} : { items }),
    ...(seen === undefined ? {} : { seen }),
    impact,
    ...asked,
    unclear,
    ...(doubt === undefined ? {} : { doubt: doubt.trim().slice(0, LONGEST_DOUBT) }),
  };
  return { ack, impact, loud, ...asked };
}

function gather(lines: readonly string[]): Gathered {
  const fields = new Map<Field, string>();
  const got: Gathered = { head: "", fields, said: [], louds: [], doubts: [] };
  const { doubts, louds, said } = got;
  // Behind an action that is named, anything else ends it; a blank line does for good.
  let [isClosed, isAway, isList] = [false, false, false];
  let last = "";
  const take = (field: Field, value: string) => {
    // A report may say what was applied, too.
    if (isAway && field === "items" && readItems(value).items === undefined) return;
    said.push([field, value]);
    const first = fields.get(field);
    if (first === undefined) fields.set(field, value);
    else if (!isClosed || isGrave(field, value, first)) doubts.push(`${field}: ${value}`);
  };
  for (const unit of unitsOf(lines)) {
    const { kind, text, apart } = unit;
    const { before, parts } = partsOf(unit);
    if (kind === "head") got.head = before;
    else if (apart && fields.has("action")) isClosed = isAway = true;
    for (const { field, value, guessed } of parts) {
      if (guessed && !isAway) doubts.push(text);
      take(field, value);
    }
    isList ||= kind === "head" ? !fields.has("action") : kind === "field";
    if (kind === "head" || kind === "field") {
      last = withoutStrings(parts.at(-1)?.value ?? text).slice(-WRAPPED);
      continue;
    }
    const isFieldLike = kind === "unknown" && !isClosed && isList;
    if (isFieldLike || (!isAway && isDoubtful(unit, isList))) doubts.push(text);
    isClosed ||= fields.has("action");
    louds.push(loudIn(text));
    // A phrase may be wrapped where its line was not taken for the rest of the one before.
    const { lost, wantsFull } = loudIn(`${last} ${text.slice(0, WRAPPED)}`);
    if (!apart) louds.push({ lost, wantsFull });
    last = text.slice(-WRAPPED);
  }
  for (const [field, value] of said) {
    const { lost, wantsFull, action } = loudIn(field === "action" ? value : withoutStrings(value));
    louds.push({ lost, wantsFull, ...(field === "action" || action === undefined ? {} : { action }) });
  }
  louds.push(loudIn(got.head));
  return got;
}

/** A field with its value as it stands there. */
interface Part {
  readonly field: Field;
  readonly value: string;
  readonly guessed: boolean;
}

/** What stands before the fields of a unit, and they with their values. */
function partsOf({ text, first, kind }: Unit): { readonly before: string; readonly parts: readonly Part[] } {
  const all = marksIn(text, first, kind === "head");
  const marks = kind === "head" || kind === "field" ? all : all.filter(({ guessed }) => guessed !== true);
  const parts = marks.map(({ field, to, guessed = false }, index) => {
    return { field, value: text.slice(to, marks[index + 1]?.from), guessed };
  });
  return { before: text.slice(0, marks[0]?.from), parts };
}

/** The fields as values; what is not understood of them is told. */
function valuesOf(
  fields: ReadonlyMap<Field, string>,
  of: Partial<Acknowledged>,
  doubts: string[],
): Pick<Ack, "items" | "impact" | "unclear" | "action" | "seen"> {
  const counted = fields.get("items");
  const items = counted === undefined ? undefined : readItems(counted);
  if (items?.plain === false) doubts.push(`items: ${counted}`);
  const acted = fields.get("action");
  const action = acted === undefined ? undefined : readAction(acted, of);
  if (action?.plain === false) doubts.push(`action: ${acted}`);
  const impact = impactOf(fields.get("impact") ?? "");
  const seen = fields.get("seen");
  const isRefused = !isHalting(action?.action) && isContrary(impact);
  if (isRefused || isForm(fields.get("impact") ?? "")) doubts.push(`impact: ${impact}`);
  const unclear = [...(items?.unclear ?? []), ...readUnclear(fields.get("unclear") ?? "")];
  return {
    ...(items?.items === undefined ? {} : { items: items.items }),
    ...(seen === undefined ? {} : { seen: seen.includes("<") ? "" : impactOf(seen) }),
    impact,
    unclear,
    ...(action?.action === undefined ? {} : { action: action.action }),
  };
}

/** Whether a field that stands once more behind the end of an acknowledgement says what must not be lost. */
function isGrave(field: Field, value: string, first: string): boolean {
  if (field === "action") return isHalting(readAction(value).action);
  if (field === "unclear") return readUnclear(value).length > 0;
  if (field !== "items") return false;
  const [one, other] = [readItems(first).items, readItems(value).items];
  return other !== undefined && (other.applied !== one?.applied || other.total !== one.total);
}

/** Words close to it that say neither name nor value: an item of its list, or a sentence that takes something back. */
function isDoubtful({ text, item }: Unit, isList: boolean): boolean {
  return (item && isList) || isHedged(text, wordsOf(text));
}

const OPENING = "\"'([{";

const ONLY_TAIL = /^[\s*`.,;|"'(){}[\]<>-]*$/;

/** An impact without the emphasis around it, and the punctuation that parts it from what follows. */
function impactOf(value: string): string {
  let [from, to] = [0, value.length];
  const open = value.length - value.trimStart().length;
  const end = value[open] === '"' ? stringEnd(value, open) : undefined;
  if (end !== undefined && ONLY_TAIL.test(value.slice(end)))
    return unquoted(value.slice(open, end)).slice(0, LONGEST_IMPACT);
  while (to > 0 && isTail(value, to)) to--;
  while (from < to && (" *`\t".includes(value[from]!) || value.startsWith("_ ", from))) from++;
  const text = value.slice(from, to).trim();
  const braced = text.startsWith("{") && text.endsWith("}") && !text.includes("|");
  return unquoted(braced ? text.slice(1, -1).trim() : text).slice(0, LONGEST_IMPACT);
}

function isTail(value: string, to: number): boolean {
  const last = value[to - 1]!;
  const before = value[to - 2] ?? " ";
  if (" \t*`.,;|".includes(last) || ("-–—".includes(last) && before === " ")) return true;
  return OPENING.includes(last) && " .,;|*".includes(before);
}

/** A value without JSON strings at its beginning and behind `§`: a tool quotes what is not to be read. */
function withoutStrings(value: string): string {
  let said = "";
  let at = 0;
  let open = value.length - value.trimStart().length;
  while (open >= at) {
    const end = value[open] === '"' ? stringEnd(value, open) : undefined;
    if (end !== undefined) {
      said += value.slice(at, open);
      at = end;
    }
    const next = value.indexOf('§"', at);
    if (next < 0 || (end === undefined && open > next)) break;
    open = next + 1;
  }
  return said + value.slice(at);
}
