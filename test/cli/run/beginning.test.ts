import { describe, expect, it } from "vitest";
import { openAttemptRow } from "../../../src/engine/index.ts";
import { storedPlanJson } from "../../../src/host/project/stored-plan.ts";
import { type Beginning, beginning } from "../../../src/host/session/restore.ts";
import { readPlan } from "../../../src/plan/index.ts";
import type { LandedAttempt, TaskRow, TaskStatus } from "../../../src/ports/index.ts";
import { DEFAULT_POLICY } from "../../../src/run/index.ts";
import { inEnglish } from "../../reasons.ts";

const TEXT = "# Job\n\n## Phase 1: p\n\n### [ ] T1.1: one\n\n### [ ] T1.2: two\n";

function planFile(text: string) {
  const bytes = Buffer.from(text);
  return { ...readPlan(bytes, { path: "TASKS.md", allowMissing: false }), bytes, hash: "h" };
}

/** What goes on of a run whose process died with an attempt at T1.1; `landed` tells whether the repository has its work. */
function goOn(status: TaskStatus, { landed = true, text = TEXT, placed = true } = {}): Beginning {
  const before = planFile(TEXT);
  const row: TaskRow = {
    id: "T1.1",
    status,
    retries: 0,
    attempts: 1,
    reason: undefined,
    sameError: 0,
    textHash: "",
    notBefore: 0,
  };
  const begun = openAttemptRow({ task: "T1.1", number: 1, agent: "a", now: 1 }, () => "token");
  const attempt = placed ? { ...begun, folder: "/x" } : begun;
  const found: LandedAttempt = { task: "T1.1", attempt: attempt.token, commit: "c0ffee", verified: true };
  const run = {
    id: "r",
    project: "/x",
    file: "TASKS.md",
    planHash: "h",
    plan: storedPlanJson(before.plan, {}),
    state: "running" as const,
    phase: "1",
    forced: [],
    startedAt: 1,
    endedAt: 0,
    leadTokens: 0,
    updatedAt: 1,
    reason: undefined,
  };
  const stored = { run, tasks: [row], openAttempts: [attempt], lastSeq: 3, usage: [] };
  return beginning(stored, {
    file: { path: "/x/TASKS.md", display: "TASKS.md", others: [] },
    isSame: true,
    plan: planFile(text),
    policyOf: () => DEFAULT_POLICY,
    invocation: earlier => earlier,
    isFrozen: () => false,
    only: undefined,
    force: undefined,
    keepClaims: true,
    approves: false,
    imported: undefined,
    landed: new Map(landed ? [[found.attempt, found]] : []),
    now: 9,
  });
}

describe("a task whose process died", () => {
  it("[E38] is completed where its work had landed, and starts again where not", () => {
    const done = goOn("in_progress");
    expect(done.run.byId.get("T1.1")?.status).toBe("completed");
    expect(done.news).toEqual([{ type: "completed", task: "T1.1", verified: true, by: "agent", ms: 0 }]);
    expect(done.notes.map(inEnglish)).toEqual(["had landed when the last process died, so completed: T1.1"]);
    const again = goOn("in_progress", { landed: false });
    expect([again.crashed[0]?.outcome, again.news]).toEqual(["crashed", []]);
    expect(again.notes.map(inEnglish)).toEqual([
      "was in progress when the last process died, starts again: T1.1",
    ]);
  });

  it("[E38] starts again where its work was not about to land: its agent has made that commit itself", () => {
    const forged = goOn("in_progress", { placed: false });
    expect([forged.crashed[0]?.outcome, forged.news]).toEqual(["crashed", []]);
    expect(forged.run.byId.get("T1.1")?.status).toBe("pending");
  });

  it.each(["paused", "cancelled", "skipped"] as const)(
    "[E38] stays %s where a person had taken it from its agent, which is told",
    status => {
      const left = goOn(status);
      expect(left.run.byId.get("T1.1")?.status).toBe(status);
      expect([left.crashed[0]?.outcome, left.news]).toEqual(["done", []]);
      expect(left.notes.map(inEnglish)).toEqual([
        expect.stringMatching(/^had landed .* before: T1\.1\..*task done ID/),
      ]);
      expect(goOn(status, { landed: false }).notes).toEqual([]);
    },
  );

  it("[E38] is not told of once it has left the plan, nor told to be counted where a person had done that", () => {
    const gone = goOn("in_progress", { text: TEXT.replace("### [ ] T1.1: one\n\n", "") });
    expect([gone.removedTasks, gone.news]).toEqual([["T1.1"], []]);
    expect(gone.notes.map(inEnglish)).toEqual([expect.stringContaining("1 removed (T1.1)")]);
    expect([goOn("completed").news, goOn("completed").notes]).toEqual([[], []]);
  });
});
