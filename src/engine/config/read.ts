import { isNode, LineCounter, parseDocument, visit } from "yaml";
import type { z } from "zod";
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

/** Refuses nesting that would overflow a parser's stack, before one sees it. */
function isTooDeep(text: string): boolean {
  let flow = 0;
  for (const char of text) {
    if (char === "[" || char === "{") flow++;
    else if (char === "]" || char === "}") flow--;
    if (flow > MAX_DEPTH) return true;
  }
  return text.split("\n").some(line => line.length - line.trimStart().length > 2000);
}

function explain(issue: z.core.$ZodIssue): { message: string; hint: string } {
  const where = issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
  if (issue.code === "unrecognized_keys") {
    const key = issue.keys[0] ?? "";
    const known = Object.keys(ConfigSchema.shape);
    const guess = nearest(key, known);
    const hint = guess === undefined ? `known keys: ${known.join(", ")}` : `did you mean "${guess}"?`;
    return { message: `${where}unknown key "${visible(key, 60)}"`, hint };
  }
  return {
    message: `${where}${visible(issue.message, 200)}`,
    hint: "see docs/configuration.md for the values it takes",
  };
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
  });
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  if (document.errors.length > 0) {
    return fail(
      document.errors.slice(0, 10).map(error => ({
        message: error.message.split("\n")[0] ?? "not YAML",
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
      const path = issue.code === "unrecognized_keys" ? [...issue.path, issue.keys[0] ?? ""] : issue.path;
      const node = document.getIn(path as string[], true);
      const offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
      return { ...explain(issue), ...place(offset) };
    }),
  );
}
