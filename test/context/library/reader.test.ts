import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PackageReceipt } from "../../../src/assembly/index.ts";
import {
  createReaders,
  EXACT,
  limitsFor,
  readTokens,
  strictLimits,
} from "../../../src/context/library/reader.ts";
import { DEFAULT_TREE } from "../../../src/engine/attempt/briefing.ts";
import { countTokens, UNCALIBRATED } from "../../../src/tokens/index.ts";
import { openBench } from "../../engine/bench.ts";

const LIMITS = { tokens: 10_000, document: 5000, result: 2000, results: 8000 };
const ENGLISH = "The gate of the garden is made of oak and opens to the north. ";
const KOREAN = "정원의 문은 참나무로 만들었고 북쪽으로 열린다. ";
const claude = { model: "claude", known: UNCALIBRATED };

describe("the limits of a package for its reader", () => {
  it("[G20] stand in the receipt as they were set, with what they come to in the tokens of its parts", async () => {
    using bench = openBench({
      tasks: "### [ ] T1.1: Say much\n\n### [ ] T1.2: Read it\n- depends_on: [T1.1]\n",
      engine: {
        models: new Map([["puppet", "claude"]]),
        tree: { ...DEFAULT_TREE, limits: { ...DEFAULT_TREE.limits, tokens: 900 } },
      },
    });
    const end = bench.start();
    const first = await bench.puppets.next("T1.1");
    first.say(`${ENGLISH.repeat(200)}\nDONE:${first.id}`);
    const second = await bench.puppets.next("T1.2");
    second.say(`read\nDONE:${second.id}`);
    await end;
    const rows = bench.engine.library.rows.receipts("run-1", "T1.2");
    const { tokens, parts } = JSON.parse((rows.ok ? rows.value : [])[0]!.receipt) as PackageReceipt;
    const { bound } = parts.find(({ source }) => source === "T1.1#1")!;
    expect(bound).toMatchObject({ limit: "context.package.tokens", tokens: 900 });
    expect(bound!.counted).toBeLessThan(900);
    expect(tokens).toBeLessThanOrEqual(bound!.counted!);
  });

  it("[B5] a package that its reader could not hold was never given: what the next one shares is not told by it", async () => {
    using bench = openBench({
      tasks: "### [ ] T1.1: Write it\n",
      engine: {
        models: new Map([["puppet", "claude"]]),
        tree: { ...DEFAULT_TREE, limits: { ...DEFAULT_TREE.limits, tokens: 300 } },
      },
    });
    const end = bench.start();
    const { id, prompt, say } = await bench.puppets.next("T1.1");
    expect(countTokens(prompt)).toBeLessThan(300);
    say(`written\nDONE:${id}`);
    await end;
    const rows = bench.engine.library.rows.receipts("run-1", "T1.1");
    const { limit, prefix } = JSON.parse((rows.ok ? rows.value : [])[0]!.receipt) as PackageReceipt;
    expect(limit).toBeLessThan(300);
    expect(prefix.tokens).toBe(0);
  });

  it("[G20] stay as they are for o200k readers and for what is small anyway", () => {
    expect(limitsFor(LIMITS, EXACT, [ENGLISH.repeat(5000)], countTokens)).toEqual(LIMITS);
    expect(limitsFor(LIMITS, claude, [ENGLISH.repeat(20)], countTokens)).toEqual(LIMITS);
  });

  it("[G20] shrink by the family's margin where texts fill them, more so in Hangul", () => {
    const english = limitsFor(LIMITS, claude, [ENGLISH.repeat(2000)], countTokens);
    const korean = limitsFor(LIMITS, claude, [KOREAN.repeat(2000)], countTokens);
    expect(english.tokens).toBe(Math.floor(10_000 / (1.09 * 1.35)));
    expect(english.results).toBe(Math.floor(8000 / (1.09 * 1.35)));
    expect(korean.tokens).toBeLessThan(english.tokens);
    expect(korean.tokens).toBeGreaterThanOrEqual(strictLimits(LIMITS, claude).tokens);
    expect(korean.document).toBe(LIMITS.document);
  });

  it("[G20] hold for any mix of texts that fills them", () => {
    const text = fc.array(fc.constantFrom(ENGLISH, KOREAN, "const a = b[0] ?? f(x);\n"), {
      minLength: 1,
      maxLength: 60,
    });
    const model = fc.constantFrom("claude", "gemini-2.5-pro", "gpt-5", "some-model");
    fc.assert(
      fc.property(text, model, (parts, name) => {
        const reader = { model: name, known: UNCALIBRATED };
        const strict = strictLimits({ tokens: 1000, document: 1, result: 1 }, reader).tokens;
        let whole = "";
        for (const part of parts) if (countTokens(whole + part) <= strict) whole += part;
        expect(readTokens(whole, countTokens(whole), reader).upper).toBeLessThanOrEqual(1000);
      }),
      { numRuns: 60 },
    );
  });
});

describe("what reports teach", () => {
  const report = (inputTokens: number, estimate = 10_000) => ({
    task: "T1",
    number: 1,
    agent: "a",
    usage: { inputTokens },
    estimate,
  });

  it("[G21] [G20] narrows the margin of an agent, and of nobody else", () => {
    const readers = createReaders(
      new Map([["a", "claude-opus"]]),
      Array.from({ length: 30 }, () => report(10_300)),
    );
    const text = ENGLISH.repeat(200);
    const tokens = countTokens(text);
    const taught = readTokens(text, tokens, readers.of("a"));
    const stated = readTokens(text, tokens, claude);
    expect(taught.model).toBe("claude-opus");
    expect(taught.upper).toBeLessThan(stated.upper);
    expect(taught.likely).toBeGreaterThan(taught.estimate);
    expect(taught.upper).toBeGreaterThanOrEqual(taught.likely);
    expect(readers.of("b").known).toEqual(UNCALIBRATED);
    expect(readTokens(text, tokens, EXACT)).toMatchObject({
      estimate: tokens,
      likely: tokens,
      upper: tokens,
    });
  });

  it.each([
    ["many turns", report(400_000)],
    ["none", report(10)],
    ["a package that is lost beside the agent's own prompt", report(900, 800)],
    ["nothing", { ...report(1), usage: {} }],
    ["nothing that was estimated", { task: "T1", number: 1, agent: "a", usage: { inputTokens: 5000 } }],
    ["no number", report(Number.NaN)],
    ["an estimate of ours", { ...report(1), usage: { inputTokens: 10_300, estimatedTokens: 300 } }],
  ])("[G21] is nothing where a report is of %s", (_what, row) => {
    const readers = createReaders(new Map());
    readers.learn(row);
    expect(readers.of("a").known).toEqual(UNCALIBRATED);
  });
});
