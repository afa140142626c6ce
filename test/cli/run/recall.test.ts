import { describe, expect, it } from "vitest";
import { openMemoryStore } from "../../../src/adapters/store/index.ts";
import { recall } from "../../../src/host/session/recall.ts";
import { because, fail, type RunEvent, type StampedEvent, type Store } from "../../../src/ports/index.ts";
import { runRow } from "../../../src/testing/store-rows.ts";
import { agentSaid } from "../../reasons.ts";

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

const conflictsOf = (store: Pick<Store, "events">, run: string) => recall(store, run).conflicts;

describe("the conflicts that a run has met", () => {
  it("[E30] are all found again, in their order, however much was told besides", () => {
    const events = Array.from({ length: 12_003 }, (_, at) => line(at));
    // At the start, on both sides of a page's end, and last.
    const met = [0, 4999, 5000, 12_002];
    for (const at of met) events[at] = conflict(`T${at}`, ["T9"], [`f${at}`, "shared"]);
    expect(conflictsOf(holding(events), "run-1")).toEqual(
      met.map(at => ({ tasks: [`T${at}`, "T9"], files: [`f${at}`, "shared"] })),
    );
  });

  it.each([0, 1, 5000, 10_000])("[E30] are none in a log of %i other lines, and in another run's", count => {
    const store = holding(Array.from({ length: count }, (_, at) => line(at)));
    expect(conflictsOf(store, "run-1")).toEqual([]);
    expect(conflictsOf(holding([conflict("T1", [], ["a"])]), "run-2")).toEqual([]);
  });

  it("[E30] are told with those that were met alone, and none where the log cannot be read", () => {
    expect(conflictsOf(holding([conflict("T1", [], ["a"])]), "run-1")).toEqual([
      { tasks: ["T1"], files: ["a"] },
    ]);
    const broken: Pick<Store, "events"> = {
      events: () => fail({ kind: "io", message: "torn", retryable: false }),
    };
    expect(conflictsOf(broken, "run-1")).toEqual([]);
  });
});

describe("the agents that a run has told to be out of quota", () => {
  const waiting = (task: string, agent: string, until: number): RunEvent => ({
    type: "waiting",
    task,
    agent,
    until,
  });
  const handed = (agent: string, until?: number): RunEvent => {
    const args = { agent, next: "b", ...(until === undefined ? {} : { until }) };
    return { type: "warning", code: "AGENT_OUT_OF_QUOTA", message: because("out-of-quota", args) };
  };
  const outOf = (...events: RunEvent[]) => recall(holding(events), "run-1").outOfQuota;

  it("[E22] are recalled with the time that was told last, waited for or handed over", () => {
    expect(outOf(waiting("T1", "a", 5), handed("c", 7), handed("old"), waiting("T2", "a", 9))).toEqual([
      { agent: "a", until: 9 },
      { agent: "c", until: 7 },
    ]);
  });

  it("[E22] are not those whose task a person had go on", () => {
    const resumed: RunEvent = { type: "person", action: "resume", task: "T1", note: "" };
    expect(outOf(waiting("T1", "a", 5), waiting("T2", "b", 6), resumed)).toEqual([{ agent: "b", until: 6 }]);
    expect(outOf(waiting("T1", "a", 5), resumed, waiting("T1", "a", 8))).toEqual([{ agent: "a", until: 8 }]);
  });
});
