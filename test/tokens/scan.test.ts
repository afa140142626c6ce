import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pieceEnd } from "../../src/tokens/scan.ts";
import { growth, LINEAR } from "../growth.ts";
import { nastyText } from "./nasty.ts";

/** The encoding's published pattern. It backtracks, which is why the source is a scanner. */
const CONTRACTION = "(?:'(?:[sS]|[dD]|[mM]|[tT]|[lL][lL]|[vV][eE]|[rR][eE]))?";
const UPPER = "[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]";
const LOWER = "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]";
const PREFIX = "[^\\r\\n\\p{L}\\p{N}]?";
const SPACE = "\\p{White_Space}";
const PATTERN = [
  `${PREFIX}${UPPER}*${LOWER}+${CONTRACTION}`,
  `${PREFIX}${UPPER}+${LOWER}*${CONTRACTION}`,
  "\\p{N}{1,3}",
  ` ?[^${SPACE}\\p{L}\\p{N}]+[\\r\\n/]*`,
  `${SPACE}*[\\r\\n]+`,
  `${SPACE}+(?!\\P{White_Space})`,
  `${SPACE}+`,
].join("|");

function byPattern(text: string): string[] {
  return [...text.matchAll(new RegExp(PATTERN, "gu"))].map(([piece]) => piece);
}

function byScanner(text: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = pieceEnd(text, at);
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}

describe("pieces", () => {
  it.each([
    ["Hello world", ["Hello", " world"]],
    ["it's they'LL", ["it's", " they'LL"]],
    ["HTTPServer", ["HTTPServer"]],
    ["camelCase", ["camel", "Case"]],
    ["1234567", ["123", "456", "7"]],
    ["a  b", ["a", " ", " b"]],
    ["a \n\n b", ["a", " \n\n", " b"]],
    ["end   ", ["end", "   "]],
    ["x/*//\n//y", ["x", "/*//\n//", "y"]],
    ["가나 다라", ["가나", " 다라"]],
    ["가A나", ["가A나"]],
    ["가A", ["가", "A"]],
    ["\ufeff# T", ["\ufeff#", " T"]],
    ["\u0085x", ["\u0085x"]],
    ["don't've", ["don't", "'ve"]],
    ["'S'S", ["'S'S"]],
    ["", []],
  ])("[TK1] of %j", (text, pieces) => {
    expect(byScanner(text)).toEqual(pieces);
    expect(byPattern(text)).toEqual(pieces);
  });

  it("[TK1] are those of the published pattern on nasty texts", () => {
    fc.assert(
      fc.property(nastyText(40), text => {
        expect(byScanner(text)).toEqual(byPattern(text));
      }),
      { numRuns: 3000 },
    );
  });

  it("[TK1] are those of the published pattern on any Unicode", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), text => {
        expect(byScanner(text)).toEqual(byPattern(text));
      }),
      { numRuns: 3000 },
    );
  });

  it("[TK1] tile the text, broken surrogates included", () => {
    const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 80 });
    fc.assert(
      fc.property(units, codes => {
        const text = String.fromCharCode(...codes);
        const pieces = byScanner(text);
        expect(pieces.join("")).toBe(text);
        expect(pieces.every(piece => piece.length > 0)).toBe(true);
      }),
    );
  });

  it("[TK1] classify every character of the basic plane as the pattern does", () => {
    for (let from = 0; from < 0x1_0000; from += 64) {
      const chars = Array.from({ length: 64 }, (_, at) => String.fromCharCode(from + at)).filter(char =>
        char.isWellFormed(),
      );
      const text = chars.map(char => `a${char}B${char}1`).join("");
      expect(byScanner(text), `from ${from}`).toEqual(byPattern(text));
    }
  });

  it("[TK3] are found in linear time where the pattern would look back", () => {
    for (const part of ["A", "a", " ", "\n", "=", "가", "\u0301", " \n", "aA", "'s"]) {
      const scan = (text: string) => {
        for (let at = 0; at < text.length; ) at = pieceEnd(text, at);
      };
      expect(growth(75_000, size => part.repeat(size), scan)).toBeLessThan(LINEAR);
    }
  });
});
