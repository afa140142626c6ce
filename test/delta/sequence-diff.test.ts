import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffStrings } from "../../src/delta/intern.ts";
import { linesBetween, numberLines } from "../../src/delta/line-table.ts";
import { type Edit, myers } from "../../src/delta/myers.ts";
import { diffSequences } from "../../src/delta/patience.ts";
import { growth, LINEAR } from "../growth.ts";
import { casesOf, itWhole } from "../sample.ts";

const letters = (text: string): Uint32Array => Uint32Array.from(text, letter => letter.charCodeAt(0));
const itemsOf = (most: number, kinds: number): fc.Arbitrary<number[]> =>
  fc.array(fc.nat(kinds - 1), { maxLength: most });

/** The length of the longest common subsequence, by the plain table. */
function commonLength(old: ArrayLike<number>, next: ArrayLike<number>): number {
  let row = Array.from<number>({ length: next.length + 1 }).fill(0);
  for (const item of Array.from(old)) {
    const above = row;
    row = [0];
    for (let at = 0; at < next.length; at++)
      row.push(item === next[at] ? above[at]! + 1 : Math.max(row[at]!, above[at + 1]!));
  }
  return row.at(-1)!;
}

/** The new sequence, put together from the old one and the edits. */
function rebuilt<T>(old: readonly T[], next: readonly T[], edits: readonly Edit[]): T[] {
  const result: T[] = [];
  let at = 0;
  for (const { a, aEnd, b, bEnd } of edits) {
    result.push(...old.slice(at, a), ...next.slice(b, bEnd));
    at = aEnd;
  }
  return [...result, ...old.slice(at)];
}

/** What a difference leaves where it is. */
function kept(old: readonly number[], next: readonly number[]): number {
  const edits = diffSequences(Uint32Array.from(old), Uint32Array.from(next));
  expect(rebuilt(old, next, edits)).toEqual(next);
  return old.length - edits.reduce((sum, { a, aEnd }) => sum + aEnd - a, 0);
}

/** The numbers below a size in any order. */
const shuffled = (size: number): fc.Arbitrary<number[]> =>
  fc.shuffledSubarray(
    Array.from({ length: size }, (_, at) => at),
    { minLength: size },
  );

/** Two lists of which some items stand in both, and some of those once. */
const PAIR = fc
  .integer({ min: 2, max: 250 })
  .chain(kinds => fc.tuple(itemsOf(200, kinds), itemsOf(200, kinds)));

/** What stands once in a list, and once in another one. */
function once(items: readonly number[], others: readonly number[]): number[] {
  const counts = (list: readonly number[]) => Map.groupBy(list, item => item);
  const [here, there] = [counts(items), counts(others)];
  return items.filter(item => here.get(item)?.length === 1 && there.get(item)?.length === 1);
}

describe("differences of sequences", () => {
  it("[D1] [D6] edits lead from the old to the new one, in order, and leave something between them", () => {
    fc.assert(
      fc.property(PAIR, ([old, next]) => {
        const edits = diffSequences(Uint32Array.from(old), Uint32Array.from(next));
        expect(rebuilt(old, next, edits)).toEqual(next);
        let last = { aEnd: -1, bEnd: -1 };
        for (const edit of edits) {
          expect(edit.a).toBeGreaterThan(last.aEnd);
          expect(edit.a - last.aEnd).toBe(edit.b - last.bEnd);
          expect(edit.aEnd + edit.bEnd).toBeGreaterThan(edit.a + edit.b);
          last = edit;
        }
      }),
      { numRuns: casesOf(750, 3_000) },
    );
  });

  it.each([
    ["", "", 0],
    ["abc", "abc", 0],
    ["abc", "", 1],
    ["", "abc", 1],
    ["abcabba", "cbabac", 4],
    ["xaxbxc", "abc", 3],
    ["aaaa", "aa", 1],
    ["abcdef", "abXdef", 1],
  ])("[D1] %j to %j takes at most %i edits", (old, next, most) => {
    const edits = diffSequences(letters(old), letters(next));
    expect(edits.length).toBeLessThanOrEqual(most);
    expect(rebuilt(old.split(""), next.split(""), edits).join("")).toBe(next);
  });

  it("[D11] between common ends, 64 items of both sides together keep whatever can stay", () => {
    const pair = fc
      .integer({ min: 1, max: 40 })
      .chain(kinds => fc.tuple(itemsOf(32, kinds), itemsOf(32, kinds)));
    fc.assert(
      fc.property(pair, fc.nat(20), ([old, next], same) => {
        const ends = Array.from({ length: same }, (_, at) => 100 + at);
        const [one, other] = [
          [...ends, ...old, ...ends],
          [...ends, ...next, ...ends],
        ];
        expect(kept(one, other)).toBe(2 * same + commonLength(old, next));
      }),
      { numRuns: 2_000 },
    );
  });

  it("[D11] any number of items of which none stands once keeps whatever can stay, where up to 200 differ", () => {
    const edit = fc.tuple(fc.nat(299), fc.nat(2), itemsOf(2, 6));
    fc.assert(
      fc.property(itemsOf(300, 6), fc.array(edit, { maxLength: 50 }), (noise, edits) => {
        const old = [...noise, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5];
        const next = [...old];
        for (const [at, gone, come] of edits) next.splice(at, gone, ...come);
        expect(kept(old, next)).toBe(commonLength(old, next));
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    [25, 6],
    [26, 1],
  ])(
    "[D11] six that stand twice outweigh one landmark among 64 items, not among more: %i others",
    (others, stay) => {
      const noise = (from: number) => Array.from({ length: others }, (_, at) => from + at);
      const pairs = [1, 1, 2, 2, 3, 3];
      const [old, next] = [
        [...pairs, ...noise(100), 9],
        [9, ...noise(200), ...pairs],
      ];
      expect([kept(old, next), kept(next, old)]).toEqual([stay, stay]);
    },
  );

  it.each([1, 20, 60, 98])(
    "[D11] %i that give way to as many others cost nothing of what stands behind them",
    size => {
      // Each twice, so that nothing is a landmark; two at the end, so that no common end is cut off. 98 + 98 + 4 is 200.
      const noise = (from: number, count: number) =>
        Array.from({ length: count }, (_, at) => from + (at >> 1));
      const common = Array.from({ length: 120 }, (_, at) => at % 6);
      const side = (from: number) => [...noise(from, size), ...common, ...noise(from + 500, 2)];
      expect([kept(side(1_000), side(2_000)), kept(side(2_000), side(1_000))]).toEqual([120, 120]);
    },
  );

  it("[D11] of items that stand once on both sides as many stay as can in one order, however many move", () => {
    fc.assert(
      fc.property(shuffled(300), shuffled(300), (old, next) => {
        expect(kept(old, next)).toBe(commonLength(old, next));
      }),
      { numRuns: 40 },
    );
  });

  it("[D11] nor are they fewer where other items stand several times, or on one side only", () => {
    fc.assert(
      fc.property(PAIR, ([old, next]) => {
        expect(kept(old, next)).toBeGreaterThanOrEqual(commonLength(once(old, next), once(next, old)));
      }),
      { numRuns: 200 },
    );
    const noise = (from: number, size: number) => Array.from({ length: size }, (_, at) => from + at);
    const [early, late] = [
      [7, ...noise(1_000, 100)],
      [...noise(2_000, 250), 7, ...noise(3_000, 50)],
    ];
    expect([kept(early, late), kept(late, early)]).toEqual([1, 1]);
    // What stands twice on one side is no landmark, however much of it there is: the five that are stay.
    const [five, ten] = [noise(10, 5), noise(100, 10)];
    const twice = [...ten, ...ten, ...noise(1_000, 60), ...five];
    const single = [...noise(2_000, 60), ...five, ...ten, ...noise(3_000, 5)];
    expect([kept(twice, single), kept(single, twice)]).toEqual([5, 5]);
    // Nor does it part what stands before it from what it belongs to.
    const block = noise(200, 24).map(at => at >> 1);
    const [plain, doubled] = [
      [...noise(1_000, 20), ...block, 9, ...five, 8],
      [...noise(2_000, 20), ...block, 9, 9, ...five, 7],
    ];
    expect([kept(plain, doubled), kept(doubled, plain)]).toEqual([30, 30]);
  });

  it("[D11] between those, what stands once stays likewise, though it stands elsewhere as well", () => {
    const section = fc.tuple(shuffled(150), shuffled(150));
    fc.assert(
      fc.property(section, section, section, (...sections) => {
        const [old, next] = [0, 1].map(side => sections.flatMap((pair, at) => [1000 + at, ...pair[side]!]));
        const most = sections.reduce((sum, [one, other]) => sum + 1 + commonLength(one, other), 0);
        expect(kept(old!, next!)).toBe(most);
      }),
      { numRuns: 20 },
    );
  });

  it("[D11] what moved past many others is what goes and comes, not they", () => {
    const rest = Array.from({ length: 80 }, (_, at) => at);
    const moved = [1000, 1001, 1002, 1003, 1004];
    expect(
      diffSequences(Uint32Array.from([...moved, ...rest]), Uint32Array.from([...rest, ...moved])),
    ).toEqual([
      { a: 0, aEnd: 5, b: 0, bEnd: 0 },
      { a: 85, aEnd: 85, b: 80, bEnd: 85 },
    ]);
  });

  it.each([
    ["abc", "abxbc", 2, "xb"],
    ["aab", "aaab", 2, "a"],
    ["{}", "{}{}", 2, "{}"],
    ["f{}g{}", "f{}h{}g{}", 3, "h{}"],
  ])("[D11] from %j to %j one run comes, as low as it can; back, it goes", (old, next, at, run) => {
    const end = at + run.length;
    expect(diffStrings(old.split(""), next.split(""))).toEqual([{ a: at, aEnd: at, b: at, bEnd: end }]);
    expect(diffStrings(next.split(""), old.split(""))).toEqual([{ a: at, aEnd: end, b: at, bEnd: at }]);
  });

  it("[D11] where more than 200 differ and nothing stands once, most of what can stay does", () => {
    const old = Array.from({ length: 3_000 }, (_, at) => (at * 7919) % 13);
    const next = Array.from({ length: 3_000 }, (_, at) => (at * 104_729) % 17);
    const most = commonLength(old, next);
    for (const count of [kept(old, next), kept(next, old)]) expect(count).toBeGreaterThan(most / 2);
  });

  it("[D11] Myers matches equal items, each once, as many as there are in common", () => {
    fc.assert(
      fc.property(itemsOf(60, 6), itemsOf(60, 6), (old, next) => {
        const pairs: [number, number][] = [];
        const range = { a: 0, aEnd: old.length, b: 0, bEnd: next.length };
        myers(Uint32Array.from(old), Uint32Array.from(next), range, (a, b) => pairs.push([a, b]));
        expect(pairs).toHaveLength(commonLength(old, next));
        pairs.sort(([one], [other]) => one - other);
        for (const [at, [a, b]] of pairs.entries()) {
          expect(old[a]).toBe(next[b]);
          const before = pairs[at - 1];
          expect(before === undefined || (a > before[0] && b > before[1])).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  itWhole("[D7] sequences that have nothing or everything in common take linear time", () => {
    const long = (size: number, numberAt: (at: number) => number): Uint32Array =>
      Uint32Array.from({ length: size }, (_, at) => numberAt(at));
    const pairs: Record<string, (size: number) => [Uint32Array, Uint32Array]> = {
      nothing: size => [long(size, at => 2 * at), long(size, at => 2 * at + 1)],
      reversed: size => [long(size, at => at), long(size, at => size - at)],
      "two numbers": size => [long(size, () => 7), long(size, () => 8)],
      rhythms: size => [long(size, at => at % 2), long(size, at => at % 3)],
    };
    for (const pairOf of Object.values(pairs))
      expect(growth(10_000, pairOf, pair => diffSequences(...pair))).toBeLessThan(LINEAR);
  });

  it("[D1] lists of strings are compared as their numbers are", () => {
    fc.assert(
      fc.property(itemsOf(60, 6), itemsOf(60, 6), (old, next) => {
        const words = (items: readonly number[]): string[] => items.map(item => `word ${item}`);
        const edits = diffStrings(words(old), words(next));
        expect(edits).toEqual(diffSequences(Uint32Array.from(old), Uint32Array.from(next)));
      }),
    );
    expect(diffStrings(["__proto__", "constructor"], ["constructor", "__proto__"])).toHaveLength(2);
  });
});

describe("lines without a string for each", () => {
  it("[D1] equal lines have equal numbers, in both documents, and come back as they were", () => {
    const line = fc.oneof(
      fc.constantFrom("", "a", "b", "\r", "\0", "한국어", "😀"),
      fc.string({ maxLength: 4 }),
    );
    const text = fc.array(line, { maxLength: 30 }).map(lines => lines.join("\n"));
    fc.assert(
      fc.property(text, text, (old, next) => {
        const numbered = numberLines(old, next);
        expect(numbered).toBeDefined();
        const all = [...old.split("\n"), ...next.split("\n")];
        const numbers = [...numbered!.old.numbers, ...numbered!.next.numbers];
        expect(numbers).toHaveLength(all.length);
        const byNumber = new Map(numbers.map((number, at) => [number, all[at]]));
        expect(new Set(byNumber.values()).size).toBe(byNumber.size);
        for (const [at, number] of numbers.entries()) expect(byNumber.get(number)).toBe(all[at]);
        expect(linesBetween(numbered!.old, 0, numbered!.old.numbers.length)).toEqual(old.split("\n"));
      }),
      { numRuns: 400 },
    );
  });

  it.each([
    ["- item bp2oaj done", "- item zl71t8 done"],
    ["- item 1y0f8q9 done", "- item 70uxtn done"],
  ])("[D7] %j and %j are two lines, though they fall into one place of the table", (one, other) => {
    const numbered = numberLines(`${one}\n${other}\n${one}`, `${other}x\n${other}`)!;
    expect([...numbered.old.numbers]).toEqual([0, 1, 0]);
    expect([...numbered.next.numbers]).toEqual([2, 1]);
  });

  it.each([
    ["", ""],
    ["\n", ""],
    ["a", "a\n"],
    ["\n\n\n", "\n"],
    ["a\r\n", "a\n"],
  ])("[D1] %j and %j are cut where they break", (old, next) => {
    const numbered = numberLines(old, next)!;
    expect(linesBetween(numbered.old, 0, numbered.old.numbers.length).join("\n")).toBe(old);
    expect(linesBetween(numbered.next, 0, numbered.next.numbers.length).join("\n")).toBe(next);
  });
});
