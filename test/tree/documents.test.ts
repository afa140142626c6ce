import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addDoc,
  branch,
  docsOf,
  initRoot,
  nodeName,
  pathOf,
  ROOT,
  readingOf,
  restoreTree,
  type Tree,
  treeRows,
  withdraw,
} from "../../src/tree/index.ts";
import { CONSTANT, growth, LINEAR } from "../growth.ts";
import { added, byName, file, ofShape, PLAN, shapes, treeOf } from "./trees.ts";

const labels = (tree: Tree, node: string, hashOf: (label: string) => string | undefined = byName) =>
  docsOf(tree, node, hashOf).map(document => document.label);

describe("what a reader is given", () => {
  it("[T6] root first, shared before own, in the order they came", () => {
    const { tree } = initRoot([file("spec"), { ...file("rules"), place: "shared" }], PLAN);
    branch(tree, ROOT, ["a", "b"], PLAN);
    addDoc(tree, "a", file("a-own"));
    addDoc(tree, "a", { ...file("prefix"), place: "shared" });
    addDoc(tree, "a", file("a-later"));
    addDoc(tree, "b", file("b-own"));
    expect(labels(tree, "a")).toEqual(["rules", "spec", "prefix", "a-own", "a-later"]);
    expect(labels(tree, "ctx-b")).toEqual(["rules", "spec", "b-own"]);
    expect(labels(tree, ROOT)).toEqual(["rules", "spec"]);
  });

  it("[T6] nothing for a node that is not there", () => {
    expect(labels(treeOf(), "nowhere")).toEqual([]);
    expect(readingOf(treeOf(), "nowhere", byName)).toBeUndefined();
  });

  it("[T6] each content once, where it stands first, and says for what the others were left out", () => {
    const tree = treeOf([ROOT, "a"]);
    addDoc(tree, ROOT, file("spec"));
    addDoc(tree, "a", file("copy"));
    addDoc(tree, "a", file("other"));
    const hashOf = (label: string) => (label === "other" ? "2" : "1");
    const reading = readingOf(tree, "a", hashOf);
    expect(reading?.read.map(({ node, document }) => [node.id, document.label])).toEqual([
      [ROOT, "spec"],
      ["ctx-a", "other"],
    ]);
    expect(reading?.repeated.map(({ node, document, of }) => [node.id, document.label, of])).toEqual([
      ["ctx-a", "copy", "spec"],
    ]);
  });

  it("[T6] no label twice, also when it hangs on two nodes of the path", () => {
    const tree = treeOf([ROOT, "a"]);
    addDoc(tree, ROOT, file("spec"));
    addDoc(tree, "a", file("spec"));
    expect(labels(tree, "a")).toEqual(["spec"]);
    expect(readingOf(tree, "a", byName)?.repeated).toEqual([]);
  });

  it("[T6] no label without a text", () => {
    const tree = treeOf();
    addDoc(tree, ROOT, file("soon"));
    addDoc(tree, ROOT, file("here"));
    expect(labels(tree, ROOT, label => (label === "soon" ? undefined : label))).toEqual(["here"]);
  });

  it("[T6] exactly the documents of the path, whatever the tree", () => {
    fc.assert(
      fc.property(shapes, fc.array(fc.nat(30), { maxLength: 40 }), (shape, places) => {
        const tree = ofShape(shape);
        const ids = [...tree.nodes.keys()];
        for (const [index, place] of places.entries())
          addDoc(tree, ids[place % ids.length]!, file(`d${index}`));
        for (const node of tree.nodes.values()) {
          const expected = pathOf(node).flatMap(({ own }) => own.map(document => document.label));
          expect(labels(tree, node.id)).toEqual(expected);
          const above = node.parent === undefined ? [] : labels(tree, node.parent.id);
          expect(labels(tree, node.id).slice(0, above.length)).toEqual(above);
        }
      }),
    );
  });
});

describe("documents of a node", () => {
  it("[T7] hang once; adding again replaces the source and moves nothing", () => {
    const tree = treeOf();
    addDoc(tree, ROOT, file("one"));
    addDoc(tree, ROOT, file("two"));
    expect(addDoc(tree, ROOT, file("one"))).toEqual({ ok: true, value: { nodes: [], documents: [] } });
    const again = addDoc(tree, ROOT, { ...added("one", "T1"), place: "shared" });
    expect(again).toMatchObject({ ok: true, value: { documents: [{ place: "own", position: 0 }] } });
    expect(labels(tree, ROOT)).toEqual(["one", "two"]);
    expect(tree.root.own[0]?.source).toMatchObject({ kind: "added", task: "T1" });
  });

  it("[T8] are taken back wherever they hang, and stay on record", () => {
    const tree = treeOf([ROOT, "a"]);
    addDoc(tree, ROOT, added("x", "T1.2", 2));
    addDoc(tree, "a", added("x", "T1.2", 2));
    addDoc(tree, "a", added("y", "T1.2", 1));
    const rows = withdraw(
      tree,
      ({ source }) => source.kind === "added" && source.task === "T1.2" && source.attempt === 2,
    );
    expect(rows.documents.map(({ node, label, withdrawn }) => [node, label, withdrawn])).toEqual([
      [ROOT, "x", true],
      ["ctx-a", "x", true],
    ]);
    expect(labels(tree, "a")).toEqual(["y"]);
    expect(withdraw(tree, document => document.label === "x").documents).toEqual([]);
    expect(tree.root.own).toHaveLength(1);
  });

  it("[T7] come back where they were when they are added again", () => {
    const tree = treeOf();
    addDoc(tree, ROOT, file("one"));
    addDoc(tree, ROOT, file("two"));
    withdraw(tree, document => document.label === "one");
    expect(labels(tree, ROOT)).toEqual(["two"]);
    addDoc(tree, ROOT, file("one"));
    expect(labels(tree, ROOT)).toEqual(["one", "two"]);
  });

  it("[T7] are refused by nodes that are not there", () => {
    expect(addDoc(treeOf(), "ctx-x", file("one"))).toEqual({
      ok: false,
      failure: { kind: "unknown-node", node: "ctx-x" },
    });
  });
});

describe("rows", () => {
  it("[T10] restore the same tree, in whatever order they come", () => {
    fc.assert(
      fc.property(
        shapes,
        fc.array(fc.nat(30), { maxLength: 30 }),
        fc.func(fc.nat()),
        (shape, places, rank) => {
          const tree = ofShape(shape);
          const ids = [...tree.nodes.keys()];
          for (const [index, place] of places.entries()) {
            const where = index % 3 === 0 ? ("shared" as const) : ("own" as const);
            addDoc(tree, ids[place % ids.length]!, { ...added(`d${index}`, `T${index}`), place: where });
          }
          withdraw(tree, document => document.label.endsWith("1"));
          const rows = treeRows(tree);
          const nodes = rows.nodes.toSorted((a, b) => rank(a.id) - rank(b.id));
          const documents = rows.documents.toSorted((a, b) => rank(a.label) - rank(b.label));
          const back = restoreTree(JSON.parse(JSON.stringify({ nodes, documents })));
          if (!back.ok || back.value === undefined) throw new Error("not restored");
          for (const id of ids) expect(labels(back.value, id)).toEqual(labels(tree, id));
          const byKey = (row: { id?: string; label?: string }) => JSON.stringify(row);
          expect(treeRows(back.value).nodes.map(byKey).sort()).toEqual(rows.nodes.map(byKey).sort());
          expect(treeRows(back.value).documents.map(byKey).sort()).toEqual(rows.documents.map(byKey).sort());
        },
      ),
    );
  });

  it("[T10] none are no tree; contradictions are told", () => {
    expect(restoreTree({ nodes: [], documents: [] })).toEqual({ ok: true, value: undefined });
    const node = (id: string, parent?: string) => ({
      id,
      ...(parent === undefined ? {} : { parent }),
      status: "active" as const,
      createdAt: 0,
      by: "plan",
    });
    const lost = restoreTree({ nodes: [node(ROOT), node("ctx-a", "ctx-gone")], documents: [] });
    expect(lost).toEqual({ ok: false, failure: "the stored context node ctx-a hangs on nothing" });
    const circle = [node(ROOT), node("ctx-a", "ctx-b"), node("ctx-b", "ctx-a")];
    expect(restoreTree({ nodes: circle, documents: [] }).ok).toBe(false);
    expect(restoreTree({ nodes: [node("ctx-a")], documents: [] }).ok).toBe(false);
    const document = { node: ROOT, label: "x", place: "own", position: 0, withdrawn: false } as const;
    for (const source of ["{", "null", "1", "{}"])
      expect(restoreTree({ nodes: [node(ROOT)], documents: [{ ...document, source }] }).ok).toBe(false);
  });
});

describe("time", () => {
  it("[T9] a path is read in the time of its own documents, however large the tree", () => {
    const grown = (size: number) => {
      const { tree } = initRoot([], PLAN);
      const ids = [ROOT];
      for (let at = 1; at < size; at++) {
        const id = nodeName(`n${at}`);
        branch(tree, ids[Math.floor((at - 1) / 3)]!, [id], PLAN);
        ids.push(id);
      }
      for (const id of ids) for (let at = 0; at < 10; at++) addDoc(tree, id, file(`${id}-${at}`));
      return { tree, deepest: ids.at(-1)! };
    };
    const { tree, deepest } = grown(2500);
    expect(docsOf(tree, deepest, byName)).toHaveLength(pathOf(tree.nodes.get(deepest)!).length * 10);
    expect(growth(2500, grown, large => docsOf(large.tree, large.deepest, byName))).toBeLessThan(CONSTANT);
  });

  it("[T9] documents on one node are hung in linear time", () => {
    const hang = (count: number) => {
      const tree = treeOf();
      for (let at = 0; at < count; at++) addDoc(tree, ROOT, file(`d${at}`));
      return tree;
    };
    expect(labels(hang(20_000), ROOT)).toHaveLength(20_000);
    expect(growth(5000, size => size, hang)).toBeLessThan(LINEAR);
  });
});
