import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Diagnostic, diffPlans, planJson, renderDiagnostic } from "../../src/plan/index.ts";
import { read } from "./reading.ts";

describe("comparing plans", () => {
  const diff = (before: string, after: string) => diffPlans(read(before).plan, read(after).plan);

  it("[L51] knows what was added, removed, changed", () => {
    expect(
      diff(
        "- [ ] T1: a\n- [ ] T2: b\n- [ ] T3: c\n- [ ] T4: d\n  - 의존: T1\n",
        "- [ ] T1: a\n- [ ] T3: changed\n- [ ] T4: d\n  - 의존: T3\n- [ ] T5: new\n",
      ),
    ).toEqual({ added: ["T5"], removed: ["T2"], changed: ["T3", "T4"] });
  });

  it.each([
    ["ticked", "- [ ] T1: a\n", "- [x] T1: a\n"],
    ["ticked criteria", "### [ ] T1: a\n- [ ] c\n", "### [ ] T1: a\n- [x] c\n"],
    ["a box was put in", "### T1: a\n- 담당: x\n", "### [x] T1: a\n- 담당: x\n"],
    ["other marks", "- [~] T1: a\n", "- [ ] T1: a\n"],
    ["line endings", "### [ ] T1: a\n- 담당: x\n", "### [ ] T1: a\r\n- 담당: x\r\n"],
    ["moved", "- [ ] T1: a\n- [ ] T2: b\n", "- [ ] T2: b\n- [ ] T1: a\n"],
    ["text elsewhere", "# A\n- [ ] T1: a\n", "# B\n\nmore\n\n- [ ] T1: a\n"],
    [
      "row state",
      "| T | N | S |\n|---|---|---|\n| T1 | a | ⬜ |\n",
      "| T | N | S |\n|---|---|---|\n| T1 | a | ✅ |\n",
    ],
  ])("[L51] %s is no change", (_, before, after) => {
    expect(diff(before, after)).toEqual({ added: [], removed: [], changed: [] });
  });

  it.each([
    ["a word", "- [ ] T1: a\n", "- [ ] T1: b\n"],
    ["a field", "### [ ] T1: a\n- 담당: x\n", "### [ ] T1: a\n- 담당: y\n"],
    ["a criterion", "### [ ] T1: a\n- [ ] c\n", "### [ ] T1: a\n- [ ] d\n"],
    ["a link that looks like a box", "### [ ] T1: [x](a)\n", "### [ ] T1: [y](a)\n"],
    ["a task that is left out", "- [ ] T1: a\n", "- [취소] T1: a\n"],
    ["a task that is taken in again", "- [skip] T1: a\n", "- [ ] T1: a\n"],
  ])("[L51] %s is a change", (_, before, after) => {
    expect(diff(before, after).changed).toEqual(["T1"]);
  });

  it("[L51] what waits for a task that is put off now is a change, and nothing that is done", () => {
    const states = (box: string, other: string) =>
      `- [${box}] T1: a\n- [ ] T2: b (after T1)\n- [${other}] T3: c\n`;
    expect(diff(states(" ", " "), states("deferred", "x")).changed).toEqual(["T1", "T2"]);
    expect(diff(states("x", "skip"), states("skip", "x")).changed).toEqual([]);
  });

  it("[L51] a plan does not differ from itself", () => {
    const { plan } = read("- [ ] T1: a\n- [ ] T2: b\n");
    expect(diffPlans(plan, plan)).toEqual({ added: [], removed: [], changed: [] });
  });
});

describe("findings as text", () => {
  const asIs = (text: string) => text;
  const finding: Diagnostic = { code: "X", severity: "error", message: "m", line: 1, column: 1, hint: "h" };

  function render(source: string, rest: Partial<Diagnostic>, safe = asIs): string[] {
    return renderDiagnostic({ ...finding, ...rest }, "TASKS.md", source, safe).split("\n");
  }

  it("[L52] is what a compiler prints", () => {
    const source = "- [ ] T1: a\n- [ ] T2: b\n  - 의존: T9\n";
    const reading = read(source);
    expect(renderDiagnostic(reading.diagnostics[0]!, "docs/TASKS.md", source, asIs)).toBe(
      [
        "docs/TASKS.md:3:9: error MISSING_DEP: ERROR:MISSING_DEP:T2->T9",
        "  3 |   - 의존: T9",
        "    |           ^~",
        "  hint: no task has this id: correct it, or take it as satisfied with --allow-missing",
      ].join("\n"),
    );
  });

  it("[L52] underlines as long as the place is", () => {
    expect(render("abcdef", { column: 3, length: 3 })).toEqual([
      "TASKS.md:1:3: error X: m",
      "  1 | abcdef",
      "    |   ^~~",
      "  hint: h",
    ]);
    expect(render("abcdef", { column: 3 })[2]).toBe("    |   ^");
    expect(render("abcdef", { column: 5, length: 99 })[2]).toBe("    |     ^~");
    expect(render("abcdef", { column: 99 })[2]).toBe("    |       ^");
  });

  it("[L52] wide characters take two columns", () => {
    expect(render("가나다라", { column: 3, length: 2 })[2]).toBe("    |     ^~~~");
    expect(render("ｗｉ日本", { column: 3, length: 1 })[2]).toBe("    |     ^~");
    expect(render("😀x", { column: 3, length: 1 })[2]).toBe("    |   ^");
    expect(render("e\u0301x", { column: 3, length: 1 })[2]).toBe("    |  ^");
  });

  it("[L52] tabs are shown as one space", () => {
    expect(render("\t\tabc", { column: 3, length: 3 }).slice(1, 3)).toEqual(["  1 |   abc", "    |   ^~~"]);
  });

  it("[L52] what is escaped takes the columns it is shown with", () => {
    const safe = (text: string) => text.replaceAll("\u001b", "\\e");
    expect(render("\u001b[31mred", { column: 6, length: 3 }, safe).slice(1, 3)).toEqual([
      "  1 | \\e[31mred",
      "    |       ^~~",
    ]);
  });

  it("[L52] everything foreign goes through safe", () => {
    const safe = (text: string) => text.replaceAll("!", "?");
    const shown = renderDiagnostic({ ...finding, message: "m!", hint: "h!" }, "p!.md", "a!b", safe);
    expect(shown).not.toContain("!");
  });

  it("[L52] the whole file has no place", () => {
    expect(render("abc", { line: 0, column: 0 })).toEqual(["TASKS.md: error X: m", "  hint: h"]);
  });

  it("[L52] a line that is not there, or blank, is not shown", () => {
    expect(render("abc", { line: 9 })).toEqual(["TASKS.md:9:1: error X: m", "  hint: h"]);
    expect(render("a\n   \nb", { line: 2 })).toHaveLength(2);
  });

  it("[L52] no hint, no hint line", () => {
    expect(render("abc", { hint: "" })).toHaveLength(3);
  });

  it("[L52] severities are named", () => {
    expect(render("a", { severity: "warning" })[0]).toContain("warning X");
    expect(render("a", { severity: "info" })[0]).toContain("info X");
  });

  it("[L52] counts lines as the reader does", () => {
    const source = "one\rtwo\r\nthree\nfour";
    for (const [line, word] of ["one", "two", "three", "four"].entries())
      expect(render(source, { line: line + 1 })[1]).toContain(`| ${word}`);
  });

  it("[L52] a byte-order mark moves nothing", () => {
    expect(render("\uFEFFabc", { column: 2 }).slice(1, 3)).toEqual(["  1 | abc", "    |  ^"]);
  });

  it("[L52] of long lines the part around the place is shown", () => {
    const source = `${"a".repeat(500)}HERE${"b".repeat(500)}`;
    const [, line, mark] = render(source, { column: 501, length: 4 });
    expect(line!.length).toBeLessThan(140);
    expect(line!.slice(mark!.indexOf("^"), mark!.indexOf("^") + 4)).toBe("HERE");
  });

  it("[L52] never cuts a character in two", () => {
    for (let column = 100; column < 140; column++) {
      const [, line] = render("😀".repeat(200), { column, length: 2 });
      expect(line!.isWellFormed()).toBe(true);
    }
  });

  it("[L52] the mark stands below the place, wherever that is", () => {
    const unit = fc.constantFrom("a", "가", "\t", "😀", "ｘ");
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 30 }), fc.array(unit, { maxLength: 30 }), (before, after) => {
        const source = `${before.join("")}@@@${after.join("")}`;
        const [, line, mark] = render(source, { column: before.join("").length + 1, length: 3 });
        const columns = (text: string) =>
          Array.from(text).reduce((sum, character) => sum + (/[가😀ｘ]/u.test(character) ? 2 : 1), 0);
        expect(columns(line!.slice(0, line!.indexOf("@@@")))).toBe(mark!.indexOf("^"));
        expect(mark!.endsWith("^~~")).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe("the published JSON", () => {
  const KEYS = [
    "id",
    "phase",
    "title",
    "kind",
    "done",
    "dependsOn",
    "parallelWith",
    "specialist",
    "worktree",
    "files",
    "verify",
    "run",
    "contextRef",
    "fills",
    "preparedBy",
    "line",
    "risk",
    "agent",
    "role",
    "test",
    "expects",
    "tdd",
    "skip",
    "optional",
    "order",
    "children",
    "inherited",
    "uses",
    "retry",
    "review",
    "tries",
    "machine",
    "origin",
  ];

  it("[L49] has exactly these keys, whatever the file leaves out", () => {
    const json = planJson(read("# Plan\n- [ ] T1: a\n"));
    expect(Object.keys(json)).toEqual([
      "format",
      "project",
      "tasks",
      "phases",
      "contextNodes",
      "diagnostics",
    ]);
    expect(Object.keys(json.tasks[0]!)).toEqual(KEYS);
    expect(json.tasks[0]).toEqual({
      id: "T1",
      phase: 1,
      title: "a",
      kind: "worker",
      done: false,
      dependsOn: [],
      parallelWith: [],
      specialist: null,
      worktree: null,
      files: [],
      verify: null,
      run: null,
      contextRef: null,
      fills: null,
      preparedBy: [],
      line: 2,
      risk: null,
      agent: null,
      role: null,
      test: null,
      expects: null,
      tdd: null,
      skip: false,
      optional: false,
      order: null,
      children: [],
      inherited: [],
      retry: null,
      review: null,
      tries: null,
      origin: null,
      uses: null,
      machine: null,
    });
  });

  it("[L49] tells what is left out, optional, in order and inside of others", () => {
    const nested =
      "## Phase 1: A\n### [ ] P1-T0: a\n### [ ] P1-T1: b\n- depends_on: P1-T0\n#### [skip] P1-T1.1: c\n";
    expect(planJson(read(nested)).tasks.slice(1)).toMatchObject([
      { id: "P1-T1", children: ["P1-T1.1"], skip: false },
      { id: "P1-T1.1", inherited: ["P1-T0"], skip: true },
    ]);
    const kiro = planJson(read("- [ ] 1. a\n- [ ]* 2. b (P)\n", ".kiro/specs/a/tasks.md"));
    expect(kiro.tasks).toMatchObject([
      { order: "sequential", optional: false },
      { order: "parallel", optional: true },
    ]);
  });

  it("[L49] tells everything a task says", () => {
    const text = [
      "## Phase 2: Fill",
      "- [x] T2.1: all",
      "  - specialist: writer",
      "  - worktree: ../wt",
      "  - files: a.md",
      "  - verify: `true`",
      "  - run: `make`",
      "  - context: ctx-a",
      "  - fills: ctx-b",
      "  - risk: low",
      "  - agent: shell",
      "  - role: scribe",
      "  - test: `npm test`",
      "  - expects: a.md",
      "  - tdd: yes",
      "  - retry: continue",
      "  - review: codex",
      "  - tries: 2",
      "  - origin: github:42",
      "  - uses: [db, port:3000]",
      "  - machine: [gpu, arch=arm64]",
      "  - parallel: T2.2",
      "- [ ] T2.2: other",
      "  - parallel: T2.1",
      "- [ ] T2.3: last (depends on T2.1)",
    ].join("\n");
    const json = planJson(read(text));
    expect(json.tasks[0]).toEqual({
      id: "T2.1",
      phase: 2,
      title: "all",
      kind: "context-fill",
      done: true,
      dependsOn: [],
      parallelWith: ["T2.2"],
      specialist: "writer",
      worktree: "../wt",
      files: ["a.md"],
      verify: "true",
      run: "make",
      contextRef: "ctx-a",
      fills: "ctx-b",
      preparedBy: [],
      line: 2,
      risk: "low",
      agent: "shell",
      role: "scribe",
      test: "npm test",
      expects: ["a.md"],
      tdd: true,
      skip: false,
      optional: false,
      order: null,
      children: [],
      inherited: [],
      retry: "continue",
      review: "codex",
      tries: 2,
      origin: "github:42",
      uses: ["db", "port:3000"],
      machine: ["gpu", "arch=arm64"],
    });
    expect(json.tasks[2]).toMatchObject({ dependsOn: ["T2.1"] });
    expect(json.phases).toEqual([{ phase: 2, title: "Fill" }]);
    expect(json.diagnostics.map(found => found["code"])).toEqual(["NODE_EMPTY", "FILL_UNUSED"]);
  });

  it("[L49] tells the findings", () => {
    const json = planJson(read("- [ ] T1: a (depends on T9)\n"));
    expect(json.diagnostics).toEqual([
      {
        code: "MISSING_DEP",
        severity: "error",
        message: "ERROR:MISSING_DEP:T1->T9",
        line: 1,
        column: 25,
        hint: "no task has this id: correct it, or take it as satisfied with --allow-missing",
      },
    ]);
  });

  it("[L49] tells the context nodes", () => {
    const text =
      '{"context_nodes":[{"id":"ctx-root"},{"id":"ctx-a","parent":"ctx-root"}],"tasks":[{"id":"t","subject":"s"}]}';
    expect(planJson(read(text, "p.json")).contextNodes).toEqual([
      { id: "ctx-root", parent: null, shared: [], documents: [] },
      { id: "ctx-a", parent: "ctx-root", shared: [], documents: [] },
    ]);
  });

  it("[L49] is JSON through and through", () => {
    const json = planJson(read("## PF\n- [ ] PF-R1-T1: a\n- [ ] P0.5-T1: b\n"));
    expect(JSON.parse(JSON.stringify(json))).toEqual(json);
    expect(json.tasks.map(found => found["phase"])).toEqual(["PF", 0.5]);
  });
});
