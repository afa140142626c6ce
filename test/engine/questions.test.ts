import { describe, expect, it } from "vitest";
import { createQuestions, type QuestionRules } from "../../src/engine/index.ts";
import type { RunEvent } from "../../src/ports/index.ts";
import { createRedactor } from "../../src/text/index.ts";
import { agentSaid } from "../reasons.ts";
import { openBench } from "./bench.ts";
import { ManualClock } from "./manual-clock.ts";
import { askingAgent } from "./puppets.ts";

const WISH = { kind: "execute", title: "npm install" } as const;

const MINUTE = 60_000;
/** Of a session that goes on. */
const HERE = new AbortController().signal;

function setup(rules: Partial<QuestionRules> = {}) {
  const clock = new ManualClock();
  const told: RunEvent[] = [];
  const questions = createQuestions(clock, event => told.push(event), { patienceMs: 5 * MINUTE, ...rules });
  return { clock, told, questions };
}

describe("what agents ask", () => {
  it("[E37] with no time to wait nobody is asked while nobody is there", async () => {
    const { questions, told } = setup({ patienceMs: 0 });
    const ask = questions.asker("T1.1", 1);
    expect(await ask(WISH, HERE)).toEqual({ answer: "rejected", by: "nobody" });
    expect(told).toEqual([]);
    questions.attend();
    void ask(WISH, HERE);
    expect(questions.pending()).toHaveLength(1);
  });

  it("[E37] wait for who comes later; a session that nobody answered once does not wait again", async () => {
    const { questions, clock } = setup({ patienceMs: MINUTE });
    const ask = questions.asker("T1.1", 1);
    const first = ask(WISH, HERE);
    await clock.advance(MINUTE - 1);
    expect(questions.answer(1, true, "ann")).toMatchObject({ task: "T1.1", title: "npm install" });
    expect(await first).toEqual({ answer: "allowed", by: "person" });
    const second = ask(WISH, HERE);
    await clock.advance(MINUTE);
    expect(await second).toEqual({ answer: "rejected", by: "nobody" });
    expect(await ask(WISH, HERE)).toEqual({ answer: "rejected", by: "nobody" });
    expect(questions.pending()).toEqual([]);
    void questions.asker("T1.2", 1)(WISH, HERE);
    expect(questions.pending()).toHaveLength(1);
    questions.attend();
    void ask(WISH, HERE);
    expect(questions.pending()).toHaveLength(2);
  });

  it("[E37] what was allowed for good is not asked", async () => {
    const { questions, told } = setup({ allows: ({ title }) => title === WISH.title });
    expect(await questions.asker("T1.1", 1)(WISH, HERE)).toEqual({ answer: "allowed", by: "person" });
    expect(told).toEqual([]);
    void questions.asker("T1.1", 1)({ ...WISH, title: "npm publish" }, HERE);
    expect(questions.pending()).toHaveLength(1);
  });

  it("[E37] a person answers, by name, and the question is over", async () => {
    const { questions, told } = setup();
    questions.attend();
    const answer = questions.asker("T1.1", 2)(WISH, HERE);
    expect(told).toEqual([{ type: "asked", task: "T1.1", attempt: 2, id: 1, ...WISH }]);
    expect(questions.pending()).toEqual(told);
    expect(questions.answer(1, true, "ann")).toBeDefined();
    expect(await answer).toEqual({ answer: "allowed", by: "person" });
    expect(told.at(-1)).toEqual({ type: "answered", task: "T1.1", id: 1, allowed: true, by: "ann" });
    expect(questions.answer(1, false, "ann")).toBeUndefined();
    expect(questions.pending()).toEqual([]);
  });

  it("[E37] who does not answer in five minutes is nobody", async () => {
    const { questions, clock, told } = setup();
    questions.attend();
    const answer = questions.asker("T1.1", 1)(WISH, HERE);
    await clock.advance(5 * 60_000);
    expect(await answer).toEqual({ answer: "rejected", by: "nobody" });
    expect(told.at(-1)).toMatchObject({ type: "answered", allowed: false, by: "" });
    expect(clock.next).toBeUndefined();
  });

  it("[E37] stay open when the last person leaves", async () => {
    const { questions, clock } = setup({ patienceMs: MINUTE });
    const leave = questions.attend();
    const answer = questions.asker("T1.1", 1)(WISH, HERE);
    leave();
    await clock.advance(2 * MINUTE);
    expect(questions.pending()).toHaveLength(1);
    await clock.advance(3 * MINUTE);
    expect(await answer).toEqual({ answer: "rejected", by: "nobody" });
    expect(clock.next).toBeUndefined();
  });

  it("[E37] are over with the session that asks", async () => {
    const { questions, clock } = setup();
    const session = new AbortController();
    const ask = questions.asker("T1.1", 1);
    const answer = ask(WISH, session.signal);
    session.abort();
    expect(await answer).toEqual({ answer: "rejected", by: "nobody" });
    expect([questions.pending(), clock.next]).toEqual([[], undefined]);
    expect(await ask(WISH, session.signal)).toEqual({ answer: "rejected", by: "nobody" });
  });

  it("[E37] an agent that floods is answered by nobody", async () => {
    const { questions } = setup();
    questions.attend();
    const ask = questions.asker("T1.1", 1);
    for (let at = 0; at < 100; at++) void ask(WISH, HERE);
    expect(await ask(WISH, HERE)).toEqual({ answer: "rejected", by: "nobody" });
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

  it.each([
    [1, "paused", { code: "nobody-answered", args: { kind: "execute", said: "npm install" } }],
    [0, "completed", undefined],
  ])(
    "[E147] that failed without what nobody allowed pauses its task (exit code %j)",
    async (exitCode, ...expected) => {
      const { questions } = setup({ patienceMs: 0 });
      const asking = askingAgent(WISH, () => {}, exitCode);
      using bench = openBench({
        tasks: "### [ ] T1.1: Walls\n",
        engine: { defaultAgent: "asking" },
        agents: { asking },
        world: { questions },
      });
      await bench.start();
      const { status, reason } = bench.engine.run.byId.get("T1.1")!;
      expect([status, reason]).toEqual(expected);
    },
  );

  it("[E37] question and answer stand in the run's history with who and when, secrets masked", async () => {
    const clock = new ManualClock();
    const questions = createQuestions(clock, event => bench.engine.note(event), { patienceMs: MINUTE });
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
