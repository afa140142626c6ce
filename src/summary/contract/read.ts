import { type Item, keyOf, lineShape, type MarkdownDocument, scanMarkdown } from "../../markdown/index.ts";
import { type Collector, createCollector } from "./collect.ts";
import { type Field, fieldOf, SINGLE } from "./fields.ts";
import { looksLikeContract, readStructured } from "./structured.ts";
import { readOptionTable, splitRow } from "./table.ts";
import type { ContractReading } from "./types.ts";
import { readShare } from "./values.ts";

/** Longer statements are prose: their lines are not looked at one by one. */
const LONGEST_LEAD = 4000;

/** Reads an output's contract, from structured blocks first, then from labels, headings and tables. */
export function readContract(text: string): ContractReading {
  return contractOf(scanMarkdown(text));
}

/** The same of a document that is scanned already. */
export function contractOf(document: MarkdownDocument): ContractReading {
  const into = createCollector();
  readBlocks(document, into);
  readKeyLine(document.items, into);
  readLabels(document, into);
  if (into.has("decision")) {
    if (!into.has("tScore")) into.problem("missing", "tScore", "");
    if (!into.has("confidence")) into.problem("missing", "confidence", "");
  } else into.problem("missing", "decision", "");
  return { contract: into.finish(), problems: into.problems };
}

/** Front matter and fenced YAML or JSON. */
function readBlocks({ items, frontMatterLines }: MarkdownDocument, into: Collector): void {
  if (frontMatterLines > 2) {
    const front = items.slice(1, frontMatterLines - 1).map(item => item.text);
    if (!readStructured(front.join(""), into)) {
      into.problem("unreadable", "front matter", front.join(" "));
      for (const line of front) readLine(line, into);
    }
  }
  for (const item of items) {
    if (item.kind !== "fence" || !looksLikeContract(item.text)) continue;
    const lines = item.text.split("\n");
    const info = lines[0]!.trim().slice(3).toLowerCase();
    if (info !== "" && info !== "yaml" && info !== "yml" && info !== "json") continue;
    const body = lines.slice(1, lines.at(-1) === "" ? -2 : -1);
    if (readStructured(body.join("\n"), into)) continue;
    into.problem("unreadable", `block at line ${item.line + 1}`, body.join(" "));
    for (const line of body) readLine(line, into);
  }
}

function readLine(line: string, into: Collector): void {
  const colon = line.indexOf(":");
  const field = colon < 1 ? undefined : fieldOf(line.slice(0, colon).trim());
  if (field !== undefined) into.add(field, line.slice(colon + 1));
}

/** The one-line form: `[02] Use a queue | T=0.55 | 80/100`. */
function readKeyLine(items: readonly Item[], into: Collector): void {
  const first = items.find(item => item.kind !== "blank" && item.kind !== "heading");
  if (first === undefined || !first.text.startsWith("[") || first.text.length > 2000) return;
  const close = first.text.indexOf("] ");
  const parts =
    close < 0
      ? []
      : first.text
          .slice(close + 2)
          .trim()
          .split(" | ");
  if (parts.length < 2) return;
  const rest = parts
    .slice(1)
    .filter(part => part.startsWith("T=") || typeof readShare(part, true) === "number");
  if (rest.length < parts.length - 1) return;
  into.add("agent", first.text.slice(1, close));
  into.add("decision", parts[0]!);
  for (const part of rest) into.add(part.startsWith("T=") ? "tScore" : "confidence", part);
}

/** Where a value belongs that stands without a key of its own. */
interface Open {
  readonly field: Field;
  readonly depth: number;
}

/** A statement: a list item, or a line of a paragraph that begins with a field's name, with the lines that follow it. */
interface Statement {
  readonly text: string;
  readonly key: string | undefined;
  readonly depth: number;
  readonly prose: boolean;
}

/** Labels, headings, and lists below either. */
function readLabels({ items, sections }: MarkdownDocument, into: Collector): void {
  let section = -1;
  let heading: Open | undefined;
  let label: Open | undefined;
  const take = ({ text, key, depth, prose }: Statement): void => {
    const field = key === undefined ? undefined : fieldOf(key);
    if (field !== undefined) {
      const value = behindKey(text, key!);
      label = value === "" ? { field, depth } : undefined;
      addAll(field, value, into);
      return;
    }
    const open = label ?? heading;
    if (open !== undefined && (SINGLE.has(open.field) || !prose || open.depth === -1))
      into.add(open.field, text);
    if (prose || (open !== undefined && SINGLE.has(open.field))) label = undefined;
    // Only what stands right below the heading is its value.
    if (open !== undefined && SINGLE.has(open.field)) heading = undefined;
  };
  for (let at = 0; at < items.length; at++) {
    const item = items[at]!;
    if (item.section !== section) {
      section = item.section;
      const field = fieldOf(sections[section]!.title);
      heading = field === undefined ? undefined : { field, depth: -1 };
      label = undefined;
    }
    if (item.kind === "table-row") {
      const rows: string[] = [];
      while (items[at]?.kind === "table-row") rows.push(items[at++]!.text);
      at--;
      readTable(rows, into);
    } else if (item.kind === "key-value" || item.kind === "list-item" || item.kind === "paragraph") {
      for (const statement of statementsOf(item)) take(statement);
    }
  }
}

function* statementsOf(item: Item): Generator<Statement> {
  const { marker, content } = lineShape(item.text.slice(0, LONGEST_LEAD));
  const text = item.text.slice(content);
  if (marker !== "" || text.length > LONGEST_LEAD) {
    yield { text, key: item.key, depth: item.depth, prose: marker === "" };
    return;
  }
  let open: { text: string; readonly key: string | undefined } | undefined;
  for (const line of text.split("\n")) {
    const key = keyOf(line);
    if (open === undefined || (key !== undefined && fieldOf(key) !== undefined)) {
      if (open !== undefined) yield { ...open, depth: item.depth, prose: true };
      open = { text: line, key };
    } else open.text += ` ${line}`;
  }
  if (open !== undefined) yield { ...open, depth: item.depth, prose: true };
}

/** Several values on one line stand apart by semicolons. */
function addAll(field: Field, value: string, into: Collector): void {
  if (SINGLE.has(field) || !value.includes("; ")) into.add(field, value);
  else for (const one of value.split("; ")) into.add(field, one);
}

/** What stands behind the key's colon and its marks. */
function behindKey(text: string, key: string): string {
  const colon = text.indexOf(":", text.indexOf(key));
  let from = colon + 1;
  while (from < text.length && "*_`".includes(text[from]!)) from++;
  return text.slice(from).trim();
}

/** A table of options with their scores, or one of keys and values; names of columns are no values. */
function readTable(rows: readonly string[], into: Collector): void {
  if (readOptionTable(rows, into)) return;
  const fields = rows.slice(0, 200).map(row => {
    const [key = "", value = "", ...more] = splitRow(row);
    return { field: more.length === 0 ? fieldOf(key) : undefined, value };
  });
  const isOther = rows.length > 2 && fields.slice(1).every(({ field }) => field === undefined);
  for (const { field, value } of isOther ? [] : fields) if (field !== undefined) addAll(field, value, into);
}
