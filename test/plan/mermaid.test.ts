import { describe, expect, it } from "vitest";
import { readDiagram } from "../../src/plan/syntax/mermaid.ts";
import { codes, edges, errors, messages, read, task } from "./reading.ts";

/** Arrows of a diagram by key: `a>b`. */
function arrows(...lines: string[]): string[] {
  const text = lines.join("\n");
  return readDiagram(text, { start: 0, end: text.length, line: 1 }).map(
    edge => `${edge.from.key}>${edge.to.key}`,
  );
}

/** Arrows of one `graph TD` line. */
function line(text: string): string[] {
  return arrows("graph TD", text);
}

function labels(text: string): string[] {
  const source = `graph TD\n${text}`;
  return readDiagram(source, { start: 0, end: source.length, line: 1 }).flatMap(edge => [
    edge.from.label,
    edge.to.label,
  ]);
}

describe("flowcharts", () => {
  it.each([
    ["A --> B", ["A>B"]],
    ["A-->B", ["A>B"]],
    ["A ---> B", ["A>B"]],
    ["A ==> B", ["A>B"]],
    ["A -.-> B", ["A>B"]],
    ["A -..-> B", ["A>B"]],
    ["A --o B", ["A>B"]],
    ["A --x B", ["A>B"]],
    ["A -->|yes| B", ["A>B"]],
    ["A -- yes --> B", ["A>B"]],
    ["A -. yes .-> B", ["A>B"]],
    ["A == yes ==> B", ["A>B"]],
    ["A --> B --> C", ["A>B", "B>C"]],
    ["A --> B & C", ["A>B", "A>C"]],
    ["A & B --> C & D", ["A>C", "A>D", "B>C", "B>D"]],
    ["A --> B; B --> C", ["A>B", "B>C"]],
    ["A[one] --> B(two)", ["A>B"]],
    ["A{x} --> B((y))", ["A>B"]],
    ["A:::cls --> B:::cls", ["A>B"]],
    ["T0.1 --> T1-2", ["T0.1>T1-2"]],
    ["가 --> 나", ["가>나"]],
    ["A --- B", []],
    ["A <--> B", []],
    ["A ~~~ B", []],
    ["A --> ", []],
    ["A", []],
    ["%% A --> B", []],
    ["style A fill:#fff", []],
    ["classDef x fill:#fff", []],
    ["click A href", []],
    ["linkStyle 0 stroke:red", []],
    ["direction LR", []],
    ["-->", []],
    ["A --> B extra words", ["A>B"]],
  ])("[L35] %j", (text, expected) => {
    expect(line(text)).toEqual(expected);
  });

  it.each([
    ['A["T1.1: one"] --> B', "T1.1: one"],
    ["A[T1.1: one] --> B", "T1.1: one"],
    ["A(T1.1) --> B", "T1.1"],
    ["A([T1.1]) --> B", "T1.1"],
    ["A[[T1.1]] --> B", "T1.1"],
    ["A[(T1.1)] --> B", "T1.1"],
    ["A((T1.1)) --> B", "T1.1"],
    ["A{T1.1} --> B", "T1.1"],
    ["A{{T1.1}} --> B", "T1.1"],
    ["A[/T1.1/] --> B", "T1.1"],
    ["A>T1.1] --> B", "T1.1"],
    ["A[T1.1<br/>one] --> B", "T1.1 one"],
    ["A[T1.1<br>one] --> B", "T1.1 one"],
    ["A[T1.1\\none] --> B", "T1.1 one"],
    ['A["T1.1 [x] (y)"] --> B', "T1.1 [x] (y)"],
    ["A[T1.1 (old)] --> B", "T1.1 (old"],
    ["A[never closed --> B", undefined],
  ])("[L35] the label in %j is %j", (text, label) => {
    expect(labels(text)[0]).toBe(label);
  });

  it.each([
    "sequenceDiagram\nA->>B: x",
    "gantt\ntitle x",
    "classDiagram\nA --> B",
    "stateDiagram-v2\nA --> B",
    "pie\n",
    "",
  ])("[L35] %j holds no arrows", text => {
    expect(arrows(text)).toEqual([]);
  });

  it.each(["graph TD", "graph LR;", "flowchart TB", "flowchart", "%% first\ngraph TD", "Graph TD"])(
    "[L35] %j begins a chart",
    first => {
      expect(arrows(first, "A --> B")).toEqual(["A>B"]);
    },
  );

  it("[L35] knows the line of each arrow", () => {
    const text = "graph TD\n\nA --> B\nB --> C";
    expect(readDiagram(text, { start: 0, end: text.length, line: 10 }).map(edge => edge.line)).toEqual([
      12, 13,
    ]);
  });

  it("[L35] reads only inside its fence", () => {
    const text = "graph TD\nA --> B\nC --> D";
    expect(readDiagram(text, { start: 0, end: text.indexOf("\nC"), line: 1 })).toHaveLength(1);
  });

  it("[L35] nodes know their subgraph, subgraphs their nodes", () => {
    const text =
      "graph TD\nsubgraph P1 [Phase 1: Core]\nA[x] --> B\nend\nsubgraph Two\nC\nend\nB --> C\nP1 --> Two";
    const found = readDiagram(text, { start: 0, end: text.length, line: 1 });
    expect(found.map(edge => [edge.from.parent?.key, edge.to.parent?.key])).toEqual([
      ["P1", "P1"],
      ["P1", "Two"],
      [undefined, undefined],
    ]);
    expect(found[0]?.from.parent?.label).toBe("Phase 1: Core");
    expect(found[2]?.from.members?.map(node => node.key)).toEqual(["A", "B"]);
  });
});

describe("diagrams as a source of dependencies", () => {
  function plan(diagram: string, fields: Record<string, string> = {}): string {
    const tasks = ["P0-T1", "P1-R1-T1", "P1-R1-T2", "P1-R2-T1", "P1-S1-T1", "P2-T1"];
    const body = tasks
      .map(id => `### [ ] ${id}: x${fields[id] === undefined ? "" : `\n${fields[id]}`}`)
      .join("\n");
    return `# X\n## P1-R1: Auth\n## Tasks\n${body}\n## Graph\n\`\`\`mermaid\n${diagram}\n\`\`\`\n`;
  }

  it.each([
    ["keys", "P0-T1 --> P1-R2-T1"],
    ["labels", "a[P0-T1: one] --> b[P1-R2-T1: two]"],
    ["quoted labels", 'a["P0-T1 one"] --> b["P1-R2-T1<br/>two"]'],
    ["keys with underscores", "P0_T1 --> P1_R2_T1"],
    ["keys without anything between", "P0T1 --> P1R2T1"],
    ["an emoji before the id", "a[✅ P0-T1] --> b[🔧 P1-R2-T1]"],
    ["labels given elsewhere", "a[P0-T1]\nb[P1-R2-T1]\na --> b"],
    [
      "keys in a subgraph of their phase",
      "subgraph Phase 0\nT1\nend\nsubgraph Phase 1\nR2-T1\nend\nT1 --> R2-T1",
    ],
    [
      "keys in a subgraph with a label",
      "subgraph x [Phase 0: a]\nT1\nend\nsubgraph y [P1: b]\nR2_T1\nend\nT1 --> R2_T1",
    ],
  ])("[L35] nodes are tasks by %s", (_, arrow) => {
    expect(edges(read(plan(`graph TD\n${arrow}`)))).toEqual(["P1-R2-T1 <- P0-T1"]);
  });

  it("[L35] groups stand for their tasks", () => {
    const reading = read(plan("graph TD\nP1R1[P1-R1: Auth] --> s[P1-S1-T1]\nP0-T1 --> P1R1"));
    expect(edges(reading)).toEqual([
      "P1-R1-T1 <- P0-T1",
      "P1-R1-T2 <- P0-T1",
      "P1-S1-T1 <- P1-R1-T1 P1-R1-T2",
    ]);
  });

  it("[L35] subgraphs stand for the tasks in them", () => {
    const reading = read(plan("graph TD\nsubgraph auth\na[P1-R1-T1]\nb[P1-R2-T1]\nend\nP0-T1 --> auth"));
    expect(edges(reading)).toEqual(["P1-R1-T1 <- P0-T1", "P1-R2-T1 <- P0-T1"]);
  });

  it("[L35] arrows between phases and milestones repeat their order", () => {
    expect(edges(read(plan("graph TD\nP0 --> P1 --> P2")))).toEqual([]);
    expect(edges(read(plan("graph TD\na[Phase 0] --> b[Phase 1]")))).toEqual([]);
    expect(
      edges(read("## M1\n- [ ] T11: a\n## M2\n- [ ] T12: b\n```mermaid\ngraph TD\nM1 --> M2\n```\n")),
    ).toEqual([]);
  });

  it("[L35] an arrow from a phase to a task is one from all its tasks", () => {
    expect(edges(read(plan("graph TD\nP0 --> P1-R1-T1")))).toEqual(["P1-R1-T1 <- P0-T1"]);
  });

  it("[L35] arrows to earlier phases are left out", () => {
    const reading = read(plan("graph TD\nP2-T1 --> P0-T1"));
    expect(edges(reading)).toEqual([]);
    expect(errors(reading)).toEqual([]);
  });

  it("[L35] nodes that are no tasks are left out", () => {
    const reading = read(
      plan("graph TD\nstart((start)) --> P0-T1 --> review{ok?} --> P1-R2-T1\nUSER --> API"),
    );
    expect(edges(reading)).toEqual([]);
    expect(codes(reading)).toEqual([]);
  });

  it("[L34] a task that declares its dependencies needs no diagram", () => {
    const reading = read(plan("graph TD\nP1-R1-T1 & P1-R2-T1 --> P1-S1-T1", { "P1-S1-T1": "- 의존: P0-T1" }));
    expect(edges(reading)).toEqual(["P1-S1-T1 <- P0-T1"]);
  });

  it("[L35] several diagrams add up", () => {
    const reading = read(
      `${plan("graph TD\nP0-T1 --> P1-R1-T1")}\n\`\`\`mermaid\nflowchart LR\nP0-T1 --> P1-R2-T1\n\`\`\`\n`,
    );
    expect(edges(reading)).toEqual(["P1-R1-T1 <- P0-T1", "P1-R2-T1 <- P0-T1"]);
  });

  it("[L35] a diagram that closes a cycle with the fields gives way to them", () => {
    const reading = read(
      plan("graph TD\nP1-S1-T1 --> P1-R1-T1\nP0-T1 --> P1-R2-T1", { "P1-S1-T1": "- 의존: P1-R1-T1" }),
    );
    expect(edges(reading)).toEqual(["P1-S1-T1 <- P1-R1-T1"]);
    expect(messages(reading, "DIAGRAM_IGNORED")).toEqual([
      "the diagram's arrows close a cycle: P1-R1-T1->P1-S1-T1->P1-R1-T1",
    ]);
    expect(errors(reading)).toEqual([]);
  });

  it("[L35] a cycle of the diagram alone is an error", () => {
    const reading = read(plan("graph TD\nP1-R1-T1 --> P1-R2-T1 --> P1-R1-T1"));
    expect(messages(reading, "CIRCULAR_DEP")).toEqual(["ERROR:CIRCULAR_DEP:P1-R1-T1->P1-R2-T1->P1-R1-T1"]);
  });

  it("[L35] diagrams in other fences and in quotes are examples", () => {
    const reading = read(
      "- [ ] T1: a\n- [ ] T2: b\n\n> ```mermaid\n> graph TD\n> T1 --> T2\n> ```\n\n```text\ngraph TD\nT1 --> T2\n```\n",
    );
    expect(edges(reading)).toEqual([]);
  });

  it("[L35] spec-kit and Kiro files have no diagrams of tasks", () => {
    expect(edges(read("- [ ] T001 a\n- [ ] T002 b\n```mermaid\ngraph TD\nT001 --> T002\n```\n"))).toEqual([]);
  });

  it.each([
    ["A --> B", []],
    ["B --> A", ["P1-R1-T1 <- P1-R1-T2"]],
    ["A --> A", []],
  ])(
    "[L408] an arrow from a task to its group orders the others, one from the group (%s) does not",
    (arrow, expected) => {
      const reading = read(
        `### P1-R1: Notes\n#### [ ] P1-R1-T1: api\n#### [ ] P1-R1-T2: stream\n\`\`\`mermaid\ngraph TD\nA[P1-R1: Notes]\nB[P1-R1-T2: stream]\n${arrow}\n\`\`\`\n`,
      );
      expect(edges(reading)).toEqual(expected);
      expect(codes(reading)).toEqual([]);
    },
  );

  it("[L408] a tree of groups and their tasks orders nothing, and closes no cycle", () => {
    const tree = "```mermaid\ngraph TD\nT1 --> T1.1\nT1 --> T1.2 --> T1.3\n```\n";
    const reading = read(`${tree}## T1: API\n### [ ] T1.1: a\n### [ ] T1.2: b\n### [ ] T1.3: c\n`);
    expect(edges(reading)).toEqual(["T1.3 <- T1.2"]);
    expect(codes(reading)).toEqual([]);
  });

  it("[L35] a diagram may stand before the tasks and in a task's block", () => {
    const reading = read(
      "```mermaid\ngraph TD\nT1 --> T2\n```\n### [ ] T1: a\n```mermaid\ngraph TD\nT2 --> T3\n```\n### [ ] T2: b\n### [ ] T3: c\n",
    );
    expect(edges(reading)).toEqual(["T2 <- T1", "T3 <- T2"]);
    expect(task(reading, "T1").text).toContain("T2 --> T3");
  });
});
