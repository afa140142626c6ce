import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { align } from "../../src/delta/message/align.ts";
import { baseOf } from "../../src/delta/message/base.ts";
import { applyEdits, type LineEdit, type SpanEdit } from "../../src/delta/message/edits.ts";
import { isLabel, readHeader, writeHeader } from "../../src/delta/message/header.ts";
import { isListable, readImpact, writeImpact } from "../../src/delta/message/impact.ts";
import { partAt, splitBody } from "../../src/delta/message/parts.ts";
import { findPattern } from "../../src/delta/message/pattern.ts";
import { addition, endOf, placesFor, removal } from "../../src/delta/message/place.ts";
import { readHead, readRange } from "../../src/delta/message/read-head.ts";
import { shareChanges } from "../../src/delta/message/shared.ts";
import { slidesOf } from "../../src/delta/message/slides.ts";
import { viewOf } from "../../src/delta/message/view.ts";

describe("header", () => {
  const hash = (least: number): fc.Arbitrary<string> =>
    fc.string({ unit: fc.constantFrom(..."0123456789abcdef".split("")), minLength: least, maxLength: 12 });

  it("[U2] reads back", () => {
    const version = fc.nat(999_999_999);
    fc.assert(
      fc.property(
        fc.constantFrom("GC", "PT", "team.memory", "한글-1", "a_b"),
        fc.option(version, { nil: undefined }),
        version,
        hash(4),
        hash(4),
        fc.constantFrom("\n" as const, "\r\n" as const, undefined),
        (label, from, to, first, result, newline) => {
          const base = from === undefined ? undefined : first;
          const header = { label, from, to, base, result, newline };
          expect(readHeader(writeHeader(header))).toEqual({ ...header, prose: undefined });
        },
      ),
    );
  });

  it("[U2] knows labels", () => {
    for (const label of ["GC", "a", "x-v2", "A.b_c-d", "문서"]) expect(isLabel(label)).toBe(true);
    for (const label of ["", "-a", "a b", "a\n", "a/b", "→", "x".repeat(65), "\u001b[31m"]) {
      expect(isLabel(label)).toBe(false);
    }
  });

  it("[U10] refuses what is none", () => {
    for (const line of [
      "[CONTEXT-UPDATE] GC-v1 → PT-v2 22f9→cd5f01",
      "[CONTEXT-UPDATE] GC-v1 → GC-v2 22f9→cd5f01→aaaa",
      "[CONTEXT-UPDATE] GC-v1 → GC-v2 22F9→cd5f01",
      "[CONTEXT-UPDATE] GC-v1 → GC-v2 22→cd5f01",
      "[CONTEXT-UPDATE] GC-v1 → GC-v2 22f9→cd5f01 EXTRA",
      "[CONTEXT-UPDATE] GC-v1 →",
      "[CONTEXT-UPDATE] GC-v1.5 → GC-v2",
      `[CONTEXT-UPDATE] GC-v1 → GC-v2 | ${"x".repeat(5_000)}`,
      "CONTEXT-UPDATE GC-v1 → GC-v2",
    ]) {
      expect(readHeader(line)).toBeUndefined();
    }
  });
});

describe("impact", () => {
  it("[U2] reads back, empty lists too", () => {
    const name = fc.string().filter(isListable);
    fc.assert(
      fc.property(fc.array(name), fc.array(name), (affected, actions) => {
        expect(readImpact(writeImpact(affected, actions))).toEqual({ affected, actions });
      }),
    );
    expect(writeImpact(undefined, undefined)).toEqual([]);
    expect(writeImpact(["a"], undefined)).toEqual(["## Impact Assessment", "- Affected teammates: a"]);
    expect(writeImpact(undefined, [])).toEqual(["## Impact Assessment", "- Required actions: NONE"]);
    expect(readImpact(["hello"])).toEqual({ affected: [], actions: [] });
    expect(readImpact(["x", "- Affected teammates: a, b \r", "- Required actions:  \r"])).toEqual({
      affected: ["a", "b"],
      actions: [],
    });
  });

  it("[U2] refuses names that would read as something else", () => {
    for (const name of ["", "NONE", "a, b", "a\nb", " a", "a\u0000"]) expect(isListable(name)).toBe(false);
  });
});

describe("parts", () => {
  it("[U10] begin at a line of their own", () => {
    expect(partAt("x ## Delta\n## Delta\ny", "## Delta")).toEqual({ heading: 11, start: 20 });
    expect(partAt("## Delta", "## Delta")).toEqual({ heading: 0, start: 8 });
    expect(partAt("## Deltas\n\\## Delta", "## Delta")).toBeUndefined();
    expect(partAt("## Delta  \r\nx", "## Delta")).toEqual({ heading: 0, start: 12 });
  });

  it("[U12] lose one blank line before the impact, and all at the end", () => {
    expect(splitBody("- ADDED:\na\n\n\n## Impact Assessment\n- Affected teammates: x")).toEqual({
      operations: ["- ADDED:", "a", ""],
      impact: { affected: ["x"], actions: [] },
    });
    expect(splitBody("- ADDED:\r\na\r\n\r\n \n").operations).toEqual(["- ADDED:", "a"]);
    expect(splitBody("").operations).toEqual([]);
  });
});

describe("heads of operations", () => {
  const none = { ref: undefined, where: undefined, key: undefined, count: 1, text: undefined };

  it("[U4] [U5] come apart", () => {
    expect(readHead("- CHANGED §A b: c: d → e")).toEqual({
      ...none,
      kind: "CHANGED",
      ref: "A b",
      text: "c: d → e",
    });
    expect(readHead("- CHANGED x → y")).toEqual({ ...none, kind: "CHANGED", text: "x → y" });
    expect(readHead("- CHANGED:")).toEqual({ ...none, kind: "CHANGED", text: "" });
    expect(readHead('- REMOVED §"a: b"#2: k (3 lines)')).toMatchObject({
      ref: '"a: b"#2',
      text: "k (3 lines)",
    });
    expect(readHead("- REMOVED §A")).toEqual({ ...none, kind: "REMOVED", ref: "A" });
    expect(readHead("- ADDED after §A:")).toEqual({ ...none, kind: "ADDED", ref: "A", text: "" });
    expect(readHead("- ADDED §A after k: x: y")).toMatchObject({
      ref: "A",
      where: "after",
      key: "k",
      text: "x: y",
    });
    expect(readHead('- ADDED before "a: b": x')).toMatchObject({
      ref: undefined,
      where: "before",
      key: '"a: b"',
      text: "x",
    });
    expect(readHead("- REPLACED §A from k (12 lines):")).toMatchObject({
      where: "from",
      key: "k",
      count: 12,
      text: "",
    });
    expect(readHead("- REPLACED §A")).toMatchObject({ ref: "A", text: undefined });
    expect(readHead("- ADDED after a:b c: x")).toMatchObject({ ref: undefined, key: "a:b c", text: "x" });
    expect(readHead("- CHANGED §a:b c: x → y")).toMatchObject({ ref: "a:b c", text: "x → y" });
    expect(readHead("- ADDED §A before k from l: x")).toMatchObject({
      ref: "A",
      where: "before",
      key: "k from l",
    });
  });

  it("[U10] that are none are refused", () => {
    for (const line of [
      "- CHANGED",
      "- ADDED",
      "ADDED: x",
      "- MOVED §A",
      "- ADDED after : x",
      "- CHANGEDx → y",
      "- REPLACED from",
    ]) {
      const head = readHead(line);
      expect(head === undefined || head.text === undefined).toBe(true);
    }
  });

  it("[U5] ranges come apart", () => {
    expect(readRange("k (3 lines)")).toEqual({ key: "k", count: 3 });
    expect(readRange("k")).toEqual({ key: "k", count: 1 });
    expect(readRange('"k (3 lines)"')).toEqual({ key: '"k (3 lines)"', count: 1 });
    for (const text of ["", " (3 lines)", "k (x lines)", "k (-1 lines)", "k lines)"])
      expect(readRange(text)).toBeUndefined();
  });
});

describe("edits", () => {
  const view = viewOf("zero\none\ntwo\nthree");
  const run = (lines: LineEdit[], spans: SpanEdit[] = []): unknown => applyEdits(view, { lines, spans });

  it("[U3] are carried out together, whatever their order", () => {
    const lines = [
      { from: 3, to: 4, lines: [] },
      { from: 1, to: 1, lines: ["a", "b"] },
    ];
    const spans = [
      { line: 2, from: 1, to: 3, text: "WO" },
      { line: 2, from: 0, to: 1, text: "T" },
    ];
    const expected = ["zero", "a", "b", "one", "TWO"];
    expect(run(lines, spans)).toEqual(expected);
    expect(run(lines.toReversed(), spans.toReversed())).toEqual(expected);
    expect(run([])).toEqual(view.lines);
  });

  it("[U3] that claim the same are refused", () => {
    const span = { line: 2, from: 0, to: 2, text: "x" };
    expect(
      run([
        { from: 1, to: 3, lines: [] },
        { from: 2, to: 4, lines: [] },
      ]),
    ).toEqual({ claimedTwice: 2 });
    expect(
      run([
        { from: 1, to: 1, lines: ["a"] },
        { from: 1, to: 1, lines: ["b"] },
      ]),
    ).toEqual({ claimedTwice: 1 });
    expect(
      run([
        { from: 1, to: 3, lines: [] },
        { from: 2, to: 2, lines: ["b"] },
      ]),
    ).toEqual({ claimedTwice: 2 });
    expect(run([{ from: 2, to: 3, lines: [] }], [span])).toEqual({ claimedTwice: 2 });
    expect(run([], [span, { ...span, from: 1 }])).toEqual({ claimedTwice: 2 });
  });

  it("[U3] that only touch are not", () => {
    expect(
      run([
        { from: 1, to: 2, lines: [] },
        { from: 2, to: 2, lines: ["a"] },
      ]),
    ).toEqual(["zero", "a", "two", "three"]);
    expect(
      run([
        { from: 1, to: 1, lines: ["a"] },
        { from: 1, to: 2, lines: [] },
      ]),
    ).toEqual(["zero", "a", "two", "three"]);
  });
});

describe("patterns in lines", () => {
  it("[U6] are found where they stand once, as whole words", () => {
    expect(findPattern("one two", { from: "two" }, 0)).toEqual({ from: 4, to: 7 });
    expect(findPattern("two two", { from: "two" }, 0)).toBe("ambiguous");
    expect(findPattern("two two", { from: "two" }, 1)).toEqual({ from: 4, to: 7 });
    expect(findPattern("twofold", { from: "two" }, 0)).toBe("absent");
    expect(findPattern("a b c b", { from: "a", to: "b" }, 0)).toEqual({ from: 0, to: 3 });
    expect(findPattern("a b c", { from: "b", to: "" }, 0)).toEqual({ from: 2, to: 5 });
    expect(findPattern("a b c", { from: "b", to: "a" }, 0)).toBe("absent");
  });
});

describe("planning", () => {
  it("[U13] lines that stay alike are changes, others stand alone", () => {
    const kinds = (old: string[], next: string[]): string[] =>
      align(old, next, 3).map(
        ({ kind, from, to, nextFrom, nextTo }) => `${kind} ${to - from}→${nextTo - nextFrom}`,
      );
    expect(kinds(["- a: one two three"], ["- a: one two four"])).toEqual(["change 1→1"]);
    expect(kinds(["entirely other words here"], ["nothing of that remains now"])).toEqual(["block 1→1"]);
    expect(kinds(["- a: x y z w", ""], ["- n: new", "- a: x y z v"])).toEqual([
      "block 0→1",
      "change 1→1",
      "block 1→0",
    ]);
    expect(kinds([""], ["text"])).toEqual(["block 1→1"]);
  });

  it("[U13] in large hunks lines of the same key are changes, others stand alone", () => {
    const items = (from: number, to: number, value: string): string[] =>
      Array.from({ length: to - from }, (_, at) => `- item ${from + at}: ${value} ${(from + at) * 7}`);
    const old = ["plain words", ...items(0, 70, "old"), "more plain words"];
    const next = [
      "other words",
      ...items(0, 30, "new"),
      "plain",
      ...items(40, 70, "new"),
      "- item 99: new 0",
    ];
    const stretches = align(old, next, 3);
    const pairs = stretches.flatMap(({ kind, from, nextFrom }) =>
      kind === "change" ? [[old[from]!.split(":")[0], next[nextFrom]!.split(":")[0]]] : [],
    );
    expect(pairs).toHaveLength(60);
    for (const [one, other] of pairs) expect(one).toBe(other);
    expect(
      stretches.flatMap(one => (one.kind === "block" ? [[one.from, one.to, one.nextFrom, one.nextTo]] : [])),
    ).toEqual([
      [0, 1, 0, 1],
      [31, 41, 31, 32],
      [71, 72, 62, 63],
    ]);
  });

  it("[U13] stretches tile the hunk, in large hunks too", () => {
    const line = fc.constantFrom("- a: 1", "- a: 2", "- b: 1 2 3", "", "words of text", "words of that text");
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 90 }),
        fc.array(line, { maxLength: 90 }),
        fc.constantFrom(1, 3, 6),
        (old, next, cost) => {
          let [from, nextFrom] = [0, 0];
          for (const stretch of align(old, next, cost)) {
            expect([stretch.from, stretch.nextFrom]).toEqual([from, nextFrom]);
            expect(
              stretch.kind === "block" || (stretch.to - from === 1 && stretch.nextTo - nextFrom === 1),
            ).toBe(true);
            [from, nextFrom] = [stretch.to, stretch.nextTo];
          }
          expect([from, nextFrom]).toEqual([old.length, next.length]);
        },
      ),
      { numRuns: 200 },
    );
  });

  it("[U13] an insertion or removal slides over equal lines, within its room", () => {
    const view = viewOf("a\n\nb\n\nc");
    const all = { from: 0, to: 5 };
    expect(
      slidesOf(view, { at: 2, removed: [], added: ["x", ""] }, all).map(slide => [slide.at, ...slide.added]),
    ).toEqual([
      [2, "x", ""],
      [1, "", "x"],
    ]);
    expect(slidesOf(view, { at: 2, removed: ["b", ""], added: [] }, all).map(slide => slide.at)).toEqual([
      2, 1,
    ]);
    expect(
      slidesOf(view, { at: 2, removed: ["b", ""], added: [] }, { from: 2, to: 5 }).map(slide => slide.at),
    ).toEqual([2]);
  });

  it("[U7] places have names, the plainest first", () => {
    const base = baseOf("# A\n\n- one: 1\n- two: 2\n\n# B\n");
    expect(placesFor(base, 4).map(place => place.words)).toEqual([
      "",
      " after two",
      " before L4",
      " after L3",
    ]);
    expect(placesFor(base, 0).map(place => place.words)).toEqual([" before A"]);
    expect(placesFor(base, 1).map(place => place.words)).toEqual([" after A", " before L1", " after L0"]);
    expect(placesFor(base, 2).map(place => place.words)).toEqual([" before one", " after L1"]);
    expect(endOf(base.view, 0)).toEqual({ at: 4, sibling: 3 });
    expect(endOf(base.view, 1)).toEqual({ at: 6, sibling: undefined });
    expect(addition(base.view, placesFor(base, 4)[0]!, ["- three: 3"])).toMatchObject({ inline: "three: 3" });
    expect(addition(base.view, placesFor(base, 4)[0]!, ["* three: 3"])).toMatchObject({
      body: ["* three: 3"],
    });
    expect(removal(base, 0, 5)).toEqual({ kind: "REMOVED", section: 0, place: "" });
    expect(removal(base, 2, 4)).toMatchObject({ inline: "one (2 lines)" });
  });

  it("[U6] equal changes of several keys are said once", () => {
    const base = baseOf("- T1: a\n- T2: a\n- T3: b\n- x, y: a\n");
    expect(shareChanges(base, 0, ["T1: a → c", "T3: b → c", "T2: a → c"])).toEqual([
      "T1, T2: a → c",
      "T3: b → c",
    ]);
    expect(shareChanges(base, 0, ["a → c", "a → c", '"k": a → c', '"k": a → c'])).toHaveLength(4);
    expect(
      shareChanges(baseOf("- T1, T2: a\n- T1: a\n- T2: a\n"), 0, ["T1: a → c", "T2: a → c"]),
    ).toHaveLength(2);
    expect(shareChanges(base, 0, [])).toEqual([]);
  });
});
