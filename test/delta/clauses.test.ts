import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unreadable } from "../../bench/delta/readability.ts";
import { diff, encode } from "../../src/delta/index.ts";
import { clauses, isWhole } from "../../src/delta/message/clauses.ts";
import { cutsSentence, goesOn, withSentences } from "../../src/delta/message/sentences.ts";
import { cutsOf, wholeSpans } from "../../src/delta/message/spans.ts";
import { countTokens } from "../../src/tokens/index.ts";
import { casesOf } from "../sample.ts";

const MARKS = fc.constantFrom(
  ...'word,값이,12,3/4,(v1),(,),[x],[,],**,`,`a b`,|, | , ,  ,. ,: ,, ,。,、,→, → , - , -- ,",“,”,- ,> ,# ,🚧'.split(
    ",",
  ),
  ",",
);
const LINE = fc.array(MARKS, { maxLength: 24 }).map(parts => parts.join(""));

function spans(old: string, next: string): string[] {
  return wholeSpans(old, next, 0, cutsOf(old, clauses)).map(
    ({ from, to, nextFrom, nextTo }) => `${old.slice(from, to)} ⇒ ${next.slice(nextFrom, nextTo)}`,
  );
}

describe("clauses of a line", () => {
  it("[U13] are all of it", () => {
    fc.assert(
      fc.property(LINE, line => {
        expect(clauses(line).join("")).toBe(line);
      }),
      { numRuns: 3_000 },
    );
  });

  it("[U13] changed ones lead from one line to the other, in order and apart", () => {
    fc.assert(
      fc.property(LINE, LINE, (old, next) => {
        let made = "";
        let at = 0;
        for (const span of wholeSpans(old, next, 0, cutsOf(old, clauses))) {
          expect(span.from).toBeGreaterThanOrEqual(at);
          made += old.slice(at, span.from) + next.slice(span.nextFrom, span.nextTo);
          at = span.to;
        }
        expect(made + old.slice(at)).toBe(next);
      }),
      { numRuns: casesOf(750, 3_000) },
    );
  });

  it.each([
    [
      "- **Focus:** Phase 4 (Storage)",
      "- **Focus:** Phase 5 (Engine)",
      ["Phase 4 ⇒ Phase 5", "(Storage) ⇒ (Engine)"],
    ],
    ["Phase: 4 (Types)", "Phase: 4 (Types) -- COMPLETE", ["4 (Types) ⇒ 4 (Types) -- COMPLETE"]],
    ["| a | 🌱 **Start** | x |", "| a | **Start** | x |", ["🌱 **Start** ⇒ **Start**"]],
    [
      "1. ❌ **Never ask** first",
      "1. **Never ask** first",
      ["1. ❌ **Never ask** first ⇒ 1. **Never ask** first"],
    ],
    ["- `mode` {a, b}", "- `mode` {c}", ["{a, b} ⇒ {c}"]],
    [
      "Waits for T1, then for T2, then ends.",
      "Waits for T1, then for T3, then ends.",
      ["then for T2 ⇒ then for T3"],
    ],
  ])("[U13] %j → %j changes in whole ones", (old, next, expected) => {
    expect(spans(old, next)).toEqual(expected);
  });

  it("[U13] are whole between what ends them, with their marks in pairs", () => {
    const line = "- **Key:** first (a, b), second `c d` and more.";
    const whole = (text: string) => isWhole(line, line.indexOf(text), line.indexOf(text) + text.length);
    expect(["first (a, b)", "(a, b)", "`c d`", "second `c d` and more", "a"].map(whole)).toEqual(
      Array.from({ length: 5 }, () => true),
    );
    expect(["second", "and more", "second `c", "(a", "**Key"].map(whole)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe("sentences of a wrapped paragraph", () => {
  const LINES = [
    "The reloader looks at the file every minute and",
    "takes the new chain where it is valid. The old",
    "chain serves until then.",
    "",
    "- An item of a list that is long enough to be wrapped",
    "Last activity: today, and that is a line of its own",
  ];

  it("[U13] go on in words, not in items, keys and behind blank lines", () => {
    expect(LINES.map((line, at) => goesOn(LINES[at - 1], line))).toEqual([
      false,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it("[U13] give way as a whole", () => {
    const hunk = { at: 1, removed: [LINES[1]!], added: ["takes the new chain at once. The old"] };
    const whole = withSentences(LINES, hunk, { from: 0, to: 3 });
    expect(whole).toEqual({
      at: 0,
      removed: LINES.slice(0, 3),
      added: [LINES[0], hunk.added[0], LINES[2]],
    });
    expect([cutsSentence(LINES, hunk), cutsSentence(LINES, whole)]).toEqual([true, false]);
    expect(withSentences(LINES, hunk, { from: 1, to: 3 })).toBe(hunk);
  });
});

describe("the checker of the bench", () => {
  const DOCUMENT = `# Shop\n\n## Status\n\n- Phase: 4 (Storage and its migrations)\n- Focus: the store port, then the gate\n\n${"Text that stays as it is.\n\n".repeat(40)}`;
  const HEAD = "[CONTEXT-UPDATE] GC-v1→2\n\n## Delta\n";

  it("[U13] finds nothing in what the encoder writes of ordinary edits", () => {
    const next = DOCUMENT.replace("4 (Storage and its migrations)", "5 (Engine)").replace(
      "the gate",
      "the page",
    );
    const encoded = encode(diff(DOCUMENT, next), DOCUMENT, next, {
      label: "GC",
      from: 1,
      to: 2,
      countTokens,
    });
    expect(encoded.ok && unreadable(encoded.value.text, DOCUMENT)).toEqual([]);
  });

  it.each([
    ["- CHANGED §Status: Phase: Storage and → Engine and", "half an old side"],
    ["- CHANGED §Status: Focus: store port → whole", "half an old side"],
    ["- CHANGED §Status: L2: 4 (Storage and its migrations) → 5", "a line by its number"],
  ])("[U13] flags %s", (operation, reason) => {
    expect(unreadable(HEAD + operation, DOCUMENT)).toMatchObject([{ reason }]);
  });
});
