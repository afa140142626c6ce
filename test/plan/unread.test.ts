import { describe, expect, it } from "vitest";
import { ids, messages, read } from "./reading.ts";

const BASE = "# Tasks\n\n## Phase 1\n\n### [ ] T1.1: a\n- specialist: dev\n\n";
const found = (text: string, path?: string) =>
  read(text, path).diagnostics.map(({ severity, code, line }) => `${severity} ${code} ${line}`);

describe("boxes with an id that nothing reads", () => {
  it.each([
    '### <a id="x"></a>[ ] T1.31: b',
    "### ![x](y) [ ] T1.32: b",
    "### - [ ] T1.34: b",
    "### &#91; ] T1.36: b",
    "### \\[ ] T1.37: b",
    "### :rocket: [ ] T1.38: b",
    "### Task [ ] T1.40: b",
    "### [ ](#x) T1.41: b",
    "### words [z] T1.42: b",
    "## Setup [ ] things",
    "**[ ] T1.21: b**",
    "**[ ] T1.21** b",
    "**[ ] Phase 1, T1.21** b",
    "%%%% [ ] T1.19: b",
    "words \uff3b \uff3d T1.8: b",
    "- \\[ \\] T1.4: b",
    "- \u2610 T1.4: b",
    "\u2b1c T1.4: b",
    "> **[ ] T1.7: b**",
    "<div>[ ] T1.4</div>",
    "<pre>\nwords [ ] T1.4\n</pre>",
    "words [x] T1.1 and [ ] T1.5",
    "- files:\n  - [ ] T1.5: b",
  ])("[L66] %j is told", line => {
    const text = `${BASE}${line}\n`;
    expect(ids(read(text))).toEqual(["T1.1"]);
    expect(found(text)).toEqual([expect.stringMatching(/^warning (?:ITEM_IGNORED|TASK_HIDDEN) [89]$/)]);
  });

  it.each(["[ref]: [ ] T1.5: b", "[ref]: - [ ] T1.9", "[^1]: - [ ] T1.10: x"])(
    "[L66] %j is told as hidden",
    line => {
      expect(found(`${BASE}${line}\n`)).toEqual(["warning TASK_HIDDEN 8"]);
    },
  );

  it("[L66] front matter that holds a task is told as hidden", () => {
    const text = `---\r\ntitle: x\r\n### [ ] T1.9: b\r\n- run: \`x\`\r\n---\r\n${BASE}`;
    expect(ids(read(text))).toEqual(["T1.1"]);
    expect(found(text)).toEqual(["warning TASK_HIDDEN 3"]);
  });

  it.each(["| [ ] T1.1 | [ ] T1.5 |", "| a | b |\n|---|---|\n| x | words [ ] T1.5 |"])(
    "[L66] the table %j tells what it holds",
    table => {
      expect(found(`${BASE}## Summary\n\n${table}\n`)).toEqual([expect.stringMatching(/_IGNORED \d+$/)]);
    },
  );

  it.each([
    "words [x] T1.1 is done",
    "- [ ] P0 in words",
    "see `- [ ] T1.9` there",
    "## [ ] Phase 2",
    "<!-- **[ ] T1.9** -->",
    "```text\n**[ ] T1.9**\n```",
    "- run: |\n    echo '[ ] T1.9'\n- verify: grep '[ ] T1.9' x",
    "- run:\n  - echo [ ] T1.9",
    "[P] may run beside",
    "a & b [1] and T1.9",
  ])("[L66] %j is nothing to tell of", line => {
    expect(found(`${BASE}${line}\n`).filter(finding => !finding.includes("BOX_IGNORED"))).toEqual([]);
  });

  it("[L66] numbers are ids in the formats that have them", () => {
    const kiro = "- [ ] 1. a\n- [ ] 1.1 b\n\nwords [ ] 1.2 c\n";
    expect(found(kiro, ".kiro/specs/x/tasks.md")).toEqual(["warning ITEM_IGNORED 4"]);
    expect(found("- [ ] T001 a\n\nwords [ ] T002 b\n", "specs/1/tasks.md")).toEqual([
      "warning ITEM_IGNORED 3",
    ]);
  });
});

describe("words that look like an edge", () => {
  const two = (words: string) => found(`- [ ] T1.1: a\n- [ ] T1.2: ${words}\n`);

  it.each(["- depends: R9", "- 의존: R9"])(
    "[L33] %j names an id like none of the file, and is told",
    line => {
      expect(found(`${BASE}${line}\n`)).toEqual(["info DEP_PROSE 8"]);
    },
  );

  it.each([
    "x needs T1.1 to be rewritten",
    "T1.1 이후 바뀐 문서 정리",
    "T1.1 완료 후 바뀐 문서 정리",
    "after T1.1 was written by hand, tidy up",
    "b\n  - needs T1.1 to be rewritten",
    "b\n  - T1.1 완료 후 바뀐 문서를 정리한다",
  ])("[L65] %j only mentions a task, and is told", words => {
    expect(two(words)).toEqual([expect.stringMatching(/^info DEP_PROSE [23]$/)]);
  });

  it.each([
    "x needs T1.1",
    "x needs T1.1 to be rewritten\n  - depends: T1.1",
    "x needs T1.2 to be rewritten",
    "x needs T9.9 to be rewritten",
    "x like T1.1",
    "x needs care",
    "b\n  - compare it with what needs T1.1",
  ])("[L65] %j is nothing to tell of", words => {
    expect(two(words)).toEqual([]);
  });
});

describe("commands beside a fence that is one", () => {
  const told = (name: string, said: string, ...below: string[]) =>
    messages(read([`### [ ] T1.1: a`, `- ${name}: ${said}`, ...below, ""].join("\n")), "BAD_FIELD");

  it.each(["run", "verify", "test"])("[L387] %s on its line and in a fence below is told", name => {
    for (const said of ["npm test", "`npm test`", "`npm test` prints:", "`npm test`가 출력합니다："])
      expect(told(name, said, "", "```", "3 passing", "```")).toEqual([
        `what stands behind ${name} on its line is not executed: the fence below is the command`,
      ]);
    for (const said of ["", "run these:", "아래와 같이：", "(none)"])
      expect(told(name, said, "  ```sh", "  make", "  ```")).toEqual([]);
    expect(told(name, "|", "    make")).toEqual([]);
  });
});
