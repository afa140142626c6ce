import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Diagnostic,
  exportStatus,
  type Foreign,
  importPlan,
  levels,
  readForeign,
  readPlan,
  type Task,
} from "../../src/plan/index.ts";
import { casesOf } from "../sample.ts";
import {
  AT,
  BEADS,
  bytesOf,
  codesOf,
  exported,
  foreign,
  ISSUES,
  imported,
  KIRO,
  SOURCES,
  SPEC,
  textOf,
} from "./exchange.ts";
import { edges, errors, read } from "./reading.ts";

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

  it("[L93] beads: what `bd export` writes beside issues is no task, and stays as it is", () => {
    const lines = [
      { _schema: "beads-jsonl", version: 1 },
      { _type: "issue", id: "bd-1", title: "Work", status: "hooked" },
      { _type: "issue", id: "bd-2", title: "Mark", status: "pinned" },
      { _type: "issue", id: "bd-3", title: "Mould", status: "open", is_template: true },
      { _type: "memory", key: "style", value: "tabs" },
    ];
    const source = `${lines.map(one => JSON.stringify(one)).join("\n")}\n`;
    for (const path of ["-", "issues.jsonl"])
      expect(foreign(source, path).tasks.map(({ id, skip }) => [id, skip ?? false])).toEqual([
        ["bd-1", false],
        ["bd-2", true],
      ]);
    const back = exported(source, "-", imported(source, "-").text.replace("[ ] T1.1", "[x] T1.1"));
    const told = textOf(back.bytes).split("\n");
    expect([told[0], ...told.slice(2)]).toEqual([source.split("\n")[0], ...source.split("\n").slice(2)]);
    expect(JSON.parse(told[1]!).status).toBe("closed");
    expect(codesOf(`${source}{"title":"nameless"}\n`, "-")).toContain("BAD_ISSUE");
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

  it("[L84] takes what waits for a task that is not there as waiting for nothing", () => {
    const source =
      '{"tasks": [{"id": 1, "title": "a", "status": "done"}, {"id": 2, "title": "b", "dependencies": [1, 77]}]}';
    expect(readForeign(bytesOf(source), { path: "tasks.json" }).diagnostics).toMatchObject([
      { severity: "warning", code: "MISSING_DEP" },
    ]);
    const after = read(imported(source, "tasks.json").text);
    expect([errors(after), edges(after)]).toEqual([[], ["T1.2 <- T1.1"]]);
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

  it("[L84] findings about an issue, or a task in JSON, stand at it, also where all is on one line", () => {
    const issue = (number: number, body: string) => ({ number, title: "a", body, state: "OPEN" });
    const source = JSON.stringify([
      issue(7, ""),
      issue(8, "Depends on #9"),
      issue(9, "Depends on #8"),
      issue(7, ""),
    ]);
    const at = (found: readonly Diagnostic[], text: string) =>
      found.map(({ code, line, column, message }) => [
        code,
        line,
        text.slice(column - 1).slice(0, 1),
        message,
      ]);
    const { diagnostics } = readForeign(Buffer.from(source), { path: "i.json" });
    expect(at(diagnostics, source)).toEqual([
      ["CIRCULAR_DEP", 1, "8", "ERROR:CIRCULAR_DEP:8->9->8"],
      ["DUPLICATE_ID", 1, "7", "7 is defined twice on line 1"],
    ]);
    const plan = JSON.stringify({
      tasks: [
        { id: "T1", subject: "a", blockedBy: ["T2"] },
        { id: "T2", subject: "b", blockedBy: ["T1"] },
      ],
    });
    const { column } = readPlan(Buffer.from(plan), { path: "plan.json" }).diagnostics[0]!;
    expect(column).toBeGreaterThan(5);
  });

  it("[L85] keeps roles in every script", () => {
    for (const role of ["backend-dev", "디자이너", "백엔드_개발자"])
      expect(
        read(imported(`${SPEC}- [ ] T006 Draw it\n  - role: ${role}\n`, "tasks.md").text).plan.tasks.at(-1),
      ).toMatchObject({ role });
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
      { numRuns: casesOf(75, 300) },
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
      { numRuns: casesOf(50, 200) },
    );
  });
});
