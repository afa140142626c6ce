import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  criticalPath,
  diffPlans,
  levels,
  planJson,
  type Reading,
  renderDiagnostic,
  tickBoxes,
  widestFront,
} from "../../src/plan/index.ts";
import { casesOf } from "../sample.ts";
import { codes, errors, ids, read, task } from "./reading.ts";

const PATHS = ["TASKS.md", "specs/1/tasks.md", ".kiro/specs/x/tasks.md", "tasks.json", ""];

/** Asks everything that can be asked of a reading, and tells what does not hold of it. */
function faultsOf(reading: Reading, bytes: Uint8Array): string[] {
  const { plan, diagnostics } = reading;
  const known = new Set(plan.tasks.map(found => found.id));
  const faults: string[] = [];
  const must = (holds: boolean, what: string) => {
    if (!holds) faults.push(what);
  };
  must(known.size === plan.tasks.length, "ids are unique");
  for (const found of plan.tasks) {
    must(found.id !== "", "ids are not empty");
    const lists = [found.dependsOn, found.parallelWith, found.children ?? [], found.inherited ?? []];
    must(
      lists.flat().every(id => known.has(id)),
      `${found.id} names tasks of the plan`,
    );
    must(new Set(found.dependsOn).size === found.dependsOn.length, `${found.id} names each once`);
    must(found.line >= 0, `${found.id} has a line`);
    must(!(found.done && found.skip === true), `${found.id} is done or skipped`);
  }
  const text = new TextDecoder().decode(bytes);
  for (const finding of diagnostics) {
    must(["error", "warning", "info"].includes(finding.severity), `severity of ${finding.code}`);
    must(/^[A-Z0-9_]+$/.test(finding.code), `code ${finding.code}`);
    must(finding.message !== "" && finding.line >= 0, `place of ${finding.code}`);
    must(
      renderDiagnostic(finding, "p", text, part => part).includes(finding.code),
      `${finding.code} is shown`,
    );
  }
  must(JSON.stringify(planJson(reading)).startsWith("{"), "it is JSON");
  const front = widestFront(plan);
  must(
    levels(plan).every(level => level.length <= front.length),
    "no level is wider than the widest",
  );
  must(criticalPath(plan, { phases: true }).length <= plan.tasks.length, "the critical path fits");
  must(diffPlans(plan, plan).changed.length === 0, "it equals itself");
  must(tickBoxes(bytes, plan, known).length >= 0, "it can be ticked");
  return faults;
}

describe("whatever the file holds", () => {
  it("[L4] any bytes are read, and give a sound reading", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.constantFrom(...PATHS), (bytes, path) => {
        expect(faultsOf(read(bytes, path), bytes)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it("[L4] any text is read, and gives a sound reading", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), fc.constantFrom(...PATHS), (text, path) => {
        const bytes = new TextEncoder().encode(text);
        expect(faultsOf(read(bytes, path), bytes)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  const piece = fc.constantFrom(
    "# ",
    "## ",
    "### ",
    "- ",
    "* ",
    "1. ",
    "  ",
    "\t",
    "> ",
    "| ",
    " | ",
    "|---|---|\n",
    "[ ] ",
    "[x] ",
    "[] ",
    "[-] ",
    "[%] ",
    "T1.1",
    "T1.2",
    "T1.3",
    "P1-T1",
    "P1-T1.1",
    "P1-R1",
    "P1-R1-T1",
    "P0",
    "M1",
    "M2",
    "001",
    "T001",
    "1.1",
    "2. ",
    "BE-1",
    "Phase 1",
    "Phase 2, ",
    "1단계",
    ": ",
    " - ",
    "~",
    ", ",
    "(",
    ")",
    "**",
    "`",
    "~~",
    "담당: ",
    "의존: ",
    "의존성**: ",
    "병렬: ",
    "blocks: ",
    "depends on ",
    "run: ",
    "verify:\n",
    "```sh\n",
    "```mermaid\n",
    "graph TD\n",
    "```\n",
    "<!-- ",
    " -->",
    "---\n",
    "T1.1 --> T1.2",
    "subgraph P1\n",
    "end\n",
    "없음",
    "완료 후",
    "✅",
    "⏳",
    "상태: 완료",
    "word ",
    "\n",
    "\n",
    "\n",
    "\n\n",
    "\r\n",
    "\uFEFF",
    "specialist",
    "-specialist",
    "[P] ",
    "(P) ",
    "* ",
    "_Depends: 1.1_",
  );

  it("[L4] any mixture of what task files are made of is read soundly", () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 60 }),
        fc.constantFrom(...PATHS.slice(0, 3)),
        (parts, path) => {
          const bytes = new TextEncoder().encode(parts.join(""));
          expect(faultsOf(read(bytes, path), bytes)).toEqual([]);
        },
      ),
      { numRuns: casesOf(375, 1500) },
    );
  });

  it("[L4] any JSON is read soundly", () => {
    const id = fc.oneof(
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom("1", "2.1", "a", "__proto__", "", "constructor"),
    );
    const item: fc.Arbitrary<unknown> = fc.letrec(tie => ({
      task: fc.record(
        {
          id: fc.oneof({ weight: 5, arbitrary: id }, fc.jsonValue({ maxDepth: 1 })),
          title: fc.oneof(fc.string(), fc.jsonValue({ maxDepth: 1 })),
          subject: fc.string(),
          status: fc.constantFrom("done", "pending", "cancelled", 1, null),
          dependencies: fc.oneof(fc.array(id, { maxLength: 3 }), fc.jsonValue({ maxDepth: 1 })),
          depends_on: fc.array(id, { maxLength: 3 }),
          subtasks: fc.oneof(
            { depthSize: "small" },
            fc.constant([]),
            fc.array(tie("task"), { maxLength: 3 }),
          ),
          task_type: fc.constantFrom("worker", "context_fill", { type: "context_fill" }, 3),
          target_node: id,
          context_ref: id,
        },
        { requiredKeys: [] },
      ),
    })).task;
    const node = fc.record({ id, parent: id }, { requiredKeys: ["id"] });
    const root = fc.record(
      {
        tasks: fc.array(item, { maxLength: 5 }),
        context_nodes: fc.array(node, { maxLength: 4 }),
        master: fc.jsonValue({ maxDepth: 2 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(root, value => {
        const bytes = new TextEncoder().encode(JSON.stringify(value));
        expect(faultsOf(read(bytes, "tasks.json"), bytes)).toEqual([]);
      }),
      { numRuns: casesOf(200, 800) },
    );
  });

  it("[L4] the same bytes read the same", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), parts => {
        const text = parts.join("");
        expect(read(text)).toEqual(read(text));
      }),
      { numRuns: 200 },
    );
  });

  it("[L4] reading does not depend on what was read before", () => {
    const text = "## Phase 1\n### [ ] T1.1: a\n- 담당: x\n";
    const first = read(text);
    for (const other of ["```\n- [ ] T9: b", "<!-- ", '{"tasks":[', "\uFEFF", "> "]) read(other);
    expect(read(text)).toEqual(first);
  });
});

describe("thirty bad inputs", () => {
  it.each<[string, string, string, string[]]>([
    ["empty file", "", "TASKS.md", ["TASKS_EMPTY"]],
    ["blank file", "\n \n\t\n", "TASKS.md", ["TASKS_EMPTY"]],
    ["no tasks", "# Plan\n\nprose\n", "TASKS.md", ["TASKS_EMPTY"]],
    ["HTML", "<!doctype html><html><body>404</body></html>", "TASKS.md", ["TASKS_EMPTY"]],
    ["JSON in a Markdown file", '{"hello": "world"}', "TASKS.md", ["NO_TASK_LIST"]],
    ["duplicate id", "- [ ] T1.3: a\n- [ ] T1.3: b\n", "TASKS.md", ["DUPLICATE_ID"]],
    ["full-width id", "- [ ] Ｔ１.３: a\n", "TASKS.md", ["WIDE_ID"]],
    ["unknown dependency", "- [ ] T1.3: a\n  - 의존: T9.9\n", "TASKS.md", ["MISSING_DEP"]],
    ["self-dependency", "- [ ] T1.3: a\n  - 의존: T1.3\n", "TASKS.md", ["CIRCULAR_DEP"]],
    [
      "cycle of two",
      "- [ ] T1.3: a\n  - 의존: T1.4\n- [ ] T1.4: b\n  - 의존: T1.3\n",
      "TASKS.md",
      ["CIRCULAR_DEP"],
    ],
    ["later phase", "- [ ] T1.1: a\n  - 의존: T2.1\n- [ ] T2.1: b\n", "TASKS.md", ["PHASE_ORDER"]],
    [
      "parallel with a dependency",
      "- [ ] T1.1: a\n- [ ] T1.2: b\n  - 의존: T1.1\n  - parallel_with: T1.1\n",
      "TASKS.md",
      ["PARALLEL_CONFLICT"],
    ],
    ["unknown box", "- [%] T1.1: a\n", "TASKS.md", ["BOX_MARK"]],
    [
      "merge markers",
      "<<<<<<< HEAD\n- [ ] T1: a\n=======\n- [ ] T1: a\n>>>>>>> b\n",
      "TASKS.md",
      ["CONFLICT_MARKERS"],
    ],
    ["broken JSON", '{"tasks":[{"id":1,]}', "tasks.json", ["BAD_JSON"]],
    ["JSON cut short", '{"tasks":[{"id":1', "tasks.json", ["BAD_JSON"]],
    ["JSON without tasks", '{"items":[]}', "tasks.json", ["NO_TASK_LIST"]],
    ["context fill without node", "- [ ] T1: a\n  - kind: context-fill\n", "TASKS.md", ["NO_TARGET"]],
  ])("[L6] %s", (_, text, path, expected) => {
    expect(errors(read(text, path))).toEqual(expected);
  });

  it.each<[string, string, string[]]>([
    ["a byte-order mark", "\uFEFF- [ ] T1: a\n", []],
    ["mixed line endings", "- [ ] T1: a\r\n- [ ] T2: b\n- [ ] T3: c\r", []],
    ["a million blank lines", `- [ ] T1: a\n${"\n".repeat(1_000_000)}- [ ] T2: b\n`, []],
    ["an id with many numbers", "- [ ] T999999999999.1: a\n", []],
    ["an id in lower case", "- [ ] t1.3: a\n", []],
    ["known box marks", "- [X] T1: a\n- [✓] T2: b\n- [-] T3: c\n- [ x ] T4: d\n", []],
    ["checked before what it waits for", "- [ ] T1: a\n- [x] T2: b (depends on T1)\n", ["ORDER_SUSPECT"]],
    ["one-sided partners", "- [ ] T1: a\n  - parallel_with: T2\n- [ ] T2: b\n", ["PARALLEL_ONE_SIDED"]],
    [
      "partners in phase 0",
      "- [ ] P0-T1: a\n  - parallel_with: P0-T2\n- [ ] P0-T2: b\n  - parallel_with: P0-T1\n",
      ["PARALLEL_PHASE0"],
    ],
    [
      "tasks in examples, comments, quotes",
      "- [ ] T1: a\n\n```md\n- [ ] T2: b\n```\n<!-- - [ ] T3: c -->\n> - [ ] T4: d\n",
      ["TASK_HIDDEN", "TASK_HIDDEN", "TASK_HIDDEN"],
    ],
    ["titles made to deceive", "- [ ] T1: \u001b[2K\u202E$(reboot) <script>\n", []],
    ["an open fence", "- [ ] T1: a\n\n```\n- [ ] T2: b\n", ["FENCE_OPEN"]],
  ])("[L4] %s is no error", (_, text, expected) => {
    const reading = read(text);
    expect(codes(reading)).toEqual(expected);
    expect(ids(reading).length).toBeGreaterThan(0);
  });

  it("[L33] what is missing is settled with allowMissing", () => {
    const text = "- [ ] T1.3: a\n  - 의존: T9.9\n";
    expect(errors(read(text))).toEqual(["MISSING_DEP"]);
    expect(errors(read(text, "TASKS.md", { allowMissing: true }))).toEqual([]);
  });

  it("[L4] many faults are all told, worst first", () => {
    const reading = read(
      "- [ ] T1: a (depends on T9)\n- [x] T2: b (depends on T1)\n- [%] T3: c\n- [ ] T4: d (depends on T4)\n- [ ] T1: other\n",
    );
    expect([...new Set(codes(reading))].sort()).toEqual([
      "BOX_MARK",
      "CIRCULAR_DEP",
      "DUPLICATE_ID",
      "MISSING_DEP",
      "ORDER_SUSPECT",
    ]);
    const severities = reading.diagnostics.map(found => found.severity);
    expect(severities).toEqual([...severities].sort((a, b) => (a === b ? 0 : a === "error" ? -1 : 1)));
    expect(task(reading, "T2").dependsOn).toEqual(["T1"]);
  });
});
