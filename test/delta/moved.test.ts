import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decode, diff, encode, invert, squash } from "../../src/delta/index.ts";
import { countTokens } from "../../src/tokens/index.ts";
import { casesOf } from "../sample.ts";

const STATUS = "## Status\n\n- Phase 1: COMPLETE\n- Phase 2: IN_PROGRESS\n";
const D1 = "- **D-1:** Prices are integers in cents, never floats\n";
const D2 = "- **D-2:** Orders are kept in one table for all shops\n";
const D3 = "- **D-3:** Mails go out through a queue that is durable\n";
const DECISIONS = `## Decisions\n\n${D1}${D2}${D3}`;
const WORK =
  "## Open work\n\n- [ ] T2.2: Order form with all of its fields\n\n### Later\n\nNothing is planned behind it.\n";
const BLOCKERS = "## Blockers\n\nThe test shop has no certificate yet.\n";
const site = (...sections: readonly string[]): string => `# Site\n\nOne page.\n\n${sections.join("\n")}`;
const WHOLE = site(STATUS, DECISIONS, WORK, BLOCKERS);

function sent(old: string, next: string): string {
  const encoded = encode(diff(old, next), old, next, { label: "GC", from: 1, to: 2, countTokens });
  if (!encoded.ok) throw new Error(encoded.failure.message);
  return encoded.value.text;
}

function operations(old: string, next: string): string[] {
  return sent(old, next).split("\n").slice(2);
}

function carriedOut(base: string, ...lines: readonly string[]): string {
  const read = decode(`[CONTEXT-UPDATE] GC-v1 → GC-v2\n\n## Delta\n${lines.join("\n")}`, base);
  return read.ok ? read.value.text : read.failure.kind;
}

describe("what only stands elsewhere", () => {
  it.each([
    [
      "a section goes to the end",
      site(STATUS, WORK, BLOCKERS, DECISIONS),
      "- MOVED §Decisions after §Blockers",
    ],
    ["another goes up", site(STATUS, BLOCKERS, DECISIONS, WORK), "- MOVED §Blockers after §Status"],
    [
      "one goes first with its subsections",
      site(WORK, STATUS, DECISIONS, BLOCKERS),
      "- MOVED §Open work before §Status",
    ],
    ["an item goes down", WHOLE.replace(D1, "").replace(D3, D3 + D1), "- MOVED §Decisions: D-1 after D-3"],
    [
      "an item goes to another section",
      WHOLE.replace(D2, "").replace("certificate yet.\n", `certificate yet.\n${D2}`),
      "- MOVED §Decisions: D-2 after §Blockers",
    ],
  ])("[U15] %s, and is said so in one line that leads there", (_what, next, operation) => {
    expect(operations(WHOLE, next)).toEqual([operation]);
    expect(decode(sent(WHOLE, next), WHOLE)).toMatchObject({ ok: true, value: { text: next, items: 1 } });
    expect(decode(sent(next, WHOLE), next)).toMatchObject({ ok: true, value: { text: WHOLE } });
  });

  it("[U15] is told beside what changed", () => {
    const next = WHOLE.replace(D1, "")
      .replace(D3, D3 + D1)
      .replace("IN_PROGRESS", "COMPLETE");
    expect(operations(WHOLE, next)).toEqual([
      "- CHANGED §Status: Phase 2: IN_PROGRESS → COMPLETE",
      "- MOVED §Decisions: D-1 after D-3",
    ]);
  });

  it("[U15] is said again where that says it as shortly", () => {
    const short = "# A\n\n- one\n- two\n- three\n";
    expect(operations(short, "# A\n\n- two\n- three\n- one\n").join("\n")).not.toContain("- MOVED");
  });

  it.each([
    [
      "several lines, before a line",
      ["- MOVED §Decisions: D-2 (2 lines) before D-1"],
      WHOLE.replace(DECISIONS, `## Decisions\n\n${D2}${D3}${D1}`),
    ],
    [
      "a list of moves",
      ["- MOVED §Decisions:", " D-3 before D-1", " D-2 after §Blockers"],
      WHOLE.replace(DECISIONS, `## Decisions\n\n${D3}${D1}`) + D2,
    ],
    [
      "behind a line of another section",
      ["- MOVED §Decisions: D-2 after §Status.Phase 1"],
      WHOLE.replace(D2, "").replace("COMPLETE\n", `COMPLETE\n${D2}`),
    ],
    [
      "without a section, in the one before",
      ["- CHANGED §Status: COMPLETE → DONE", "- MOVED Phase 1 after Phase 2"],
      WHOLE.replace(
        "- Phase 1: COMPLETE\n- Phase 2: IN_PROGRESS",
        "- Phase 2: IN_PROGRESS\n- Phase 1: COMPLETE",
      ),
    ],
  ])("[U15] %s", (what, lines, next) => {
    expect(carriedOut(WHOLE, ...lines)).toBe(what.startsWith("without") ? "claimed-twice" : next);
  });

  it.each([
    ["to where it stands", "- MOVED §Status after §Status"],
    ["into itself", "- MOVED §Decisions: D-1 (3 lines) after D-2"],
    ["to a section that is not there", "- MOVED §Status after §Nowhere"],
    ["before a section, for a line", "- MOVED §Decisions: D-1 before §Status"],
    ["beyond the end", "- MOVED §Decisions: D-1 (999 lines) after §Status"],
  ])("[U15] nothing moves %s", (_what, line) => {
    expect(carriedOut(WHOLE, line)).toBe("unresolved");
  });

  it("[U15] the whole document does not move", () => {
    expect(carriedOut("text\n\n# A\n\nmore\n", "- MOVED §^ after §A")).toBe("syntax");
  });

  it("[U10] a stranger's moves of everything are refused before they take memory", () => {
    const base = `# A\n\n${"line\n".repeat(60_000)}# B\n`;
    const lines = Array.from({ length: 400 }, () => "- MOVED §A after §B");
    expect(carriedOut(base, ...lines)).toBe("limit");
  });

  it("[D3] [U1] any order of sections and items leads to any other, back, and in one step", () => {
    const order = fc.shuffledSubarray([STATUS, DECISIONS, WORK, BLOCKERS], { minLength: 3 });
    const items = fc.shuffledSubarray([D1, D2, D3], { minLength: 1 });
    const document = fc
      .tuple(order, items)
      .map(([sections, list]) => site(...sections).replace(D1 + D2 + D3, list.join("")));
    fc.assert(
      fc.property(document, document, document, (a, b, c) => {
        const [one, two] = [decode(sent(a, b), a), decode(sent(b, c), b)];
        if (!one.ok || !two.ok) throw new Error("not exact");
        expect([one.value.text, two.value.text]).toEqual([b, c]);
        const [first, second] = [one.value.delta!, two.value.delta!];
        const back = encode(invert(first), b, a, { label: "GC", from: 2, to: 1, countTokens });
        expect(back.ok && decode(back.value.text, b)).toMatchObject({ value: { text: a } });
        const both = squash(first, second);
        const at = both.ok ? encode(both.value, a, c, { label: "GC", from: 1, to: 3, countTokens }) : both;
        expect(at.ok && decode(at.value.text, a)).toMatchObject({ value: { text: c } });
      }),
      { numRuns: casesOf(50, 200) },
    );
  });
});
