import { describe, expect, it } from "vitest";
import { modelsSpentBy } from "../../src/engine/spent.ts";
import { addUsage, amountsOf, ok } from "../../src/ports/index.ts";
import { openBench } from "./bench.ts";

const ONE = "### [ ] T1.1: one\n";

/** What the store has of the newest attempt. */
const rowOf = (bench: ReturnType<typeof openBench>) =>
  bench.changes.flatMap(({ attempts = [] }) => attempts).findLast(({ task }) => task === "T1.1");

describe("what an attempt takes while it runs", () => {
  it("[E35] is durable before its end: its estimate, its session, and what it reported so far", async () => {
    using bench = openBench({ tasks: ONE });
    const end = bench.start();
    const one = await bench.puppets.next("T1.1");
    // Nobody waits for it: it is written with the next, or after a moment.
    expect(rowOf(bench)?.estimate).toBeUndefined();
    await bench.clock.advance(100);
    expect(rowOf(bench)?.estimate).toBeGreaterThan(0);
    one.tell({ type: "session", id: "s-1" });
    one.tell({ type: "usage", inputTokens: 900, outputTokens: 10 });
    one.tell({ type: "usage", inputTokens: 2000, outputTokens: 30 });
    one.line("seen");
    await bench.event(event => event.type === "attempt-line");
    await bench.engine.send({ type: "tick" });
    expect(rowOf(bench)).toMatchObject({
      outcome: "running",
      endedAt: 0,
      session: "s-1",
      usage: { inputTokens: 2000, outputTokens: 30 },
    });
    one.say(`DONE:${one.id}`);
    await end;
    expect(rowOf(bench)).toMatchObject({ outcome: "done", usage: { inputTokens: 2000, outputTokens: 30 } });
  });

  it("[E35] leaves out amounts that are none, which no sum could bear", async () => {
    using bench = openBench({ tasks: ONE });
    const end = bench.start();
    const one = await bench.puppets.next("T1.1");
    one.tell({ type: "usage", inputTokens: 900, outputTokens: -1, costUsd: 0.5 });
    one.tell({ type: "usage", inputTokens: -1, costUsd: -0.5 });
    one.say(`DONE:${one.id}`);
    await end;
    expect(rowOf(bench)?.usage).toEqual({ inputTokens: 900, costUsd: 0.5 });
    expect(amountsOf({ inputTokens: Number.NaN, outputTokens: Infinity, costUsd: 0 })).toEqual({
      costUsd: 0,
    });
  });

  it("[E35] is found by the process that comes after a crash", async () => {
    using first = openBench({ tasks: ONE });
    void first.start();
    const one = await first.puppets.next("T1.1");
    one.tell({ type: "usage", inputTokens: 5000 });
    one.line("seen");
    await first.event(event => event.type === "attempt-line");
    await first.engine.send({ type: "tick" });
    using second = openBench({ tasks: ONE, place: first.place, resume: true });
    void second.start();
    await second.puppets.next("T1.1");
    const crashed = second.changes.flatMap(({ attempts = [] }) => attempts)[0];
    expect(crashed).toMatchObject({ number: 1, outcome: "crashed", usage: { inputTokens: 5000 } });
  });

  it("[E35] is kept when the agent itself breaks", async () => {
    using bench = openBench({ tasks: ONE });
    void bench.start();
    const one = await bench.puppets.next("T1.1");
    one.tell({ type: "usage", inputTokens: 7000, costUsd: 0.5 });
    one.end({
      kind: "failed",
      failure: { kind: "exit", message: "broken", retryable: true },
      finalMessage: "",
    });
    await bench.puppets.next("T1.1");
    const rows = bench.changes.flatMap(({ attempts = [] }) => attempts).filter(({ number }) => number === 1);
    expect(rows.at(-1)).toMatchObject({ outcome: "failed", usage: { inputTokens: 7000, costUsd: 0.5 } });
  });

  it("[G20] is counted in the tokens of the agent's own model", async () => {
    const estimates = new Map<string, number>();
    for (const model of ["gpt-5", "claude-opus"]) {
      using bench = openBench({ tasks: ONE, engine: { models: new Map([["puppet", model]]) } });
      void bench.start();
      await bench.puppets.next("T1.1");
      await bench.engine.send({ type: "tick" });
      estimates.set(model, rowOf(bench)?.estimate ?? 0);
    }
    expect(estimates.get("claude-opus")! / estimates.get("gpt-5")!).toBeCloseTo(1.09, 1);
  });

  it("[G20] holds a package to the limit in those tokens, and says so in its receipt", async () => {
    const text = Array.from({ length: 40 }, (_, at) => `- rule ${at}: rake the gravel of bed ${at}\n`).join(
      "",
    );
    const limits = { tokens: 2000, document: 2000, result: 500 };
    const sizes = new Map<string, number>();
    for (const model of ["gpt-5", "claude-opus"]) {
      using bench = openBench({
        tasks: `### [ ] T1.1: one\n- context: ctx-a\n\n## Context\n\n- ctx-root: docs/*.md\n  - ctx-a\n`,
        engine: {
          models: new Map([["puppet", model]]),
          tree: { ...(await import("../../src/engine/attempt/briefing.ts")).DEFAULT_TREE, limits },
        },
        world: {
          documents: {
            list: () => ok(["docs/a.md", "docs/b.md", "docs/c.md", "docs/d.md"]),
            read: path => ok(`# ${path}\n\n${text}`),
          },
        },
      });
      void bench.start();
      await bench.puppets.next("T1.1");
      await bench.engine.send({ type: "tick" });
      const receipts = bench.changes.flatMap(({ context }) => context?.receipts ?? []);
      const receipt = JSON.parse(receipts[0]!.receipt) as {
        readonly tokens: number;
        readonly reader?: { readonly model: string; readonly upper: number };
      };
      expect(receipt.reader?.upper ?? receipt.tokens).toBeLessThanOrEqual(2000);
      expect(receipt.reader?.model).toBe(model === "gpt-5" ? undefined : "claude-opus");
      sizes.set(model, receipt.tokens);
    }
    expect(sizes.get("claude-opus")).toBeLessThan(sizes.get("gpt-5")!);
  });
});

describe("amounts of one attempt", () => {
  it("[E35] of two sessions add up; what is a state of now replaces", () => {
    const first = { inputTokens: 100, costUsd: 1, contextUsed: 50, contextSize: 200 };
    expect(addUsage(first, { inputTokens: 10, outputTokens: 5, contextUsed: 20 })).toEqual({
      inputTokens: 110,
      outputTokens: 5,
      costUsd: 1,
      contextUsed: 20,
      contextSize: 200,
    });
    expect(addUsage(undefined, { inputTokens: 1 })).toEqual({ inputTokens: 1 });
  });

  it("[E35] of models stand beside those of the agent", () => {
    expect(modelsSpentBy({ usage: { inputTokens: 5 } })).toBeUndefined();
    expect(modelsSpentBy({ usage: { models: { tokens: 7 } } })).toEqual({ tokens: 7 });
    expect(modelsSpentBy({ usage: { models: { tokens: 7, costUsd: 0.1 } } })).toEqual({
      tokens: 7,
      cost: 0.1,
    });
  });
});

describe("what a model takes for a package", () => {
  const LONG = `# Report\n\n**Decision**: keep the oak\n\n${Array.from(
    { length: 200 },
    (_, at) => `- bed ${at} is raked by src/rake_${at}.ts in ${at * 7} ms\n`,
  ).join("")}`;

  it("[E35] is in the attempt's row before the agent has begun, counts at once, and once", async () => {
    const { budgetSchema, settleBudget } = await import("../../src/budget/index.ts");
    const { createSpending } = await import("../../src/run/index.ts");
    const { DEFAULT_TREE } = await import("../../src/engine/attempt/briefing.ts");
    const limits = { light: { max_output: 800, summary_threshold: 500, agents: ["11"] } };
    const budget = settleBudget(
      budgetSchema().parse({
        context_budget: { per_agent_limits: limits },
        prices: { tiny: { input: 1000, output: 1000 } },
      }),
    );
    if (!budget.ok) throw new Error("the budget is sound");
    let asked = 0;
    using bench = openBench({
      tasks: `### [ ] T1.1: say\n- role: "11"\n### [ ] T1.2: read\n- depends_on: [T1.1]\n`,
      engine: { tree: { ...DEFAULT_TREE, budget: budget.value } },
      world: {
        summarizer: {
          model: {
            portVersion: 1,
            name: "tiny",
            answer: async () => {
              asked++;
              const value = { summary: "They keep the oak.", facts: ["keep the oak"] };
              return ok({ value, usage: { inputTokens: 900, outputTokens: 100 } });
            },
          },
          maxInputTokens: 100_000,
          timeoutMs: 1000,
        },
      },
    });
    bench.run.spending = createSpending({ maxTokens: 1_000_000 }, []);
    const end = bench.start();
    const one = await bench.puppets.next("T1.1");
    one.tell({ type: "usage", inputTokens: 3000 });
    one.say(`${LONG}\nDONE:${one.id}`);
    const two = await bench.puppets.next("T1.2");
    const rows = () =>
      bench.changes.flatMap(({ attempts = [] }) => attempts).filter(row => row.task === "T1.2");
    expect(asked).toBeGreaterThan(0);
    const models = { tokens: 1000 * asked, costUsd: asked };
    expect(rows().at(-1)).toMatchObject({ outcome: "running", usage: { models } });
    expect(bench.run.spending.tokens).toBe(3000 + 1000 * asked);
    two.tell({ type: "usage", inputTokens: 4000 });
    two.say(`DONE:${two.id}`);
    await end;
    expect(rows().at(-1)).toMatchObject({ outcome: "done", usage: { inputTokens: 4000, models } });
    expect(bench.run.spending.tokens).toBe(7000 + 1000 * asked);
  });
});
