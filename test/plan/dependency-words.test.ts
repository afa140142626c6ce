import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clausesOf, withoutRemark } from "../../src/plan/syntax/clauses.ts";
import { saysAfter, saysArchived, saysBeside, saysNone } from "../../src/plan/syntax/dependency-words.ts";
import type { Ref } from "../../src/plan/syntax/ref.ts";
import { readRefs } from "../../src/plan/syntax/refs.ts";
import { errors, messages, read, task } from "./reading.ts";

/** Refs of a value in short: `T1.1`, `T1.1~T1.3`, `P1-*`, `#2`. */
function refs(value: string, numbers = false): string[] {
  return readRefs([{ text: value, line: 1, column: 1 }], numbers).refs.map(short);
}

function short(ref: Ref): string {
  if (ref.kind === "id") return ref.id;
  if (ref.kind === "range") return `${ref.from}~${ref.to}`;
  return ref.kind === "prefix" ? `${ref.prefix}*` : `#${ref.phase}${ref.only ?? ""}`;
}

describe("what a value names", () => {
  it.each([
    ["T1.1", ["T1.1"]],
    ["T1.1, T1.2", ["T1.1", "T1.2"]],
    ["T1.1,T1.2", ["T1.1", "T1.2"]],
    ["T1.1、T1.2", ["T1.1", "T1.2"]],
    ["T1.1，T1.2", ["T1.1", "T1.2"]],
    ["T1.1; T1.2", ["T1.1", "T1.2"]],
    ["T1.1 · T1.2", ["T1.1", "T1.2"]],
    ["T1.1 + T1.2", ["T1.1", "T1.2"]],
    ["T1.1 & T1.2", ["T1.1", "T1.2"]],
    ["T1.1 | T1.2", ["T1.1", "T1.2"]],
    ["T1.1 and T1.2", ["T1.1", "T1.2"]],
    ["T1.1 AND T1.2", ["T1.1", "T1.2"]],
    ["T1.1 및 T1.2", ["T1.1", "T1.2"]],
    ["T1.1와 T1.2", ["T1.1", "T1.2"]],
    ["T1.1과 T1.2, 그리고 T1.3", ["T1.1", "T1.2", "T1.3"]],
    ["T1.1 → T1.2", ["T1.1", "T1.2"]],
    ["T1.1 -> T1.2", ["T1.1", "T1.2"]],
    ["T1.1/T1.2", ["T1.1", "T1.2"]],
    ["T1.1/1.2/1.3", ["T1.1", "T1.2", "T1.3"]],
    ["P1-S1-T1/T2", ["P1-S1-T1", "T2"]],
    ["T1.1, 1.2", ["T1.1", "T1.2"]],
    ["[T1.1, T1.2]", ["T1.1", "T1.2"]],
    ['["T1.1", "T1.2"]', ["T1.1", "T1.2"]],
    ["['T1.1', 'T1.2']", ["T1.1", "T1.2"]],
    ["{T1.1}", ["T1.1"]],
    ["(T1.1, T1.2)", ["T1.1", "T1.2"]],
    ["`T1.1`, `T1.2`", ["T1.1", "T1.2"]],
    ["**T1.1**, **T1.2**", ["T1.1", "T1.2"]],
    ["[T1.1](#t11), [T1.2](#t12)", ["T1.1", "T1.2"]],
    ["#T1.1", ["T1.1"]],
    ["@T1.1", ["T1.1"]],
    ["Task T1.1", ["T1.1"]],
    ["T1.1 (user API)", ["T1.1"]],
    ["T1.1 (needs T9.9)", ["T1.1"]],
    ["T1.1 - login, T1.2 - cart", ["T1.1", "T1.2"]],
    ["T1.1 — login", ["T1.1"]],
    ["T1.1: login", ["T1.1"]],
    ["T1.1 (계약) - **Mock으로 T9.9와 독립 개발**", ["T1.1"]],
    ["T1.1 완료 후", ["T1.1"]],
    ["T1.1 ✅, T1.2 ⏳", ["T1.1", "T1.2"]],
    ["T1.1 🟢 AND T1.2 🟢", ["T1.1", "T1.2"]],
    ["T1.1이 끝난 후", ["T1.1"]],
    ["after T1.1", ["T1.1"]],
    ["T1.1. T1.2 follows", ["T1.1", "T1.2"]],
    ["P2-S1-V, P2-V", ["P2-S1-V", "P2-V"]],
    ["PF-R1-T1", ["PF-R1-T1"]],
    ["T117a", ["T117a"]],
    ["T1.1~T1.6", ["T1.1~T1.6"]],
    ["T1.1 ~ T1.6", ["T1.1~T1.6"]],
    ["T1.1 ~ 1.6", ["T1.1~T1.6"]],
    ["T1.1~6", ["T1.1~T1.6"]],
    ["T001-T009", ["T001~T009"]],
    ["T001 – T009", ["T001~T009"]],
    ["T001..T009", ["T001~T009"]],
    ["T001…T009", ["T001~T009"]],
    ["T001 to T009", ["T001~T009"]],
    ["T001 through T009", ["T001~T009"]],
    ["T1.1부터 T1.6", ["T1.1~T1.6"]],
    ["**T1.1** ~ **T1.6**", ["T1.1~T1.6"]],
    ["P12-T1~T5", ["P12-T1~T5"]],
    ["M1~M5", ["M1~M5"]],
    ["P2-R*", ["P2-R*"]],
    ["P2-R1-*", ["P2-R1-*"]],
    ["T1.x", ["T1.*"]],
    ["T1.*", ["T1.*"]],
    ["Phase 1", ["#1"]],
    ["Phase 0, Phase 1", ["#0", "#1"]],
    ["P0", ["#0"]],
    ["P1 전체", ["#1"]],
    ["1단계", ["#1"]],
    ["Phase 1 Resource 완료", ["#1R"]],
    ["P1 화면 태스크", ["#1S"]],
    ["Phase 1, T1.2", ["T1.2"]],
    ["Phase 2, T1.2", ["#2", "T1.2"]],
    ["없음", []],
    ["Node 20, PostgreSQL 15", []],
    ["everything above", []],
    ["T1.1과 독립적으로 진행 가능", []],
    ["does not depend on T1.1", []],
    ["", []],
  ])("[L29] %j names %j", (value, expected) => {
    expect(refs(value)).toEqual(expected);
  });

  it.each([
    ["1.1, 1.2", ["1.1", "1.2"]],
    ["1", ["1"]],
    ["Task 1", ["1"]],
    ["Task 1, Task 2", ["1", "2"]],
    ["1.1-1.3", ["1.1~1.3"]],
    ["1.1 ~ 1.3", ["1.1~1.3"]],
    ["001, 002", ["001", "002"]],
    ["waits 2 weeks", ["2"]],
  ])("[L29] %j names %j where numbers are ids", (value, expected) => {
    expect(refs(value, true)).toEqual(expected);
  });

  it.each(["waits 2 weeks", "1.1", "v2"])("[L29] %j names nothing where they are not", value => {
    expect(refs(value)).toEqual([]);
  });

  it("[L29] an id that goes on past what ids are made of is not a whole phase", () => {
    expect(refs("P1-T5x9")).toEqual(["P1-T5x9"]);
    expect(messages(read("- [ ] P1-T1: a\n- [ ] P1-T2: b\n  - 의존: P1-T1x9\n"), "MISSING_DEP")).toEqual([
      "ERROR:MISSING_DEP:P1-T2->P1-T1x9",
    ]);
  });

  it("[L29] knows where each id stands", () => {
    const piece = { text: "T1.1 (x), `T1.22` and T1.3~T1.5", line: 7, column: 11 };
    expect(readRefs([piece], false).refs.map(ref => [ref.at.line, ref.at.column, ref.at.length])).toEqual([
      [7, 11, 4],
      [7, 22, 5],
      [7, 33, 9],
    ]);
  });

  it("[L4] reads any value", () => {
    const unit = fc.constantFrom(
      "T1.1",
      "P1-",
      "R*",
      "~",
      ",",
      "(",
      ")",
      "완료 후",
      "없음",
      " ",
      "-",
      "Phase 1",
      "M1",
      "1.2",
      "**",
      "`",
      "[",
      "]",
      "→",
      "/",
      ":",
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 16 }), fc.boolean(), (parts, numbers) => {
        const text = parts.join("");
        const found = readRefs([{ text, line: 1, column: 1 }], numbers);
        for (const ref of found.refs) {
          expect(ref.at.column).toBeGreaterThanOrEqual(1);
          expect(ref.at.column - 1).toBeLessThanOrEqual(text.length);
        }
        expect(found.none && found.refs.length > 0).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("clauses and their words", () => {
  it("[L29] parentheses are remarks, unless they hold everything", () => {
    expect(
      clausesOf("T1.1 (a, b), T1.2").map(clause => [clause.text.trim(), clause.remark, clause.at]),
    ).toEqual([
      ["T1.1", "a, b", 0],
      ["T1.2", "", 12],
    ]);
    expect(clausesOf("(T1.1, T1.2)").map(clause => clause.text.trim())).toEqual(["T1.1", "T1.2"]);
    expect(clausesOf("T1.1（备注）").map(clause => clause.remark)).toEqual(["备注"]);
    expect(clausesOf("T1 ((a) b) c").map(clause => clause.remark)).toEqual(["a b"]);
    expect(clausesOf("T1 (never closed, T2").map(clause => clause.text.trim())).toEqual(["T1"]);
    expect(clausesOf("")).toEqual([]);
  });

  it("[L29] a remark begins behind a dash or a colon", () => {
    expect(withoutRemark("T1.1 - login")).toBe("T1.1 ");
    expect(withoutRemark("T1.1 — login")).toBe("T1.1 ");
    expect(withoutRemark("T1.1: login")).toBe("T1.1");
    expect(withoutRemark("T1.1 - T1.4")).toBe("T1.1 - T1.4");
    expect(withoutRemark("T1.1 - 1.4")).toBe("T1.1 - 1.4");
    expect(withoutRemark("- T1.1")).toBe("- T1.1");
  });

  it.each([
    "없음",
    "없음 (T12.1과 병렬 가능)",
    "없음 - 독립",
    "None",
    "none.",
    "none (T1.1 is optional)",
    "N/A",
    "n/a",
    "-",
    "—",
    "없음.",
    "`없음`",
    "**없음**",
    "[]",
    "[ ]",
    "null",
    "なし",
    "なし（独立）",
    "无",
    "해당 없음",
    "독립",
    "독립적",
    "No dependencies",
    "❌ 없음",
    "불가",
  ])("[L32] %j says none", value => {
    expect(saysNone(value)).toBe(true);
    expect(readRefs([{ text: value, line: 1, column: 1 }], false)).toMatchObject({ refs: [], none: true });
  });

  it.each([
    "T1.1",
    "",
    "T1.1 (없음)",
    "nothing but T1.1 matters to it".slice(8),
    "해당 태스크 T1.1",
    "x-axis T1",
    "모두",
  ])("[L32] %j does not", value => {
    expect(saysNone(value)).toBe(false);
  });

  it("[L32] tells words apart", () => {
    expect(saysBeside("T1.1과 병렬")).toBe(true);
    expect(saysBeside("T1.1 완료")).toBe(false);
    expect(saysAfter("T1.1 완료 후")).toBe(true);
    expect(saysAfter("once T1.1 is there")).toBe(true);
    expect(saysAfter("T1.1")).toBe(false);
    expect(saysArchived("이전 스프린트에서 완료")).toBe(true);
    expect(saysArchived("already shipped")).toBe(true);
    expect(saysArchived("사용자 API")).toBe(false);
  });
});

describe("a value that names tasks by their titles", () => {
  const edgesOf = (...lines: readonly string[]) => {
    const { plan, diagnostics } = read(lines.join("\n"));
    const titles = new Map(plan.tasks.map(({ id, title }) => [id, title]));
    return {
      edges: plan.tasks.flatMap(({ title, dependsOn }) =>
        dependsOn.map(id => `${titles.get(id)} > ${title}`),
      ),
      codes: diagnostics.map(({ code }) => code),
    };
  };

  it("[L92] waits for them, whole titles, whatever their case and markup", () => {
    const found = edgesOf(
      "- [ ] Create the server",
      "- [ ] Ship, then rest",
      "  - depends on: create the **server**",
      "- [ ] Write tests",
      "  - needs: Ship, then rest",
      "- [ ] 화면 만들기",
      "  - 의존성: Write tests, `Create the server`",
      "- [ ] Plan",
      "  - blocks: Create the server",
    );
    expect(found.codes).toEqual([]);
    expect(found.edges.sort()).toEqual([
      "Create the server > Ship, then rest",
      "Create the server > 화면 만들기",
      "Plan > Create the server",
      "Ship, then rest > Write tests",
      "Write tests > 화면 만들기",
    ]);
  });

  it.each([
    ["that several tasks have", "a", "a", "a"],
    ["of which a word is left over", "a", "b", "a, and c"],
    ["that is only a part of a title", "a task", "b", "task"],
    ["in a sentence", "a", "b", "when a is ready"],
  ])("[L92] not for one %s", (_, first, second, value) => {
    const found = edgesOf(`- [ ] ${first}`, `- [ ] ${second}`, "- [ ] d", `  - depends: ${value}`);
    expect(found).toEqual({ edges: [], codes: ["DEP_PROSE"] });
  });

  it("[L92] an id outranks a title that is called so", () => {
    const found = edgesOf("- [ ] T1: T2", "- [ ] T2: last", "- [ ] T3: d", "  - depends: T2");
    expect(found.edges).toEqual(["last > d"]);
  });
});

describe("numbers without their letter", () => {
  it.each([
    ["1.1", ["T1.1"]],
    ["T1.1 and 1.2", ["T1.1", "T1.2"]],
    ["T1.1과 1.2, 그리고 1.3", ["T1.1", "T1.2", "T1.3"]],
    ["Task 1.1, Task 1.2", ["T1.1", "T1.2"]],
    ["1.1~1.3", ["T1.1", "T1.2", "T1.3"]],
    ["Node 1.1", []],
    ["T1.1 with React 1.2", ["T1.1"]],
    ["1.9", []],
    ["1", []],
  ])("[L283] %s names %j: a bare number is an id where nothing but ids stands", (value, named) => {
    const tasks = [1, 2, 3].map(n => `### T1.${n}: ${"abc"[n - 1]}\n`).join("");
    const reading = read(`## Phase 1: One\n${tasks}### T1.4: d\n- depends on: ${value}\n`);
    expect(task(reading, "T1.4").dependsOn).toEqual(named);
    expect(errors(reading)).toEqual([]);
  });
});

describe("what was taken back", () => {
  it.each([
    ["T1.1, ~~T1.2~~", ["T1.1"]],
    ["~~T9.9~~ T1.1", ["T1.1"]],
    ["<!-- T1.1 --> T1.2", ["T1.2"]],
    ["T1.1 <!-- and T1.2", ["T1.1"]],
    ["[] # T1.1 is gone", []],
    ["[T1.1] # not T1.2", ["T1.1"]],
    ["#T1.1, #T1.2", ["T1.1", "T1.2"]],
  ])("[L287] %s names %j", (value, named) => {
    const reading = read(`### T1.1: a\n### T1.2: b\n### T1.3: c\n- depends_on: ${value}\n`);
    expect(task(reading, "T1.3").dependsOn).toEqual(named);
    expect(reading.diagnostics).toEqual([]);
  });
});
