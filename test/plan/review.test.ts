import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tickBoxes } from "../../src/plan/index.ts";
import { casesOf, sampleOf } from "../sample.ts";
import { codes, done, errors, ids, messages, read, task } from "./reading.ts";

function ticked(text: string, path: string): string {
  const { plan } = read(text, path);
  return new TextDecoder().decode(
    tickBoxes(
      new TextEncoder().encode(text),
      plan,
      plan.tasks.map(found => found.id),
    ),
  );
}

const KIRO = ".kiro/specs/x/tasks.md";
const SPECKIT = "specs/001-x/tasks.md";

const mark = fc.constantFrom(" ", "", "~", "-", "/", "?", "wip", "진행중", "x", "X", "✅");
const words = fc.constantFrom(
  "Third",
  "(P) b `c`",
  "[P] d",
  "x [link](a.md)",
  "a* b",
  "**bold** e",
  "완료 조건",
);
const kiroHead = fc
  .tuple(mark, fc.constantFrom("", "*"), fc.constantFrom("", "*", ".", ".*", "*."), words)
  .map(
    ([box, star, tail, title]) =>
      (n: number) =>
        `- [${box}]${star} ${n}.1${tail} ${title}`,
  );
const speckitHead = fc.tuple(mark, fc.constantFrom("", "[P] ", "[P] [US1] ", "[US2] "), words).map(
  ([box, tags, title]) =>
    (n: number) =>
      `- [${box}] T${String(n).padStart(3, "0")} ${tags}${title}`,
);
const houseHead = fc
  .tuple(
    mark,
    fc.constantFrom(
      (box: string, n: number, title: string) => `### [${box}] P1-T${n}: ${title}`,
      // At the end of a title only short marks are boxes.
      (box: string, n: number, title: string) =>
        box.length > 2 ? `### P1-T${n}: ${title}` : `### P1-T${n}: ${title} [${box}]`,
      (box: string, n: number, title: string) => `- [${box}] **P1-T${n}**: ${title}`,
      (box: string, n: number, title: string) => `- **P1-T${n}** [${box}] ${title}`,
      (box: string, n: number, title: string) => `* [${box}] \`P1-T${n}\` - ${title}`,
      (box: string, n: number, title: string) => `#### P1-T${n} [${box}]: ${title}`,
    ),
    words,
  )
  .map(
    ([box, shape, title]) =>
      (n: number) =>
        shape(box, n, title),
  );

describe("ticking", () => {
  it.each([
    ["- [ ] 3* Third\n", "- [x] 3* Third\n"],
    ["- [ ] 7.9* (P) Ninth\n", "- [x] 7.9* (P) Ninth\n"],
    ["- [ ]* 4 Fourth\n", "- [x]* 4 Fourth\n"],
    ["- [ ]* 4* Both\n", "- [x]* 4* Both\n"],
  ])("[L50] %j keeps its star", (before, after) => {
    expect(ticked(`- [ ] 1. First\n${before}`, KIRO)).toBe(`- [x] 1. First\n${after}`);
  });

  it.each(
    sampleOf(
      [
        ["kiro", KIRO, kiroHead],
        ["spec-kit", SPECKIT, speckitHead],
        ["tasks-md", "TASKS.md", houseHead],
      ] as const,
      1,
      2,
    ),
  )("[L50] of %s changes only what stands in the brackets", (_, path, head) => {
    fc.assert(
      fc.property(fc.array(head, { minLength: 1, maxLength: 6 }), heads => {
        const before = `# Plan\n\n${heads.map((make, index) => make(index + 1)).join("\n")}\n`;
        const after = ticked(before, path);
        const [old, now] = [before.split("\n"), after.split("\n")];
        expect(now).toHaveLength(old.length);
        for (const [index, line] of old.entries()) {
          if (line === now[index]) continue;
          // A heading that shows no state gets a box in front.
          if (now[index] === `### [x] ${line.slice(4)}`) continue;
          const next = now[index] ?? "";
          let at = 0;
          while (line[at] === next[at]) at++;
          const open = line.lastIndexOf("[", at - 1);
          const close = line.indexOf("]", open);
          expect(open).toBeGreaterThanOrEqual(0);
          expect(next).toBe(`${line.slice(0, open + 1)}x${line.slice(close)}`);
        }
        expect(ids(read(after, path))).toEqual(ids(read(before, path)));
        expect(done(read(after, path))).toEqual(ids(read(before, path)));
      }),
      { numRuns: casesOf(75, 300) },
    );
  });
});

function files(value: string): readonly string[] {
  return task(read(`### [ ] T1.1: a\n- files: ${value}\n`), "T1.1").files;
}

describe("files", () => {
  it.each([
    "Makefile",
    "src",
    "Dockerfile",
    "go.sum",
    "main.zig",
    ".gitignore",
    "app/(auth)/login/page.tsx",
    "app/routes/$id.tsx",
    "app/[id]/page.tsx",
    "src/{a,b}.ts",
    "@types/x.d.ts",
  ])("[L28] keeps %s", path => {
    expect(files(path)).toEqual([path]);
    expect(files(`\`${path}\``)).toEqual([path]);
    expect(files(`a.ts, ${path}, \`b.ts\``)).toEqual(["a.ts", path, "b.ts"]);
    expect(files(`[${path}, "b.ts"]`)).toEqual([path, "b.ts"]);
    expect(files(`\n  - ${path}\n  - b.ts (new, untested)`)).toEqual([path, "b.ts"]);
  });

  it.each<[string, string[]]>([
    ["`y z.ts`", ["y z.ts"]],
    ["out/a.txt, `src/b.ts`", ["out/a.txt", "src/b.ts"]],
    ["`tests/a.py` → `b.py` (신규), `c.py`", ["tests/a.py", "b.py", "c.py"]],
    ["a.ts -> b.ts", ["a.ts", "b.ts"]],
    ["./src/, src", ["src"]],
    ["구현: `a.ts`, `b.ts`", ["a.ts", "b.ts"]],
    ["New: Makefile", ["Makefile"]],
    ["`a.md`, `b.md` — see c.md", ["a.md", "b.md"]],
    ["`a.ts` (uses `b.ts`, c.ts)", ["a.ts"]],
    ["`a.ts`（新規, 二つ）, `b.ts`", ["a.ts", "b.ts"]],
    ["a page for users, docs", []],
    ["the script in src/a.ts", ["src/a.ts"]],
    ["none", []],
    ["-", []],
    ["`https://example.com/a.ts`, `main()`", []],
    ["연동 확인 문서", []],
    ["src/a.ts src/b.ts", ["src/a.ts", "src/b.ts"]],
  ])("[L28] of %s are %j", (value, expected) => {
    expect(files(value)).toEqual(expected);
  });

  it("[L28] any list of names comes back", () => {
    const name = fc.stringMatching(
      /^[a-z.][a-zA-Z0-9_$-]{1,8}[a-z](?:\/\([a-z]{1,4}\))?(?:\/[a-z][a-z0-9]{0,6})?$/,
    );
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 5 }), fc.boolean(), (names, quoted) => {
        const usable = names.filter(one => !["none", "null", "tbd", "todo", "na"].includes(one));
        fc.pre(usable.length > 0);
        expect(files(usable.map(one => (quoted ? `\`${one}\`` : one)).join(", "))).toEqual(usable);
      }),
    );
  });
});

describe("ranges and slashes", () => {
  const plan = (first: string, value: string) =>
    read(`## Phase 1\n${first}\n## Phase 2\n- [ ] P2-T2: y\n- [ ] P2-T9: z\n  - depends_on: ${value}\n`);

  it.each([
    ["- [ ] P1-T1.1: a\n- [ ] P1-T1.2: b", "P1-T1.1~T1.2", ["P1-T1.1", "P1-T1.2"]],
    ["- [ ] P1-T1.1: a\n- [ ] T1.2: b", "P1-T1.1~T1.2", ["P1-T1.1", "T1.2"]],
    [
      "- [ ] P1-T1.1: a\n- [ ] T1.2: b\n- [ ] T1.3: c\n- [ ] T1.4: d",
      "P1-T1.1~T1.3",
      ["P1-T1.1", "T1.2", "T1.3"],
    ],
    ["- [ ] P1-T1.1: a\n- [ ] P1-T1.2: b", "P1-T1.2~P1-T1.1", ["P1-T1.1", "P1-T1.2"]],
    ["- [ ] P1-T1: a\n- [ ] P1-T2: b", "P1-T1/T2", ["P1-T1", "P1-T2"]],
    ["- [ ] P1-T1: a\n- [ ] P1-T2: b\n- [ ] P1-T3: c", "P1-T1/T2/T3", ["P1-T1", "P1-T2", "P1-T3"]],
  ])("[L30] %s: %s", (first, value, expected) => {
    const reading = plan(first, value);
    expect(task(reading, "P2-T9").dependsOn).toEqual(expected);
    expect(codes(reading)).toEqual([]);
  });

  it.each([
    ["P1-T1~T8", "ERROR:MISSING_DEP:P2-T9->P1-T1~T8"],
    ["P1-T1/T5", "ERROR:MISSING_DEP:P2-T9->P1-T5"],
  ])("[L30] %s says what is missing", (value, message) => {
    expect(messages(plan("- [ ] P1-T1: a\n- [ ] T5x: b", value), "MISSING_DEP")).toEqual([message]);
  });

  it("[L38] a range of partners with an unknown end is told", () => {
    const reading = read("## Phase 1\n- [ ] P1-T1: a\n- [ ] P1-T2: b\n  - parallel_with: P1-T1~T9\n");
    expect(codes(reading)).toEqual(["MISSING_PARALLEL"]);
  });
});

describe("names of fields", () => {
  it.each([
    ["depend_on", "depends_on"],
    ["verfy", "verify"],
    ["paralel_with", "parallel_with"],
    ["specalist", "specialist"],
    ["rnu", "run"],
    ["fiels", "files"],
  ])("[L54] %s: did you mean %s?", (written, meant) => {
    for (const line of [`- ${written}: x`, `${written}: x`]) {
      expect(read(`### [ ] T1.1: a\n${line}\n`).diagnostics).toMatchObject([
        { code: "FIELD_NAME", severity: "warning", line: 2, hint: `did you mean ${meant}?` },
      ]);
    }
    expect(read(`### [ ] T1.1: a\n- **${written}**: x\n`).diagnostics).toMatchObject([{ severity: "info" }]);
  });

  it.each([
    "Tests",
    "rule",
    "text",
    "Note",
    "Goal",
    "Stats",
    "Title",
    "priority",
    "effort",
    "notes",
    "type",
    "parent",
  ])("[L54] %s is a word like others", name => {
    expect(codes(read(`### [ ] T1.1: a\n- ${name}: x\n- **${name}**: x\n`))).toEqual([]);
  });

  it("[L54] outside of tasks and in prose nothing is checked", () => {
    expect(
      codes(read("# A\n- verfy: x\n## Phase 1\n### [ ] T1.1: a\nVerfy: this\n- verfy that: x\n")),
    ).toEqual([]);
  });
});

describe("fences that swallow tasks", () => {
  const open = "## Phase 1\n### [ ] T1.1: a\n- run:\n  ```sh\n  echo hi\n\n";

  it.each([
    `${open}### [ ] T1.2: b\n### [ ] T1.3: c\n`,
    `${open}- [ ] T1.2: b\n`,
    `${open}### [ ] T1.2: b\n- run:\n  \`\`\`sh\n  echo\n  \`\`\`\n`,
    `${open}### [ ] T1.2: b\n`.replaceAll("\n", "\r\n"),
  ])("[L64] %j: a command without a closing mark is an error, and ends with its list item", text => {
    const { plan, diagnostics } = read(text);
    expect(diagnostics).toMatchObject([{ code: "FENCE_OPEN", severity: "error", line: 4 }]);
    expect(diagnostics[0]?.message).toContain("on line 6");
    expect(plan.tasks.map(found => found.id)).toContain("T1.2");
  });

  it("[L8] one of a task's text is an error", () => {
    const [first] = read("## Phase 1\n### [ ] T1.1: a\n\n```\nwords\n\n### [ ] T1.2: b\n").diagnostics;
    expect(first).toMatchObject({ code: "FENCE_OPEN", severity: "error", line: 4 });
    expect(first?.message).toContain("T1.2");
    expect(first?.hint).toBe("close the code fence above line 7");
  });

  it("[L8] one with nothing below stays a warning, a closed one is none", () => {
    const words = "### [ ] T1.1: a\n\n```\nwords\n";
    expect(read(words).diagnostics).toMatchObject([{ code: "FENCE_OPEN", severity: "warning" }]);
    const example = "### [ ] T1.1: a\n\n```markdown\n### [ ] T9: x\n```sh\nls\n```\n```\n### [ ] T1.2: b\n";
    expect(codes(read(example))).toEqual(["TASK_HIDDEN"]);
    expect(codes(read(example.replace("markdown", "text").replace("sh", "")))).toEqual([]);
    expect(codes(read("### [ ] T1.1: a\n\n```sh\n# T9: a comment\necho\n```\n"))).toEqual([]);
  });
});

describe("commands in YAML's way", () => {
  it("[L26] deeper lines are the script, whatever they look like", () => {
    const text =
      "### [ ] T1.1: a\n- run: |\n    # a comment\n    if x; then\n      echo b | tee y\n\n    fi\n    - [ ] T9: no\n" +
      "- verify: |-\n    npm test\n- depends_on: none\n### [ ] T1.2: b\n";
    const reading = read(text);
    expect(ids(reading)).toEqual(["T1.1", "T1.2"]);
    expect(task(reading, "T1.1").run).toBe("# a comment\nif x; then\n  echo b | tee y\n\nfi\n- [ ] T9: no");
    expect(task(reading, "T1.1").verify).toBe("npm test");
    expect(codes(reading)).toEqual([]);
  });

  it("[L26] a folded one is one line; an empty one is none", () => {
    expect(task(read("### [ ] T1: a\nrun: >\n  echo a\n  b\n"), "T1").run).toBe("echo a b");
    expect(task(read("### [ ] T1: a\n- run: |\n- verify: |\n"), "T1")).not.toHaveProperty("run");
  });

  it.each([
    ['"echo hi"', "echo hi"],
    ["'cmd x'", "cmd x"],
    ['"a" && "b"', '"a" && "b"'],
    ["echo 'x'", "echo 'x'"],
  ])("[L26] verify: %s is %s", (value, command) => {
    expect(task(read(`### [ ] T1.1: a\n- verify: ${value}\n`), "T1.1").verify).toBe(command);
  });
});

describe("what is left out", () => {
  it("[L54] rows beside tasks are named", () => {
    const table = "| id | title | state |\n|---|---|---|\n| P1-T2 | two | [ ] |\n| P1-T1 | one | [ ] |\n";
    const reading = read(`## Phase 1\n### [ ] P1-T1: one\n\n${table}`);
    expect(ids(reading)).toEqual(["P1-T1"]);
    expect(reading.diagnostics).toMatchObject([{ code: "ROW_IGNORED", severity: "info", line: 6 }]);
    expect(messages(reading, "ROW_IGNORED")[0]).toContain("P1-T2");
    expect(codes(read(`## Phase 1\n### [ ] P1-T1: one\n### [ ] P1-T2: two\n\n${table}`))).toEqual([]);
  });

  it("[L54] plain boxes of a phase that has tasks with ids are counted", () => {
    const reading = read(
      "## Phase 3: plain\n- [ ] do\n- [ ] that\n- [ ] P3-T1: real\n## Checklist\n- [ ] z\n",
    );
    expect(ids(reading)).toEqual(["P3-T1"]);
    expect(reading.diagnostics).toMatchObject([{ code: "BOX_IGNORED", severity: "info", line: 2 }]);
    expect(messages(reading, "BOX_IGNORED")[0]).toContain("(2)");
  });
});

describe("missing dependencies that are allowed", () => {
  it("[L33] the warning says what happens, the hint names another task", () => {
    const reading = read("- [ ] P1-T11: a\n  - depends_on: P1-T111\n- [ ] X9-T1: b\n", "TASKS.md", {
      allowMissing: true,
    });
    expect(reading.diagnostics).toMatchObject([{ code: "MISSING_DEP", severity: "warning" }]);
    expect(reading.diagnostics[0]?.message).toContain("taken as satisfied");
    expect(reading.diagnostics[0]?.message).not.toContain("ERROR:");
    expect(reading.diagnostics[0]?.hint).not.toContain("P1-T11?");
  });

  it("[L33] in JSON as well", () => {
    const json = JSON.stringify({ tasks: [{ id: "task-1", title: "a", dependencies: ["task-11"] }] });
    const strict = read(json, "tasks.json");
    expect(errors(strict)).toEqual(["MISSING_DEP"]);
    expect(strict.diagnostics[0]?.hint).not.toContain("task-1?");
    expect(read(json, "tasks.json", { allowMissing: true }).diagnostics[0]?.message).toContain("satisfied");
  });
});

describe("phases with two digits behind the point", () => {
  it("[L16] 3.10 and 3.11 follow 3.9, and 3.1 is another one", () => {
    const reading = read(
      "## Phase 3.9: a\n- [ ] T001 a\n## Phase 3.10: b\n- [ ] T002 b (depends on T001)\n" +
        "## Phase 3.11: c\n- [ ] T003 c (depends on T002)\n## Phase 3.1: d\n- [ ] T004 d\n",
      SPECKIT,
    );
    expect(reading.plan.phases.map(({ phase }) => phase)).toEqual([3.1, 3.9, "3.10", "3.11"]);
    expect(codes(reading)).toEqual([]);
  });
});
