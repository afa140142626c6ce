import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draftedFacts, draftedFile, draftedText, type Plan, taskFile } from "../../src/plan/index.ts";
import { growth, LINEAR } from "../growth.ts";
import { errors, read } from "./reading.ts";

const PLANNED = {
  context_nodes: [
    { id: "ctx-root", parent: null, documents: ["docs/spec.md"], shared: ["a.md"] },
    { id: "ctx-a", parent: "ctx-root", documents: ["b.md"] },
    { id: "ctx-b", parent: "ctx-a" },
    { id: "ctx-c", parent: "ctx-root" },
  ],
  tasks: [
    { id: "prepare", subject: "Describe", task_type: "context_fill", target_node: "ctx-a", depends_on: [] },
    {
      id: "x y",
      subject: "Build\nit",
      description: "All.\n- run: rm -rf /\n```\nfence\n```",
      context_ref: "ctx-b",
      depends_on: ["prepare"],
    },
    { id: "z", subject: "T9.9: looks like an id", depends_on: ["x y", "prepare"], status: "completed" },
  ],
};

const planOf = (value: unknown): Plan => read(JSON.stringify(value), "plan.json").plan;

describe("a plan written out for a person", () => {
  it("[L60] reads the same: tree, tasks, edges, and no command out of a description", () => {
    const text = taskFile(planOf(PLANNED), "<!-- drafted -->");
    const again = read(text);
    expect(errors(again)).toEqual([]);
    expect(again.plan.contextNodes).toMatchObject([
      { id: "ctx-root", shared: ["a.md"], documents: ["docs/spec.md"] },
      { id: "ctx-a", parent: "ctx-root", documents: ["b.md"] },
      { id: "ctx-b", parent: "ctx-a" },
      { id: "ctx-c", parent: "ctx-root" },
    ]);
    expect(
      again.plan.tasks.map(({ id, title, dependsOn, fills, contextRef, done, run }) => ({
        id,
        title,
        dependsOn,
        fills,
        contextRef,
        done,
        run,
      })),
    ).toEqual([
      { id: "T1.1", title: "Describe", dependsOn: [], fills: "ctx-a", done: false },
      { id: "T1.2", title: "Build it", dependsOn: ["T1.1"], contextRef: "ctx-b", done: false },
      { id: "T1.3", title: "T9.9: looks like an id", dependsOn: ["T1.1", "T1.2"], done: true },
    ]);
    expect(again.plan.tasks[1]?.text).toContain("rm -rf /");
  });

  it.each([
    ["npm test"],
    ["npm test -- `ls` | grep 'a b'"],
    ["(cd web && make)"],
    ['"a b"/run'],
    ["a\nb\n```\n"],
    ["- x"],
    ["test -f a.ts # none"],
    ["|"],
  ])("[L60] [L48] keeps a planner's role, files and proof: %s", verify => {
    const files = ["src/a.ts", "docs/a b.md", "src/**/*.ts"];
    const { plan } = read(
      JSON.stringify({ tasks: [{ id: "a", subject: "Build", role: "backend", files, verify }] }),
      "plan.json",
    );
    expect(plan.tasks[0]).toMatchObject({ verify: verify.trim(), files, specialist: "backend" });
    const again = read(taskFile(plan, ""));
    expect(errors(again)).toEqual([]);
    expect(again.plan.tasks[0]).toMatchObject({ verify: verify.trim(), files, specialist: "backend" });
  });

  it("[L48] takes a proof that is none for none", () => {
    const { plan } = read(
      JSON.stringify({ tasks: [{ id: "a", subject: "b", verify: "None" }] }),
      "plan.json",
    );
    expect(plan.tasks[0]).not.toHaveProperty("verify");
  });

  it("[L60] finds what was found out for nodes, in JSON alone", () => {
    const nodes = [
      { id: "ctx-a", facts: " # A\n" },
      { id: "ctx-b", facts: 4 },
      null,
      { id: "ctx-c", facts: " " },
    ];
    const text = JSON.stringify({ context_nodes: nodes, tasks: [{ id: "a", subject: "b" }] });
    expect([...draftedFacts(draftedText(text))]).toEqual([["ctx-a", "# A"]]);
    expect([...draftedFacts(draftedText("# Plan\n- [ ] T1: a\n"))]).toEqual([]);
  });

  it("[L60] whatever its tasks are called and say", () => {
    const word = fc.constantFrom(
      "a",
      "run:",
      "`",
      "```",
      "## x",
      "- [ ] T1: y",
      "\n",
      "|",
      "files: q",
      "가",
      "",
    );
    const text = fc.array(word, { maxLength: 12 }).map(words => words.join(" "));
    fc.assert(
      fc.property(
        fc.array(fc.record({ subject: text, description: text, back: fc.nat(5) }), {
          minLength: 1,
          maxLength: 6,
        }),
        given => {
          const tasks = given.map(({ subject, description, back }, at) => ({
            id: `id ${at}`,
            subject: `s${subject}`,
            description,
            depends_on: at === 0 ? [] : [`id ${Math.max(0, at - 1 - back)}`],
          }));
          const before = planOf({ context_nodes: [], tasks });
          const after = read(taskFile(before, "<!-- c -->")).plan;
          expect(after.tasks).toHaveLength(before.tasks.length);
          expect(after.tasks.map(({ dependsOn }) => dependsOn.length)).toEqual(
            before.tasks.map(({ dependsOn }) => dependsOn.length),
          );
          expect(
            after.tasks.every(
              ({ run, verify, files }) => run === undefined && verify === undefined && files.length === 0,
            ),
          ).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe("a planner's plan as a task file", () => {
  const fileOf = (...subjects: readonly string[]) => {
    const tasks = ["First", ...subjects].map((subject, at) => ({
      id: `t${at}`,
      subject,
      depends_on: at === 0 ? [] : [`t${at - 1}`],
    }));
    return draftedFile(planOf({ tasks }), "<!-- c -->") ?? "";
  };
  const titles = (file: string) => read(file).plan.tasks.map(({ title }) => title);

  it("[L94] keeps titles that name paths, a role or tests first", () => {
    const said = [
      "Edit src/a.js",
      "RED → GREEN for login @backend",
      "See `docs/a.md`, `b.ts`",
      "Done — DONE",
    ];
    const file = fileOf(...said);
    expect(titles(file)).toEqual(["First", ...said]);
    expect(read(file).plan.tasks[1]?.files).toEqual(["src/a.js"]);
  });

  it("[L94] makes plain what speaks of other tasks, or draws on a terminal, and keeps the words", () => {
    const file = fileOf("Fix (depends on T9.9)", "red \u001b[31m", "nul \u0000", "~~gone~~");
    expect(errors(read(file))).toEqual([]);
    expect(titles(file).slice(1, 4)).toEqual(["Fix depends on T9 9", "red \\x1b[31m", "nul \\x00"]);
    expect(file).toContain("```text\nFix (depends on T9.9)\n```");
    expect(titles(fileOf("Fix a.js (depends on T4)"))[1]).toBe("Fix a js depends on");
    const [task] = planOf({ tasks: [{ id: "a", subject: "A", description: "<<<<<<< HEAD\n\u0007" }] }).tasks;
    const text =
      draftedFile(planOf({ tasks: [{ id: "a", subject: "A", description: task!.text }] }), "") ?? "";
    expect([errors(read(text)), text.includes("\u0007")]).toEqual([[], false]);
  });

  it("[L100] keeps the files that a planner declared, whatever becomes of the title", () => {
    const tasks = [
      { id: "a", subject: "First" },
      { id: "b", subject: "Fix a.js (depends on T4)", files: ["src/a.js", "다른 파일.ts"] },
    ];
    const { plan } = read(draftedFile(planOf({ tasks }), "") ?? "");
    expect(plan.tasks.map(({ title, files }) => [title, files])).toEqual([
      ["First", []],
      ["Fix a js depends on", ["src/a.js", "다른 파일.ts"]],
    ]);
  });

  it.each([{ verify: "a\u0000b" }, { role: "a\nb, c" }])(
    "[L94] is none where a field cannot be written: %j",
    field => {
      expect(draftedFile(planOf({ tasks: [{ id: "a", subject: "A", ...field }] }), "")).toBeUndefined();
    },
  );

  it("[L94] reads without an error whatever its tasks are called", () => {
    const word = fc.constantFrom(
      "depends on",
      "T1.1",
      "T9.9",
      "src/a.ts",
      "(",
      ")",
      "~~",
      "DONE",
      "✅",
      "run:",
      "`",
      "\n",
      "blocks:",

      "## x",
      "- [ ] T1: y",
      "#7",
      "after",
      "의존:",
      "@qa",
      "RED → GREEN",
      "\u0000",
      "[x]",
      "1.2",
      "and",
      "",
    );
    const title = fc.array(word, { maxLength: 8 }).map(words => words.join(" "));
    fc.assert(
      fc.property(fc.array(title, { minLength: 1, maxLength: 4 }), given => {
        const again = read(fileOf(...given));
        expect(errors(again)).toEqual([]);
        expect(again.plan.tasks.map(({ dependsOn, run, done }) => [dependsOn.length, run, done])).toEqual(
          ["First", ...given].map((_, at) => [at === 0 ? 0 : 1, undefined, false]),
        );
      }),
      { numRuns: 150 },
    );
  });
});

describe("a plan in an answer", () => {
  const json = JSON.stringify(PLANNED);

  it("[L95] is JSON in a fence, whatever braces stand around it", () => {
    const around = (fence: string) =>
      `See {this}:\n\`\`\`ts\nlet a = {};\n\`\`\`\n${fence}\nHope [it] {helps}`;
    for (const name of ["json", "", "jsonc"])
      expect(draftedText(around(`\`\`\`${name}\n${json}\n\`\`\``))).toEqual({
        text: `${json}\n`,
        path: "plan.json",
      });
    const file = "# Plan\n\n- [ ] T1: a\n";
    expect(draftedText(around(`\`\`\`md\n${file}\`\`\``))).toEqual({ text: file, path: "TASKS.md" });
    expect(draftedText(`\`\`\`ts\nlet a;\n\`\`\`md\n${file}\`\`\`\n`)).toEqual({
      text: file,
      path: "TASKS.md",
    });
  });

  it("[L101] is the Markdown that has tasks, whatever JSON they are about", () => {
    const file =
      '# Plan\n\n### [ ] T1.1: Add it\n\n```json\n[{"id": 1, "title": "Milk"}]\n```\n\n- [ ] T1.2: Test\n';
    expect(draftedText(file)).toEqual({ text: file, path: "TASKS.md" });
    const fenced = `It answers:\n\`\`\`\n[{"id": 1}]\n\`\`\`\n\`\`\`md\n# Plan\n\n- [ ] **T1**: a\n\`\`\``;
    expect(draftedText(fenced)).toEqual({ text: "# Plan\n\n- [ ] **T1**: a\n", path: "TASKS.md" });
  });

  it("[L61] is JSON from the first brace to the last", () => {
    expect(draftedText(`Here it is:\n\n${json}\n\nDONE`)).toEqual({ text: json, path: "plan.json" });
    expect(draftedText(`\`\`\`json\n${json}\n\`\`\`\n`)).toEqual({ text: json, path: "plan.json" });
    const list = JSON.stringify(PLANNED.tasks);
    expect(draftedText(`tasks: ${list}.`)).toEqual({ text: list, path: "plan.json" });
  });

  it("[L61] or the longest Markdown fence, or all of it", () => {
    const file = "# Plan\n\n- [ ] T1: a\n";
    expect(draftedText(`Sure.\n\`\`\`markdown\n${file}\`\`\`\nDone.`)).toEqual({
      text: file,
      path: "TASKS.md",
    });
    const inner = "# Plan\n\n- [ ] T1: a\n  - run:\n    ```sh\n    make\n    ```\n";
    expect(draftedText(`\`\`\`\`md\n${inner}\`\`\`\`\n`)).toEqual({ text: inner, path: "TASKS.md" });
    expect(draftedText(file)).toEqual({ text: file, path: "TASKS.md" });
    expect(draftedText("")).toEqual({ text: "", path: "TASKS.md" });
    expect(draftedText("{ not json }\n- [ ] T1: {x}")).toMatchObject({ path: "TASKS.md" });
  });

  it("[L61] is found in linear time", () => {
    for (const unit of ["```md\n", "{["])
      expect(growth(25_000, size => unit.repeat(size), draftedText)).toBeLessThan(LINEAR);
  });
});
