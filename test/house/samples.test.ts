import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { NAMED } from "../torture/planted/bugs/index.ts";

/** The ids at the beginning of a title; a title that is tried whole only says so right before. */
const OF_EACH_DAY = /(?<!\bitWhole\(\s{0,20})["'`]((?:\[[A-Z]{1,3}\d+\] ?)+)/g;
const WHOLE_ONLY = /\bitWhole\(\s*["'`]([^\n]*)/g;

const sources = globSync("test/**/*.test.ts", { exclude: path => path.endsWith("node_modules") }).map(
  path => ({ path: path.replaceAll("\\", "/"), text: readFileSync(path, "utf8") }),
);
const idsIn = (title: string) => Array.from(title.matchAll(/\[([A-Z]{1,3}\d+)\]/g), ([, id = ""]) => id);
const whole = sources.flatMap(({ path, text }) =>
  Array.from(text.matchAll(WHOLE_ONLY), ([, title = ""]) => ({ path, title })),
);

describe("what is tried whole only", () => {
  it("proves further cases of rules that a test of each day proves", () => {
    const daily = new Set(
      sources
        .flatMap(({ text }) => Array.from(text.matchAll(OF_EACH_DAY), ([, ids = ""]) => idsIn(ids)))
        .flat(),
    );
    expect(whole.length).toBeGreaterThan(20);
    expect(whole.filter(({ title }) => idsIn(title).some(id => !daily.has(id)))).toEqual([]);
  });

  it("is nothing by which a planted bug is to be noticed", () => {
    const catchers = NAMED.flatMap(({ by }) => ("test" in by ? [by] : []));
    expect(
      whole.filter(({ path, title }) =>
        catchers.some(
          ({ test, rule }) => test === path && (rule === undefined || idsIn(title).includes(rule)),
        ),
      ),
    ).toEqual([]);
  });

  it("is not what docs/testing.md names", () => {
    const page = readFileSync("docs/testing.md", "utf8");
    const titles = whole.map(({ title }) => title.replace(/["'`],.*$/, ""));
    expect(titles.filter(title => page.includes(title))).toEqual([]);
  });
});
