import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fenceFor } from "../../src/checkpoint/delta-write.ts";
import { apart, shorten } from "../../src/checkpoint/excerpt.ts";
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
import { countTokens } from "../../src/tokens/index.ts";
import { countChars, PAIR } from "../delta/documents.ts";
import { falseLines } from "../torture/human-half.ts";
import { CHECKPOINT, CREATED, deltaOf, LATER, must, REST, toldOf } from "./documents.ts";

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
    expect(delta.block?.split("\n")[0]).toMatch(/^\[CONTEXT-UPDATE\] CHK-v2→3 /);
    expect(text.trimEnd().endsWith("```")).toBe(true);
    expect(toldOf(CHECKPOINT, LATER)).toContain("\n1. Add D-3 to §Decisions.\n");
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
    expect(made.summary).toBe("Phase 2 ## ended: changed b.");
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
      { section: "Decisions", text: "D-3: One table for orders", kind: "item", name: "D-3" },
      {
        section: "Artifact Trail",
        text: "| `src/order.ts` | created | the form |",
        kind: "row",
        name: "`src/order.ts`",
        titles: TRAIL,
      },
    ]);
    expect(found.removed).toEqual([]);
    expect(found.modified).toEqual([
      {
        section: "Current State",
        place: "Current State: The menu",
        name: "The menu",
        kind: "changed",
        before: "The menu stands.",
        after: "The menu and the prices stand.",
      },
      {
        section: "Next Actions",
        place: "Next Actions",
        name: "Begin T2.1",
        kind: "changed",
        before: "Finish T1.2",
        after: "Begin T2.1",
      },
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
    const come = toldOf(trail(), next);
    expect(come).toContain(`**New files created**\n\n${head}\n| f0 | created | what |\n\n**Files modified**`);
    expect(groups(come).map(([, heading, rows]) => [heading, rows?.split(" ")[1]])).toEqual([
      ["New files created", "f0"],
      ["Files modified", "f1"],
      ["Files deleted", "f2"],
      ["Files moved", "f3"],
      ["Files", "f4"],
    ]);
    expect(groups(toldOf(next, trail())).map(([, heading]) => heading)).toEqual(["Files no longer listed"]);
  });

  it("[D8] rows of files keep the titles of their table", () => {
    const trail =
      "### Artifact Trail\n\n| Path | Purpose | Estado |\n|---|---|---|\n| `a` | to add | modificado |\n";
    const text = toldOf("## Essential Information\n", `## Essential Information\n\n${trail}`);
    expect(text).toContain(
      "**Files modified**\n\n| Path | Purpose | Estado |\n|---|---|---|\n| `a` | to add | modificado |\n\n#",
    );
    expect(text).not.toContain("**Files**");
  });

  it("[D9] the Merge Instructions name every section, or say how many steps more there are", () => {
    const sections = (count: number) =>
      Array.from({ length: count }, (_, at) => `\n## S${at}\n\ntext ${at}\n`).join("");
    const steps = (text: string) => text.split("\n").filter(line => /^\d+\. /.test(line));
    const few = steps(toldOf("# A\n- [ ] x: y\n", `# A\n- [x] x: y\n${sections(3)}`));
    expect(few.slice(0, -1)).toEqual(["1. Add §S0, §S1, §S2.", '2. Set "x: y" → done.']);
    const lists = (more: string) =>
      Array.from({ length: 20 }, (_, at) => `\n## S${at}\n\n- K-${at} one\n${more}`).join("");
    const many = steps(toldOf(lists(""), lists("- and another\n")));
    expect(many.slice(12, 15)).toEqual([
      '13. Add "and another" to §S12.',
      '14. Add "and another" to §S13.',
      "15. And 6 more such steps.",
    ]);
  });

  it("[D9] each instruction is named for its operation, and says with what", () => {
    const from =
      "## A\n\n- D-1: x\n- gone is this\n\n## B\n\n- E-1: y\n\n## C\n\n- F-1: z\n\n## Old\n\ntext\n\n## End\n\n- keeps: all\n";
    const to =
      "## A\n\n- D-1: xx\n- D-2: new\n\n## C\n\n- F-1: z\n\n## B\n\n- E-1: y\n\n## New\n\ntext\n\n## End\n\n- keeps: all\n- status: x\n";
    const text = toldOf(from, to);
    expect(text).toMatch(/\d\. Change D-1 in §A\./);
    expect(text).toMatch(/\d\. Move §[BC]: it stands after §[A-C]\./);
    expect(text).toMatch(/\d\. Add status to §End\./);
    expect(text).toMatch(/\d\. Remove §Old\./);
    expect(toldOf("## Old\n\n- k: v\n", "## New\n\n- k: v\n")).toContain("1. Rename §Old to §New.");
    expect(toldOf("## A\n\n- k: v\n\n## B\n\n- l: w\n", "## A\n\n## B\n\n- l: w\n- k: v\n")).toContain(
      "Move k from §A to §B.",
    );
    expect(text).toMatch(/\| §[BC] \| after §[A-C] \| after §[A-C] \|/);
    expect(proveDelta(text, from + REST, to + REST)).toEqual([]);
  });

  it("[D12] people are told within a share of the target, and the whole is hardly larger than it", () => {
    const ids = Array.from({ length: 60 }, (_, at) => at);
    const texts = [
      CHECKPOINT,
      LATER,
      ids.map(at => `## Part ${at}\n\n- D-${at}: keep the choice number ${at} as it is\n`).join("\n"),
      ids.map(at => `## Part ${at}\n\n- D-${at}: drop the choice number ${at} at once\n`).join("\n"),
      ids.map(at => `### Step ${at}\n\n| T${at} | done |\n`).join("\n"),
      ids.map(at => `## 부분 ${at}\n\n- 결정 ${at}: 가격은 정수로 둡니다\n`).join("\n"),
      "a\n",
    ];
    let [told, whole] = [0, 0];
    for (const from of texts)
      for (const to of texts) {
        const made = must(
          writeDelta({ id: "chk-001", text: from }, { id: "chk-002", text: to }, { created: CREATED }),
        );
        const [all, block, target] = [made.text, made.block, to].map(text => countTokens(text));
        expect(all!).toBeLessThanOrEqual(target! + 200);
        expect(all! - block!).toBeLessThanOrEqual(Math.max(260, 0.3 * target!));
        expect(proveDelta(made.text, from, to)).toEqual([]);
        expect(falseLines(made.text, from, to)).toEqual([]);
        told += all! - block!;
        whole += target!;
      }
    expect(told / whole).toBeLessThan(0.3);
  });

  it("[D12] what is not told is counted", () => {
    const list = (from: number, to: number) =>
      `## L\n\n${Array.from({ length: to - from }, (_, at) => `- K-${from + at}: entry of many`).join("\n")}\n`;
    for (const [many, rest] of [
      [60, ""],
      [60, REST],
      [9, ""],
    ] as const) {
      const text = deltaOf(`## L\n${rest}`, `${list(0, many)}${rest}`);
      const added = text.slice(text.indexOf("### Added"), text.indexOf("## Merge Instructions"));
      const more = Number(/(\d+) more/.exec(added)?.[1] ?? 0);
      expect((added.match(/K-\d+/g) ?? []).length + more).toBe(many);
    }
  });

  it("[D2] two cells that differ are shown where they differ", () => {
    const [from, to] = ["old", "new"].map(
      word => `- note: ${"left ".repeat(60)}${word} ${"right ".repeat(60)}\n`,
    );
    for (const rest of ["", REST]) {
      const rows = deltaOf(from! + rest, to! + rest)
        .split("\n")
        .filter(line => line.includes("left"));
      for (const row of rows) expect(row).toMatch(/old.*\|.*new/);
    }
    expect(apart(`${"x".repeat(99)}a`, `${"x".repeat(99)}b`, 20)[0]).toMatch(/^…x+a$/);
  });

  it("[D3] a status is that of a column of both tables", () => {
    const table = (title: string, row: string) => `| Phase | ${title} |\n|---|---|\n${row}\n`;
    const found = differences(table("Ended", "| 1 | 2026-02-16 |"), table("Status", "| 1 | Complete |"));
    expect(found.transitions).toEqual([]);
  });

  it("[D2] a heading that moved is neither gone nor another's new name", () => {
    const found = differences(
      "## A\n\n- x\n\n## B\n\n- y\n\n## C\n\n- z\n",
      "## D\n\n- z\n\n## A\n\n- x\n\n## B\n\n- y\n",
    );
    expect([found.added, found.removed].flat().map(({ name }) => name)).not.toContain("A");
    expect(found.removed.map(({ name }) => name)).not.toContain("B");
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
    const risks = { section: "Risks", text: "5", kind: "section", name: "Risks" };
    expect(differences(CHECKPOINT, more).added).toEqual([risks]);
    expect(differences(more, CHECKPOINT).removed).toEqual([risks]);
    const below = `${more}\n### Small ones\n\n- rain\n`;
    expect(differences(CHECKPOINT, below).added).toEqual([{ ...risks, text: "9", inner: ["Small ones"] }]);
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
      { section: "A B", place: "Heading", name: "A B", kind: "renamed", before: "A", after: "A B" },
    ]);
  });

  it("[D2] long lists end in a count, and are told as truth", () => {
    const list = (count: number) =>
      `## L\n\n${Array.from({ length: count }, (_, at) => `- entry ${at} of many`).join("\n")}\n`;
    const [from, to] = [list(0), list(60)];
    const text = toldOf(from, to);
    expect(text).toContain("\n\n… and 36 more\n");
    expect(proveDelta(text, from + REST, to + REST)).toEqual([]);
  });

  it("[D2] tables that were invented are told", () => {
    const honest = toldOf(CHECKPOINT, LATER);
    const forged = honest.replace("Begin T2.1 |", "Go home |").replace(/^seal: .*\n/m, "");
    expect(forged).not.toBe(honest);
    expect(proveDelta(forged, CHECKPOINT + REST, LATER + REST).map(({ code }) => code)).toEqual([
      "TABLES_DIFFER",
    ]);
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
          const shown = shownOf(toldOf(from, of(next)));
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

  it("[D3] statuses that moved are transitions, and nothing else", () => {
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
