import { describe, expect, it } from "vitest";
import { fromFailure } from "../../src/engine/attempt/verdict.ts";
import { handOver } from "../../src/engine/hand-over.ts";
import { createPool } from "../../src/engine/pool.ts";
import { type AttemptRow, because, HERE, type RunEvent } from "../../src/ports/index.ts";
import { type Bench, openBench } from "./bench.ts";
import { Puppets } from "./puppets.ts";

it("[E22] is of an account: its agents are out of quota together, and asked again together", () => {
  const accounts: Readonly<Record<string, string>> = { a: "shared", b: "shared" };
  const pool = createPool(["b", "c"], [{ agent: "b", until: 100 }], agent => accounts[agent] ?? agent);
  expect(["a", "b", "c"].map(agent => pool.outUntil(agent, 0))).toEqual([100, 100, undefined]);
  expect(pool.pick("a", 0)).toBe("c");
  pool.renew("a");
  expect(pool.pick("b", 0)).toBe("b");
  pool.exhaust("a", 50);
  expect(pool.pick("b", 10)).toBe("c");
  expect(pool.pick("b", 50)).toBe("b");
});

it("[E175] knows whose login was refused twice in a row on this machine, until somebody is let in or asks again", () => {
  const pool = createPool([], [], agent => (agent === "twin" ? "a" : agent));
  const reason = because("agent-failed", { kind: "auth", said: "no" });
  let now = 0;
  /** One attempt after the other, but for one that began `before` another one had ended. */
  const row = (agent: string, machine: string, before = 0) => {
    const startedAt = now - before;
    now += 10;
    return { agent, machine, startedAt, endedAt: now };
  };
  const refuse = (agent: string, machine: string, before?: number) =>
    pool.hear(row(agent, machine, before), { kind: "needs-person", reason, account: agent });
  const done = { kind: "done", verified: false } as never;
  for (const machine of ["m1", "m1", "m1", HERE]) refuse("a", machine);
  expect(pool.shutOut(["a"])).toBeUndefined();
  pool.hear(row("a", HERE), { kind: "needs-person", reason });
  expect(pool.shutOut(["a"])).toBeUndefined();
  // At work beside the first one that was refused.
  refuse("a", HERE, 15);
  expect(pool.shutOut(["a"])).toBeUndefined();
  refuse("a", HERE);
  // Another agent of its account has a login of its own.
  expect([pool.shutOut(["a"]), pool.shutOut(["twin"])]).toEqual([reason, undefined]);
  expect([pool.shutOut(["a", "x"]), pool.shutOut(["b"])]).toEqual([undefined, undefined]);
  // Whom a person asks again, and who is let in, says that the account may work again.
  pool.renew("twin");
  expect(pool.shutOut(["a"])).toBeUndefined();
  refuse("a", HERE);
  pool.hear(row("twin", HERE), done);
  refuse("a", HERE);
  expect(pool.shutOut(["a"])).toBeUndefined();
});

it("[E176] passes over an agent whose account was refused where another takes over, and waits for that one's quota", () => {
  const pool = createPool(["a", "b"]);
  const reason = because("agent-failed", { kind: "budget", said: "no credits" });
  let now = 0;
  const refuse = (agent: string) => {
    const row = { agent, machine: HERE, startedAt: now, endedAt: now + 10 };
    now += 10;
    pool.hear(row, { kind: "needs-person", reason, account: agent });
  };
  refuse("a");
  expect([pool.pick("a", 0), pool.pick("x", 0), pool.isOpen("a", 0), pool.isOpen("b", 0)]).toEqual([
    "b",
    "x",
    false,
    true,
  ]);
  // Once refused, it is asked again before anybody waits; twice refused, its tasks wait for who takes over.
  pool.exhaust("b", 1_000);
  expect([pool.pick("a", 500), pool.first(["a"], 500)]).toEqual(["a", undefined]);
  refuse("a");
  expect(pool.first(["a"], 500)).toEqual({ agent: "b", until: 1_000 });
  expect([pool.shutOut(["a"]), pool.pick("a", 1_000)]).toEqual([undefined, "b"]);
  refuse("b");
  expect([pool.pick("a", 1_000), pool.shutOut(["a"])]).toEqual(["b", undefined]);
  refuse("b");
  expect([pool.first(["a"], 1_000), pool.shutOut(["a"])]).toEqual([undefined, reason]);
  pool.renew("a");
  expect([pool.pick("b", 1_000), pool.shutOut(["b"])]).toEqual(["a", undefined]);
});

describe("an agent that is not let in", () => {
  const refused = (kind: "auth" | "budget") =>
    ({ kind: "failed", failure: { kind, message: "no", retryable: false }, finalMessage: "" }) as const;

  it.each(["auth", "budget"] as const)(
    "[E176] hands its task at once to who takes over, for want of %s, and is not begun again",
    async kind => {
      const other = new Puppets({ name: "other" });
      using made = openBench({
        tasks: "### [ ] T1.1: a\n\n### [ ] T1.2: b\n- depends_on: [T1.1]\n",
        agents: { other: other.agent },
        engine: { fallback: ["puppet", "other"] },
      });
      const end = made.start();
      (await made.puppets.next("T1.1")).end(refused(kind));
      await made.event(event => event.type === "warning");
      await made.clock.advance(2_000);
      for (const task of ["T1.1", "T1.2"]) {
        const taken = await other.next(task);
        taken.say(`DONE:${taken.id}`);
      }
      expect(await end).toMatchObject({ outcome: "completed" });
      expect(made.puppets.turns).toBe(1);
      expect(
        made.events.filter(event => event.type === "warning" && event.code === "AGENT_REFUSED"),
      ).toMatchObject([
        {
          task: "T1.1",
          message: { code: "agent-refused", args: { agent: "puppet", next: "other" } },
        },
      ]);
      const ended: readonly string[] = ["paused", "waiting", "attempt-failed"];
      expect(made.events.filter(({ type }) => ended.includes(type))).toEqual([]);
      expect(made.run.byId.get("T1.1")).toMatchObject({ retries: 0 });
    },
  );

  it("[E176] is not handed over for its login on another machine, nor for a limit of its own", () => {
    const pool = createPool(["other"]);
    const told: RunEvent[] = [];
    const scene = {
      pool,
      wanted: () => ["puppet"],
      now: () => 5,
      tell: (events: readonly RunEvent[]) => told.push(...events),
    };
    const row = { agent: "puppet", task: "T1.1", startedAt: 1, endedAt: 2, machine: "m1" } as AttemptRow;
    const { outcome } = fromFailure("puppet", refused("auth").failure, "", 0);
    expect(handOver(scene, row, outcome)).toBe(outcome);
    const own = {
      ...refused("budget").failure,
      reason: because("agent-failed", { kind: "budget", said: "" }),
    };
    const spent = fromFailure("puppet", own, "", 0).outcome;
    expect(handOver(scene, { ...row, machine: HERE }, spent)).toBe(spent);
    // Nor is what refuses the command of a `run:` block, which would be begun for ever.
    const command = fromFailure("shell", refused("auth").failure, "", 0).outcome;
    expect(handOver(scene, { ...row, agent: "shell", machine: HERE }, command)).toBe(command);
    expect([told, pool.isOpen("puppet", 5)]).toEqual([[], true]);
    expect(handOver(scene, { ...row, machine: HERE }, outcome)).toEqual({
      kind: "quota",
      agent: "puppet",
      until: 5,
    });
    expect(pool.isOpen("puppet", 5)).toBe(false);
  });

  it("[E176] has its task wait for the quota of who takes over, once it was refused twice itself", async () => {
    const other = new Puppets({ name: "other" });
    using made = openBench({
      tasks: "### [ ] T1.1: a\n",
      agents: { other: other.agent },
      engine: { fallback: ["other"] },
    });
    const end = made.start();
    const warned = (code: string) => made.event(event => event.type === "warning" && event.code === code);
    (await made.puppets.next("T1.1")).end(refused("auth"));
    await warned("AGENT_REFUSED");
    await made.clock.advance(2_000);
    const until = made.clock.now() + 3_600_000;
    (await other.next("T1.1")).end(out(until));
    // It is asked once more, before anybody waits.
    expect(await warned("AGENT_OUT_OF_QUOTA")).toMatchObject({
      message: { args: { agent: "other", next: "puppet" } },
    });
    await made.clock.advance(2_000);
    (await made.puppets.next("T1.1")).end(refused("auth"));
    expect(await made.event(event => event.type === "waiting")).toMatchObject({ agent: "other", until });
    await made.clock.advance(3_600_000);
    const again = await other.next("T1.1");
    again.say(`DONE:${again.id}`);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(made.puppets.turns).toBe(2);
  });

  it("[E176] pauses its task where those that take over are not let in, either", async () => {
    const other = new Puppets({ name: "other" });
    using made = openBench({
      tasks: "### [ ] T1.1: a\n",
      agents: { other: other.agent },
      engine: { fallback: ["other"] },
    });
    const end = made.start();
    (await made.puppets.next("T1.1")).end(refused("auth"));
    await made.event(event => event.type === "warning");
    await made.clock.advance(2_000);
    (await other.next("T1.1")).end(refused("auth"));
    expect(await end).toMatchObject({ outcome: "waiting" });
    expect([made.puppets.turns, other.turns]).toEqual([1, 1]);
    expect(made.run.byId.get("T1.1")?.status).toBe("paused");
  });
});

it("[E175] keeps no command from its start because others were refused by their services", () => {
  const pool = createPool([]);
  const reason = because("agent-failed", { kind: "auth", said: "401" });
  for (const startedAt of [0, 10, 20])
    pool.hear(
      { agent: "shell", machine: HERE, startedAt, endedAt: startedAt + 5 },
      { kind: "needs-person", reason, account: "shell" },
    );
  expect(pool.shutOut(["shell"])).toBeUndefined();
});

it("[E175] has those that a person lets go on together wait again once their agent is refused twice since", () => {
  const pool = createPool([]);
  const reason = because("agent-failed", { kind: "auth", said: "no" });
  const refuse = (startedAt: number) =>
    pool.hear(
      { agent: "a", machine: HERE, startedAt, endedAt: startedAt + 5 },
      { kind: "needs-person", reason, account: "a" },
    );
  for (const at of [0, 10]) refuse(at);
  // What a person decides is known before the agent is asked anew.
  expect([pool.shutOut(["a"], 20), pool.shutOut(["a"])]).toEqual([undefined, reason]);
  pool.renew("a");
  refuse(30);
  expect(pool.shutOut(["a"], 20)).toBeUndefined();
  refuse(40);
  expect(pool.shutOut(["a"], 20)).toBe(reason);
});

it("[E175] hands nothing over to an agent whose login is refused", () => {
  const pool = createPool(["b", "c"]);
  const reason = because("agent-failed", { kind: "auth", said: "no" });
  pool.exhaust("a", 1_000);
  for (const [at, other] of [
    [0, "b"],
    [100, "c"],
  ] as const) {
    expect(pool.pick("a", at)).toBe(other);
    for (const startedAt of [at, at + 10])
      pool.hear(
        { agent: other, machine: HERE, startedAt, endedAt: startedAt + 5 },
        { kind: "needs-person", reason, account: other },
      );
  }
  expect(pool.pick("a", 200)).toBe("a");
  // It waits for its quota, and for nobody who would have to act.
  expect(pool.first(["a"], 200)).toEqual({ agent: "a", until: 1_000 });
  expect(pool.shutOut(["a"])).toBeUndefined();
  expect(pool.shutOut(["b"])).toBe(reason);
});

describe("the pool of agents", () => {
  it("[E22] picks the first that has quota left, and the agent itself when none has", () => {
    const pool = createPool(["a", "b", "c"]);
    expect(pool.pick("a", 0)).toBe("a");
    pool.exhaust("a", 100);
    expect([pool.pick("a", 50), pool.pick("x", 50), pool.pick("a", 100)]).toEqual(["b", "x", "a"]);
    pool.exhaust("a", 200);
    pool.exhaust("b", 300);
    expect(pool.pick("a", 150)).toBe("c");
    pool.exhaust("c", 400);
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
      pool.exhaust(agent, until);
    expect(pool.first(["w", "v"], 0)).toEqual({ agent: "v", until: 300 });
    expect(pool.first(["w"], 0)).toEqual({ agent: "a", until: 500 });
    expect(pool.first(["w", "v"], 300)).toBeUndefined();
  });

  it("[E22] knows who has quota again first", () => {
    const pool = createPool(["a", "b"]);
    expect(pool.first(["x"], 0)).toBeUndefined();
    pool.exhaust("x", 500);
    pool.exhaust("a", 300);
    expect(pool.first(["x"], 0)).toBeUndefined();
    pool.exhaust("b", 400);
    const a = { agent: "a", until: 300 };
    expect([pool.first(["x"], 0), pool.first(["a"], 0), pool.first(["x"], 350)]).toEqual([a, a, undefined]);
    pool.exhaust("shell", 900);
    expect(pool.first(["shell"], 0)).toEqual({ agent: "shell", until: 900 });
  });

  it("[E22] never replaces the shell, nor anyone where nobody takes over", () => {
    const pool = createPool(["a"]);
    pool.exhaust("shell", 100);
    expect(pool.pick("shell", 0)).toBe("shell");
    const alone = createPool([]);
    alone.exhaust("a", 100);
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
