import { describe, expect, it } from "vitest";
import { settleNode, settleNodeIn } from "../../../src/context/library/index.ts";
import { immediateLedger } from "../../../src/context/shared/index.ts";
import type { ContextChange } from "../../../src/ports/index.ts";
import { addDoc, type Tree, treeRows } from "../../../src/tree/index.ts";
import { planOf } from "../../engine/bench.ts";
import { file, treeOf } from "../../tree/trees.ts";

const PLAN = planOf("# x\n\n- [ ] T1: a\n  - context: a\n- [ ] T2: b\n  - context: b\n");
const readers = (...ended: string[]) => ({ plan: PLAN, isEnded: (task: string) => ended.includes(task) });

/** `a` above `b`, and `c` beside them, each with a document of its own. */
function grove(): Tree {
  const tree = treeOf(["root", "a"], ["a", "b"], ["root", "c"]);
  for (const id of ["a", "b", "c"]) addDoc(tree, id, file(`of-${id}`));
  return tree;
}

describe("a node that a person ends", () => {
  it("[G17] is complete once all tasks of it and below have ended, however", () => {
    const tree = grove();
    const early = settleNode(tree, { action: "complete", node: "a" }, readers("T1"));
    expect(early.answer).toEqual({
      kind: "refused",
      why: { kind: "unfinished", node: "ctx-a", tasks: ["T2"] },
    });
    expect(early.rows).toEqual({ nodes: [], documents: [] });
    const late = settleNode(tree, { action: "complete", node: "ctx-a" }, readers("T1", "T2"));
    expect(late.answer).toEqual({ kind: "done", node: "ctx-a", labels: [] });
    expect(late.rows.nodes).toMatchObject([{ id: "ctx-a", status: "completed" }]);
  });

  it("[G17] is abandoned whoever still reads it", () => {
    const tree = grove();
    const { answer, rows } = settleNode(tree, { action: "abandon", node: "b" }, readers());
    expect(answer).toEqual({ kind: "done", node: "ctx-b", labels: [] });
    expect(rows.nodes).toMatchObject([{ id: "ctx-b", status: "abandoned" }]);
  });

  it("[G17] is merged with its documents", () => {
    const tree = grove();
    const { answer } = settleNode(tree, { action: "merge", node: "b", into: "c" }, readers());
    expect(answer).toEqual({ kind: "done", node: "ctx-b", labels: ["of-b"] });
    expect(tree.nodes.get("ctx-c")?.own.map(({ label }) => label)).toEqual(["of-c", "of-b"]);
    expect(tree.nodes.get("ctx-b")?.mergedInto).toBe("ctx-c");
  });

  it.each([
    [{ action: "complete", node: "none" } as const, { kind: "unknown-node", node: "ctx-none" }],
    [{ action: "complete", node: "root" } as const, { kind: "root", node: "ctx-root" }],
    [{ action: "abandon", node: "../../etc" } as const, { kind: "unknown-node", node: "ctx-../../etc" }],
    [{ action: "merge", node: "a", into: "b" } as const, { kind: "below-itself", node: "ctx-a", into: "b" }],
    [{ action: "merge", node: "a", into: "" } as const, { kind: "unknown-node", node: "" }],
  ])("[G17] %j is refused, and changes nothing", (wish, why) => {
    const tree = grove();
    const before = treeRows(tree);
    expect(settleNode(tree, wish, readers("T1", "T2")).answer).toEqual({ kind: "refused", why });
    expect(treeRows(tree)).toEqual(before);
  });

  it("[G17] names at most ten of the tasks it waits for", () => {
    const many = Array.from({ length: 30 }, (_, at) => `- [ ] M${at}: x\n  - context: a\n`).join("");
    const plan = planOf(`# x\n\n${many}`);
    const { answer } = settleNode(grove(), { action: "complete", node: "a" }, { plan, isEnded: () => false });
    expect(answer).toMatchObject({ why: { kind: "unfinished", tasks: { length: 10 } } });
  });

  it("[G17] becomes durable, and nothing is written for a refusal or a damaged tree", async () => {
    const written: ContextChange[] = [];
    const ledger = immediateLedger(
      rows => written.push(rows),
      () => 7,
    );
    const tree = grove();
    const library = { ledger, grow: () => undefined, plan: () => PLAN, tree: () => tree };
    expect(await settleNodeIn(library, { action: "complete", node: "a" }, () => false)).toMatchObject({
      kind: "refused",
    });
    expect(written).toEqual([]);
    expect(await settleNodeIn(library, { action: "complete", node: "a" }, () => true)).toMatchObject({
      kind: "done",
    });
    expect(written).toMatchObject([{ nodes: [{ id: "ctx-a", status: "completed" }] }]);
    const damaged = { ...library, tree: () => undefined };
    expect(await settleNodeIn(damaged, { action: "abandon", node: "c" }, () => true)).toEqual({
      kind: "refused",
      why: { kind: "damaged" },
    });
    const leaving = { ...library, ledger: { commit: async () => false } };
    expect(await settleNodeIn(leaving, { action: "abandon", node: "c" }, () => true)).toBeUndefined();
  });
});
