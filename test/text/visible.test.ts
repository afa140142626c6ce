import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { firstLine, uncolored, visible, visibleLines } from "../../src/text/index.ts";
import { growth, LINEAR } from "../growth.ts";
import { sampleOf } from "../sample.ts";

/** What must never reach a terminal or a reader as it is. */
const DECEPTIVE: readonly (readonly [name: string, char: string, shown: string])[] = [
  ["a line feed", "\n", "\\n"],
  ["a carriage return", "\r", "\\r"],
  ["a tab", "\t", " "],
  ["NUL", "\u0000", "\\x00"],
  ["escape", "\u001b", "\\x1b"],
  ["backspace", "\b", "\\x08"],
  ["bell", "\u0007", "\\x07"],
  ["delete", "\u007f", "\\x7f"],
  ["a C1 control", "\u009b", "\\x9b"],
  ["next line", "\u0085", "\\x85"],
  ["a soft hyphen", "\u00ad", "\\xad"],
  ["a grapheme joiner", "\u034f", "\\u{34f}"],
  ["an Arabic letter mark", "\u061c", "\\u{61c}"],
  ["a Hangul choseong filler", "\u115f", "\\u{115f}"],
  ["a Hangul jungseong filler", "\u1160", "\\u{1160}"],
  ["a Mongolian vowel separator", "\u180e", "\\u{180e}"],
  ["a zero-width space", "\u200b", "\\u{200b}"],
  ["a zero-width joiner", "\u200d", "\\u{200d}"],
  ["a right-to-left mark", "\u200f", "\\u{200f}"],
  ["a line separator", "\u2028", "\\u{2028}"],
  ["a paragraph separator", "\u2029", "\\u{2029}"],
  ["an override", "\u202e", "\\u{202e}"],
  ["an isolate", "\u2066", "\\u{2066}"],
  ["a word joiner", "\u2060", "\\u{2060}"],
  ["a Hangul filler", "\u3164", "\\u{3164}"],
  ["a byte-order mark", "\ufeff", "\\u{feff}"],
  ["a half-width filler", "\uffa0", "\\u{ffa0}"],
  ["an interlinear anchor", "\ufff9", "\\u{fff9}"],
  ["a tag character", "\u{e0041}", "\\u{e0041}"],
  ["a variation selector supplement", "\u{e0100}", "\\u{e0100}"],
  ["a lone high surrogate", "\ud83d", "\ufffd"],
  ["a lone low surrogate", "\ude00", "\ufffd"],
];

describe("visible", () => {
  it.each(DECEPTIVE)("[XV1] shows %s", (_, char, shown) => {
    expect(visible(char)).toBe(shown);
    expect(visible(`a${char}b`)).toBe(`a${shown}b`);
    expect(visible(char.repeat(3))).toBe(shown.repeat(3));
  });

  it("[XV1] leaves nothing in that could deceive", () => {
    const forbidden = new RegExp(
      "[\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u180e\\u200b-\\u200f\\u2028-\\u202e" +
        "\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb]",
      "u",
    );
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), text => {
        const shown = visible(text);
        expect(shown).not.toMatch(forbidden);
        expect(shown.isWellFormed()).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it("[XV2] leaves ordinary text of any script as it is", () => {
    for (const text of [
      "T1.3 – über ½",
      "한국어 텍스트",
      "日本語",
      "emoji 🙂🚀",
      "",
      "\\x1b is text",
      "ﬁ é",
    ]) {
      expect(visible(text)).toBe(text);
    }
  });

  it("[XV2] is idempotent", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 80 }),
        fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.nat(60)),
        (text, limit) => {
          const once = visible(text, limit);
          expect(visible(once)).toBe(once);
          expect(visible(once, limit)).toBe(once);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("[XV84] keeps an emoji of several pictures whole, and shows a joiner that joins none", () => {
    for (const whole of ["👩‍💻 Build", "👨‍👩‍👧 page", "❤️‍🔥", "👩🏽‍🚀"]) expect(visible(whole)).toBe(whole);
    for (const text of ["👩\u200d", "\u200d💻", "a\u200d💻", "👩\u200db", "👩\u200d\u200d💻"])
      expect(visible(text)).not.toContain("\u200d");
    for (let limit = 0; limit < 9; limit++) {
      const once = visible("👩‍💻‍👩", limit);
      expect([visible(once), once.length <= limit]).toEqual([once, true]);
    }
  });

  it("[XV3] keeps its limit and cuts between characters", () => {
    expect(visible("abcdef", 6)).toBe("abcdef");
    expect(visible("abcdefg", 6)).toBe("abcde…");
    expect(visible("abc", 0)).toBe("");
    expect(visible("abc", 1)).toBe("…");
    expect(visible("ab🙂cd", 4)).toBe("ab…");
    expect(visible("ab🙂", 4)).toBe("ab🙂");
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 100 }), fc.nat(50), (text, limit) => {
        const shown = visible(text, limit);
        expect(shown.length).toBeLessThanOrEqual(limit);
        expect(shown.isWellFormed()).toBe(true);
        expect(visible(text).startsWith(shown.replace(/…$/, ""))).toBe(true);
      }),
    );
  });

  it("[XV4] treats each line of several", () => {
    expect(visibleLines("a\u001b[1m\r\nb\n\u202ec")).toBe("a\\x1b[1m\nb\n\\u{202e}c");
    expect(visibleLines("a\rb\n")).toBe("a\\rb\n");
    expect(visibleLines("")).toBe("");
  });

  it.each([
    ["", ""],
    ["\n\n", ""],
    ["  \n\t\n one \ntwo", "one"],
    ["one\r\ntwo", "one"],
    ["\u001b[31mred\u001b[2J\nblue", "red\\x1b[2J"],
    ["no line break", "no line break"],
    [`${"x".repeat(20)}`, `${"x".repeat(9)}…`],
  ])("[XV5] takes the first line that says anything of %j", (text, expected) => {
    expect(firstLine(text, 10 + (text.startsWith("x") ? 0 : 90))).toBe(expected);
  });

  it("[XV5] is one line whatever it is given", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), fc.nat(100), (text, limit) => {
        const line = firstLine(text, limit);
        expect(line).not.toMatch(/[\n\r]/);
        expect(line.length).toBeLessThanOrEqual(limit);
        expect(line).toBe(line.trim());
      }),
    );
  });

  it.each(
    sampleOf(
      [
        ["ordinary text", "word "],
        ["controls", "\u001b"],
        ["blank lines", "\n"],
        ["surrogates", "\ud83d"],
      ],
      1,
      3,
    ),
  )("[XV6] is linear in %s", (_, unit) => {
    const textOf = (size: number) => unit.repeat(size / unit.length);
    expect(growth(200_000, textOf, text => visible(text))).toBeLessThan(LINEAR);
    expect(growth(200_000, textOf, text => visible(text, 100))).toBeLessThan(LINEAR);
    expect(growth(200_000, textOf, text => firstLine(text, 100))).toBeLessThan(LINEAR);
  });
});

describe("uncolored", () => {
  it.each([
    ["\u001b[91m\u001b[1mError: \u001b[0mUnexpected", "Error: Unexpected"],
    ["\u001b[m\u001b[38;5;196mred\u001b[48:2::1:2:3m", "red"],
    ["no color [31m at all", "no color [31m at all"],
    ["\u001b[2J\u001b[31", "\u001b[2J\u001b[31"],
    ["\u001b[31\u001b[32mgreen", "\u001b[31green"],
    [`\u001b[${"1;".repeat(40)}m`, `\u001b[${"1;".repeat(40)}m`],
  ])("[XV7] %j becomes %j", (text, plain) => expect(uncolored(text)).toBe(plain));

  it("[XV7] leaves out nothing but what it says, whatever stands around it", () => {
    const part = fc.constantFrom("\u001b[31m", "\u001b[0m", "a", "m", "[", "1", ";", "\n", "\u001b");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), parts => {
        const text = parts.join("");
        expect(uncolored(text)).toBe(text.replace(/\u001b\[[0-9:;]{0,30}m/g, ""));
      }),
    );
  });

  it("[XV6] is linear", () => {
    expect(growth(200_000, n => "\u001b[1;".repeat(n / 4), uncolored)).toBeLessThan(LINEAR);
  });

  it("[XV5] a first line shows no colors", () => {
    expect(firstLine("\u001b[31m\u001b[0m\n\u001b[1mbroken\u001b[0m \u001b[2J", 80)).toBe("broken \\x1b[2J");
  });
});
