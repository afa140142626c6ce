import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { joinInserts } from "../../src/delta/index.ts";
import { casesOf } from "../sample.ts";

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
      { numRuns: casesOf(500, 2_000) },
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
      { numRuns: casesOf(500, 2_000) },
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

/** Items of a flat object: keys of the base, and a side's own wherever it puts them. */
function withKeys(base: readonly string[], own: readonly string[], places: readonly number[]): object {
  const keys = [...base];
  for (const [at, key] of own.entries()) keys.splice((places[at] ?? 0) % (keys.length + 1), 0, key);
  return Object.fromEntries(keys.map(key => [key, `value of ${key}`]));
}

function pretty(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

describe("[D26] items of lists whose last one has no comma", () => {
  const places = fc.array(fc.nat({ max: 9 }), { minLength: 3, maxLength: 3 });

  it("join into JSON that holds both sides' keys, wherever they came, once", () => {
    fc.assert(
      fc.property(fc.nat({ max: 4 }), places, places, fc.boolean(), (size, left, right, isNested) => {
        const keys = Array.from({ length: size }, (_, at) => `k${at}`);
        const wrap = (value: object) => pretty(isNested ? { name: "x", scripts: value, end: [] } : value);
        const [ours, theirs] = [withKeys(keys, ["a", "b"], left), withKeys(keys, ["c", "d", "e"], right)];
        const joined = joinInserts(wrap(withKeys(keys, [], [])), wrap(ours), wrap(theirs));
        if (joined === undefined) throw new Error(`refused ${wrap(ours)} and ${wrap(theirs)}`);
        expect(JSON.parse(joined)).toEqual(JSON.parse(wrap({ ...ours, ...theirs })));
        expect(joined).toBe(pretty(JSON.parse(joined)));
      }),
      { numRuns: 2_000 },
    );
  });

  it("never become JSON in which something stands elsewhere, twice, or not at all", () => {
    const value = fc.dictionary(
      fc.constantFrom("a", "b", "c", "d"),
      fc.oneof(
        fc.constantFrom(1, "x", null),
        fc.array(fc.constantFrom(1, 2, { a: 1 }), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom("a", "b", "c"), fc.constantFrom(1, 2), { maxKeys: 3 }),
      ),
      { maxKeys: 4 },
    );
    let joins = 0;
    fc.assert(
      fc.property(value, value, value, (base, one, other) => {
        const [ours, theirs] = [
          { ...base, ...one },
          { ...base, ...other },
        ];
        const text = joinInserts(pretty(base), pretty(ours), pretty(theirs));
        if (text === undefined) return;
        joins++;
        const joined = JSON.parse(text) as Record<string, unknown>;
        for (const key of Object.keys({ ...ours, ...theirs })) {
          const [was, mine, yours, is] = [base, ours, theirs, joined].map(side => JSON.stringify(side[key]));
          // Where both changed it in different ways, a place holds some of each.
          const wanted = mine === was || mine === yours ? yours : yours === was ? mine : is;
          expect(is).toBe(wanted);
        }
        expect(text.split("\n")).toHaveLength(pretty(joined).split("\n").length);
      }),
      { numRuns: 5_000 },
    );
    expect(joins).toBeGreaterThan(500);
  });

  it.each([
    [
      "an array of a program",
      "[\n  1\n];\n",
      "[\n  1,\n  2\n];\n",
      "[\n  1,\n  3\n];\n",
      "[\n  1,\n  2,\n  3\n];\n",
    ],
    [
      "with commas at their ends",
      "(\n  1\n)\n",
      "(\n  1,\n  2,\n)\n",
      "(\n  1,\n  3,\n)\n",
      "(\n  1,\n  2,\n  3,\n)\n",
    ],
    [
      "with Windows' line ends",
      "[\r\n  1\r\n]\r\n",
      "[\r\n  1,\r\n  2\r\n]\r\n",
      "[\r\n  1,\r\n  3\r\n]\r\n",
      "[\r\n  1,\r\n  2,\r\n  3\r\n]\r\n",
    ],
    [
      "before and behind the last",
      "[\n  2\n]\n",
      "[\n  1,\n  2\n]\n",
      "[\n  2,\n  3\n]\n",
      "[\n  1,\n  2,\n  3\n]\n",
    ],
    ["alike", "[\n  1\n]\n", "[\n  1,\n  2\n]\n", "[\n  1,\n  2\n]\n", "[\n  1,\n  2\n]\n"],
  ])("join %s", (_what, base, ours, theirs, joined) => {
    expect(joinInserts(base, ours, theirs)).toBe(joined);
  });

  it.each([
    ["the same key with other values", { a: 1 }, { a: 1, b: 1 }, { a: 1, b: 2 }],
    ["the same key beside more", { a: 1 }, { a: 1, b: 1 }, { a: 1, b: 1, c: 1 }],
    [
      "a key of an object that the other closed",
      { d: { z: 0 } },
      { d: { z: 0, a: 1 } },
      { d: { z: 0 }, e: { f: 1 } },
    ],
    ["a last item that the other changed", { a: 1 }, { a: 1, b: 1 }, { a: 2 }],
    ["new documents", undefined, { a: 1 }, { b: 1 }],
  ])("are refused: %s", (_what, base, ours, theirs) => {
    expect(joinInserts(base && pretty(base), pretty(ours), pretty(theirs))).toBeUndefined();
    expect(joinInserts(base && pretty(base), pretty(theirs), pretty(ours))).toBeUndefined();
  });

  it.each([
    ["a statement got no comma", "f(1\n)\n", "f(1,\n  g();\n)\n", "f(1,\n  h();\n)\n"],
    ["a comment stands last", "[\n  1\n]\n", "[\n  1,\n  // two\n]\n", "[\n  1,\n  3\n]\n"],
    ["only one side set a comma", "[\n  1\n]\n", "[\n  1,\n  2\n]\n", "[\n  1\n  3\n]\n"],
    ["brackets of a program were opened", "f() {}\n", "f() {\n  a()\n}\n", "f() {\n  b()\n}\n"],
  ])("are refused where %s", (_what, base, ours, theirs) => {
    expect(joinInserts(base, ours, theirs)).toBeUndefined();
  });

  it("join whatever their strings hold", () => {
    const base = { 'a"': '":\\', "b\\": [':"'] };
    const [ours, theirs] = [
      { ...base, '"c": ': "\\\\" },
      { ...base, "d ": '"d": 1' },
    ];
    const joined = joinInserts(pretty(base), pretty(ours), pretty(theirs));
    expect(joined).toBe(pretty({ ...ours, ...theirs }));
  });

  it("are refused, not thrown at, where they are nested too deeply to be compared", () => {
    const nested = (item: string) => `[\n${"[".repeat(50_000)}${item}${"]".repeat(50_000)}\n]\n`;
    const grown = (item: string) => nested("1").replace("\n]\n", `,\n${item}\n]\n`);
    expect(joinInserts(nested("1"), grown("2"), grown("3"))).toBeUndefined();
  });
});
