import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeCheckpoint, parseCheckpoint, tablesOfPart } from "../../src/checkpoint/index.ts";
import { CHECKPOINT } from "./documents.ts";

const STATE = "\n### Current State\n\nx\n";
const TABLE = "### Decisions\n\n| Id | What | Why |\n|---|---|---|\n| D-1 | one oven | space |\n";
const LIST = "### Decisions\n\n- D-1: one oven\n";

const merged = (base: string, work: string) => mergeCheckpoint(base + STATE, work);
const rest = `${STATE}`;

describe("decisions in another form than the checkpoint's", () => {
  it("[KM1] a list beside a table", () => {
    const { text, conflicts } = merged(TABLE, "### Decisions\n\n- D-2: rye\n- no id\n");
    expect(text).toBe(`${TABLE}\n- D-2: rye\n- no id\n${rest}`);
    expect(conflicts).toEqual([]);
    expect(mergeCheckpoint(text, "### Decisions\n\n- D-2: rye\n- no id\n").text).toBe(text);
  });

  it("[KM1] a table beside a list becomes items", () => {
    const work =
      "### Decisions\n\n| Id | What | Why |\n|---|---|---|\n| D-2 | rye | taste |\n| D-3 | salt | |\n";
    const { text } = merged(LIST, work);
    expect(text).toBe(`${LIST}- D-2: rye; taste\n- D-3: salt\n${rest}`);
  });

  it("[KM1] a table of other columns takes the columns that are there", () => {
    const work = "### Decisions\n\n| What | Id |\n|---|---|\n| rye \\| wheat | D-2 |\n";
    expect(merged(TABLE, work).text).toBe(`${TABLE}| D-2 | rye \\| wheat |  |\n${rest}`);
  });

  it("[KM1] a table in another language is taken in order", () => {
    const work = "### 결정\n\n| 번호 | 내용 | 이유 |\n|---|---|---|\n| D-2 | 호밀 | 맛 |\n";
    expect(merged(TABLE, work).text).toBe(`${TABLE}| D-2 | 호밀 | 맛 |\n${rest}`);
  });

  it("[KM1] the same decision is known in either form", () => {
    const work = "### Decisions\n\n| Id | What |\n|---|---|\n| D-1 | one oven |\n";
    expect(merged(LIST, work)).toEqual({ text: LIST + rest, conflicts: [] });
  });

  it("[KM2] other words under a known id are a conflict in either form", () => {
    const { text, conflicts } = merged(TABLE, "### Decisions\n\n- D-1: two ovens\n");
    expect(text).toBe(TABLE + rest);
    expect(conflicts).toMatchObject([{ kept: "D-1 | one oven | space", refused: "D-1: two ovens" }]);
  });

  it("[KM1] subsections are taken whole, once", () => {
    const work = "### Decisions\n\n- D-2: rye\n\n#### D-3: salt\n\nBecause.\n\n- a reason\n";
    const { text } = merged(LIST, work);
    expect(text).toBe(`${LIST}- D-2: rye\n\n#### D-3: salt\n\nBecause.\n\n- a reason\n${rest}`);
    expect(mergeCheckpoint(text, work).text).toBe(text);
  });

  it("[KM1] subsections that are there are not taken for a placeholder", () => {
    const base = "### Decisions\n\n#### D-1: one oven\n\nBecause.\n";
    expect(merged(base, "### Decisions\n\n- D-2: rye\n").text).toBe(`${base}\n- D-2: rye\n${rest}`);
  });

  it("[KM1] a sentence is a decision, a placeholder is none", () => {
    const sentence = "### Decisions\n\nNo credit cards.\n";
    expect(merged(sentence, "### Decisions\n\n- D-2: rye\n").text).toBe(`${sentence}\n- D-2: rye\n${rest}`);
    expect(merged(LIST, sentence).text).toBe(`${LIST}\nNo credit cards.\n${rest}`);
    for (const nothing of ["None yet.", "none", "없음", "아직 없음.", "N/A", "Ninguna."]) {
      const empty = `### Decisions\n\n${nothing}\n`;
      expect(merged(LIST, empty).text).toBe(LIST + rest);
      expect(merged(empty, LIST).text).toBe(LIST + rest);
    }
  });

  it("[KM1] nothing that was decided is ever lost, in whatever form it comes", () => {
    const word = fc.stringMatching(/^[a-z]{2,7}$/);
    const forms = [
      (words: readonly string[]) => words.map(one => `- we ${one}`).join("\n"),
      (words: readonly string[]) =>
        `| Name | What |\n|---|---|\n${words.map(one => `| ${one} | we ${one} |`).join("\n")}`,
      (words: readonly string[]) => words.map(one => `#### On ${one}\n\nThen we ${one}.`).join("\n\n"),
    ];
    const span = fc.tuple(fc.uniqueArray(word, { minLength: 1, maxLength: 5 }), fc.constantFrom(...forms));
    fc.assert(
      fc.property(fc.array(span, { minLength: 1, maxLength: 6 }), spans => {
        let text = "### Current State\n\nx\n";
        for (const [words, form] of spans)
          text = mergeCheckpoint(text, `### Decisions\n\n${form(words)}\n`).text;
        for (const one of spans.flatMap(([words]) => words)) expect(text).toContain(`we ${one}`);
        for (const table of tablesOfPart(parseCheckpoint(text), "decisions"))
          expect(table.broken).toEqual([]);
        expect(text.endsWith("### Current State\n\nx\n")).toBe(true);
      }),
    );
  });
});

describe("tables with columns of their own", () => {
  const OWN =
    "### Artifact Trail\n\n| File | Owner | Status | Key Change |\n|---|---|---|---|\n| src/a.ts | ann | created | first |\n";

  it("[KM1] keep them, and what stood there", () => {
    const { text } = merged(
      OWN,
      "### Artifact Trail\n\n| File | Status | Key Change |\n|---|---|---|\n| `src/a.ts` | modified | x \\| y |\n| `src/b.ts` | created | z |\n",
    );
    expect(text).toContain("| `src/a.ts` | ann | modified | x \\| y |\n| `src/b.ts` |  | created | z |\n");
    expect(tablesOfPart(parseCheckpoint(text), "artifacts")[0]?.broken).toEqual([]);
  });

  it("[KM1] a file is the same with and without its ticks", () => {
    const base = CHECKPOINT.replace("`src/menu.ts`", "src/menu.ts");
    const work =
      "### Artifact Trail\n\n| File | Status | Key Change |\n|---|---|---|\n| `src/menu.ts` | deleted | gone |\n";
    const { rows } = tablesOfPart(parseCheckpoint(mergeCheckpoint(base, work).text), "artifacts")[0]!;
    expect(rows.map(({ cells }) => cells.slice(0, 2))).toEqual([
      ["`src/menu.ts`", "deleted"],
      ["`src/price.ts`", "created"],
    ]);
  });

  it("[KM1] a table comes to Technical Context beside its list", () => {
    const { text } = mergeCheckpoint(
      CHECKPOINT,
      "### Technical Context\n\n- Branch: phase/1\n\n| Stack | Version |\n|---|---|\n| Node | 24 |\n",
    );
    expect(text).toContain(
      "- Store: SQLite\n- Branch: phase/1\n\n| Stack | Version |\n|---|---|\n| Node | 24 |\n\n### Breadcrumbs",
    );
  });

  it("[KM1] long cells of a row that is adapted are not cut", () => {
    const long = "word ".repeat(200).trim();
    const { text } = merged(
      OWN,
      `### Artifact Trail\n\n| File | Key Change |\n|---|---|\n| src/a.ts | ${long} |\n`,
    );
    expect(text).toContain(`| src/a.ts | ann | created | ${long} |`);
  });
});

describe("older steps, in both languages", () => {
  const steps = (count: number, from = 1) =>
    `### Play-By-Play\n\n${Array.from({ length: count }, (_, at) => `- Phase 1 → T${from + at} → done`).join("\n")}\n`;

  it("[KM1] are counted in the project's language", () => {
    const { text } = mergeCheckpoint(steps(3), steps(2, 4), { recent: 2, locale: "ko" });
    expect(text).toBe(
      "### Play-By-Play\n\n- 이전: 3건 (단계 1), 앞선 체크포인트에 있습니다\n- Phase 1 → T4 → done\n- Phase 1 → T5 → done\n",
    );
  });

  it("[KM1] are counted on when the language changes", () => {
    let { text } = mergeCheckpoint(steps(3), steps(1, 4), { recent: 1, locale: "ko" });
    text = mergeCheckpoint(text, steps(1, 5), { recent: 1, locale: "en" }).text;
    expect(text).toContain("- Earlier: 4 steps (phase 1), in the checkpoints before this one\n");
    text = mergeCheckpoint(text, steps(1, 6), { recent: 1, locale: "ko" }).text;
    expect(text).toContain("- 이전: 5건 (단계 1), ");
  });
});
