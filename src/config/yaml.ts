import { type Document, LineCounter, parseDocument, visit } from "yaml";
import { fail, ok, type Result } from "../ports/index.ts";
import { visible } from "../text/index.ts";
import { REFUSED, yamlWords } from "./yaml-words.ts";

/** A problem in a YAML file, with its place. */
export interface ConfigProblem {
  readonly message: string;
  readonly line: number;
  readonly column: number;
  readonly hint: string;
  /** The same for readers of Korean; absent where it is English only. */
  readonly korean?: { readonly message: string; readonly hint: string };
}

/** A YAML document that is safe to turn into values. */
export interface OpenYaml {
  readonly document: Document;
  readonly place: (offset: number) => { readonly line: number; readonly column: number };
  readonly value: unknown;
}

/** Bytes a configuration may have. */
const MAX_LENGTH = 256 * 1024;
const MAX_DEPTH = 16;
const MAX_INDENT = 200;

/** How many levels one line opens by itself, as `- - - x` does. */
function levelsOf(line: string): number {
  let levels = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === " ") continue;
    const opens = (line[at] === "-" || line[at] === "?") && line[at + 1] === " ";
    if (!opens) break;
    levels++;
  }
  return levels;
}

/** Refuses nesting that would overflow a parser's stack, before one sees it. */
function isTooDeep(text: string): boolean {
  let flow = 0;
  for (const char of text) {
    if (char === "[" || char === "{") flow++;
    else if (char === "]" || char === "}") flow--;
    if (flow > MAX_DEPTH) return true;
  }
  return text
    .split("\n")
    .some(line => line.length - line.trimStart().length > MAX_INDENT || levelsOf(line) > MAX_DEPTH);
}

/** What the parser says, without the place and the excerpt it adds. */
function sentenceOf(message: string): string {
  const end = message.search(/ at line \d|\n/);
  return visible(end < 0 ? message : message.slice(0, end), 200);
}

/** Numbers that begin with a zero are ids (`02`): they stay the text they are. */
function keepLeadingZeros(document: Document): void {
  visit(document, {
    Scalar(_key, node) {
      const { source } = node;
      if (typeof node.value === "number" && source !== undefined && /^0\d+$/.test(source))
        node.value = source;
    },
  });
}

/** How often a quote stands in a text, apostrophes between two letters (`don't`) apart. */
function countOf(text: string, quote: string): number {
  return text.replaceAll(/(?<=\p{L})'(?=\p{L})/gu, "").split(quote).length - 1;
}

/** Where values begin that a `#` between quotes has cut off: YAML takes it for a comment where the value itself is in none. */
function cutValues(document: Document): number[] {
  const found: number[] = [];
  visit(document, {
    Scalar(_key, { type, source = "", comment, range }) {
      const [behind = ""] = (comment ?? "").split("\n", 1);
      const isCut = ['"', "'"].some(
        quote => countOf(source, quote) % 2 === 1 && countOf(behind, quote) % 2 === 1,
      );
      if (type === "PLAIN" && isCut) found.push(range?.[0] ?? 0);
    },
  });
  return found;
}

/** Parses YAML from a repository: bounded in length and depth, one document, no aliases, ids kept as text. */
export function openYaml(text: string): Result<OpenYaml, readonly ConfigProblem[]> {
  const whole = (why: keyof typeof REFUSED) => fail([{ ...REFUSED[why], line: 0, column: 0 }]);
  if (text.length > MAX_LENGTH) return whole("long");
  if (isTooDeep(text)) return whole("deep");
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    uniqueKeys: true,
    schema: "core",
    version: "1.2",
    logLevel: "error",
  });
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const broken = [...document.errors, ...document.warnings];
  if (broken.length > 0) {
    return fail(
      broken.slice(0, 10).map(error => ({
        ...yamlWords(error.code, sentenceOf(error.message)),
        ...place(error.pos[0]),
      })),
    );
  }
  const cut = cutValues(document);
  if (cut.length > 0) return fail(cut.map(at => ({ ...REFUSED.cut, ...place(at) })));
  let aliases = 0;
  visit(document, { Alias: () => void aliases++ });
  if (aliases > 0) return whole("alias");
  keepLeadingZeros(document);
  return ok({ document, place, value: document.toJS({ maxAliasCount: 0 }) ?? {} });
}
