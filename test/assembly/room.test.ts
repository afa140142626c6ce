import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PACKAGE_LIMITS } from "../../src/assembly/index.ts";
import { countTokens } from "../../src/tokens/index.ts";
import { assembler, doc, node, prose, request, result } from "./parts.ts";

const limits = { tokens: 4000, document: 2000, result: 500 };

describe("documents without room", () => {
  it("[B8] are pointed at, with their length and where they can be read", () => {
    const big = doc("big", prose("big", 3000));
    const made = assembler()(request([node("ctx-root", big, doc("small", "small"))], { limits }));
    const [part] = made.receipt.parts.filter(({ source }) => source === "big");
    expect(part).toMatchObject({
      in: false,
      level: "pointer",
      why: "longer-than-a-document-may-be",
      version: 1,
    });
    expect(made.text).toContain("too long to be given here; read it with: docs/big.md");
    expect(made.text).not.toContain(big.text);
    expect(made.text).toContain("small\n</document");
  });

  it("[B8] the root comes first, and a branch that is too long for the rest gives way", () => {
    const path = [
      node("ctx-root", doc("one", prose("one", 1500))),
      node("ctx-a", doc("two", prose("two", 1500)), doc("three", prose("three", 1500))),
    ];
    const { receipt } = assembler()(request(path, { limits }));
    expect(
      receipt.parts.filter(({ kind }) => kind === "document").map(({ source, why }) => [source, why]),
    ).toEqual([
      ["one", "given"],
      ["two", "given"],
      ["three", "no-room"],
    ]);
    expect(receipt.tokens).toBeLessThanOrEqual(limits.tokens);
  });

  it("[B4] what others appended to the root makes a full branch give way, not the limit", () => {
    const make = assembler();
    const root = doc("root", prose("root", 100));
    const full = node("ctx-full", doc("full-1", prose("full-1", 1500)), doc("full-2", prose("full-2", 1300)));
    make(request([node("ctx-root", root), full], { limits }));
    const found = doc("found", prose("found", 1200));
    const light = make(
      request([node("ctx-root", root, found), node("ctx-light", doc("l", "l"))], { limits }),
    );
    expect(light.receipt.parts.find(({ source }) => source === "found")?.in).toBe(true);
    const again = make(request([node("ctx-root", root, found), full], { limits }));
    expect(again.receipt.tokens).toBeLessThanOrEqual(limits.tokens);
    expect(again.receipt.parts.find(({ source }) => source === "full-2")?.why).toBe("no-room");
  });
});

describe("results without room", () => {
  it("[B9] are shortened to beginning and end, saying how much is missing and where it is", () => {
    const long = `FIRST LINE\n${prose("middle", 3000)}LAST LINE`;
    const made = assembler()(request([node("ctx-root")], { limits, results: [result("T0", long)] }));
    expect(made.text).toContain("FIRST LINE");
    expect(made.text).toContain("LAST LINE");
    expect(made.text).toMatch(/\(… \d+ tokens are left out here; the whole text: espalier task show T0 …\)/);
    const [part] = made.receipt.parts.filter(({ kind }) => kind === "result");
    expect(part).toMatchObject({ level: "capped", in: true, why: "longer-than-a-result-may-be" });
    expect(part!.tokens).toBeLessThanOrEqual(limits.result);
    expect(part!.tokens).toBeGreaterThan(limits.result / 2);
  });

  it("[B9] then pointed at, then only listed", () => {
    const results = Array.from({ length: 40 }, (_, at) => result(`T${at}`, prose(`r${at}`, 450 + 20 * at)));
    const { receipt, text } = assembler()(request([node("ctx-root")], { limits, results }));
    const levels = receipt.parts
      .filter(({ kind }) => kind === "result")
      .map(({ level, in: isIn }) => `${level} ${isIn}`);
    expect(levels).toHaveLength(40);
    expect(new Set(levels)).toEqual(new Set(["0 true", "capped true", "pointer false"]));
    expect(receipt.tokens).toBeLessThanOrEqual(limits.tokens);
    expect(text).toContain("espalier task show T");
  });

  it("[B9] say so when there is nothing", () => {
    const made = assembler()(request([node("ctx-root")], { results: [result("T0", "  \n")] }));
    expect(made.text).toContain("(it left no message)");
  });

  it("[B9] never exceed what a result may have, in any script", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("가나다라 마바사 ", "x".repeat(50), "word ", "🌱", "\u0301", "日本語。"),
        fc.integer({ min: 1, max: 3000 }),
        fc.integer({ min: 300, max: 900 }),
        (unit, times, most) => {
          const made = assembler()(
            request([node("ctx-root")], {
              limits: { ...limits, result: most },
              results: [result("T0", unit.repeat(times))],
            }),
          );
          const [part] = made.receipt.parts.filter(({ kind }) => kind === "result");
          expect(part!.tokens).toBeLessThanOrEqual(most);
          expect(made.text.isWellFormed()).toBe(true);
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe("attempts", () => {
  const attempts = Array.from({ length: 20 }, (_, at) => ({
    number: at + 1,
    how: `failed: reason ${at + 1}`,
    told: `output of attempt ${at + 1}`,
  }));

  it("[B9] the newest are told in full, older ones in a line, the oldest only listed", () => {
    const { text, receipt } = assembler()(request([node("ctx-root")], { attempts }));
    for (const at of [18, 19, 20]) expect(text).toContain(`output of attempt ${at}\n`);
    expect(text).not.toContain("output of attempt 17\n");
    expect(text).toContain('ended="Attempt 9 of 10: failed: reason 9"');
    expect(text).not.toContain('reason 8"');
    const parts = receipt.parts.filter(({ kind }) => kind === "attempt");
    expect(parts).toHaveLength(20);
    expect(parts.filter(part => part.in).map(({ source }) => source)[0]).toBe("T1#9");
    expect(parts.filter(part => !part.in).every(part => part.tokens === 0)).toBe(true);
  });

  it("[B9] leave room for results", () => {
    const loud = attempts.map(attempt => ({ ...attempt, told: prose("loud", 1500) }));
    const { receipt } = assembler()(
      request([node("ctx-root")], { limits, attempts: loud, results: [result("T0", prose("r", 200))] }),
    );
    expect(receipt.tokens).toBeLessThanOrEqual(limits.tokens);
    expect(receipt.parts.find(({ kind }) => kind === "result")?.in).toBe(true);
  });
});

describe("the limit", () => {
  it("[B10] holds whatever comes, but for role, task and pointers", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 3000 }), { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 3000 }), { maxLength: 5 }),
        fc.array(fc.integer({ min: 1, max: 1000 }), { maxLength: 5 }),
        fc.integer({ min: 1000, max: 9000 }),
        (documents, results, attempts, tokens) => {
          const made = assembler()(
            request(
              [node("ctx-root", ...documents.map((size, at) => doc(`d${at}`, prose(`d${at}`, size))))],
              {
                limits: { ...limits, tokens },
                results: results.map((size, at) => result(`T${at}`, prose(`r${at}`, size))),
                attempts: attempts.map((size, at) => ({
                  number: at + 1,
                  how: "failed",
                  told: prose("a", size),
                })),
              },
            ),
          );
          const pointers = made.receipt.parts.filter(({ level }) => level === "pointer");
          const own = countTokens("# Role: worker\n\nTask ID: T1\n\n") + 60;
          const spare = pointers.reduce((sum, part) => sum + part.tokens, 0) + own;
          expect(made.receipt.tokens).toBeLessThanOrEqual(tokens + spare);
          expect(made.text).toContain("Task ID: T1");
        },
      ),
      { numRuns: 30 },
    );
  });

  it("[B8] is generous by default", () => {
    const made = assembler()(request([node("ctx-root", doc("d", prose("d", 40_000)))]));
    expect(made.receipt.parts.find(({ source }) => source === "d")?.in).toBe(true);
    expect(PACKAGE_LIMITS.tokens).toBe(150_000);
  });
});
