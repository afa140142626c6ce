import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { levels, readPlan, type Task } from "../../src/plan/index.ts";
import {
  allowedFront,
  DEFAULT_POLICY,
  freshRun,
  nextAnswer,
  type ResourceRules,
  type RunState,
  step,
  useResources,
} from "../../src/run/index.ts";
import { casesOf } from "../sample.ts";

function planOf(...tasks: readonly (readonly [id: string, ...lines: string[]])[]) {
  const text = [
    "## Phase 1: p",
    ...tasks.flatMap(([id, ...lines]) => [`### [ ] ${id}: x`, ...lines.map(one => `- ${one}`)]),
  ];
  return readPlan(Buffer.from(text.join("\n")), { path: "TASKS.md" }).plan;
}

const rules = (caps: Readonly<Record<string, number>>, agent = "shell"): ResourceRules => ({
  caps: new Map(Object.entries(caps)),
  agentsOf: task => [task.agent?.toString() ?? agent],
});

function begin(
  plan: ReturnType<typeof planOf>,
  resources: ResourceRules,
  parallel = 10,
): { run: RunState; gone: string[] } {
  const run = freshRun(plan, { policy: { ...DEFAULT_POLICY, parallel, backoffMs: 0, resources } }, () => "");
  const out = step(run, { type: "start", resumed: false, now: 0 });
  return { run, gone: dispatched(out) };
}

function dispatched({ commands }: ReturnType<typeof step>): string[] {
  return commands.flatMap(command => (command.type === "dispatch" ? [command.task] : []));
}

function done(run: RunState, task: string): string[] {
  const attempt = run.byId.get(task)?.attempts ?? 0;
  const outcome = { kind: "done", verified: true, textHash: "" } as const;
  return dispatched(step(run, { type: "attempt-ended", task, attempt, outcome, ms: 0, now: 0 }));
}

describe("named resources", () => {
  it("[RD25] a reviewer is held like who works, and once where both are the same", () => {
    const plan = planOf(
      ["T1.1", "agent: codex"],
      ["T1.2", "agent: claude"],
      ["T1.3", "agent: codex", "review: no"],
    );
    const reviewed = {
      ...rules({ claude: 1 }),
      reviewerOf: (task: Task) => (task.review === "no" ? undefined : "claude"),
    };
    const { run, gone } = begin(plan, reviewed);
    expect(gone).toEqual(["T1.1", "T1.3"]);
    expect(done(run, "T1.1")).toEqual(["T1.2"]);
    expect(allowedFront(plan, reviewed)).toEqual(["T1.1", "T1.3"]);
  });

  it("[RD20] one without a cap is used by one task at a time, and others pass", () => {
    const plan = planOf(
      ["T1.1", "uses: [db]"],
      ["T1.2", "uses: [db, port:3000]"],
      ["T1.3"],
      ["T1.4", "uses: port:3000"],
    );
    const { run, gone } = begin(plan, rules({}));
    expect(gone).toEqual(["T1.1", "T1.3", "T1.4"]);
    expect(done(run, "T1.4")).toEqual([]);
    expect(done(run, "T1.1")).toEqual(["T1.2"]);
  });

  it("[RD20] as many hold one as its cap allows, whether they use the same beside it or not", () => {
    const plan = planOf(
      ["T1.1", "uses: db"],
      ["T1.2", "uses: db"],
      ["T1.3", "uses: db"],
      ["T1.4", "uses: [db, gpu]"],
      ["T1.5", "uses: db"],
      ["T1.6", "uses: [gpu]"],
    );
    const { run, gone } = begin(plan, rules({ db: 2 }));
    expect(gone).toEqual(["T1.1", "T1.2", "T1.6"]);
    expect(done(run, "T1.1")).toEqual(["T1.3"]);
    // T1.4 is next but gpu is taken: it is passed.
    expect(done(run, "T1.3")).toEqual(["T1.5"]);
    expect(done(run, "T1.2")).toEqual([]);
    expect(done(run, "T1.6")).toEqual(["T1.4"]);
  });

  it("[RD20] units that come free one after the other are all used again", () => {
    const tasks = Array.from({ length: 9 }, (_, at) => [`T1.${at + 1}`, "uses: db"] as const);
    const { run, gone } = begin(planOf(...tasks), rules({ db: 3 }));
    expect(gone).toHaveLength(3);
    const order = [...gone];
    for (let at = 0; at < 9; at++) order.push(...done(run, order[at]!));
    expect(order).toEqual(tasks.map(([id]) => id));
    expect(run.heldFiles.size).toBe(0);
    expect(run.ended?.outcome).toBe("completed");
  });

  it("[RD20] a cap of an agent holds back its tasks alone, and is heard once its name is known", () => {
    const plan = planOf(["T1.1"], ["T1.2"], ["T1.3", "agent: codex"], ["T1.4"]);
    expect(begin(plan, rules({ claude: 1 }, "claude")).gone).toEqual(["T1.1", "T1.3"]);
    const policy = { ...DEFAULT_POLICY, resources: rules({ claude: 1 }, "auto") };
    const run = freshRun(plan, { policy }, () => "");
    useResources(run, rules({ claude: 1 }, "claude"));
    expect(dispatched(step(run, { type: "start", resumed: false, now: 0 }))).toEqual(["T1.1", "T1.3"]);
  });

  it("[RD20] rules that become known replace those before them, beside the paths of the task", () => {
    const plan = planOf(["T1.1", "uses: db", "files: src/a.ts"], ["T1.2", "uses: db"], ["T1.3"]);
    const run = freshRun(
      plan,
      { policy: { ...DEFAULT_POLICY, resources: rules({ claude: 1 }, "claude") } },
      () => "",
    );
    const after = rules({ db: 2, codex: 1 }, "codex");
    useResources(run, after);
    const made = freshRun(plan, { policy: { ...DEFAULT_POLICY, resources: after } }, () => "");
    const held = (one: typeof run) => one.tasks.map(({ files }) => files);
    expect(held(run)).toEqual(held(made));
    expect(held(run)[0]).toContain("src/a.ts");
    expect(new Set(held(run)[0]).size).toBe(3);
  });

  it("[RD20] what came free while a person held the run is all used when it goes on", () => {
    const tasks = Array.from({ length: 5 }, (_, at) => [`T1.${at + 1}`, "uses: db"] as const);
    const { run } = begin(planOf(...tasks), rules({ db: 3 }));
    step(run, { type: "hold", held: true, by: "", now: 0 });
    for (const task of ["T1.1", "T1.2", "T1.3"]) expect(done(run, task)).toEqual([]);
    expect(dispatched(step(run, { type: "hold", held: false, by: "", now: 0 }))).toEqual(["T1.4", "T1.5"]);
  });

  it("[RD20] never is one held by more than may, and nothing that has room is left lying", () => {
    const some = (names: readonly string[]) => fc.subarray([...names]);
    const one = fc.record({ uses: some(["a", "b", "c"]), files: some(["x.ts", "y.ts"]) });
    const caps = fc.record({ a: fc.integer({ min: 1, max: 3 }), b: fc.integer({ min: 1, max: 2 }) });
    const args = [
      fc.array(one, { minLength: 1, maxLength: 14 }),
      caps,
      fc.integer({ min: 1, max: 6 }),
      fc.infiniteStream(fc.nat()),
    ] as const;
    fc.assert(
      fc.property(...args, (tasks, caps, parallel, picks) => {
        const needs = new Map(tasks.map(({ uses, files }, at) => [`T1.${at + 1}`, [...uses, ...files]]));
        const plan = planOf(
          ...tasks.map(
            ({ uses, files }, at) =>
              [`T1.${at + 1}`, `uses: [${uses.join()}]`, `files: ${files.join()}`] as const,
          ),
        );
        const { run, gone } = begin(plan, rules(caps), parallel);
        const running = new Set(gone);
        const ended = new Set<string>();
        const room = (name: string) => (caps as Record<string, number>)[name] ?? 1;
        const holders = (name: string) => [...running].filter(id => needs.get(id)?.includes(name)).length;
        while (running.size > 0) {
          for (const name of ["a", "b", "c", "x.ts", "y.ts"])
            expect(holders(name)).toBeLessThanOrEqual(room(name));
          const left = [...needs.keys()].filter(id => !running.has(id) && !ended.has(id));
          const couldGo = left.filter(id => needs.get(id)?.every(name => holders(name) < room(name)));
          expect(running.size < parallel ? couldGo : []).toEqual([]);
          const all = [...running];
          const next = all[picks.next().value % all.length]!;
          running.delete(next);
          ended.add(next);
          for (const id of done(run, next)) running.add(id);
        }
        expect(ended.size).toBe(tasks.length);
        expect(run.heldFiles.size).toBe(0);
      }),
      { numRuns: casesOf(75, 300) },
    );
  });

  it("[RD20] an edit of the plan changes what waits, and what runs keeps what it holds", () => {
    const { run, gone } = begin(planOf(["T1.1", "uses: db"], ["T1.2", "uses: db"]), rules({ db: 1 }));
    expect(gone).toEqual(["T1.1"]);
    const plan = planOf(["T1.1", "uses: db"], ["T1.2", "uses: web"], ["T1.3", "uses: db"]);
    expect(dispatched(step(run, { type: "plan-changed", plan, now: 0 }))).toEqual(["T1.2"]);
    expect(done(run, "T1.1")).toEqual(["T1.3"]);
  });

  it("[RD20] a lead's claim is refused with what is taken", () => {
    const plan = planOf(["T1.1", "uses: db"], ["T1.2", "uses: db"]);
    const policy = { ...DEFAULT_POLICY, advance: "asked" as const, resources: rules({ db: 1 }) };
    const run = freshRun(plan, { policy }, () => "");
    step(run, { type: "start", resumed: false, now: 0 });
    expect(nextAnswer(run)).toBe("READY:T1.1|T1.2");
    step(run, { type: "claim", task: "T1.1", now: 0 });
    expect(step(run, { type: "claim", task: "T1.2", now: 0 }).refused).toEqual({
      code: "resource-taken",
      args: { task: "T1.2", resource: "db" },
    });
  });

  it("[RD23] without a cap as many use one as machines offer together, and that may change", () => {
    const plan = planOf(...["T1.1", "T1.2", "T1.3", "T1.4"].map(id => [id, "uses: [gpu, db]"] as const));
    let many = 2;
    const offers = (name: string) => (name === "gpu" ? many : 0);
    const { run, gone } = begin(plan, { ...rules({ db: 3 }), offers });
    expect(gone).toEqual(["T1.1", "T1.2"]);
    many = 9;
    // The project's own cap of three holds over all machines.
    expect(done(run, "T1.1")).toEqual(["T1.3", "T1.4"]);
    expect(begin(plan, { ...rules({}), offers: () => 0 }).gone).toEqual(["T1.1"]);
  });

  it("[RD21] the front is what the caps leave of a level", () => {
    const plan = planOf(
      ["T1.1", "uses: db"],
      ["T1.2", "uses: db"],
      ["T1.3", "uses: db"],
      ["T1.4"],
      ["T1.5", "agent: codex"],
      ["T1.6", "agent: codex"],
    );
    expect(levels(plan)[0]).toHaveLength(6);
    expect(allowedFront(plan, rules({ db: 2, codex: 1 }))).toEqual(["T1.1", "T1.2", "T1.4", "T1.5"]);
  });
});
