import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PackageRequest, PackageResult, SourceLevels } from "../../src/assembly/index.ts";
import { countTokens } from "../../src/tokens/index.ts";
import { casesOf } from "../sample.ts";
import { assembler, doc, node, prose, request, result } from "./parts.ts";

/** A result of about so many tokens, at its four levels. */
function levelsOf(given: PackageResult, more: Partial<SourceLevels> = {}): SourceLevels {
  return {
    forms: [
      { level: 0, text: given.text, retention: 1 },
      { level: 1, text: `${given.task} detailed: ${prose(given.task, 300)}`, retention: 0.75 },
      { level: 2, text: `${given.task} brief: ${prose(given.task, 100)}`, retention: 0.6 },
      { level: 3, text: `${given.task} key: yes`, retention: 0.4 },
    ],
    priority: 0.5,
    ...more,
  };
}

const path = [node("ctx-root", doc("GC", prose("GC", 50)))];
const made = (limit: number, more: Partial<PackageRequest>) =>
  assembler()(
    request(path, {
      limits: { tokens: limit },
      resultLevels: given => levelsOf(given),
      ...more,
    }),
  );
const results = ["T1", "T2", "T3"].map(task => result(task, prose(task, 1000)));

describe("results at levels", () => {
  it("[B9] go in whole while everything fits, whatever a single one may have", () => {
    const { receipt } = made(20_000, { results, limits: { tokens: 20_000, result: 100 } });
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
        resultLevels: given =>
          levelsOf(
            given,
            given.task === most ? (critical ? { critical, priority: 0.1 } : { priority: 0.9 }) : {},
          ),
      }).receipt.parts.filter(({ level, kind }) => kind === "result" && level === 0);
    expect(worth("T2", false).map(({ source }) => source)).toEqual(["T2#1"]);
    expect(worth("T3", true).map(({ source }) => source)).toEqual(["T3#1"]);
  });

  it("[B9] one with the text of another says so in a line, whether everything fits or not", () => {
    const twin = { ...results[0]!, task: "T9" };
    for (const limit of [20_000, 2300]) {
      const { receipt, text } = made(limit, { results: [...results, twin] });
      const last = receipt.parts.findLast(({ kind }) => kind === "result");
      expect(last).toMatchObject({
        source: "T9#1",
        level: "pointer",
        in: true,
        why: "same-text",
        of: "T1#1",
      });
      expect(last?.tokens).toBeLessThan(60);
      expect(text).toContain("the same text as the result of T1");
    }
  });

  it("[B9] the line stands for the one that is told less, whichever comes first", () => {
    const twin = { ...results[0]!, task: "T0" };
    const told = (...given: readonly PackageResult[]) =>
      assembler()(request(path, { results: given })).receipt.parts.flatMap(({ kind, source, level, of }) =>
        kind === "result" ? [[source, level, of]] : [],
      );
    expect(told({ ...twin, handover: "decided: oak" }, results[0]!)).toEqual([
      ["T0#1", "pointer", "T1#1"],
      ["T1#1", 0, undefined],
    ]);
    const parts = made(20_000, {
      results: [twin, results[0]!],
      resultLevels: given => {
        const { forms, priority } = levelsOf(given);
        return { forms: given.task === "T0" ? forms.slice(1) : forms, priority, why: "stage-level" };
      },
    }).receipt.parts.filter(({ kind }) => kind === "result");
    expect(parts.map(({ source, level }) => [source, level])).toEqual([
      ["T0#1", "pointer"],
      ["T1#1", 0],
    ]);
  });

  it("[B18] every dependency has its shortest form before any has a better one", () => {
    const many = Array.from({ length: 12 }, (_, at) => result(`T${at}`, prose(`T${at}`, 1000)));
    const { receipt } = made(2600, {
      results: many,
      resultLevels: (given, at) => levelsOf(given, { priority: at === 0 ? 1 : 0.01 }),
    });
    const told = receipt.parts.filter(({ kind, in: isIn }) => kind === "result" && isIn);
    expect(told).toHaveLength(12);
    expect(told[0]).toMatchObject({ source: "T0#1", level: 0 });
    expect(receipt.tokens).toBeLessThanOrEqual(2600);
    // However much the own node has, and however little a dependency is worth.
    const own = Array.from({ length: 60 }, (_, at) => doc(`d${at}`, prose(`d${at}`, 30)));
    const beside = assembler()(
      request([node("ctx-root", ...own)], {
        limits: { tokens: 2600 },
        results: many,
        resultLevels: given => levelsOf(given, { priority: 0.01 }),
        documentLevels: ({ text }) => ({ forms: [{ level: 0, text, retention: 1 }], priority: 1 }),
      }),
    );
    const kept = beside.receipt.parts.filter(({ kind, in: isIn }) => kind === "result" && isIn);
    expect(kept).toHaveLength(12);
  });

  it("[B17] a shortened one says its level, the size of the whole and how to get it, and the receipt what bound", () => {
    const { text, receipt } = made(2300, { results });
    const short = receipt.parts.find(({ kind, level }) => kind === "result" && level !== 0)!;
    const task = short.source.replace("#1", "");
    expect(short).toMatchObject({
      why: "no-room",
      whole: countTokens(prose(task, 1000)),
      bound: { limit: "context.package.tokens", tokens: 2300 },
    });
    expect(text).toContain(
      `<result task="${task}" attempt=1 level=${short.level} of=${short.whole} get="espalier context get ${task}"`,
    );
    expect(text).toContain("# Shortened or left out");
    expect(text).toContain("`get_context`");
  });

  it("[B12] all together have no more than their part of the window, which is named; documents stay whole", () => {
    const limits = { tokens: 20_000, results: 1500 };
    const documentLevels = () => expect.fail("nobody asked for documents to be shorter");
    const parts = made(20_000, { results, limits, documentLevels }).receipt.parts.filter(
      ({ kind }) => kind === "result",
    );
    expect(parts.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(1500);
    expect(parts.every(({ in: isIn }) => isIn)).toBe(true);
    expect(parts.find(({ level }) => level !== 0)?.bound).toEqual({
      limit: "budget.context_budget.allocation.agent_outputs",
      tokens: 1500,
    });
  });

  it("[B17] say of what an earlier run has left neither how long the whole was nor how it is had: nobody has it", () => {
    const left = { ...result("T1", "Decision: the oak\n", 0), level: 1 as const };
    const resultLevels = ({ text }: PackageResult): SourceLevels => ({
      forms: [{ level: 1, text, retention: 0.75 }],
      priority: 0.5,
      why: "earlier-run",
    });
    const { text, receipt } = made(20_000, { results: [left], resultLevels });
    expect(text).toContain(
      `<result task="T1" attempt=0 level=1 hash="${left.hash.slice(0, 12)}">\nDecision: the oak\n`,
    );
    const part = receipt.parts.find(({ kind }) => kind === "result");
    expect(part).toMatchObject({ level: 1, why: "earlier-run" });
    expect(part?.whole).toBeUndefined();
  });

  it("[B10] never pass the limit", () => {
    const given = fc.array(fc.integer({ min: 1, max: 2000 }), { maxLength: 8 });
    fc.assert(
      fc.property(given, fc.integer({ min: 30, max: 6000 }), (sizes, limit) => {
        const some = sizes.map((tokens, at) => result(`T${at}`, prose(`T${at} ${tokens}`, tokens)));
        const { receipt } = made(limit, { results: some });
        const inside = receipt.parts.reduce((sum, { tokens }) => sum + tokens, 0);
        expect(inside).toBe(receipt.tokens);
        expect(receipt.tokens).toBeLessThanOrEqual(limit);
        expect(receipt.parts.filter(({ kind }) => kind === "result")).toHaveLength(some.length);
      }),
      { numRuns: casesOf(25, 60) },
    );
  });

  it("[B12] the same request gives the same package", () => {
    expect(made(2300, { results })).toEqual(made(2300, { results }));
  });
});
