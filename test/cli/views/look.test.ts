import { describe, expect, it } from "vitest";
import { countsLine } from "../../../src/cli/views/counts-line.ts";
import { cell, heading, line, lookOf, wantsColor } from "../../../src/cli/views/look.ts";
import { bar, percent } from "../../../src/cli/views/terminal/bar.ts";
import { elapsed } from "../../../src/cli/views/terminal/clock-text.ts";
import { MARKS, markOf, markPiece, STATUS_ORDER, UNVERIFIED } from "../../../src/cli/views/terminal/marks.ts";
import { createPaint, paintLine } from "../../../src/cli/views/terminal/paint.ts";
import { textWidth } from "../../../src/cli/views/terminal/width.ts";
import { wordsFor } from "../../../src/cli/views/words/words-for.ts";
import type { TaskStatus } from "../../../src/ports/index.ts";
import { tally } from "../../../src/run/index.ts";
import { dateAndTime, timeOfDay } from "../../../src/text/index.ts";
import { look, NOON, task } from "./scene.ts";

const ESC = "\u001b[";

describe("colour", () => {
  it.each([
    [{ isTTY: true }, {}, true],
    [{ isTTY: true }, { TERM: "xterm-256color" }, true],
    [{ isTTY: true }, { TERM: "dumb" }, false],
    [{ isTTY: true }, { NO_COLOR: "1" }, false],
    [{ isTTY: true }, { NO_COLOR: "" }, true],
    [{}, {}, false],
    [{}, { FORCE_COLOR: "1" }, true],
    [{}, { FORCE_COLOR: "" }, true],
    [{ isTTY: true }, { FORCE_COLOR: "0" }, false],
    [{ isTTY: true }, { FORCE_COLOR: "false" }, false],
    [{ isTTY: true }, { FORCE_COLOR: "1", NO_COLOR: "1" }, false],
  ])("[VV2] stream %j under %j: %s", (stream, env, expected) => {
    expect(wantsColor(stream, env)).toBe(expected);
  });

  it("[VV2] a painter without colour returns the text itself", () => {
    const plain = createPaint(false);
    expect(plain("red", "text")).toBe("text");
    const colored = createPaint(true);
    expect(colored("red", "text")).toBe(`${ESC}31mtext${ESC}39m`);
    expect(colored("title", "text")).toBe(`${ESC}1m${ESC}36mtext${ESC}39m${ESC}22m`);
    expect(colored("plain", "text")).toBe("text");
    expect(colored("bold", "")).toBe("");
  });

  it("[VV4] a terminal has a width, a pipe has none", () => {
    expect(lookOf({ isTTY: true, columns: 72 }, {}, "en").width).toBe(72);
    expect(lookOf({ isTTY: true, columns: 0 }, {}, "en").width).toBe(Number.POSITIVE_INFINITY);
    expect(lookOf({ columns: 72 }, {}, "en").width).toBe(Number.POSITIVE_INFINITY);
    expect(lookOf({}, {}, "ko").words.locale).toBe("ko");
    expect(wordsFor("en").locale).toBe("en");
  });
});

describe("a line", () => {
  const paint = createPaint(false);

  it("[VV3] is cut over its pieces", () => {
    const pieces = [{ text: "T1.3 " }, { text: "한글 제목" }, { text: " tail" }];
    expect(paintLine(pieces, 100, paint)).toBe("T1.3 한글 제목 tail");
    expect(paintLine(pieces, 12, paint)).toBe("T1.3 한글 …");
    expect(paintLine(pieces, 3, paint)).toBe("T1…");
    expect(paintLine(pieces, 0, paint)).toBe("");
    for (let width = 0; width < 30; width++)
      expect(textWidth(paintLine(pieces, width, paint))).toBeLessThanOrEqual(width);
  });

  it("[VV3] gives one flexible piece what the others leave", () => {
    const pieces = (title: string) => [{ text: "a " }, { text: title, flexible: true }, { text: " z" }];
    expect(paintLine(pieces("한글"), 12, paint)).toBe("a 한글     z");
    expect(paintLine(pieces("한글 제목과 더"), 12, paint)).toBe("a 한글 제… z");
    expect(paintLine(pieces("title"), Number.POSITIVE_INFINITY, paint)).toBe("a title z");
    expect(paintLine(pieces("title"), 3, paint)).toBe("a …");
  });

  it("[VV2] ends with its last visible character, colours closed", () => {
    const colored = createPaint(true);
    expect(
      paintLine([{ text: "a", style: "red" }, { text: "  " }, { text: " ", style: "dim" }], 9, colored),
    ).toBe(`${ESC}31ma${ESC}39m`);
    expect(paintLine([{ text: "  " }], 9, colored)).toBe("");
  });

  it("[VV4] cells are cut on a terminal and only filled in a pipe", () => {
    expect(cell(look(80), "한글 제목", 6)).toBe("한글 …");
    const pipe = lookOf({}, {}, "en");
    expect(cell(pipe, "한글 제목", 6)).toBe("한글 제목");
    expect(cell(pipe, "한글", 6)).toBe("한글  ");
    expect(line(pipe, { text: "x".repeat(5000) })).toHaveLength(5000);
    expect(heading(look(5), "Headings")).toBe("Head…");
  });
});

describe("marks", () => {
  it("[VV5] every state has one of its own, one column wide, listed once", () => {
    const signs = Object.values(MARKS).map(mark => mark.sign);
    expect(new Set(signs).size).toBe(signs.length);
    for (const sign of signs) expect(textWidth(sign)).toBe(1);
    expect([...STATUS_ORDER].sort()).toEqual(Object.keys(MARKS).sort());
  });

  it("[VV5] a completion nobody proved has another one", () => {
    expect(markOf("completed", true)).toBe(MARKS.completed);
    expect(markOf("completed", false)).toBe(UNVERIFIED);
    expect(markOf("completed", undefined)).toBe(UNVERIFIED);
    expect(markOf("failed", undefined)).toBe(MARKS.failed);
    expect(markPiece(UNVERIFIED).text).toBe("✓? ");
    expect(markPiece(MARKS.failed).text).toBe("✗  ");
  });
});

describe("numbers", () => {
  const text = (completed: number, broken: number, running: number, total: number, width: number) =>
    bar({ completed, broken, running, total }, width)
      .map(piece => piece.text)
      .join("");

  it("[VV2] the parts of a bar differ without colour and always add up", () => {
    expect(text(5, 1, 2, 10, 10)).toBe("━━━━━×╍╍──");
    expect(text(0, 0, 0, 10, 10)).toBe("──────────");
    expect(text(10, 0, 0, 10, 10)).toBe("━━━━━━━━━━");
    expect(text(0, 0, 0, 0, 4)).toBe("────");
    expect(text(1, 1, 1, 3, 0)).toBe("");
    for (let done = 0; done <= 7; done++)
      for (let width = 0; width < 12; width++) expect(text(done, 7 - done, 0, 9, width)).toHaveLength(width);
  });

  it("[VV2] only a finished bar is full, only everything is 100 %", () => {
    expect(text(999, 0, 0, 1000, 10)).toBe("━━━━━━━━━─");
    expect(percent(999, 1000)).toBe("99%");
    expect(percent(1000, 1000)).toBe("100%");
    expect(percent(0, 0)).toBe("100%");
  });

  it("[VL2] running times do not flicker", () => {
    expect(elapsed(-5)).toBe("0s");
    expect(elapsed(7999)).toBe("7s");
    expect(elapsed(59_999)).toBe("59s");
    expect(elapsed(185_000)).toBe("3m05s");
    expect(elapsed(7_800_000)).toBe("2h10m");
    expect(timeOfDay(NOON + 5000)).toBe("12:00:05");
    expect(dateAndTime(NOON + 65_000)).toBe("2026-01-05 12:01");
  });

  const tasks = (status: TaskStatus, count: number, verified?: boolean) =>
    Array.from({ length: count }, (_, at) => ({ task: task({ id: `T${at}` }), status, verified }));

  it("[VV5] counts are words where they fit, marks where they do not", () => {
    const counted = tally([
      ...tasks("completed", 3, true),
      ...tasks("completed", 1, false),
      ...tasks("in_progress", 2),
      ...tasks("failed", 1),
    ]);
    expect(counted).toMatchObject({ total: 7, unverified: 1 });
    expect(countsLine(counted, look(80), "  ")).toBe("  ✓ 4 done (1 unverified)   ▶ 2 running   ✗ 1 failed");
    expect(countsLine(counted, look(50), "  ")).toBe("  ✓4(1?)  ▶2  ✗1");
    expect(countsLine(counted, look(8), "")).toBe("✓4(1?)");
    expect(countsLine(tally([]), look(80), "")).toBe("✓ 0 done");
    expect(countsLine(counted, look(80, "ko"), "")).toBe("✓ 4 완료 (미검증 1개)   ▶ 2 실행 중   ✗ 1 실패");
  });
});
