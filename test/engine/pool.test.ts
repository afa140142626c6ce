import { describe, expect, it } from "vitest";
import { type AgentPool, createPool } from "../../src/engine/pool.ts";
import { HERE, type RunEvent } from "../../src/ports/index.ts";
import { type Bench, openBench } from "./bench.ts";
import { Puppets } from "./puppets.ts";

function exhaust(pool: AgentPool, agent: string, until: number): void {
  pool.hear({ agent, machine: HERE, startedAt: 0, endedAt: 0 }, { kind: "quota", agent, until });
}

it("[E22] is of an account: its agents are out of quota together, and asked again together", () => {
  const accounts: Readonly<Record<string, string>> = { a: "shared", b: "shared" };
  const pool = createPool(["b", "c"], [{ agent: "b", until: 100 }], agent => accounts[agent] ?? agent);
  expect(["a", "b", "c"].map(agent => pool.outUntil(agent, 0))).toEqual([100, 100, undefined]);
  expect(pool.pick("a", 0)).toBe("c");
  pool.renew("a");
  expect(pool.pick("b", 0)).toBe("b");
  exhaust(pool, "a", 50);
  expect(pool.pick("b", 10)).toBe("c");
  expect(pool.pick("b", 50)).toBe("b");
});

describe("the pool of agents", () => {
  it("[E22] picks the first that has quota left, and the agent itself when none has", () => {
    const pool = createPool(["a", "b", "c"]);
    expect(pool.pick("a", 0)).toBe("a");
    exhaust(pool, "a", 100);
    expect([pool.pick("a", 50), pool.pick("x", 50), pool.pick("a", 100)]).toEqual(["b", "x", "a"]);
    exhaust(pool, "a", 200);
    exhaust(pool, "b", 300);
    expect(pool.pick("a", 150)).toBe("c");
    exhaust(pool, "c", 400);
    expect(pool.pick("a", 150)).toBe("a");
    expect([pool.outUntil("a", 150), pool.outUntil("a", 250)]).toEqual([200, undefined]);
  });

  it("[E22] knows who of several has quota again first", () => {
    const pool = createPool(["a"]);
    for (const [agent, until] of [
      ["w", 900],
      ["v", 300],
      ["a", 500],
    ] as const)
      exhaust(pool, agent, until);
    expect(pool.first(["w", "v"], 0)).toEqual({ agent: "v", until: 300 });
    expect(pool.first(["w"], 0)).toEqual({ agent: "a", until: 500 });
    expect(pool.first(["w", "v"], 300)).toBeUndefined();
  });

  it("[E22] knows who has quota again first", () => {
    const pool = createPool(["a", "b"], [{ agent: "shell", until: 900 }]);
    expect(pool.first(["x"], 0)).toBeUndefined();
    exhaust(pool, "x", 500);
    exhaust(pool, "a", 300);
    expect(pool.first(["x"], 0)).toBeUndefined();
    exhaust(pool, "b", 400);
    const a = { agent: "a", until: 300 };
    expect([pool.first(["x"], 0), pool.first(["a"], 0), pool.first(["x"], 350)]).toEqual([a, a, undefined]);
    expect(pool.first(["shell"], 0)).toEqual({ agent: "shell", until: 900 });
  });

  it("[E22] never replaces the shell, nor anyone where nobody takes over", () => {
    const pool = createPool(["a"], [{ agent: "shell", until: 100 }]);
    expect(pool.pick("shell", 0)).toBe("shell");
    const alone = createPool([], [{ agent: "a", until: 100 }]);
    expect(alone.pick("a", 0)).toBe("a");
  });
});

const out = (retryAt: number) => ({
  kind: "failed" as const,
  failure: { kind: "quota" as const, message: "puppet: usage limit", retryable: true, retryAt },
  finalMessage: "",
});

describe("an agent out of quota", () => {
  it("[E22] is replaced at once by the next of the list, and by nobody for other tasks that it does", async () => {
    const other = new Puppets({ name: "other" });
    using made = openBench({
      tasks: "### [ ] T1.1: a\n\n### [ ] T1.2: b\n- depends_on: [T1.1]\n",
      agents: { other: other.agent },
      engine: { fallback: ["puppet", "other"] },
    });
    const end = made.start();
    (await made.puppets.next("T1.1")).end(out(made.clock.now() + 3_600_000));
    await made.event(event => event.type === "waiting" || event.type === "warning");
    await made.clock.advance(2_000);
    const taken = await other.next("T1.1");
    taken.say(`DONE:${taken.id}`);
    const next = await other.next("T1.2");
    next.say(`DONE:${next.id}`);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(made.puppets.turns).toBe(1);
    const told = made.events.find((event: RunEvent) => event.type === "warning");
    expect(told).toMatchObject({
      code: "AGENT_OUT_OF_QUOTA",
      message: { code: "out-of-quota", args: { agent: "puppet", until: expect.any(Number), next: "other" } },
    });
    expect(made.events.some(event => event.type === "attempt-failed")).toBe(false);
    // It was handed over at once: nothing was waited for.
    expect(made.events.some(event => event.type === "waiting")).toBe(false);
  });

  it("[E22] leaves the task to whoever has quota again first, when all of them are out", async () => {
    const other = new Puppets({ name: "other" });
    using made = openBench({
      tasks: "### [ ] T1.1: a\n",
      agents: { other: other.agent },
      engine: { fallback: ["other"] },
    });
    const end = made.start();
    (await made.puppets.next("T1.1")).end(out(made.clock.now() + 7_200_000));
    await made.event(event => event.type === "waiting" || event.type === "warning");
    await made.clock.advance(2_000);
    (await other.next("T1.1")).end(out(made.clock.now() + 600_000));
    await made.event(event => event.type === "waiting");
    await made.clock.advance(601_000);
    const again = await other.next("T1.1");
    again.say(`DONE:${again.id}`);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(made.puppets.turns).toBe(1);
  });

  it("[E22] makes its tasks wait until its time where nobody takes over; others are not started meanwhile", async () => {
    using made = openBench({ tasks: "### [ ] T1.1: a\n\n### [ ] T1.2: b\n", policy: { parallel: 1 } });
    const end = made.start();
    const until = made.clock.now() + 3_600_000;
    (await made.puppets.next("T1.1")).end(out(until));
    await made.event(event => event.type === "waiting" && event.task === "T1.2");
    expect(made.puppets.turns).toBe(1);
    // It was not begun, in anybody's eyes: no attempt of it is told or kept.
    expect(made.events.flatMap(event => (event.type === "dispatched" ? event.tasks : []))).toEqual(["T1.1"]);
    expect(made.run.byId.get("T1.2")).toMatchObject({ status: "waiting", attempts: 0 });
    expect(made.changes.flatMap(change => change.attempts ?? []).map(row => row.task)).not.toContain("T1.2");
    await made.clock.advance(3_601_000);
    for (const task of ["T1.1", "T1.2"]) {
      const part = await made.puppets.next(task);
      part.say(`DONE:${part.id}`);
    }
    expect(await end).toMatchObject({ outcome: "completed" });
  });

  it("[E22] is asked again at once when a person has one of its tasks go on", async () => {
    using made = openBench({ tasks: "### [ ] T1.1: a\n" });
    const end = made.start();
    (await made.puppets.next("T1.1")).end(out(made.clock.now() + 3_600_000));
    await made.event(event => event.type === "waiting");
    await made.engine.send({ type: "act", action: "resume", task: "T1.1", note: "", textHash: "" });
    const again = await made.puppets.next("T1.1");
    again.say(`DONE:${again.id}`);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(made.puppets.turns).toBe(2);
  });

  it("[E22] is waited for by its task no longer once the task has another one", async () => {
    const other = new Puppets({ name: "other" });
    const text = (agent: string) => `### [ ] T1.1: a\n- agent: ${agent}\n`;
    using made = openBench({
      tasks: text("puppet"),
      agents: { other: other.agent },
      engine: { agents: new Set(["puppet", "other"]) },
    });
    const end = made.start();
    (await made.puppets.next("T1.1")).end(out(made.clock.now() + 3_600_000));
    await made.event(event => event.type === "waiting");
    const edited = made.plan(`# Bench\n## Phase 1: p\n${text("other")}`);
    await made.engine.send({ type: "plan-changed", plan: edited });
    const taken = await other.next("T1.1");
    taken.say(`DONE:${taken.id}`);
    expect(await end).toMatchObject({ outcome: "completed" });
  });

  it("[E22] waits on where only the words of its task have changed", async () => {
    using made = openBench({ tasks: "### [ ] T1.1: a\n" });
    void made.start();
    (await made.puppets.next("T1.1")).end(out(made.clock.now() + 3_600_000));
    await made.event(event => event.type === "waiting");
    await made.engine.send({
      type: "plan-changed",
      plan: made.plan("# Bench\n## Phase 1: p\n### [ ] T1.1: b\n"),
    });
    expect(made.run.byId.get("T1.1")?.status).toBe("waiting");
  });

  it("[E81] is not the shell: a limit that a `run:` block met holds back its task alone", async () => {
    const shell = new Puppets({ name: "shell", reports: "exit" });
    using made = openBench({
      tasks: "### [ ] T1.1: a\n- run: curl x\n\n### [ ] T1.2: b\n- run: ls\n",
      agents: { shell: shell.agent },
      policy: { parallel: 1 },
      engine: { fallback: ["puppet"] },
    });
    const end = made.start();
    const complaint = { ...out(made.clock.now() + 3_600_000).failure, message: "429 Too Many Requests" };
    (await shell.next("T1.1")).end({
      kind: "completed",
      finalMessage: "",
      exitCode: 22,
      outputBytes: 0,
      complaint,
    });
    await made.event(event => event.type === "waiting" && event.task === "T1.1");
    (await shell.next("T1.2")).say("", 0);
    await made.event(event => event.type === "completed" && event.task === "T1.2");
    await made.clock.advance(3_601_000);
    (await shell.next("T1.1")).say("", 0);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(made.events.some(event => event.type === "attempt-failed")).toBe(false);
    expect(made.puppets.turns).toBe(0);
  });

  it("[E81] is not one who has done its task and complains of a limit on its way", async () => {
    using made = openBench({ tasks: "### [ ] T1.1: a\n" });
    const end = made.start();
    const part = await made.puppets.next("T1.1");
    const { failure } = out(made.clock.now() + 3_600_000);
    const finalMessage = `429 Too Many Requests\nDONE:${part.id}`;
    part.end({ kind: "completed", finalMessage, exitCode: 0, outputBytes: 9, complaint: failure });
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(made.events.some(event => event.type === "waiting")).toBe(false);
  });
});

/** A run that was left while its tasks waited for the agent `puppet`. */
async function leftWaiting(tasks: string): Promise<Bench> {
  const made = openBench({ tasks });
  const end = made.start();
  const part = await made.puppets.next();
  part.end(out(made.clock.now() + 3_600_000));
  await made.event(event => event.type === "waiting");
  await made.engine.send({ type: "stop", by: "test", how: "soft" });
  await end;
  return made;
}

describe("a run that is taken up again while its tasks wait for quota", () => {
  const ONE = "### [ ] T1.1: a\n";
  const known = (made: Bench) => [{ agent: "puppet", until: made.clock.now() + 3_600_000 }];

  it("[E22] hands them at once to an agent that takes over by now", async () => {
    using left = await leftWaiting(ONE);
    const other = new Puppets({ name: "other" });
    using made = openBench({
      tasks: ONE,
      place: left.place,
      resume: true,
      agents: { other: other.agent },
      engine: { fallback: ["other"] },
      outOfQuota: known(left),
    });
    const end = made.start();
    const taken = await other.next("T1.1");
    taken.say(`DONE:${taken.id}`);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(made.puppets.turns).toBe(0);
  });

  it("[E22] says what they wait for, and until when; who waits asks nobody", async () => {
    using left = await leftWaiting(ONE);
    using made = openBench({ tasks: ONE, place: left.place, resume: true, outOfQuota: known(left) });
    const end = made.start();
    const waiting = await made.event(event => event.type === "waiting");
    expect(waiting).toEqual({ type: "waiting", task: "T1.1", agent: "puppet", until: known(left)[0]?.until });
    expect(made.run.byId.get("T1.1")?.status).toBe("waiting");
    await made.clock.advance(3_601_000);
    const again = await made.puppets.next("T1.1");
    again.say(`DONE:${again.id}`);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(made.puppets.turns).toBe(1);
  });

  it("[E22] asks an agent of which nothing is known to be out", async () => {
    using left = await leftWaiting(ONE);
    using made = openBench({ tasks: ONE, place: left.place, resume: true });
    const end = made.start();
    const again = await made.puppets.next("T1.1");
    again.say(`DONE:${again.id}`);
    expect(await end).toMatchObject({ outcome: "completed" });
  });
});
