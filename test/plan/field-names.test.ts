import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readField, readFields } from "../../src/plan/syntax/field.ts";
import { fieldKey } from "../../src/plan/syntax/field-key.ts";
import { saysWait } from "../../src/plan/syntax/waits.ts";
import { edges, read, task, withLines } from "./reading.ts";

function field(text: string) {
  const hit = readField(text, 0, text.length);
  return hit === undefined ? undefined : { key: hit.key, value: text.slice(hit.valueStart, hit.valueEnd) };
}

describe("names of fields", () => {
  it.each([
    "담당",
    "담당자",
    "담당 에이전트",
    "전문가",
    "specialist",
    "Specialist",
    "Agent Role",
    "agent_role",
    "agent-role",
    "Owner",
    "assignee",
    "Assigned To",
    "担当",
    "担当者",
    "负责人",
    "执行者",
    "subagent_type",
  ])("[L24] %s is the specialist", name => {
    expect(fieldKey(name)).toBe("specialist");
    expect(withLines(`- **${name}**: ui-specialist`).specialist).toBe("ui-specialist");
  });

  it.each([
    "의존",
    "의존성",
    "의존 태스크",
    "선행",
    "선행 태스크",
    "선행 작업",
    "실행 조건",
    "전제조건",
    "depends",
    "Depends on",
    "depends_on",
    "dependsOn",
    "Dependencies",
    "deps",
    "Blocked-by",
    "blocked_by",
    "Blocked by",
    "After",
    "requires",
    "Prerequisites",
    "依存",
    "依存関係",
    "前提タスク",
    "依赖",
    "依赖任务",
    "前置任务",
    "前置条件",
  ])("[L24] %s is a dependency", name => {
    expect(fieldKey(name)).toBe("depends");
    expect(withLines(`- **${name}**: T9.9`).dependsOn).toEqual(["T9.9"]);
  });

  it.each([
    "병렬",
    "병렬 실행",
    "병렬 가능",
    "parallel",
    "parallel_with",
    "Parallel with",
    "can parallel",
    "並列",
    "并行",
  ])("[L24] %s is a partner", name => {
    expect(fieldKey(name)).toBe("parallel");
    const reading = read(`### [ ] T1.1: a\n- ${name}: T1.2\n### [ ] T1.2: b\n- ${name}: T1.1\n`);
    expect(task(reading, "T1.1").parallelWith).toEqual(["T1.2"]);
  });

  it.each([
    ["Worktree", "worktree"],
    ["Git Worktree 설정", "worktree"],
    ["워크트리", "worktree"],
    ["파일", "files"],
    ["Files to modify", "files"],
    ["산출물", "files"],
    ["文件", "files"],
    ["완료 조건", "criteria"],
    ["Acceptance Criteria", "criteria"],
    ["Done-when", "criteria"],
    ["受け入れ条件", "criteria"],
    ["상태", "status"],
    ["Status", "status"],
    ["状态", "status"],
    ["TDD 사이클", "tdd"],
    ["Blocks", "blocks"],
    ["Unblocks", "blocks"],
    ["Required by", "blocks"],
    ["위험도", "risk"],
    ["의존성/독립성", "depends"],
    ["Files & outputs", "files"],
    ["설명", undefined],
    ["Description", undefined],
    ["constructor", undefined],
    ["__proto__", undefined],
    ["", undefined],
  ])("[L24] %s is %s", (name, key) => {
    expect(fieldKey(name)).toBe(key);
  });
});

describe("how fields are written", () => {
  it.each([
    "담당: x",
    "담당 : x",
    "담당：x",
    "**담당**: x",
    "**담당:** x",
    "**담당** : x",
    "**담당**：x",
    "__담당__: x",
    "*담당*: x",
    "`담당`: x",
    "_담당: x",
    "👤 담당: x",
    "👤 **담당**: x",
    "**👤 담당**: x",
    '"담당": x',
    "담당(필수): x",
    "**담당** (필수): x",
    "**담당** x",
  ])("[L24] %j", text => {
    expect(field(text)).toEqual({ key: "specialist", value: "x" });
  });

  it.each([
    "담당자가 정한다",
    "담당 x",
    "**담당**이 정한다",
    "`depends_on: T1.2` is how it is written",
    "see 담당: x",
    "설명: 담당: x",
    "https://x/담당: y",
    "",
    ":",
    "**",
    "After all, T1.1 is done",
  ])("[L24] %j is none", text => {
    expect(field(text)).toBeUndefined();
  });

  it("[L24] several stand on one line", () => {
    const several = (text: string) =>
      readFields(text, 0, text.length).map(hit => `${hit.key}=${text.slice(hit.valueStart, hit.valueEnd)}`);
    expect(several("담당: a | 의존: T1.1 | 파일: b")).toEqual(["specialist=a", "depends=T1.1", "files=b"]);
    expect(several("deps: T1.1, T1.2, owner: x")).toEqual(["depends=T1.1, T1.2", "specialist=x"]);
    expect(several("**담당**: a · **의존**: T1.1")).toEqual(["specialist=a", "depends=T1.1"]);
    expect(several("**담당**: a  **의존**: T1.1")).toEqual(["specialist=a", "depends=T1.1"]);
    expect(several("담당: a; 의존: T1.1")).toEqual(["specialist=a", "depends=T1.1"]);
    expect(several("담당: a / 의존: T1.1")).toEqual(["specialist=a", "depends=T1.1"]);
    expect(several("예상: 2h | 담당: a")).toEqual(["specialist=a"]);
    expect(several("담당: a | 예상: 2h")).toEqual(["specialist=a | 예상: 2h"]);
  });

  it.each([
    ["bullet", ["- **담당**: x"]],
    ["star", ["* 담당: x"]],
    ["number", ["1. 담당: x"]],
    ["paragraph", ["**담당**: x"]],
    ["blank line before", ["", "담당: x"]],
    ["quote", ["> **담당**: x"]],
    ["nested bullet", ["- 정보", "  - 담당: x"]],
    ["below the field", ["- 담당:", "  - x"]],
    ["below a paragraph", ["**담당**:", "- x"]],
    ["below a heading", ["#### 담당", "x"]],
    ["below a bold heading", ["#### **담당**", "- x"]],
    ["two-column table", ["| 항목 | 내용 |", "|---|---|", "| **담당** | x |"]],
    ["two-column table that begins with it", ["| 담당 | x |", "|---|---|", "| 의존 | T9.9 |"]],
    ["YAML", ["```yaml", "specialist: x", "```"]],
  ])("[L24] %s", (_, lines) => {
    expect(withLines(...lines).specialist).toBe("x");
  });

  it("[L24] stands in parentheses of the title", () => {
    const reading = read(
      "- [ ] T1.1: a (담당: x, 의존: T1.2, T1.3)\n- [ ] T1.2: b\n- [ ] T1.3: c (예상 2h)\n",
    );
    expect(task(reading, "T1.1")).toMatchObject({ specialist: "x", dependsOn: ["T1.2", "T1.3"] });
    expect(task(reading, "T1.3").dependsOn).toEqual([]);
  });

  it("[L24] of one key the shallowest counts", () => {
    const text = "### [ ] T1.1: a\n- 구현\n  - 담당: deep\n- 담당: shallow\n";
    expect(task(read(text), "T1.1").specialist).toBe("shallow");
  });

  it("[L24] fields behind a list item go to it when they stand deeper", () => {
    const reading = read("- [ ] T1.1: a\n  - 담당: x\n- [ ] T1.2: b\n  담당: y\n");
    expect(task(reading, "T1.1").specialist).toBe("x");
    expect(task(reading, "T1.2").specialist).toBe("y");
  });

  it("[L24] bullets of the same list that follow a task item belong to it", () => {
    const reading = read("- [ ] T1.1: a\n- 담당: x\n- [ ] T1.2: b\n- 의존: T1.1\n");
    expect(task(reading, "T1.1").specialist).toBe("x");
    expect(edges(reading)).toEqual(["T1.2 <- T1.1"]);
  });

  it("[L25] values go on in deeper lines until another field begins", () => {
    const found = withLines(
      "- 의존:",
      "  - T9.9",
      "- 파일:",
      "  - `src/a.ts`",
      "  - `src/b.ts`",
      "- 담당: x",
      "  - `src/no.ts`",
    );
    expect(found.dependsOn).toEqual(["T9.9"]);
    expect(found.files).toEqual(["src/a.ts", "src/b.ts"]);
    expect(found.specialist).toBe("x");
  });

  it("[L25] boxes in front of values are left off", () => {
    expect(withLines("- **파일**:", "  - [ ] `src/a.ts`", "  - [x] `src/b.ts`").files).toEqual([
      "src/a.ts",
      "src/b.ts",
    ]);
  });

  it("[L25] a value that stands on the line does not go on in a paragraph", () => {
    expect(withLines("**의존성**: 없음", "T9.9 comes later").dependsOn).toEqual([]);
  });

  it("[L4] a bracket that closes a remark ends no value before it begins", () => {
    expect(readFields("(담당**()", 0, 7)).toEqual([
      { key: "specialist", nameStart: 1, valueStart: 7, valueEnd: 7, plain: false },
    ]);
  });

  it("[L4] finds fields in any text without leaving it", () => {
    const unit = fc.constantFrom(
      "담당",
      "의존",
      "deps",
      ":",
      "：",
      "**",
      "`",
      "(",
      ")",
      "|",
      ",",
      " ",
      "/",
      "T1.1",
      "👤",
      "a",
      "_",
      "-",
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 16 }), parts => {
        const text = parts.join("");
        let last = 0;
        for (const hit of readFields(text, 0, text.length)) {
          expect(hit.nameStart).toBeGreaterThanOrEqual(last);
          // A line that says nothing but what comes first has no name.
          const isNamed = hit.valueStart > hit.nameStart;
          expect(isNamed || saysWait(text.slice(hit.valueStart, hit.valueEnd))).toBe(true);
          expect(hit.valueEnd).toBeGreaterThanOrEqual(hit.valueStart);
          expect(hit.valueEnd).toBeLessThanOrEqual(text.length);
          last = hit.nameStart;
        }
      }),
      { numRuns: 2000 },
    );
  });
});
