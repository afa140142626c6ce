import { describe, expect, it } from "vitest";
import { fromFailure } from "../../src/engine/attempt/verdict.ts";
import { handOver } from "../../src/engine/hand-over.ts";
import { createPool } from "../../src/engine/pool.ts";
import { type AttemptRow, because, HERE, type RunEvent } from "../../src/ports/index.ts";
import { openBench } from "./bench.ts";
import { Puppets } from "./puppets.ts";

it("[RR6] takes a time of an agent that is none for one that it did not name", () => {
  const until = (kind: "quota" | "overloaded", retryAt: number) => {
    const failure = { kind, message: "", retryable: true, retryAt };
    return fromFailure("puppet", failure, "", 5, "en").outcome;
  };
  expect(until("quota", Number.NaN)).toMatchObject({ kind: "quota", until: 60_005 });
  expect(until("quota", 7)).toMatchObject({ kind: "quota", until: 7 });
  expect(until("overloaded", Number.NaN)).toMatchObject({ kind: "busy", until: undefined });
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
  pool.hear(
    { agent: "b", machine: HERE, startedAt: 0, endedAt: 0 },
    { kind: "quota", agent: "b", until: 1_000 },
  );
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
    const { outcome } = fromFailure("puppet", refused("auth").failure, "", 0, "en");
    expect(handOver(scene, row, outcome)).toBe(outcome);
    const own = {
      ...refused("budget").failure,
      reason: because("agent-failed", { kind: "budget", said: "" }),
    };
    const spent = fromFailure("puppet", own, "", 0, "en").outcome;
    expect(handOver(scene, { ...row, machine: HERE }, spent)).toBe(spent);
    // Nor is what refuses the command of a `run:` block, which would be begun for ever.
    const command = fromFailure("shell", refused("auth").failure, "", 0, "en").outcome;
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
    const failure = { kind: "quota", message: "limit", retryable: true, retryAt: until } as const;
    (await other.next("T1.1")).end({ kind: "failed", failure, finalMessage: "" });
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
  const pool = createPool(["b", "c"], [{ agent: "a", until: 1_000 }]);
  const reason = because("agent-failed", { kind: "auth", said: "no" });
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
