import { type Item, isBlank, type MarkdownDocument } from "../../markdown/index.ts";

/** Keys at the left margin, in small letters, that a text has at least to be taken for YAML. */
const FEWEST_KEYS = 3;
/** Lines of data that are read, and characters of JSON. */
const MOST_LINES = 20_000;
const MOST_JSON = 2_000_000;
/** Keys in keys of JSON that is read. */
const DEEPEST = 40;

/**
 * The lines of an output that is nothing but YAML or JSON with keys in keys, bare or in one fence: they are read like front matter.
 * Markdown would take their lists for lists of their own, and JSON for a paragraph.
 */
export function dataLines({ items, sections }: MarkdownDocument): readonly Item[] | undefined {
  const told = items.filter(({ kind }) => kind !== "blank");
  const [only] = told;
  if (only === undefined || sections.some(({ level }) => level > 0)) return undefined;
  const fence = told.length === 1 ? /^(?:```+|~~~+) *(ya?ml|json)\s/i.exec(only.text)?.[1] : undefined;
  const isMarkdown = told.some(
    ({ kind }) => kind === "fence" || kind === "table-row" || kind === "front-matter",
  );
  if (fence === undefined && isMarkdown) return undefined;
  const text = fence === undefined ? items.map(item => item.text).join("") : withinFence(only.text);
  const lines = jsonIn(text) ?? yamlIn(text);
  return lines?.map((own, line) => ({ kind: "front-matter", text: own, line, section: 0, depth: 0 }));
}

/** Without the marks of the fence. */
function withinFence(text: string): string {
  const lines = text.trimEnd().split("\n").slice(1);
  return (/^\s*(?:```|~~~)/.test(lines.at(-1) ?? "") ? lines.slice(0, -1) : lines).join("\n");
}

/** JSON, one key or value a line, indented; brackets that only close are left out. */
function jsonIn(text: string): readonly string[] | undefined {
  const json = text.trim();
  if (!/^[[{]/.test(json) || json.length > MOST_JSON || !isJson(json)) return undefined;
  const lines: string[] = [];
  let line = "";
  let depth = 0;
  const end = () => {
    if (line !== "") lines.push(`${"  ".repeat(Math.max(0, depth - 1))}${line}`);
    line = "";
  };
  for (const [token] of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[[{]\s*[\]}]|[[\]{}:,]|[^\s"[\]{}:,]+/g)) {
    if (token === "," || token === "]" || token === "}") end();
    else line += token === ":" ? ": " : token;
    if (token === "[" || token === "{") end();
    depth += token === "[" || token === "{" ? 1 : token === "]" || token === "}" ? -1 : 0;
    if (depth > DEEPEST) return undefined;
  }
  end();
  // What all of it stands in says nothing.
  return lines.length > MOST_LINES ? undefined : lines.slice(1);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function yamlIn(text: string): readonly string[] | undefined {
  const lines = text.split("\n", MOST_LINES + 1);
  if (lines.length > MOST_LINES) return undefined;
  let keys = 0;
  let inside = 0;
  for (const line of lines) {
    if (isBlank(line)) continue;
    if (/^["']?[a-z][a-z\d_.-]{0,60}["']?:(?:\s|$)/.test(line)) keys++;
    else if (/^\s+\S|^- /.test(line)) inside++;
    else return undefined;
  }
  if (keys < FEWEST_KEYS || inside === 0) return undefined;
  return lines;
}
