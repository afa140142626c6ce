import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type Config, configSchema, defaultConfig, readConfig } from "../../src/config/index.ts";
import { blocksOf, readPage, spansOf, tableOf } from "./page.ts";

const page = readPage("docs/configuration.md");
const rows = tableOf(page, "key", "default").map(([key, value]) => ({
  key: spansOf(key ?? "")[0] ?? "",
  value: value ?? "",
}));

/** The keys of the schema as people write them, those of sections with a dot. */
function keysOf(): string[] {
  return Object.entries(configSchema().shape).flatMap(([name, type]) => {
    const inner = type instanceof z.ZodPrefault ? type.unwrap() : type;
    return inner instanceof z.ZodObject ? Object.keys(inner.shape).map(key => `${name}.${key}`) : [name];
  });
}

function valueAt(config: Config, key: string): unknown {
  return key
    .split(".")
    .reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], config);
}

/** The configuration that a page's default would be, written out. */
function readDefault(key: string, written: string): unknown {
  const lines = key.split(".").map((part, depth) => `${"  ".repeat(depth)}${part}:`);
  const read = readConfig(`${lines.join("\n")} ${written}\n`);
  return read.ok ? valueAt(read.value, key) : read.failure;
}

describe("docs/configuration.md", () => {
  it("has a row for every key of the schema, in its order, and no other", () => {
    expect(keysOf().length).toBeGreaterThan(20);
    expect(rows.map(({ key }) => key)).toEqual(keysOf());
  });

  it.each(rows)("tells the default of $key as it is: $value", ({ key, value }) => {
    const told = value === "none" ? undefined : readDefault(key, spansOf(value)[0] ?? "");
    expect(told).toEqual(valueAt(defaultConfig(), key));
  });

  it("shows examples that are valid", () => {
    const examples = blocksOf(page).filter(({ lang }) => lang === "yaml");
    expect(examples.length).toBe(2);
    for (const { text } of examples) expect(readConfig(text)).toMatchObject({ ok: true });
  });

  it("shows the error of a misspelt key as it is", () => {
    const read = readConfig("paralel: 3\n");
    const [problem] = read.ok ? [] : read.failure;
    expect(problem).toBeDefined();
    const { line, column, message, hint } = problem!;
    expect(page).toContain(`CONFIG_INVALID: espalier.yaml:${line}:${column}: ${message}\n  ${hint}`);
  });

  it("would notice a key that is missing, and a default that differs", () => {
    const without = page.replace(/^\| `heartbeat` .*\n/m, "");
    expect(tableOf(without, "key", "default")).toHaveLength(rows.length - 1);
    expect(readDefault("heartbeat", "31s")).not.toEqual(defaultConfig().heartbeat);
    expect(readDefault("limits.log", "200MB")).toBe(defaultConfig().limits.log);
  });
});
