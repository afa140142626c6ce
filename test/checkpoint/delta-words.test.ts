import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shorten } from "../../src/checkpoint/excerpt.ts";
import { applyDelta, checkDelta, differences, misTold } from "../../src/checkpoint/index.ts";
import { sealOf } from "../../src/checkpoint/seal.ts";
import { splitRow } from "../../src/checkpoint/table.ts";
import { itWhole } from "../sample.ts";
import { CHECKPOINT, deltaOf, LATER, must, REST, toldOf } from "./documents.ts";

describe("what the tables say", () => {
  it.each(["", REST])(
    "[KD29] of a checkpoint that only bears another name, that its front matter changed",
    rest => {
      const from = `---\ncheckpoint: chk-001\ncreated: 2026-03-01T09:00:00Z\nanchor: run#1\n---\n\n## A\n\nx\n${rest}`;
      const to = from
        .replace("chk-001", "chk-002")
        .replace("#1", "#2")
        .replace("anchor", "parent: chk-001\nanchor");
      const text = deltaOf(from, to);
      expect(text).toContain(
        ": only the front matter changed.\n\n## Changes\n\n### Modified\n\nonly the front matter changed.\n",
      );
      expect(text).toMatch(/\n1\. `espalier checkpoint apply` makes .* by this block\.\n/);
      expect(text).not.toContain("\n2. ");
      expect(checkDelta(text)).toEqual([]);
      expect(must(applyDelta(text, from)).text).toBe(to);
      expect(toldOf(from, from)).toContain("nothing changed");
    },
  );

  const found = differences(CHECKPOINT, LATER);

  const WORDS = [
    "one",
    "`two`",
    "**three**",
    "`four five six`",
    "**seven eight**",
    "**nine `ten` x**",
    "하나",
  ];
  const balanced = (text: string) =>
    text.split("`").length % 2 === 1 && text.replaceAll(/`[^`]*`/g, "").split("**").length % 2 === 1;
  /** The cells and items between `## Changes` and the machine block. */
  const shownOf = (text: string) =>
    text
      .slice(text.indexOf("## Changes"), text.indexOf("## Merge Instructions"))
      .split("\n")
      .flatMap(line => (line.startsWith("|") ? splitRow(line) : [line]));

  itWhole("[KD11] no cut leaves a mark open or a word in halves", () => {
    const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 60 });
    const known = new Set(WORDS.flatMap(word => word.match(/[\p{L}]+/gu) ?? []));
    fc.assert(
      fc.property(words, words, words, words, (head, old, next, tail) => {
        const of = (middle: string[]) =>
          `## A\n\n- x ${[...head, ...middle, ...tail].join(" ")}\n- **Key:** ${middle.join(" ")}\n`;
        for (const from of ["## A\n", of(old)]) {
          const shown = shownOf(toldOf(from, of(next)));
          expect(shown.filter(cell => !balanced(cell))).toEqual([]);
          const cut = shown.filter(cell => cell.includes("…")).join(" ");
          for (const word of cut.match(/\p{L}+/gu) ?? []) expect([...known, "x", "A", "Key"]).toContain(word);
        }
      }),
    );
  });

  it("[KD11] a value behind its key is shown whole", () => {
    const shown = (from: string, to: string) =>
      differences(`- ${from}\n`, `- ${to}\n`).modified.map(({ before, after }) => [before, after]);
    expect(shown("Run: `npm test` now", "Run: `npm run` now")).toEqual([["`npm test` now", "`npm run` now"]]);
    expect(shown("**Why:** **fast** work", "**Why:** **good** work")).toEqual([
      ["**fast** work", "**good** work"],
    ]);
    expect(shown("**Why: fast** work", "**Why: good** work")).toEqual([["**fast** work", "**good** work"]]);
    expect(shown("Read - **this first**: now", "Read - **this first**: then")).toEqual([["now", "then"]]);
    expect(shown("See: **all of** one", "See: **all of** two")).toEqual([
      ["**all of** one", "**all of** two"],
    ]);
    expect(shown("**Why: fast**", "**Why: good**")).toEqual([["fast", "good"]]);
    expect(shorten("see `a b c d` and so on", 12)).toBe("see `a b c…`");
    expect(shorten("an **important thing** here", 14)).toBe(
      "an **important…**".replace("important", "importan"),
    );
  });

  it("[KD10] a human half that says something else than the machine half is told", () => {
    const [from, to] = [CHECKPOINT + REST, LATER + REST];
    const honest = deltaOf(from, to);
    expect(misTold(honest, from, to)).toBeUndefined();
    const rewritten = honest.replace(/(## Summary\n\n).*/, "$1Bread.");
    expect(misTold(rewritten, from, to)).toBeUndefined();
    const forgeries = [
      honest.replace("Begin T2.1 |", "Go home |"),
      honest.replace("1. Add D-3 to §Decisions.", "1. Change nothing."),
      honest.replace("## Merge Instructions\n", "Nothing else changed.\n\n## Merge Instructions\n"),
      `${honest}\nEvery decision was approved.\n`,
    ];
    for (const forged of forgeries) {
      expect(forged).not.toBe(honest);
      const unsealed = forged.replace(/^seal: .*\n/m, "");
      const resealed = forged.replace(/^seal: .*$/m, `seal: ${sealOf(forged)}`);
      expect(must(applyDelta(forged, from)).text).toBe(to);
      expect(misTold(forged, from, to)?.refuse).toBe(true);
      expect(misTold(unsealed, from, to)?.refuse).toBe(true);
      // It may as well be told in the words of an earlier version.
      expect(misTold(resealed, from, to)?.refuse).toBe(false);
    }
  });

  it("[KD3] statuses that moved are transitions, and nothing else", () => {
    expect(found.transitions).toEqual([
      {
        section: "Artifact Trail",
        place: "`src/price.ts`",
        name: "`src/price.ts`",
        kind: "changed",
        before: "created",
        after: "modified",
      },
      {
        section: "Current State",
        place: "T1.2 Prices",
        name: "T1.2 Prices",
        kind: "changed",
        before: "in_progress",
        after: "completed",
      },
    ]);
    const boxes = differences("- [ ] bake\n- [x] sell\n", "- [x] bake\n- [ ] sell\n");
    expect(boxes.transitions.map(({ place, before, after }) => [place, before, after])).toEqual([
      ["bake", "open", "done"],
      ["sell", "done", "open"],
    ]);
    expect(boxes.modified).toEqual([]);
  });

  it("[KD3] a status word as the value of a key is one, too", () => {
    const moved = differences(
      "- **Phase 2:** Pending\n- Name: Pending Corp\n",
      "- **Phase 2:** COMPLETE (gate 1)\n- Name: Open Corp\n",
    );
    expect(moved.transitions.map(({ place, before, after }) => [place, before, after])).toContainEqual([
      "Phase 2",
      "Pending",
      "COMPLETE (gate 1)",
    ]);
  });

  it("[KD3] a row whose other cells changed as well is also modified", () => {
    const table = (row: string) => `| T | Status | Note |\n|---|---|---|\n${row}\n`;
    const both = differences(table("| a | open | x |"), table("| a | closed | y |"));
    expect(both.transitions).toHaveLength(1);
    expect(both.modified).toHaveLength(1);
  });

  it("[KD3] where only statuses moved, they stand under Modified too", () => {
    const text = deltaOf("- [ ] a\n", "- [x] a\n");
    expect(text).toContain("### Modified");
    expect(text).toContain("### Status Transitions");
    expect(checkDelta(text)).toEqual([]);
  });

  it("[KD7] foreign text opens no heading, fence or table of its own", () => {
    const nasty = [
      "- # not a heading",
      "- ``` not a fence",
      "- | a | b |",
      "- > quote",
      "- <script>",
      "- ## Summary",
    ].join("\n");
    const text = deltaOf("## N\n\n", `## N\n\n${nasty}\n`);
    const before = text.slice(0, text.indexOf("## Merge Instructions"));
    expect(before.split("\n").filter(line => /^#{1,6} /.test(line))).toEqual([
      "## Summary",
      "## Changes",
      "### Added",
    ]);
    expect(before).not.toMatch(/^(?:```|>)/m);
    expect(checkDelta(text)).toEqual([]);
  });
});
