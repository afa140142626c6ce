import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { joinInserts } from "../../src/delta/index.ts";

/** Whether the items of one list stand in another one in their order. */
function standsIn(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  for (const item of whole) if (at < part.length && part[at] === item) at++;
  return at === part.length;
}

/** Lines of a side: those of the base, and its own wherever it puts them. */
function grown(base: readonly string[], mark: string): fc.Arbitrary<string[]> {
  return fc
    .array(fc.tuple(fc.nat({ max: base.length }), fc.integer({ min: 0, max: 2 })), { maxLength: 5 })
    .map(inserts => {
      const lines = [...base];
      const places = inserts.toSorted(([one], [other]) => other - one);
      for (const [n, [place, more]] of places.entries())
        lines.splice(place, 0, ...Array.from({ length: more + 1 }, (_, k) => `${mark}${n}.${k}`));
      return lines;
    });
}

/** A base whose lines differ, and two sides that only insert. */
const GROWN = fc
  .uniqueArray(
    fc.string({ unit: "binary-ascii", maxLength: 3 }).map(text => text.replace(/[\r\n]/g, "")),
    {
      maxLength: 8,
    },
  )
  .chain(base => fc.tuple(fc.constant(base), grown(base, "ours-"), grown(base, "theirs-")));

const END = fc.constantFrom("\n", "\r\n");

function written(lines: readonly string[], end: string, isEnded: boolean): string {
  return lines.length === 0 ? "" : lines.join(end) + (isEnded ? end : "");
}

function linesIn(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

describe("insertions beside insertions", () => {
  it("[D10] are all there, once, each side's in its order, whatever the line ends", () => {
    fc.assert(
      fc.property(GROWN, END, ([base, ours, theirs], end) => {
        const joined = joinInserts(
          written(base, end, true),
          written(ours, end, true),
          written(theirs, end, true),
        );
        if (joined === undefined) throw new Error("refused");
        const lines = linesIn(joined);
        expect(standsIn(ours, lines)).toBe(true);
        expect(standsIn(theirs, lines)).toBe(true);
        expect(lines).toHaveLength(ours.length + theirs.length - base.length);
        expect(joined).toBe(written(lines, end, true));
      }),
      { numRuns: 2_000 },
    );
  });

  it("[D10] need no newline at the end", () => {
    fc.assert(
      fc.property(GROWN, END, fc.boolean(), fc.boolean(), (texts, end, oursEnds, theirsEnd) => {
        const [base, ours, theirs] = texts;
        // A lone line without its end does not tell what its end would be, and an empty last line is none without one.
        fc.pre(base.length > 1 && texts.every(lines => lines.at(-1) !== ""));
        const joined = joinInserts(
          written(base, end, false),
          written(ours, end, oursEnds),
          written(theirs, end, theirsEnd),
        );
        if (joined === undefined) throw new Error("refused");
        const lines = linesIn(joined);
        expect(lines).toHaveLength(ours.length + theirs.length - base.length);
        expect(standsIn(ours, lines) && standsIn(theirs, lines)).toBe(true);
        expect(joined).toBe(written(lines, end, oursEnds || theirsEnd));
      }),
      { numRuns: 2_000 },
    );
  });

  it("[D10] stand as they landed, ours first and whole", () => {
    expect(joinInserts("a\nz\n", "a\nf {\n}\nz\n", "a\ng {\n}\nz\n")).toBe("a\nf {\n}\ng {\n}\nz\n");
  });

  it("[D10] go with changes elsewhere, and what both did alike stands once", () => {
    expect(joinInserts("a\nb\nc\nd\n", "A\nb\nc\nd\n1\n", "a\nb\nd\n2\n")).toBe("A\nb\nd\n1\n2\n");
    expect(joinInserts("a\n", "a\nx\n", "a\nx\n")).toBe("a\nx\n");
  });

  it("[D10] are refused where an old line was changed, removed, or is one's neighbour", () => {
    expect(joinInserts("a\nb\n", "a\nB\nx\n", "a\nb\ny\n")).toBeUndefined();
    expect(joinInserts("a\nb\n", "a\n", "a\nb\ny\n")).toBeUndefined();
    expect(joinInserts("a\nb\nc\n", "a\nB\nc\n", "a\nb\nx\nc\n")).toBeUndefined();
    expect(joinInserts("a\nb\n", "a\nB\n", "a\nC\n")).toBeUndefined();
    expect(joinInserts("a\nb\n", "a\r\nb\r\n1\r\n", "a\nb\n2\n")).toBeUndefined();
  });

  it.each([
    ["the beginning of the other", "a\nz\n", "a\nx\nz\n", "a\nx\ny\nz\n", "a\nx\nx\ny\nz\n"],
    ["the other's beginning", "a\nz\n", "a\nx\ny\nz\n", "a\nx\nz\n", "a\nx\ny\nx\nz\n"],
    [
      "put beside the old line that the other put it in place of",
      "p\nq\nr\n",
      "p\nx\nq\nr\n",
      "p\nx\nr\n",
      undefined,
    ],
    [
      "put in place of the old line that the other put it beside",
      "p\nq\nr\n",
      "p\nx\nr\n",
      "p\nx\nq\nr\n",
      undefined,
    ],
    [
      "put behind the old line that the other put it in place of",
      "p\nq\nr\n",
      "p\nq\nx\nr\n",
      "p\nx\nr\n",
      undefined,
    ],
    ["put in place of more", "p\nq\nr\ns\n", "p\nx\nr\ns\n", "p\nx\ns\n", undefined],
  ])("[D10] of which one is %s", (_what, base, ours, theirs, joined) => {
    expect(joinInserts(base, ours, theirs)).toBe(joined);
  });

  it.each([
    [undefined, "x\n", "y", "x\ny\n"],
    [undefined, "x", "y\n", "x\ny\n"],
    ["", "x", "y\n", "x\ny\n"],
    ["", "x\n", "y", "x\ny\n"],
    ["", "x", "y", "x\ny"],
    ["a\n", "a\nx\n", "a\ny", "a\nx\ny"],
    ["a\n", "a\nx", "a\ny\n", "a\nx\ny"],
    ["a", "a\nx\n", "a\ny", "a\nx\ny\n"],
  ])("[D10] end as whoever changed the end of %j wants it: %j and %j", (base, ours, theirs, joined) => {
    expect(joinInserts(base, ours, theirs)).toBe(joined);
  });

  it("[D10] are refused where any side's end could be two things", () => {
    expect(joinInserts("a\r\n", "a\r\nb\r", "a\r\nc\r\n")).toBeUndefined();
    expect(joinInserts("a\r\n", "a\r\nb\r\n", "a\r\nc\r")).toBeUndefined();
    expect(joinInserts(undefined, "b\r", "c\r\n")).toBeUndefined();
  });

  it("[D10] whenever an old line of the common place was changed on either side", () => {
    fc.assert(
      fc.property(GROWN, fc.nat(), ([base, ours], pick) => {
        fc.pre(base.length > 0);
        const at = pick % base.length;
        const changed = base.map((line, n) => (n === at ? `changed ${line}` : line));
        const beside = base.flatMap((line, n) => (n === at ? ["other", line] : [line]));
        expect(
          joinInserts(written(base, "\n", true), written(changed, "\n", true), written(beside, "\n", true)),
        ).toBeUndefined();
        // Nobody else was there: then it is a change like any other.
        expect(
          joinInserts(written(base, "\n", true), written(base, "\n", true), written(ours, "\n", true)),
        ).toBe(written(ours, "\n", true));
      }),
    );
  });

  it("[D10] of two new files share what both begin with", () => {
    expect(joinInserts(undefined, "# Changes\n\n- one\n", "# Changes\n\n- two\n")).toBe(
      "# Changes\n\n- one\n- two\n",
    );
    expect(joinInserts(undefined, "x", "y")).toBe("x\ny");
    expect(joinInserts("", "x\n", "y\n")).toBe("x\ny\n");
  });

  it("[D10] keep bytes that are no UTF-8, and refuse an end that could be two things", () => {
    const latin = (...bytes: number[]) => Buffer.from(bytes).toString("latin1");
    const joined = joinInserts(latin(0xff, 10), latin(0xff, 10, 0xfe, 10), latin(0xff, 10, 0xc3, 10));
    expect(joined && [...Buffer.from(joined, "latin1")]).toEqual([0xff, 10, 0xfe, 10, 0xc3, 10]);
    expect(joinInserts("a\r\nb\r", "a\r\nb\r\nc\r\n", "a\r\nb\r\nd\r\n")).toBeUndefined();
  });

  it("[D10] are joined the same way every time", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (base, ours, theirs) => {
        const joined = joinInserts(base, ours, theirs);
        expect(joinInserts(base, ours, theirs)).toBe(joined);
        expect(joinInserts(base, base, theirs)).toBe(joinInserts(base, theirs, base));
      }),
    );
  });
});
