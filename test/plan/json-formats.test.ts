import { describe, expect, it } from "vitest";
import { codes, done, edges, errors, ids, messages, read, task } from "./reading.ts";

const MASTER = {
  meta: { projectName: "Bakery" },
  tasks: [
    { id: 1, title: "Repo", description: "Create it", status: "done", dependencies: [], priority: "high" },
    {
      id: 2,
      title: "Oven",
      status: "in-progress",
      dependencies: [1],
      details: "Use the manual",
      testStrategy: "Bake one",
      subtasks: [
        { id: 1, title: "Heat", status: "done", dependencies: [] },
        { id: 2, title: "Door", status: "pending", dependencies: [1] },
        { id: 3, title: "Light", status: "pending", dependencies: ["2.1", "1"] },
      ],
    },
    { id: 3, title: "Shop", status: "pending", dependencies: ["2.2", 1] },
    { id: 4, title: "Old", status: "cancelled", dependencies: [] },
    { id: "5", title: "Later", status: "deferred", dependencies: [2] },
  ],
};

describe("Task Master", () => {
  const reading = read(JSON.stringify(MASTER, null, 2), ".taskmaster/tasks/tasks.json");

  it("[L47] subtasks are tasks, their parents containers", () => {
    expect(ids(reading)).toEqual(["1", "2", "2.1", "2.2", "2.3", "3", "4", "5"]);
    expect(task(reading, "2").children).toEqual(["2.1", "2.2", "2.3"]);
    expect(done(reading)).toEqual(["1", "2.1"]);
    expect(reading.plan.project).toBe("Bakery");
    expect(errors(reading)).toEqual([]);
  });

  it("[L47] dependencies are local first, then any task's", () => {
    expect(edges(reading)).toEqual(["2 <- 1", "2.2 <- 2.1", "2.3 <- 2.1", "3 <- 1 2.2", "5 <- 2"]);
    expect(task(reading, "2.2").inherited).toEqual(["1"]);
  });

  it("[L47] statuses that say not now are skipped", () => {
    expect(reading.plan.tasks.filter(found => found.skip).map(found => found.id)).toEqual(["4", "5"]);
  });

  it("[L47] the text is all an agent needs", () => {
    expect(task(reading, "2").text).toBe("Oven\n\nUse the manual\n\nTest strategy: Bake one");
    expect(task(reading, "1").text).toBe("Repo\n\nCreate it");
  });

  it("[L47] lines are those of the file", () => {
    const lines = JSON.stringify(MASTER, null, 2).split("\n");
    for (const found of reading.plan.tasks) expect(lines[found.line - 1]).toContain('"id"');
  });

  it("[L47] a subtask does not wait for its own parent", () => {
    const text = '{"tasks":[{"id":1,"title":"a","subtasks":[{"id":2,"title":"b","dependencies":["1"]}]}]}';
    expect(edges(read(text, "t.json"))).toEqual([]);
    expect(errors(read(text, "t.json"))).toEqual([]);
  });

  it("[L47] a subtask may name another parent's subtask or a top task", () => {
    const text = JSON.stringify({
      tasks: [
        { id: 1, title: "a", subtasks: [{ id: 1, title: "b" }] },
        {
          id: 2,
          title: "c",
          subtasks: [
            { id: 1, title: "d", dependencies: ["1.1"] },
            { id: 2, title: "e", dependencies: [7] },
          ],
        },
        { id: 7, title: "f" },
      ],
    });
    expect(edges(read(text, "t.json"))).toEqual(["2.1 <- 1.1", "2.2 <- 7"]);
  });

  it("[L47] ids already spelled out are not spelled out again", () => {
    const text =
      '{"tasks":[{"id":3,"title":"a","subtasks":[{"id":"3.1","title":"b"},{"id":"3.2","title":"c","dependencies":["3.1"]}]}]}';
    expect(edges(read(text, "t.json"))).toEqual(["3.2 <- 3.1"]);
  });

  it("[L47] subtasks of subtasks", () => {
    const text =
      '{"tasks":[{"id":1,"title":"a","subtasks":[{"id":1,"title":"b","subtasks":[{"id":1,"title":"c"}]}]}]}';
    expect(ids(read(text, "t.json"))).toEqual(["1", "1.1", "1.1.1"]);
  });

  it("[L47] of several tags master is read, and the others are named", () => {
    const text =
      '{"feature":{"tasks":[{"id":9,"title":"z"}]},"master":{"tasks":[{"id":1,"title":"a"}],"metadata":{}},"old":{"tasks":[]}}';
    const tagged = read(text, "t.json");
    expect(ids(tagged)).toEqual(["1"]);
    expect(tagged.diagnostics).toMatchObject([{ code: "OTHER_TAGS", severity: "info" }]);
    expect(messages(tagged, "OTHER_TAGS")).toEqual([
      'tag "master" is read; the file also holds feature, old',
    ]);
  });

  it("[L47] without master the first tag is read", () => {
    expect(
      ids(read('{"a":{"tasks":[{"id":1,"title":"x"}]},"b":{"tasks":[{"id":2,"title":"y"}]}}', "t.json")),
    ).toEqual(["1"]);
  });

  it("[L33] unknown ids are missing, with their place", () => {
    const missing = read(
      '{"tasks":[\n{"id":10,"title":"a","dependencies":[\n  99]},\n{"id":100,"title":"b"}]}',
      "t.json",
    );
    expect(missing.diagnostics).toMatchObject([
      { code: "MISSING_DEP", message: "ERROR:MISSING_DEP:10->99", line: 3, column: 3, length: 2 },
    ]);
    expect(
      codes(read('{"tasks":[{"id":1,"title":"a","dependencies":[9]}]}', "t.json", { allowMissing: true })),
    ).toEqual(["MISSING_DEP"]);
  });

  it("[L20] an id twice is an error, and one task", () => {
    const twice = read('{"tasks":[\n{"id":1,"title":"a"},\n{"id":"1","title":"b"}]}', "t.json");
    expect(messages(twice, "DUPLICATE_ID")).toEqual(["1 is defined on line 2 and again on line 3"]);
    expect(ids(twice)).toEqual(["1"]);
  });

  it("[L41] cycles are errors", () => {
    const ring = read(
      '{"tasks":[{"id":1,"title":"a","dependencies":[2]},{"id":2,"title":"b","dependencies":[1]},{"id":3,"title":"c","dependencies":[3]}]}',
      "t.json",
    );
    expect(messages(ring, "CIRCULAR_DEP")).toEqual(["ERROR:CIRCULAR_DEP:1->2->1", "ERROR:CIRCULAR_DEP:3->3"]);
  });

  it("[L47] what is no task is passed over", () => {
    const text =
      '{"tasks":[null,1,"x",[],{"title":"no id"},{"id":{},"title":"bad"},{"id":1,"title":"a","dependencies":"2","subtasks":{}}]}';
    expect(ids(read(text, "t.json"))).toEqual(["1"]);
  });

  it.each([
    ["done", true],
    ["completed", true],
    ["Done", true],
    ["pending", false],
    ["review", false],
    ["blocked", false],
    ["whatever", false],
    ["", false],
  ])("[L47] status %j is done: %s", (status, expected) => {
    expect(task(read(JSON.stringify({ tasks: [{ id: 1, title: "a", status }] }), "t.json"), "1").done).toBe(
      expected,
    );
  });
});

const PLANNED = {
  context_nodes: [
    { id: "ctx-root", parent: null },
    { id: "ctx-api", parent: "ctx-root" },
    { id: "ctx-api-auth", parent: "ctx-api" },
  ],
  tasks: [
    {
      id: "task-1",
      subject: "Describe the API",
      description: "All routes.",
      task_type: { type: "context_fill", target_node: "ctx-api" },
      depends_on: [],
    },
    {
      id: "task-2",
      subject: "Build it",
      description: "",
      task_type: "worker",
      context_ref: "ctx-api",
      depends_on: ["task-1"],
      status: "completed",
    },
    {
      id: "task-3",
      subject: "Fill",
      task_type: "context_fill",
      target_node: "ctx-api-auth",
      depends_on: ["task-2", "task-1"],
    },
  ],
};

describe("planner output", () => {
  const reading = read(JSON.stringify(PLANNED, null, 2), "plan.json");

  it("[L48] reads tasks, kinds and nodes", () => {
    expect(reading.plan.tasks).toMatchObject([
      {
        id: "task-1",
        kind: "context-fill",
        fills: "ctx-api",
        title: "Describe the API",
        text: "Describe the API\n\nAll routes.",
      },
      { id: "task-2", kind: "worker", contextRef: "ctx-api", done: true, text: "Build it" },
      { id: "task-3", kind: "context-fill", fills: "ctx-api-auth", done: false },
    ]);
    expect(edges(reading)).toEqual(["task-2 <- task-1", "task-3 <- task-1 task-2"]);
    expect(reading.plan.contextNodes).toEqual([
      { id: "ctx-root", line: 3 },
      { id: "ctx-api", parent: "ctx-root", line: 7 },
      { id: "ctx-api-auth", parent: "ctx-api", line: 11 },
    ]);
    expect(errors(reading)).toEqual([]);
  });

  function planner(nodes: unknown[], tasks: unknown[]): ReturnType<typeof read> {
    return read(JSON.stringify({ context_nodes: nodes, tasks }, null, 1), "plan.json");
  }

  const worker = { id: "a", subject: "s", task_type: "worker" };

  it("[L48] nodes that tasks name must be declared", () => {
    expect(messages(planner([], [{ ...worker, context_ref: "ctx-x" }]), "UNKNOWN_NODE")).toEqual([
      "a names the context node ctx-x, which is not declared",
    ]);
    expect(
      errors(planner([], [{ ...worker, task_type: { type: "context_fill", target_node: "ctx-y" } }])),
    ).toEqual(["UNKNOWN_NODE"]);
  });

  it("[L48] the root needs no declaration", () => {
    expect(
      errors(planner([{ id: "ctx-a", parent: "ctx-root" }], [{ ...worker, context_ref: "ctx-root" }])),
    ).toEqual([]);
  });

  it("[L48] parents must be declared", () => {
    expect(messages(planner([{ id: "ctx-a", parent: "ctx-b" }], [worker]), "UNKNOWN_NODE")).toEqual([
      "context node ctx-a has the parent ctx-b, which is not declared",
    ]);
  });

  it("[L48] a node declared twice is an error", () => {
    expect(errors(planner([{ id: "ctx-a" }, { id: "ctx-a" }], [worker]))).toEqual(["DUPLICATE_NODE"]);
  });

  it("[L48] parents must not go in circles", () => {
    const ring = [
      { id: "a", parent: "b" },
      { id: "b", parent: "c" },
      { id: "c", parent: "a" },
      { id: "d", parent: "a" },
    ];
    expect(errors(planner(ring, [worker]))).toEqual(["NODE_CYCLE"]);
    expect(errors(planner([{ id: "a", parent: "a" }], [worker]))).toEqual(["NODE_CYCLE"]);
  });

  it("[L48] a long chain of nodes is fine", () => {
    const chain = Array.from({ length: 5000 }, (_, n) => ({
      id: `n${n}`,
      parent: n === 4999 ? "ctx-root" : `n${n + 1}`,
    }));
    expect(errors(planner(chain, [worker]))).toEqual([]);
  });

  it("[L48] a fill without a node is an error", () => {
    expect(errors(planner([], [{ ...worker, task_type: "context_fill" }]))).toEqual(["NO_TARGET"]);
  });

  it("[L48] a bare list of tasks is enough", () => {
    const bare = read('[{"id":"a","subject":"s"},{"id":"b","subject":"t","depends_on":["a"]}]', "plan.json");
    expect(edges(bare)).toEqual(["b <- a"]);
  });

  it("[L48] names may vary", () => {
    const text =
      '{"context_nodes":[{"node_id":"n"}],"tasks":[{"id":1,"title":"t","task_type":"ContextFill","target_node":"n"}]}';
    expect(read(text, "plan.json").plan).toMatchObject({
      tasks: [{ id: "1", title: "t", fills: "ctx-n" }],
      contextNodes: [{ id: "ctx-n" }],
    });
  });

  it("[L33] unknown dependencies are missing", () => {
    expect(messages(planner([], [{ ...worker, depends_on: ["task-9"] }]), "MISSING_DEP")).toEqual([
      "ERROR:MISSING_DEP:a->task-9",
    ]);
  });
});
