import { describe, expect, it } from "vitest";
import { budgetSchema, settleBudget } from "../../../src/budget/index.ts";
import type { Archive } from "../../../src/context/library/index.ts";
import { DEFAULT_TREE } from "../../../src/engine/attempt/briefing.ts";
import {
  fail,
  type Model,
  type ModelAnswer,
  type ModelFailure,
  ok,
  type Result,
} from "../../../src/ports/index.ts";
import { readKeptDigest, writeKeptDigest } from "../../../src/summary/index.ts";
import { type Bench, type BenchOptions, openBench } from "../../engine/bench.ts";
import { itWhole } from "../../sample.ts";
import { longOutput } from "../../summary/outputs.ts";

const LONG = longOutput(120);

const TASKS = [
  "### [ ] T1.1: Say much\n- role: 11\n",
  "### [ ] T1.2: Read it\n- depends_on: [T1.1]\n",
  "### [ ] T1.3: Read it too\n- depends_on: [T1.1]\n",
].join("\n");

function settled() {
  const limits = { light: { max_output: 900, summary_threshold: 500, agents: ["11"] } };
  const budget = settleBudget(budgetSchema().parse({ context_budget: { per_agent_limits: limits } }));
  if (!budget.ok) throw new Error("no budget");
  return budget.value;
}

type Answer = Result<ModelAnswer, ModelFailure>;

/** A model whose answers the test gives, one for each question. */
class Puppet implements Model {
  readonly portVersion = 1;
  readonly name = "tiny";
  readonly asked: string[] = [];
  readonly #answer: (at: number) => Answer | Promise<Answer>;

  constructor(answer: (at: number) => Answer | Promise<Answer>) {
    this.#answer = answer;
  }

  async answer({ prompt }: { readonly prompt: string }): Promise<Answer> {
    this.asked.push(prompt);
    return this.#answer(this.asked.length);
  }
}

const usage = { inputTokens: 1000, outputTokens: 100 };
const useful = (at: number): Answer =>
  ok({
    value: { summary: `Part ${at}, says the model.`, facts: [`export_jobs D-2 stands, part ${at}`] },
    usage,
  });
const useless: Answer = ok({ value: { nothing: true, summary: 7 }, usage });
const unreachable: Answer = fail({ kind: "network", message: "no route", retryable: true });

/** What a process leaves to the next one. */
function archiveOf(
  texts: Map<string, string> = new Map(),
): Archive & { readonly texts: Map<string, string> } {
  return {
    texts,
    get: (kind, key) => texts.get(`${kind} ${key}`),
    put: (kind, key, text) => void texts.set(`${kind} ${key}`, text),
  };
}

function open(model: Model, archive: Archive | undefined, more: Partial<BenchOptions> = {}): Bench {
  const summarizer = { model, maxInputTokens: 1500, timeoutMs: 1000 };
  return openBench({
    tasks: TASKS,
    ...more,
    world: { summarizer, ...(archive === undefined ? {} : { archive }) },
    engine: { tree: { ...DEFAULT_TREE, budget: settled() } },
  });
}

async function say(bench: Bench, task: string, text: string): Promise<string> {
  const part = await bench.puppets.next(task);
  part.say(`${text}\nDONE:${part.id}`);
  await bench.event(event => event.type === "completed" && event.task === task);
  return part.prompt;
}

/** One task after the other, up to the one that is asked for. */
async function runTo(bench: Bench, last: string): Promise<string> {
  let prompt = "";
  for (const task of ["T1.1", "T1.2", "T1.3"]) {
    prompt = await say(bench, task, task === "T1.1" ? LONG : "read");
    if (task === last) return prompt;
  }
  return prompt;
}

describe("what a model makes of outputs", () => {
  it("[G25] is asked for once, also by attempts that begin together", async () => {
    const model = new Puppet(useful);
    using bench = open(model, archiveOf(), { policy: { parallel: 2 } });
    const end = bench.start();
    await say(bench, "T1.1", LONG);
    const [two, three] = [await bench.puppets.next("T1.2"), await bench.puppets.next("T1.3")];
    const once = model.asked.length;
    expect(new Set(model.asked).size).toBe(once);
    for (const part of [two, three]) {
      expect(part.prompt).toContain("says the model");
      part.say(`read\nDONE:${part.id}`);
    }
    await end;
    expect(model.asked).toHaveLength(once);
  });

  it("[G25] outlives the process: a resume reads what was paid for, and counts it once", async () => {
    const archive = archiveOf();
    const first = new Puppet(useful);
    using before = open(first, archive);
    const ended = before.start();
    await runTo(before, "T1.2");
    await before.engine.send({ type: "stop", by: "ann", how: "hard" });
    await ended;
    expect(first.asked.length).toBeGreaterThan(0);
    const second = new Puppet(useful);
    using after = open(second, archive, { place: before.place, resume: true });
    const done = after.start();
    const prompt = await say(after, "T1.3", "read");
    expect(await done).toMatchObject({ outcome: "completed" });
    expect(second.asked).toEqual([]);
    expect(prompt).toContain("says the model");
  });

  it("[G25] of which a kill took a part goes on behind it: no span is paid for twice", async () => {
    const archive = archiveOf();
    const spans = new Puppet(useful);
    using whole = open(spans, undefined);
    const all = whole.start();
    await runTo(whole, "T1.3");
    await all;
    expect(spans.asked.length).toBeGreaterThan(2);
    // The process dies while the model reads the second span.
    const first = new Puppet(at => (at === 1 ? useful(1) : new Promise<Answer>(() => {})));
    using before = open(first, archive);
    void before.start();
    await say(before, "T1.1", LONG);
    await before.event(event => event.type === "dispatched" && event.tasks.includes("T1.2"));
    while (first.asked.length < 2) await new Promise(resolve => setImmediate(resolve));
    const second = new Puppet(at => useful(at + 1));
    using after = open(second, archive, { place: before.place, resume: true });
    const done = after.start();
    await say(after, "T1.2", "read");
    await say(after, "T1.3", "read");
    await done;
    expect(second.asked).toEqual(spans.asked.slice(1));
  });

  itWhole(
    "[G25] is not asked for again where an answer was paid for and of no use; where nobody answered it is",
    async () => {
      for (const [answer, again] of [
        [useless, false],
        [unreachable, true],
      ] as const) {
        const archive = archiveOf();
        const first = new Puppet(() => answer);
        using before = open(first, archive);
        const ended = before.start();
        expect(await runTo(before, "T1.2")).toContain("export_jobs");
        await before.engine.send({ type: "stop", by: "ann", how: "hard" });
        await ended;
        const second = new Puppet(useful);
        using after = open(second, archive, { place: before.place, resume: true });
        const done = after.start();
        const prompt = await say(after, "T1.3", "read");
        await done;
        expect(second.asked.length > 0).toBe(again);
        expect(prompt.includes("says the model")).toBe(again);
      }
    },
  );

  it("[G26] keeps the shortened texts that attempts were given, each once, under the names in their receipts", async () => {
    const archive = archiveOf();
    using bench = open(new Puppet(useful), archive);
    const end = bench.start();
    const prompt = await runTo(bench, "T1.3");
    await end;
    const rows = bench.engine.library.rows.receipts("run-1", "T1.3");
    const { parts } = JSON.parse((rows.ok ? rows.value : [])[0]!.receipt);
    const part = parts.find(({ source }: { source: string }) => source === "T1.1#1");
    const told = [...archive.texts].filter(([name]) => name.startsWith("told "));
    expect(told).toHaveLength(1);
    expect(told[0]![0]).toBe(`told ${part.kept}`);
    expect(prompt).toContain(told[0]![1]);
  });
});

describe("a kept digest", () => {
  it("[G25] is read as it was written, and nothing else is one", () => {
    const state = { digest: { summary: "s", reasons: [], facts: ["f"], open: [] }, length: 5, hash: "ab" };
    for (const kept of [{ state, closed: true }, { closed: false }])
      expect(readKeptDigest(writeKeptDigest(kept))).toEqual(kept);
    for (const bad of ["", "{", "null", "[]", '{"closed":1}', '{"state":{},"closed":true}', '{"state":7}'])
      expect(readKeptDigest(bad)).toBeUndefined();
  });
});
