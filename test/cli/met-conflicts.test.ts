import { describe, expect, it } from "vitest";
import { openMemoryStore } from "../../src/adapters/store/index.ts";
import { metConflicts } from "../../src/host/session/met-conflicts.ts";
import { fail, type RunEvent, type StampedEvent, type Store } from "../../src/ports/index.ts";
import { runRow } from "../../src/testing/store-rows.ts";
import { agentSaid } from "../reasons.ts";

const line = (seq: number): RunEvent => ({ type: "warning", code: "X", message: agentSaid(`line ${seq}`) });

function conflict(task: string, others: readonly string[], files: readonly string[]): RunEvent {
  return { type: "conflict", task, others, files, reason: agentSaid("conflict") };
}

/** A store that holds these events of one run, numbered from 1. */
function holding(events: readonly RunEvent[]): Store {
  const store = openMemoryStore();
  const stamped = events.map((event, at): StampedEvent => ({ seq: at + 1, at: 1, event }));
  const run = runRow();
  const claimed = store.claimEpoch();
  const epoch = claimed.ok ? claimed.value : 0;
  const done = store.commit({ epoch, runId: run.id, run, tasks: [], attempts: [], events: stamped });
  if (!done.ok) throw new Error(done.failure.kind);
  return store;
}

describe("the conflicts that a run has met", () => {
  it("[E30] are all found again, in their order, however much was told besides", () => {
    const events = Array.from({ length: 12_003 }, (_, at) => line(at));
    // At the start, on both sides of a page's end, and last.
    const met = [0, 4999, 5000, 12_002];
    for (const at of met) events[at] = conflict(`T${at}`, ["T9"], [`f${at}`, "shared"]);
    expect(metConflicts(holding(events), "run-1")).toEqual(
      met.map(at => ({ tasks: [`T${at}`, "T9"], files: [`f${at}`, "shared"] })),
    );
  });

  it.each([0, 1, 5000, 10_000])("[E30] are none in a log of %i other lines, and in another run's", count => {
    const store = holding(Array.from({ length: count }, (_, at) => line(at)));
    expect(metConflicts(store, "run-1")).toEqual([]);
    expect(metConflicts(holding([conflict("T1", [], ["a"])]), "run-2")).toEqual([]);
  });

  it("[E30] are told with those that were met alone, and none where the log cannot be read", () => {
    expect(metConflicts(holding([conflict("T1", [], ["a"])]), "run-1")).toEqual([
      { tasks: ["T1"], files: ["a"] },
    ]);
    const broken: Pick<Store, "events"> = {
      events: () => fail({ kind: "io", message: "torn", retryable: false }),
    };
    expect(metConflicts(broken, "run-1")).toEqual([]);
  });
});
