import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openMemoryStore, openSqliteStore } from "../../src/adapters/store/index.ts";
import type { Change, Store } from "../../src/ports/index.ts";
import { attemptRow, runRow, stampedEvent, taskRow } from "../../src/testing/store-rows.ts";
import { CONSTANT, growth } from "../growth.ts";
import { agentSaid } from "../reasons.ts";
import { casesOf } from "../sample.ts";
import { must } from "./store-fixtures.ts";
import { databaseLab } from "./store-sqlite-fixtures.ts";

const lab = databaseLab();

describe("against the store in memory", () => {
  const ids = fc.constantFrom("T1", "T2", "T3", "__proto__");
  const task = fc
    .record({
      id: ids,
      status: fc.constantFrom("pending", "in_progress", "completed", "failed"),
      retries: fc.nat(12),
      verified: fc.option(fc.boolean(), { nil: undefined }),
      said: fc.string({ unit: "grapheme" }),
    })
    .map(({ id, verified, said, ...rest }) => {
      const row = taskRow(id, { ...rest, reason: agentSaid(said) });
      return verified === undefined ? row : { ...row, verified };
    });
  const attempt = fc
    .tuple(ids, fc.integer({ min: 1, max: 3 }), fc.constantFrom(0, 5), fc.string({ unit: "grapheme" }))
    .map(([id, number, endedAt, text]) => attemptRow(id, number, { endedAt, feedback: text }));
  const step = fc.record({
    run: fc.constantFrom("run-1", "run-2"),
    withRun: fc.boolean(),
    phase: fc.string({ unit: "grapheme" }),
    epochOff: fc.constantFrom(0, 0, 0, 0, -1, 1),
    claim: fc.constantFrom(false, false, false, true),
    tasks: fc.array(task, { maxLength: 4 }),
    removed: fc.array(ids, { maxLength: 1 }),
    attempts: fc.array(attempt, { maxLength: 2 }),
    events: fc.nat(3),
    reopen: fc.constantFrom(false, false, false, true),
  });

  it("any history of changes reads the same from both", () => {
    let round = 0;
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), steps => {
        const file = join(lab.directory, `model-${round++}.db`);
        let store = must(openSqliteStore({ path: file, project: "/demo" }));
        const model = openMemoryStore();
        let epoch = must(store.claimEpoch());
        expect(must(model.claimEpoch())).toBe(epoch);
        const seqs = new Map<string, number>();
        for (const { run, withRun, phase, epochOff, claim, reopen, ...rest } of steps) {
          if (claim) epoch = must(store.claimEpoch());
          if (claim) must(model.claimEpoch());
          if (reopen) {
            store.close();
            store = must(openSqliteStore({ path: file, project: "/demo" }));
          }
          const first = !seqs.has(run);
          const seq = seqs.get(run) ?? 0;
          const change: Change = {
            epoch: epoch + epochOff,
            runId: run,
            ...(withRun || first ? { run: runRow({ id: run, phase, plan: phase }) } : {}),
            tasks: rest.tasks,
            removedTasks: rest.removed,
            attempts: rest.attempts,
            events: Array.from({ length: rest.events }, (_, index) => stampedEvent(seq + index + 1)),
          };
          const answer = store.commit(change);
          expect(answer).toEqual(model.commit(change));
          if (answer.ok) seqs.set(run, seq + rest.events);
          expect(store.load()).toEqual(model.load());
          expect(store.events(run, 1, 3)).toEqual(model.events(run, 1, 3));
          expect(store.attempts(run, "T1")).toEqual(model.attempts(run, "T1"));
        }
        store.close();
      }),
      { numRuns: casesOf(25, 60) },
    );
  });
});

it("spends the same on a transition, whatever the size of the plan", ({ skip }) => {
  skip(!existsSync("/dev/shm"), "without a file system in memory the disk would be measured");
  const memory = mkdtempSync("/dev/shm/espalier-");
  const stores: Store[] = [];
  const filled = (size: number) => {
    const store = must(openSqliteStore({ path: join(memory, `${size}.db`), project: "/demo" }));
    stores.push(store);
    const epoch = must(store.claimEpoch());
    const plan = "p".repeat(200 * size);
    const many = Array.from({ length: size }, (_, index) => taskRow(`N${index}`));
    must(store.commit({ epoch, runId: "run-1", run: runRow({ plan }), tasks: many }));
    return { store, epoch, plan, round: 0 };
  };
  const transitions = (at: ReturnType<typeof filled>) => {
    for (let more = 0; more < 20; more++) {
      const round = ++at.round;
      must(
        at.store.commit({
          epoch: at.epoch,
          runId: "run-1",
          run: runRow({ plan: at.plan, phase: String(round) }),
          tasks: [taskRow(`N${round}`, { status: "completed", verified: true })],
          attempts: [
            attemptRow(`N${round}`, 1, { endedAt: 5, outcome: "done", finalMessage: "m".repeat(500) }),
          ],
          events: [stampedEvent(round)],
        }),
      );
    }
  };
  try {
    expect(growth(2500, filled, transitions)).toBeLessThan(CONSTANT);
  } finally {
    for (const store of stores) store.close();
    rmSync(memory, { recursive: true });
  }
});
