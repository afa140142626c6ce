import { type Item, lineShape } from "../markdown/index.ts";
import { markedStart, shorten, valueAfter } from "./excerpt.ts";
import { splitRow } from "./table.ts";

/** A tracked item whose status moved. `whole` tells that nothing else of it changed. */
export interface Transition {
  readonly moved: { readonly place: string; readonly before: string; readonly after: string };
  readonly whole: boolean;
}

const WORDS: ReadonlySet<string> = new Set(
  (
    "done complete completed finished pending ready blocked failed paused waiting cancelled canceled skipped todo wip " +
    "in_progress in-progress active inactive abandoned merged open closed started shipped planned approved rejected " +
    "resolved unresolved reverted created modified deleted added removed verified unverified next " +
    "✅ ❌ ⏳ 🚧 🔄 ☑ ☐ ⬜ 완료 진행중 대기 실패 차단 completado pendiente listo bloqueado cerrado"
  ).split(" "),
);
/** Titles of a column that says where something stands, in lower case. */
export const STATUS_TITLES: ReadonlySet<string> = new Set(["status", "state", "estado", "상태"]);

/** The status that moved between two forms of an item, by its box, its status column, or a status word as its value. */
export function transitionOf(
  a: Item,
  b: Item,
  /** Of the table before and of the one after. */
  titles: () => readonly (readonly string[])[],
): Transition | undefined {
  if (a.kind === "table-row" && b.kind === "table-row")
    return inRow(splitRow(a.text), splitRow(b.text), titles());
  return byBox(a, b) ?? byWord(a, b);
}

function byBox(a: Item, b: Item): Transition | undefined {
  const [old, next] = [lineShape(a.text), lineShape(b.text)];
  if (old.box === undefined || next.box === undefined || old.box === next.box) return undefined;
  const [before, after] = [a.text.slice(old.content).trim(), b.text.slice(next.content).trim()];
  const place = shorten(b.text.slice(markedStart(b.text)), 80);
  return { moved: { place, before: boxWord(old.box), after: boxWord(next.box) }, whole: before === after };
}

function boxWord(box: string): string {
  if (box === " ") return "open";
  return box.toLowerCase() === "x" ? "done" : `[${box}]`;
}

function byWord(a: Item, b: Item): Transition | undefined {
  if (a.key === undefined || a.key !== b.key) return undefined;
  const [before, after] = [valueText(a), valueText(b)];
  const [old, next] = [statusIn(before), statusIn(after)];
  if (old === undefined || next === undefined || old === next) return undefined;
  const whole = before.length < 60 && after.length < 60;
  return {
    moved: whole ? { place: b.key, before, after } : { place: b.key, before: old, after: next },
    whole,
  };
}

function valueText({ text, key = "", kind }: Item): string {
  return shorten(valueAfter(text, key, kind === "front-matter" ? 0 : markedStart(text)), 200);
}

/** The status word a value begins with. */
function statusIn(marked: string): string | undefined {
  const value = marked.replace(/^[*_`~]+/, "");
  const end = value.search(/[\s,.;:()*`]/);
  const word = (end < 0 ? value : value.slice(0, end)).toLowerCase();
  return WORDS.has(word) ? word : undefined;
}

function inRow(
  before: readonly string[],
  after: readonly string[],
  titles: readonly (readonly string[])[],
): Transition | undefined {
  const columns = titles.map(row => row.findIndex(title => STATUS_TITLES.has(title.toLowerCase().trim())));
  const [was = -1, column = -1] = columns;
  const [old, next] = [before[was], after[column]];
  if (was < 1 || column < 1 || old === undefined || next === undefined || old === next) return undefined;
  if (before[0] !== after[0]) return undefined;
  const whole =
    was === column &&
    before.length === after.length &&
    after.every((cell, at) => at === column || cell === before[at]);
  return { moved: { place: shorten(after[0]!, 80), before: old, after: next }, whole };
}
