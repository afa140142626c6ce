import { describe, expect, it } from "vitest";
import { readPlan } from "../../src/plan/index.ts";
import type { AttemptSpan, TaskStatus } from "../../src/ports/index.ts";
import { timeLeft } from "../../src/run/index.ts";

const MINUTE = 60_000;

/** Tasks of a file with a line for each: id, what it waits for, its state. */
function facts(...lines: readonly (readonly [id: string, waits: string, status: TaskStatus])[]) {
  const phases = new Map<string, string[]>();
  for (const [id, waits] of lines) {
    const phase = id.slice(1, id.indexOf("."));
    const text = `### [ ] ${id}: Do it\n${waits === "" ? "" : `- depends_on: [${waits}]\n`}`;
    phases.set(phase, [...(phases.get(phase) ?? []), text]);
  }
  const file = [...phases].map(([phase, tasks]) => `## Phase ${phase}: P\n${tasks.join("")}`).join("");
  const { plan } = readPlan(new TextEncoder().encode(`# Shop\n${file}`), { path: "TASKS.md" });
  return plan.tasks.map(task => ({ task, status: lines.find(([id]) => id === task.id)![2] }));
}

function span(task: string, from: number, to: number): AttemptSpan {
  const ended = to === 0 ? { endedAt: 0, outcome: "running" } : { endedAt: to * MINUTE, outcome: "done" };
  return { task, number: 1, agent: "claude", startedAt: from * MINUTE, ...ended } as AttemptSpan;
}

const minutes = (ms: number | undefined) => (ms === undefined ? undefined : ms / MINUTE);

describe("how long a run still takes", () => {
  it("[RU21] is not told before a task has completed, nor when nothing is left that goes on by itself", () => {
    expect(timeLeft(facts(["T1.1", "", "in_progress"]), [span("T1.1", 1, 0)])).toBeUndefined();
    // An attempt that failed says nothing of how long a task takes until it is done.
    const again = [span("T1.1", 1, 2), { ...span("T1.1", 3, 0), number: 2 }];
    expect(timeLeft(facts(["T1.1", "", "in_progress"]), again)).toBeUndefined();
    const stuck = facts(["T1.1", "", "completed"], ["T1.2", "", "paused"], ["T1.3", "T1.2", "pending"]);
    expect(timeLeft(stuck, [span("T1.1", 1, 5)])).toBeUndefined();
    // Ticked in the file before the run: that says nothing of how long one takes.
    expect(timeLeft(facts(["T1.1", "", "completed"], ["T1.2", "", "ready"]), [])).toBeUndefined();
  });

  it("[RU21] shares what is ahead among as many as were at work at once", () => {
    const tasks = facts(
      ["T1.1", "", "completed"],
      ["T1.2", "", "completed"],
      ...["T1.3", "T1.4", "T1.5", "T1.6"].map(id => [id, "", "ready"] as const),
    );
    const left = timeLeft(tasks, [span("T1.1", 0, 10), span("T1.2", 0, 10)]);
    expect(left).toMatchObject({ basis: 2, ahead: 4, held: 0, atOnce: 2, at: 10 * MINUTE });
    expect(minutes(left?.ms.expected)).toBe(20);
    // An hour in which nobody worked is no reason to expect one more.
    const paused = timeLeft(tasks, [span("T1.1", 0, 10), span("T1.2", 70, 80)]);
    expect(paused?.atOnce).toBe(1);
    expect(minutes(paused?.ms.expected)).toBe(40);
  });

  it("[RU21] is no less than the longest chain, and phases come one after the other", () => {
    const two = [span("T1.1", 0, 10), span("T1.2", 0, 10)];
    const done = [
      ["T1.1", "", "completed"],
      ["T1.2", "", "completed"],
    ] as const;
    const chain = facts(
      ...done,
      ["T1.3", "", "ready"],
      ["T1.4", "T1.3", "pending"],
      ["T1.5", "T1.4", "pending"],
    );
    expect(minutes(timeLeft(chain, two)?.ms.expected)).toBe(30);
    const phases = facts(...done, ["T1.3", "", "ready"], ["T2.1", "", "pending"], ["T3.1", "", "pending"]);
    expect(minutes(timeLeft(phases, two)?.ms.expected)).toBe(30);
  });

  it("[RU21] takes off what running attempts have been at it, at most what one is expected to take", () => {
    const tasks = facts(["T1.1", "", "completed"], ["T1.2", "", "in_progress"], ["T1.3", "", "completed"]);
    const begun = [span("T1.1", 0, 10), span("T1.2", 10, 0), span("T1.3", 10, 14)];
    // A mean of seven minutes, of which four have passed.
    expect(minutes(timeLeft(tasks, begun)?.ms.expected)).toBe(3);
    const late = [span("T1.1", 0, 4), span("T1.3", 4, 8), span("T1.2", 1, 0)];
    expect(minutes(timeLeft(tasks, late)?.ms.expected)).toBe(0);
  });

  it("[RU21] spreads by how far the known ones lie apart; all attempts of a task count", () => {
    const tasks = facts(["T1.1", "", "completed"], ["T1.2", "", "completed"], ["T1.3", "", "ready"]);
    const one = timeLeft(tasks, [span("T1.1", 0, 4), span("T1.1", 4, 10), span("T1.2", 10, 20)]);
    expect(minutes(one?.ms.expected)).toBe(10);
    expect([minutes(one?.ms.low), minutes(one?.ms.high)]).toEqual([10, 10]);
    const wide = timeLeft(tasks, [span("T1.1", 0, 5), span("T1.2", 5, 20)]);
    expect(wide!.ms.high! - wide!.ms.expected).toBeGreaterThan(5 * MINUTE);
    const single = timeLeft(tasks.slice(1), [span("T1.2", 5, 20)]);
    expect(single?.ms).toEqual({ expected: 15 * MINUTE });
  });

  it("[RU21] counts apart what waits for a person, and whatever waits behind that", () => {
    const tasks = facts(
      ["T1.1", "", "completed"],
      ["T1.2", "", "paused"],
      ["T1.3", "T1.2", "pending"],
      ["T1.4", "T1.3", "pending"],
      ["T1.5", "", "failed"],
      ["T1.6", "T1.5", "blocked"],
      ["T1.7", "", "ready"],
    );
    const left = timeLeft(tasks, [span("T1.1", 0, 10)]);
    expect(left).toMatchObject({ ahead: 1, held: 5 });
    expect(minutes(left?.ms.expected)).toBe(10);
  });

  it("[RU21] stays linear with ten thousand tasks in one chain", () => {
    const file = ["# Long", "## Phase 1: P"];
    for (let at = 0; at < 10_000; at++)
      file.push(`### [ ] T1.${at}: Step\n${at > 1 ? `- depends_on: [T1.${at - 1}]` : ""}`);
    const { plan } = readPlan(new TextEncoder().encode(file.join("\n")), { path: "TASKS.md" });
    const tasks = plan.tasks.map(
      (task, at) => ({ task, status: at === 0 ? "completed" : "pending" }) as const,
    );
    const left = timeLeft(tasks, [span("T1.0", 0, 1)]);
    expect(minutes(left?.ms.expected)).toBe(9999);
  });
});
