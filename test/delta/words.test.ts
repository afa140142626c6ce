import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changedSpans } from "../../src/delta/message/spans.ts";
import { findWhole, isBoundary, words } from "../../src/delta/message/words.ts";

const TEXT = fc.oneof(
  fc.string({ unit: "binary" }).filter(text => text.isWellFormed()),
  fc.string({
    unit: fc.constantFrom(
      "a",
      "b",
      " ",
      "-",
      "_",
      "1",
      "é",
      "한",
      "漢",
      "カ",
      "か",
      "👍🏽",
      "\u0301",
      "\u200d",
    ),
  }),
);

function spliced(old: string, next: string, join: number): string {
  let result = "";
  let at = 0;
  for (const { from, to, nextFrom, nextTo } of changedSpans(old, next, join)) {
    result += old.slice(at, from) + next.slice(nextFrom, nextTo);
    at = to;
  }
  return result + old.slice(at);
}

describe("words", () => {
  it("[U6] are the text, cut at boundaries", () => {
    fc.assert(
      fc.property(TEXT, text => {
        expect(words(text).join("")).toBe(text);
        let at = 0;
        for (const word of words(text)) {
          expect(isBoundary(text, at)).toBe(true);
          at += word.length;
          for (let inside = 1; inside < word.length; inside++) {
            expect(isBoundary(text, at - word.length + inside)).toBe(false);
          }
        }
      }),
    );
  });

  it("[U6] never cut a character", () => {
    fc.assert(
      fc.property(TEXT, text => {
        for (const word of words(text)) expect(word.isWellFormed()).toBe(true);
      }),
    );
    expect(words("👍🏽 ok")).toEqual(["👍🏽", " ", "ok"]);
    expect(words("👩‍👩‍👧!")).toEqual(["👩‍👩‍👧", "!"]);
    expect(words("e\u0301tude")).toEqual(["e\u0301tude"]);
    expect(words("❤️x")).toEqual(["❤️", "x"]);
  });

  it("[U6] take up to sixteen marks to the character before them, and stand alone without one", () => {
    const marked = (marks: number): string => `a${"\u0301".repeat(marks)}b`;
    expect(words(marked(16))).toEqual([marked(16)]);
    expect(words(marked(17))).toEqual([marked(17).slice(0, -1), "b"]);
    expect(words("\u0301a")).toEqual(["\u0301", "a"]);
    expect(words("\u0301\u0302 a")).toEqual(["\u0301\u0302", " ", "a"]);
    expect(words(`.${"\u0301".repeat(3)}.`)).toEqual([`.${"\u0301".repeat(3)}.`]);
    expect(words(`.${"\u0301".repeat(3)}!`)).toEqual([`.${"\u0301".repeat(3)}`, "!"]);
  });

  it.each([
    ["a control character that is a blank", "a\tb\vc\rd", ["a", "\t", "b", "\v", "c", "\r", "d"]],
    [
      "what stands beside the digits and letters",
      "/09:@AZ[`az{_",
      ["/", "09", ":", "@", "AZ", "[", "`", "az", "{", "_"],
    ],
    ["no-break and ideographic blanks", "a\u00a0b\u3000c", ["a", "\u00a0", "b", "\u3000", "c"]],
    ["the first and last of Hangul", "가힣a", ["가힣", "a"]],
    ["the first and last of Hiragana, then Katakana", "ぁゟ゠ヿ", ["ぁゟ", "゠ヿ"]],
    ["ideographs, old and new", "㐀鿿𠀀a", ["㐀鿿𠀀", "a"]],
    ["letters of any other script", "éжя-ñ", ["éжя", "-", "ñ"]],
    ["an emoji with its skin, its selector, its family", "x👍🏻👍🏿❤️y", ["x", "👍🏻👍🏿", "❤️", "y"]],
    ["pairs beside others", "😀😁a𝒳", ["😀", "😁", "a𝒳"]],
  ])("[U6] tell apart %s", (_, text, cut) => {
    expect(words(text)).toEqual(cut);
  });

  it("[U6] follow scripts where no blank parts them", () => {
    expect(words("Phase 2: IN_PROGRESS")).toEqual(["Phase", " ", "2", ":", " ", "IN_PROGRESS"]);
    expect(words("완료됨 10개")).toEqual(["완료됨", " ", "10", "개"]);
    expect(words("日本語テストです")).toEqual(["日本語", "テスト", "です"]);
    expect(words("[██░░]")).toEqual(["[", "██", "░░", "]"]);
    expect(words("--flag")).toEqual(["--", "flag"]);
    expect(words("")).toEqual([]);
  });

  it("[U6] are found whole only", () => {
    expect(findWhole("one on", "on", 0)).toBe(4);
    expect(findWhole("(on)", "on", 0)).toBe(1);
    expect(findWhole("on on", "on", 1)).toBe(3);
    expect(findWhole("bone", "on", 0)).toBe(-1);
    expect(findWhole("x", "", 0)).toBe(-1);
    expect(findWhole("진행중입니다", "진행", 0)).toBe(-1);
  });
});

describe("spans", () => {
  const lines = fc
    .array(fc.constantFrom("foo", "bar", " ", " ", "-", "2", ": ", "한글", "x"), { maxLength: 14 })
    .map(parts => parts.join(""));

  it("[U6] turn one line into the other, however they are joined", () => {
    fc.assert(
      fc.property(lines, lines, fc.constantFrom(0, 6, 24, Infinity), (old, next, join) => {
        expect(spliced(old, next, join)).toBe(next);
      }),
      { numRuns: 3_000 },
    );
  });

  it("[U6] have two sides without blanks at their edges, when the line allows it", () => {
    const sides = (old: string, next: string): [string, string][] =>
      changedSpans(old, next, 0).map(span => [
        old.slice(span.from, span.to),
        next.slice(span.nextFrom, span.nextTo),
      ]);
    expect(sides("a b c", "a x c")).toEqual([["b", "x"]]);
    expect(sides("a b c", "a c")).toEqual([["b c", "c"]]);
    expect(sides("a c", "a b c")).toEqual([["c", "b c"]]);
    expect(sides("Next: Plan Phase", "Next: Phase")).toEqual([["Plan Phase", "Phase"]]);
    expect(sides("a b", "a")).toEqual([["a b", "a"]]);
    expect(sides("one two three four", "1 two three 4")).toEqual([
      ["one", "1"],
      ["four", "4"],
    ]);
    expect(sides("same", "same")).toEqual([]);
  });

  it.each([
    ["see the one there.", "see the one there; look.", "there", "there; look"],
    ["there; look.", "there.", "there; look", "there"],
    ["each);", "each, in a line);", "each", "each, in a line"],
    ["other. Tasks", "other, which heeds. Tasks", "other", "other, which heeds"],
    ["run it", "then run it", "run", "then run"],
    ["(run) it", "(then run) it", "run", "then run"],
    ["one, two", "one two", "one,", "one"],
    ["- x", "- (new) x", "x", "(new) x"],
    ["a.b", "a.c.b", "b", "c.b"],
    ["x (y)", "x", "x (y)", "x"],
  ])(
    "[U13] of %j and %j take in the word beside what only comes or goes, not a mark",
    (old, next, from, to) => {
      expect(
        changedSpans(old, next, 0).map(span => [
          old.slice(span.from, span.to),
          next.slice(span.nextFrom, span.nextTo),
        ]),
      ).toEqual([[from, to]]);
    },
  );

  it("[U6] join over short unchanged stretches", () => {
    expect(changedSpans("1 of 3 done", "2 of 4 done", 0)).toHaveLength(2);
    expect(changedSpans("1 of 3 done", "2 of 4 done", 6)).toHaveLength(1);
    expect(changedSpans("1 and a long stretch of text 3", "2 and a long stretch of text 4", 6)).toHaveLength(
      2,
    );
    expect(
      changedSpans("1 and a long stretch of text 3", "2 and a long stretch of text 4", Infinity),
    ).toHaveLength(1);
  });
});
