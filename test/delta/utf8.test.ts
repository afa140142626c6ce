import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeUtf8 } from "../../src/delta/index.ts";
import { told } from "../../src/text/index.ts";

function offsetOf(bytes: number[]): number | string {
  const result = decodeUtf8(Uint8Array.from(bytes));
  return result.ok ? result.value : result.failure.offset;
}

describe("decodeUtf8", () => {
  it("[D9] keeps every character, a BOM too", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }).filter(text => text.isWellFormed()),
        text => {
          expect(decodeUtf8(new TextEncoder().encode(text))).toEqual({ ok: true, value: text });
        },
      ),
    );
    expect(offsetOf([0xef, 0xbb, 0xbf, 0x61])).toBe("\uFEFFa");
  });

  it("[D9] refuses invalid bytes with the offset of the first", () => {
    expect(offsetOf([0x61, 0xff])).toBe(1);
    expect(offsetOf([0x80])).toBe(0);
    expect(offsetOf([0x61, 0xc0, 0xaf])).toBe(1);
    expect(offsetOf([0xe0, 0x80, 0x80])).toBe(0);
    expect(offsetOf([0x61, 0x62, 0xed, 0xa0, 0x80])).toBe(2);
    expect(offsetOf([0xf0, 0x80, 0x80, 0x80])).toBe(0);
    expect(offsetOf([0xf4, 0x90, 0x80, 0x80])).toBe(0);
    expect(offsetOf([0xe2, 0x82])).toBe(0);
    expect(offsetOf([0xf0, 0x9f, 0x91, 0x8d, 0xf5])).toBe(4);
  });

  it("[D9] takes the first and the last character of each length, and what surrounds the surrogates", () => {
    for (const code of [0, 0x7f, 0x80, 0x7ff, 0x800, 0xfff, 0x1000, 0xcfff, 0xd000, 0xd7ff, 0xe000, 0xffff])
      expect(offsetOf([...new TextEncoder().encode(String.fromCodePoint(code)), 0xff])).toBe(
        code < 0x80 ? 1 : code < 0x800 ? 2 : 3,
      );
    for (const code of [0x1_0000, 0x3_ffff, 0x4_0000, 0xf_ffff, 0x10_0000, 0x10_ffff])
      expect(offsetOf([...new TextEncoder().encode(String.fromCodePoint(code)), 0xff])).toBe(4);
  });

  it.each([
    ["a byte that only goes on", [0x80]],
    ["one too long by a byte", [0xc1, 0xbf]],
    ["one too long by two", [0xe0, 0x9f, 0xbf]],
    ["one too long by three", [0xf0, 0x8f, 0xbf, 0xbf]],
    ["the first surrogate", [0xed, 0xa0, 0x80]],
    ["what is beyond the last character", [0xf4, 0x90, 0x80, 0x80]],
    ["what begins far beyond it", [0xf5, 0x80, 0x80, 0x80]],
    ["a second byte too low", [0xc2, 0x7f]],
    ["a second byte too high", [0xc2, 0xc0]],
    ["a third byte too low", [0xe1, 0x80, 0x7f]],
    ["a fourth byte too high", [0xf1, 0x80, 0x80, 0xc0]],
    ["two bytes cut off", [0xc2]],
    ["three bytes cut off", [0xe1, 0x80]],
    ["four bytes cut off", [0xf1, 0x80, 0x80]],
  ])("[D9] names the place of %s, and what stands there", (_, bytes) => {
    const read = decodeUtf8(Uint8Array.from([0x61, 0xc3, 0xa9, ...bytes]));
    const byte = bytes[0]!.toString(16);
    const failure = { offset: 3, message: `Not UTF-8: byte 3 (0x${byte})` };
    expect(read).toEqual({
      ok: false,
      failure: { ...failure, said: told`byte ${3} (0x${byte}) is not UTF-8` },
    });
  });

  it("[D9] finds the first invalid byte wherever it stands", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), (before, after) => {
        const head = new TextEncoder().encode(before);
        const bytes = [...head, 0xff, ...new TextEncoder().encode(after)];
        expect(offsetOf(bytes)).toBe(head.length);
      }),
    );
  });
});
