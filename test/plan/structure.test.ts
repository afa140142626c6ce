import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_LIMITS } from "../../src/plan/index.ts";
import { collect, type Grammar } from "../../src/plan/markdown/collect.ts";
import type { Draft, MarkdownDocument, Section } from "../../src/plan/markdown/document.ts";
import { findSection } from "../../src/plan/markdown/document.ts";
import { extendsId } from "../../src/plan/markdown/merge.ts";
import { createOutline } from "../../src/plan/markdown/outline.ts";
import { readHeading, sectionOf } from "../../src/plan/markdown/section.ts";
import { createTableReader } from "../../src/plan/markdown/table.ts";
import { createReport, NOWHERE } from "../../src/plan/report.ts";
import {
  isColon,
  isMarkup,
  isSymbol,
  isWord,
  skipSpaces,
  trimEnd,
  trimMarks,
} from "../../src/plan/syntax/chars.ts";
import { scanLines } from "../../src/plan/syntax/scan.ts";
import { told } from "../../src/text/index.ts";

const HOUSE: Grammar = { numbers: false };

function take(text: string, grammar = HOUSE): MarkdownDocument {
  return collect(text, grammar, DEFAULT_LIMITS, createReport(10));
}

/** Drafts in short: origin, id or title, number of fields and criteria. */
function short({ origin, head, fields, criteria, criteriaDone }: Draft): string {
  const words = head.id ?? head.title;
  return `${origin} ${words}${fields.length > 0 ? ` f${fields.length}` : ""}${criteria > 0 ? ` c${criteriaDone}/${criteria}` : ""}`;
}

describe("what is gathered from a file", () => {
  it("[L10] headings, items and rows", () => {
    const { drafts } = take(
      "## Phase 1\n### [ ] T1.1: a\n- [ ] c\n- [x] d\n- 담당: x\n## B\n- [ ] T1.2: b\n  - 의존: T1.1\n- [ ] plain\n\n| T1.3 | ✅ |\n|---|---|\n| T1.4 | ⬜ |\n",
    );
    expect(drafts.map(short)).toEqual([
      "heading T1.1 f1 c1/2",
      "item T1.2 f1",
      "item plain",
      "row T1.3",
      "row T1.4",
    ]);
  });

  it("[L19] what stands in a draft knows it", () => {
    const { drafts } = take("### [ ] T1: a\n#### Part\n- [ ] T1.1: b\n  - [ ] T1.1.1: c\n### [ ] T2: d\n");
    expect(drafts.map(draft => [draft.head.id, draft.parent?.head.id])).toEqual([
      ["T1", undefined],
      ["T1.1", "T1"],
      ["T1.1.1", "T1.1"],
      ["T2", undefined],
    ]);
  });

  it("[L5] blocks begin and end where they stand", () => {
    const text = "### T1.1: a\ntext\n\n### T1.2: b\n- x\n  more\n\n## Next\ntext\n";
    expect(take(text).drafts.map(draft => text.slice(draft.start, draft.end))).toEqual([
      "### T1.1: a\ntext",
      "### T1.2: b\n- x\n  more",
    ]);
  });

  it("[L15] sections know those around them", () => {
    const { sections } = take("# A\n## Phase 1: B ✅\n### C\n## M2: D\n### [ ] T1.1: e\n");
    const path = (section: Section | undefined): string[] =>
      section === undefined ? [] : [...path(section.parent), section.title];
    expect(sections.map(path)).toEqual([
      ["A"],
      ["A", "B ✅"],
      ["A", "B ✅", "C"],
      ["A", "D"],
      ["A", "D", "e"],
    ]);
    expect(sections[1]).toMatchObject({ phase: 1, weak: false, mark: "done" });
    expect(sections[3]).toMatchObject({ phase: 2, weak: true, milestone: "M2" });
    expect(findSection(sections[2], section => section.phase === 1)).toBe(sections[1]);
    expect(findSection(sections[2], section => section.phase === 9)).toBeUndefined();
  });

  it("[L9] the first heading, front matter and fields above the sections", () => {
    const found = take("---\na: b\n---\n# One\n**Feature**: f\n# Two\n## Three\n**Feature**: g\n");
    expect(found.heading).toBe("One");
    expect(found.front.get("a")).toBe("b");
    expect(found.fields.map(field => [field.key, field.text])).toEqual([["feature", "f"]]);
  });

  it("[L35] diagrams wherever they stand", () => {
    const text = "```mermaid\na\n```\n### T1: x\n~~~mermaid\nb\n~~~\n> ```mermaid\n> c\n> ```\n";
    expect(
      take(text).diagrams.map(diagram => [text.slice(diagram.start, diagram.end).trim(), diagram.line]),
    ).toEqual([
      ["a", 1],
      ["b", 5],
    ]);
  });

  it("[L44] numbers are ids only where the format says so", () => {
    expect(take("- [ ] 1.1 a\n", { numbers: true }).drafts.map(short)).toEqual(["item 1.1"]);
    expect(take("- [ ] 1.1 a\n").drafts.map(short)).toEqual(["item 1.1 a"]);
  });

  it("[L24] a field's place is that of its value", () => {
    const text = "### T1: x\n- **담당**:   role  \n> 의존: T9 | 파일: `a.ts`\n";
    const [draft] = take(text).drafts;
    const lines = text.split("\n");
    for (const field of draft!.fields)
      expect(lines[field.line - 1]!.slice(field.column - 1, field.column - 1 + field.text.length)).toBe(
        field.text,
      );
    expect(draft!.fields.map(field => [field.key, field.text])).toEqual([
      ["specialist", "role"],
      ["depends", "T9"],
      ["files", "`a.ts`"],
    ]);
  });

  it("[L24] depth is how many bullets stand between", () => {
    const [draft] = take(
      "- [ ] T1: x\n  - 담당: a\n  - more\n    - 담당: b\n    - even more\n      - 담당: c\n",
    ).drafts;
    expect(draft!.fields.map(field => [field.text, field.depth])).toEqual([
      ["a", 0],
      ["b", 1],
      ["c", 2],
    ]);
  });

  it("[L4] drafts stand in order, inside the text, and parents hold their children", () => {
    const piece = fc.constantFrom(
      "# a\n",
      "## Phase 1\n",
      "### [ ] T1.1: b\n",
      "- [ ] T1.2: c\n",
      "  - [ ] T1.2.1: d\n",
      "    - 담당: x\n",
      "text\n",
      "\n",
      "---\n",
      "```\n",
      "> q\n",
      "| T1.3 | x |\n",
      "**T1.4: e**\n",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), parts => {
        const text = parts.join("");
        let last = -1;
        for (const draft of take(text).drafts) {
          expect(draft.start).toBeGreaterThan(last);
          expect(draft.end).toBeGreaterThanOrEqual(draft.start);
          expect(draft.end).toBeLessThanOrEqual(text.length);
          expect(draft.parent === undefined || draft.parent.start < draft.start).toBe(true);
          last = draft.start;
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("the outline", () => {
  const draft = (id: string): Draft => ({ ...take(`### [ ] ${id}: a\n`).drafts[0]!, end: 0 });
  const section = sectionOf(readHeading("A", 0, 1), 1, undefined);

  it("[L19] the owner is the innermost item, else the heading", () => {
    const outline = createOutline();
    expect(outline.owner()).toBeUndefined();
    const heading = draft("T1");
    const item = draft("T2");
    outline.openHeading({ level: 2, section, draft: heading, own: true });
    expect(outline.owner()).toBe(heading);
    outline.openItem({ indent: 0, draft: item, own: true });
    expect(outline.owner()).toBe(item);
    expect(outline.headingOwner()).toBe(heading);
    outline.closeItems(0, 5);
    expect(outline.owner()).toBe(heading);
    expect(item.end).toBe(5);
  });

  it("[L19] closing a heading closes what is below it", () => {
    const outline = createOutline();
    const [outer, inner, item] = [draft("T1"), draft("T2"), draft("T3")];
    outline.openHeading({ level: 2, section, draft: outer, own: true });
    outline.openHeading({ level: 3, section, draft: inner, own: true });
    outline.openItem({ indent: 4, draft: item, own: true });
    outline.closeHeadings(3, 9);
    expect([outer.end, inner.end, item.end]).toEqual([0, 9, 9]);
    expect(outline.owner()).toBe(outer);
    outline.closeHeadings(0, 12);
    expect(outer.end).toBe(12);
    expect(outline.section()).toBeUndefined();
  });

  it("[L24] tells which item of the same list came before", () => {
    const outline = createOutline();
    const item = draft("T1");
    outline.openItem({ indent: 2, draft: item, own: true });
    expect(outline.closeItems(2, 1)).toBe(item);
    outline.openItem({ indent: 2, draft: undefined, own: false, follows: item });
    expect(outline.closeItems(2, 1)).toBe(item);
    expect(outline.closeItems(2, 1)).toBeUndefined();
  });

  it("[L24] counts bullets between a draft and the next line", () => {
    const outline = createOutline();
    const item = draft("T1");
    outline.openItem({ indent: 0, draft: item, own: true });
    expect(outline.depthIn(item)).toBe(0);
    outline.openItem({ indent: 2, draft: item, own: false });
    outline.openItem({ indent: 4, draft: item, own: false });
    expect(outline.depthIn(item)).toBe(2);
  });
});

describe("rows of tables", () => {
  /** What the reader says of every row. */
  function rows(text: string) {
    const reader = createTableReader(text);
    const found: ReturnType<typeof reader.read>[] = [];
    scanLines(
      text,
      { offset: 0, line: 1 },
      1000,
      line => {
        if (line.kind === "row") found.push(reader.read(line));
        else reader.end();
        return true;
      },
      () => {},
    );
    return found;
  }

  it("[L21] headers and separators say nothing", () => {
    expect(rows("| ID | Task |\n|---|:-:|\n")).toEqual([undefined, undefined]);
  });

  it("[L21] id, title, state and fields by column", () => {
    const [, , row] = rows(
      "| ID | Task | Owner | Deps | Status |\n|---|---|---|---|---|\n| **T1** | Do it | x | T0 | ✅ Done |\n",
    );
    expect(row?.head).toMatchObject({ id: "T1", title: "Do it", mark: "done" });
    expect(row?.fields.map(field => [field.key, field.text])).toEqual([
      ["specialist", "x"],
      ["depends", "T0"],
    ]);
    expect(row?.stateCell).toMatchObject({ state: "done", length: 1 });
  });

  it("[L21] boxes in any column", () => {
    const [, , first, second] = rows(
      "| Done | ID | Task |\n|---|---|---|\n| [x] | T1 | a |\n| [ ] | T2 | b |\n",
    );
    expect(first?.head?.box?.state).toBe("done");
    expect(second?.head).toMatchObject({ id: "T2", title: "b", box: { state: "open" } });
  });

  it("[L21] the id may stand in one of the first three columns", () => {
    expect(rows("| # | Phase | ID | T |\n|---|---|---|---|\n| 1 | P1 | T1.1 | a |\n")[2]?.head?.id).toBe(
      "T1.1",
    );
    expect(rows("| a | b | c | T1.1 |\n|---|---|---|---|\n| a | b | c | T1.1 |\n")[2]?.head).toBeUndefined();
  });

  it("[L24] two columns with a field's name are a field", () => {
    const [, , row] = rows("| 항목 | 내용 |\n|---|---|\n| **담당** | x |\n");
    expect(row?.pair).toMatchObject({ key: "specialist", text: "x", line: 3 });
    expect(rows("| 담당 | x |\n|---|---|\n| 의존 | T1 |\n").map(one => one?.pair?.text)).toEqual([
      undefined,
      "x",
      "T1",
    ]);
  });

  it("[L21] a new table begins behind any other line", () => {
    const found = rows(
      "| ID | S |\n|---|---|\n| T1 | [x] |\n\ntext\n| Owner | ID |\n|---|---|\n| x | T2 |\n",
    );
    expect(found.map(row => row?.head?.id)).toEqual([undefined, undefined, "T1", undefined, undefined, "T2"]);
    expect(found[5]?.fields).toMatchObject([{ key: "specialist", text: "x" }]);
  });

  it("[L21] odd rows are read as far as they go", () => {
    expect(rows("|\n||\n|||\n| |\n").map(row => row?.head)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(rows("| a\n|-\n| T1 | [ ]")[2]?.head?.id).toBe("T1");
  });
});

describe("small things", () => {
  it.each([
    ["P1-T1.1", "P1-T1", true],
    ["P1-T1-V", "P1-T1", true],
    ["T1_a", "T1", true],
    ["P1-T11", "P1-T1", false],
    ["P1-T1", "P1-T1", false],
    ["P1", "P1-T1", false],
    ["X1-T1", "P1", false],
  ])("[L18] whether %s goes on from %s: %s", (id, base, expected) => {
    expect(extendsId(id, base)).toBe(expected);
  });

  it("[L3] a report keeps so many findings, sorts them, and counts all", () => {
    const report = createReport(3);
    report.add("info", "A", { line: 1, column: 1 }, told`a`, told``);
    report.add("error", "B", { line: 9, column: 2 }, told`b`, told``);
    report.add("error", "B", { line: 9, column: 1, length: 4 }, told`c`, told`h`);
    report.add("warning", "C", NOWHERE, told`d`, told``);
    report.add("error", "B", NOWHERE, told`e`, told``);
    expect(report.count("B")).toBe(3);
    expect(report.count("nothing")).toBe(0);
    expect(report.finish()).toMatchObject([
      { severity: "error", code: "B", line: 9, column: 1, length: 4, message: "c", hint: "h" },
      { severity: "error", code: "B", line: 9, column: 2, message: "b", hint: "" },
      { severity: "info", code: "A", line: 1, column: 1, message: "a", hint: "" },
      {
        severity: "error",
        code: "MORE",
        line: 0,
        column: 0,
        message: "2 more findings are not listed",
        hint: "settle the ones above first",
      },
    ]);
  });

  it("[L3] what was left out is an error only if it held one", () => {
    const report = createReport(0);
    report.add("warning", "A", NOWHERE, told`a`, told``);
    expect(report.finish()).toMatchObject([{ code: "MORE", severity: "info" }]);
  });

  it("[L10] letters, symbols, markup, colons", () => {
    const all = (text: string, test: (code: number) => boolean) =>
      Array.from(text).every(c => test(c.charCodeAt(0)));
    expect(all("aZ09가나ㄱあア漢é", isWord)).toBe(true);
    expect(all(" -:.!()[]→✅", code => !isWord(code))).toBe(true);
    expect(all("✅⏳→★", isSymbol)).toBe(true);
    expect(all("a가,.:：。（）「」", code => !isSymbol(code))).toBe(true);
    expect(all("*_`~", isMarkup)).toBe(true);
    expect(all(":：", isColon)).toBe(true);
  });

  it("[L10] trimming stays inside its bounds", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(" ", "\t", "a", "(", ")") }), text => {
        expect(
          text.slice(
            skipSpaces(text, 0, text.length),
            trimEnd(text, skipSpaces(text, 0, text.length), text.length),
          ),
        ).toBe(text.trim());
        const bare = trimMarks(text, "(", ")");
        expect(text).toContain(bare);
        expect(bare.startsWith("(") || bare.endsWith(")")).toBe(false);
      }),
    );
  });
});
