import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeSections } from "../../src/sync/index.ts";

const BASE = "intro\n\n# A\n\n- a1\n- a2\n\n# B\n\n- b1\n\n## B1\n\n- c1\n\n# C\n\n- d1\n";

function clashing(current: string, published: string, base = BASE): readonly string[] | string {
  const merge = mergeSections(base, current, published);
  return merge.merged ?? merge.clashes.map(clash => clash.section);
}

describe("merging", () => {
  it("[SV3] keeps changes of different sections", () => {
    const current = BASE.replace("- a2", "- a2 new");
    const published = BASE.replace("- d1", "- d1\n- d2");
    expect(clashing(current, published)).toBe(BASE.replace("- a2", "- a2 new").replace("- d1", "- d1\n- d2"));
  });

  it("[SV3] a section and its subsection are two", () => {
    const current = BASE.replace("- b1", "- b1 new");
    const published = BASE.replace("- c1", "- c1 new");
    expect(clashing(current, published)).toBe(BASE.replace("- b1", "- b1 new").replace("- c1", "- c1 new"));
  });

  it("[SV3] an item added at a section's end and the next section's change are two", () => {
    const current = BASE.replace("- a2\n", "- a2\n- a3\n");
    const published = BASE.replace("# B\n", "# B renamed\n");
    expect(clashing(current, published)).toBe(
      BASE.replace("- a2\n", "- a2\n- a3\n").replace("# B\n", "# B renamed\n"),
    );
  });

  it("[SV3] two new sections at one place stand in the order of publication", () => {
    const current = `${BASE}\n# First\n\nx\n`;
    const published = `${BASE}\n# Second\n\ny\n`;
    expect(clashing(current, published)).toBe(`${BASE}\n# First\n\nx\n\n# Second\n\ny\n`);
    const between = [
      BASE.replace("# C\n", "# X\n\nx\n\n# C\n"),
      BASE.replace("# C\n", "# Y\n\ny\n\n# C\n"),
    ] as const;
    expect(clashing(...between)).toBe(BASE.replace("# C\n", "# X\n\nx\n\n# Y\n\ny\n\n# C\n"));
  });

  it("[SV3] a new section beside a change of the one before it", () => {
    const current = BASE.replace("- c1\n", "- c1\n- c2\n");
    const published = BASE.replace("# C\n", "# New\n\nn\n\n# C\n");
    expect(clashing(current, published)).toBe(
      BASE.replace("- c1\n", "- c1\n- c2\n").replace("# C\n", "# New\n\nn\n\n# C\n"),
    );
  });

  it("[SV3] the same change made twice is one", () => {
    const both = BASE.replace("- a2", "- a2 new");
    expect(clashing(both, both.replace("- d1", "- d9"))).toBe(both.replace("- d1", "- d9"));
    expect(clashing(both, both)).toBe(both);
  });

  it("[SV3] a removed section beside a changed one", () => {
    const removed = BASE.replace("# A\n\n- a1\n- a2\n\n", "");
    expect(clashing(removed, BASE.replace("- d1", "- d9"))).toBe(removed.replace("- d1", "- d9"));
  });

  it("[SV4] the same section changed differently is a clash, also when the lines differ", () => {
    expect(clashing(BASE.replace("- a1", "- x"), BASE.replace("- a2", "- y"))).toEqual(["A"]);
    expect(clashing(BASE.replace("- a1", "- x"), BASE.replace("- a1", "- y"))).toEqual(["A"]);
    expect(clashing(BASE.replace("- a2\n", "- a2\n- x\n"), BASE.replace("- a2\n", "- a2\n- y\n"))).toEqual([
      "A",
    ]);
  });

  it("[SV4] a section removed here and changed there is a clash, shown empty where it is gone", () => {
    const removed = BASE.replace("# C\n\n- d1\n", "");
    const merge = mergeSections(BASE, removed, BASE.replace("- d1", "- d9"));
    expect(merge.clashes).toEqual([{ section: "C", current: "", published: "# C\n\n- d9\n" }]);
  });

  it("[SV4] a new section put inside of what the other removed is a clash", () => {
    const removed = BASE.replace("- a2\n\n# B\n", "");
    const inserted = BASE.replace("# B\n", "# New\n\nn\n\n# B\n");
    expect(clashing(removed, inserted)).toEqual(expect.arrayContaining([expect.stringMatching(/^[AB]$/)]));
    expect(clashing(inserted, removed)).toEqual(expect.arrayContaining([expect.stringMatching(/^[AB]$/)]));
  });

  it("[SV4] names every section that clashes, in order, and tells equal titles apart", () => {
    const base = "# N\n\na\n\n# N\n\nb\n\n# M\n\nc\n";
    const current = base.replace("a\n", "a1\n").replace("b\n", "b1\n").replace("c\n", "c1\n");
    const published = base.replace("b\n", "b2\n").replace("c\n", "c2\n");
    const merge = mergeSections(base, current, published);
    expect(merge.clashes).toEqual([
      { section: "N", current: "# N\n\nb1\n", published: "# N\n\nb2\n" },
      { section: "M", current: "# M\n\nc1\n", published: "# M\n\nc2" + "\n" },
    ]);
  });

  it("[SV4] text before the first heading is a section as well", () => {
    expect(clashing(BASE.replace("intro", "one"), BASE.replace("intro", "two"))).toEqual([""]);
  });

  it("[SV3] with only one side changed it is that side", () => {
    const text = fc
      .array(fc.constantFrom("# A", "## B", "# A", "x", "- y", "", "```"), { maxLength: 12 })
      .map(all => all.join("\n"));
    fc.assert(
      fc.property(text, text, (base, next) => {
        expect(mergeSections(base, base, next)).toEqual({ merged: next });
        expect(mergeSections(base, next, base)).toEqual({ merged: next });
        expect(mergeSections(base, next, next)).toEqual({ merged: next });
      }),
    );
  });

  it("[SV3] sections changed on one side only come out as that side has them", () => {
    const numbers = fc.uniqueArray(fc.nat(7), { maxLength: 4 });
    const document = (edits: ReadonlyMap<number, string>): string =>
      Array.from({ length: 8 }, (_, at) => `# S${at}\n\n${edits.get(at) ?? `text ${at}`}\n`).join("\n");
    fc.assert(
      fc.property(
        numbers,
        numbers,
        fc.constantFrom("new", "two\nlines", "- a\n\n- b"),
        (mine, theirs, value) => {
          const current = new Map(theirs.map(at => [at, `${value} current`]));
          const published = new Map(mine.map(at => [at, `${value} published`]));
          const both = mine.filter(at => theirs.includes(at)).sort((a, b) => a - b);
          const merge = mergeSections(document(new Map()), document(current), document(published));
          const merged = document(new Map([...current, ...published]));
          const wanted = both.length > 0 ? both.map(at => `S${at}`) : merged;
          expect(merge.merged ?? merge.clashes.map(clash => clash.section)).toEqual(wanted);
        },
      ),
    );
  });

  const FLAT = "# A\n- a\n# B\n- b\n";
  const N = "# N\n- n\n";
  it.each([
    [
      "a line added at a section's end",
      "a new section",
      "# A\n- a\n- z\n# B\n- b\n",
      `# A\n- a\n- z\n${N}# B\n- b\n`,
    ],
    ["a heading changed", "a new section", "# A\n- a\n# C\n- b\n", `# A\n- a\n${N}# C\n- b\n`],
    ["a section removed", "a new section", "# A\n- a\n", `# A\n- a\n${N}`],
  ])(
    "[SV3] %s and %s at one place stand in the document's order, whoever was first",
    (_, __, one, merged) => {
      const other = FLAT.replace("# B", `${N}# B`);
      expect([clashing(one, other, FLAT), clashing(other, one, FLAT)]).toEqual([merged, merged]);
    },
  );

  it("[SV3] what both changed alike is nobody's, when one changed more of the section", () => {
    const both = BASE.replace("- a1", "- A1");
    const more = both.replace("- a2\n", "- a2\n\ntext\n");
    expect(clashing(both, more)).toBe(more);
    expect(clashing(more, both)).toBe(more);
  });

  it("[SV3] shows text before all headings, and under a heading without words, as each left it", () => {
    const base = "intro\n\n#\n\nx\n\n# A\n\na\n";
    const each = (from: string): readonly string[] =>
      ["1", "2"].map(to => base.replace(from, `${from}${to}`));
    const shown = (from: string): unknown => mergeSections(base, each(from)[0]!, each(from)[1]!).clashes;
    expect(shown("intro")).toEqual([{ section: "", current: "intro1\n", published: "intro2\n" }]);
    expect(shown("x")).toEqual([{ section: "", current: "#\n\nx1\n", published: "#\n\nx2\n" }]);
  });
});
