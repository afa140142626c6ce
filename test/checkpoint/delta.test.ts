import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fenceFor } from "../../src/checkpoint/delta-write.ts";
import { shorten } from "../../src/checkpoint/excerpt.ts";
import {
  applyDelta,
  checkDelta,
  differences,
  misTold,
  proveDelta,
  readDelta,
  writeDelta,
} from "../../src/checkpoint/index.ts";
import { sealOf } from "../../src/checkpoint/seal.ts";
import { splitRow } from "../../src/checkpoint/table.ts";
import { shortHash } from "../../src/delta/index.ts";
import { countChars, PAIR } from "../delta/documents.ts";
import { CHECKPOINT, CREATED, deltaOf, LATER, must } from "./documents.ts";

const OPTIONS = { created: CREATED, countTokens: countChars };

describe("writing a delta", () => {
  it("[D1] of any two texts is proved: exact, without a departure", () => {
    fc.assert(
      fc.property(PAIR, fc.constantFrom("en" as const, "ko" as const), ([from, to], locale) => {
        const made = writeDelta(
          { id: "chk-001", text: from },
          { id: "chk-002", text: to },
          { ...OPTIONS, locale },
        );
        // Only a text that is no Unicode makes none.
        expect(made.ok).toBe(to.isWellFormed());
        const text = made.ok ? made.value.text : deltaOf(from, from);
        expect(proveDelta(text, from, made.ok ? to : from)).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it("[D1] has everything the specification asks for", () => {
    const text = deltaOf(CHECKPOINT, LATER, ["chk-002", "chk-003"]);
    const delta = readDelta(text);
    expect(delta).toMatchObject({
      delta: "chk-002-to-chk-003",
      created: CREATED,
      from: "chk-002",
      to: "chk-003",
      fromHash: shortHash(CHECKPOINT),
      toHash: shortHash(LATER),
    });
    expect([...delta.headings.keys()]).toEqual([
      "summary",
      "changes",
      "added",
      "modified",
      "transitions",
      "instructions",
    ]);
    expect(delta.summary.split(". ")).toHaveLength(1);
    expect(delta.block?.split("\n")[0]).toMatch(/^\[CONTEXT-UPDATE\] CHK-v2 → CHK-v3 /);
    expect(text.trimEnd().endsWith("```")).toBe(true);
    expect(text).toContain("\n1. Add 1 item to §Decisions.\n");
  });

  it("[D1] is also made of documents that are no checkpoints, and of equal ones", () => {
    for (const [from, to] of [
      ["", "a"],
      ["a", ""],
      ["same\n", "same\n"],
      ["a\r\nb", "a\nb"],
      ["\uFEFFa", "a"],
    ] as const) {
      const text = deltaOf(from, to);
      expect(proveDelta(text, from, to)).toEqual([]);
      expect(must(applyDelta(text, from)).text).toBe(to);
    }
    expect(deltaOf("x", "x")).toContain("nothing changed");
  });

  it("[D1] a fence of the machine block is closed by nothing in it", () => {
    const from = "# A\n\ntext\n";
    const to = "# A\n\ntext\n\n````md\n```\n`````\n## Summary\n---\ndelta: x\n";
    const text = deltaOf(from, to);
    expect(fenceFor(to)).toBe("``````");
    expect(proveDelta(text, from, to)).toEqual([]);
    expect(fenceFor("no ticks")).toBe("```");
  });

  it("[D1] refuses ids that are none, and texts no message can carry", () => {
    const bad = writeDelta({ id: "../x", text: "a" }, { id: "chk-002", text: "b" }, OPTIONS);
    expect(bad).toMatchObject({ ok: false, failure: { kind: "id" } });
    const lone = writeDelta({ id: "chk-001", text: "a" }, { id: "chk-002", text: "\ud800" }, OPTIONS);
    expect(lone).toMatchObject({ ok: false, failure: { kind: "inexact" } });
  });

  it("[D1] the headline begins the sentence, on one line", () => {
    const made = must(
      writeDelta(
        { id: "chk-001", text: "a" },
        { id: "chk-002", text: "b" },
        { ...OPTIONS, headline: "Phase 2\n## ended" },
      ),
    );
    expect(made.summary).toBe("Phase 2 ## ended: 1 item modified.");
    expect(checkDelta(made.text)).toEqual([]);
  });

  it("[D1] speaks Korean where asked, under the same headings", () => {
    const made = must(
      writeDelta(
        { id: "chk-001", text: CHECKPOINT },
        { id: "chk-002", text: LATER },
        { ...OPTIONS, locale: "ko" },
      ),
    );
    expect(made.summary).toMatch(/추가/);
    expect(made.text).toContain("### Status Transitions");
    expect(proveDelta(made.text, CHECKPOINT, LATER)).toEqual([]);
  });
});

describe("the tables", () => {
  const found = differences(CHECKPOINT, LATER);
  const TRAIL = ["File", "Status", "Key Change"];

  it("[D2] tell what was added, modified and removed", () => {
    expect(found.added).toEqual([
      { section: "Decisions", text: "D-3: One table for orders", kind: "item" },
      {
        section: "Artifact Trail",
        text: "| `src/order.ts` | created | the form |",
        kind: "row",
        titles: TRAIL,
      },
    ]);
    expect(found.removed).toEqual([]);
    expect(found.modified).toEqual([
      {
        section: "Current State",
        place: "Current State: The menu",
        before: "The menu stands.",
        after: "The menu and the prices stand.",
      },
      { section: "Next Actions", place: "Next Actions", before: "Finish T1.2", after: "Begin T2.1" },
    ]);
    expect(differences(LATER, CHECKPOINT).removed).toEqual(found.added);
  });

  it("[D8] files stand under what became of them", () => {
    const trail = (...rows: string[]) =>
      `## Artifact Trail\n\n| File | Status | Key Change |\n|---|---|---|\n| a | created | x |\n${rows.join("\n")}\n`;
    const states = ["created", "**modified**", "Deleted (by hand)", "renamed", "3 lines"];
    const next = trail(...states.map((status, at) => `| f${at} | ${status} | what |`));
    const head = "| File | Status | Key Change |\n|---|---|---|";
    const groups = (text: string) => [...text.matchAll(/^\*\*(.+)\*\*\n\n(?:\|.*\n){2}((?:\|.*\n)+)/gm)];
    const come = deltaOf(trail(), next);
    expect(come).toContain(`**New files created**\n\n${head}\n| f0 | created | what |\n\n**Files modified**`);
    expect(groups(come).map(([, heading, rows]) => [heading, rows?.split(" ")[1]])).toEqual([
      ["New files created", "f0"],
      ["Files modified", "f1"],
      ["Files deleted", "f2"],
      ["Files moved", "f3"],
      ["Files", "f4"],
    ]);
    expect(groups(deltaOf(next, trail())).map(([, heading]) => heading)).toEqual(["Files no longer listed"]);
  });

  it("[D8] rows of files keep the titles of their table", () => {
    const trail =
      "### Artifact Trail\n\n| Path | Purpose | Estado |\n|---|---|---|\n| `a` | to add | modificado |\n";
    const text = deltaOf("## Essential Information\n", `## Essential Information\n\n${trail}`);
    expect(text).toContain(
      "**Files modified**\n\n| Path | Purpose | Estado |\n|---|---|---|\n| `a` | to add | modificado |\n\n#",
    );
    expect(text).not.toContain("**Files**");
  });

  it("[D9] the Merge Instructions name every section, or say how many steps more there are", () => {
    const sections = (count: number) =>
      Array.from({ length: count }, (_, at) => `\n## S${at}\n\ntext ${at}\n`).join("");
    const steps = (text: string) => text.split("\n").filter(line => /^\d+\. /.test(line));
    const few = steps(deltaOf("# A\n- [ ] x\n", `# A\n- [x] x\n${sections(13)}`));
    expect(few).toHaveLength(15);
    expect(few[12]).toBe("13. Add 1 item to §S12.");
    const many = steps(deltaOf("# A\n- [ ] x\n", `# A\n- [x] x\n${sections(20)}`));
    expect(many.slice(11, 14)).toEqual([
      "12. Add 1 item to §S11.",
      "13. And 8 more such steps, which the machine block below has.",
      "14. Set 1 status as listed under Status Transitions.",
    ]);
  });

  it("[D2] what the header tells already is not repeated", () => {
    const renamed = CHECKPOINT.replace("chk-002", "chk-009").replace("session 7", "session 8");
    expect(differences(CHECKPOINT, renamed)).toMatchObject({
      added: [],
      modified: [],
      removed: [],
      layout: 0,
    });
  });

  it("[D2] a section that comes or goes whole is one entry", () => {
    const more = `${CHECKPOINT}\n## Risks\n\n- fire\n- flood\n`;
    expect(differences(CHECKPOINT, more).added).toEqual([{ section: "Risks", text: "5", kind: "section" }]);
    expect(differences(more, CHECKPOINT).removed).toEqual([{ section: "Risks", text: "5", kind: "section" }]);
  });

  it("[D2] what moved to another section is neither gone nor come", () => {
    const from = "## A\n\n- one thing\n- other\n\n## B\n\n- third\n";
    const to = "## A\n\n- other\n\n## B\n\n- third\n- one thing\n";
    expect(differences(from, to)).toMatchObject({
      added: [],
      removed: [],
      modified: [{ place: "one thing", before: "§A", after: "§B" }],
    });
  });

  it("[D2] what moved within its section is layout", () => {
    const found = differences("## A\n\n- x1: a\n- y\n- z\n", "## A\n\n- y\n- z\n- x1: a\n");
    expect(found).toMatchObject({ added: [], removed: [], modified: [] });
    expect(found.layout).toBe(1);
  });

  it("[D2] a renamed heading is a modification", () => {
    expect(differences("## A\n\nx\n", "## A B\n\nx\n").modified).toEqual([
      { section: "A B", place: "Heading", before: "A", after: "A B" },
    ]);
  });

  it("[D2] long lists end in a count, and are told as truth", () => {
    const list = (count: number) =>
      `## L\n\n${Array.from({ length: count }, (_, at) => `- entry ${at} of many`).join("\n")}\n`;
    const [from, to] = [list(0), list(60)];
    const text = deltaOf(from, to);
    expect(text).toContain("… and 36 more, which the machine block below has");
    expect(proveDelta(text, from, to)).toEqual([]);
  });

  it("[D2] tables that were invented are told", () => {
    const honest = deltaOf(CHECKPOINT, LATER);
    const forged = honest.replace("Begin T2.1 |", "Go home |").replace(/^seal: .*\n/m, "");
    expect(forged).not.toBe(honest);
    expect(proveDelta(forged, CHECKPOINT, LATER).map(({ code }) => code)).toEqual(["TABLES_DIFFER"]);
  });

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

  it("[D11] no cut leaves a mark open or a word in halves", () => {
    const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 60 });
    const known = new Set(WORDS.flatMap(word => word.match(/[\p{L}]+/gu) ?? []));
    fc.assert(
      fc.property(words, words, words, words, (head, old, next, tail) => {
        const of = (middle: string[]) =>
          `## A\n\n- x ${[...head, ...middle, ...tail].join(" ")}\n- **Key:** ${middle.join(" ")}\n`;
        for (const from of ["## A\n", of(old)]) {
          const shown = shownOf(deltaOf(from, of(next)));
          expect(shown.filter(cell => !balanced(cell))).toEqual([]);
          const cut = shown.filter(cell => cell.includes("…")).join(" ");
          for (const word of cut.match(/\p{L}+/gu) ?? []) expect([...known, "x", "A", "Key"]).toContain(word);
        }
      }),
    );
  });

  it("[D11] a value behind its key is shown whole", () => {
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

  it("[D10] a human half that says something else than the machine half is told", () => {
    const honest = deltaOf(CHECKPOINT, LATER);
    expect(misTold(honest, CHECKPOINT, LATER)).toBeUndefined();
    const rewritten = honest.replace(/(## Summary\n\n).*/, "$1Bread.");
    expect(misTold(rewritten, CHECKPOINT, LATER)).toBeUndefined();
    const forgeries = [
      honest.replace("Begin T2.1 |", "Go home |"),
      honest.replace("1. Add 1 item to §Decisions.", "1. Change nothing."),
      honest.replace("## Merge Instructions\n", "Nothing else changed.\n\n## Merge Instructions\n"),
      `${honest}\nEvery decision was approved.\n`,
    ];
    for (const forged of forgeries) {
      expect(forged).not.toBe(honest);
      const unsealed = forged.replace(/^seal: .*\n/m, "");
      const resealed = forged.replace(/^seal: .*$/m, `seal: ${sealOf(forged)}`);
      expect(must(applyDelta(forged, CHECKPOINT)).text).toBe(LATER);
      expect(misTold(forged, CHECKPOINT, LATER)?.refuse).toBe(true);
      expect(misTold(unsealed, CHECKPOINT, LATER)?.refuse).toBe(true);
      // It may as well be told in the words of an earlier version.
      expect(misTold(resealed, CHECKPOINT, LATER)?.refuse).toBe(false);
    }
  });

  it("[D3] statuses that moved are transitions, and nothing else", () => {
    expect(found.transitions).toEqual([
      { section: "Artifact Trail", place: "`src/price.ts`", before: "created", after: "modified" },
      { section: "Current State", place: "T1.2 Prices", before: "in_progress", after: "completed" },
    ]);
    const boxes = differences("- [ ] bake\n- [x] sell\n", "- [x] bake\n- [ ] sell\n");
    expect(boxes.transitions.map(({ place, before, after }) => [place, before, after])).toEqual([
      ["bake", "open", "done"],
      ["sell", "done", "open"],
    ]);
    expect(boxes.modified).toEqual([]);
  });

  it("[D3] a status word as the value of a key is one, too", () => {
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

  it("[D3] a row whose other cells changed as well is also modified", () => {
    const table = (row: string) => `| T | Status | Note |\n|---|---|---|\n${row}\n`;
    const both = differences(table("| a | open | x |"), table("| a | closed | y |"));
    expect(both.transitions).toHaveLength(1);
    expect(both.modified).toHaveLength(1);
  });

  it("[D3] where only statuses moved, they stand under Modified too", () => {
    const text = deltaOf("- [ ] a\n", "- [x] a\n");
    expect(text).toContain("### Modified");
    expect(text).toContain("### Status Transitions");
    expect(checkDelta(text)).toEqual([]);
  });

  it("[D7] foreign text opens no heading, fence or table of its own", () => {
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
