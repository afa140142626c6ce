import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inOtherWords, joined, type Phrases } from "../../src/text/index.ts";

const PHRASES: Phrases = [
  ["{0} of {1} done", "von {1} sind {0} fertig"],
  ["failed: {0}", "gescheitert: {0}"],
  ["stopped", "angehalten"],
  ["set: {0} { use: auto }", "gesetzt: { use: auto } {0}"],
];

describe("phrases", () => {
  it.each([
    ["2 of 3 done", "von 3 sind 2 fertig"],
    ["failed: T1, T2", "gescheitert: T1, T2"],
    ["stopped", "angehalten"],
    ["failed: a; stopped", "gescheitert: a; stopped"],
    ["set: x { use: auto }", "gesetzt: { use: auto } x"],
    // What stands in a hole is nobody's phrase and no hole.
    ["failed: {0} {1} stopped", "gescheitert: {0} {1} stopped"],
    ["failed: $& $1 $$", "gescheitert: $& $1 $$"],
    [" of  done", "von  sind  fertig"],
  ])("[M7] says %j with what stands in its holes", (english, told) => {
    expect(inOtherWords(english, PHRASES)).toBe(told);
  });

  it.each([
    "",
    "stopped early",
    "stopped; failed: x",
    "an agent stopped; stopped",
    "it failed: x",
    "2 of 3",
    " of done",
    "done of 2",
    "set: { use: auto",
  ])("[M7] leaves %j as it is, which is no phrase", text => {
    expect(inOtherWords(text, PHRASES)).toBe(text);
  });

  it("[M7] finds what was put into the holes again, whatever it is", () => {
    const foreign = fc.string({ maxLength: 30 });
    fc.assert(
      fc.property(foreign, foreign, (before, after) => {
        fc.pre(!`${before}${after}`.includes(" of ") && !before.endsWith(" of"));
        const told = inOtherWords(`${before} of ${after} done`, PHRASES);
        expect(told).toBe(`von ${after} sind ${before} fertig`);
      }),
    );
  });

  it("[M7] joins two sentences to one, each with its own holes", () => {
    const both = joined(["{0} of {1} done", "von {1} sind {0} fertig"], ["failed: {0}", "gescheitert: {0}"]);
    expect(both).toEqual(["{0} of {1} done; failed: {2}", "von {1} sind {0} fertig; gescheitert: {2}"]);
    expect(inOtherWords("2 of 3 done; failed: a; b", [both])).toBe("von 3 sind 2 fertig; gescheitert: a; b");
  });

  it("[M7] says the first phrase that fits", () => {
    const two: Phrases = [
      ["left: {0} (of {1})", "{1}/{0}"],
      ["left: {0}", "{0}"],
    ];
    expect(inOtherWords("left: a (of b)", two)).toBe("b/a");
    expect(inOtherWords("left: a", two)).toBe("a");
  });
});
