import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const RULE = /^- (?:`|\*\*)?([A-Z]{1,3})(\d+)(?:`|\*\*)?(?:–`[A-Z]{1,3}(\d+)`)?[: ]/gm;

/** The ids of the rules in the text of a SPEC.md; those of a line that is for several, each. */
function rulesOf(text: string): readonly string[] {
  return Array.from(text.matchAll(RULE)).flatMap(([, letters, first, last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => `${letters}${Number(first) + at}`),
  );
}

/** Ids that stand in a list more than once. */
function twice(ids: readonly string[]): readonly string[] {
  return [...new Set(ids.filter((id, at) => ids.indexOf(id) !== at))];
}

describe("rules", () => {
  const rooms = globSync(["src/**/*SPEC.md", "web/*SPEC.md"]).map(path => ({
    path,
    rules: rulesOf(readFileSync(path, "utf8")),
  }));

  it("have an id of their own in each SPEC.md", () => {
    expect(rooms.length).toBeGreaterThan(20);
    expect(rooms.filter(({ rules }) => rules.length < 5)).toEqual([]);
    expect(rooms.flatMap(({ path, rules }) => twice(rules).map(id => `${path}: ${id}`))).toEqual([]);
  });

  it("have letters that no other SPEC.md has", () => {
    const homes = Map.groupBy(
      rooms.flatMap(({ path, rules }) =>
        [...new Set(rules.map(id => id.replace(/\d+$/, "")))].map(letters => ({ path, letters })),
      ),
      ({ letters }) => letters,
    );
    expect([...homes.values()].filter(({ length }) => length > 1)).toEqual([]);
  });

  it("that tests are named after stand in some SPEC.md", () => {
    const known = new Set(rooms.flatMap(({ rules }) => rules));
    const named = globSync("test/**/*.test.ts", { exclude: path => path.endsWith("node_modules") }).flatMap(
      path =>
        Array.from(
          readFileSync(path, "utf8").matchAll(/\b(?:it|test)[.\w]*\(\s*["'`]\[([A-Z]{1,3}\d+)\]/g),
          ([, id = ""]) => ({
            path,
            id,
          }),
        ),
    );
    expect(named.length).toBeGreaterThan(500);
    expect(named.filter(({ id }) => !known.has(id))).toEqual([]);
  });

  it("with the id of another one are found, however they are written", () => {
    expect(twice(rulesOf("- A1: one\n- `A2`–`A4` two\n- **A3**: three\n- `A1` four\n"))).toEqual([
      "A3",
      "A1",
    ]);
  });
});
