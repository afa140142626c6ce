import { describe, expect, it } from "vitest";
import { decode, shortHash } from "../../src/delta/index.ts";

// Messages as people and models write them, not as the encoder does: what each rule means, seen on one document.

const BASE = `---
version: 3
owner: lead
---

# Bakery

Read this first.

## Status

- Phase 1: COMPLETE
- Phase 2: IN_PROGRESS
- [ ] Menu
- [ ] Till
- [x] Oven

## Decisions

- **D-1:** Prices in cents
- **D-2:** Orders in one table

| id | what | who |
|----|------|-----|
| Q-1 | Keep files? | lead |
| Q-2 | Which font? | cas |

### Later

1. Mails
2. Receipts

## Notes: a → b

See \`src/oven.ts\`.

## Notes

Nothing yet.
`;

/** The lines that a message takes away and brings, in their order. */
function changed(...operations: readonly string[]): string[] | string {
  const text = ["[CONTEXT-UPDATE] GC-v3 → GC-v4", "", "## Delta", ...operations].join("\n");
  const read = decode(text, BASE);
  if (!read.ok) return `${read.failure.kind}: ${read.failure.message}`;
  const [old, next] = [BASE.split("\n"), read.value.text.split("\n")];
  // The header's own change of the version is the same in every case.
  expect(next[1]).toBe("version: 4");
  old[1] = "version: 4";
  let start = 0;
  while (start < old.length && old[start] === next[start]) start++;
  let end = 0;
  while (end < old.length - start && end < next.length - start && old.at(-1 - end) === next.at(-1 - end))
    end++;
  return [
    ...old.slice(start, old.length - end).map(line => `- ${line}`),
    ...next.slice(start, next.length - end).map(line => `+ ${line}`),
  ];
}

type Case = readonly [what: string, operations: readonly string[], changes: readonly string[]];

const VALUES: readonly Case[] = [
  [
    "a value behind its key",
    ["- CHANGED §Status: Phase 2: IN_PROGRESS → COMPLETE"],
    ["- - Phase 2: IN_PROGRESS", "+ - Phase 2: COMPLETE"],
  ],
  [
    "words that stand once in their section, without a key",
    ["- CHANGED §Decisions: cents → euros"],
    ["- - **D-1:** Prices in cents", "+ - **D-1:** Prices in euros"],
  ],
  [
    "an item by its dotted name",
    ["- CHANGED §Decisions.D-2: one table → two tables"],
    ["- - **D-2:** Orders in one table", "+ - **D-2:** Orders in two tables"],
  ],
  [
    "a cell of a table, by the row's first",
    ["- CHANGED §Decisions.Q-2: cas → dan"],
    ["- | Q-2 | Which font? | cas |", "+ | Q-2 | Which font? | dan |"],
  ],
  ["a box", ["- CHANGED §Status: Menu: [ ] → [x]"], ["- - [ ] Menu", "+ - [x] Menu"]],
  ["a box cleared", ["- CHANGED §Status: Oven: [x] → [ ]"], ["- - [x] Oven", "+ - [ ] Oven"]],
  [
    "two changes of one line",
    ["- CHANGED §Decisions.Q-1: Keep → Drop | lead → ben"],
    ["- | Q-1 | Keep files? | lead |", "+ | Q-1 | Drop files? | ben |"],
  ],
  [
    "a line by its number below the heading",
    ["- CHANGED §Status: L2: COMPLETE → DONE"],
    ["- - Phase 1: COMPLETE", "+ - Phase 1: DONE"],
  ],
  [
    "the heading itself, which is line 0",
    ["- CHANGED §Decisions: L0: Decisions → Decided"],
    ["- ## Decisions", "+ ## Decided"],
  ],
  [
    "everything up to the line's end",
    ["- CHANGED §Bakery: Read… → Start here."],
    ["- Read this first.", "+ Start here."],
  ],
  [
    "a stretch by its two ends",
    ["- CHANGED §Bakery: Read…this → Look at it"],
    ["- Read this first.", "+ Look at it first."],
  ],
  [
    "quoted words, on both sides",
    ['- CHANGED §Bakery: "first." → "first: a → b."'],
    ["- Read this first.", "+ Read this first: a → b."],
  ],
  [
    "several values of a section below its name",
    ["- CHANGED §Status:", " Phase 1: COMPLETE → DONE", " Phase 2: IN_PROGRESS → REVIEW"],
    ["- - Phase 1: COMPLETE", "- - Phase 2: IN_PROGRESS", "+ - Phase 1: DONE", "+ - Phase 2: REVIEW"],
  ],
  [
    "lines that change alike, at once",
    ["- CHANGED §Status: Menu, Till: [ ] → [x]"],
    ["- - [ ] Menu", "- - [ ] Till", "+ - [x] Menu", "+ - [x] Till"],
  ],
  [
    "front matter, which stands before the first heading",
    ["- CHANGED §^: owner: lead → ann"],
    ["- owner: lead", "+ owner: ann"],
  ],
  [
    "a section whose title would read as a change, quoted",
    ['- CHANGED §"Notes: a → b": oven.ts → stove.ts'],
    ["- See `src/oven.ts`.", "+ See `src/stove.ts`."],
  ],
];

const LINES: readonly Case[] = [
  [
    "one line behind a section's last, which takes over its mark",
    ["- ADDED §Later: Invoices"],
    ["+ 2. Invoices"],
  ],
  [
    "one line behind another",
    ["- ADDED §Decisions after D-1: **D-1b:** Rounded up"],
    ["+ - **D-1b:** Rounded up"],
  ],
  ["one line before another", ["- ADDED §Status before Menu: Sign"], ["+ - [ ] Sign"]],
  [
    "several lines, taken as they are",
    ["- ADDED §Notes:", "  indented", "", "* star"],
    ["+   indented", "+ ", "+ * star"],
  ],
  [
    "a new section behind another",
    ["- ADDED after §Status:", "## Blockers", "", "None."],
    ["+ ## Blockers", "+ ", "+ None."],
  ],
  ["one line removed, behind a colon", ["- REMOVED §Status: Oven"], ["- - [x] Oven"]],
  ["one line removed, by its name", ["- REMOVED §Status.Oven"], ["- - [x] Oven"]],
  [
    "a range removed",
    ["- REMOVED §Status.Phase 1 (2 lines)"],
    ["- - Phase 1: COMPLETE", "- - Phase 2: IN_PROGRESS"],
  ],
  ["a row of a table removed", ["- REMOVED §Decisions.Q-1"], ["- | Q-1 | Keep files? | lead |"]],
  [
    "a section removed with those below it",
    ["- REMOVED §Later"],
    ["- ### Later", "- ", "- 1. Mails", "- 2. Receipts", "- "],
  ],
  ["a section's own text anew", ["- REPLACED §Notes:", "All told."], ["- Nothing yet.", "+ All told."]],
  [
    "a range anew",
    ["- REPLACED §Later from Mails (2 lines):", "1. Nothing"],
    ["- 1. Mails", "- 2. Receipts", "+ 1. Nothing"],
  ],
  [
    "a line that looks like an operation, marked",
    ["- REPLACED §Notes:", "\\- ADDED by hand", "\\## Impact Assessment"],
    ["- Nothing yet.", "+ - ADDED by hand", "+ ## Impact Assessment"],
  ],
  [
    "a line in JSON, for what cannot be seen",
    ["- REPLACED §Notes:", '\\"bell\\u0007 and tab\\t"'],
    ["- Nothing yet.", "+ bell\u0007 and tab\t"],
  ],
];

describe("an update written by hand", () => {
  it.each(VALUES)("[U6] changes %s", (_, operations, changes) => {
    expect(changed(...operations)).toEqual(changes);
  });

  it.each(LINES)("[U7] [U8] [U9] takes %s", (_, operations, changes) => {
    expect(changed(...operations)).toEqual(changes);
  });

  it("[U3] is the same in any order, and every operation sees the base, not the one before it", () => {
    const operations = [
      "- CHANGED §Status: Phase 1: COMPLETE → IN_PROGRESS",
      "- CHANGED §Status: Phase 2: IN_PROGRESS → COMPLETE",
      "- REMOVED §Notes",
      "- ADDED §Bakery: And this.",
    ];
    const orders = [operations, operations.toReversed(), [...operations.slice(2), ...operations.slice(0, 2)]];
    const outcomes = orders.map(order => changed(...order));
    expect(outcomes[0]).toContain("+ - Phase 1: IN_PROGRESS");
    expect(outcomes[0]).toContain("+ - Phase 2: COMPLETE");
    expect(new Set(outcomes.map(outcome => JSON.stringify(outcome))).size).toBe(1);
  });

  it("[U4] stays in the section of the operation before it, and begins in the document's first", () => {
    expect(changed("- CHANGED §Status: Phase 1: COMPLETE → DONE", "- REMOVED Oven")).toEqual(
      changed("- CHANGED §Status: Phase 1: COMPLETE → DONE", "- REMOVED §Status.Oven"),
    );
    expect(changed("- CHANGED owner: lead → ann")).toEqual(["- owner: lead", "+ owner: ann"]);
  });

  it("[U4] finds a section by the beginning of its title only where one begins so", () => {
    expect(changed("- REMOVED §Dec.D-1")).toMatch(/^unresolved/);
    expect(changed("- CHANGED §Decis: cents → euros")).toMatch(/^unresolved/);
    expect(changed("- CHANGED §Notes: Nothing → Little")).toEqual(["- Nothing yet.", "+ Little yet."]);
  });

  it("[U2] [U10] is proven only when it names the hash of what comes out", () => {
    const operation = "- CHANGED §Status: Phase 2: IN_PROGRESS → COMPLETE";
    const message = (hashes: string) => `[CONTEXT-UPDATE] GC-v3 → GC-v4${hashes}\n\n## Delta\n${operation}\n`;
    const bare = decode(message(""), BASE);
    expect(bare.ok && bare.value.proven).toBe(false);
    const text = bare.ok ? bare.value.text : "";
    const named = decode(message(` ${shortHash(BASE)}→${shortHash(text)}`), BASE);
    expect(named.ok && [named.value.proven, named.value.text === text, named.value.items]).toEqual([
      true,
      true,
      1,
    ]);
    for (const hashes of [
      ` 0000→${shortHash(text)}`,
      ` ${shortHash(BASE)}→000000`,
      ` ${shortHash(text)}→${shortHash(BASE)}`,
    ])
      expect(decode(message(hashes), BASE).ok).toBe(false);
  });
});
