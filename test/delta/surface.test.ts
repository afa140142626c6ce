import { describe, expect, it } from "vitest";
import { decode, diff, encode } from "../../src/delta/index.ts";
import { countTokens } from "../../src/tokens/index.ts";

/** Enough unchanged text that a delta always beats the whole document. */
const FILLER = `\n## Appendix\n\n${Array.from({ length: 60 }, (_, at) => `Paragraph ${at} of unchanged text.\n`).join("\n")}`;

const BASE = `---
version: GC-v3
feature: export
---

# Context

Intro line.

## Status

- Phase 1: COMPLETE
- Phase 2: IN_PROGRESS
- Phase 3: PENDING

## Decisions

| ID | Decision | Phase |
|----|----------|-------|
| D-4 | Links are signed | P2 |
| D-5 | Workers poll every two seconds | P2 |

## Tasks

- [ ] T1: write the parser
- [ ] T2: write the writer
- [x] T3: agree on the format

## Risks: open → closed

- R-1: first
- R-1: first

## Notes

same
same
last words
`;

/** The operations of the message from the base to an edited base. */
function operations(...pairs: readonly (readonly [string, string])[]): string[] {
  const next = pairs.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`Not in the base: ${from}`);
      return text.replace(from, () => to);
    },
    BASE.replace("GC-v3", "GC-v4"),
  );
  const [old, full] = [BASE + FILLER, next + FILLER];
  const result = encode(diff(old, full), old, full, { label: "GC", from: 3, to: 4, countTokens });
  if (!result.ok) throw new Error(result.failure.message);
  expect(result.value.form).not.toBe("full");
  const read = decode(result.value.text, old);
  expect(read.ok && read.value.text).toBe(full);
  const lines = result.value.text.split("\n").slice(2);
  return lines[0] === "## Delta" ? lines.slice(1) : lines;
}

describe("ordinary edits read as the document shows them", () => {
  it("[U6] a value behind its key", () => {
    expect(operations(["Phase 2: IN_PROGRESS", "Phase 2: COMPLETE"])).toEqual([
      "- CHANGED §Status: Phase 2: IN_PROGRESS → COMPLETE",
    ]);
  });

  it("[U6] several values of a section, under its name once", () => {
    expect(
      operations(["Phase 2: IN_PROGRESS", "Phase 2: COMPLETE"], ["Phase 3: PENDING", "Phase 3: IN_PROGRESS"]),
    ).toEqual(["- CHANGED §Status:", " Phase 2: IN_PROGRESS → COMPLETE", " Phase 3: PENDING → IN_PROGRESS"]);
  });

  it("[U2] the version of the header is not said twice", () => {
    expect(operations()).toEqual([]);
    expect(operations(["version: GC-v4", "version: GC-v9"])).toEqual(["- CHANGED version: GC-v4 → GC-v9"]);
    expect(operations(["version: GC-v4", "version: GC-v3"])).toEqual(["- CHANGED version: GC-v4 → GC-v3"]);
  });

  it("[U5] an item by its id", () => {
    expect(operations(["signed | P2", "signed | P3"])).toEqual(["- CHANGED §Decisions.D-4: P2 → P3"]);
    expect(operations(["| D-5 | Workers poll every two seconds | P2 |\n", ""])).toEqual([
      "- REMOVED §Decisions.D-5",
    ]);
  });

  it("[U6] a box", () => {
    expect(operations(["- [ ] T2", "- [x] T2"])).toEqual(["- CHANGED §Tasks.T2: [ ] → [x]"]);
    expect(operations(["- [x] T3", "- [ ] T3"])).toEqual(["- CHANGED §Tasks.T3: [x] → [ ]"]);
  });

  it("[U7] an addition takes its neighbour's mark", () => {
    expect(operations(["- Phase 3: PENDING\n", "- Phase 3: PENDING\n- Phase 4: PENDING\n"])).toEqual([
      "- ADDED §Status: Phase 4: PENDING",
    ]);
    expect(operations(["- Phase 2: IN", "- Phase 1b: PENDING\n- Phase 2: IN"])).toEqual([
      "- ADDED §Status after Phase 1: Phase 1b: PENDING",
    ]);
  });

  it("[U7] several lines stand below as they are", () => {
    expect(operations(["\n## Decisions", "- Phase 4: PENDING\n  - nested\n\n## Decisions"])).toEqual([
      "- ADDED §Status:",
      "- Phase 4: PENDING",
      "  - nested",
    ]);
  });

  it("[U7] a new section stands behind the one before it", () => {
    expect(operations(["## Tasks", "## Scope\n\nOnly CSV.\n\n## Tasks"])).toEqual([
      "- ADDED after §Decisions:",
      "",
      "## Scope",
      "",
      "Only CSV.",
    ]);
  });

  it("[U8] a section goes whole, or gets a new text", () => {
    const tasks = BASE.slice(BASE.indexOf("## Tasks"), BASE.indexOf("## Risks"));
    expect(operations([tasks, ""])).toEqual(["- REMOVED §Tasks"]);
    expect(operations([tasks, "## Tasks\n\nNone.\n\n"])).toEqual(["- REPLACED §Tasks:", "None."]);
  });

  it("[U4] a heading changes like any line", () => {
    expect(operations(["## Status", "## State of work"])).toEqual(["- CHANGED §Status → State of work"]);
  });

  it("[U5] what is not unique has a number", () => {
    expect(operations(["- R-1: first\n- R-1: first", "- R-1: first\n- R-1: second"])).toEqual([
      "- CHANGED §Risks: L3: first → second",
    ]);
    expect(operations(["same\nsame", "same\nother"])).toEqual(["- CHANGED §Notes: L3: same → other"]);
  });

  it("[U6] arrows, bars and colons in words are quoted", () => {
    expect(operations(["D-4 | Links are signed", "D-4 | Links → signed | stored"])).toEqual([
      '- CHANGED §Decisions: Links are signed → "Links → signed | stored"',
    ]);
    expect(operations(["last words", "last: words"])).toEqual(["- CHANGED §Notes: last words → last: words"]);
    const [line] = operations(["## Risks: open → closed", "## Risks: open → shut"]);
    expect(line).toBe("- CHANGED §Risks: closed → shut");
  });

  it("[U9] lines that look like operations are marked", () => {
    expect(
      operations(["last words\n", "last words\n- CHANGED §Status: a → b\n## Impact Assessment\n\\x\n"]),
    ).toEqual(["- ADDED §Notes:", "\\- CHANGED §Status: a → b", "\\## Impact Assessment", "\\\\x"]);
  });

  it("[U9] control characters are spelled out", () => {
    expect(operations(["last words\n", "last words\nNUL\u0000 \uFEFF\n"])).toEqual([
      "- ADDED §Notes:",
      '\\"NUL\\u0000 \\ufeff"',
    ]);
  });
});

describe("the whole message", () => {
  it("[U18] has no heading where it holds operations alone, and is read with one, too", () => {
    const next = `${BASE.replace("COMPLETE", "DONE")}${FILLER}## Delta\n\n## Full\n`;
    const old = BASE + FILLER;
    const result = encode(diff(old, next), old, next, { label: "GC", from: 3, to: 4, countTokens });
    const text = result.ok ? result.value.text : "";
    expect(text.split("\n").slice(1, 3)).toEqual(["", expect.stringMatching(/^- CHANGED/)]);
    const headed = text.replace("\n\n", "\n\n## Delta\n");
    for (const message of [text, headed, text.replace("\n\n", "\n"), `> said\n\n${text}`])
      expect(decode(message, old)).toMatchObject({ ok: true, value: { text: next, proven: true } });
    expect(decode(text.split("\n", 1)[0]!, old)).toMatchObject({ ok: false, failure: { kind: "syntax" } });
  });

  it("[U2] has the parts of the document", () => {
    const [old, next] = [BASE + FILLER, BASE.replace("GC-v3", "GC-v4").replace("COMPLETE", "DONE") + FILLER];
    const options = {
      label: "GC",
      from: 3,
      to: 4,
      countTokens,
      affected: ["builder", "tester"],
      actions: [],
    };
    const result = encode(diff(old, next), old, next, options);
    const lines = result.ok ? result.value.text.split("\n") : [];
    expect(lines[0]).toMatch(/^\[CONTEXT-UPDATE\] GC-v3→4 [0-9a-f]{4}→[0-9a-f]{6}$/);
    expect(lines.slice(1)).toEqual([
      "",
      "## Delta",
      "- CHANGED §Status: Phase 1: COMPLETE → DONE",
      "",
      "## Impact Assessment",
      "- Affected teammates: builder, tester",
      "- Required actions: NONE",
    ]);
  });
});
