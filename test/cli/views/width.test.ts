import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { alignRight, columnWidth, cut, filled, textWidth } from "../../../src/cli/views/terminal/width.ts";
import { CONSTANT, growth } from "../../growth.ts";

describe("width", () => {
  it.each([
    ["", 0],
    ["plain ascii ~", 13],
    ["한글 제목", 9],
    ["한글".normalize("NFD"), 4],
    ["漢字かなカナ", 12],
    ["ｶﾞ", 2],
    ["ＡＢ", 4],
    ["café", 4],
    ["cafe\u0301", 4],
    ["✓ ▶ ‖ ⊘ ✗ ━╍─×·", 15],
    ["👍🏽", 2],
    ["👨‍👩‍👧", 2],
    ["🇰🇷", 2],
    ["1️⃣", 2],
    ["☺️", 2],
    ["☺", 1],
    ["नमस्ते", 3],
    ["\u1100\u1100\u1161", 4],
    ["\u1161", 1],
    ["\u0301", 0],
  ])("[VV3] %j takes %i columns", (text, width) => {
    expect(textWidth(text)).toBe(width);
  });

  it("[VV3] the width of a text is the sum of the widths of its words", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("한글", "abc", "漢", "é", "👍", "ﾞ", "✓")), words => {
        expect(textWidth(words.join(" "))).toBe(
          words.reduce((sum, word) => sum + textWidth(word), Math.max(0, words.length - 1)),
        );
      }),
    );
  });

  it("[VV3] the quick way and the close way agree", () => {
    // A letter with a mark forces the close look at the whole text.
    const text = fc.string({
      unit: fc.constantFrom("a", "é", "한", "漢", "か", "カ", "─", "…", "→", "✓", "▶", "⊘", "\u00a0", "ÿ"),
      maxLength: 30,
    });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (value, width) => {
        expect(textWidth(`${value}e\u0301`)).toBe(textWidth(value) + 1);
        const quick = cut(value, width);
        const close = cut(`e\u0301${value}`, width + 1);
        expect(close).toBe(`e\u0301${quick}`);
      }),
    );
  });

  it("[VV3] cutting keeps what fits and says that something is missing", () => {
    expect(cut("abcdef", 6)).toBe("abcdef");
    expect(cut("abcdef", 5)).toBe("abcd…");
    expect(cut("한글 제목", 9)).toBe("한글 제목");
    expect(cut("한글 제목", 8)).toBe("한글 제…");
    expect(cut("한글 제목", 7)).toBe("한글 …");
    expect(cut("한글", 1)).toBe("…");
    expect(cut("한글", 0)).toBe("");
    expect(cut("한글", -3)).toBe("");
    expect(cut("한글", Number.POSITIVE_INFINITY)).toBe("한글");
  });

  it("[VV3] whatever the text, a cut one is never too wide and a filled one is exact", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 60 });
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 40 }), (value, width) => {
        expect(textWidth(cut(value, width))).toBeLessThanOrEqual(width);
        expect(textWidth(filled(value, width))).toBe(width);
        // No character of more than a dozen parts: what fits is left as it is.
        const short = value.slice(0, 12);
        expect(cut(short, Math.max(1, textWidth(short)))).toBe(short);
      }),
    );
  });

  it("[VV7] marks piled on one character are cut", () => {
    const tower = `a${"\u0301".repeat(10_000)}b`;
    expect(textWidth(tower)).toBe(2);
    expect(cut(tower, 10)).toBe(`a${"\u0301".repeat(11)}…`);
    expect(cut(`a${"\u0301".repeat(20)}b`, 10)).toBe(`a${"\u0301".repeat(11)}b`);
  });

  it("[VV7] cutting a long text reads no further than it needs", () => {
    const longOf = (size: number) => "한".repeat(size);
    expect(textWidth(cut(longOf(1_000_000), 80))).toBe(79);
    expect(growth(250_000, longOf, long => cut(long, 80))).toBeLessThan(CONSTANT);
  });

  it("[VV3] aligns to the right and finds the widest cell", () => {
    expect(alignRight("7s", 5)).toBe("   7s");
    expect(alignRight("한글", 3)).toBe("한글");
    expect(columnWidth(["a", "한글", "abc"], text => text, 10)).toBe(4);
    expect(columnWidth(["a", "한글", "abc"], text => text, 3)).toBe(3);
    expect(columnWidth([], text => text, 3)).toBe(0);
  });
});
