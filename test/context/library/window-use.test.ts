import { describe, expect, it } from "vitest";
import { type Budget, budgetSchema, settleBudget } from "../../../src/budget/index.ts";
import { type RunOutputs, type Standing, windowUse } from "../../../src/context/library/window-use.ts";
import type { Task } from "../../../src/plan/index.ts";
import type { AttemptRow } from "../../../src/ports/index.ts";
import { task } from "../../run/build.ts";

/** A window of 1,000 tokens for outputs, with or without a workflow that shares it. */
function budgetOf(workflow?: unknown): Budget {
  const settled = settleBudget(
    budgetSchema().parse({
      context_budget: {
        total_available: 1100,
        allocation: { system_prompt: 0, user_context: 100, agent_outputs: 1000, buffer: 0 },
      },
      ...(workflow === undefined ? {} : { workflow: "own", workflows: { own: workflow } }),
    }),
  );
  if (!settled.ok) throw new Error(settled.failure.map(({ message }) => message).join());
  return settled.value;
}

const FLOW = { agents: ["02", "02", "02", "02"] };

interface Told {
  readonly status: Standing["status"];
  /** Tokens of accepted attempts with the time they ended, oldest first; a word is a token here. */
  readonly done?: readonly (readonly [at: number, tokens: number])[];
  readonly share?: number;
  readonly running?: boolean;
}

function outputs(
  told: Readonly<Record<string, Told>>,
  budget: Budget,
): RunOutputs & { readonly reads: string[] } {
  const tasks: Task[] = Object.keys(told).map(id => task(id, { role: "02" }));
  const reads: string[] = [];
  const row = (id: string, number: number, [endedAt, tokens]: readonly [number, number]) =>
    ({ task: id, number, outcome: "done", endedAt, finalMessage: "w ".repeat(tokens) }) as AttemptRow;
  return {
    budget,
    tasks,
    reads,
    standing(id) {
      const { status, done = [], running = false } = told[id]!;
      return { status, attempts: done.length + (running ? 1 : 0) };
    },
    attempts(id) {
      reads.push(id);
      return (told[id]?.done ?? []).map((one, at) => row(id, at + 1, one));
    },
    promised: id => told[id]?.share,
    count: text => text.split(" ").filter(word => word !== "").length,
  };
}

describe("how the window of a run stands", () => {
  it("[G24] counts what completed tasks have handed on, in the order in which they ended", () => {
    const use = windowUse(
      outputs(
        {
          a: { status: "completed", done: [[30, 100]] },
          b: { status: "completed", done: [[10, 50]] },
          c: { status: "ready" },
        },
        budgetOf(),
      ),
    );
    expect([...use.outputs.keys()]).toEqual(["b", "a"]);
    expect(use.history).toEqual([50, 150]);
    expect(use.tracker.used).toBe(150);
    expect(use.shares.size).toBe(0);
  });

  it("[G23] counts no more of an output than it may hand on", () => {
    const use = windowUse(
      outputs({ a: { status: "completed", done: [[1, 700]], share: 250 } }, budgetOf(FLOW)),
    );
    expect(use.outputs.get("a")).toMatchObject({ tokens: 250, share: 250 });
  });

  it("[G23] shares out what is left: what runs keeps what it was told, what is held lends its share", () => {
    const shares = (told: Readonly<Record<string, Told>>) =>
      Object.fromEntries(
        [...windowUse(outputs(told, budgetOf(FLOW))).shares].map(([id, { tokens }]) => [id, tokens]),
      );
    const idle = { status: "ready" } as const;
    expect(shares({ a: idle, b: idle, c: idle, d: idle })).toEqual({ a: 250, b: 250, c: 250, d: 250 });
    const began = { status: "in_progress", running: true, share: 250 } as const;
    const ended = { status: "completed", done: [[1, 40]], share: 250 } as const;
    expect(shares({ a: ended, b: began, c: idle, d: idle })).toEqual({ b: 250, c: 355, d: 355 });
    for (const status of ["paused", "skipped", "failed", "cancelled", "blocked"] as const)
      expect(shares({ a: ended, b: began, c: { status }, d: idle })).toEqual({ b: 250, d: 710 });
    const { stage } = windowUse(outputs({ a: began }, budgetOf(FLOW))).shares.get("a")!;
    expect(stage).toBe("own");
    // One that has begun and was told nothing yet is still to come.
    expect(shares({ a: { status: "in_progress", running: true }, b: idle })).toEqual({ a: 500, b: 500 });
  });

  it("[G24] compresses from 80 % on, and stops only well below, also after a restart", () => {
    const full = { status: "completed", share: 600 } as const;
    const first = { ...full, done: [[1, 580]] } as const;
    const over = { ...full, done: [[2, 230]] } as const;
    const budget = budgetOf(FLOW);
    expect(windowUse(outputs({ a: first, b: { status: "ready" } }, budget)).finest).toBe(0);
    expect(windowUse(outputs({ a: first, b: over }, budget)).finest).toBe(2);
    // b is tried again: 58 % are left, well below.
    const again = { status: "in_progress", running: true, share: 600, done: [[2, 230]] } as const;
    expect(windowUse(outputs({ a: first, b: again }, budget)).finest).toBe(0);
    // 81 %, then 77 %: what was passed stands.
    const small = { ...full, done: [[3, 40]] } as const;
    const retried = { status: "in_progress", running: true, share: 600, done: [[3, 40]] } as const;
    const most = { ...full, done: [[2, 190]] } as const;
    expect(windowUse(outputs({ a: first, b: most, c: small }, budget)).finest).toBe(2);
    expect(windowUse(outputs({ a: first, b: most, c: retried }, budget)).finest).toBe(2);
    expect(windowUse(outputs({ a: first, b: most }, budget)).finest).toBe(0);
  });

  it("[G24] reads an ended attempt once", () => {
    const run = outputs({ a: { status: "completed", done: [[1, 5]] }, b: { status: "ready" } }, budgetOf());
    const memory = new Map();
    for (let at = 0; at < 3; at++) windowUse(run, memory);
    expect(run.reads).toEqual(["a"]);
  });
});
