import { describe, expect, it } from "vitest";
import { criticalPath, levels, type Plan, planJson } from "../../src/plan/index.ts";
import { growth, LINEAR } from "../growth.ts";
import { casesOf } from "../sample.ts";
import { codes, errors, messages, read, task } from "./reading.ts";

/** A plan of tasks with fields, behind a tree. */
function plan(tree: readonly string[], tasks: Record<string, readonly string[]>): ReturnType<typeof read> {
  const section = tree.length === 0 ? [] : ["## Context", "", ...tree, ""];
  const list = Object.entries(tasks).flatMap(([id, fields]) => [
    `- [ ] ${id}: something`,
    ...fields.map(field => `  - ${field}`),
  ]);
  return read(["# Plan", "", ...section, "## Tasks", "", ...list, ""].join("\n"));
}

const waits = (reading: { plan: Plan }) =>
  reading.plan.tasks.flatMap(({ id, preparedBy }) =>
    preparedBy === undefined ? [] : [`${id} <- ${preparedBy.join(" ")}`],
  );

const TREE = [
  "- ctx-root: docs/spec.md, docs/rules/*.md (shared)",
  "  - `ctx-api`: docs/api.md",
  "    - **ctx-auth**",
  "  - ctx-web:",
];

describe("the section that declares the tree", () => {
  it("[L55] is a list: a node hangs below the item it stands in", () => {
    const reading = plan(TREE, { T1: ["context: ctx-auth"] });
    expect(reading.plan.contextNodes).toEqual([
      { id: "ctx-root", shared: ["docs/rules/*.md"], documents: ["docs/spec.md"], line: 5 },
      { id: "ctx-api", parent: "ctx-root", documents: ["docs/api.md"], line: 6 },
      { id: "ctx-auth", parent: "ctx-api", line: 7 },
      { id: "ctx-web", parent: "ctx-root", line: 8 },
    ]);
    expect(codes(reading)).toEqual([]);
    expect(reading.plan.tasks.map(({ id }) => id)).toEqual(["T1"]);
  });

  it("[L55] nodes side by side at the top hang on the root", () => {
    const reading = plan(["- ctx-a: a.md", "- ctx-b: b.md"], {});
    expect(reading.plan.contextNodes.map(({ id, parent }) => [id, parent])).toEqual([
      ["ctx-a", undefined],
      ["ctx-b", undefined],
    ]);
  });

  it.each(["## Context", "# Context Tree", "### 컨텍스트", "## 컨텍스트 트리", "## CONTEXT ##"])(
    "[L55] is headed %j, and ends with the next heading of its level",
    heading => {
      const text = `# Plan\n\n${heading}\n\n#### Notes\n\n- ctx-a: a.md\n\n# Next\n\n- ctx-b: b.md\n- [ ] T1: x\n  - context: ctx-a\n`;
      expect(read(text).plan.contextNodes.map(({ id }) => id)).toEqual(["ctx-a"]);
    },
  );

  it("[L55] of words declares nothing, and neither does a list elsewhere or in a fence", () => {
    const prose =
      "## Context\n\nWe build it.\n\n- The api\n- Some ctx-things\n\n```\n- ctx-a: a.md\n```\n\n> - ctx-q\n\n- [ ] T1: x\n";
    expect(read(prose).plan.contextNodes).toEqual([]);
    expect(read("## Files\n\n- ctx-a: a.md\n\n## Tasks\n- [ ] T1: x\n").plan.contextNodes).toEqual([]);
    const wordy = plan(["- ctx-a is what we read: a.md"], { T1: [] });
    expect(codes(wordy)).toEqual(["NODE_IGNORED"]);
  });

  it("[L55] comes together with what stands in the configuration", () => {
    const text = "## Context\n\n- ctx-b: b.md\n\n## Tasks\n\n- [ ] T1: x\n  - context: a\n";
    const contextNodes = [{ id: "a", documents: ["a.md"] }];
    const reading = read(text, "TASKS.md", { contextNodes });
    expect(reading.plan.contextNodes.map(({ id }) => id)).toEqual(["ctx-a", "ctx-b"]);
    expect(task(reading, "T1").contextRef).toBe("ctx-a");
    expect(errors(read(text, "TASKS.md", { contextNodes: [...contextNodes, { id: "ctx-b" }] }))).toEqual([
      "DUPLICATE_NODE",
    ]);
  });
});

describe("nodes", () => {
  it("[L56] that contradict each other are errors at their lines", () => {
    const reading = plan(["- ctx-a", "- ctx-A", "- ctx-b/../c", `- ctx-${"x".repeat(70)}`, "- ctx-a"], {
      T1: [],
    });
    expect(reading.diagnostics.map(({ code, line }) => `${code} ${line}`)).toEqual([
      "TWIN_NODE 6",
      "BAD_NODE 7",
      "BAD_NODE 8",
      "DUPLICATE_NODE 9",
    ]);
  });

  it.each([
    ["/etc/passwd", "is not relative"],
    ["~/notes.md", "is not relative"],
    ["C:/notes.md", "is not relative"],
    ["../other/secret.md", "leads upwards"],
    ["docs/../../x", "leads upwards"],
    [".git/config", "belongs to git"],
    ["docs\\x.md", "has a backslash"],
    ["a".repeat(1001), "is longer than 1000 characters"],
  ])("[L56] with the document %.30s: an error, it %s", (path, why) => {
    const reading = plan([`- ctx-a: ${path}`], { T1: ["context: ctx-a"] });
    expect(errors(reading)).toEqual(["BAD_DOCUMENT"]);
    expect(messages(reading, "BAD_DOCUMENT")[0]).toContain(why);
  });

  it("[L56] that tasks name must be declared where a tree is; the nearest one is the hint", () => {
    const reading = plan(TREE, { T1: ["context: ctx-apy"], T2: ["fills: ctx-nowhere-near"] });
    expect(messages(reading, "UNKNOWN_NODE")).toEqual([
      "T1 names the context node ctx-apy, which is not declared",
      "T2 names the context node ctx-nowhere-near, which is not declared",
    ]);
    expect(reading.diagnostics[0]?.hint).toContain("ctx-api");
  });

  it("[L56] hang on the root where no tree is declared", () => {
    const reading = plan([], { T1: ["fills: api"], T2: ["context: ctx-api"] });
    expect(errors(reading)).toEqual([]);
    expect(reading.plan.contextNodes).toEqual([{ id: "ctx-api" }]);
    expect(waits(reading)).toEqual(["T2 <- T1"]);
  });

  it("[L56] are called in any script, and never a path", () => {
    const reading = plan(["- ctx-인증: a.md"], { T1: ["context: ctx-인증"], T2: ["fills: 인증"] });
    expect(errors(reading)).toEqual([]);
    expect(task(reading, "T2").fills).toBe("ctx-인증");
    for (const id of ["ctx-../../etc", "ctx-a/b", `ctx-${"y".repeat(80)}`, "`../up`"]) {
      const bad = plan([], { T1: [`fills: ${id}`] });
      expect(errors(bad)).toEqual(["BAD_NODE"]);
    }
    expect(codes(plan([], { T1: ["context: the whole thing, please"] }))).toEqual([]);
  });

  it("[L57] whose readers find nothing, and fills that nobody reads, are told", () => {
    const reading = plan(["- ctx-a: a.md", "  - ctx-b", "- ctx-c", "- ctx-d"], {
      T1: ["context: ctx-b"],
      T2: ["context: ctx-c"],
      T3: ["fills: ctx-d"],
      T4: ["fills: ctx-root"],
    });
    expect(messages(reading, "NODE_EMPTY")).toEqual([]);
    const lonely = plan(["- ctx-a: a.md", "  - ctx-b", "- ctx-c", "- ctx-d"], {
      T1: ["context: ctx-b"],
      T2: ["context: ctx-c"],
      T3: ["fills: ctx-d"],
    });
    expect(messages(lonely, "NODE_EMPTY")).toEqual([
      "T2 reads ctx-c, which holds no document and which no task fills",
    ]);
    expect(messages(lonely, "FILL_UNUSED")).toEqual(["T3 fills ctx-d, which no task reads"]);
    expect(errors(lonely)).toEqual([]);
  });
});

describe("who prepares for whom", () => {
  it("[L58] readers wait for the fills of their node, fills for those above, and so do all below", () => {
    const reading = plan(TREE, {
      "T0.1": ["fills: ctx-root"],
      "T0.2": ["fills: ctx-api"],
      "T0.3": ["fills: ctx-api"],
      "T1.1": ["context: ctx-auth"],
      "T1.2": ["context: ctx-web"],
      "T1.3": ["context: ctx-api", "depends_on: [T0.2]"],
      "T1.4": [],
    });
    expect(waits(reading)).toEqual([
      "T0.2 <- T0.1",
      "T0.3 <- T0.1",
      "T1.1 <- T0.2 T0.3",
      "T1.2 <- T0.1",
      "T1.3 <- T0.2 T0.3",
    ]);
    expect(task(reading, "T1.3").dependsOn).toEqual(["T0.2"]);
    expect(levels(reading.plan)).toEqual([
      ["T0.1", "T1.4"],
      ["T0.2", "T0.3", "T1.2"],
      ["T1.1", "T1.3"],
    ]);
    expect(criticalPath(reading.plan)).toEqual(["T0.1", "T0.2", "T1.1"]);
    expect(planJson(reading).tasks[3]?.["preparedBy"]).toEqual(["T0.2", "T0.3"]);
  });

  it("[L58] a fill may read another node, but never waits for those of its own", () => {
    const reading = plan(TREE, {
      T1: ["fills: ctx-api", "context: ctx-web"],
      T2: ["fills: ctx-api", "context: ctx-auth"],
      T3: ["fills: ctx-web"],
    });
    expect(waits(reading)).toEqual(["T1 <- T3"]);
    expect(errors(reading)).toEqual([]);
  });

  it("[L58] circles through the tree are circles", () => {
    const reading = plan(TREE, { T1: ["context: ctx-api"], T2: ["fills: ctx-api", "depends_on: T1"] });
    expect(messages(reading, "CIRCULAR_DEP")).toEqual(["ERROR:CIRCULAR_DEP:T1->T2->T1"]);
    const up = plan(TREE, { T1: ["fills: ctx-root", "context: ctx-api"], T2: ["fills: ctx-api"] });
    expect(messages(up, "CIRCULAR_DEP")).toEqual(["ERROR:CIRCULAR_DEP:T1->T2->T1"]);
  });

  it("[L58] a fill of a later phase than its readers is an error", () => {
    const text =
      "## Context\n\n- ctx-a\n\n## Phase 1\n- [ ] T1.1: x\n  - context: ctx-a\n\n## Phase 2\n- [ ] T2.1: y\n  - fills: ctx-a\n";
    expect(errors(read(text))).toEqual(["PHASE_ORDER"]);
  });

  it("[L58] readers of deep nodes take linear time", () => {
    const tree = Array.from({ length: 100 }, (_, at) => `${" ".repeat(at * 2)}- ctx-n${at}`);
    const readersOf = (size: number) =>
      Object.fromEntries(
        Array.from({ length: size }, (_, at) => [`T1.${at + 1}`, [`context: ctx-n${at % 100}`]]),
      );
    const filled = (readers: Record<string, string[]>) =>
      plan(tree, { "T0.1": ["fills: ctx-root"], ...readers });
    const most = casesOf(2_000, 10_000);
    expect(waits(filled(readersOf(most)))).toHaveLength(most);
    expect(growth(casesOf(250, 500), readersOf, filled)).toBeLessThan(LINEAR);
  });

  it("[L58] too many of them are an error, not a full memory", () => {
    const fills = Object.fromEntries(
      Array.from({ length: 200 }, (_, at) => [`T0.${at + 1}`, ["fills: ctx-a"]]),
    );
    const readers = Object.fromEntries(
      Array.from({ length: 200 }, (_, at) => [`T1.${at + 1}`, ["context: ctx-a"]]),
    );
    const list = Object.entries({ ...fills, ...readers }).flatMap(([id, fields]) => [
      `- [ ] ${id}: x`,
      ...fields.map(field => `  - ${field}`),
    ]);
    const reading = read(list.join("\n"), "TASKS.md", { limits: { edges: 1000 } });
    expect(errors(reading)).toEqual(["TOO_MANY_EDGES"]);
  });
});

describe("a planner's nodes", () => {
  it("[L48] carry documents, by either name", () => {
    const text = JSON.stringify({
      context_nodes: [
        { id: "ctx-root", parent: null, documents: ["docs/spec.md"], shared: ["a.md"] },
        { id: "ctx-a", parent: "ctx-root", delta_docs: ["b.md"], shared_documents: ["c.md"] },
      ],
      tasks: [{ id: "t", subject: "s", context_ref: "a" }],
    });
    expect(read(text, "plan.json").plan.contextNodes).toEqual([
      { id: "ctx-root", shared: ["a.md"], documents: ["docs/spec.md"], line: 1 },
      { id: "ctx-a", parent: "ctx-root", shared: ["c.md"], documents: ["b.md"], line: 1 },
    ]);
    expect(task(read(text, "plan.json"), "t").contextRef).toBe("ctx-a");
  });
});
