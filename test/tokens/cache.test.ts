import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countTokens, createTokenCache } from "../../src/tokens/index.ts";

const long = (name: string): string => `${name} says: ${"what it has to say, at length. ".repeat(20)}`;
const hash = (text: string): string => createHash("sha256").update(text).digest("hex");

describe("createTokenCache", () => {
  it("[TK6] never changes a count", () => {
    const cache = createTokenCache(3);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 30 }), names => {
        for (const name of names) {
          const text = long(String(name));
          expect(cache.count(text)).toBe(countTokens(text));
        }
        expect(cache.size).toBeLessThanOrEqual(3);
      }),
    );
  });

  it("[TK6] forgets what was asked for longest ago", () => {
    const cache = createTokenCache(2);
    cache.count(long("a"));
    cache.count(long("b"));
    cache.count(long("a"));
    cache.count(long("c"));
    expect(cache.known(hash(long("b")))).toBeUndefined();
    expect(cache.known(hash(long("a")))).toBe(countTokens(long("a")));
    expect(cache.known(hash(long("c")))).toBe(countTokens(long("c")));
  });

  it("[TK6] does not bother with short texts", () => {
    const cache = createTokenCache();
    expect(cache.count("short")).toBe(1);
    expect(cache.size).toBe(0);
  });

  it("[TK6] tells apart texts that differ in one character", () => {
    const cache = createTokenCache();
    const one = long("x");
    const other = `${one}!`;
    expect(cache.count(other)).toBe(countTokens(other));
    expect(cache.count(one)).toBe(countTokens(one));
    expect(cache.size).toBe(2);
  });

  it("[TK6] holds nothing when it may hold nothing", () => {
    const cache = createTokenCache(0);
    expect(cache.count(long("a"))).toBe(countTokens(long("a")));
    expect(cache.size).toBe(0);
  });
});
