import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { read, statuses, thin } from "./legacy-fixtures.ts";

describe("lists by status", () => {
  it("[LS1] reads version 2.0", () => {
    const state = read(thin);
    expect(state.project).toBe("bakery");
    expect(state.phase).toBe("2");
    expect(statuses(state)).toEqual({
      "T2.4": "pending",
      "T2.3": "ready",
      "T2.2": "ready",
      "T0.5.1": "completed",
      "T1.1": "completed",
      "T2.1": "completed",
      "T1.9": "failed",
      "T1.10": "blocked",
    });
    expect(state.tasks.get("T1.9")).toEqual({ status: "failed", retries: 10 });
    expect(state.tasks.get("T2.2")).toEqual({ status: "ready", retries: 2 });
    expect(state.warnings).toEqual([]);
  });

  it("[LS1] reads the same from text, with and without a byte order mark", () => {
    const text = JSON.stringify(thin);
    expect(read(text)).toEqual(read(thin));
    expect(read(`\uFEFF${text}\n`)).toEqual(read(thin));
  });

  it("[LS1] reads the variant with dependencies, checkpoints, metrics and config", () => {
    const state = read({
      version: "2.0",
      execution: { current_phase: 1, last_updated: "2030-01-01T00:00:00Z" },
      tasks: { completed: ["T0.1"], failed: [], ready: ["T1.1"] },
      dependencies: { "T1.1": ["T0.1"] },
      checkpoints: { phase_0: { completed_at: "x", tasks_count: 1, tasks: ["T0.1"], merged: true } },
      metrics: { total_tasks: 2, completed_count: 1 },
      config: { max_parallel: 0, retry_limit: 10, slack_webhook_url: null },
    });
    expect(statuses(state)).toEqual({ "T0.1": "completed", "T1.1": "ready" });
    expect(state.warnings).toEqual([]);
  });

  it("[LS2] reads version 1.0 with its lists at the top level", () => {
    const state = read({
      version: "1.0",
      project: "garden",
      current_phase: 0,
      completed_phases: [],
      completed_tasks: ["P0-T0.1", "P0-T0.2"],
      in_progress_tasks: ["P0-T0.3"],
      failed_tasks: ["P0-T0.4"],
      skipped_tasks: ["P0-T0.5"],
      last_checkpoint: null,
    });
    expect(statuses(state)).toEqual({
      "P0-T0.1": "completed",
      "P0-T0.2": "completed",
      "P0-T0.3": "ready",
      "P0-T0.4": "failed",
      "P0-T0.5": "skipped",
    });
    expect(state.phase).toBe("0");
  });

  it.each(["completed", "completed_tasks", "completedTasks", "CompletedTasks", "completed-tasks", "done"])(
    "[LS2] knows the list called %s",
    key => {
      expect(statuses(read({ [key]: ["P2-S1-T1"] }))).toEqual({ "P2-S1-T1": "completed" });
    },
  );

  it.each([
    ["inProgress", "ready"],
    ["in_progress", "ready"],
    ["inProgressTasks", "ready"],
    ["failedTasks", "failed"],
    ["pending_tasks", "pending"],
    ["blocked", "blocked"],
    ["cancelled", "cancelled"],
    ["paused_tasks", "paused"],
  ])("[LS2] knows the list called %s", (key, status) => {
    expect(statuses(read({ [key]: ["A"] }))).toEqual({ A: status });
  });

  it("[LS2] takes no other key for a list", () => {
    const state = read({
      completed: [],
      next_tasks: ["P2-R1 (Folders)"],
      total_tasks: 9,
      notes: { A: "DONE" },
    });
    expect(state.tasks.size).toBe(0);
    expect(state.warnings).toEqual([]);
  });

  it("[LS3] reads objects keyed by id and arrays of objects", () => {
    const state = read({
      currentPhase: 6,
      completedTasks: {
        "P4-S10": { id: "P4-S10", name: "Home", status: "completed", testResults: { passed: 28 } },
        "P6-V": { id: "P6-V" },
      },
      failedTasks: [{ task_id: "P5-R1", retry_count: 4 }, { id: "P5-R2" }],
    });
    expect(statuses(state)).toEqual({
      "P4-S10": "completed",
      "P6-V": "completed",
      "P5-R1": "failed",
      "P5-R2": "failed",
    });
    expect(state.tasks.get("P5-R1")?.retries).toBe(4);
  });

  it("[LS3] takes numbers for ids", () => {
    expect(statuses(read({ completed_tasks: [1, 12] }))).toEqual({ 1: "completed", 12: "completed" });
  });
});

describe("tasks with a status of their own", () => {
  it("[LS4] reads an array of tasks", () => {
    const state = read({
      version: "1.0.0",
      tasks: [
        { id: "T1.1", status: "completed", worker: "worker-1" },
        { id: "T1.2", status: "in_progress", retries: 1 },
        { id: "T1.3", status: "pending" },
      ],
      current_layer: 2,
    });
    expect(statuses(state)).toEqual({ "T1.1": "completed", "T1.2": "ready", "T1.3": "pending" });
    expect(state.tasks.get("T1.2")?.retries).toBe(1);
  });

  it("[LS4] reads an object from id to status", () => {
    const state = read({
      tasks: { "T1.1": "done", "T1.2": { status: "Failed", retry_count: 3 }, completed: ["T0.1"] },
    });
    expect(statuses(state)).toEqual({ "T0.1": "completed", "T1.1": "completed", "T1.2": "failed" });
    expect(state.tasks.get("T1.2")?.retries).toBe(3);
  });

  it.each([
    ["COMPLETED", "completed"],
    ["done", "completed"],
    ["closed", "completed"],
    ["In Progress", "ready"],
    ["in-progress", "ready"],
    ["running", "ready"],
    ["todo", "pending"],
    ["canceled", "cancelled"],
    ["deferred", "paused"],
    ["error", "failed"],
    ["skipped", "skipped"],
  ])("[LS4] reads the status %s", (word, status) => {
    expect(statuses(read({ tasks: [{ id: "A", status: word }] }))).toEqual({ A: status });
  });

  it("[LS4] takes an unknown status for pending and says so", () => {
    for (const status of ["finished?", "", 7, null, undefined, {}, ["completed"], "x".repeat(100)]) {
      const state = read({ tasks: [{ id: "A", status }] });
      expect(statuses(state)).toEqual({ A: "pending" });
      expect(state.warnings).toEqual(["tasks[0]: its status is none we know; taken as pending"]);
    }
  });

  it("[LS5] never leaves a task in progress", () => {
    fc.assert(
      fc.property(fc.constantFrom("in_progress", "inProgress", "running", "ACTIVE"), word => {
        const state = read({ in_progress: ["A"], tasks: { B: word } });
        expect(statuses(state)).toEqual({ A: "ready", B: "ready" });
      }),
    );
  });
});

describe("contradictions and counts", () => {
  it("[LS6] takes the least finished status and names the id", () => {
    const state = read({
      tasks: { completed: ["A", "B", "C"], failed: ["A"], in_progress: ["B"], pending: ["C"] },
    });
    expect(statuses(state)).toEqual({ A: "failed", B: "ready", C: "pending" });
    expect(state.warnings).toHaveLength(3);
    expect(state.warnings[0]).toBe("A: is completed and failed; taken as failed");
  });

  it("[LS6] says nothing where the difference does not matter", () => {
    const state = read({ tasks: { ready: ["A"], in_progress: ["A"], completed: ["B", "B"] } });
    expect(statuses(state)).toEqual({ A: "ready", B: "completed" });
    expect(state.warnings).toEqual([]);
  });

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY, 1e9, 1.5, "3", null, {}, [2], true])(
    "[LS7] takes %s for no retries and names the field",
    count => {
      const state = read({ tasks: { failed: ["T1.3"] }, retry_counts: { "T1.3": count } });
      expect(state.tasks.get("T1.3")).toEqual({ status: "failed", retries: 0 });
      expect(state.warnings).toEqual(["retry_counts.T1.3: not a number of retries; taken as 0"]);
    },
  );

  it("[LS7] keeps counts of tasks no list names, and the larger of two", () => {
    const state = read({
      retryCounts: { A: 3 },
      tasks: [{ id: "B", status: "failed", retries: 5 }],
      retry_counts: { B: 2 },
    });
    expect(state.tasks.get("A")).toEqual({ status: "pending", retries: 3 });
    expect(state.tasks.get("B")).toEqual({ status: "failed", retries: 5 });
  });

  it("[LS7] names counts that are no object", () => {
    expect(read({ retry_counts: [1] }).warnings).toEqual(["retry_counts: not an object"]);
  });
});

describe("phases", () => {
  it.each<[unknown, string | undefined]>([
    [0, "0"],
    [3, "3"],
    [1.5, "1.5"],
    ["P0", "0"],
    ["P1.5", "1.5"],
    ["p2", "2"],
    ["Phase 4", "4"],
    ["7", "7"],
    ["PF", "PF"],
    ["COMPLETE", undefined],
    ["DONE", undefined],
    ["P", undefined],
    ["P1.", undefined],
    ["P1.2.3", undefined],
    ["1".repeat(50), undefined],
    [-1, undefined],
    [Number.NaN, undefined],
    [null, undefined],
    [{}, undefined],
  ])("[LS8] reads the phase %s as %s", (given, label) => {
    expect(read({ current_phase: given }).phase).toBe(label);
    expect(read({ currentPhase: given }).phase).toBe(label);
    expect(read({ execution: { current_phase: given } }).phase).toBe(label);
  });

  it("[LS8] prefers the one under execution", () => {
    expect(read({ execution: { current_phase: 2 }, current_phase: 1 }).phase).toBe("2");
    expect(read({ execution: { current_phase: null }, current_phase: 1 }).phase).toBe("1");
  });

  it("[LS9] completes nothing by phases or counts, and says so", () => {
    const phases = read({
      version: "1.0",
      completed_phases: [0, 1, 2],
      failed_tasks: [],
      current_phase: "completed",
    });
    expect(phases.tasks.size).toBe(0);
    expect(phases.warnings).toEqual([expect.stringContaining("completed_phases")]);
    const counts = read({ total_tasks: 32, completed_tasks: 32, failed_tasks: [], current_phase: "DONE" });
    expect(counts.tasks.size).toBe(0);
    expect(counts.warnings).toEqual(["completed_tasks: a number names no tasks"]);
    expect(read({ completed_tasks: 0, failed_tasks: [], completed_phases: [] }).warnings).toEqual([]);
    expect(read({ completed_phases: [0], completed_tasks: ["A"] }).warnings).toEqual([]);
  });
});
