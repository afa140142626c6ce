import { describe, expect, it } from "vitest";
import { openMemoryStore } from "../../src/adapters/store/index.ts";
import { takenBy, toldOf } from "../../src/host/run/aftermath.ts";
import { because, type Reason, type RunEvent } from "../../src/ports/index.ts";
import { attemptRow, runRow } from "../../src/testing/store-rows.ts";

const warning = (message: Reason): RunEvent => ({ type: "warning", code: "X", message });
const failedAfter = (phase: string, exit: number): Reason =>
  because("phase-after-failed", { phase, why: because("exit-code", { exit }) });
const broken = because("broken-before", { name: "verify", exit: 1, said: "no" });
const STARTED: RunEvent = { type: "run-started", project: "p", tasks: 1, resumed: true };
const ENDED: RunEvent = { type: "phase-ended", phase: "1", completed: 1, counted: 1 };

const troubles = (...events: readonly RunEvent[]) => toldBy(events).troubles;

function toldBy(events: readonly RunEvent[]) {
  const store = openMemoryStore();
  const claimed = store.claimEpoch();
  const run = runRow();
  const stamped = events.map((event, at) => ({ seq: at + 1, at: 1, event }));
  const epoch = claimed.ok ? claimed.value : 0;
  expect(store.commit({ epoch, runId: run.id, run, tasks: [], attempts: [], events: stamped }).ok).toBe(true);
  return toldOf(store, run.id);
}

describe("what a run took", () => {
  it("[VR26] adds up attempts, tokens and money, and tells what no price is known of", () => {
    const usage = [
      { task: "T1", number: 1, agent: "a", usage: { inputTokens: 10, costUsd: 0.5 } },
      { task: "T1", number: 2, agent: "b", usage: {}, estimate: 7 },
      { task: "T1", number: 3, agent: "shell", usage: {}, estimate: 900 },
      {
        task: "T2",
        number: 1,
        agent: "a",
        usage: { inputTokens: 3, costUsd: 1, models: { tokens: 2, costUsd: 0.25 } },
      },
    ];
    expect(takenBy({ usage }, {})).toEqual({
      attempts: 4,
      tokens: 22,
      estimated: 7,
      cost: 1.75,
      unpriced: 1,
    });
    // One is still at work.
    const openAttempts = [attemptRow("T2", 2)];
    expect(takenBy({ usage, openAttempts }, {})).toMatchObject({ attempts: 5, tokens: 22 });
  });
});

describe("who is waited for", () => {
  it("[VR287] is, by task, the agent that it was told of last, for the last block of the run", () => {
    const waiting = (agent: string): RunEvent => ({ type: "waiting", task: "T1", agent, until: 9 });
    const { awaited } = toldBy([STARTED, waiting("claude"), waiting("codex")]);
    expect(awaited).toEqual(new Map([["T1", "codex"]]));
  });
});

describe("what failed besides the tasks of a run", () => {
  it("[HO25] is each phase.after that failed, by its newest failure, and checks that were broken before", () => {
    expect(
      troubles(
        STARTED,
        warning(failedAfter("1", 1)),
        warning(broken),
        warning(failedAfter("2", 2)),
        warning(failedAfter("1", 3)),
      ),
    ).toEqual([
      { kind: "phase-after", reason: failedAfter("1", 3) },
      { kind: "broken-before", reason: broken },
      { kind: "phase-after", reason: failedAfter("2", 2) },
    ]);
  });

  it("[HO25] is not what was told before the run was taken up again, or before the phase was ended anew", () => {
    expect(troubles(STARTED, warning(failedAfter("1", 1)), warning(broken), STARTED)).toEqual([]);
    expect(troubles(STARTED, warning(failedAfter("1", 1)), ENDED)).toEqual([]);
    expect(troubles(STARTED, ENDED, warning(failedAfter("1", 1)))).toHaveLength(1);
  });

  it("[HO25] is what no commit holds, by its task, also when the run was taken up again", () => {
    const ignored = (task: string) =>
      because("work-ignored", { task, paths: { names: ["lib/x"], more: 0 }, first: "lib/x" });
    expect(troubles(STARTED, warning(ignored("T1.1")), warning(ignored("T1.2")), STARTED)).toEqual([
      { kind: "not-committed", reason: ignored("T1.1") },
      { kind: "not-committed", reason: ignored("T1.2") },
    ]);
  });
});

describe("what nobody has reviewed", () => {
  const message = because("unreviewed", { by: "judge", why: because("no-signal", {}) });
  const none = (task: string): RunEvent => ({ type: "warning", code: "UNREVIEWED", message, task });
  const reviewed = (task: string, verdict: "approved" | "findings"): RunEvent => ({
    type: "reviewed",
    task,
    attempt: 1,
    by: "judge",
    verdict,
    round: 1,
  });

  it("[HO36] is named by its tasks, until somebody has", () => {
    const told = [none("T1.1"), none("T1.2"), reviewed("T1.3", "approved"), reviewed("T1.2", "approved")];
    expect(toldBy(told).unreviewed).toEqual(["T1.1"]);
  });
});
