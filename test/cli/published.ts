import { readFileSync } from "node:fs";
import { z } from "zod";

interface Schema {
  readonly properties: Readonly<Record<string, object>>;
  readonly $defs: Readonly<Record<string, object>>;
}

/** What commands print with `--json`, as it is published. */
export const PUBLISHED: Schema = JSON.parse(
  readFileSync(new URL("../../docs/output.schema.json", import.meta.url), "utf8"),
);

/** The same, where nothing may be there that it does not name. */
function strict(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strict);
  if (typeof value !== "object" || value === null) return value;
  const all = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, strict(one)]));
  return "properties" in all && all["type"] === "object" ? { additionalProperties: false, ...all } : all;
}

const checks = new Map<string, z.ZodType>();

function checkOf(command: string): z.ZodType {
  let check = checks.get(command);
  if (check === undefined) {
    const schema = strict({ ...PUBLISHED.properties[command], $defs: PUBLISHED.$defs });
    check = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
    checks.set(command, check);
  }
  return check;
}

/** The command that these arguments call; undefined for none that prints JSON. */
export function commandOf(args: readonly string[]): string | undefined {
  const words = args.filter(arg => !arg.startsWith("-"));
  // What a group of commands does by itself.
  if (words.length === 1 && words[0] === "context") return "context explain";
  const names = [3, 2, 1].map(count => words.slice(0, count).join(" "));
  return names.find(name => Object.hasOwn(PUBLISHED.properties, name));
}

function valuesIn(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return text
      .split("\n")
      .filter(line => line !== "")
      .map(line => JSON.parse(line));
  }
}

/** Throws where what a command printed is not as it is published. */
export function requirePublished(args: readonly string[], printed: string): void {
  if (!args.includes("--json") || printed === "") return;
  const command = commandOf(args);
  if (command === undefined) throw new Error(`espalier ${args.join(" ")}: nothing is published of it`);
  for (const value of valuesIn(printed)) {
    const { error } = checkOf(command).safeParse(value);
    if (error !== undefined)
      throw new Error(
        `espalier ${command} --json: ${error.message}\n${JSON.stringify(value).slice(0, 2_000)}`,
      );
  }
}
