import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  abandon,
  addDoc,
  branch,
  branchPoints,
  checkNodes,
  complete,
  docsOf,
  idProblem,
  initRoot,
  isBranchComplete,
  merge,
  nodeName,
  ROOT,
  twinKey,
} from "../../src/tree/index.ts";
import { growth, LINEAR } from "../growth.ts";
import { itWhole } from "../sample.ts";
import { byName, file, ofShape, PLAN, shapes, treeOf } from "./trees.ts";

const labels = (tree: Parameters<typeof docsOf>[0], node: string) =>
  docsOf(tree, node, byName).map(document => document.label);

describe("ids of nodes", () => {
  it("[T1] get the prefix where it is missing", () => {
    expect(nodeName("api")).toBe("ctx-api");
    expect(nodeName(" ctx-api ")).toBe("ctx-api");
    expect(nodeName("인증")).toBe("ctx-인증");
    expect(nodeName("")).toBe("");
  });

  it("[T1] are in one normal form, so that both spellings of a letter mean one node", () => {
    expect(nodeName("ctx-e\u0301cran")).toBe("ctx-\u00e9cran");
    expect(idProblem("ctx-e\u0301cran")).toBe("characters");
  });

  it.each([
    ["", "empty"],
    ["ctx-", "empty"],
    [`ctx-${"a".repeat(61)}`, "too-long"],
    ["ctx-../../etc", "characters"],
    ["ctx-a..b", "characters"],
    ["/etc/passwd", "characters"],
    ["ctx-a b", "characters"],
    ["ctx-a\u001b[2J", "characters"],
    ["ctx-a]", "characters"],
    ["ctx-a\u202eb", "characters"],
    ["ctx-a\nb", "characters"],
  ])("[T1] %j is no id: %s", (id, why) => {
    expect(idProblem(id)).toBe(why);
  });

  it.each(["ctx-api", "ctx-인증.v2", "ctx-__proto__", "ctx-constructor", `ctx-${"a".repeat(60)}`])(
    "[T1] %j is one",
    id => {
      expect(idProblem(id)).toBeUndefined();
    },
  );

  it("[T1] any text either names a node or has a problem, and naming twice changes nothing", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), text => {
        const name = nodeName(text);
        expect(nodeName(name)).toBe(name);
        if (idProblem(name) !== undefined) return;
        expect(name).not.toContain("/");
        expect(name).not.toContain("..");
        expect(name.length).toBeLessThanOrEqual(64);
      }),
    );
  });

  it("[T2] differ in more than case and composition", () => {
    expect(twinKey("ctx-API")).toBe(twinKey("ctx-api"));
    expect(twinKey("ctx-\uFF41pi")).toBe(twinKey("ctx-api"));
    const { tree } = initRoot([], PLAN);
    branch(tree, ROOT, ["api"], PLAN);
    expect(branch(tree, ROOT, ["Api"], PLAN)).toEqual({
      ok: false,
      failure: { kind: "twin", node: "ctx-Api", other: "ctx-api" },
    });
  });
});

describe("branches", () => {
  it("[T1] hang below the root and below each other", () => {
    const tree = treeOf(["ctx-root", "a"], ["a", "b"]);
    expect(tree.nodes.get("ctx-b")?.parent?.id).toBe("ctx-a");
    expect(tree.root.children.map(node => node.id)).toEqual(["ctx-a"]);
  });

  it("[T3] come all or none", () => {
    const { tree } = initRoot([], PLAN);
    expect(branch(tree, ROOT, ["a", "b/../c"], PLAN).ok).toBe(false);
    expect(branch(tree, ROOT, ["a", "A"], PLAN).ok).toBe(false);
    expect(branch(tree, "nowhere", ["a"], PLAN)).toEqual({
      ok: false,
      failure: { kind: "unknown-node", node: "nowhere" },
    });
    expect([...tree.nodes.keys()]).toEqual([ROOT]);
    expect(branch(tree, ROOT, ["a", "b"], PLAN)).toMatchObject({
      ok: true,
      value: {
        nodes: [
          { id: "ctx-a", parent: ROOT },
          { id: "ctx-b", parent: ROOT },
        ],
      },
    });
  });

  it("[T3] form a point with their source and what triggered them", () => {
    const { tree } = initRoot([], PLAN);
    branch(tree, ROOT, ["a", "b"], { at: 3, by: "T0.1" });
    branch(tree, ROOT, ["c"], { at: 4, by: "T0.2" });
    branch(tree, "a", ["d"], PLAN);
    const points = branchPoints(tree);
    expect(points).toEqual([
      { source: ROOT, trigger: "T0.1", branches: ["ctx-a", "ctx-b"], createdAt: 3 },
      { source: ROOT, trigger: "T0.2", branches: ["ctx-c"], createdAt: 4 },
      { source: "ctx-a", trigger: "plan", branches: ["ctx-d"], createdAt: 0 },
    ]);
    const [first] = points;
    expect(isBranchComplete(tree, first!)).toBe(false);
    complete(tree, "a");
    merge(tree, "b", ROOT);
    expect(isBranchComplete(tree, first!)).toBe(true);
    abandon(tree, "c");
    expect(isBranchComplete(tree, points[1]!)).toBe(false);
  });

  it("[T3] every node but the root is in exactly one branch point", () => {
    fc.assert(
      fc.property(shapes, shape => {
        const tree = ofShape(shape);
        const all = branchPoints(tree).flatMap(point => point.branches);
        expect(all.toSorted()).toEqual([...tree.nodes.keys()].filter(id => id !== ROOT).toSorted());
      }),
    );
  });
});

describe("the end of a branch", () => {
  it.each([
    ["completed", complete],
    ["abandoned", abandon],
  ] as const)("[T4] %s nodes take nothing more, and are still read", (status, end) => {
    const tree = treeOf([ROOT, "a"]);
    addDoc(tree, "a", file("one"));
    expect(end(tree, "a")).toMatchObject({ ok: true, value: { nodes: [{ id: "ctx-a", status }] } });
    const failure = { kind: "not-active", node: "ctx-a", status };
    expect(addDoc(tree, "a", file("two"))).toEqual({ ok: false, failure });
    expect(branch(tree, "a", ["b"], PLAN)).toEqual({ ok: false, failure });
    expect(complete(tree, "a")).toEqual({ ok: false, failure });
    expect(labels(tree, "a")).toEqual(["one"]);
  });

  it("[T4] may still be followed by giving it up or merging it, but by nothing after that", () => {
    const tree = treeOf([ROOT, "a"], [ROOT, "b"], [ROOT, "c"]);
    addDoc(tree, "a", file("one"));
    for (const id of ["a", "b", "c"]) complete(tree, id);
    expect(merge(tree, "a", ROOT)).toMatchObject({ ok: true, value: { documents: [{ label: "one" }] } });
    expect(abandon(tree, "b").ok).toBe(true);
    for (const id of ["a", "b"]) {
      expect(abandon(tree, id).ok).toBe(false);
      expect(merge(tree, id, ROOT)).toMatchObject({ ok: false, failure: { kind: "not-active" } });
    }
    // Nobody would read what is merged into it.
    const other = treeOf([ROOT, "a"], [ROOT, "b"]);
    complete(other, "b");
    expect(merge(other, "a", "b")).toMatchObject({ ok: false, failure: { node: "ctx-b" } });
  });

  it("[T4] never comes for the root", () => {
    const tree = treeOf([ROOT, "a"]);
    for (const end of [complete, abandon])
      expect(end(tree, ROOT)).toEqual({ ok: false, failure: { kind: "root", node: ROOT } });
    expect(merge(tree, ROOT, "a").ok).toBe(false);
  });

  it("[T5] brings its documents to another node, once", () => {
    const tree = treeOf([ROOT, "a"], [ROOT, "b"], ["b", "c"]);
    addDoc(tree, "a", file("one"));
    addDoc(tree, "a", file("two"));
    addDoc(tree, "b", file("two"));
    addDoc(tree, "a", { ...file("shared"), place: "shared" });
    const merged = merge(tree, "a", "c");
    expect(merged).toMatchObject({
      ok: true,
      value: {
        nodes: [{ id: "ctx-a", status: "merged", mergedInto: "ctx-c" }],
        documents: [{ node: "ctx-c", label: "one", place: "own", position: 0 }],
      },
    });
    expect(labels(tree, "c")).toEqual(["two", "one"]);
    expect(labels(tree, "a")).toEqual(["shared", "one", "two"]);
  });

  it("[T5] is not below itself", () => {
    const tree = treeOf([ROOT, "a"], ["a", "b"]);
    for (const into of ["a", "b"])
      expect(merge(tree, "a", into)).toMatchObject({ ok: false, failure: { kind: "below-itself" } });
    expect(merge(tree, "b", "a").ok).toBe(true);
  });
});

describe("declared trees", () => {
  it("[T11] are fine when every parent is declared, in any order, and when there is none", () => {
    expect(checkNodes([{ id: "b", parent: "a" }, { id: "a" }, { id: "ctx-root" }])).toEqual([]);
    expect(checkNodes([])).toEqual([]);
  });

  it("[T11] show doubles, twins, bad ids and unknown parents", () => {
    expect(
      checkNodes([
        { id: "api" },
        { id: "ctx-api" },
        { id: "API" },
        { id: "a/b" },
        { id: "x".repeat(65) },
        { id: "web", parent: "ctx-apy" },
        { id: "ctx-root", parent: "api" },
      ]),
    ).toEqual([
      { kind: "duplicate", at: 1, id: "ctx-api" },
      { kind: "twin", at: 2, id: "ctx-API", other: "ctx-api" },
      { kind: "bad-id", at: 3, id: "a/b", why: "characters" },
      { kind: "bad-id", at: 4, id: "x".repeat(65), why: "too-long" },
      { kind: "root-parent", at: 6, id: "ctx-root" },
      { kind: "unknown-parent", at: 5, id: "ctx-web", parent: "ctx-apy", near: "ctx-api" },
    ]);
  });

  it("[T11] show a circle once", () => {
    expect(
      checkNodes([
        { id: "a", parent: "c" },
        { id: "b", parent: "a" },
        { id: "c", parent: "b" },
        { id: "d", parent: "c" },
      ]),
    ).toEqual([{ kind: "cycle", at: 0, id: "ctx-a" }]);
    expect(checkNodes([{ id: "a", parent: "a" }])).toMatchObject([{ kind: "cycle" }]);
  });

  itWhole("[T9] a chain of any length takes linear time", () => {
    const chainOf = (size: number) =>
      Array.from({ length: size }, (_, at) => ({ id: `n${at}`, parent: `n${at + 1}` }));
    expect(checkNodes(chainOf(100_000))).toHaveLength(1);
    expect(growth(10_000, chainOf, checkNodes)).toBeLessThan(LINEAR);
  });
});
