import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { growTree, newTree } from "../../../src/context/library/grow-tree.ts";
import { createNodeLife } from "../../../src/context/library/node-life.ts";
import { WindowSoFar } from "../../../src/context/library/window-so-far.ts";
import type { ContextNodeDeclaration, Plan, Task } from "../../../src/plan/index.ts";
import { abandon, nodeName, pathOf, type Tree } from "../../../src/tree/index.ts";
import { openBench, planOf } from "../../engine/bench.ts";
import { casesOf } from "../../sample.ts";

/** A task that reads one node and may fill another. */
function task(id: string, contextRef: string, fills?: string): Task {
  const bare = { phase: 1, title: id, kind: "worker", done: false, line: 0, text: "" } as const;
  return {
    ...bare,
    id,
    dependsOn: [],
    parallelWith: [],
    files: [],
    contextRef,
    ...(fills === undefined ? {} : { fills }),
  };
}

/** A plan over a tree, and a life that follows it. */
function living(nodes: readonly ContextNodeDeclaration[], tasks: readonly Task[]) {
  let plan: Plan = { ...planOf("# x\n\n- [ ] T1: x\n"), contextNodes: nodes, tasks };
  const { tree } = newTree(0);
  const done = new Set<string>();
  const home = {
    tree: () => tree,
    window: new WindowSoFar(),
    plan: () => plan,
    grow: () => {
      growTree(tree, plan.contextNodes, 0);
      return undefined;
    },
  };
  const life = createNodeLife(home, id => done.has(id));
  return {
    tree,
    done,
    follow: (...ids: string[]) =>
      life.follow(
        plan.tasks.filter(({ id }) => ids.includes(id)).map(one => ({ task: one })),
        0,
      ),
    replan: (next: readonly Task[]) => {
      plan = { ...plan, tasks: next };
    },
    statuses: () => Object.fromEntries([...tree.nodes.values()].map(({ id, status }) => [id, status])),
  };
}

const NODES = [{ id: "a" }, { id: "b", parent: "a" }, { id: "c", parent: "a" }, { id: "idle" }];

describe("nodes in the course of a run", () => {
  it("[G16] are completed from below when their tasks are done, and never the root or one nobody works for", () => {
    const tasks = [task("1", "b"), task("2", "c"), task("3", "a"), task("4", "root")];
    const { follow, done, statuses } = living(NODES, tasks);
    expect(follow()).toBeUndefined();
    done.add("1").add("3");
    follow("1", "3");
    expect(statuses()).toMatchObject({ "ctx-a": "active", "ctx-b": "completed", "ctx-c": "active" });
    done.add("2").add("4");
    const step = follow("2", "4");
    expect(step?.rows.nodes?.map(({ id }) => id).sort()).toEqual(["ctx-a", "ctx-c"]);
    expect(statuses()).toEqual({
      "ctx-root": "active",
      "ctx-a": "completed",
      "ctx-b": "completed",
      "ctx-c": "completed",
      "ctx-idle": "active",
    });
  });

  it("[G16] wait for who fills them, not only for who reads them", () => {
    const { follow, done, statuses } = living(NODES, [task("1", "c", "b"), task("2", "b")]);
    follow();
    done.add("2");
    follow("2");
    expect(statuses()["ctx-b"]).toBe("active");
    done.add("1");
    follow("1");
    expect(statuses()).toMatchObject({ "ctx-b": "completed", "ctx-c": "completed", "ctx-a": "completed" });
  });

  it("[G16] are opened again, with those above, by a task that is tried again or added", () => {
    const tasks = [task("1", "b"), task("2", "c")];
    const { follow, done, statuses, replan } = living(NODES, tasks);
    done.add("1").add("2");
    follow();
    expect(statuses()).toMatchObject({ "ctx-a": "completed", "ctx-b": "completed" });
    done.delete("1");
    follow("1");
    expect(statuses()).toMatchObject({ "ctx-a": "active", "ctx-b": "active", "ctx-c": "completed" });
    done.add("1");
    follow("1");
    replan([...tasks, task("3", "c")]);
    follow();
    expect(statuses()).toMatchObject({ "ctx-a": "active", "ctx-b": "completed", "ctx-c": "active" });
  });

  it("[G16] are opened again by a branch that is declared below them", () => {
    const { tree, follow, done, statuses } = living([{ id: "a" }], [task("1", "a")]);
    done.add("1");
    follow();
    expect(statuses()["ctx-a"]).toBe("completed");
    const rows = growTree(tree, [{ id: "a" }, { id: "b", parent: "a" }], 1);
    expect(rows.nodes.map(({ id, status }) => `${id} ${status}`)).toEqual(["ctx-a active", "ctx-b active"]);
    expect(tree.nodes.get("ctx-b")?.parent?.id).toBe("ctx-a");
  });

  it("[G16] stay as a person left them", () => {
    const { tree, follow, done, statuses } = living(NODES, [task("1", "b")]);
    follow();
    abandon(tree, "b");
    done.add("1");
    follow("1");
    done.delete("1");
    follow("1");
    expect(statuses()["ctx-b"]).toBe("abandoned");
  });

  it("[G16] are what counting everything anew would make them, whatever happens in whatever order", () => {
    const parents = fc.array(fc.nat(20), { minLength: 1, maxLength: 12 });
    const readers = fc.array(fc.tuple(fc.nat(20), fc.nat(20), fc.boolean()), { minLength: 1, maxLength: 15 });
    const flips = fc.array(fc.array(fc.nat(20), { maxLength: 4 }), { maxLength: 25 });
    fc.assert(
      fc.property(parents, readers, flips, (shape, reads, rounds) => {
        const nodes = shape.map((pick, at) => ({
          id: `n${at}`,
          ...(pick % (at + 1) === at ? {} : { parent: `n${pick % (at + 1)}` }),
        }));
        const name = (pick: number) => `n${pick % nodes.length}`;
        const tasks = reads.map(([read, fill, fills], at) =>
          task(`t${at}`, name(read), fills ? name(fill) : undefined),
        );
        const { tree, follow, done, statuses } = living(nodes, tasks);
        follow();
        expect(statuses()).toEqual(counted(tree, tasks, done));
        for (const round of rounds) {
          const changed = round.map(pick => tasks[pick % tasks.length]!.id);
          for (const id of changed) if (!done.delete(id)) done.add(id);
          follow(...changed);
          expect(statuses()).toEqual(counted(tree, tasks, done));
        }
      }),
      { numRuns: casesOf(38, 150) },
    );
  });

  it("[G16] cost no more for 5,000 tasks of one node than their number", () => {
    const tasks = Array.from({ length: 5000 }, (_, at) => task(`t${at}`, "b"));
    const { tree, done } = living(NODES, tasks);
    const home = {
      tree: () => tree,
      plan: (
        plan => () =>
          plan
      )({ ...planOf("# x\n\n- [ ] T1: x\n"), contextNodes: NODES, tasks }),
      grow: () => undefined,
      window: new WindowSoFar(),
    };
    growTree(tree, NODES, 0);
    let asked = 0;
    const life = createNodeLife(home, id => {
      asked++;
      return done.has(id);
    });
    life.follow([], 0);
    for (const one of tasks) {
      done.add(one.id);
      life.follow([{ task: one }], 0);
    }
    expect(asked).toBe(10_000);
    expect(tree.nodes.get("ctx-a")?.status).toBe("completed");
  });

  it("[G16] are durable with the end of their last task", async () => {
    using bench = openBench({
      tasks: "### [ ] T1.1: a\n- fills: ctx-api\n\n### [ ] T1.2: b\n- context: ctx-api\n",
    });
    const end = bench.start();
    const fill = await bench.puppets.next("T1.1");
    fill.say(`# API\nDONE:${fill.id}`);
    const reader = await bench.puppets.next("T1.2");
    expect(bench.engine.library.tree(0)?.nodes.get("ctx-api")?.status).toBe("active");
    reader.say(`[ADD_CONTEXT:ctx-api]late find[/ADD_CONTEXT]\nDONE:${reader.id}`);
    await end;
    const stored = bench.engine.library.rows.load();
    const rows = stored.ok ? stored.value : undefined;
    expect(rows?.nodes.find(({ id }) => id === "ctx-api")?.status).toBe("completed");
    // The last discovery was taken in before the node was closed.
    expect(rows?.documents.map(({ label }) => label)).toContain("add-T1.2-1-1");
    const change = bench.changes.find(({ context }) =>
      context?.nodes?.some(({ status }) => status === "completed"),
    );
    expect(change?.attempts?.map(row => `${row.task} ${row.outcome}`)).toEqual(["T1.2 done"]);
  });
});

/** Each node that somebody works for is completed exactly when nobody at it or below has anything left to do. */
function counted(tree: Tree, tasks: readonly Task[], done: ReadonlySet<string>): Record<string, string> {
  const worked = new Set<string>();
  const open = new Set<string>();
  for (const { id, contextRef, fills } of tasks) {
    for (const name of [contextRef, fills]) {
      const node = name === undefined ? undefined : tree.nodes.get(nodeName(name));
      for (const { id: above } of node === undefined ? [] : pathOf(node)) {
        worked.add(above);
        if (!done.has(id)) open.add(above);
      }
    }
  }
  const isOver = (id: string) => id !== "ctx-root" && worked.has(id) && !open.has(id);
  return Object.fromEntries([...tree.nodes.keys()].map(id => [id, isOver(id) ? "completed" : "active"]));
}
