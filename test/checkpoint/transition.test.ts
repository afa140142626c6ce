import { describe, expect, it } from "vitest";
import { focus } from "../../src/checkpoint/differences.ts";
import { differences } from "../../src/checkpoint/index.ts";

/** The transitions between two texts, as `item: before → after`. */
function moved(from: string, to: string): string[] {
  return differences(from, to).transitions.map(
    ({ place, before, after }) => `${place}: ${before} → ${after}`,
  );
}

const table = (head: string, row: string) => `${head}\n|---|---|---|\n${row}\n`;

describe("statuses", () => {
  it.each([
    ["| Task | Status | Note |", "T1: open → closed"],
    ["| Task | State | Note |", "T1: open → closed"],
    ["| Tarea | Estado | Nota |", "T1: open → closed"],
    ["| 작업 | 상태 | 비고 |", "T1: open → closed"],
  ])("[KD3] are known by the column of %s", (head, expected) => {
    expect(moved(table(head, "| T1 | open | x |"), table(head, "| T1 | closed | x |"))).toEqual([expected]);
  });

  it("[KD3] are not looked for in tables without such a column, nor in the first one", () => {
    const head = "| Task | Size | Note |";
    expect(moved(table(head, "| T1 | open | x |"), table(head, "| T1 | closed | x |"))).toEqual([]);
    const first = "| Status | Size | Note |";
    expect(moved(table(first, "| open | 1 | x |"), table(first, "| closed | 1 | x |"))).toEqual([]);
  });

  it("[KD3] each table has titles of its own", () => {
    const two = (status: string) =>
      `${table("| A | Status | N |", `| a | ${status} | |`)}\n${table("| B | Colour | N |", `| b | ${status} | |`)}`;
    expect(moved(two("open"), two("done"))).toEqual(["a: open → done"]);
  });

  it.each([
    ["- [ ] bake", "- [x] bake", ["bake: open → done"]],
    ["- [x] bake", "- [~] bake", ["bake: done → [~]"]],
    ["1. [ ] bake", "1. [X] bake", ["bake: open → done"]],
    ["- bake", "- [x] bake", []],
    ["- Status: pending", "- Status: completed", ["Status: pending → completed"]],
    ["- **Status:** ⏳ soon", "- **Status:** ✅", ["Status: ⏳ soon → ✅"]],
    ["상태: 대기", "상태: 완료", ["상태: 대기 → 완료"]],
    ["- Name: open house", "- Name: closed house", ["Name: open house → closed house"]],
    ["- Name: Ada", "- Name: Bob", []],
    ["- Status: pending", "- Status: pending, soon", []],
  ])("[KD3] %j to %j", (from, to, expected) => {
    expect(moved(`${from}\n`, `${to}\n`)).toEqual(expected);
  });

  it("[KD3] a box that was ticked while its words changed is both", () => {
    const found = differences("- [ ] bake bread\n", "- [x] bake rye bread\n");
    expect(found.transitions).toHaveLength(1);
    expect(found.modified).toHaveLength(1);
  });

  it("[KD3] an item that is new or gone has no transition", () => {
    expect(moved("- [ ] a1: x\n", "- [x] b2: y\n- [ ] a1: x\n")).toEqual([]);
  });
});

describe("pairing", () => {
  const modified = (from: string, to: string) =>
    differences(from, to).modified.map(({ place, before, after }) => [place, before, after]);

  it("[KD2] by key, wherever among its neighbours", () => {
    expect(modified("- a: 1\n- b: 2\n- c: 3\n", "- c: 4\n- a: 1\n- b: 5\n")).toEqual([
      ["c", "3", "4"],
      ["b", "2", "5"],
    ]);
  });

  it("[KD2] by an id at its beginning", () => {
    expect(modified("- D-1 bread\n- D-2 rye\n", "- D-2 wheat\n- D-3 oat\n- D-1 bread\n")).toEqual([
      ["D-2", "D-2 rye", "D-2 wheat"],
    ]);
  });

  it("[KD2] by the words it begins with", () => {
    const start = "the oven is heated every morning";
    const found = differences(`- ${start} at five\n`, `- ${start} at six\n- and cleaned\n`);
    expect(found.modified).toHaveLength(1);
    expect(found.added.map(({ text }) => text)).toEqual(["and cleaned"]);
  });

  it("[KD2] a line that became several is told as added beside it", () => {
    const found = differences("## A\n\none\n", "## A\n\none\n\ntwo\n\nthree\n");
    expect(found.added.map(({ text }) => text)).toEqual(["two", "three"]);
    expect(found.removed).toEqual([]);
  });

  it("[KD2] words inside a longer item are shown with what stands beside them", () => {
    const long = (word: string) => `- note: ${"left ".repeat(20)}${word} ${"right ".repeat(20)}`;
    const [change] = differences(`${long("old")}\n`, `${long("new")}\n`).modified;
    expect(change?.before).toMatch(/^…(?:left )+old (?:right ?)+…$/);
    expect(change?.after.replace("new", "old")).toBe(change?.before);
    expect(change?.before.length).toBeLessThan(80);
  });

  it.each([
    ["a", "b", { before: "a", after: "b" }],
    ["", "b", { before: "", after: "b" }],
    ["same", "same", { before: "same", after: "same" }],
    ["ab", "aab", { before: "ab", after: "aab" }],
  ])("[KD2] %j and %j are shown whole", (before, after, expected) => {
    expect(focus(before, after)).toEqual(expected);
  });

  it("[KD2] a change inside a fence is a change of the fence", () => {
    const fence = (line: string) => `## A\n\n\`\`\`ts\nconst a = 1;\n${line}\n\`\`\`\n`;
    const found = differences(fence("let b;"), fence("let c;"));
    expect(found.modified).toHaveLength(1);
    expect([found.added, found.removed]).toEqual([[], []]);
  });

  it("[KD2] blank lines alone are layout", () => {
    const found = differences("a\n\nb\n", "a\n\n\nb\n");
    expect(found).toMatchObject({ added: [], modified: [], removed: [], transitions: [], layout: 1 });
  });

  it("[KD2] fields of a front matter that the header does not tell are modified", () => {
    const front = (mood: string) => `---\ncheckpoint: chk-001\nmood: ${mood}\n---\n`;
    expect(modified(front("good"), front("bad"))).toEqual([["mood", "good", "bad"]]);
  });
});
