import { describe, expect, it } from "vitest";
import { createQuestions } from "../../src/engine/index.ts";
import type { RunEvent } from "../../src/ports/index.ts";
import { createRedactor } from "../../src/text/index.ts";
import { agentSaid } from "../reasons.ts";
import { openBench } from "./bench.ts";
import { ManualClock } from "./manual-clock.ts";
import { askingAgent } from "./puppets.ts";

const WISH = { kind: "execute", title: "npm install" } as const;

function setup() {
  const clock = new ManualClock();
  const told: RunEvent[] = [];
  return { clock, told, questions: createQuestions(clock, event => told.push(event)) };
}

describe("what agents ask", () => {
  it("[E37] nobody is asked while nobody is there: the agent is answered at once", () => {
    const { questions } = setup();
    expect(questions.asker("T1.1", 1)).toBeUndefined();
  });

  it("[E37] a person answers, by name, and the question is over", async () => {
    const { questions, told } = setup();
    questions.attend();
    const answer = questions.asker("T1.1", 2)?.(WISH);
    expect(told).toEqual([{ type: "asked", task: "T1.1", attempt: 2, id: 1, ...WISH }]);
    expect(questions.pending()).toEqual(told);
    expect(questions.answer(1, true, "ann")).toBe(true);
    expect(await answer).toEqual({ answer: "allowed", by: "person" });
    expect(told.at(-1)).toEqual({ type: "answered", task: "T1.1", id: 1, allowed: true, by: "ann" });
    expect(questions.answer(1, false, "ann")).toBe(false);
    expect(questions.pending()).toEqual([]);
  });

  it("[E37] who does not answer in five minutes is nobody", async () => {
    const { questions, clock, told } = setup();
    questions.attend();
    const answer = questions.asker("T1.1", 1)?.(WISH);
    await clock.advance(5 * 60_000);
    expect(await answer).toEqual({ answer: "rejected", by: "nobody" });
    expect(told.at(-1)).toMatchObject({ type: "answered", allowed: false, by: "" });
    expect(clock.next).toBeUndefined();
  });

  it("[E37] questions are settled when the last person leaves", async () => {
    const { questions, clock } = setup();
    const [ann, ben] = [questions.attend(), questions.attend()];
    const ask = questions.asker("T1.1", 1)!;
    const answer = ask(WISH);
    ann();
    expect(questions.pending()).toHaveLength(1);
    ben();
    expect(await answer).toEqual({ answer: "rejected", by: "nobody" });
    expect(await ask(WISH)).toEqual({ answer: "rejected", by: "nobody" });
    expect(clock.next).toBeUndefined();
  });

  it("[E37] an agent that floods is answered by nobody", async () => {
    const { questions } = setup();
    questions.attend();
    const ask = questions.asker("T1.1", 1)!;
    for (let at = 0; at < 100; at++) void ask(WISH);
    expect(await ask(WISH)).toEqual({ answer: "rejected", by: "nobody" });
    expect(questions.pending()).toHaveLength(100);
  });
});

describe("an attempt whose agent asks", () => {
  it("[E37] can ask a person who is there, and hears the answer in its session", async () => {
    const { questions, told } = setup();
    questions.attend();
    const heard: unknown[] = [];
    const asking = askingAgent(WISH, answer => heard.push(answer));
    using bench = openBench({
      tasks: "### [ ] T1.1: Walls\n",
      engine: { defaultAgent: "asking" },
      agents: { asking },
      world: { questions },
    });
    const end = bench.start();
    while (told.length === 0) await new Promise(setImmediate);
    expect(told[0]).toMatchObject({ type: "asked", task: "T1.1", attempt: 1, title: "npm install" });
    questions.answer(1, true, "ann");
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(heard).toEqual([{ answer: "allowed", by: "person" }]);
  });

  it("[E37] question and answer stand in the run's history with who and when, secrets masked", async () => {
    const clock = new ManualClock();
    const questions = createQuestions(clock, event => bench.engine.note(event));
    questions.attend();
    const asking = askingAgent({ kind: "execute", title: "publish s3cret-of-ours" });
    using bench = openBench({
      tasks: "### [ ] T1.1: Walls\n",
      engine: { defaultAgent: "asking" },
      agents: { asking },
      world: { questions, redact: createRedactor(["s3cret-of-ours"]) },
    });
    const end = bench.start();
    await bench.event(event => event.type === "asked");
    questions.answer(1, false, "dashboard (ann)");
    await end;
    const kept = bench.changes.flatMap(change => change.events ?? []);
    expect(kept.map(({ seq }) => seq)).toEqual(kept.map((_, at) => at + 1));
    const [asked, answered] = kept.filter(({ event }) => event.type === "asked" || event.type === "answered");
    expect(asked?.event).toMatchObject({ task: "T1.1", attempt: 1, title: "publish [redacted]" });
    expect(answered?.event).toMatchObject({ task: "T1.1", allowed: false, by: "dashboard (ann)" });
    expect(answered?.at).toBeGreaterThan(0);
  });

  it("[E37] warnings stand there, too: who looks afterwards is told what those were who watched", async () => {
    using bench = openBench({
      tasks: "### [ ] T1.1: Walls\n- run: x\n",
      world: { redact: createRedactor(["s3cret-of-ours"]) },
    });
    const end = bench.start();
    await bench.event(event => event.type === "run-started");
    bench.engine.warn("NOT_TOLD", agentSaid("s3cret-of-ours did not answer"), "T1.1");
    await bench.event(event => event.type === "warning");
    const warning = {
      type: "warning",
      code: "NOT_TOLD",
      message: agentSaid("[redacted] did not answer"),
      task: "T1.1",
    };
    const kept = bench.changes.flatMap(change => change.events ?? []);
    expect(kept.map(({ event }) => event)).toContainEqual(warning);
    await bench.engine.send({ type: "stop", by: "test", how: "hard" });
    await end;
  });

  it("[E37] before the run is kept a note is told, not kept", () => {
    using bench = openBench({ tasks: "### [ ] T1.1: Walls\n" });
    bench.engine.note({ type: "run-held", by: "ann" });
    expect(bench.events).toEqual([{ type: "run-held", by: "ann" }]);
    expect(bench.changes).toEqual([]);
  });
});
