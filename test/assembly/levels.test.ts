import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PackageRequest, PackageResult, ResultLevels } from "../../src/assembly/index.ts";
import { assembler, doc, node, prose, request, result } from "./parts.ts";

/** A result of about so many tokens, at its four levels. */
function levelsOf(given: PackageResult, more: Partial<ResultLevels> = {}): ResultLevels {
  return {
    forms: [
      { level: 0, text: given.text, retention: 1 },
      { level: 1, text: `${given.task} detailed: ${prose(given.task, 300)}`, retention: 0.75 },
      { level: 2, text: `${given.task} brief: ${prose(given.task, 100)}`, retention: 0.6 },
      { level: 3, text: `${given.task} key: yes`, retention: 0.4 },
    ],
    priority: 0.5,
    why: "no-room",
    ...more,
  };
}

const path = [node("ctx-root", doc("GC", prose("GC", 50)))];
const made = (limit: number, more: Partial<PackageRequest>) =>
  assembler()(
    request(path, {
      limits: { tokens: limit, document: 5000, result: 100 },
      levels: given => levelsOf(given),
      ...more,
    }),
  );
const results = ["T1", "T2", "T3"].map(task => result(task, prose(task, 1000)));

describe("results at levels", () => {
  it("[B12] go in whole while they fit, whatever a single one may have", () => {
    const { receipt } = made(20_000, { results });
    expect(
      receipt.parts.filter(({ kind }) => kind === "result").map(({ level, why }) => [level, why]),
    ).toEqual([
      [0, "given"],
      [0, "given"],
      [0, "given"],
    ]);
  });

  it("[B12] go in at lower levels where they do not, in their order, each with its reason", () => {
    const { text, receipt } = made(2300, { results });
    const parts = receipt.parts.filter(({ kind }) => kind === "result");
    expect(parts.map(({ source }) => source)).toEqual(["T1#1", "T2#1", "T3#1"]);
    expect(parts.every(({ in: isIn }) => isIn)).toBe(true);
    expect(parts.some(({ level, why }) => level !== 0 && why === "no-room")).toBe(true);
    expect(receipt.tokens).toBeLessThanOrEqual(2300);
    expect(text.indexOf("T1")).toBeLessThan(text.indexOf("T3"));
  });

  it("[B12] prefer what is worth more, and what is critical to all", () => {
    const worth = (most: string, critical: boolean) =>
      made(2000, {
        results,
        levels: given =>
          levelsOf(
            given,
            given.task === most ? (critical ? { critical, priority: 0.1 } : { priority: 0.9 }) : {},
          ),
      }).receipt.parts.filter(({ level, kind }) => kind === "result" && level === 0);
    expect(worth("T2", false).map(({ source }) => source)).toEqual(["T2#1"]);
    expect(worth("T3", true).map(({ source }) => source)).toEqual(["T3#1"]);
  });

  it("[B12] point at what has no room, and at what repeats another", () => {
    const twin = { ...results[0]!, task: "T9" };
    const { receipt, text } = made(20_000, { results: [...results, twin] });
    const last = receipt.parts.findLast(({ kind }) => kind === "result");
    expect(last).toMatchObject({ source: "T9#1", level: "pointer", in: false, why: "same-text", of: "T1#1" });
    expect(text).toContain("espalier task show T1");
  });

  it("[B12] never pass the limit by more than role, task and pointers", () => {
    const given = fc.array(fc.integer({ min: 1, max: 2000 }), { maxLength: 8 });
    fc.assert(
      fc.property(given, fc.integer({ min: 700, max: 6000 }), (sizes, limit) => {
        const some = sizes.map((tokens, at) => result(`T${at}`, prose(`T${at} ${tokens}`, tokens)));
        const { receipt } = made(limit, { results: some });
        const inside = receipt.parts.reduce((sum, { tokens }) => sum + tokens, 0);
        expect(inside).toBe(receipt.tokens);
        expect(receipt.tokens).toBeLessThanOrEqual(limit);
        expect(receipt.parts.filter(({ kind }) => kind === "result")).toHaveLength(some.length);
      }),
      { numRuns: 60 },
    );
  });

  it("[B12] the same request gives the same package", () => {
    expect(made(2300, { results })).toEqual(made(2300, { results }));
  });
});
