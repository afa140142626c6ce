import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decode, diff, encode, shortHash } from "../../src/delta/index.ts";
import { casesOf } from "../sample.ts";
import { countChars, PAIR } from "./documents.ts";

const BASE = `---
version: GC-v3
owner: lead
---
# Shop

## Status

- Phase 1: COMPLETE
- Phase 2: IN_PROGRESS
- Updated: 2030-03-02, after the review

## Decisions

- **D-1:** Prices are integers in cents
- **D-2:** Orders are kept in one table

| file | owner |
|------|-------|
| src/a.ts | back |
| src/b.ts | front |

## Decisions

Of another year.
`;
const NEXT = BASE.replace("version: GC-v3", "version: GC-v4")
  .replace("IN_PROGRESS", "COMPLETE")
  .replace("2030-03-02, after the review", "2030-03-05, after the gate")
  .replace("one table\n", "one table\n- **D-3:** Mails go out through a queue\n")
  .replace("| src/b.ts | front |\n", "")
  .replace("Of another year.", "Of another year and place.");

function messageOf(base: string, next: string): string {
  const made = encode(diff(base, next), base, next, { label: "GC", from: 3, to: 4, countTokens: countChars });
  if (!made.ok) throw new Error(made.failure.message);
  return made.value.text;
}

/**
 * Whether a message is refused, leads to exactly what it was made for, or says that nothing proves it, as older forms do:
 * there is nothing in between.
 */
function isWhole(text: string, base: string, next: string): boolean {
  const read = decode(text, base);
  return !read.ok || !read.value.proven || read.value.text === next;
}

const MESSAGE = messageOf(BASE, NEXT);
const LINES = MESSAGE.split("\n");

describe("a message that was changed on its way", () => {
  it("is one of several operations, or the test would say nothing", () => {
    expect(decode(MESSAGE, BASE)).toMatchObject({ ok: true, value: { text: NEXT, proven: true } });
    expect(LINES.filter(line => line.startsWith("- ")).length).toBeGreaterThan(3);
  });

  it("[U10] without any one of its lines is refused or as good as whole", () => {
    for (let at = 0; at < LINES.length; at++) {
      const text = LINES.toSpliced(at, 1).join("\n");
      expect({ without: LINES[at], whole: isWhole(text, BASE, NEXT) }).toMatchObject({ whole: true });
    }
  });

  it("[U10] with any one of its lines twice, or two of them exchanged, likewise", () => {
    for (let at = 0; at < LINES.length; at++) {
      expect(isWhole(LINES.toSpliced(at, 0, LINES[at]!).join("\n"), BASE, NEXT)).toBe(true);
      const swapped = [...LINES];
      [swapped[at], swapped[at + 1]] = [swapped[at + 1] ?? "", swapped[at]!];
      expect(isWhole(swapped.join("\n"), BASE, NEXT)).toBe(true);
    }
  });

  it("[U10] with any one character exchanged, likewise", () => {
    for (let at = 0; at < MESSAGE.length; at++) {
      for (const other of ["x", " ", "\n", "→", "0"]) {
        if (MESSAGE[at] === other) continue;
        const text = MESSAGE.slice(0, at) + other + MESSAGE.slice(at + 1);
        expect({ at, other, whole: isWhole(text, BASE, NEXT) }).toMatchObject({ whole: true });
      }
    }
  });

  it("[U10] with its header's versions, label or hashes forged carries the same text or none", () => {
    const head = LINES[0]!;
    for (const forged of [
      head.replace("GC-v3", "GC-v2"),
      head.replace("GC-v4", "GC-v9"),
      head.replaceAll("GC-", "API-"),
      head.replace(/[0-9a-f]{4}→/, "ffff→"),
      head.replace(/→[0-9a-f]{6}$/, "→ffffff"),
      head.replace(/ [0-9a-f]{4}→[0-9a-f]{6}$/, ""),
      `${head} CRLF`,
      `${head} LF`,
      head.replace("[CONTEXT-UPDATE]", "[context-update]"),
    ]) {
      const text = [forged, ...LINES.slice(1)].join("\n");
      const read = decode(text, BASE);
      // Without a hash an older form is read: its outcome may differ, and says that nothing proves it.
      const honest = !read.ok || read.value.text === NEXT || !read.value.proven;
      expect({ forged, honest }).toMatchObject({ honest: true });
    }
  });

  it("[U10] is never proven by a hash that a stranger made up for the text it leads to, on another base", () => {
    const other = BASE.replace("COMPLETE", "COMPLETE ");
    const text = MESSAGE.replace(/→[0-9a-f]{6}/, `→${shortHash(NEXT).slice(0, 6)}`);
    expect(decode(text, other)).toMatchObject({ ok: false, failure: { kind: "base" } });
    const rebased = text.replace(/[0-9a-f]{4}→/, `${shortHash(other).slice(0, 4)}→`);
    expect(isWhole(rebased, other, NEXT)).toBe(true);
  });

  it("[U10] of any two documents, cut or mixed with another message, is never carried out in part", () => {
    fc.assert(
      fc.property(PAIR, PAIR, fc.nat(), fc.nat(), ([base, next], [, otherNext], cut, mix) => {
        const mine = messageOf(base, next).split("\n");
        const theirs = messageOf(base, otherNext).split("\n");
        const mixed = [...mine.slice(0, cut % mine.length), ...theirs.slice(mix % theirs.length)].join("\n");
        const read = decode(mixed, base);
        const known = new Set([next, otherNext, base]);
        expect(!read.ok || !read.value.proven || known.has(read.value.text)).toBe(true);
      }),
      { numRuns: casesOf(50, 200) },
    );
  });
});

describe("names that a stranger chose", () => {
  it.each([
    "Status\u0000",
    "Status\u001b[31m",
    "Status\u202e",
    "Status → Done",
    "Status: x",
    "a | b",
    "#2",
    "^",
    "L7",
    '"quoted"',
    "§Status",
    "x".repeat(5_000),
    "__proto__",
    "(3 lines)",
    "Rest from Status",
  ])("[U4] a section called %j is named so that only it is meant", title => {
    const old = `# A\n\n## ${title}\n\n- one: 1\n\n## Other\n\n- one: 1\n`;
    const next = old.replace("- one: 1", "- one: 2");
    const read = decode(messageOf(old, next), old);
    expect(read).toMatchObject({ ok: true, value: { text: next, proven: true } });
    expect(
      messageOf(old, next)
        .split("\n")
        .every(line => !line.includes("\u0000")),
    ).toBe(true);
  });

  it.each([
    "→",
    " | ",
    '"',
    "\\",
    "§",
    "…",
    ": ",
    "- ADDED x",
    "## Impact Assessment",
    "\t",
    "\u00a0",
    "\u2028",
  ])("[U6] values with %j in them change exactly", mark => {
    const old = `# A\n\n- key: before${mark}after\n- other: ${mark}\n`;
    for (const next of [
      old.replace("before", "behind"),
      old.replace("after", `${mark}${mark}`),
      old.replace(`- other: ${mark}\n`, ""),
      old.replace("- other", `- third: ${mark}x\n- other`),
    ])
      expect(decode(messageOf(old, next), old)).toMatchObject({ ok: true, value: { text: next } });
  });

  it.each(["a b", "", "GC\n", "GC\u0007", "-GC", ".GC", "x".repeat(65), "G/C", "GC@1", "GC→"])(
    "[U2] a label %j is refused by the encoder and read from no header",
    label => {
      const made = encode(diff("a", "b"), "a", "b", { label, from: 1, to: 2, countTokens: countChars });
      expect(made).toMatchObject({ ok: false, failure: { kind: "label" } });
      const read = decode(`[CONTEXT-UPDATE] ${label}-v1 → ${label}-v2\n\n## Delta\n- CHANGED a → b`, "a");
      expect(read.ok).toBe(false);
    },
  );
});
