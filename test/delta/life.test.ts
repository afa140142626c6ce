import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  apply,
  type Delta,
  decode,
  diff,
  type Encoded,
  encode,
  encodeFull,
  invert,
  isEmpty,
  shortHash,
  squash,
  stats,
} from "../../src/delta/index.ts";
import { countTokens } from "../../src/tokens/index.ts";
import { growth, LINEAR } from "../growth.ts";
import { casesOf } from "../sample.ts";
import { countChars } from "./documents.ts";
import { EDITS, FIRST, LIFE } from "./living.ts";

const RUNS = { numRuns: 150 };

function must<T>(
  result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: unknown },
): T {
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
}

function message(
  old: string,
  next: string,
  from: number,
  to: number,
  delta: Delta = diff(old, next),
): Encoded {
  return must(encode(delta, old, next, { label: "GC", from, to, countTokens: countChars }));
}

/** The deltas from each version to the next. */
function stepsOf(versions: readonly string[]): Delta[] {
  return versions.slice(1).map((next, at) => diff(versions[at]!, next));
}

describe("the life of a document", () => {
  it("[D1] [U1] every step arrives exactly, as algebra and as a message", () => {
    fc.assert(
      fc.property(LIFE, versions => {
        for (const [at, delta] of stepsOf(versions).entries()) {
          const [old, next] = [versions[at]!, versions[at + 1]!];
          expect(apply(delta, old)).toEqual({ ok: true, value: next });
          const update = must(decode(message(old, next, at + 1, at + 2).text, old));
          expect(update.text).toBe(next);
          expect([update.proven, update.from, update.to]).toEqual([
            true,
            update.form === "full" ? update.from : at + 1,
            at + 2,
          ]);
          expect(update.hash).toBe(shortHash(next));
          expect(update.delta && apply(update.delta, old)).toEqual({ ok: true, value: next });
        }
      }),
      RUNS,
    );
  });

  it("[D3] all steps squashed are one, and one message bridges them", () => {
    fc.assert(
      fc.property(LIFE, versions => {
        const [first, last] = [versions[0]!, versions.at(-1)!];
        const steps = stepsOf(versions);
        if (steps.length === 0) return;
        const all = steps.reduce((one, other) => must(squash(one, other)));
        const fromTheRight = steps.reduceRight((later, one) => must(squash(one, later)));
        expect(apply(all, first)).toEqual({ ok: true, value: last });
        expect(apply(fromTheRight, first)).toEqual({ ok: true, value: last });
        expect([all.base, all.result]).toEqual([shortHash(first), shortHash(last)]);
        const bridge = message(first, last, 1, versions.length, all);
        expect(must(decode(bridge.text, first)).text).toBe(last);
      }),
      RUNS,
    );
  });

  it("[D2] the inverted steps, last first, lead back through every version", () => {
    fc.assert(
      fc.property(LIFE, versions => {
        const steps = stepsOf(versions);
        let text = versions.at(-1)!;
        for (let at = steps.length - 1; at >= 0; at--) {
          text = must(apply(invert(steps[at]!), text));
          expect(text).toBe(versions[at]);
        }
        const there = steps[0];
        const nothing = there === undefined || isEmpty(must(squash(there, invert(there))));
        expect(nothing).toBe(true);
      }),
      RUNS,
    );
  });

  it("[D5] [U10] no step is taken for another's: by any other version it is refused, with what it expected", () => {
    fc.assert(
      fc.property(LIFE, versions => {
        for (const [at, delta] of stepsOf(versions).entries()) {
          const { text, form } = message(versions[at]!, versions[at + 1]!, at + 1, at + 2);
          for (const other of versions) {
            if (other === versions[at]) continue;
            const applied = apply(delta, other);
            expect(applied.ok ? "applied" : applied.failure).toMatchObject({
              expected: shortHash(versions[at]!),
              found: shortHash(other),
            });
            const read = decode(text, other);
            // A whole document is for anyone; everything else is for its base.
            const outcome = read.ok ? read.value.text : read.failure.kind;
            expect(outcome).toBe(form === "full" ? versions[at + 1] : "base");
          }
        }
      }),
      { numRuns: casesOf(25, 60) },
    );
  });

  it("[U12] every step survives mail: trimmed, with other line ends, in the middle of nothing else", () => {
    fc.assert(
      fc.property(LIFE, versions => {
        for (let at = 1; at < versions.length; at++) {
          const [old, next] = [versions[at - 1]!, versions[at]!];
          const { text, form } = message(old, next, at, at + 1);
          const trimmed = decode(`\n\n${text.trim()}`, old);
          expect(trimmed.ok && trimmed.value.text).toBe(next);
          // A whole document may hold line ends of both kinds, which no conversion leaves apart.
          const converted = form === "full" ? text : text.replaceAll("\n", "\r\n");
          expect(must(decode(converted, old)).text).toBe(next);
        }
      }),
      { numRuns: casesOf(25, 80) },
    );
  });

  it("[U1] no message costs more than the whole document would", () => {
    fc.assert(
      fc.property(LIFE, versions => {
        for (let at = 1; at < versions.length; at++) {
          const { tokens, text } = message(versions[at - 1]!, versions[at]!, at, at + 1);
          expect(tokens.sent).toBe(countChars(text));
          expect(tokens.sent).toBeLessThanOrEqual(tokens.full);
          expect(tokens.sent).toBe(Math.min(tokens.delta, tokens.sections, tokens.full));
        }
      }),
      RUNS,
    );
  });

  it("[D8] counts as many lines as come and go", () => {
    fc.assert(
      fc.property(LIFE, versions => {
        for (const [at, delta] of stepsOf(versions).entries()) {
          const counted = stats(delta);
          const grown = versions[at + 1]!.split("\n").length - versions[at]!.split("\n").length;
          expect(counted.addedLines - counted.removedLines).toBe(grown);
          expect(counted.hunks).toBe(delta.hunks.length);
          expect(Object.values(counted.categories).reduce((sum, count) => sum + count, 0)).toBe(
            counted.hunks,
          );
        }
      }),
      RUNS,
    );
  });
});

describe("a whole document on its way", () => {
  const sent = (text: string): string =>
    must(encodeFull(text, { label: "GC", to: 2, countTokens: countChars })).text;

  it.each([
    "a",
    "a\n",
    "a\n\n",
    "a\n\n\n",
    "a\r\nb\r\n",
    "a\r\nb\r\n\r\n",
    "a\nb\r\n",
    "a\r\nb\n\n",
    "한국어\n\n",
  ])("[U12] %j is whole again after its message was trimmed, or got one more line end", text => {
    const message = sent(text);
    for (const arrived of [message, message.trim(), `${message}\n`, `\n${message}\r\n`])
      expect(must(decode(arrived, undefined)).text).toBe(text);
  });

  it.each(["a", "a\nb\n", "a\n\nb\n\n", "a\r\nb\r\n"])(
    "[U12] %j is whole again after every line end of its message was converted",
    text => {
      const message = sent(text);
      for (const arrived of [message.replaceAll("\n", "\r\n"), message.trim().replaceAll("\n", "\r\n")])
        expect(must(decode(arrived, undefined)).text).toBe(text);
    },
  );

  it.each(["a  ", "a\t\n ", "a\n\n\n\n\n"])(
    "[U12] [U10] %j cut at its end is refused, never taken for whole",
    text => {
      const message = sent(text);
      expect(must(decode(message, undefined)).text).toBe(text);
      expect(decode(message.trim(), undefined)).toMatchObject({ ok: false, failure: { kind: "result" } });
    },
  );

  it("[U12] [U10] is looked for in linear time where nothing fits", () => {
    const messageOf = (size: number) => sent(`${"line\r\nother\n".repeat(size)}end`).replace("end", "END");
    const read = (message: string) => decode(message, undefined);
    expect(read(messageOf(50_000))).toMatchObject({ ok: false, failure: { kind: "result" } });
    expect(growth(casesOf(12_500, 50_000), messageOf, read)).toBeLessThan(LINEAR);
  });
});

describe("what happens to a document", () => {
  // How many operations a reader meets; none of these is worth a paragraph.
  const SMALL: readonly (readonly [name: string, line: string])[] = [
    ["status", "- CHANGED §Status: Phase 1: COMPLETE → PENDING"],
    ["tick", "- CHANGED §Status: T2.1: [ ] → [x]"],
    ["reword", "- CHANGED §Decisions: Prices are integers in cents → Prices will be integers in cents"],
    ["answer", "- REMOVED §Questions.Q-1"],
  ];

  it.each(SMALL)("[U6] [U13] %s is one readable line", (name, line) => {
    // The header raises the version of the front matter by itself.
    const next = EDITS[name]!(FIRST, 0, 0).replace("version: 1", "version: 2");
    const made = must(encode(diff(FIRST, next), FIRST, next, { label: "GC", from: 1, to: 2, countTokens }));
    expect(made.text.split("\n").slice(2)).toEqual([line]);
    expect(made.tokens.sent).toBeLessThan(made.tokens.full / 4);
  });

  it.each(Object.keys(EDITS))(
    "[U1] %s, on every place where it can happen, is exact with real tokens",
    name => {
      const seen = new Set<string>();
      for (let pick = 0; pick < 12; pick++) {
        const next = EDITS[name]!(FIRST, pick, pick);
        if (next === FIRST || seen.has(next)) continue;
        seen.add(next);
        const made = must(
          encode(diff(FIRST, next), FIRST, next, { label: "GC", from: 1, to: 2, countTokens }),
        );
        expect(must(decode(made.text, FIRST)).text).toBe(next);
        expect(made.tokens.sent).toBeLessThanOrEqual(made.tokens.full);
      }
      // Nothing is ticked in the first version, and going back to it is no change.
      expect(seen.size > 0).toBe(name !== "untick" && name !== "again");
    },
  );
});
