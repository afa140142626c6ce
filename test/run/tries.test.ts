import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Plan, readPlan } from "../../src/plan/index.ts";
import {
  allowedFront,
  createSpending,
  DEFAULT_POLICY,
  freshRun,
  type ResourceRules,
  type RunState,
  step,
} from "../../src/run/index.ts";

type Task = readonly [id: string, ...agents: string[]];

/** What tasks use, by their ids. */
type Uses = Readonly<Record<string, string>>;

function planOf(tasks: readonly Task[], uses: Uses = {}): Plan {
  const tell = ([id]: Task) => [
    `### [ ] ${id}: x`,
    ...(uses[id] === undefined ? [] : [`- uses: ${uses[id]}`]),
  ];
  const text = ["## Phase 1: p", ...tasks.flatMap(tell)].join("\n");
  return readPlan(Buffer.from(text), { path: "TASKS.md" }).plan;
}

function begin(
  tasks: readonly Task[],
  parallel: number,
  caps: Readonly<Record<string, number>> = {},
  maxTokens?: number,
  uses: Uses = {},
) {
  const resources: ResourceRules = {
    caps: new Map(Object.entries(caps)),
    agentsOf: task => tasks.find(([id]) => id === task.id)!.slice(1),
  };
  const plan = planOf(tasks, uses);
  const policy = { ...DEFAULT_POLICY, parallel, backoffMs: 0, resources };
  const run = freshRun(plan, { policy }, () => "");
  if (maxTokens !== undefined) run.spending = createSpending({ maxTokens }, [{ tokens: 100 }]);
  const front = allowedFront(plan, resources);
  return { run, front, gone: dispatched(step(run, { type: "start", resumed: false, now: 0 })) };
}

function dispatched({ commands }: ReturnType<typeof step>): string[] {
  return commands.flatMap(command => (command.type === "dispatch" ? [command.task] : []));
}

function end(run: RunState, task: string): string[] {
  const attempt = run.byId.get(task)?.attempts ?? 0;
  const outcome = { kind: "done", verified: true, textHash: "" } as const;
  return dispatched(step(run, { type: "attempt-ended", task, attempt, outcome, ms: 0, now: 0 }));
}

describe("a task that several agents work on", () => {
  it("[RD22] takes a slot for each, and is not overtaken while it waits for them", () => {
    const { run, gone } = begin(
      [
        ["T1.1", "a", "a"],
        ["T1.2", "a", "b"],
        ["T1.3", "a"],
      ],
      3,
    );
    expect(gone).toEqual(["T1.1"]);
    expect(end(run, "T1.1")).toEqual(["T1.2", "T1.3"]);
  });

  it("[RD22] holds a unit of its agent's cap for each, and what is free is kept for it", () => {
    const { run, gone } = begin(
      [
        ["T1.1", "a"],
        ["T1.2", "a", "a"],
        ["T1.3", "a", "b"],
        ["T1.4", "b"],
      ],
      9,
      { a: 2 },
    );
    expect(gone).toEqual(["T1.1", "T1.3", "T1.4"]);
    expect(end(run, "T1.1")).toEqual([]);
    expect(end(run, "T1.3")).toEqual(["T1.2"]);
  });

  it("[RD22] holds a unit of what it uses for each of its agents, and the front says so", () => {
    const tasks: Task[] = [
      ["T1.1", "a", "b"],
      ["T1.2", "a", "a"],
      ["T1.3", "b"],
      ["T1.4", "a"],
    ];
    const uses = { "T1.1": "db", "T1.2": "[db, gpu]", "T1.3": "db", "T1.4": "gpu" };
    const { run, gone, front } = begin(tasks, 9, { db: 3, gpu: 2 }, undefined, uses);
    expect(gone).toEqual(["T1.1", "T1.3", "T1.4"]);
    expect(front).toEqual(gone);
    expect(end(run, "T1.3")).toEqual([]);
    expect(end(run, "T1.4")).toEqual([]);
    expect(end(run, "T1.1")).toEqual(["T1.2"]);
  });

  it("[RD22] gives its slots back when its attempt is let go, and its agents have ended", () => {
    const { run } = begin(
      [
        ["T1.1", "a", "a", "a"],
        ["T1.2", "a"],
      ],
      3,
    );
    const out = step(run, { type: "act", action: "cancel", task: "T1.1", note: "", textHash: "", now: 0 });
    expect(dispatched(out)).toEqual([]);
    expect(end(run, "T1.1")).toEqual(["T1.2"]);
  });

  it("[RD22] is promised what as many attempts take", () => {
    // One attempt has taken 100 tokens; there are 250 for all.
    expect(begin([["T1.1", "a"]], 3, {}, 250).gone).toEqual(["T1.1"]);
    expect(begin([["T1.1", "a", "a", "a"]], 3, {}, 250).gone).toEqual([]);
    expect(begin([["T1.1", "a", "a", "a"]], 3, {}, 400).gone).toEqual(["T1.1"]);
  });

  it("[RD22] never do more agents work at once than slots and caps allow, and every plan comes to its end", () => {
    const caps = { a: 2, b: 3, db: 4 };
    const agents = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 4 });
    const fits = (names: readonly string[]) => names.filter(name => name === "a").length <= 2;
    const wide = agents.filter(names => fits(names) && names.filter(name => name === "b").length <= 3);
    fc.assert(
      fc.property(
        fc.array(wide, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 4, max: 6 }),
        fc.infiniteStream(fc.nat()),
        fc.nat(),
        (crews, parallel, picks, using) => {
          const tasks = crews.map((names, at): Task => [`T1.${at + 1}`, ...names]);
          const crewOf = new Map(tasks.map(([id, ...names]) => [id, names]));
          const users = tasks.flatMap(([id], at) => ((using >> at) % 2 === 1 ? [id] : []));
          const uses = Object.fromEntries(users.map(id => [id, "db"]));
          const { run, gone } = begin(tasks, parallel, caps, undefined, uses);
          const running = new Set(gone);
          let ends = 0;
          while (running.size > 0) {
            const atWork = [...running].flatMap(id => crewOf.get(id) ?? []);
            expect(atWork.length).toBeLessThanOrEqual(parallel);
            const inUse = [...running].flatMap(id => (crewOf.get(id) ?? []).map(() => uses[id]));
            for (const [name, cap] of Object.entries(caps))
              expect([...atWork, ...inUse].filter(one => one === name).length).toBeLessThanOrEqual(cap);
            const [pick = 0] = picks.take(1);
            const id = [...running][pick % running.size]!;
            running.delete(id);
            ends++;
            for (const next of end(run, id)) running.add(next);
          }
          expect(ends).toBe(tasks.length);
          expect(run.heldFiles.size).toBe(0);
        },
      ),
    );
  });
});
