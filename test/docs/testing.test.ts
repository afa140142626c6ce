import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readPage, tableOf } from "./page.ts";

const rows = tableOf(readPage("docs/testing.md"), "case", "what comes", "what happens", "test");

/** The tests a cell names: `file` title, one a line; none where it gives a reason in words. */
function testsOf(cell: string): readonly { readonly file: string; readonly title: string }[] {
  return cell.split("<br>").flatMap(line => {
    const named = /^`([^`]+)` (.+)$/.exec(line);
    return named?.[1] === undefined || named[2] === undefined ? [] : [{ file: named[1], title: named[2] }];
  });
}

/** Whether a test file holds a title, as it is written there. */
function holds(file: string, title: string): boolean {
  const url = new URL(`../${file}.test.ts`, import.meta.url);
  if (!existsSync(url)) return false;
  const source = readFileSync(url, "utf8");
  return source.includes(title) || source.includes(title.replaceAll("`", "\\`"));
}

describe("docs/testing.md", () => {
  it("has a row for each of the 35 abuse cases and 121 bad inputs, in their order", () => {
    const ids = (count: number, prefix: string) =>
      Array.from({ length: count }, (_, i) => `${prefix}${i + 1}`);
    expect(rows.map(([id]) => id)).toEqual([...ids(35, "T"), ...ids(121, "")]);
  });

  it("names a test for each, or the reason why there is none", () => {
    const without = rows.filter(
      ([, , happens = "", cell = ""]) => happens !== "–" && testsOf(cell).length === 0,
    );
    expect(without).toEqual([]);
    const silent = rows.filter(([, , happens, cell = ""]) => happens === "–" && cell.length < 40);
    expect(silent).toEqual([]);
  });

  it("names tests that are there", () => {
    const named = rows.flatMap(([id, , happens, cell = ""]) =>
      (happens === "–" ? [] : testsOf(cell)).map(test => ({ id, ...test })),
    );
    expect(named.length).toBeGreaterThan(190);
    expect(named.filter(({ file, title }) => !holds(file, title))).toEqual([]);
  });

  it("would notice a test that is gone", () => {
    expect(holds("docs/testing", "names tests that are there")).toBe(true);
    expect(holds("docs/testing", "names tests that are " + "gone")).toBe(false);
    expect(holds("docs/nowhere", "names tests that are there")).toBe(false);
  });
});
