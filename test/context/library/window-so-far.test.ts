import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Budget, budgetSchema, settleBudget } from "../../../src/budget/index.ts";
import { WindowSoFar } from "../../../src/context/library/window-so-far.ts";
import { type RunOutputs, type Standing, windowUse } from "../../../src/context/library/window-use.ts";
import type { Task } from "../../../src/plan/index.ts";
import type { AttemptRow } from "../../../src/ports/index.ts";
import { task } from "../../run/build.ts";

/** A window of 1,000 tokens for outputs. */
function budgetOfThousand(more: object = {}): Budget {
  const settled = settleBudget(
    budgetSchema().parse({
      context_budget: {
        total_available: 1100,
        allocation: { system_prompt: 0, user_context: 100, agent_outputs: 1000, buffer: 0 },
        ...more,
      },
    }),
  );
  if (!settled.ok) throw new Error(settled.failure.map(({ message }) => message).join());
  return settled.value;
}

interface Life {
  status: Standing["status"];
  attempts: number;
  readonly done: AttemptRow[];
}

/** A run that goes on: a word is a token. */
function runOf(count: number) {
  const tasks: Task[] = Array.from({ length: count }, (_, at) => task(`T${at}`));
  const lives = new Map<string, Life>(
    tasks.map(({ id }) => [id, { status: "pending", attempts: 0, done: [] }]),
  );
  let asked = 0;
  let now = 0;
  const run: RunOutputs = {
    budget: budgetOfThousand(),
    tasks,
    standing(id) {
      asked++;
      return lives.get(id);
    },
    attempts: id => lives.get(id)?.done ?? [],
    promised: () => undefined,
    count: text => text.split(" ").filter(word => word !== "").length,
  };
  return {
    run,
    id: (at: number) => tasks[at]!.id,
    begin(id: string) {
      const life = lives.get(id)!;
      if (life.status !== "in_progress")
        Object.assign(life, { status: "in_progress", attempts: life.attempts + 1 });
    },
    end(id: string, tokens: number, status: Standing["status"]) {
      const life = lives.get(id)!;
      if (life.status !== "in_progress") return;
      const row = { task: id, number: life.attempts, endedAt: ++now, finalMessage: "w ".repeat(tokens) };
      if (status === "completed") life.done.push({ ...row, outcome: "done" } as AttemptRow);
      life.status = status;
    },
    sendBack(id: string) {
      const life = lives.get(id)!;
      if (life.status === "completed") life.status = "ready";
    },
    /** How many standings were asked for since the last time. */
    asked() {
      const since = asked;
      asked = 0;
      return since;
    },
  };
}

const deeds = fc.array(
  fc.record({
    at: fc.nat({ max: 5 }),
    deed: fc.constantFrom("begin", "end", "do", "do", "do", "fail", "send-back", "look"),
    tokens: fc.constantFrom(0, 20, 190, 230, 260, 400),
  }),
  { minLength: 5, maxLength: 60 },
);

describe("the window of a run so far", () => {
  it("[G44] is told as if the whole run were looked at, whatever its tasks do", () => {
    let full = 0;
    fc.assert(
      fc.property(deeds, done => {
        const { run, id, begin, end, sendBack } = runOf(6);
        const window = new WindowSoFar();
        for (const { at, deed, tokens } of done) {
          const task = id(at);
          if (deed === "begin" || deed === "do") begin(task);
          if (deed === "end" || deed === "do") end(task, tokens, "completed");
          else if (deed === "fail") end(task, tokens, "paused");
          else if (deed === "send-back") sendBack(task);
          window.changed(task);
          if (deed === "end") continue;
          const now = window.look(run, task);
          const whole = windowUse(run);
          expect({ used: now.used, finest: now.finest }).toEqual({
            used: whole.tracker.used,
            finest: whole.finest,
          });
          if (now.finest === 2) full++;
        }
      }),
    );
    expect(full).toBeGreaterThan(50);
  });

  it("[G44] knows without being told what became of tasks whose packages it was asked for", () => {
    const { run, id, begin, end } = runOf(3);
    const window = new WindowSoFar();
    begin(id(0));
    expect(window.look(run, id(0)).used).toBe(0);
    end(id(0), 200, "completed");
    begin(id(1));
    expect(window.look(run, id(1)).used).toBe(200);
  });

  it("[G44] begins anew with another plan, and where something is found that ended earlier", () => {
    const { run, id, begin, end, sendBack } = runOf(2);
    const window = new WindowSoFar();
    begin(id(0));
    end(id(0), 300, "completed");
    for (const tokens of [600, 460]) {
      begin(id(1));
      end(id(1), tokens, "completed");
      if (tokens === 600) sendBack(id(1));
    }
    const late: RunOutputs = {
      ...run,
      standing: task => (task === id(0) ? { status: "in_progress", attempts: 1 } : run.standing(task)),
      attempts: task => (task === id(0) ? [] : run.attempts(task)),
    };
    expect(window.look(late, id(1))).toMatchObject({ used: 460, finest: 0 });
    // 90 %, then 76 %: what was passed stands.
    expect(window.look(run, id(1))).toMatchObject({ used: 760, finest: 2 });
    expect(windowUse(run).finest).toBe(2);
    const fewer = { ...run, tasks: run.tasks.slice(1) };
    expect(window.look(fewer, id(1)).used).toBe(460);
  });

  it("[G44] counts what is durable only after its task is known to be done", () => {
    const { run, id, begin, end } = runOf(2);
    const window = new WindowSoFar();
    begin(id(0));
    window.look(run, id(0));
    end(id(0), 850, "completed");
    window.changed(id(0));
    begin(id(1));
    // Its row is on its way to a disk that is full.
    const open = { task: id(0), number: 1, outcome: "running" } as AttemptRow;
    const early: RunOutputs = { ...run, attempts: task => (task === id(0) ? [open] : run.attempts(task)) };
    expect(window.look(early, id(1)).used).toBe(0);
    expect(window.look(run, id(1))).toMatchObject({ used: 850, finest: 2 });
  });

  it("[G44] holds outputs to what their authors may hand on by the plan as it stands", () => {
    const { run, id, begin, end } = runOf(1);
    const terse = { max_output: 50, summary_threshold: 50, agents: ["terse"] };
    const before = { ...run, budget: budgetOfThousand({ per_agent_limits: { light_vs: terse } }) };
    const window = new WindowSoFar();
    begin(id(0));
    end(id(0), 850, "completed");
    expect(window.look(before, id(0)).used).toBe(850);
    const edited = { ...before, tasks: [{ ...before.tasks[0]!, role: "terse" }] };
    expect(windowUse(edited).tracker.used).toBe(50);
    expect(window.look(edited, id(0)).used).toBe(50);
  });

  it("[G44] takes as long for each package however many tasks the run has", () => {
    const looks = (count: number) => {
      const { run, id, begin, end, asked } = runOf(count);
      const window = new WindowSoFar();
      window.look(run, id(0));
      asked();
      for (let at = 0; at < 50; at++) {
        begin(id(at));
        window.changed(id(at));
        window.look(run, id(at));
        end(id(at), 30, "completed");
        window.changed(id(at));
      }
      return asked();
    };
    expect(looks(4000)).toBe(looks(100));
  });
});
