import { describe, expect, it } from "vitest";
import { ids, read } from "./reading.ts";

const found = (text: string) =>
  read(text).diagnostics.map(({ severity, code, line }) => `${severity} ${code} ${line}`);
const first = (text: string) => read(text).diagnostics[0]!;

describe("fences that open a list item", () => {
  const listed = "## Phase 1\n- ```js\n  const a = 1;\n  ```\n- [ ] T1.1: a\n- [ ] T1.2: b\n";

  it.each([
    listed,
    listed.replaceAll("\n", "\r\n"),
    "1. ~~~\n   code\n   ~~~\n- [ ] T1.1: a\n- [ ] T1.2: b\n",
    "- [ ] T1.1: a\n  - ```sh\n    echo\n    ```\n- [ ] T1.2: b\n",
    "- a\n  - ```\n    x\n- [ ] T1.1: a\n- [ ] T1.2: b\n",
    "> ```\n> x\n\n- [ ] T1.1: a\n- [ ] T1.2: b\n",
  ])("[L8] %j ends where its mark or its item ends", text => {
    expect(ids(read(text))).toEqual(["T1.1", "T1.2"]);
    expect(found(text)).toEqual([]);
  });

  it("[L8] what they hold belongs to the field above", () => {
    const text = "- [ ] T1.1: a\n  - run:\n    - ```sh\n      echo\n        deep\n      ```\n";
    expect(read(text).plan.tasks[0]?.run).toBe("echo\n  deep");
  });
});

describe("fences that swallow tasks", () => {
  it.each([
    [
      "another one begins in it",
      "- [ ] T1.1: a\n\n```sh\nwords\n- [ ] T1.2: b\n### T1.3: c\n```js\nd\n```\n",
      9,
    ],
    [
      "another one is never closed",
      "- [ ] T1.1: a\n\n```sh\nwords\n- [ ] T1.2: b\n### T1.3: c\n```\nd\n```\n",
      7,
    ],
  ])("[L63] one that ends with the mark of another is an error that shows both ends: %s", (_, text, end) => {
    expect(found(text)[0]).toBe("error FENCE_OPEN 3");
    expect(first(text).message).toBe(
      `the code fence from line 3 to line ${end} swallows T1.2 on line 5, T1.3 on line 6; nothing in it is read`,
    );
    expect(first(text).hint).toContain("close it above line 5");
  });

  it("[L63] open ones show where they begin and that they run to the end", () => {
    const text = "- [ ] T1.1: a\n\n```\nwords\n- [ ] T1.2: b\n";
    expect(first(text).message).toBe(
      "the code fence that begins on line 3 is never closed and runs to line 5; it swallows T1.2 on line 5",
    );
  });

  it("[L63] ones that their list item ends are told as well", () => {
    const text = "- a\n  ```sh\n  - [ ] T1.2: b\n- [ ] T1.1: a\n";
    expect(ids(read(text))).toEqual(["T1.1"]);
    expect(first(text)).toMatchObject({ code: "FENCE_OPEN", severity: "error", line: 2 });
    expect(first(text).message).toContain("runs to line 3");
  });

  it("[L63] whole ones are told, and tasks that also stand in the open are not", () => {
    expect(found("- [ ] T1.1: a\n\n```markdown\n- [ ] T1.2: b\n```\n")).toEqual(["info TASK_HIDDEN 3"]);
    expect(found("- [ ] T1.1: a\n\n```\n- [ ] T1.2: b\n```\n")).toEqual(["warning TASK_HIDDEN 3"]);
    expect(found("- [ ] T1.1: a\n\n```\n- [ ] T1.1: a\n```\n")).toEqual([]);
    expect(found("- [ ] T1.1: a\n\n```sh\n# T1.1 by hand\nnpm i\n```\n")).toEqual([]);
  });
});

describe("what else hides tasks", () => {
  it.each([
    ["a comment", "<!--\n- [ ] T1.2: b\n-->\n", "info TASK_HIDDEN 3"],
    ["a comment of one line", "<!-- - [ ] T1.2: b -->\n", "info TASK_HIDDEN 3"],
    ["a comment without end", "<!--\n- [ ] T1.2: b\n", "error COMMENT_OPEN 3"],
    ["preformatted text", "<pre>\n- [ ] T1.2: b\n</pre>\n", "warning TASK_HIDDEN 3"],
    ["a quote", "> - [ ] T1.2: b\n", "warning TASK_HIDDEN 3"],
    ["indented code", "text\n\n    - [ ] T1.2: b\n", "warning TASK_HIDDEN 5"],
    ["a heading in indented code", "text\n\n    ### T1.2: b\n", "warning TASK_HIDDEN 5"],
  ])("[L63] %s is told", (_, text, expected) => {
    const whole = `### T1.1: a\n\n${text}`;
    expect(ids(read(whole))).toEqual(["T1.1"]);
    expect(found(whole)).toEqual([expected]);
    expect(first(whole).message).toContain("T1.2");
  });

  it("[L63] a field in indented code is told, and a bullet of a task is read however deep it stands", () => {
    expect(found("### T1.1: a\n\n    depends: T1.0\n    port: 80\n")).toEqual(["warning FIELD_HIDDEN 3"]);
    const deep = "### [x] T1.1: a\n### T1.2: b\n\t- depends: T1.1\n\t- [x] works\n";
    expect(found(deep)).toEqual([]);
    expect(read(deep).plan.tasks[1]).toMatchObject({ dependsOn: ["T1.1"], done: true });
  });

  it("[L62] HTML that only wraps Markdown hides nothing", () => {
    const list = "- [ ] T1.1: a\n  - owner: x\n- [ ] T1.2: b\n";
    for (const gap of ["", "\n"]) {
      const text = `<details>\n<summary>Phase 1</summary>\n${gap}${list}${gap}</details>\n`;
      expect(ids(read(text))).toEqual(["T1.1", "T1.2"]);
      expect(found(text)).toEqual([]);
    }
  });
});

describe("where the reader is more generous than CommonMark", () => {
  it.each([
    ["a deeper list in a paragraph", "words\n    - [ ] T1.1: a\n"],
    ["a number other than 1 in a paragraph", "words\n2. [ ] T1.1: a\n"],
    ["wide spaces", "\u3000- [ ] T1.1: a\n"],
    ["seven hashes", "####### [ ] T1.1: a\n"],
    ["no blank behind hashes and bullet", "###[ ] T1.1: a\n-[ ] T1.2: b\n"],
    ["rows without a delimiter", "| T1.1 | a | [ ] |\n| T1.2 | b | [ ] |\n"],
    ["a sixth blank behind a bullet", "-      [ ] T1.1: a\n"],
  ])("[L62] %s", (_, text) => {
    expect(ids(read(text))[0]).toBe("T1.1");
  });

  it("[L62] rows need no bar at their ends", () => {
    const text = "ID | Task | Depends | Done\n---|---|---|---\nT1.1 | a | - | [x]\nT1.2 | b | T1.1 | [ ]\n";
    expect(read(text).plan.tasks).toMatchObject([
      { id: "T1.1", title: "a", done: true },
      { id: "T1.2", title: "b", dependsOn: ["T1.1"] },
    ]);
  });

  it("[L62] a field right below a table is no row of it", () => {
    const text = "### T1.1: a\n| x | y |\n|---|---|\n| 1 | 2 |\n**담당**: backend-specialist\n";
    expect(read(text).plan.tasks[0]?.specialist).toBe("backend-specialist");
  });

  it("[L62] an underlined line is a heading where it names a task or phase, and a field stays one", () => {
    const text =
      "Phase 2: Build\n---\n\n[ ] T2.1: a\n---\n**담당**: backend-specialist\n---\n\n- [ ] T2.2: b\n";
    const { plan } = read(text);
    expect(plan.tasks).toMatchObject([
      { id: "T2.1", title: "a", specialist: "backend-specialist" },
      { id: "T2.2" },
    ]);
    expect(plan.phases).toMatchObject([{ phase: 2, title: "Build" }]);
  });
});
