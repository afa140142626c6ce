import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { saturation } from "../../src/run/index.ts";

describe("saturation", () => {
  it.each([
    [0, 69_999, "none", false],
    [69_999, 1, "warn", true],
    [70_000, 1, "warn", false],
    [79_999, 1, "save", true],
    [0, 85_000, "save", true],
    [89_999, 1, "stop", true],
    [95_000, 10_000, "stop", false],
  ] as const)("[RT5] from %i by %i of 100,000 is %s, crossed %s", (before, added, level, crossed) => {
    expect(saturation(before, added, 100_000)).toMatchObject({ level, crossed });
  });

  it("[RT5] never divides by an unknown window", () => {
    expect(saturation(5, 5, 0)).toEqual({ percent: 0, level: "none", crossed: false });
  });

  it("[RT5] crosses each mark once on the way up, however small the steps", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 40 }), steps => {
        let read = 0;
        const crossed: string[] = [];
        for (const added of steps) {
          const { level, crossed: now, percent } = saturation(read, added, 200_000);
          read += added;
          expect(percent).toBe(Math.floor((100 * read) / 200_000));
          if (now) crossed.push(level);
        }
        expect(new Set(crossed).size).toBe(crossed.length);
        expect(crossed).toEqual(["warn", "save", "stop"].filter(level => crossed.includes(level)));
      }),
    );
  });
});
