import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Link, State } from "../../src/checkpoint/history.ts";
import { checkIndex, planPrune, standingOf, studyHistory, writeIndex } from "../../src/checkpoint/index.ts";
import { chain, deltaOf, historyOf, small } from "./documents.ts";

const codes = (files: Record<string, string>) => historyOf(files).history.problems.map(({ code }) => code);

describe("histories", () => {
  it("[KH1] the end of a chain is current, the others are superseded", () => {
    const { history } = historyOf(chain(4));
    expect(history.problems).toEqual([]);
    expect(history.current).toBe("chk-004");
    expect(history.order.map(id => standingOf(history, id))).toEqual([
      "superseded",
      "superseded",
      "superseded",
      "current",
    ]);
  });

  it("[KH1] nothing is current in an empty folder, and a lone checkpoint is", () => {
    expect(historyOf({}).history).toMatchObject({ order: [], current: undefined, problems: [] });
    expect(historyOf({ "chk-001.md": small("chk-001", undefined) }).history.current).toBe("chk-001");
  });

  it("[KH1] two ends are two currents; one that says so is it", () => {
    const files = chain(2);
    const fork = small("chk-003", "chk-001", "fork");
    expect(codes({ ...files, "chk-003.md": fork })).toContain("TWO_CURRENT");
    const claimed = { ...files, "chk-003.md": fork.replace("active", "current") };
    expect(historyOf(claimed).history.current).toBe("chk-003");
    const both = { ...claimed, "chk-002.md": files["chk-002.md"]!.replace("active", "current") };
    expect(historyOf(both).history.current).toBeUndefined();
    expect(codes(both)).toContain("TWO_CURRENT");
  });

  it("[KH1] an end that another takes the place of is superseded", () => {
    const files = {
      ...chain(2),
      "chk-003.md": small("chk-003", "chk-001", "fork", "supersedes: chk-002, chk-009\n"),
    };
    const { history } = historyOf(files);
    expect(history.current).toBe("chk-003");
    expect(standingOf(history, "chk-002")).toBe("superseded");
    expect(history.problems.map(({ code }) => code)).toContain("FORK");
  });

  it("[KH1] archived ones are not current, by place or by word", () => {
    const text = small("chk-001", undefined);
    expect(historyOf({ "archive/chk-001.md": text }).history.current).toBeUndefined();
    expect(historyOf({ "chk-001.md": text.replace("active", "archived") }).history.current).toBeUndefined();
    const { history } = historyOf({ "archive/chk-001.md": text });
    expect(standingOf(history, "chk-001")).toBe("archived");
  });

  it("[KH2] names what two files claim, ids that are none, names that differ and dates that are none", () => {
    const text = small("chk-001", undefined);
    expect(codes({ "chk-001.md": text, "copy.md": text })).toContain("DUPLICATE_ID");
    expect(codes({ "x.md": text })).toContain("FILE_NAME");
    expect(codes({ "x.md": text.replace("checkpoint: chk-001", "checkpoint: ../x") })).toContain("BAD_ID");
    expect(codes({ "chk-001.md": text.replace("2026-03-01T09:00:00Z", "soon") })).toContain("BAD_DATE");
  });

  it("[KH2] finds parents in a circle, once", () => {
    const files = {
      "chk-001.md": small("chk-001", "chk-003"),
      "chk-002.md": small("chk-002", "chk-001"),
      "chk-003.md": small("chk-003", "chk-002"),
      "chk-004.md": small("chk-004", "chk-003"),
    };
    const { history } = historyOf(files);
    const circles = history.problems.filter(({ code }) => code === "PARENT_CYCLE");
    expect(circles).toHaveLength(1);
    expect(circles[0]?.about.toSorted()).toEqual(["chk-001", "chk-002", "chk-003"]);
    expect(history.order).toHaveLength(4);
  });

  it("[KH2] one that is its own parent is a circle of one", () => {
    expect(codes({ "chk-001.md": small("chk-001", "chk-001") })).toContain("PARENT_CYCLE");
  });

  it("[KH2] a parent that is not here is a note", () => {
    const { history } = historyOf({ "chk-007.md": small("chk-007", "chk-006") });
    expect(history.problems).toMatchObject([{ code: "NO_PARENT", weight: "note" }]);
    expect(history.current).toBe("chk-007");
  });

  it("[KH2] a missing link within the chain and at its end can be mended; old ones were pruned", () => {
    for (const gone of ["delta-002-003.md", "delta-003-004.md"]) {
      const { [gone]: _, ...files } = chain(4);
      expect(historyOf(files).history.problems).toMatchObject([{ code: "MISSING_DELTA", weight: "repair" }]);
    }
    const { "delta-001-002.md": _, "delta-002-003.md": __, ...pruned } = chain(4);
    expect(historyOf(pruned).history.problems).toEqual([]);
  });

  it("[KH2] a checkpoint or a delta that was edited does not fit the other", () => {
    const files = chain(3);
    const changed = { ...files, "chk-002.md": files["chk-002.md"]!.replace("Bread", "Cakes") };
    expect(historyOf(changed).history.problems.map(({ code, about }) => [code, about[1]])).toEqual([
      ["HASH_MISMATCH", "delta-001-002.md"],
      ["HASH_MISMATCH", "delta-002-003.md"],
    ]);
    const edited = {
      ...files,
      "delta-001-002.md": files["delta-001-002.md"]!.replace("### Modified", "### Changed"),
    };
    expect(codes(edited)).toEqual(["EDITED"]);
  });

  it("[KH2] a delta without a beginning is an orphan, prose is a note", () => {
    const { "chk-001.md": _, "delta-001-002.md": __, "chk-002.md": ___, ...rest } = chain(3);
    expect(codes(rest)).toContain("ORPHAN_DELTA");
    const prose = { ...chain(2), "delta-001-002.md": "# Delta\n\n## New Items\n\n- x\n" };
    expect(historyOf(prose).history.problems).toMatchObject([{ code: "PROSE_DELTA", weight: "note" }]);
  });

  it("[KH2] never throws, whatever heads say", () => {
    const id = fc.constantFrom("chk-001", "chk-002", "chk-003", "a", "..", "");
    const state: fc.Arbitrary<State> = fc.record({
      id,
      file: id.map(name => `${name}.md`),
      hash: fc.constantFrom("x", "y"),
      bytes: fc.nat(9),
      archived: fc.boolean(),
      parent: id,
      status: fc.constantFrom("current", "active", "archived"),
      lastDelta: fc.constant("d"),
      supersedes: id,
    });
    const link: fc.Arbitrary<Link> = fc.record({
      from: id,
      to: id,
      file: id,
      toHash: fc.constantFrom("x", "y"),
      fromHash: fc.constantFrom("x", "y"),
      appliable: fc.boolean(),
      sealed: fc.boolean(),
      summary: fc.string(),
      bytes: fc.nat(9),
    });
    fc.assert(
      fc.property(fc.array(state, { maxLength: 6 }), fc.array(link, { maxLength: 6 }), (states, links) => {
        const history = studyHistory({ states, links, unreadable: [] });
        expect(new Set(history.order).size).toBe(history.order.length);
        for (const kind of ["deltas", "states"] as const) planPrune(history, 2, kind);
        writeIndex(history);
      }),
      { numRuns: 500 },
    );
  });

  it("[KH2] parents come before children of the same number's kind", () => {
    const files = { "b.md": small("b", "a"), "a.md": small("a", "c"), "c.md": small("c", undefined) };
    expect(historyOf(files).history.order).toEqual(["c", "a", "b"]);
  });
});

describe("the table of contents", () => {
  it("[KH6] tells every checkpoint, and which one is current", () => {
    const { history } = historyOf(chain(3));
    const index = writeIndex(history);
    expect(index).toContain("Current: chk-003.");
    expect(index.split("\n").filter(line => line.startsWith("| [chk-"))).toHaveLength(3);
    expect(index).toContain("| [delta-002-003](delta-002-003.md) |");
    expect(checkIndex(history, index)).toBeUndefined();
  });

  it("[KH6] is missing, or not what the files say", () => {
    const { history } = historyOf(chain(3));
    expect(checkIndex(history, undefined)).toMatchObject({ code: "INDEX", weight: "repair" });
    expect(checkIndex(history, writeIndex(historyOf(chain(2)).history))).toMatchObject({ code: "INDEX" });
    expect(checkIndex(historyOf({}).history, undefined)).toBeUndefined();
  });

  it("[KH6] foreign words stay in their cell", () => {
    const files = chain(2);
    files["delta-001-002.md"] = files["delta-001-002.md"]!.replace(/(## Summary\n\n).*/, "$1a | b\n");
    const rows = writeIndex(historyOf(files).history)
      .split("\n")
      .filter(line => line.includes("a \\| b"));
    expect(rows).toHaveLength(1);
  });
});

describe("pruning", () => {
  it("[KH5] drops deltas that end before the newest ones", () => {
    const { history } = historyOf(chain(6));
    expect(planPrune(history, 2, "deltas").files).toEqual([
      "delta-001-002.md",
      "delta-002-003.md",
      "delta-003-004.md",
    ]);
    expect(planPrune(history, 99, "deltas").files).toEqual([]);
  });

  it("[KH5] drops full states, but never the oldest, the newest or the current one", () => {
    const { history } = historyOf(chain(6));
    expect(planPrune(history, 2, "states").states).toEqual(["chk-002", "chk-003", "chk-004"]);
    expect(planPrune(history, 0, "states").states).not.toContain("chk-006");
  });

  it("[KH5] keeps the deltas that a dropped state needs", () => {
    const files = chain(6);
    for (const id of ["chk-002", "chk-003"]) delete files[`${id}.md`];
    expect(planPrune(historyOf(files).history, 2, "deltas").files).toEqual(["delta-003-004.md"]);
  });

  it("[KH5] keeps deltas that are the only record: prose, and those that lead elsewhere", () => {
    const files = chain(5);
    files["delta-001-002.md"] = "# Delta\n\n## New Items\n\n- x\n";
    files["delta-002-003.md"] = deltaOf(files["chk-002.md"]!, `${files["chk-003.md"]} `, [
      "chk-002",
      "chk-003",
    ]);
    expect(planPrune(historyOf(files).history, 1, "deltas").files).toEqual(["delta-003-004.md"]);
    expect(planPrune(historyOf(files).history, 1, "states").states).toEqual(["chk-004"]);
  });
});
