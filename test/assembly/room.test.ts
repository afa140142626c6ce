import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PACKAGE_LIMITS } from "../../src/assembly/index.ts";
import { countTokens } from "../../src/tokens/index.ts";
import { adversarial, overBy } from "./adversarial.ts";
import { assembler, doc, node, prose, request, result } from "./parts.ts";

const limits = { tokens: 4000 };
const documentsIn = (receipt: { readonly parts: readonly { kind: string; source: string; in: boolean }[] }) =>
  receipt.parts.filter(({ kind }) => kind === "document");

describe("documents without room", () => {
  it("[B8] are whole while everything fits, however long one is", () => {
    const big = doc("big", prose("big", 3000));
    const made = assembler()(request([node("ctx-root", big)], { limits: { ...limits, document: 100 } }));
    expect(documentsIn(made.receipt)).toMatchObject([{ source: "big", level: 0, in: true }]);
    const all = made.receipt.tokens;
    const exact = assembler()(request([node("ctx-root", big)], { limits: { tokens: all } }));
    expect(exact.text).toBe(made.text);
  });

  it("[B16] those of the reader's own node come before those above, and the root gives way first", () => {
    const path = [
      node("ctx-root", doc("root", prose("root", 1500))),
      node("ctx-a", doc("above", prose("above", 1500))),
      node("ctx-a-b", doc("own", prose("own", 1500))),
    ];
    const { receipt, text } = assembler()(request(path, { limits }));
    expect(documentsIn(receipt).map(part => [part.source, part.in])).toEqual([
      ["above", true],
      ["own", true],
      ["root", false],
    ]);
    expect(text).toContain(
      `- not given, ctx-root: 1 text, ${countTokens(prose("root", 1500))} tokens: docs/root.md`,
    );
    expect(receipt.tokens).toBeLessThanOrEqual(limits.tokens);
  });

  it("[B16] what is far keeps its shortest forms in a fifth of the room, however much the own node has", () => {
    const rule = doc("rule", "Never push to main.\n");
    const own = Array.from({ length: 8 }, (_, at) => doc(`own-${at}`, prose(`own-${at}`, 600)));
    // One that the fifth does not hold takes nothing from those that it does.
    const tome = doc("tome", prose("tome", 2000));
    const { receipt } = assembler()(
      request([node("ctx-root", tome, rule), node("ctx-a", ...own)], { limits }),
    );
    expect(documentsIn(receipt).find(({ source }) => source === "rule")?.in).toBe(true);
  });

  it("[B17] many small ones share a line that names some, and how to get any", () => {
    const small = Array.from({ length: 450 }, (_, at) => doc(`n${at}`, `Bed ${at} is ${at * 3} wide.\n`));
    const own = doc("own", prose("own", 300));
    const made = assembler()(request([node("ctx-root", ...small), node("ctx-a", own)], { limits }));
    expect(made.receipt.tokens).toBeLessThanOrEqual(limits.tokens);
    expect(made.receipt.tokens).toBeGreaterThan(limits.tokens * 0.9);
    const out = documentsIn(made.receipt).filter(part => !part.in);
    expect(out.length).toBeGreaterThan(300);
    const note = made.receipt.parts.find(({ source }) => source === "left-out")!;
    expect(note.tokens).toBeLessThanOrEqual(400);
    expect(made.text).toMatch(
      new RegExp(`- not given, ctx-root: ${out.length} texts, \\d+ tokens: docs/n\\d+\\.md, `),
    );
    expect(made.text).toContain("own: the gate");
  });

  it("[B17] a limit that a person set for one text binds where not everything fits, and is named", () => {
    const document = doc("d", prose("d", 2000));
    const levels = {
      forms: [
        { level: 0, text: document.text, retention: 1 },
        { level: 2, text: "d in brief", retention: 0.5 },
      ],
      priority: 0.5,
    } as const;
    const { receipt } = assembler()(
      request([node("ctx-root", document, doc("e", prose("e", 3000)))], {
        limits: { ...limits, document: 500 },
        documentLevels: ({ label }) =>
          label === "d" ? levels : { ...levels, forms: [{ level: 2, text: "e in brief", retention: 0.5 }] },
      }),
    );
    expect(documentsIn(receipt)).toMatchObject([
      { source: "d", level: 2, bound: { limit: "context.package.document", tokens: 500 } },
      { source: "e", level: 2 },
    ]);
  });

  it("[B4] what others appended to the root makes a full branch give way, not the limit", () => {
    const make = assembler();
    const root = doc("root", prose("root", 100));
    const full = node("ctx-full", doc("full-1", prose("full-1", 1900)), doc("full-2", prose("full-2", 1300)));
    make(request([node("ctx-root", root), full], { limits }));
    const found = doc("found", prose("found", 1200));
    const light = make(
      request([node("ctx-root", root, found), node("ctx-light", doc("l", "l"))], { limits }),
    );
    expect(documentsIn(light.receipt).find(({ source }) => source === "found")?.in).toBe(true);
    const again = make(request([node("ctx-root", root, found), full], { limits }));
    expect(again.receipt.tokens).toBeLessThanOrEqual(limits.tokens);
    expect(documentsIn(again.receipt).find(({ source }) => source === "found")?.in).toBe(false);
  });
});

describe("results", () => {
  it("[B9] say so when there is nothing", () => {
    const made = assembler()(request([node("ctx-root")], { results: [result("T0", "  \n")] }));
    expect(made.text).toContain("(it left no message)");
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
    // What went wrong last time stands there in full.
    const told = receipt.parts.filter(({ kind, level }) => kind === "attempt" && level === 0);
    expect(told.map(({ source }) => source)).toContain("T1#20");
  });
});

describe("the limit", () => {
  it("[B10] holds whatever comes, unless role and task alone pass it", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 31 }), seed => {
        const given = adversarial(seed);
        const made = assembler()(given);
        expect(overBy(given, made)).toBeLessThanOrEqual(0);
        expect(countTokens(made.text)).toBe(made.receipt.tokens);
        expect(made.text).toContain(given.assignment.trim());
        const told = made.receipt.parts.reduce((sum, { tokens }) => sum + tokens, 0);
        expect(told).toBe(made.receipt.tokens);
      }),
      { numRuns: 150 },
    );
  });

  it("[B10] role and task are given alone where they pass it", () => {
    const made = assembler()(
      request([node("ctx-root", doc("d", "d"))], { limits: { tokens: 5 }, results: [result("T0", "r")] }),
    );
    expect(made.receipt.parts.filter(part => part.in && part.kind !== "heading")).toMatchObject([
      { kind: "role" },
      { kind: "task" },
    ]);
  });

  it("[B8] is generous by default", () => {
    const made = assembler()(request([node("ctx-root", doc("d", prose("d", 140_000)))]));
    expect(documentsIn(made.receipt).find(({ source }) => source === "d")?.in).toBe(true);
    expect(PACKAGE_LIMITS.tokens).toBe(150_000);
  });
});
