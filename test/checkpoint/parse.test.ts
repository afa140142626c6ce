import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  bodyOfPart,
  isCheckpointId,
  isIsoTime,
  itemsOfPart,
  nextId,
  numberOf,
  parseCheckpoint,
  printCheckpoint,
  readFrontMatter,
  tablesOfPart,
} from "../../src/checkpoint/index.ts";
import { checkpointId, deltaId, deltaName } from "../../src/checkpoint/names.ts";
import { asCell, isDelimiterRow, oneLine, splitRow, writeRow } from "../../src/checkpoint/table.ts";
import { ANY_TEXT, CHECKPOINT } from "./documents.ts";

describe("parsing and printing", () => {
  it("[KC1] any text comes back byte for byte", () => {
    fc.assert(
      fc.property(ANY_TEXT, text => {
        expect(printCheckpoint(parseCheckpoint(text))).toBe(text);
      }),
    );
  });

  it.each([
    "",
    "\n",
    "\uFEFF",
    "\uFEFF---\nx: y\n---",
    "---\n",
    "---\n---",
    "# A\r\n\r\n## B\r\n",
    "text",
    "\0",
  ])("[KC1] %j too", text => {
    expect(printCheckpoint(parseCheckpoint(text))).toBe(text);
  });

  it("[KC1] reads the head and the parts of a whole one", () => {
    const checkpoint = parseCheckpoint(CHECKPOINT);
    expect(checkpoint.head).toEqual({
      checkpoint: "chk-002",
      created: "2026-03-01T09:00:00Z",
      anchor: "session 7",
      parent: "chk-001",
      status: "active",
      lastDelta: "delta-001-002",
    });
    expect(checkpoint.tiles.map(({ part }) => part)).toEqual([
      undefined,
      undefined,
      "problem",
      "intent",
      "essential",
      "decisions",
      "technical",
      "breadcrumbs",
      "play",
      "artifacts",
      "state",
      "next",
      "rules",
      undefined,
    ]);
    expect(bodyOfPart(checkpoint, "problem")).toEqual(["", "Sell bread online.", ""]);
    expect(bodyOfPart(checkpoint, "completion")).toBeUndefined();
    expect(itemsOfPart(checkpoint, "decisions")).toEqual([
      "- D-1: Prices are integers in cents",
      "- D-2: Mails go out through a queue",
    ]);
    expect(tablesOfPart(checkpoint, "artifacts")[0]?.rows.map(({ cells }) => cells)).toEqual([
      ["`src/menu.ts`", "created", "the menu"],
      ["`src/price.ts`", "created", "a | b"],
    ]);
    expect(tablesOfPart(checkpoint, "completion")).toEqual([]);
    expect(itemsOfPart(checkpoint, "completion")).toEqual([]);
  });

  it.each([
    ["## Decisiones del Usuario", "decisions"],
    ["### 3. Decisions", "decisions"],
    ["## Estado actual", "state"],
    ["## 현재 상태", "state"],
    ["### 다음 작업 (3)", "next"],
    ["## PROBLEM", "problem"],
    ["## Play by play", "play"],
    ["## **Next Actions**", "next"],
    ["## Problems we had", undefined],
    ["## Undecided", undefined],
    ["## 7", undefined],
  ])("[KC2] %s means %s", (heading, part) => {
    expect(parseCheckpoint(`${heading}\n`).tiles.at(-1)?.part).toBe(part);
  });

  it("[KC2] a heading inside a fence means nothing", () => {
    const { tiles } = parseCheckpoint("## Problem\n\n```\n## Decisions\n```\n");
    expect(tiles.map(({ part }) => part)).toEqual(["problem"]);
  });
});

describe("front matter", () => {
  it("[KC3] reads quotes, comments, empty values and CRLF", () => {
    const { fields, lines, broken } = readFrontMatter(
      "---\r\ncheckpoint: \"chk-001\" # the first\r\nstatus: 'active'\r\nanchor:\r\nnote: a # b\r\n---\r\n",
    );
    expect(lines).toBe(6);
    expect(broken).toEqual([]);
    expect(fields.map(({ key, value }) => [key, value])).toEqual([
      ["checkpoint", "chk-001"],
      ["status", "active"],
      ["anchor", ""],
      ["note", "a"],
    ]);
  });

  it("[KC3] passes over lists, nesting and comments, and names lines that are nothing", () => {
    const { fields, broken } = readFrontMatter("---\ntags:\n  - a\n- b\n# c\nwhat is this\na:b\n---\n");
    expect(fields.map(({ key }) => key)).toEqual(["tags"]);
    expect(broken).toEqual([6, 7]);
  });

  it("[KC3] one that is never closed is told apart", () => {
    for (const text of ["---\ncheckpoint: x", "---\nx\n", `---\n${"a: b\n".repeat(300)}---\n`])
      expect(readFrontMatter(text)).toEqual({ fields: [], lines: 0, broken: [], unclosed: true });
  });

  it.each(["", "---", "text\n---\na: b\n---\n", " ---\na: b\n---\n"])("[KC3] %j has none", text => {
    expect(readFrontMatter(text)).toEqual({ fields: [], lines: 0, broken: [] });
  });

  it("[KC3] is not looked for beyond 200 lines", () => {
    expect(readFrontMatter(`---\n${"a: b\n".repeat(500)}---\n`).lines).toBe(0);
  });

  it("[KC3] nothing of it is executed", () => {
    const { fields } = readFrontMatter("---js\nmodule.exports = 1\n---\n");
    expect(fields).toEqual([]);
  });
});

describe("names", () => {
  it.each(["chk-001", "a", "A1", "chk-002-pivot", "v1.2", "x_y"])("[KC4] %s is an id", id => {
    expect(isCheckpointId(id)).toBe(true);
  });

  it.each([
    "",
    ".",
    "..",
    "a..b",
    "-a",
    "a-",
    ".a",
    "a/b",
    "a\\b",
    "a b",
    "é",
    "a".repeat(65),
    "a\n",
    "../x",
    "a:b",
  ])("[KC4] %j is none", id => {
    expect(isCheckpointId(id)).toBe(false);
  });

  it("[KH7] numbers go on after the highest", () => {
    expect(nextId([])).toBe("chk-001");
    expect(nextId(["chk-007", "pivot", "chk-002"])).toBe("chk-008");
    expect(nextId(["chk-999"])).toBe("chk-1000");
    expect(nextId(["chk-0001", "chk-99999999999999"])).toBe("chk-001");
    expect(nextId(["chk-002", "chk-999999999"])).toBe("chk-003");
    expect(nextId(["chk-999999998"])).toBe("chk-999999999");
  });

  it("[KH7] an id's number is the one that makes it", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999 }), number => {
        expect(numberOf(checkpointId(number))).toBe(number);
        expect(isCheckpointId(checkpointId(number))).toBe(true);
      }),
    );
    expect(["chk-01", "chk-x", "chk-", "001", "chk-0x1"].map(numberOf)).toEqual(Array(5).fill(undefined));
  });

  it("[KD1] deltas are named by what they bridge", () => {
    expect(deltaId("chk-001", "chk-002")).toBe("chk-001-to-chk-002");
    expect(deltaName("chk-001", "chk-002")).toBe("delta-001-002");
    expect(deltaName("chk-001", "pivot")).toBe("delta-chk-001-to-pivot");
  });
});

describe("dates", () => {
  it.each([
    "2026-03-01",
    "2026-03-01T09:00",
    "2026-03-01T09:00:00Z",
    "2026-03-01T09:00:00.123+09:00",
    "2024-02-29",
    "2000-02-29T00:00:00-0330",
    "2026-12-31T23:59:60Z",
  ])("[KC5] %s is one", date => {
    expect(isIsoTime(date)).toBe(true);
  });

  it.each([
    "",
    "yesterday",
    "2026-3-1",
    "2026-02-29",
    "1900-02-29",
    "2026-13-01",
    "2026-00-10",
    "2026-04-31",
    "2026-04-00",
    "2026-03-01T24:00:00Z",
    "2026-03-01T09:60:00Z",
    "2026-03-01 09:00:00",
    "01/03/2026",
    "2026-03-01T",
    "2026-03-01T09:00:00Zulu",
    `2026-03-01T09:00:00.${"1".repeat(40)}Z`,
  ])("[KC5] %j is none", date => {
    expect(isIsoTime(date)).toBe(false);
  });

  it("[KC5] every date that JavaScript writes is one", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }),
        date => {
          expect(isIsoTime(date.toISOString())).toBe(true);
        },
      ),
    );
  });
});

describe("tables", () => {
  it("[KC6] what is written as a cell is read as the same text on one line", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme", maxLength: 40 }), { minLength: 1, maxLength: 5 }),
        texts => {
          const cells = texts.map(text => oneLine(text, 160).replaceAll("\\|", "|").trim());
          expect(splitRow(writeRow(texts)).slice(0, texts.length)).toEqual(cells);
        },
      ),
    );
  });

  it("[KC6] escaped bars stay within their cell", () => {
    expect(splitRow("| a \\| b | c |")).toEqual(["a | b", "c"]);
    expect(splitRow("a | b")).toEqual(["a", "b"]);
    expect(splitRow("| a |  | |")).toEqual(["a", "", ""]);
    expect(splitRow("|")).toEqual([]);
  });

  it("[KC6] a delimiter row is dashes, bars, colons and blanks", () => {
    expect(["|---|:-:|", "| - |\n", "--"].map(isDelimiterRow)).toEqual([true, true, true]);
    expect(["", "| a |", "|  |", "|-x-|"].map(isDelimiterRow)).toEqual([false, false, false, false]);
  });

  it("[KD7] a text becomes one line of at most so many characters, never half a character", () => {
    expect(oneLine("a\nb\t\tc\u2028d", 99)).toBe("a b c d");
    expect(oneLine("\u0000\u001b[31mred", 99)).toBe("[31mred");
    expect(oneLine("ab👍cd", 4)).toBe("ab…");
    expect(oneLine("abcdef", 4)).toBe("abc…");
    expect(asCell("x\\")).toBe("x\\ ");
  });
});
