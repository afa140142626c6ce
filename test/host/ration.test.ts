import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rationOf } from "../../src/host/run/ration.ts";

/** Works whenever it may and there is something to do; the stretches of time that it has worked in. */
function worked(
  options: { readonly of: number; readonly ahead: number },
  pieces: readonly (readonly [idle: number, takes: number])[],
): readonly (readonly [began: number, ended: number])[] {
  const ration = rationOf(options);
  let now = 0;
  return pieces.map(([idle, takes]) => {
    now = Math.max(now + idle, ration.from);
    const began = now;
    now += takes;
    ration.spend(began, now);
    return [began, now] as const;
  });
}

describe("a ration of time", () => {
  it("[TR7] lets three pieces of a second follow each other at once, and then one every six seconds", () => {
    const began = worked({ of: 6, ahead: 3000 }, Array(6).fill([0, 1000])).map(([one]) => one);
    expect(began).toEqual([0, 1000, 2000, 3000, 6000, 12_000]);
  });

  it("[TR7] saves no more than what may be spent ahead, however long nothing was done", () => {
    const pieces = [[0, 1000], [1e9, 1000], ...Array<[number, number]>(4).fill([0, 1000])] as const;
    const began = worked({ of: 6, ahead: 3000 }, pieces).map(([one]) => one - 1e9 - 1000);
    expect(began.slice(1)).toEqual([0, 1000, 2000, 3000, 6000]);
  });

  it("[TR7] spends in no stretch of time more than its share, what is ahead, and the last piece", () => {
    const piece = fc.tuple(fc.nat(20_000), fc.integer({ min: 1, max: 5000 }));
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 10 }),
        fc.nat(5000),
        fc.array(piece, { minLength: 1, maxLength: 40 }),
        (of, ahead, pieces) => {
          const all = worked({ of, ahead }, pieces);
          for (const [at, [from]] of all.entries()) {
            let spent = 0;
            for (const [began, ended] of all.slice(at)) {
              expect(spent).toBeLessThanOrEqual((began - from) / of + ahead + 1e-6);
              spent += ended - began;
            }
          }
        },
      ),
    );
  });
});
