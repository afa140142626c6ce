import { contentStart, type Item, keyOf, scanMarkdown } from "../markdown/index.ts";
import { told } from "../text/index.ts";
import { append, itemsOf } from "./merge-append.ts";
import { adaptRows, mergeRows } from "./merge-rows.ts";
import type { Clash, Merged } from "./merged.ts";
import { plain } from "./side.ts";
import { isDelimiterRow, oneLine, splitRow } from "./table.ts";
import type { DeltaWords } from "./words.ts";

/** What a decision is called: its id (`D-4`, `AD-1`), else nothing. */
function decisionId(item: Item): string | undefined {
  const word = plain(item).split(/[\s:.)*|]/, 1)[0] ?? "";
  return /^[A-Z]{1,4}-?\d{1,4}$/.test(word) ? word : undefined;
}

/** Words of a decision, whether they stand in a list or in a row. */
function wordsOf(item: Item): string {
  return oneLine(plain(item).replaceAll(/[|:]/g, " "), 2_000);
}

const NOTHING =
  /^(?:none|nothing|n\/a|아직 없음|없음|없습니다|아직 없습니다|ninguna|nada)(?: yet| so far)?[.!]?$/i;

/** `None yet.`, `아직 없음`: what stands in the place of what is not there. */
export function saysNothing(body: string): boolean {
  return body === "" || NOTHING.test(body);
}

/** A section's own text and, apart, its subsections, which are taken as they are. */
function apartFrom(section: string): { own: string; below: string } {
  const lines = section.split("\n");
  const second = scanMarkdown(section).items.find(({ kind, line }) => kind === "heading" && line > 0);
  const at = second?.line ?? lines.length;
  return { own: lines.slice(0, at).join("\n"), below: lines.slice(at).join("\n").trim() };
}

/**
 * Decisions only ever come on top, in a list, a table, or in subsections of their own; one under a known id with other
 * words is a conflict.
 */
export function accumulate(old: string, fresh: string): Merged {
  const { own, below } = apartFrom(fresh);
  const known = [...itemsOf(old, "list"), ...dataRows(old)];
  const texts = new Set(known.map(wordsOf));
  const byId = new Map(
    known.flatMap(item => (decisionId(item) === undefined ? [] : [[decisionId(item)!, item]])),
  );
  const conflicts: Clash[] = [];
  const isNew = (item: Item): boolean => {
    const text = wordsOf(item);
    if (texts.has(text)) return false;
    texts.add(text);
    const same = byId.get(decisionId(item) ?? "");
    if (same !== undefined)
      conflicts.push({
        kept: plain(same),
        refused: plain(item),
        why: told`decisions are never rewritten; give it an id of its own`,
      });
    return same === undefined;
  };
  const listed = itemsOf(own, "list").filter(isNew);
  const rows = dataRows(own).filter(isNew);
  const body = bodyOf(own);
  const prose = itemsOf(own, "list").length + dataRows(own).length > 0 || saysNothing(body) ? "" : body;
  return { text: withDecisions(old, { listed, rows, texts: [prose, below] }, own), conflicts };
}

/** Decisions behind those of their kind; rows become list items where the section has no table. */
function withDecisions(
  old: string,
  { listed, rows, texts }: { listed: readonly Item[]; rows: readonly Item[]; texts: readonly string[] },
  fresh: string,
): string {
  const table = itemsOf(old, "row");
  const items = listed.map(item => item.text.trimEnd());
  if (table.length === 0) items.push(...rows.map(item => `- ${listedRow(item)}`));
  const blocks = texts.filter(text => text !== "" && !old.includes(text));
  if (items.length + rows.length + blocks.length === 0) return old;
  // `None yet.` and the like give way to the first decision.
  const base = saysNothing(bodyOf(old)) ? `${old.split("\n")[0]!}\n${old.endsWith("\n\n") ? "\n" : ""}` : old;
  let text = table.length === 0 ? base : append(base, table.at(-1), adaptRows(old, fresh, rows));
  text = append(text, itemsOf(text, "list").at(-1), items);
  for (const block of blocks) text = append(text, undefined, block.split("\n"));
  return text;
}

function bodyOf(section: string): string {
  return section.slice(section.split("\n", 1)[0]!.length).trim();
}

/** The rows of a section below their titles. */
function dataRows(section: string): Item[] {
  const rows = itemsOf(section, "row");
  return rows.filter((item, at) => !isDelimiterRow(item.text) && !isDelimiterRow(rows[at + 1]?.text ?? ""));
}

/** `D-4: keep it; for speed`. */
function listedRow(item: Item): string {
  const [first = "", ...rest] = splitRow(item.text).filter(cell => cell !== "");
  return rest.length === 0 ? first : `${first}: ${rest.join("; ")}`;
}

/** Facts are updated by their name; others stay. */
export function replaceFields(old: string, fresh: string): Merged {
  const news = new Map<string, string>();
  const unnamed: string[] = [];
  for (const item of itemsOf(fresh, "list")) {
    const key = keyOf(item.text);
    if (key === undefined) unnamed.push(item.text.trimEnd());
    else news.set(key, item.text.trimEnd());
  }
  const items = itemsOf(old, "list");
  const lines = old.split("\n");
  const texts = new Set(items.map(item => item.text.trimEnd()));
  const replaced = new Set<number>();
  for (const item of items) {
    const key = keyOf(item.text);
    const text = key === undefined ? undefined : news.get(key);
    if (text === undefined) continue;
    news.delete(key!);
    lines[item.line] = text;
    const height = item.text.trimEnd().split("\n").length;
    for (let below = 1; below < height; below++) replaced.add(item.line + below);
  }
  const updated = lines.filter((_, line) => !replaced.has(line)).join("\n");
  const added = [...news.values(), ...unnamed.filter(text => !texts.has(text))];
  return mergeRows(append(updated, itemsOf(updated, "list").at(-1), added), fresh);
}

const EARLIER = ["Earlier:", "이전:"] as const;
const PHASES = ["(phase ", "(단계 "] as const;

/** Steps come on top; what is older than the recent ones becomes one line that counts them. */
export function recount(old: string, fresh: string, recent: number, words: DeltaWords): Merged {
  const known = itemsOf(old, "list");
  const news = itemsOf(fresh, "list").map(item => item.text.trimEnd());
  const texts = [...known.map(item => item.text.trimEnd()), ...news];
  const first = texts[0] === undefined ? undefined : earlierCount(texts[0]);
  const steps = first === undefined ? texts : texts.slice(1);
  if (steps.length <= recent) return { text: append(old, known.at(-1), news) };
  const dropped = steps.slice(0, steps.length - recent);
  const phases = [...new Set([...(first?.phases ?? []), ...dropped.flatMap(phaseOf)])];
  const count = (first?.count ?? 0) + dropped.length;
  const lines = old.split("\n");
  const [start, end] = [known[0]?.line, known.at(-1)];
  const rest = [`- ${words.earlier(count, phases)}`, ...steps.slice(-recent)];
  if (start === undefined || end === undefined) return { text: append(old, undefined, rest) };
  const until = end.line + end.text.trimEnd().split("\n").length;
  return { text: [...lines.slice(0, start), ...rest, ...lines.slice(until)].join("\n") };
}

function phaseOf(step: string): string[] {
  const start = step.indexOf("Phase ");
  const end = step.indexOf(" →", start);
  return start < 0 || start > 4 || end < 0 ? [] : [step.slice(start + 6, end)];
}

function earlierCount(step: string): { count: number; phases: string[] } | undefined {
  const text = step.slice(contentStart(step));
  const mark = EARLIER.find(one => text.startsWith(one));
  const count = Number.parseInt(text.slice(mark?.length).trim(), 10);
  if (mark === undefined || !Number.isInteger(count)) return undefined;
  const opening = PHASES.find(one => text.includes(one));
  const open = opening === undefined ? -1 : text.indexOf(opening);
  const close = text.indexOf(")", open);
  const phases = open < 0 || close < 0 ? [] : text.slice(open + opening!.length, close).split(", ");
  return { count, phases };
}
