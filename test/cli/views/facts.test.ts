import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Task } from "../../../src/plan/index.ts";
import type { TaskStatus } from "../../../src/ports/index.ts";
import { blockages, byPhase, heldPhase, type TaskFacts, tally, taskFacts } from "../../../src/run/index.ts";
import { growth, LINEAR } from "../../growth.ts";
import { agentSaid } from "../../reasons.ts";
import { plan, task } from "./scene.ts";

function facts(
  part: Partial<Task> & Pick<Task, "id">,
  status: TaskStatus = "pending",
  more: Partial<TaskFacts> = {},
): TaskFacts {
  return {
    task: task(part),
    status,
    retries: 0,
    attempts: 0,
    verified: undefined,
    reason: undefined,
    notBefore: 0,
    ...more,
  };
}

const NONE: ReadonlySet<string> = new Set();

describe("facts", () => {
  it("[VN2] a task without a stored row is pending", () => {
    const row = {
      id: "T1",
      status: "failed" as const,
      retries: 3,
      attempts: 4,
      reason: agentSaid("why"),
      sameError: 1,
      textHash: "",
      notBefore: 7,
    };
    const [first, second] = taskFacts(plan([task({ id: "T1" }), task({ id: "T2" })]), [row]);
    expect(first).toMatchObject({
      status: "failed",
      retries: 3,
      attempts: 4,
      reason: agentSaid("why"),
      notBefore: 7,
    });
    expect(second).toMatchObject({ status: "pending", retries: 0, verified: undefined });
  });

  it("[VV5] tasks that only group others are not counted", () => {
    const all = [
      facts({ id: "a" }, "completed", { verified: true }),
      facts({ id: "g", children: ["a"] }, "completed"),
    ];
    expect(tally(all)).toMatchObject({ total: 1, unverified: 0 });
    const more = [
      ...all,
      facts({ id: "b" }, "completed", { verified: false }),
      facts({ id: "c" }, "completed"),
      facts({ id: "d" }, "failed"),
      facts({ id: "e" }, "ready", { verified: false }),
    ];
    expect(tally(more)).toMatchObject({
      total: 5,
      unverified: 2,
      counts: { completed: 3, failed: 1, ready: 1, pending: 0 },
    });
  });

  it("[VN1] phases keep the plan's order; unknown ones follow, empty ones are left out", () => {
    const groups = byPhase(
      [
        { phase: 0, title: "Setup" },
        { phase: 1, title: "Empty" },
        { phase: "PF", title: "Final" },
      ],
      [facts({ id: "x", phase: 7 }), facts({ id: "f", phase: "PF" }), facts({ id: "s", phase: 0 })],
    );
    expect(groups.map(({ label, title, tasks }) => [label, title, tasks.length])).toEqual([
      ["0", "Setup", 1],
      ["PF", "Final", 1],
      ["7", "", 1],
    ]);
  });
});

describe("the gate", () => {
  const phases = (done: number, failed: number, open = 0) =>
    byPhase(
      [
        { phase: 1, title: "" },
        { phase: 2, title: "" },
      ],
      [
        ...Array.from({ length: done }, (_, at) => facts({ id: `d${at}`, phase: 1 }, "completed")),
        ...Array.from({ length: failed }, (_, at) => facts({ id: `f${at}`, phase: 1 }, "failed")),
        ...Array.from({ length: open }, (_, at) => facts({ id: `o${at}`, phase: 1 }, "ready")),
        facts({ id: "n", phase: 2 }),
      ],
    );

  it("[VR5] holds the next phase below its share, not at it", () => {
    expect(heldPhase(phases(8, 2), 0.9, NONE)).toBe("2");
    expect(heldPhase(phases(9, 1), 0.9, NONE)).toBeUndefined();
    expect(heldPhase(phases(8, 2, 1), 0.9, NONE)).toBeUndefined();
    expect(heldPhase(phases(8, 2), 0.9, new Set(["2"]))).toBeUndefined();
    expect(heldPhase([], 0.9, NONE)).toBeUndefined();
    // Behind the last phase stands none that could be held.
    expect(heldPhase(phases(8, 2).slice(0, 1), 0.9, NONE)).toBeUndefined();
  });

  it("[VR5] skipped tasks and groups have no part in it", () => {
    const groups = byPhase(
      [],
      [
        facts({ id: "a", phase: 1 }, "completed"),
        facts({ id: "b", phase: 1 }, "skipped"),
        facts({ id: "g", phase: 1, children: ["b"] }, "blocked"),
        facts({ id: "n", phase: 2 }),
      ],
    );
    expect(heldPhase(groups, 1, NONE)).toBeUndefined();
  });
});

describe("blocked tasks", () => {
  const ids = (tasks: readonly TaskFacts[]) =>
    blockages(tasks).map(({ by, tasks: held }) => [by, held.map(({ task: { id } }) => id)]);

  it("[VR3] are grouped by the task at the root of their trouble", () => {
    expect(
      ids([
        facts({ id: "c", dependsOn: ["b"] }, "blocked"),
        facts({ id: "a" }, "failed"),
        facts({ id: "b", dependsOn: ["ok", "a"] }, "blocked"),
        facts({ id: "ok" }, "completed"),
        facts({ id: "x" }, "cancelled"),
        facts({ id: "y", dependsOn: ["x"] }, "blocked"),
        facts({ id: "g", children: ["y"] }, "blocked"),
      ]),
    ).toEqual([
      ["a", ["c", "b"]],
      ["x", ["y", "g"]],
    ]);
  });

  it("[VR3] name the fill that prepares nothing for them, or what the containers around them wait for", () => {
    expect(
      ids([
        facts({ id: "fill" }, "failed"),
        facts({ id: "reader", preparedBy: ["fill"] }, "blocked"),
        facts({ id: "later", dependsOn: ["reader"] }, "blocked"),
        facts({ id: "gate" }, "cancelled"),
        facts({ id: "inner", inherited: ["gate"] }, "blocked"),
      ]),
    ).toEqual([
      ["fill", ["reader", "later"]],
      ["gate", ["inner"]],
    ]);
  });

  it("[VR3] end somewhere even when the state is damaged", () => {
    const loop = [
      facts({ id: "a", dependsOn: ["b"] }, "blocked"),
      facts({ id: "b", dependsOn: ["a"] }, "blocked"),
    ];
    expect(blockages(loop).flatMap(({ tasks }) => tasks)).toHaveLength(2);
    expect(ids([facts({ id: "a", dependsOn: ["gone"] }, "blocked")])).toEqual([["a", ["a"]]]);
  });

  it("[VR3] each stands in exactly one group, under a task that is broken", () => {
    const statuses: TaskStatus[] = ["blocked", "failed", "completed", "cancelled"];
    const graph = fc.array(fc.tuple(fc.constantFrom(...statuses), fc.array(fc.nat(30), { maxLength: 3 })), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(graph, nodes => {
        const tasks = nodes.map(([status, dependsOn], at) =>
          facts({ id: `t${at}`, dependsOn: dependsOn.map(to => `t${to}`) }, status),
        );
        const grouped = blockages(tasks).flatMap(({ tasks: held }) => held);
        expect(new Set(grouped)).toEqual(new Set(tasks.filter(({ status }) => status === "blocked")));
        expect(grouped).toHaveLength(new Set(grouped).size);
      }),
    );
  });

  it("[VV7] a chain of any length takes linear time", () => {
    const chainOf = (size: number) =>
      Array.from({ length: size }, (_, at) =>
        facts({ id: `t${at}`, dependsOn: at === 0 ? [] : [`t${at - 1}`] }, at === 0 ? "failed" : "blocked"),
      ).reverse();
    expect(blockages(chainOf(100_000))).toHaveLength(1);
    expect(growth(5000, chainOf, blockages)).toBeLessThan(LINEAR);
  });
});
