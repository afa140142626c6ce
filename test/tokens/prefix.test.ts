import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countCapped, countTokens, prefixWithin } from "../../src/tokens/index.ts";
import { growth, LINEAR } from "../growth.ts";
import { nastyText } from "./nasty.ts";

describe("prefixWithin", () => {
  it("[TK5] never takes more than the cap and says what it takes", () => {
    fc.assert(
      fc.property(nastyText(), fc.integer({ min: 0, max: 40 }), (text, cap) => {
        const { end, tokens } = prefixWithin(text, cap);
        expect(tokens).toBeLessThanOrEqual(cap);
        expect(end).toBeLessThanOrEqual(text.length);
        expect(countTokens(text.slice(0, end))).toBeLessThanOrEqual(cap);
      }),
      { numRuns: 1500 },
    );
  });

  it("[TK5] takes everything that fits", () => {
    fc.assert(
      fc.property(nastyText(), text => {
        const tokens = countTokens(text);
        expect(prefixWithin(text, tokens)).toEqual({ end: text.length, tokens });
        expect(prefixWithin(text, tokens + 5)).toEqual({ end: text.length, tokens });
      }),
    );
  });

  it.each([
    ["one two three four", 2, "one two"],
    ["첫째 줄\n둘째 줄\n", 3, "첫째 줄"],
    ["alpha\n\nbeta", 1, "alpha"],
    ["anything", 0, ""],
    ["", 5, ""],
  ])("[TK5] cuts %j at %i", (text, cap, kept) => {
    expect(text.slice(0, prefixWithin(text, cap).end)).toBe(kept);
  });

  it.each(["x".repeat(1000), "Hello there, world"])(
    "[TK5] takes caps for what they are worth in %j",
    text => {
      for (const cap of [0.5, 1.5, 2.7, 10.3])
        expect(prefixWithin(text, cap)).toEqual(prefixWithin(text, Math.floor(cap)));
      for (const cap of [Number.NaN, -1]) expect(prefixWithin(text, cap)).toEqual({ end: 0, tokens: 0 });
      expect(countCapped(text, Number.NaN)).toBeUndefined();
    },
  );

  it("[TK5] cuts an unbroken line inside, but no character in two", () => {
    const line = "가나다라마바사".repeat(2000);
    const { end, tokens } = prefixWithin(line, 100);
    expect(tokens).toBeGreaterThan(95);
    expect(tokens).toBeLessThanOrEqual(100);
    expect(end).toBeLessThan(line.length);
    const emoji = "😀".repeat(500);
    for (let cap = 1; cap < 12; cap++) {
      const cut = prefixWithin(emoji, cap);
      expect(emoji.slice(0, cut.end).isWellFormed()).toBe(true);
      expect(countTokens(emoji.slice(0, cut.end))).toBeLessThanOrEqual(cap);
    }
  });

  it.each(["-", "/", "ab", "가", "😀", "-="])(
    "[TK5] takes as many tokens of an unbroken line of %j as there may be",
    shape => {
      const line = shape.repeat(30_000);
      for (const cap of [50, 333]) {
        const { end, tokens } = prefixWithin(line, cap);
        expect(tokens).toBe(countTokens(line.slice(0, end)));
        // A character of more than one token is not cut.
        expect(tokens).toBeGreaterThan(cap - 3);
        expect(tokens).toBeLessThanOrEqual(cap);
      }
    },
  );

  it("[TK5] is linear in a line that is huge", () => {
    const lineOf = (size: number) => "a".repeat(size);
    expect(prefixWithin(lineOf(5_000_000), 300).tokens).toBeLessThanOrEqual(300);
    expect(growth(250_000, lineOf, line => prefixWithin(line, 300))).toBeLessThan(LINEAR);
  });
});
