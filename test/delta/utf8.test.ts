import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeUtf8 } from "../../src/delta/index.ts";

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
