import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument, visit } from "yaml";
import { z } from "zod";
import { fail, ok, type Result } from "../../ports/index.ts";
import { nearest, visible } from "../../text/index.ts";
import { type Config, ConfigSchema } from "./schema.ts";

/** A problem in the configuration, with its place. */
export interface ConfigProblem {
  readonly message: string;
  readonly line: number;
  readonly column: number;
  readonly hint: string;
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

/** The keys that a mapping of the configuration may have. */
function keysAt(path: readonly PropertyKey[]): readonly string[] {
  const [first] = path;
  if (first === undefined) return Object.keys(ConfigSchema.shape);
  if (first === "agents") return ["command"];
  const section = Object.entries(ConfigSchema.shape).find(([name]) => name === first)?.[1];
  return section instanceof z.ZodPrefault && section.unwrap() instanceof z.ZodObject
    ? Object.keys(section.unwrap().shape)
    : [];
}

function explain(issue: z.core.$ZodIssue): { message: string; hint: string } {
  const where = issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
  if (issue.code === "unrecognized_keys") {
    const key = issue.keys[0] ?? "";
    const known = keysAt(issue.path);
    const guess = nearest(key, known);
    const hint = guess === undefined ? `known keys: ${known.join(", ")}` : `did you mean "${guess}"?`;
    return { message: `${where}unknown key "${visible(key, 40)}"`, hint };
  }
  return {
    message: `${where}${visible(issue.message, 200)}`,
    hint: "see docs/configuration.md for the values it takes",
  };
}

/** What the parser says, without the place and the excerpt it adds. */
function sentenceOf(message: string): string {
  const end = message.search(/ at line \d|\n/);
  return visible(end < 0 ? message : message.slice(0, end), 200);
}

/** Where the key or value that a problem concerns begins, or the closest thing around it that exists. */
function offsetOf(document: Document, path: readonly PropertyKey[], key: string | undefined): number {
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length) as string[], true);
    if (!isNode(node)) continue;
    const pair = isMap(node)
      ? node.items.find(item => isScalar(item.key) && item.key.value === key)
      : undefined;
    const found = isNode(pair?.key) ? pair.key : node;
    return found.range?.[0] ?? 0;
  }
  return 0;
}

/** Reads `espalier.yaml`. Problems carry the line they concern. */
export function readConfig(text: string): Result<Config, readonly ConfigProblem[]> {
  const whole = (message: string, hint: string) => fail([{ message, line: 0, column: 0, hint }]);
  if (text.length > MAX_LENGTH)
    return whole("longer than 256 KiB", "this is a configuration, not a data file");
  if (isTooDeep(text)) return whole("nested too deeply", "the configuration needs three levels at most");
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
        message: error.code === "MULTIPLE_DOCS" ? "more than one YAML document" : sentenceOf(error.message),
        ...place(error.pos[0]),
        hint: "fix the YAML syntax",
      })),
    );
  }
  let aliases = 0;
  visit(document, { Alias: () => void aliases++ });
  if (aliases > 0) return whole("YAML aliases are not allowed", "write the value out");
  const parsed = ConfigSchema.safeParse(document.toJS({ maxAliasCount: 0 }) ?? {});
  if (parsed.success) return ok(parsed.data);
  return fail(
    parsed.error.issues.slice(0, 10).map(issue => {
      const key = issue.code === "unrecognized_keys" ? issue.keys[0] : undefined;
      return { ...explain(issue), ...place(offsetOf(document, issue.path, key)) };
    }),
  );
}
