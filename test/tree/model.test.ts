import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DocumentRow, NodeRow, Result } from "../../src/ports/index.ts";
import {
  abandon,
  addDoc,
  branch,
  complete,
  docsOf,
  initRoot,
  merge,
  moveNode,
  pathOf,
  ROOT,
  reopen,
  restoreTree,
  type Tree,
  type TreeFailure,
  type TreeRows,
  treeRows,
  withdraw,
} from "../../src/tree/index.ts";
import { added, byName, PLAN } from "./trees.ts";

/** What a store makes of the rows it is given: the last one of each key. */
class Rows {
  readonly nodes = new Map<string, NodeRow>();
  readonly documents = new Map<string, DocumentRow>();
  take({ nodes, documents }: TreeRows): void {
    for (const row of nodes) this.nodes.set(row.id, row);
    for (const row of documents) this.documents.set(`${row.node} ${row.label}`, row);
  }
  restored(): Tree {
    const tree = restoreTree({ nodes: [...this.nodes.values()], documents: [...this.documents.values()] });
    if (!tree.ok || tree.value === undefined) throw new Error("the rows do not make a tree");
    return tree.value;
  }
}

/** The tree as plain sentences, whatever the order of its branches. */
function described(tree: Tree): string[] {
  return [...tree.nodes.values()]
    .map(node => {
      const list = (["shared", "own"] as const).map(place =>
        node[place].map(({ label, withdrawn }) => `${withdrawn ? "-" : ""}${label}`).join(","),
      );
      return [node.id, node.parent?.id, node.status, node.mergedInto, ...list].join(" ");
    })
    .sort();
}

const name = fc.nat(7).map(n => `ctx-${n}`);
const anyNode = fc.oneof(name, fc.constant(ROOT), fc.constant("ctx-nowhere"));
const label = fc.nat(9).map(n => `d${n}`);

type Step = (tree: Tree) => Result<TreeRows, TreeFailure> | TreeRows;
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(anyNode, fc.uniqueArray(name, { maxLength: 3 })).map(
    ([parent, ids]): Step =>
      tree =>
        branch(tree, parent, ids, PLAN),
  ),
  fc.tuple(anyNode, label, fc.constantFrom("shared" as const, "own" as const)).map(
    ([id, document, place]): Step =>
      tree =>
        addDoc(tree, id, { ...added(document, "T1"), place }),
  ),
  label.map(
    (gone): Step =>
      tree =>
        withdraw(tree, document => document.label === gone),
  ),
  anyNode.map(
    (id): Step =>
      tree =>
        complete(tree, id),
  ),
  anyNode.map(
    (id): Step =>
      tree =>
        abandon(tree, id),
  ),
  anyNode.map(
    (id): Step =>
      tree =>
        reopen(tree, id),
  ),
  fc.tuple(anyNode, anyNode).map(
    ([id, into]): Step =>
      tree =>
        merge(tree, id, into),
  ),
  fc.tuple(anyNode, anyNode).map(
    ([id, parent]): Step =>
      tree =>
        moveNode(tree, id, parent),
  ),
);

describe("any history of a tree", () => {
  it("[T10] is in the rows that its steps return, and a refused step changes nothing", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), steps => {
        const { tree, rows } = initRoot([added("spec", "T0")], PLAN);
        const store = new Rows();
        store.take(rows);
        for (const apply of steps) {
          const before = described(tree);
          const done = apply(tree);
          if (!("ok" in done)) store.take(done);
          else if (done.ok) store.take(done.value);
          const isRefused = "ok" in done && !done.ok;
          expect(described(tree)).toEqual(isRefused ? before : described(tree));
        }
        expect(described(store.restored())).toEqual(described(tree));
        const whole = new Rows();
        whole.take(treeRows(tree));
        expect(described(whole.restored())).toEqual(described(tree));
      }),
      { numRuns: 300 },
    );
  });

  it("[T6] leaves every node on a path from the root, and nobody reads twice or what was taken back", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), steps => {
        const { tree } = initRoot([], PLAN);
        for (const apply of steps) apply(tree);
        for (const node of tree.nodes.values()) {
          const path = pathOf(node);
          expect(path[0]).toBe(tree.root);
          expect(new Set(path).size).toBe(path.length);
          expect(node.parent === undefined || node.parent.children.includes(node)).toBe(true);
          const read = docsOf(tree, node.id, byName);
          expect(new Set(read.map(document => document.label)).size).toBe(read.length);
          expect(read.every(document => !document.withdrawn)).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("[T4] [T18] never takes back that a branch was given up or merged", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), steps => {
        const { tree } = initRoot([], PLAN);
        const ended = new Map<string, string>();
        for (const apply of steps) {
          apply(tree);
          for (const { id, status } of tree.nodes.values()) {
            expect(ended.get(id) ?? status).toBe(status);
            // What is completed may be opened again.
            if (status === "abandoned" || status === "merged") ended.set(id, status);
          }
        }
        expect(tree.root.status).toBe("active");
      }),
      { numRuns: 100 },
    );
  });
});

describe("moving", () => {
  const grown = () => {
    const { tree } = initRoot([], PLAN);
    branch(tree, ROOT, ["a", "b"], PLAN);
    branch(tree, "a", ["c"], PLAN);
    addDoc(tree, "a", added("doc", "T1"));
    return tree;
  };

  it("[T17] takes everything below along", () => {
    const tree = grown();
    expect(moveNode(tree, "a", "b")).toMatchObject({
      ok: true,
      value: { nodes: [{ id: "ctx-a", parent: "ctx-b" }], documents: [] },
    });
    expect(pathOf(tree.nodes.get("ctx-c")!).map(({ id }) => id)).toEqual([ROOT, "ctx-b", "ctx-a", "ctx-c"]);
    expect(docsOf(tree, "c", byName).map(document => document.label)).toEqual(["doc"]);
    expect(tree.root.children.map(({ id }) => id)).toEqual(["ctx-b"]);
  });

  it("[T17] never below itself, never the root, and nowhere else than to a node", () => {
    const tree = grown();
    expect(moveNode(tree, "a", "c")).toMatchObject({ ok: false, failure: { kind: "below-itself" } });
    expect(moveNode(tree, "a", "a")).toMatchObject({ ok: false, failure: { kind: "below-itself" } });
    expect(moveNode(tree, ROOT, "a")).toMatchObject({ ok: false, failure: { kind: "root" } });
    expect(moveNode(tree, "x", "a")).toMatchObject({
      ok: false,
      failure: { kind: "unknown-node", node: "x" },
    });
    expect(moveNode(tree, "a", "x")).toMatchObject({
      ok: false,
      failure: { kind: "unknown-node", node: "x" },
    });
    expect(moveNode(tree, "a", ROOT)).toEqual({ ok: true, value: { nodes: [], documents: [] } });
  });
});
