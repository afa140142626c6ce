import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { because } from "../../src/ports/index.ts";
import { backoff, MAX_WAIT_MS, REASON_LENGTH } from "../../src/run/index.ts";
import { agentSaid, inEnglish, told } from "../reasons.ts";
import { Bench, dispatched, eventTypes, plan, rules, task, unlike } from "./build.ts";

const one = () => plan(task("T1.1"));

describe("attempts", () => {
  it("[RR1] makes ten attempts in all, then fails", () => {
    const bench = Bench.of(one());
    const out = bench.failForGood("T1.1");
    expect(bench.state("T1.1")).toMatchObject({ status: "failed", retries: 10, attempts: 10 });
    expect(out.events.slice(0, 2)).toEqual([
      { type: "attempt-failed", task: "T1.1", reason: told(unlike(9)), retries: 10, maxAttempts: 10 },
      { type: "failed", task: "T1.1", reason: told(unlike(9)) },
    ]);
  });

  it.each([1, 2, 3])("[RR1] honours maxAttempts %i", maxAttempts => {
    const bench = Bench.of(one(), { maxAttempts });
    bench.failForGood("T1.1");
    expect(bench.state("T1.1").attempts).toBe(maxAttempts);
  });

  it("[RR2] waits 1, 2, 4 … at most 60 seconds", () => {
    const policy = rules({ backoffMs: 1000 });
    expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 40].map(n => backoff(policy, n) / 1000)).toEqual([
      1, 2, 4, 8, 16, 32, 60, 60, 60, 60,
    ]);
    expect(backoff(rules({ backoffMs: 0 }), 5)).toBe(0);
    expect(backoff(policy, 0)).toBe(1000);
  });

  it("[RR2] is ready but not dispatched before its time", () => {
    const bench = Bench.of(one(), { backoffMs: 1000 });
    const out = bench.fail("T1.1");
    expect(out.events.at(-1)).toEqual({ type: "retry-scheduled", task: "T1.1", inMs: 1000 });
    expect(bench.status("T1.1")).toBe("ready");
    expect(bench.run.due.nextAt()).toBe(bench.now + 1000);
    expect(dispatched(bench.tick(999))).toEqual([]);
    expect(dispatched(bench.tick(1))).toEqual(["T1.1"]);
    expect(bench.run.due.nextAt()).toBeUndefined();
  });

  it("[RR2] lets others use the slot meanwhile", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2")), { parallel: 1, backoffMs: 1000 });
    expect(dispatched(bench.fail("T1.1"))).toEqual(["T1.2"]);
    bench.tick(2000);
    expect(bench.running()).toEqual(["T1.2"]);
    expect(dispatched(bench.done("T1.2"))).toEqual(["T1.1"]);
  });

  it("[RR2] forgets a time that an act made pointless", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2")), { backoffMs: 60_000 });
    bench.fail("T1.1");
    expect(dispatched(bench.act("retry", "T1.1"))).toEqual(["T1.1"]);
    expect(bench.run.due.nextAt()).toBeUndefined();
  });

  it("[RR3] pauses after three equal failures and goes on with the others", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2")), { parallel: 1 });
    bench.fail("T1.1", "same");
    bench.fail("T1.1", "same");
    const out = bench.fail("T1.1", "same");
    expect(bench.status("T1.1")).toBe("paused");
    const paused = { type: "paused", task: "T1.1", reason: told("same"), by: "rule", times: 3 };
    expect(out.events).toContainEqual(paused);
    expect(bench.running()).toEqual(["T1.2"]);
  });

  it("[RR3] starts counting again after another reason", () => {
    const bench = Bench.of(one());
    for (const reason of ["a", "a", "b", "a", "a"]) bench.fail("T1.1", reason);
    expect(bench.state("T1.1")).toMatchObject({ status: "in_progress", sameError: 2, retries: 5 });
    bench.fail("T1.1", "a");
    expect(bench.status("T1.1")).toBe("paused");
  });

  it("[RR3] can be switched off", () => {
    const bench = Bench.of(one(), { sameErrorLimit: 0 });
    for (let n = 0; n < 10; n++) bench.fail("T1.1", "same");
    expect(bench.status("T1.1")).toBe("failed");
  });

  it("[RR3] fails rather than pauses when no attempt is left", () => {
    const bench = Bench.of(one(), { maxAttempts: 3 });
    for (let n = 0; n < 3; n++) bench.fail("T1.1", "same");
    expect(bench.status("T1.1")).toBe("failed");
  });

  it("[RR4] counts a missing signal, with a warning", () => {
    const bench = Bench.of(one());
    const out = bench.end("T1.1", { kind: "no-signal", said: "All done!" });
    expect(eventTypes(out)).toEqual(["warning", "attempt-failed", "dispatched"]);
    expect(out.events[0]).toMatchObject({
      code: "NO_SIGNAL",
      task: "T1.1",
      message: because("signal-missing", { said: "All done!" }),
    });
    expect(bench.state("T1.1")).toMatchObject({ retries: 1, reason: told("no signal") });
    bench.end("T1.1", { kind: "no-signal" });
    bench.end("T1.1", { kind: "no-signal" });
    expect(bench.status("T1.1")).toBe("paused");
  });

  it("[RR5] does not charge a refused start, waits longer each time, then asks", () => {
    const bench = Bench.of(one(), { backoffMs: 1000 });
    const waits: number[] = [];
    while (bench.status("T1.1") === "in_progress") {
      const out = bench.end("T1.1", { kind: "stalled", reason: agentSaid("EAGAIN") });
      if (bench.status("T1.1") === "paused") break;
      expect(out.events).toContainEqual({
        type: "warning",
        code: "SPAWN_REFUSED",
        message: told("EAGAIN"),
        task: "T1.1",
      });
      waits.push(bench.state("T1.1").notBefore - bench.now);
      bench.tick(60_000);
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    expect(bench.state("T1.1")).toMatchObject({
      status: "paused",
      retries: 0,
      attempts: 10,
      reason: told("EAGAIN"),
    });
  });

  it("[RR5] waits a second even without backoff, and forgets stalls after a real start", () => {
    const bench = Bench.of(one());
    for (let n = 0; n < 9; n++) {
      bench.end("T1.1", { kind: "stalled", reason: agentSaid("EMFILE") });
      expect(bench.status("T1.1")).toBe("ready");
      bench.tick(1000);
    }
    bench.fail("T1.1", "real");
    bench.end("T1.1", { kind: "stalled", reason: agentSaid("EMFILE") });
    expect(bench.state("T1.1")).toMatchObject({ status: "ready", retries: 1, stalls: 1 });
  });

  it("[RR12] gives a task whose machine is lost to another one at once, and stops one that ends them all", () => {
    const bench = Bench.of(one(), { backoffMs: 1000 });
    const reason = because("machine-lost", { said: "it ended with 137" });
    const waits: number[] = [];
    while (bench.status("T1.1") === "in_progress") {
      const out = bench.end("T1.1", { kind: "machine-lost", reason, suspect: true });
      if (bench.status("T1.1") === "paused") break;
      expect(out.events).toContainEqual({
        type: "warning",
        code: "MACHINE_LOST",
        message: reason,
        task: "T1.1",
      });
      waits.push(Math.max(0, bench.state("T1.1").notBefore - bench.now));
      bench.tick(60_000);
    }
    expect(waits).toEqual([0, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
    expect(bench.state("T1.1")).toMatchObject({ status: "paused", retries: 0, attempts: 10, reason });
  });

  it("[RR12] counts no machine that was lost before an agent worked there, or by somebody's word", () => {
    const bench = Bench.of(one());
    const reason = because("machine-lost", { said: "it was given up" });
    for (let n = 0; n < 30; n++) {
      expect(bench.status("T1.1")).toBe("in_progress");
      bench.end("T1.1", { kind: "machine-lost", reason, suspect: false });
    }
    expect(bench.state("T1.1")).toMatchObject({ retries: 0, stalls: 0 });
  });

  it("[RR5] treats a cancellation nobody asked for like a stall", () => {
    const bench = Bench.of(one());
    for (let n = 0; n < 10; n++) {
      expect(bench.status("T1.1")).toBe("in_progress");
      bench.end("T1.1", { kind: "cancelled" });
      bench.tick(1000);
    }
    expect(bench.state("T1.1")).toMatchObject({ status: "paused", retries: 0 });
  });

  it("[RR6] waits for the quota and costs nothing", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2")), { parallel: 1 });
    const until = bench.now + 3_600_000;
    const out = bench.end("T1.1", { kind: "quota", agent: "claude", until });
    expect(out.events[0]).toEqual({ type: "waiting", task: "T1.1", agent: "claude", until });
    expect(bench.all()).toBe("T1.1:waiting T1.2:in_progress");
    bench.done("T1.2");
    expect(bench.run.ended).toBeUndefined();
    expect(bench.run.due.nextAt()).toBe(until);
    bench.tick(3_600_000);
    expect(bench.state("T1.1")).toMatchObject({
      status: "in_progress",
      retries: 0,
      attempts: 2,
      notBefore: 0,
    });
  });

  it.each([
    ["the past", -5, 1000],
    ["now", 0, 1000],
    ["next year", 365 * 24 * 3_600_000, MAX_WAIT_MS],
    ["no time", Number.NaN, 60_000],
    ["never", Number.POSITIVE_INFINITY, MAX_WAIT_MS],
    ["before all time", Number.NEGATIVE_INFINITY, 1000],
  ])(
    "[RR6] bounds a quota until %s, and tells of a wait only where there is one",
    (when, offset, expected) => {
      const bench = Bench.of(one());
      const out = bench.end("T1.1", { kind: "quota", agent: "a", until: bench.now + offset });
      expect(bench.state("T1.1").notBefore - bench.now).toBe(expected);
      const until = bench.now + expected;
      const isWait = when !== "now" && when !== "the past" && when !== "before all time";
      expect(out.events).toEqual(isWait ? [{ type: "waiting", task: "T1.1", agent: "a", until }] : []);
    },
  );

  it("[RR35] does not begin what nobody could work on who has quota, unless a person has it go on", () => {
    const out = new Map<string, number>();
    const bench = Bench.of(
      plan(task("T1.1"), task("T1.2", { parallelWith: ["T1.3"] }), task("T1.3"), task("T1.4")),
      {
        parallel: 2,
        outOfQuota({ id }, now) {
          const until = out.get(id) ?? 0;
          return until > now ? { agent: "a", until } : undefined;
        },
      },
    );
    const until = bench.now + 60_000;
    for (const id of ["T1.2", "T1.3"]) out.set(id, until);
    bench.done("T1.1");
    expect(bench.state("T1.3")).toMatchObject({ status: "waiting", attempts: 0, notBefore: until });
    expect(bench.state("T1.4").status).toBe("in_progress");
    bench.act("resume", "T1.3");
    bench.done("T1.4");
    expect(bench.state("T1.3")).toMatchObject({ status: "in_progress", attempts: 1 });
    // It was asked once: what it said holds again.
    bench.end("T1.3", { kind: "quota", agent: "a", until });
    expect(bench.state("T1.3").status).toBe("waiting");
    bench.tick(60_000);
    expect(bench.state("T1.3")).toMatchObject({ status: "in_progress", attempts: 2 });
  });

  it("[RR36] pauses what nobody could work on before a person has acted, unless that person has it go on", () => {
    const reason = because("agent-failed", { kind: "auth", said: "no" });
    const shut = new Set(["T1.2", "T1.3"]);
    let known = -1;
    const bench = Bench.of(
      plan(task("T1.1"), task("T1.2", { parallelWith: ["T1.3"] }), task("T1.3"), task("T1.4"), task("T1.5")),
      {
        parallel: 2,
        shutOut: ({ id }, since = known) => (shut.has(id) && known >= since ? reason : undefined),
      },
    );
    bench.done("T1.1");
    for (const id of shut) expect(bench.state(id)).toMatchObject({ status: "paused", attempts: 0, reason });
    expect(bench.state("T1.4").status).toBe("in_progress");
    bench.act("resume", "T1.3");
    bench.done("T1.4");
    expect(bench.state("T1.3")).toMatchObject({ status: "in_progress", attempts: 1 });
    expect(bench.state("T1.2").status).toBe("paused");
    // It is known again before the next one of those that go on has begun.
    bench.act("resume", "T1.2");
    known = Infinity;
    bench.done("T1.3");
    expect(bench.state("T1.2")).toMatchObject({ status: "paused", attempts: 0, reason });
  });

  it("[RR20] has a task alone wait for a busy service, longer each time and never for good", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2"), task("T1.3")), { parallel: 2 });
    const waits: number[] = [];
    for (let times = 0; times < 20; times++) {
      const out = bench.end("T1.1", { kind: "busy", agent: "a", until: undefined });
      expect(bench.state("T1.1")).toMatchObject({ status: "ready", retries: 0 });
      const message = because("service-busy", { agent: "a", until: bench.state("T1.1").notBefore });
      expect(out.events[0]).toEqual({ type: "warning", code: "SERVICE_BUSY", message, task: "T1.1" });
      expect(out.events.some(({ type }) => type === "waiting")).toBe(false);
      expect(bench.state("T1.3").status).toBe("in_progress");
      waits.push(bench.state("T1.1").notBefore - bench.now);
      if (times === 0) bench.done("T1.2");
      bench.tick(waits.at(-1)!);
    }
    expect(waits.slice(0, 6)).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
    // What got through begins the count again; a time that it names is kept to.
    bench.fail("T1.1", "x");
    bench.tick(60_000);
    bench.end("T1.1", { kind: "busy", agent: "a", until: bench.now + 90_000 });
    expect(bench.state("T1.1").notBefore - bench.now).toBe(90_000);
    bench.tick(90_000);
    bench.end("T1.1", { kind: "busy", agent: "a", until: undefined });
    expect(bench.state("T1.1").notBefore - bench.now).toBe(10_000);
  });

  it("[RR20] has no person asked at the next refused start, however long a service was busy", () => {
    const bench = Bench.of(one());
    for (let times = 0; times < 50; times++) {
      bench.end("T1.1", { kind: "busy", agent: "a", until: undefined });
      bench.tick(60_000);
    }
    bench.end("T1.1", { kind: "stalled", reason: agentSaid("EAGAIN") });
    expect(bench.state("T1.1")).toMatchObject({ status: "ready", reason: undefined });
  });

  it("[RR7] asks a person at once", () => {
    const bench = Bench.of(one());
    const out = bench.end("T1.1", { kind: "needs-person", reason: agentSaid("not logged in") });
    expect(bench.state("T1.1")).toMatchObject({
      status: "paused",
      retries: 0,
      reason: told("not logged in"),
    });
    expect(out.events[0]).toMatchObject({ type: "paused", by: "agent" });
    expect(bench.run.ended).toEqual({
      outcome: "waiting",
      reason: told("paused, waiting for a person: T1.1"),
    });
  });

  it("[RR8] ignores late, repeated and foreign results", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2")));
    bench.fail("T1.1");
    for (const [id, attempt] of [
      ["T1.1", 1],
      ["T1.1", 3],
      ["T1.1", 0],
      ["T9.9", 1],
      ["__proto__", 1],
    ] as const) {
      const out = bench.end(id, { kind: "done", verified: true, textHash: "h" }, attempt);
      expect(out.touched.size + out.events.length + out.commands.length).toBe(0);
    }
    expect(bench.state("T1.1")).toMatchObject({ status: "in_progress", attempts: 2, retries: 1 });
    bench.done("T1.1");
    expect(bench.end("T1.1", { kind: "failed", reason: agentSaid("late") }, 2).events).toEqual([]);
    expect(bench.status("T1.1")).toBe("completed");
  });

  it("[RR9] keeps reasons short, whole and on one line", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 400 }), reason => {
        const bench = Bench.of(one());
        bench.fail("T1.1", reason);
        const kept = inEnglish(bench.state("T1.1").reason);
        expect(kept.length).toBeLessThanOrEqual(REASON_LENGTH);
        expect(kept).not.toMatch(/[\n\r\u2028]/);
        expect(kept.isWellFormed()).toBe(true);
      }),
    );
    const bench = Bench.of(one());
    bench.fail("T1.1", `${"x".repeat(99)}\u{1f600}`);
    expect(bench.state("T1.1").reason).toEqual(told(`${"x".repeat(99)}…`));
    bench.act("skip", "T1.1", "a\nb\u001b[31m".repeat(50));
    expect(bench.state("T1.1").reason).toEqual(told("a"));
  });

  it("[RR10] ticks the box and clears what the failures left", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2")));
    bench.fail("T1.1", "once");
    const out = bench.end("T1.1", { kind: "done", verified: true, textHash: "abc" });
    expect(out.commands[0]).toEqual({ type: "tick-box", task: "T1.1" });
    expect(out.events[0]).toEqual({ type: "completed", task: "T1.1", verified: true, by: "agent", ms: 5 });
    expect(bench.state("T1.1")).toMatchObject({
      status: "completed",
      verified: true,
      textHash: "abc",
      reason: undefined,
      sameError: 0,
      retries: 1,
      notBefore: 0,
    });
  });
});
