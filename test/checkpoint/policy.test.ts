import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { itemsOfPart, mergeCheckpoint, parseCheckpoint, tablesOfPart } from "../../src/checkpoint/index.ts";
import { CHECKPOINT } from "./documents.ts";

const word = fc.stringMatching(/^[a-z]{1,6}$/);
const decisions = fc
  .uniqueArray(word, { maxLength: 12 })
  .map(words => words.map((text, at) => `- ${text} number ${at}`));
const files = fc.uniqueArray(fc.tuple(word, fc.constantFrom("created", "modified")), {
  selector: ([name]) => name,
  maxLength: 8,
});

const withDecisions = (items: readonly string[]) => `### Decisions\n\n${items.join("\n")}\n`;
const withFiles = (rows: readonly (readonly [string, string])[]) =>
  `### Artifact Trail\n\n| File | Status | Key Change |\n|---|---|---|\n${rows.map(([name, status]) => `| ${name} | ${status} | x |`).join("\n")}\n`;

describe("the policy, on any work", () => {
  it("[KM1] no decision is ever lost, and none stands twice", () => {
    fc.assert(
      fc.property(fc.array(decisions, { maxLength: 5 }), spans => {
        let text = CHECKPOINT;
        for (const span of spans) text = mergeCheckpoint(text, withDecisions(span)).text;
        const kept = itemsOfPart(parseCheckpoint(text), "decisions");
        expect(new Set(kept).size).toBe(kept.length);
        expect(new Set(kept)).toEqual(
          new Set([
            "- D-1: Prices are integers in cents",
            "- D-2: Mails go out through a queue",
            ...spans.flat(),
          ]),
        );
      }),
    );
  });

  it("[KM1] no file is ever lost, and the last word on its status counts", () => {
    fc.assert(
      fc.property(fc.array(files, { maxLength: 5 }), spans => {
        let text = CHECKPOINT;
        const expected = new Map([
          ["`src/menu.ts`", "created"],
          ["`src/price.ts`", "created"],
        ]);
        for (const span of spans) {
          text = mergeCheckpoint(text, withFiles(span)).text;
          for (const [name, status] of span) expected.set(name, status);
        }
        const rows = tablesOfPart(parseCheckpoint(text), "artifacts")[0]?.rows ?? [];
        expect(rows.map(({ cells: [name, status] }) => [name, status])).toEqual([...expected]);
      }),
    );
  });

  it("[KM1] the play-by-play counts every step once, however it is cut", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9), { maxLength: 6 }), fc.integer({ min: 1, max: 6 }), (spans, recent) => {
        let text = CHECKPOINT;
        let total = 2;
        for (const count of spans) {
          const steps = Array.from({ length: count }, (_, at) => `- Phase 2 → step ${total + at} → done`);
          text = mergeCheckpoint(text, `### Play-By-Play\n\n${steps.join("\n")}\n`, { recent }).text;
          total += count;
        }
        const kept = itemsOfPart(parseCheckpoint(text), "play");
        const earlier = /^- Earlier: (\d+) steps?/.exec(kept[0] ?? "")?.[1];
        const counted = earlier === undefined ? kept.length : Number(earlier) + kept.length - 1;
        expect(counted).toBe(total);
        expect(kept.length).toBeLessThanOrEqual(Math.max(recent + 1, spans.length === 0 ? 2 : 0));
      }),
    );
  });

  it("[KM3] the order of untouched sections never changes", () => {
    const titles = (text: string) => parseCheckpoint(text).tiles.map(({ section }) => section.title);
    fc.assert(
      fc.property(decisions, files, (items, rows) => {
        const { text } = mergeCheckpoint(CHECKPOINT, `${withDecisions(items)}\n${withFiles(rows)}`);
        expect(titles(text)).toEqual(titles(CHECKPOINT));
      }),
    );
  });

  it("[KM2] a conflict names its section once, and both texts", () => {
    fc.assert(
      fc.property(word, word, (one, other) => {
        const base = CHECKPOINT.replace("Sell bread online.", `First ${one}.`);
        const { conflicts } = mergeCheckpoint(base, `## Problem\n\nThen ${other}.\n`);
        expect(conflicts.map(({ section, kept, refused }) => [section, kept, refused])).toEqual([
          ["Problem", `First ${one}.`, `Then ${other}.`],
        ]);
      }),
    );
  });
});
