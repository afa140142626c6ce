import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DueQueue, ReadyQueue } from "../../src/run/queues.ts";
import { Bench, plan, task } from "./build.ts";

const states = (count: number) =>
  Bench.of(plan(...Array.from({ length: count }, (_, n) => task(`T1.${n}`))), { parallel: 1 }).run.tasks;

describe("queues", () => {
  it("[RD2] gives ready tasks in plan order, each once", () => {
    const all = states(60);
    fc.assert(
      fc.property(fc.array(fc.nat(59), { maxLength: 120 }), indexes => {
        const queue = new ReadyQueue();
        for (const index of indexes) queue.add(all[index]!);
        const expected = [...new Set(indexes)].sort((a, b) => a - b);
        expect(queue.size).toBe(expected.length);
        const out: number[] = [];
        for (let state = queue.next(); state !== undefined; state = queue.next()) out.push(state.index);
        expect(out).toEqual(expected);
        expect(queue.next()).toBeUndefined();
      }),
    );
  });

  it("[RD2] takes a task again after it came out", () => {
    const [first] = states(1);
    const queue = new ReadyQueue();
    queue.add(first!);
    queue.next();
    queue.add(first!);
    expect(queue.next()).toBe(first);
  });

  it("[RD8] gives due tasks by time and drops what a later change made stale", () => {
    const all = states(30).slice(1);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(28), fc.integer({ min: 1, max: 50 })), { maxLength: 60 }),
        fc.integer({ min: 0, max: 60 }),
        (entries, now) => {
          const queue = new DueQueue();
          for (const state of all) {
            state.status = "pending";
            state.notBefore = 0;
          }
          for (const [n, at] of entries) {
            const state = all[n]!;
            state.status = "ready";
            state.notBefore = at;
            queue.add(state);
          }
          const live = all.filter(state => state.status === "ready");
          const earliest = live.length === 0 ? undefined : Math.min(...live.map(state => state.notBefore));
          expect(queue.nextAt()).toBe(earliest);
          const due = new Set(queue.take(now).filter(state => state.notBefore <= now));
          expect([...due].sort((a, b) => a.index - b.index)).toEqual(
            live.filter(state => state.notBefore <= now),
          );
        },
      ),
    );
  });

  it("[RD8] has no next time when nothing waits", () => {
    const queue = new DueQueue();
    const [first] = states(1);
    first!.notBefore = 5;
    first!.status = "ready";
    queue.add(first!);
    first!.status = "completed";
    expect(queue.nextAt()).toBeUndefined();
    expect(queue.take(100)).toEqual([]);
  });
});
