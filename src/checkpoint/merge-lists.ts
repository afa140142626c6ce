import { type Item, keyOf, lineShape, scanMarkdown } from "../markdown/index.ts";
import { plain } from "./differences.ts";
import type { MergeConflict } from "./merge.ts";
import { isDelimiterRow, splitRow } from "./table.ts";

/** One section merged. */
export interface Merged {
  readonly text: string;
  readonly conflicts?: readonly Omit<MergeConflict, "section">[];
}

/** Lines of a section with what is new put behind the last of its kind. */
function append(old: string, after: Item | undefined, lines: readonly string[]): string {
  if (lines.length === 0) return old;
  const all = old.split("\n");
  let at = after === undefined ? all.length : after.line + after.text.trimEnd().split("\n").length;
  if (after === undefined) while (at > 1 && all[at - 1]!.trim() === "") at--;
  const gap = after === undefined ? [""] : [];
  return [...all.slice(0, at), ...gap, ...lines, ...all.slice(at)].join("\n");
}

function itemsOf(text: string, kind: "list" | "row"): Item[] {
  return scanMarkdown(text).items.filter(item =>
    kind === "row"
      ? item.kind === "table-row"
      : (item.kind === "list-item" || item.kind === "key-value") && lineShape(item.text).marker !== "",
  );
}

/** What a decision is called: its id (`D-4`, `AD-1`), else nothing. */
function decisionId(item: Item): string | undefined {
  const word = plain(item).split(/[\s:.)*|]/, 1)[0] ?? "";
  return /^[A-Z]{1,4}-?\d{1,4}$/.test(word) ? word : undefined;
}

/** Decisions only ever come on top; one under a known id with other words is a conflict. */
export function accumulate(old: string, fresh: string): Merged {
  const rows = itemsOf(old, "row");
  const kind = rows.length > 0 && itemsOf(old, "list").length === 0 ? "row" : "list";
  const known = itemsOf(old, kind);
  const texts = new Set(known.map(plain));
  const byId = new Map(
    known.flatMap(item => (decisionId(item) === undefined ? [] : [[decisionId(item)!, item]])),
  );
  const conflicts: Omit<MergeConflict, "section">[] = [];
  const added: string[] = [];
  for (const item of itemsOf(fresh, kind === "row" ? "row" : "list")) {
    const text = plain(item);
    if (texts.has(text) || isDelimiterRow(item.text)) continue;
    texts.add(text);
    const same = byId.get(decisionId(item) ?? "");
    if (same === undefined) added.push(item.text.trimEnd());
    else
      conflicts.push({
        kept: plain(same),
        refused: text,
        why: "decisions are never rewritten; give it an id of its own",
      });
  }
  // `None yet.` and the like give way to the first decision.
  if (known.length === 0 && added.length > 0 && kind === "list") {
    const heading = old.split("\n")[0]!;
    return { text: `${heading}\n\n${added.join("\n")}\n${old.endsWith("\n\n") ? "\n" : ""}`, conflicts };
  }
  return { text: append(old, known.at(-1), added), conflicts };
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
  return { text: append(updated, itemsOf(updated, "list").at(-1), added) };
}

/** Rows are updated by what names them (a file, a reference), never dropped. */
export function mergeRows(old: string, fresh: string): Merged {
  const [known, come] = [itemsOf(old, "row"), itemsOf(fresh, "row")];
  if (known.length === 0)
    return {
      text: append(
        old,
        undefined,
        come.map(item => item.text.trimEnd()),
      ),
    };
  const news = new Map(namedRows(come).map(({ name, item }) => [name, item.text.trimEnd()]));
  const lines = old.split("\n");
  for (const { name, item } of namedRows(known)) {
    const text = news.get(name);
    if (text === undefined) continue;
    news.delete(name);
    lines[item.line] = text;
  }
  return { text: append(lines.join("\n"), known.at(-1), [...news.values()]) };
}

/** The rows below a table's titles, by the second cell of `Type | Reference | Hint`, else by the first. */
function namedRows(rows: readonly Item[]): { name: string; item: Item }[] {
  const titles = splitRow(rows[0]?.text ?? "").map(title => title.toLowerCase());
  const column = titles.indexOf("reference") === 1 ? 1 : 0;
  return rows.flatMap((item, at) =>
    isDelimiterRow(item.text) || isDelimiterRow(rows[at + 1]?.text ?? "")
      ? []
      : [{ name: splitRow(item.text)[column] ?? "", item }],
  );
}

const EARLIER = "Earlier:";

/** Steps come on top; what is older than the recent ones becomes one line that counts them. */
export function recount(old: string, fresh: string, recent: number): Merged {
  const known = itemsOf(old, "list");
  const news = itemsOf(fresh, "list").map(item => item.text.trimEnd());
  const texts = [...known.map(item => item.text.trimEnd()), ...news];
  const first = texts[0] === undefined ? undefined : earlierCount(texts[0]);
  const steps = first === undefined ? texts : texts.slice(1);
  if (steps.length <= recent) return { text: append(old, known.at(-1), news) };
  const dropped = steps.slice(0, steps.length - recent);
  const phases = [...new Set([...(first?.phases ?? []), ...dropped.flatMap(phaseOf)])];
  const count = (first?.count ?? 0) + dropped.length;
  const named = phases.length === 0 ? "" : ` (phase ${phases.join(", ")})`;
  const lines = old.split("\n");
  const [start, end] = [known[0]?.line, known.at(-1)];
  const rest = [
    `- ${EARLIER} ${count} steps${named}, in the checkpoints before this one`,
    ...steps.slice(-recent),
  ];
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
  const start = step.indexOf(EARLIER);
  if (start < 0 || start > 4) return undefined;
  const count = Number.parseInt(step.slice(start + EARLIER.length).trim(), 10);
  if (!Number.isInteger(count)) return undefined;
  const open = step.indexOf("(phase ");
  const close = step.indexOf(")", open);
  const phases = open < 0 || close < 0 ? [] : step.slice(open + 7, close).split(", ");
  return { count, phases };
}
