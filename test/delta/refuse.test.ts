import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DecodeFailure, decode, diff, encode, shortHash } from "../../src/delta/index.ts";
import { growth, LINEAR } from "../growth.ts";
import { itWhole, sampleOf } from "../sample.ts";
import { countChars, DOCUMENT } from "./documents.ts";

const BASE = `# Context

- a: one
- b: two
- b: two

## Status

- Phase 1: COMPLETE
- Phase 2: PENDING

## Status

other
${"filler\n".repeat(30)}`;

function refusal(text: string, base: string | undefined = BASE): DecodeFailure | string {
  const result = decode(text, base);
  return result.ok ? "carried out" : result.failure;
}

/** A message with these operations and no hashes: nothing but the operations decides. */
function message(...operations: string[]): string {
  return ["[CONTEXT-UPDATE] GC-v3 → GC-v4", "", "## Delta", ...operations].join("\n");
}

function sent(next: string): string {
  const result = encode(diff(BASE, next), BASE, next, {
    label: "GC",
    from: 3,
    to: 4,
    countTokens: countChars,
  });
  if (!result.ok) throw new Error(result.failure.message);
  return result.value.text;
}

const SENT = sent(BASE.replace("PENDING", "COMPLETE").replace("one", "1").replace("other", "other\nmore"));

describe("a message for another document, or tampered with", () => {
  it("[U10] names both bases", () => {
    const other = `${BASE}x`;
    expect(refusal(SENT, other)).toMatchObject({
      kind: "base",
      expected: shortHash(BASE).slice(0, 4),
      found: shortHash(other),
    });
    expect(decode(SENT, undefined)).toMatchObject({ ok: false, failure: { kind: "no-base" } });
  });

  it("[U10] refuses every truncation, at any character", () => {
    for (let end = 0; end < SENT.trimEnd().length; end++) {
      const result = decode(SENT.slice(0, end), BASE);
      // What the header alone still proves is the base's hash; a result is never taken on trust.
      expect(result.ok).toBe(false);
    }
  });

  it("[U10] refuses edits by hand", () => {
    expect(refusal(SENT.replace("→ COMPLETE", "→ DONE"))).toMatchObject({ kind: "result" });
    expect(refusal(SENT.replace("more", "less"))).toMatchObject({ kind: "result" });
    expect(refusal(`${SENT}\nmore lines`)).toMatchObject({ kind: "syntax" });
    expect(refusal(SENT.replace("\n\n", "\n\n- REMOVED a\n"))).not.toBe("carried out");
  });

  it("[U10] refuses forged hashes", () => {
    const [base, result] = /[0-9a-f]{4}→[0-9a-f]{6}/.exec(SENT)![0].split("→") as [string, string];
    expect(refusal(SENT.replace(`→${result}`, "→000000"))).toMatchObject({
      kind: "result",
      expected: "000000",
    });
    expect(refusal(SENT.replace(`${base}→`, "0000→"))).toMatchObject({ kind: "base", expected: "0000" });
    expect(refusal(SENT.replace(`${base}→`, "zzzz→"))).toMatchObject({ kind: "not-an-update" });
  });
});

describe("operations that cannot be carried out", () => {
  const cases: readonly [DecodeFailure["kind"], string, ...string[]][] = [
    ["unresolved", "a section that does not exist", "- CHANGED §Nowhere: a → b"],
    ["unresolved", "a section of which there are two", "- CHANGED §Status: COMPLETE → DONE"],
    ["unresolved", "a third of two", "- REMOVED §Status#3"],
    ["unresolved", "words that do not stand there", "- CHANGED §Status#1: MISSING → DONE"],
    ["unresolved", "words that stand twice", "- CHANGED two → 2"],
    ["unresolved", "a key of two lines", "- REMOVED b"],
    ["unresolved", "a line beyond the end", "- REMOVED L999"],
    ["unresolved", "a range beyond the end", "- REMOVED a (999 lines)"],
    ["unresolved", "a change without an arrow", "- CHANGED a: one"],
    ["unresolved", "half of a quoted change", '- CHANGED a: "one → two'],
    ["unresolved", "a part of a word", "- CHANGED on → off"],
    ["unresolved", "an empty new side", "- CHANGED a: one → "],
    ["unresolved", "an addition behind a line that is not there", "- ADDED after z: x"],
    ["unresolved", "a replacement from a line that is not there", "- REPLACED from z: x"],
    ["unresolved", "a replacement beyond the end", "- REPLACED from a (999 lines):", "x"],
    ["unresolved", "an addition to an item", "- ADDED §Context.a: x"],
    ["unresolved", "what is no range", "- REMOVED a (x lines)"],
    ["claimed-twice", "one value twice", "- CHANGED a: one → 1", "- CHANGED a: one → 2"],
    ["claimed-twice", "a changed line removed", "- CHANGED a: one → 1", "- REMOVED a"],
    ["claimed-twice", "two removals that overlap", "- REMOVED a (2 lines)", "- REMOVED L3"],
    ["claimed-twice", "two additions in one place", "- ADDED after a: x", "- ADDED after a: y"],
    ["claimed-twice", "a section and a line of it", "- REMOVED §Status#1", "- REMOVED Phase 1"],
    ["syntax", "text before operations", "hello", "- REMOVED a"],
    ["syntax", "an unknown operation", "- TURNED a"],
    ["syntax", "a move of nothing", "- MOVED"],
    ["unresolved", "a move to nowhere", "- MOVED a"],
    ["syntax", "a paragraph without a width", "- REWRAPPED from a (2 lines)"],
    ["syntax", "an addition of nothing", "- ADDED"],
    ["syntax", "a place of the wrong kind", "- REPLACED after a: x"],
    ["syntax", "text below an addition that has its text", "- ADDED: x", "y"],
    ["syntax", "a line quoted badly", "- ADDED:", '\\"unfinished'],
    ["syntax", "a line quoted badly among others", "- REPLACED §Status#1:", "x", '\\"unfinished'],
    ["syntax", "an addition from somewhere", "- ADDED from a: x"],
    ["syntax", "a replacement before something", "- REPLACED before a: x"],
    ["syntax", "a change of nothing", "- CHANGED §Status#1:", "", " "],
    ["syntax", "the whole document removed", "- REMOVED §^"],
    ["needs-section", "a section replaced by nothing", "- REPLACED §Status#1"],
  ];

  it.each(cases)("[U10] %s: %s", (kind, _what, ...operations) => {
    const base = kind === "syntax" && operations[0] === "- REMOVED §^" ? `intro\n\n${BASE}` : BASE;
    expect(refusal(message(...operations), base)).toMatchObject({ kind });
  });

  it("[U9] blank lines before operations and below a text of its own say nothing", () => {
    const plain = decode(message("- ADDED after a: x", "- REMOVED §Status#2"), BASE);
    expect(plain.ok && plain.value.text.split("\n").slice(2, 5)).toEqual(["- a: one", "- x", "- b: two"]);
    for (const blank of ["", "  ", "\t"]) {
      const spaced = message(blank, "- ADDED after a: x", blank, "- REMOVED §Status#2", blank);
      expect(decode(spaced, BASE)).toEqual(plain);
    }
  });

  it("[U10] one bad operation of many stops all of them", () => {
    const good = Array.from({ length: 20 }, () => "- REMOVED a");
    expect(refusal(message("- CHANGED a: one → 1", "- CHANGED §Nowhere: a → b"))).toMatchObject({
      kind: "unresolved",
      message: expect.stringContaining("§Nowhere") as unknown,
    });
    expect(refusal(message(...good))).toMatchObject({ kind: "claimed-twice" });
  });

  it("[U3] the order of operations plays no part", () => {
    const operations = [
      "- CHANGED §Context: a: one → 1",
      "- ADDED §Status#1: Phase 3: PENDING",
      "- REMOVED §Status#2",
    ];
    const forward = decode(message(...operations), BASE);
    const backward = decode(message(...operations.toReversed()), BASE);
    expect(forward.ok).toBe(true);
    expect(backward).toEqual(forward);
  });
});

describe("limits", () => {
  it("[U10] refuses what is too large, saying how large", () => {
    const limits = { message: 1_000, document: 1_000, items: 10 };
    expect(decode("x".repeat(1_001), BASE, limits)).toMatchObject({
      failure: { kind: "limit", expected: "1000", found: "1001" },
    });
    expect(decode(SENT, "x".repeat(1_001), limits)).toMatchObject({ failure: { kind: "limit" } });
    const many = message(...Array.from({ length: 11 }, (_, at) => `- REMOVED L${at}`));
    expect(decode(many, BASE, { ...limits, message: 1e6 })).toMatchObject({ failure: { kind: "limit" } });
  });

  type Sent = readonly [text: string, base: string];
  const items = (count: number) => Array.from({ length: count }, (_, at) => `- item ${at}: value`).join("\n");
  const operations = (count: number, made: (at: number) => string) =>
    message(...Array.from({ length: count }, (_, at) => made(at)));

  it.each(
    sampleOf<[string, (size: number) => Sent, string]>(
      [
        [
          "operations",
          size => [operations(size, at => `- CHANGED item ${at}: value → other`), items(size)],
          "limit",
        ],
        [
          "operations on nothing",
          size => [operations(0.4 * size, at => `- CHANGED ${at}: value → ${at}: other`), items(size)],
          "unresolved",
        ],
        ["one line", size => [message(`- ADDED: ${"x".repeat(300 * size)}`), "a"], "carried out"],
        ["lines", size => [message(`- ADDED:\n${"y\n".repeat(50 * size)}`), "a"], "carried out"],
      ],
      1,
      2,
    ),
  )("[U10] answers a message of %s without end in linear time", (_, sentOf, answer) => {
    const [text, base] = sentOf(100_000);
    const given = refusal(text, base);
    expect(typeof given === "string" ? given : given.kind).toBe(answer);
    expect(growth(1000, sentOf, sent => refusal(...sent))).toBeLessThan(LINEAR);
  });

  itWhole("[U10] gives up looking for too much in too many lines", () => {
    const searched = operations(40_000, at => `- CHANGED item ${at} → entry ${at}`);
    expect(refusal(searched, items(100_000))).toMatchObject({ kind: "limit" });
  });

  it("[U10] never throws, whatever it is given", () => {
    const piece = fc.constantFrom(
      "- CHANGED ",
      "- ADDED ",
      "- REMOVED ",
      "- REPLACED ",
      "§",
      "Status",
      "#1",
      "#",
      ": ",
      " → ",
      " | ",
      '"',
      "\\",
      "after ",
      "from ",
      "before ",
      "(2 lines)",
      "(9999999999 lines)",
      "L1",
      "L",
      "…",
      "\n",
      "\n\n",
      "a",
      "one",
      ".",
      "^",
      "## Delta\n",
      "## Full\n",
      "## Impact Assessment\n",
      "[CONTEXT-UPDATE] GC-v3 → GC-v4\n",
      "\u0000",
      "\ud800",
    );
    const noise = fc.array(piece, { maxLength: 30 }).map(parts => parts.join(""));
    fc.assert(
      fc.property(noise, noise, DOCUMENT, fc.boolean(), (head, body, base, framed) => {
        const text = framed ? message(body) : head + body;
        const result = decode(text, base);
        expect(result.ok || result.failure.message.length > 0).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  it("[U10] is not fooled by names of object properties", () => {
    for (const name of ["__proto__", "constructor", "toString"]) {
      expect(refusal(message(`- CHANGED §${name}: a → b`))).toMatchObject({ kind: "unresolved" });
      const next = decode(message(`- ADDED §Context: ${name}: x`), BASE);
      expect(next.ok && next.value.text).toContain(`- ${name}: x\n`);
    }
  });

  it("[U10] refuses what is no update", () => {
    for (const text of [
      "",
      "hello",
      "[CONTEXT-UPDATE]",
      "[CONTEXT-UPDATE] GC v3",
      "[ACK-UPDATE] GC-v4 received.",
    ]) {
      expect(refusal(text)).toMatchObject({ kind: "not-an-update" });
    }
    expect(refusal("[CONTEXT-UPDATE] GC-v3 → TC-v4\n\n## Delta")).toMatchObject({ kind: "not-an-update" });
    expect(refusal("[CONTEXT-UPDATE] GC-v3 → GC-v4\n\nhello")).toMatchObject({ kind: "syntax" });
  });
});
