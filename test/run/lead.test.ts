import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Plan } from "../../src/plan/index.ts";
import {
  createSpending,
  MAX_LISTED,
  nextAnswer,
  nextMove,
  type RunPolicy,
  thinLine,
  thinTask,
} from "../../src/run/index.ts";
import { countTokens } from "../../src/tokens/index.ts";
import { agentSaid, told } from "../reasons.ts";
import { Bench, dispatched, eventTypes, plan, task } from "./build.ts";

const led = (p: Plan, more: Partial<RunPolicy> = {}) => Bench.of(p, { advance: "asked", ...more });
const claim = (bench: Bench, id: string) => bench.send({ type: "claim", task: id, now: bench.now });
const advance = (bench: Bench) => bench.send({ type: "advance", now: bench.now });

describe("leads", () => {
  it("[RL1] dispatches nothing by itself", () => {
    const bench = led(plan(task("T1.1"), task("T1.2")));
    expect(bench.all()).toBe("T1.1:ready T1.2:ready");
    expect(dispatched(bench.tick(1000))).toEqual([]);
  });

  it("[RL1] opens a phase only when asked", () => {
    const bench = led(plan(task("T1.1"), task("T2.1")));
    claim(bench, "T1.1");
    expect(eventTypes(bench.done("T1.1"))).toEqual(["completed", "phase-ended"]);
    expect(nextAnswer(bench.run)).toBe("PHASE_DONE:1");
    expect(bench.status("T2.1")).toBe("pending");
    expect(eventTypes(advance(bench))).toEqual(["phase-started"]);
    expect(nextAnswer(bench.run)).toBe("READY:T2.1");
  });

  it("[RL1] skips phases that are over already", () => {
    const bench = led(plan(task("T1.1", { done: true }), task("T2.1", { done: true }), task("T3.1")));
    expect(nextAnswer(bench.run)).toBe("READY:T3.1");
  });

  it("[RL1] wakes what waited for a quota", () => {
    const bench = led(plan(task("T1.1")));
    claim(bench, "T1.1");
    bench.end("T1.1", { kind: "quota", agent: "a", until: bench.now + 5000 });
    expect(nextAnswer(bench.run)).toBe("WAIT:T1.1");
    bench.tick(5000);
    expect(nextAnswer(bench.run)).toBe("READY:T1.1");
  });

  it("[RL2] claims a ready task, beyond the slots if need be", () => {
    const bench = led(plan(task("T1.1"), task("T1.2")), { parallel: 1 });
    const out = claim(bench, "T1.1");
    expect(out.commands).toEqual([{ type: "dispatch", task: "T1.1", attempt: 1 }]);
    expect(out.events).toEqual([{ type: "dispatched", tasks: ["T1.1"], retry: false }]);
    expect(claim(bench, "T1.2").refused).toBeUndefined();
    bench.fail("T1.2");
    expect(claim(bench, "T1.2").events[0]).toMatchObject({ retry: true });
    expect(bench.state("T1.2").attempts).toBe(2);
  });

  it("[RL2] refuses with the reason", () => {
    const bench = led(
      plan(
        task("T1.1", { files: ["a"] }),
        task("T1.2", { files: ["a"] }),
        task("T1.3", { dependsOn: ["T1.1", "T1.2"] }),
        task("T1.4", { risk: "critical" }),
      ),
    );
    claim(bench, "T1.1");
    expect(claim(bench, "T9.9").refused).toEqual(told("no task T9.9 in this plan"));
    expect(claim(bench, "T1.1").refused).toEqual(told("T1.1 is in_progress, not ready"));
    expect(claim(bench, "T1.2").refused).toEqual(told("T1.2 shares a with a running task"));
    expect(claim(bench, "T1.3").refused).toEqual(told("T1.3 is pending, not ready; it waits for T1.1, T1.2"));
    expect(claim(bench, "T1.4").refused).toEqual(told("T1.4 must run alone; T1.1 is still running"));
    bench.done("T1.1");
    claim(bench, "T1.4");
    expect(claim(bench, "T1.2").refused).toEqual(told("T1.4 must run alone; wait until it has ended"));
    bench.stop();
    bench.done("T1.4");
    expect(claim(bench, "T1.2").refused).toEqual(told("the run is stopping"));
  });

  it("[RL3] refuses to advance too early, with the reason", () => {
    const bench = led(plan(task("T1.1"), task("T1.2"), task("T2.1")), { maxAttempts: 1 });
    claim(bench, "T1.1");
    bench.done("T1.1");
    expect(advance(bench).refused).toEqual(told("phase 1 has not ended: T1.2 is ready"));
    claim(bench, "T1.2");
    bench.fail("T1.2");
    expect(advance(bench).refused).toEqual(told("phase 1 is below its gate; force phase 2 to go on"));
    expect(nextAnswer(bench.run)).toBe("ERROR:PHASE_GATE:1");
    bench.send({ type: "force-phase", phase: 2, by: "ann", now: 0 });
    expect(nextAnswer(bench.run)).toBe("PHASE_DONE:1");
    expect(advance(bench).refused).toBeUndefined();
    expect(advance(bench).refused).toEqual(told("there is no further phase"));
  });

  it("[RL3] refuses while a phase's end is worked off, when that is refused, and while the run stops", () => {
    const p = plan(task("T1.1"), task("T2.1"));
    const bench = led(p, { settlePhases: true });
    claim(bench, "T1.1");
    bench.done("T1.1");
    expect(advance(bench).refused).toEqual(told("the end of phase 1 is being worked off"));
    bench.send({
      type: "phase-settled",
      phase: 1,
      outcome: "refused",
      reason: agentSaid("exit 1"),
      now: bench.now,
    });
    expect(advance(bench).refused).toEqual(told("phase 1: exit 1"));
    const stopping = led(p);
    stopping.stop();
    expect(advance(stopping).refused).toEqual(told("the run is stopping"));
  });

  it("[RL3] takes no notice of advance where nobody leads", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T2.1")));
    const out = advance(bench);
    expect(out.refused).toBeUndefined();
    expect(bench.status("T2.1")).toBe("pending");
  });

  it("[RL4] does not end while something can be taken or asked for", () => {
    const bench = led(plan(task("T1.1"), task("T2.1")));
    expect(bench.run.ended).toBeUndefined();
    claim(bench, "T1.1");
    bench.done("T1.1");
    expect(bench.run.ended).toBeUndefined();
    advance(bench);
    claim(bench, "T2.1");
    bench.done("T2.1");
    expect(bench.run.ended).toEqual({ outcome: "completed", reason: undefined });
    expect(nextAnswer(bench.run)).toBe("ALL_DONE");
  });

  it("[RL5] leaves claimed tasks in progress when it is stopped", () => {
    const bench = led(plan(task("T1.1")));
    claim(bench, "T1.1");
    bench.stop();
    expect(bench.status("T1.1")).toBe("in_progress");
    expect(bench.run.ended).toBeUndefined();
    expect(nextAnswer(bench.run)).toBe("STOP:INTERRUPTED");
  });

  it("[RL2] keeps no orphans: a lead ends its own agents", () => {
    const bench = led(plan(task("T1.1", { files: ["a"] }), task("T1.2", { files: ["a"] })));
    claim(bench, "T1.1");
    bench.act("skip", "T1.1");
    expect(bench.run.orphans.size).toBe(0);
    expect(claim(bench, "T1.2").refused).toBeUndefined();
  });
});

describe("what a lead reads", () => {
  it("[RT1] holds the six fields and no more", () => {
    const bench = Bench.of(plan(task("T1.3", { dependsOn: ["T1.1"], parallelWith: ["T1.4"] }), task("T1.1")));
    expect(thinTask(bench.state("T1.3"))).toEqual({
      id: "T1.3",
      phase: 1,
      status: "pending",
      dependsOn: ["T1.1"],
      parallelWith: ["T1.4"],
      retries: 0,
    });
    expect(thinLine(bench.state("T1.3"))).toBe("T1.3 1 pending <T1.1 &T1.4");
    expect(thinLine(bench.state("T1.1"))).toBe("T1.1 1 in_progress");
  });

  it("[RT1] costs at most 32 tokens with three dependencies and two partners", () => {
    const ids = (ph: number, ...n: number[]) => n.map(k => `T${ph}.${k}`);
    for (const phase of [0, 1, 9, 12]) {
      const t = task(`T${phase}.13`, { dependsOn: ids(phase, 1, 2, 30), parallelWith: ids(phase, 14, 5) });
      const bench = Bench.of(plan(...ids(phase, 1, 2, 30, 14, 5).map(id => task(id)), t), { parallel: 99 });
      const state = bench.state(t.id);
      for (const status of ["in_progress", "completed", "pending", "cancelled"] as const) {
        state.status = status;
        state.retries = 9;
        expect(countTokens(thinLine(state))).toBeLessThanOrEqual(32);
      }
    }
  });

  it("[RT2] costs at most 60 tokens whatever the size, and names at most 16", () => {
    for (const size of [1, 16, 17, 1000, 100_000]) {
      const tasks = Array.from({ length: size }, (_, n) =>
        task(`T${(n / 100) | 0}.${n % 100}`, { phase: 1 }),
      );
      const bench = led(plan(...tasks), { parallel: size });
      const answer = nextAnswer(bench.run);
      expect(countTokens(answer)).toBeLessThanOrEqual(60);
      expect(answer.split(/[,|]/).length).toBeLessThanOrEqual(MAX_LISTED);
      const hidden = Number(/\+(\d+)$/.exec(answer)?.[1] ?? 0);
      expect(answer.split(/[,|]/).length + hidden).toBe(size);
    }
  });

  it("[RT2] keeps that for ids of any kind", () => {
    const unit = fc.constantFrom(...Array.from("T1.23-SKabz가나漢🙂_#9P"));
    const id = fc.string({ unit, minLength: 1, maxLength: 14 });
    fc.assert(
      fc.property(
        fc.uniqueArray(id, { minLength: 1, maxLength: 40 }),
        fc.nat(20),
        fc.boolean(),
        (ids, slots, fails) => {
          const bench = led(plan(...ids.map(each => task(each, { phase: 1 }))), {
            parallel: slots,
            maxAttempts: 1,
          });
          if (fails)
            for (const each of ids) {
              claim(bench, each);
              bench.fail(each);
            }
          const answer = nextAnswer(bench.run);
          expect(answer.startsWith(fails ? "ERROR:TASKS_FAILED:" : "READY:")).toBe(true);
          expect(countTokens(answer)).toBeLessThanOrEqual(60);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("[RT2] shows at least one id, however long", () => {
    const long = "T".repeat(500);
    expect(nextAnswer(led(plan(task(long, { phase: 1 }), task("T1.2"))).run)).toBe(`READY:${long}+1`);
  });

  it("[RT3] separates what goes now from what waits", () => {
    const p = plan(
      task("T1.3"),
      task("T1.4", { files: ["a"] }),
      task("T1.5", { files: ["a"] }),
      task("T1.6", { risk: "critical" }),
      task("T1.7"),
    );
    expect(nextAnswer(led(p).run)).toBe("READY:T1.3,T1.4,T1.7|T1.5+1");
    expect(nextAnswer(led(p, { parallel: 1 }).run)).toBe("READY:T1.3|T1.4+3");
    expect(nextAnswer(led(plan(task("T1.3"), task("T1.4"))).run)).toBe("READY:T1.3,T1.4");
  });

  it("[RT3] offers a lone task alone", () => {
    const bench = led(plan(task("T0.1"), task("T0.2")));
    expect(nextAnswer(bench.run)).toBe("READY:T0.1|T0.2");
    claim(bench, "T0.1");
    expect(nextAnswer(bench.run)).toBe("WAIT:T0.1");
  });

  it("[RT3] offers declared groups only, when only they may go together", () => {
    const p = plan(
      task("T1.1", { parallelWith: ["T1.3"] }),
      task("T1.2"),
      task("T1.3", { parallelWith: ["T1.1"] }),
    );
    expect(nextAnswer(led(p, { parallelMode: "declared" }).run)).toBe("READY:T1.1,T1.3|T1.2");
  });

  it("[RT3] counts what the lead already works on", () => {
    const bench = led(
      plan(task("T1.1", { files: ["a"] }), task("T1.2", { files: ["a"] }), task("T1.3"), task("T1.4")),
      {
        parallel: 2,
      },
    );
    claim(bench, "T1.1");
    expect(nextAnswer(bench.run)).toBe("READY:T1.3|T1.2+1");
  });

  it("[RT4] says what there is to wait or ask for", () => {
    const bench = led(plan(task("T1.1"), task("T1.2")), { maxAttempts: 1 });
    claim(bench, "T1.1");
    claim(bench, "T1.2");
    expect(nextAnswer(bench.run)).toBe("WAIT:T1.1,T1.2");
    bench.end("T1.1", { kind: "needs-person", reason: agentSaid("?") });
    expect(nextAnswer(bench.run)).toBe("WAIT:T1.2");
    bench.fail("T1.2");
    expect(nextAnswer(bench.run)).toBe("ASK:T1.1");
    bench.act("cancel", "T1.1");
    expect(nextAnswer(bench.run)).toBe("ERROR:TASKS_FAILED:T1.1,T1.2");
    bench.act("done", "T1.1");
    bench.act("skip", "T1.2");
    expect(nextAnswer(bench.run)).toBe("ALL_DONE");
  });

  it("[RT4] says the kind of each answer, so that nobody reads its line for that", () => {
    const bench = led(plan(task("T1.1"), task("T1.2"), task("T2.1")), { maxAttempts: 1 });
    const kind = (): string => nextMove(bench.run).kind;
    expect(kind()).toBe("ready");
    claim(bench, "T1.1");
    claim(bench, "T1.2");
    expect(kind()).toBe("wait");
    bench.end("T1.1", { kind: "quota", agent: "a", until: bench.now + 5000 });
    bench.end("T1.2", { kind: "needs-person", reason: agentSaid("?") });
    expect(nextMove(bench.run)).toEqual({ kind: "wait", line: "WAIT:T1.1" });
    bench.act("pause", "T1.1");
    expect(kind()).toBe("ask");
    bench.act("cancel", "T1.1");
    bench.act("skip", "T1.2");
    expect(kind()).toBe("error");
    bench.send({ type: "force-phase", phase: 2, by: "ann", now: 0 });
    expect(kind()).toBe("phase-done");
    advance(bench);
    bench.run.spending = createSpending({ maxTokens: 100 }, [{ tokens: 100 }]);
    expect(kind()).toBe("no-budget");
    bench.run.spending = undefined;
    bench.act("cancel", "T2.1");
    expect(kind()).toBe("error");
    bench.act("done", "T2.1");
    bench.act("done", "T1.1");
    expect(kind()).toBe("done");
    const stopped = led(plan(task("T1.1")));
    stopped.stop();
    expect(nextMove(stopped.run).kind).toBe("interrupted");
  });

  it("[RT4] waits while an orphan still holds the last place", () => {
    const bench = Bench.of(plan(task("T1.1", { files: ["a"] }), task("T1.2", { files: ["a"] })));
    bench.act("skip", "T1.1");
    expect(nextAnswer(bench.run)).toBe("WAIT:T1.1");
  });

  it("[RT4] says nothing of tasks outside the scope", () => {
    const p = plan(task("T1.1"), task("T1.2"));
    const bench = Bench.of(p, { advance: "asked" }, { only: ["T1.1"] });
    claim(bench, "T1.1");
    bench.done("T1.1");
    expect(nextAnswer(bench.run)).toBe("ALL_DONE");
  });
});
