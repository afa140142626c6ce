import { describe, expect, it } from "vitest";
import type { PackageReceipt } from "../../../src/assembly/index.ts";
import { budgetSchema, settleBudget } from "../../../src/budget/index.ts";
import { usesOf } from "../../../src/context/library/asked.ts";
import { noteAsked, type TreeOptions } from "../../../src/context/library/index.ts";
import { DEFAULT_TREE } from "../../../src/engine/attempt/briefing.ts";
import { countTokens } from "../../../src/tokens/index.ts";
import { type Bench, type BenchOptions, openBench } from "../../engine/bench.ts";

function treeOf(budget: unknown): TreeOptions {
  const settled = settleBudget(budgetSchema().parse(budget));
  if (!settled.ok) throw new Error(settled.failure.map(({ message }) => message).join());
  return { ...DEFAULT_TREE, budget: settled.value };
}

/** An agent's answer of at most so many tokens, and nearly that. */
function answer(name: string, tokens: number): string {
  let text = `# ${name}\n\n**Decision**: keep ${name}\n`;
  for (let at = 0; ; at++) {
    const next = `${text}- bed ${at} of ${name} takes ${at * 7 + 3} ms in src/${name}/rake_${at}.ts\n`;
    if (countTokens(next) > tokens) return text;
    text = next;
  }
}

/** Agents 02 (three parts of the budget), 01 (two) and 11 (one), one after the other. */
const CHAIN = [
  "### [ ] T1.1: Ask\n- role: 01\n",
  "### [ ] T1.2: Think\n- role: 02\n- depends_on: [T1.1]\n",
  "### [ ] T1.3: Build\n- role: 11\n- depends_on: [T1.1, T1.2]\n",
].join("\n");
const flowOf = (total: number) => ({
  workflow: "own",
  workflows: { own: { agents: ["01", "02", "11"], total_budget: total } },
});
const SMALL = flowOf(600);

const open = (tasks: string, budget: unknown, more: Partial<BenchOptions> = {}): Bench =>
  openBench({ tasks, ...more, engine: { tree: treeOf(budget), ...more.engine } });

function receipt(bench: Bench, task: string, attempt = 1): PackageReceipt {
  const rows = bench.engine.library.rows.receipts("run-1", task);
  const row = rows.ok ? rows.value.find(one => one.attempt === attempt) : undefined;
  if (row === undefined) throw new Error(`no receipt of ${task}#${attempt}`);
  return JSON.parse(row.receipt) as PackageReceipt;
}

/** Answers the next turn of a task, and waits until that is durable. */
async function say(bench: Bench, task: string, text: string): Promise<string> {
  const part = await bench.puppets.next(task);
  part.say(`${text}\nDONE:${part.id}`);
  await bench.event(event => event.type === "completed" && event.task === task);
  return part.prompt;
}

const act = (bench: Bench, action: "skip" | "pause" | "resume" | "retry", task: string) =>
  bench.engine.send({ type: "act", action, task, note: "", textHash: "" });

describe("a run whose remaining work changes", () => {
  it("[G23] hands later agents what earlier ones left, in their receipts and in what they are given", async () => {
    using bench = open(CHAIN, flowOf(3000));
    const end = bench.start();
    await say(bench, "T1.1", answer("oak", 90));
    expect(receipt(bench, "T1.1").share).toEqual({ tokens: 1000, stage: "own" });
    await say(bench, "T1.2", answer("elm", 3500));
    const took = countTokens(answer("oak", 90).trim());
    // 3 of 4 parts of what is left.
    const share = receipt(bench, "T1.2").share!.tokens;
    expect(Math.abs(share - (3000 - took) * 0.75)).toBeLessThanOrEqual(1);
    // 3,500 tokens are more than it may hand on: what is read of it fits its share.
    const prompt = await say(bench, "T1.3", "built");
    expect(await end).toMatchObject({ outcome: "completed" });
    const own = receipt(bench, "T1.3");
    expect(own.share!.tokens).toBe(3000 - took - share);
    const part = own.parts.find(({ source }) => source === "T1.2#1")!;
    expect(part).toMatchObject({ in: true, why: "longer-than-a-result-may-be" });
    expect(part.tokens).toBeLessThanOrEqual(share + 60);
    expect(prompt).toContain("keep elm");
    expect(prompt).toContain(`at most ${own.share!.tokens} tokens of your answer`);
  });

  it("[G23] [G8] finds the same shares after a restart", async () => {
    const shareOfLast = async (restarts: boolean): Promise<number | undefined> => {
      using first = open(CHAIN, SMALL);
      const ended = first.start();
      await say(first, "T1.1", answer("oak", 90));
      await say(first, "T1.2", answer("elm", 300));
      if (!restarts) {
        await say(first, "T1.3", "built");
        await ended;
        return receipt(first, "T1.3").share?.tokens;
      }
      await first.engine.send({ type: "stop", by: "ann", how: "hard" });
      await ended;
      using second = open(CHAIN, SMALL, { place: first.place, resume: true });
      const done = second.start();
      await say(second, "T1.3", "built");
      await done;
      return receipt(second, "T1.3", 2).share?.tokens;
    };
    const plain = await shareOfLast(false);
    expect(plain).toBeGreaterThan(0);
    expect(await shareOfLast(true)).toBe(plain);
  });

  it("[G23] follows what a person skips, holds back and lets go again", async () => {
    const tasks = [
      "### [ ] T1.1: Ask\n- role: 01\n",
      "### [ ] T1.2: Think\n- role: 02\n- depends_on: [T1.1]\n",
      "### [ ] T1.3: Build\n- role: 11\n- depends_on: [T1.1]\n",
    ].join("\n");
    /** What the builder may hand on, and what the thinker may when it comes back. */
    const sharesAfter = async (action: "skip" | "pause" | undefined): Promise<readonly number[]> => {
      using bench = open(tasks, SMALL, { policy: { parallel: 1 }, engine: { stays: true } });
      const end = bench.start();
      const part = await bench.puppets.next("T1.1");
      if (action !== undefined) await act(bench, action, "T1.2");
      part.say(`nothing\nDONE:${part.id}`);
      if (action === undefined) await say(bench, "T1.2", answer("elm", 290));
      await say(bench, "T1.3", "built");
      if (action === "pause") {
        await act(bench, "resume", "T1.2");
        await say(bench, "T1.2", "thought");
      }
      await bench.engine.send({ type: "stop", by: "ann", how: "soft" });
      await end;
      const asked = action === "pause" ? ["T1.3", "T1.2"] : ["T1.3"];
      return asked.map(task => receipt(bench, task).share!.tokens);
    };
    const [beside] = await sharesAfter(undefined);
    expect(beside).toBeLessThan(350);
    const [skipped] = await sharesAfter("skip");
    expect(skipped).toBeGreaterThan(590);
    const [held, back] = await sharesAfter("pause");
    expect(held).toBe(skipped);
    // It comes back for what the others have left.
    expect(back).toBeGreaterThan(590);
  });

  it("[G23] makes room for what is added while it runs", async () => {
    using bench = open(CHAIN, SMALL);
    const end = bench.start();
    const part = await bench.puppets.next("T1.1");
    const more = `# Bench\n## Phase 1: p\n${CHAIN}\n### [ ] T1.4: Think again\n- role: 02\n- depends_on: [T1.3]\n`;
    await bench.engine.send({ type: "plan-changed", plan: bench.plan(more) });
    part.say(`${answer("oak", 190)}\nDONE:${part.id}`);
    await say(bench, "T1.2", answer("elm", 100));
    await say(bench, "T1.3", "built");
    await say(bench, "T1.4", "thought");
    expect(await end).toMatchObject({ outcome: "completed" });
    const { share } = receipt(bench, "T1.4");
    expect(share?.stage).toBe("added");
    const rest = [answer("oak", 190).trim(), answer("elm", 100).trim(), "built"].map(countTokens);
    expect(share?.tokens).toBe(600 - rest.reduce((sum, one) => sum + one, 0));
  });

  it.each([
    ["a workflow", { workflow: "own", workflows: { own: { agents: ["02", "02", "02", "11"] } } }],
    ["none", {}],
  ])(
    "[G24] carries outputs in brief once four fifths of the window are used, and not before, with %s",
    async (_, flow) => {
      const budget = {
        context_budget: {
          total_available: 11_000,
          allocation: { system_prompt: 0, user_context: 6000, agent_outputs: 5000, buffer: 0 },
        },
        ...flow,
      };
      const tasks = [
        "### [ ] T1.1: a\n- role: 02\n",
        "### [ ] T1.2: b\n- role: 02\n- depends_on: [T1.1]\n",
        "### [ ] T1.3: c\n- role: 02\n- depends_on: [T1.2]\n",
        "### [ ] T1.4: d\n- role: 11\n- depends_on: [T1.3]\n",
      ].join("\n");
      using bench = open(tasks, budget);
      const end = bench.start();
      await say(bench, "T1.1", answer("oak", 1450));
      await say(bench, "T1.2", answer("elm", 1450));
      await say(bench, "T1.3", answer("fir", 1450));
      await say(bench, "T1.4", "done");
      expect(await end).toMatchObject({ outcome: "completed" });
      const level = (task: string, source: string) =>
        receipt(bench, task).parts.find(part => part.source === source);
      expect(level("T1.2", "T1.1#1")).toMatchObject({ level: 0 });
      // 2,900 of 5,000.
      expect(level("T1.3", "T1.2#1")).toMatchObject({ level: 0 });
      // 4,350 of 5,000, though what it reads is a third of the window: the run is what fills it.
      expect(level("T1.4", "T1.3#1")).toMatchObject({ level: 2, why: "compression" });
    },
  );

  it("[G30] gives more of what was asked for, unless it is not to learn", async () => {
    const tasks = [
      "### [ ] T1.1: a\n",
      "### [ ] T1.2: b\n- depends_on: [T1.1]\n",
      "### [ ] T1.3: c\n- depends_on: [T1.1, T1.2]\n",
      "### [ ] T1.4: d\n- depends_on: [T1.1, T1.2, T1.3]\n",
    ].join("\n");
    const levels = async (learn: boolean) => {
      const tree = { ...treeOf({}), learn, limits: { tokens: 8000 } };
      using bench = openBench({ tasks, engine: { tree } });
      const end = bench.start();
      await say(bench, "T1.1", answer("oak", 3500));
      await say(bench, "T1.2", answer("elm", 3500));
      const third = await bench.puppets.next("T1.3");
      for (let times = 0; times < 9; times++)
        await noteAsked(bench.engine.library, {
          runId: "run-1",
          task: "T1.3",
          attempt: 1,
          source: "T1.1",
          tokens: 3500,
        });
      third.say(`ok\nDONE:${third.id}`);
      await say(bench, "T1.4", "ok");
      await end;
      const { parts } = receipt(bench, "T1.4");
      return ["T1.1#1", "T1.2#1"].map(source => parts.find(part => part.source === source)?.level);
    };
    // Without it the newer one comes first.
    expect(await levels(false)).toEqual([2, 0]);
    expect(await levels(true)).toEqual([0, 2]);
  });

  it("[G41] gives more of what answers cite and less of what they call wrong, unless it is not to learn", async () => {
    const tasks = [
      "### [ ] T1.1: a\n",
      "### [ ] T1.2: b\n- depends_on: [T1.1]\n",
      "### [ ] T1.3: c\n- depends_on: [T1.1, T1.2]\n",
      "### [ ] T1.4: d\n- depends_on: [T1.1, T1.2, T1.3]\n",
    ].join("\n");
    const run = async (learn: boolean) => {
      const tree = { ...treeOf({}), learn, limits: { tokens: 8000 } };
      using bench = openBench({ tasks, engine: { tree } });
      const end = bench.start();
      await say(bench, "T1.1", answer("oak", 3500));
      await say(bench, "T1.2", answer("elm", 3500));
      await say(bench, "T1.3", "The port follows T1.1. T1.2 is wrong about the bed.");
      await say(bench, "T1.4", "ok");
      await end;
      const { parts } = receipt(bench, "T1.4");
      const levels = ["T1.1#1", "T1.2#1"].map(source => parts.find(part => part.source === source)?.level);
      // The same from what is durable, as after a restart.
      const { library } = bench.engine;
      const uses = usesOf(library, "run-1");
      library.asked.uses = undefined;
      expect(usesOf(library, "run-1")).toEqual(uses);
      return { levels, cited: receipt(bench, "T1.3").cited };
    };
    const cited = [
      { source: "T1.1", times: 1, against: 0, said: "The port follows T1.1." },
      { source: "T1.2", times: 1, against: 1, said: "T1.2 is wrong about the bed." },
    ];
    expect(await run(false)).toEqual({ levels: [2, 0], cited });
    expect(await run(true)).toEqual({ levels: [0, 2], cited });
  });

  it("[G24] offers no level that frees less than a twentieth", async () => {
    const flow = (level: string) => ({
      workflow: "own",
      workflows: { own: { stages: { a: { agents: ["02", "02"], budget: 9000, compression: level } } } },
    });
    const tasks = "### [ ] T1.1: a\n- role: 02\n\n### [ ] T1.2: b\n- role: 02\n- depends_on: [T1.1]\n";
    using bench = open(tasks, flow("level_1"));
    const end = bench.start();
    // A little more than a brief one may be: at level 1 it is whole, and level 2 would save next to nothing.
    const text = answer("oak", 1010);
    await say(bench, "T1.1", text);
    const prompt = await say(bench, "T1.2", "done");
    await end;
    expect(receipt(bench, "T1.2").parts.find(({ source }) => source === "T1.1#1")).toMatchObject({
      level: 0,
      in: true,
    });
    expect(prompt).toContain(text.trim());
  });
});
