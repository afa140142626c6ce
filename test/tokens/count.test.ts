import fc from "fast-check";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { countCapped, countTokens } from "../../src/tokens/index.ts";
import { growth, LINEAR } from "../growth.ts";
import { casesOf, itWhole, sampleOf } from "../sample.ts";
import { nastyText } from "./nasty.ts";

/** The reference, told that nothing is special. */
const exact = (text: string): number => encode(text, { disallowedSpecial: new Set() }).length;

/** Repeatable numbers below one. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe("countTokens", () => {
  it.each([
    ["", 0],
    ["DONE", 1],
    ["T1.3 1 in_progress", 8],
    [" ", 1],
    ["\n\n\n", 1],
    ["가", 1],
  ])("[TK1] counts %j", (text, tokens) => {
    expect(countTokens(text)).toBe(tokens);
    expect(exact(text)).toBe(tokens);
  });

  it.each([
    "태스크 상태 머신: `pending → ready → in_progress`\nconst a = [1, 2, 3].map(n => n ** 2);\n",
    "We're sure they'LL say it's I'd've, 'twas'nt.",
    "HTTPServer XMLHttpRequest getURLPath snake_case_name SCREAMING_CASE kebab-case",
    "    if (x) {\n\t\treturn;   \n\n\n   }   ",
    "12345678901234567890 1,234.56 ١٢٣ ½ Ⅷ",
    "https://example.org//a/b/c?d=e#f\r\n\r\n--/--//\n/",
    "a\u0301\u0301e\u0301 \u0301x ʰa ªb ǅǆ Straße ЖЖжж",
    "\u00a0\u00a0word\u2003\u2003\u3000끝",
    "👩‍👩‍👧 😀😀 𝔘𝔫𝔦 𐐷𐐷",
    "가A나b다 A가 aA가",
    "-----------------------------------=====================================",
  ])("[TK1] counts as the reference: %j", text => {
    expect(countTokens(text)).toBe(exact(text));
  });

  it("[TK1] counts as the reference on whatever is made of nasty parts", () => {
    fc.assert(
      fc.property(nastyText(), text => {
        expect(countTokens(text)).toBe(exact(text));
      }),
      { numRuns: casesOf(750, 3000) },
    );
  });

  it("[TK1] counts as the reference on any Unicode but the two blanks it takes for others", () => {
    // JavaScript's \s has U+FEFF and lacks U+0085; the encoding's own pattern is Unicode's White_Space.
    const text = fc
      .string({ unit: "binary", maxLength: 80 })
      .map(some => some.replaceAll("\ufeff", "").replaceAll("\u0085", ""));
    fc.assert(
      fc.property(text, some => {
        expect(countTokens(some)).toBe(exact(some));
      }),
      { numRuns: 2000 },
    );
  });

  it("[TK1] a byte order mark is a sign, not a blank", () => {
    expect(countTokens("\ufeff# Title")).toBeLessThanOrEqual(exact("\ufeff# Title"));
    expect(countTokens("\ufeff")).toBeGreaterThan(0);
  });

  it("[TK1] takes the spelling of a special token for text", () => {
    expect(countTokens("<|endoftext|>")).toBe(exact("<|endoftext|>"));
    expect(countTokens("<|endoftext|>")).toBeGreaterThan(1);
  });

  it("[TK2] is exact over the seams of long pieces", () => {
    const next = random(3);
    const alphabets = ["ab", "aA", "가", "가나", "ㅋㅎ", "-=", "ab가", "xyzw", "0aé", "漢字かな", "eiou"];
    for (const alphabet of alphabets) {
      for (let round = 0; round < 20; round++) {
        const length = 17 + Math.floor(next() * 500);
        const text = Array.from({ length }, () => alphabet[Math.floor(next() * alphabet.length)]).join("");
        expect(countTokens(text), `${alphabet} ${round}`).toBe(exact(text));
      }
    }
  });

  it("[TK2] is exact on runs of one character of any length", () => {
    for (const char of ["a", "A", "가", " ", "=", "\n", "\t", "ㅋ", "😀", "_", "é"]) {
      for (const length of [15, 16, 17, 31, 63, 127, 128, 129, 255, 257, 600]) {
        expect(countTokens(char.repeat(length)), `${char} ${length}`).toBe(exact(char.repeat(length)));
      }
    }
  });

  it("[TK2] is exact where a piece is longer than what is held at once", () => {
    const next = random(7);
    const pick = (from: number, size: number): string =>
      String.fromCodePoint(from + Math.floor(next() * size));
    for (const [from, size] of sampleOf(
      [
        [0xac00, 11_172],
        [0x61, 26],
        [0x1f600, 60],
      ] as const,
      0,
      2,
    )) {
      const text = Array.from({ length: 17_000 }, () => pick(from, size)).join("");
      expect({ from, tokens: countTokens(text) }).toEqual({ from, tokens: exact(text) });
    }
  });

  it("[TK3] does not stall on an unbroken run", () => {
    const counts = [
      countTokens("가".repeat(200_000)),
      countTokens("a".repeat(2_000_000)),
      countTokens(" ".repeat(1_000_000)),
    ];
    expect(counts).toEqual([200_000, 250_000, 7813]);
  });

  itWhole("[TK3] grows in time as the text grows", () => {
    for (const unit of ["가나", "a", " ", "word "]) {
      expect(growth(100_000, size => unit.repeat(size / unit.length), countTokens)).toBeLessThan(LINEAR);
    }
  });

  it("[TK3] counts broken surrogates as what they become in UTF-8", () => {
    const broken = "x\ud800y\udc00z\ud83d";
    expect(countTokens(broken)).toBe(exact(broken.toWellFormed()));
    expect(countTokens("\ud800".repeat(300))).toBe(exact("\ufffd".repeat(300)));
  });

  it("[TK3] counts bytes that were no text", () => {
    const bytes = Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256));
    const text = bytes.toString("latin1").replaceAll("\u0085", "");
    expect(countTokens(text)).toBe(exact(text));
  });
});

describe("countCapped", () => {
  it("[TK4] is the count up to the cap and undefined beyond", () => {
    fc.assert(
      fc.property(nastyText(), fc.integer({ min: 0, max: 80 }), (text, cap) => {
        const tokens = countTokens(text);
        expect(countCapped(text, cap)).toBe(tokens <= cap ? tokens : undefined);
      }),
      { numRuns: 1000 },
    );
  });

  it("[TK4] does not read what is far too long", () => {
    for (const unit of ["word ", "=-"]) {
      const textOf = (size: number) => unit.repeat(size / unit.length);
      expect(countCapped(textOf(20_000_000), 1000)).toBeUndefined();
      // Four times as much becomes 64 times as much: who reads it, were it only a half, is far beyond the bound.
      const longer = (size: number) => textOf((size / 1_000_000) ** 3 * 1_000_000);
      expect(growth(1_000_000, longer, text => countCapped(text, 1000))).toBeLessThan(LINEAR);
    }
  });

  it("[TK4] knows the longest token", () => {
    expect(countCapped(" ".repeat(128), 1)).toBe(1);
    expect(countCapped(" ".repeat(129), 1)).toBeUndefined();
    expect(countCapped("", 0)).toBe(0);
    expect(countCapped("a", 0)).toBeUndefined();
  });
});
