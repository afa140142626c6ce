import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPattern, writePattern } from "../../src/delta/message/pattern.ts";
import {
  bodyLine,
  isBareTitle,
  isInline,
  newSide,
  oldSide,
  quoted,
  readBodyLine,
  readQuoted,
} from "../../src/delta/message/quote.ts";

const TEXT = fc.oneof(
  fc.string({ unit: "binary" }).filter(text => text.isWellFormed()),
  fc
    .array(
      fc.constantFrom('"', "\\", " → ", " | ", "…", ": ", "a", " ", "\u0000", "\uFEFF", "\u2028", "§", ")"),
      { maxLength: 8 },
    )
    .map(parts => parts.join("")),
);
const LINE = TEXT.map(text => text.replaceAll("\n", ""));

describe("quoting", () => {
  it("[U6] reads back what it quotes, and nothing invisible is left in it", () => {
    fc.assert(
      fc.property(TEXT, TEXT, (text, behind) => {
        const read = readQuoted(quoted(text) + behind, 0);
        expect(read).toEqual({ value: text, end: quoted(text).length });
        expect(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f\ufeff\u2028\u2029]/.test(quoted(text))).toBe(false);
      }),
    );
  });

  it("[U6] reads no half of a quote", () => {
    for (const text of ['"', '"a', '"a\\', '"a\\"', '"\\x"', "a", "", '"\\u12"'])
      expect(readQuoted(text, 0)).toBeUndefined();
    expect(readQuoted('x"a"y', 1)).toEqual({ value: "a", end: 4 });
  });

  it("[U6] leaves ordinary text bare and quotes what would read as something else", () => {
    for (const bare of [
      "IN_PROGRESS",
      "v1.2",
      "2 of 3",
      "진행중",
      "a, b",
      "it's",
      'say "x"',
      "x → y".replace(" → ", "→"),
    ]) {
      expect(newSide(bare)).toBe(bare);
      expect(oldSide(bare)).toBe(bare);
    }
    for (const special of ["", " a", "a ", "a → b", "a | b", '"a"', "a\u0000", "\uFEFFa"]) {
      expect(newSide(special)).toBe(quoted(special));
      expect(oldSide(special)).toBe(quoted(special));
    }
    expect(newSide("key: a…b")).toBe("key: a…b");
    for (const special of ["key: a", "a…b", "key:", "L12", "§a", "x (3 lines)"])
      expect(oldSide(special)).toBe(quoted(special));
  });

  it("[U6] patterns read back", () => {
    const piece = TEXT.filter(text => text !== "");
    fc.assert(
      fc.property(piece, fc.option(TEXT, { nil: undefined }), (from, to) => {
        const pattern = to === undefined ? { from } : { from, to };
        expect(readPattern(writePattern(pattern))).toEqual(pattern);
      }),
    );
    for (const broken of ["", "…", "…a", '"a"b', "a…b…c", '""']) expect(readPattern(broken)).toBeUndefined();
  });

  it("[U9] body lines read back, and none is taken for an operation", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          LINE,
          fc.constantFrom("- ADDED x", "\\- ADDED", "## Impact Assessment", '\\"a"', "\\", "\r"),
        ),
        line => {
          expect(readBodyLine(bodyLine(line))).toBe(line);
          expect(bodyLine(line).startsWith("- ADDED")).toBe(false);
          expect(bodyLine(line).startsWith("## Impact Assessment")).toBe(false);
        },
      ),
    );
    expect(bodyLine("- ADDED: x")).toBe("\\- ADDED: x");
    expect(bodyLine("- ADDEDx")).toBe("- ADDEDx");
    expect(bodyLine("## Delta")).toBe("## Delta");
    expect(readBodyLine('\\"a')).toBeUndefined();
    expect(readBodyLine('\\"a"b')).toBeUndefined();
    expect(readBodyLine('\\"a\\nb"')).toBeUndefined();
  });

  it("[U4] knows titles that can stand bare", () => {
    for (const title of ["Status", "Phase 1", "1. Scope", "A (draft)", "AD-1", "C++", "후속 작업"]) {
      expect(isBareTitle(title)).toBe(true);
    }
    for (const title of [
      "",
      "^",
      "a: b",
      "C#",
      " a",
      '"a"',
      "x after y",
      "sent from",
      "a (3 lines)",
      "a\u0000",
    ]) {
      expect(isBareTitle(title)).toBe(false);
    }
  });

  it("[U7] knows texts that can stand behind a colon", () => {
    expect(isInline("any text: a → b")).toBe(true);
    for (const text of ["", " a", "a ", "a\u0000b", "\t"]) expect(isInline(text)).toBe(false);
  });
});
