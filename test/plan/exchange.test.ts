import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Exported,
  exportStatus,
  type Foreign,
  importPlan,
  levels,
  readForeign,
  type Task,
  tickBoxes,
} from "../../src/plan/index.ts";
import { growth, LINEAR } from "../growth.ts";
import { edges, errors, read } from "./reading.ts";

const AT = "2026-11-25T10:00:00Z";
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array | undefined): string =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

function foreign(text: string, path: string): Foreign {
  const { foreign: found, diagnostics } = readForeign(bytesOf(text), { path });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  if (found === undefined) throw new Error("nothing to import");
  return found;
}

const imported = (text: string, path: string) => importPlan(foreign(text, path), "<!-- imported -->");
const codesOf = (text: string, path: string) =>
  readForeign(bytesOf(text), { path }).diagnostics.map(({ code }) => code);

function exported(source: string, path: string, ours: string): Exported {
  return exportStatus(bytesOf(source), foreign(source, path), read(ours).plan, AT);
}

const ISSUES = JSON.stringify([
  {
    number: 12,
    title: "Log out",
    state: "OPEN",
    labels: [{ name: "bug" }],
    body: "Depends on: #7, #99\r\n\r\nText.",
  },
  { number: 9, title: "Never", state: "CLOSED", stateReason: "NOT_PLANNED", body: "" },
  {
    number: 7,
    title: "Log in",
    state: "CLOSED",
    stateReason: "COMPLETED",
    body: "",
    url: "https://x.test/7",
  },
  {
    number: 13,
    title: "Both",
    state: "OPEN",
    blockedBy: { nodes: [{ number: 12 }] },
    body: "it does not depend on #7",
  },
  { number: 14, title: "A change", state: "OPEN", pull_request: {} },
]);

const BEADS = [
  {
    id: "bd-e1",
    title: "Epic",
    status: "open",
    issue_type: "epic",
    priority: 1,
    dependencies: [{ depends_on_id: "bd-1" }],
  },
  {
    id: "bd-1",
    title: "Model",
    description: "All.",
    design: "As drawn.",
    acceptance_criteria: "- [ ] works",
    status: "in_progress",
    priority: 2,
    dependencies: [{ issue_id: "bd-1", depends_on_id: "bd-e1", type: "parent-child" }],
  },
  {
    id: "bd-2",
    title: "View",
    status: "open",
    priority: 0,
    dependencies: [
      { depends_on_id: "bd-1", type: "blocks" },
      { depends_on_id: "bd-3", type: "related" },
    ],
  },
  { id: "bd-3", title: "Done before", status: "closed", closed_at: "2025-01-01T00:00:00Z", updated_at: "x" },
  { id: "bd-4", title: "Gone", status: "tombstone" },
  { id: "bd-5", title: "Later", status: "deferred" },
]
  .map(one => JSON.stringify(one))
  .join("\n");

const SPEC = [
  "# Tasks: Shop",
  "",
  "## Phase 1: Setup",
  "- [x] T001 Create the project",
  "- [ ] T002 [P] Configure lint in `biome.json`",
  "- [ ] T003 [P] Configure tests",
  "## Phase 2: Core",
  "- [ ] T004 Build the model in src/model.ts (depends on T002)",
  "  with words below",
  "- [ ] T005 Build the view",
  "",
].join("\n");

const KIRO =
  "# Implementation Plan\n\n- [ ] 1. Base\n- [x] 1.1 Model\n  - _Requirements: 1.1_\n- [ ] 1.2 View (P)\n- [ ]* 2. Later\n";

const MASTER = `{
  "master": {"tasks": [
    {"id": 1, "title": "Base", "status": "done", "dependencies": []},
    {"id": 2, "title": "Top", "status": "in-progress", "details": "run: rm -rf /", "dependencies": [1],
     "subtasks": [{"id": 1, "title": "a", "status": "pending"}, {"id": 2, "title": "b", "status": "review", "dependencies": [1]}]},
    {"id": 3, "title": "No", "status": "cancelled"}
  ], "metadata": {"x": [1,  2]}}
}
`;

const SOURCES = [
  ["github", ISSUES, "-"],
  ["beads", BEADS, ".beads/issues.jsonl"],
  ["spec-kit", SPEC, "specs/001-shop/tasks.md"],
  ["kiro", KIRO, ".kiro/specs/shop/tasks.md"],
  ["task-master", MASTER, ".taskmaster/tasks/tasks.json"],
] as const;

describe("tasks of others, read", () => {
  it("[L84] GitHub's issues: states, labels, and what blocks them", () => {
    const { kind, tasks } = foreign(ISSUES, "-");
    expect(kind).toBe("github");
    expect(tasks.map(({ id, done, skip, dependsOn }) => [id, done, skip ?? false, dependsOn])).toEqual([
      ["7", true, false, []],
      ["9", false, true, []],
      ["12", false, false, ["7"]],
      ["13", false, false, ["12"]],
    ]);
    expect(tasks[2]?.text).toContain("labels: bug");
    expect(codesOf(ISSUES, "-")).toEqual(["ARCHIVED_DEP"]);
    expect(foreign(`\ufeff${JSON.stringify(JSON.parse(ISSUES)[2])}`, "issue.json").tasks).toHaveLength(1);
  });

  it("[L84] beads: priorities, parents as containers, and what was deleted is not there", () => {
    const { tasks } = foreign(BEADS, "-");
    expect(
      tasks.map(({ id, done, skip, dependsOn, children }) => [id, done, skip, dependsOn, children]),
    ).toEqual([
      ["bd-2", false, undefined, ["bd-1"], undefined],
      ["bd-e1", false, undefined, [], ["bd-1"]],
      ["bd-1", false, undefined, [], undefined],
      ["bd-3", true, undefined, [], undefined],
      ["bd-5", false, true, [], undefined],
    ]);
    expect(tasks[2]?.text).toBe("All.\n\nDesign:\nAs drawn.\n\nAcceptance criteria:\n- [ ] works");
  });

  it.each([
    ["malformed JSON", '[{"number": 1, "title": "a",}]', "-", ["BAD_JSON"], 1, 29],
    [
      "a malformed line",
      `${JSON.stringify({ id: "a", title: "b", status: "open" })}\n{"id" "x"}\n`,
      "-",
      ["BAD_JSON"],
      2,
      7,
    ],
    [
      "an issue without a number",
      '[{"number": "one", "title": "a"}]',
      "-",
      ["TASKS_EMPTY", "BAD_ISSUE"],
      0,
      0,
    ],
    [
      "an issue twice",
      '[{"number": 1, "title": "a"},\n{"number": 1, "title": "b"}]',
      "-",
      ["DUPLICATE_ID"],
      2,
      12,
    ],
    ["no issue", "[]", "-", ["TASKS_EMPTY"], 0, 0],
    ["a task file of ours", "# X\n### [ ] T1.1: a\n", "TASKS.md", ["NOT_FOREIGN"], 0, 0],
    ["a planner's tasks", '{"tasks": [{"id": "a", "subject": "b"}]}', "-", ["NOT_FOREIGN"], 0, 0],
    ["binary data", "a\0b", "-", ["NOT_TEXT"], 0, 0],
  ] as const)("[L84] tells %s with its place", (_, text, path, codes, line, column) => {
    const { diagnostics } = readForeign(bytesOf(text), { path });
    expect(diagnostics.map(({ code }) => code)).toEqual(codes);
    expect(diagnostics[0]).toMatchObject({ severity: "error", line, column });
  });

  it("[L84] tells circles of every kind", () => {
    const wait = (id: string, other: string, type: string) =>
      JSON.stringify({ id, title: id, status: "open", dependencies: [{ depends_on_id: other, type }] });
    for (const type of ["blocks", "parent-child"])
      expect(codesOf(`${wait("a", "b", type)}\n${wait("b", "a", type)}`, "-")).toContain("CIRCULAR_DEP");
    const issue = (number: number, other: number) => ({ number, title: "x", body: `Blocked by #${other}` });
    expect(codesOf(JSON.stringify([issue(1, 2), issue(2, 1)]), "-")).toEqual(["CIRCULAR_DEP"]);
    const deep = Array.from({ length: 20_000 }, (_unused, at) => wait(`${at}`, `${at + 1}`, "parent-child"));
    expect(codesOf(deep.join("\n"), "-")[0]).toBe("TOO_DEEP");
  });

  it("[L84] says that it is not what somebody called it", () => {
    const { foreign: none, diagnostics } = readForeign(bytesOf(SPEC), { path: "-", kind: "task-master" });
    expect(none).toBeUndefined();
    expect(diagnostics).toMatchObject([
      { code: "NOT_FOREIGN", hint: "leave --from out, or write --from spec-kit" },
    ]);
    expect(readForeign(bytesOf(KIRO), { path: "-", kind: "kiro" }).foreign?.tasks).toHaveLength(4);
  });
});

describe("tasks of others, as a task file", () => {
  it.each(SOURCES)("[L85] of %s reads as its source does", (kind, source, path) => {
    const before = foreign(source, path);
    const { text, renamed, cut } = imported(source, path);
    const after = read(text);
    expect(errors(after)).toEqual([]);
    expect([renamed, cut]).toEqual([[], []]);
    const state = ({ done, skip }: Task) => [done && skip !== true, skip ?? false];
    const byOrigin = new Map(after.plan.tasks.map(task => [task.origin, task]));
    expect(before.tasks.map(state)).toEqual(
      before.tasks.map(({ id }) => state(byOrigin.get(`${kind}:${id}`) as Task)),
    );
    expect(after.plan.tasks.map(({ title }) => title).sort()).toEqual(
      before.tasks.map(({ title }) => title.replace("T002", "T1.2")).sort(),
    );
    expect(after.plan.tasks.map(task => task.children?.length ?? 0).toSorted((a, b) => a - b)).toEqual(
      before.tasks.map(task => task.children?.length ?? 0).toSorted((a, b) => a - b),
    );
  });

  it("[L85] keeps the order of a file as edges, and ids in what it says", () => {
    const after = read(imported(SPEC, "tasks.md").text);
    expect(edges(after)).toEqual(["T1.2 <- T1.1", "T1.3 <- T1.1", "T2.1 <- T1.2", "T2.2 <- T2.1"]);
    expect(after.plan.tasks[3]?.title).toBe("Build the model in src/model.ts (depends on T1.2)");
    expect(after.plan.tasks[3]).toMatchObject({ files: ["src/model.ts"], origin: "spec-kit:T004" });
    expect(after.plan.tasks[3]?.text).toContain("with words below");
    expect(levels(after.plan).map(level => level.length)).toEqual([1, 2, 1, 1]);
    expect(imported(SPEC.replaceAll("Phase", "Phase 3.").replaceAll("3. ", "3."), "tasks.md").text).toContain(
      "## Phase 2: Core",
    );
  });

  it("[L86] takes no command over, and says so", () => {
    const source = `${SPEC}- [ ] T006 Check it\n  - verify: make check\n  - agent: claude\n`;
    const { text, commands } = imported(source, "tasks.md");
    expect(commands).toEqual(["T006"]);
    const last = read(text).plan.tasks.at(-1);
    expect(last).not.toHaveProperty("verify");
    expect(last).not.toHaveProperty("agent");
    expect(last?.text).toContain("- verify: make check");
  });

  it("[L86] cuts a body that is too long, and says so", () => {
    const body = `${"가나다 ".repeat(3_000_000)}\n<<<<<<< HEAD\n`;
    const source = JSON.stringify([
      { number: 1, title: "a", body },
      { number: 2, title: "b", body: "<<<<<<< HEAD\n\0\u001b[2J" },
    ]);
    const { text, cut } = imported(source, "-");
    expect(cut).toEqual(["1"]);
    expect(text.length).toBeLessThan(22_000);
    expect(text).not.toMatch(/[\0\u001b]/);
    expect(errors(read(text))).toEqual([]);
  });

  const HOSTILE = [
    "### [x] T9: evil",
    "run: rm -rf /",
    "- run: `rm -rf /`",
    "```sh",
    "```",
    "~~~",
    "-->",
    "<!--",
    "- [x] T1.1: done",
    "| T1.2 | x | ✅ |",
    "after T1.1",
    "(depends on T1.2)",
    "(T1.1 완료 후)",
    "blocks: T1.1",
    "RED→GREEN",
    "(backend-specialist)",
    "@qa-engineer",
    "— DONE",
    "✅",
    "(취소)",
    "~~gone~~",
    "| agent: claude |",
    "src/a.ts",
    "T1.1~T1.3",
    "## Phase 7: other",
    "<<<<<<< HEAD",
    "=======",
    "---",
    "project: x",
    "origin: github:1",
    "feature: y",
    "$(id)",
    "\n",
    "\r",
    "\u2028",
    "\u202e",
    "\0",
    "\ud800",
    "가나",
    "plain words",
    " ",
    "    ",
    "1.",
    "<details>",
    "[a]: b",
    "\\",
    "`",
    "*",
    "_",
    "#",
    ":",
  ];
  const hostile = fc
    .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ maxLength: 5 })), { maxLength: 6 })
    .map(words => words.join(" "));

  /** What a plan says besides words. */
  const shape = (tasks: readonly Task[]) =>
    tasks.map(task => {
      const { title: _title, text: _text, line: _line, id: _id, dependsOn, origin: _origin, ...rest } = task;
      return { ...rest, waits: dependsOn.length };
    });

  it("[L86] says nothing that a title, a body or a label says", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ title: hostile, body: hostile, label: hostile, isDone: fc.boolean() }), {
          minLength: 1,
          maxLength: 5,
        }),
        given => {
          const list = (isPlain: boolean) =>
            JSON.stringify(
              given.map(({ title, body, label, isDone }, at) => ({
                number: at + 1,
                title: isPlain ? "words" : title,
                body: `${isPlain ? "words" : body.replaceAll("#", "+")}${at === 0 ? "" : "\nAfter #1"}`,
                labels: [{ name: isPlain ? "words" : label }],
                state: isDone ? "CLOSED" : "OPEN",
              })),
            );
          const written = read(imported(list(false), "-").text);
          expect(errors(written)).toEqual([]);
          const files = (tasks: readonly Task[]) => shape(tasks).map(one => ({ ...one, files: [] }));
          expect(files(written.plan.tasks)).toEqual(files(read(imported(list(true), "-").text).plan.tasks));
          expect(written.plan.tasks.map(({ origin }) => origin)).toEqual(
            given.map((_, at) => `github:${at + 1}`),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it("[L86] says nothing that an id, a project or a status of JSON says", () => {
    fc.assert(
      fc.property(
        hostile,
        hostile,
        fc.uniqueArray(hostile, { minLength: 1, maxLength: 4 }),
        (project, status, ids) => {
          const named = ids
            .filter(id => id !== "")
            .map((id, at) => ({ id: `${at}${id}`, title: id, status }));
          fc.pre(named.length > 0);
          const source = JSON.stringify({ meta: { projectName: project }, tasks: named });
          const { foreign: found } = readForeign(bytesOf(source), { path: "-" });
          fc.pre(found?.kind === "task-master");
          const written = read(importPlan(found as Foreign, "<!-- c -->").text);
          expect(errors(written)).toEqual([]);
          expect(written.plan.tasks).toHaveLength(named.length);
          expect(exportStatus(bytesOf(source), found as Foreign, written.plan, AT).changes).toEqual([]);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe("a state taken back", () => {
  it.each(SOURCES)("[L87] of %s changes nothing where nothing changed", (_, source, path) => {
    const { changes, bytes, commands, ahead, unknown } = exported(source, path, imported(source, path).text);
    expect({ changes, commands, ahead, unknown }).toEqual({
      changes: [],
      commands: [],
      ahead: [],
      unknown: [],
    });
    expect(bytes === undefined ? source : textOf(bytes)).toBe(source);
  });

  /** A task file in which these origins are done as well. */
  function ticked(text: string, origins: readonly string[]): string {
    const { plan } = read(text);
    const ids = plan.tasks.flatMap(({ id, origin }) => (origins.includes(origin ?? "") ? [id] : []));
    return textOf(tickBoxes(bytesOf(text), plan, ids));
  }

  it("[L87] ticks boxes of spec-kit and Kiro, and nothing else", () => {
    const spec = exported(SPEC, "tasks.md", ticked(imported(SPEC, "tasks.md").text, ["spec-kit:T004"]));
    expect(textOf(spec.bytes)).toBe(SPEC.replace("[ ] T004", "[x] T004"));
    const path = ".kiro/specs/a/tasks.md";
    const kiro = exported(KIRO, path, ticked(imported(KIRO, path).text, ["kiro:1", "kiro:1.2"]));
    expect(textOf(kiro.bytes)).toBe(KIRO.replace("[ ] 1.", "[x] 1.").replace("[ ] 1.2", "[x] 1.2"));
  });

  it("[L87] sets the status in Task Master's JSON, and nothing else", () => {
    const text = ticked(imported(MASTER, "-").text, ["task-master:2.2"]).replace(
      "[ ] T1.2.1",
      "[skip] T1.2.1",
    );
    const { bytes, changes } = exported(MASTER, "-", text);
    expect(textOf(bytes)).toBe(MASTER.replace('"review"', '"done"').replace('"pending"', '"cancelled"'));
    expect(changes).toEqual([
      { id: "2.1", to: "left-out" },
      { id: "2.2", to: "done" },
    ]);
  });

  it("[L87] closes lines of beads with the moment, and nothing else", () => {
    const text = ticked(imported(BEADS, "-").text, ["beads:bd-1", "beads:bd-2"]);
    const { bytes } = exported(BEADS, "-", text);
    const [before, after] = [BEADS, textOf(bytes)].map(all => all.split("\n"));
    expect(
      after?.map((line, at) =>
        line === before?.[at] ? at : line.replace(before?.[at]?.slice(0, -1) ?? "", ""),
      ),
    ).toEqual([
      0,
      before?.[1]
        ?.replace('"in_progress"', '"closed"')
        .replace(/}$/, `,"updated_at":"${AT}","closed_at":"${AT}"}`),
      before?.[2]?.replace('"open"', '"closed"').replace(/}$/, `,"updated_at":"${AT}","closed_at":"${AT}"}`),
      3,
      4,
      5,
    ]);
  });

  it("[L87] tells GitHub by commands that are words", () => {
    const text = ticked(imported(ISSUES, "-").text, ["github:12"]).replace("[ ] T1.4", "[skip] T1.4");
    const { bytes, commands } = exported(ISSUES, "-", text);
    expect(bytes).toBeUndefined();
    expect(commands).toEqual([
      ["gh", "issue", "close", "12", "--reason", "completed"],
      ["gh", "issue", "close", "13", "--reason", "not planned"],
    ]);
  });

  it("[L87] opens nothing again, and tells what it cannot say", () => {
    const ours = imported(SPEC, "tasks.md")
      .text.replace("[x] T1.1", "[ ] T1.1")
      .replace("[ ] T1.2", "[skip] T1.2");
    const { ahead, unsaid, unknown, changes, bytes } = exported(
      SPEC,
      "tasks.md",
      `${ours}\n### [x] T2.9: a\n- origin: spec-kit:T900\n`,
    );
    expect({ ahead, unsaid, unknown, changes }).toEqual({
      ahead: ["T001"],
      unsaid: ["T002"],
      unknown: ["spec-kit:T900"],
      changes: [],
    });
    expect(textOf(bytes)).toBe(SPEC);
  });

  it("[L87] holds a task that became several for done when all of them are", () => {
    const part = (id: string, box: string) => `### [${box}] ${id}: part\n- origin: github:12\n`;
    const of = (...boxes: readonly string[]) =>
      exported(ISSUES, "-", `# X\n${boxes.map((box, at) => part(`T1.${at + 1}`, box)).join("")}`).changes;
    expect(of("x", " ", "skip")).toEqual([]);
    expect(of("skip", "x")).toEqual([{ id: "12", to: "done" }]);
    expect(of("skip", "skip")).toEqual([{ id: "12", to: "left-out" }]);
  });

  it("[L87] gives a source back as it was, whatever it is, but for what became done", () => {
    const status = fc.constantFrom("pending", "in-progress", "review", "done", "deferred");
    const space = fc.constantFrom("", " ", "\n  ");
    fc.assert(
      fc.property(
        fc.array(fc.record({ status, space, extra: fc.jsonValue(), becomes: fc.boolean() }), {
          minLength: 1,
          maxLength: 8,
        }),
        given => {
          const line = (done: boolean) => (one: (typeof given)[number], at: number) =>
            `{"id":${one.space}${at + 1}, "x": ${JSON.stringify(one.extra)},${one.space}"title": "t", "status":${one.space}"${done && one.becomes && one.status !== "done" && one.status !== "deferred" ? "done" : one.status}"}`;
          const all = (done: boolean) => `{"tasks": [${given.map(line(done)).join(",\n")}]}`;
          const origins = given.flatMap(({ becomes, status: was }, at) =>
            becomes && was !== "deferred" ? [`task-master:${at + 1}`] : [],
          );
          const { bytes } = exported(all(false), "-", ticked(imported(all(false), "-").text, origins));
          expect(textOf(bytes)).toBe(all(true));
        },
      ),
    );
  });

  it("[L84] [L85] [L87] takes time linear in what it is given", () => {
    const issues = (size: number) =>
      JSON.stringify(
        Array.from({ length: size }, (_, at) => ({
          number: at + 1,
          title: at % 9 === 0 ? "x — DONE (depends on T1.1)" : `Issue ${at}`,
          body: at === 0 ? "" : `After #${at}`,
          state: "OPEN",
        })),
      );
    const round = (source: string) => exported(source, "-", imported(source, "-").text);
    expect(growth(200, issues, round)).toBeLessThan(LINEAR);
  });
});
