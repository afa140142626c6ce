import { describe, expect, it } from "vitest";
import { abandon, addDoc, complete, merge, reopen, treeRows } from "../../src/tree/index.ts";
import { file, treeOf } from "./trees.ts";

describe("a node that is taken up again", () => {
  it("[T18] is active, takes documents, and can be completed once more", () => {
    const tree = treeOf(["root", "a"]);
    complete(tree, "a");
    expect(addDoc(tree, "a", file("late")).ok).toBe(false);
    const opened = reopen(tree, "a");
    expect(opened).toMatchObject({ ok: true, value: { nodes: [{ id: "ctx-a", status: "active" }] } });
    expect(addDoc(tree, "a", file("late")).ok).toBe(true);
    expect(complete(tree, "a").ok).toBe(true);
  });

  it("[T18] changes nothing where it is active already, the root included", () => {
    const tree = treeOf(["root", "a"]);
    const before = treeRows(tree);
    for (const id of ["a", "root"])
      expect(reopen(tree, id)).toEqual({ ok: true, value: { nodes: [], documents: [] } });
    expect(treeRows(tree)).toEqual(before);
  });

  it("[T18] leaves alone what was abandoned or merged, and nodes that are not there", () => {
    const tree = treeOf(["root", "a"], ["root", "b"]);
    abandon(tree, "a");
    merge(tree, "b", "root");
    expect(reopen(tree, "a")).toEqual({
      ok: false,
      failure: { kind: "not-active", node: "ctx-a", status: "abandoned" },
    });
    expect(reopen(tree, "b")).toMatchObject({ ok: false, failure: { status: "merged" } });
    expect(reopen(tree, "c")).toEqual({ ok: false, failure: { kind: "unknown-node", node: "c" } });
  });
});
