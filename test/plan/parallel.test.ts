import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { casesOf } from "../sample.ts";
import { codes, edges, errors, ids, messages, pairs, read, task } from "./reading.ts";

const THREE = (a: string, b = "", c = "") =>
  `## Phase 1\n### [ ] T1.1: a\n${a}\n### [ ] T1.2: b\n${b}\n### [ ] T1.3: c\n${c}\n`;

describe("partners", () => {
  it.each([
    "T1.2",
    "T1.2와 병렬 가능",
    "T1.2 (Mock 사용)",
    "[T1.2]",
    "`T1.2`",
    "가능 — T1.2",
    "T1.2 동시 진행",
    "yes, with T1.2",
  ])("[L39] 병렬: %s names a partner", value => {
    expect(pairs(read(THREE(`- 병렬: ${value}`, "- 병렬: T1.1")))).toEqual(["T1.1 || T1.2", "T1.2 || T1.1"]);
  });

  it.each([
    "가능",
    "불가",
    "❌ 순차",
    "✅",
    "없음",
    "none",
    "no",
    "-",
    "false",
    "불가 (T1.2 완료 후)",
    "Phase 1 이후",
    "T1.2와 순차 (T1.1 먼저)",
    "T1.2와 병렬 불가",
    "T1.2 (순차 실행)",
    "T1.2, T1.3과 순차",
    "sequential with T1.2",
    "not with T1.2",
    "no, cannot run with T1.2",
  ])("[L39] 병렬: %s names none", value => {
    expect(pairs(read(THREE(`- 병렬: ${value}`)))).toEqual([]);
  });

  it("[L39] what is to end first is no partner, but a dependency where none is declared", () => {
    expect(edges(read(THREE("", "- 병렬: T1.1 완료 후")))).toEqual(["T1.2 <- T1.1"]);
    expect(edges(read(THREE("", "- 병렬: 불가 (T1.1 완료 후)")))).toEqual(["T1.2 <- T1.1"]);
    expect(edges(read(THREE("", "- 의존: 없음\n- 병렬: T1.1 완료 후")))).toEqual([]);
    expect(edges(read(THREE("", "", "- 의존: T1.2\n- 병렬: T1.1 완료 후")))).toEqual(["T1.3 <- T1.2"]);
  });

  it("[L39] one value may name both", () => {
    const reading = read(THREE("", "- 병렬: T1.3과 병렬, T1.1 완료 후", "- 병렬: T1.2"));
    expect(pairs(reading)).toEqual(["T1.2 || T1.3", "T1.3 || T1.2"]);
    expect(edges(reading)).toEqual(["T1.2 <- T1.1"]);
  });

  it("[L39] who is to run one after the other is no partner of those beside them, nor at odds with what is waited for", () => {
    const reading = read(THREE("- 병렬: T1.2와 순차, T1.3과 병렬 가능", "- 의존: T1.1", "- 병렬: T1.1"));
    expect(pairs(reading)).toEqual(["T1.1 || T1.3", "T1.3 || T1.1"]);
    expect(edges(reading)).toEqual(["T1.2 <- T1.1"]);
    expect(codes(reading)).toEqual([]);
  });

  it("[L38] named on one side only is completed, with a warning", () => {
    const reading = read(THREE("- parallel_with: [T1.2, T1.3]"));
    expect(pairs(reading)).toEqual(["T1.1 || T1.2 T1.3", "T1.2 || T1.1", "T1.3 || T1.1"]);
    expect(reading.diagnostics).toMatchObject([{ code: "PARALLEL_ONE_SIDED", severity: "warning" }]);
    expect(messages(reading, "PARALLEL_ONE_SIDED")).toEqual([
      "T1.1 names T1.2, T1.3 as parallel, but not the other way round; taken as mutual",
    ]);
  });

  it("[L38] named on both sides is no matter", () => {
    expect(codes(read(THREE("- 병렬: T1.2", "- 병렬: T1.1")))).toEqual([]);
  });

  it("[L38] a group stands for its tasks", () => {
    const reading = read(
      "## Phase 1\n### P1-R1: a\n#### [ ] P1-R1-T1: b\n#### [ ] P1-R1-T2: c\n- 의존: P1-R1-T1\n### P1-R2: d\n#### [ ] P1-R2-T1: e\n- 병렬: P1-R1\n",
    );
    expect(task(reading, "P1-R2-T1").parallelWith).toEqual(["P1-R1-T1", "P1-R1-T2"]);
    expect(errors(reading)).toEqual([]);
  });

  it("[L38] a group with a dependency among its tasks means the others", () => {
    const reading = read(
      "## Phase 1\n### P1-R1: a\n#### [ ] P1-R1-T1: b\n#### [ ] P1-R1-T2: c\n### P1-R2: d\n#### [ ] P1-R2-T1: e\n- 의존: P1-R1-T1\n- 병렬: P1-R1\n",
    );
    expect(task(reading, "P1-R2-T1").parallelWith).toEqual(["P1-R1-T2"]);
    expect(errors(reading)).toEqual([]);
  });

  it("[L38] a partner that is also waited for is an error", () => {
    const reading = read(THREE("", "- 의존: T1.1\n- 병렬: T1.1"));
    expect(errors(reading)).toEqual(["PARALLEL_CONFLICT"]);
    expect(messages(reading, "PARALLEL_CONFLICT")).toEqual([
      "T1.2 is to run beside T1.1 and also to wait for it",
    ]);
    expect(pairs(reading)).toEqual([]);
    expect(edges(reading)).toEqual(["T1.2 <- T1.1"]);
  });

  it("[L38] a partner that waits is an error as well", () => {
    const reading = read(THREE("- 병렬: T1.2", "- 의존: T1.1"));
    expect(errors(reading)).toEqual(["PARALLEL_CONFLICT"]);
    expect(messages(reading, "PARALLEL_CONFLICT")).toEqual([
      "T1.2 is to run beside T1.1 and also to wait for it",
    ]);
  });

  it.each(["T1.1", "T1.2"])("[L410] that partner is a warning once %s is done", done => {
    const text = THREE("- 병렬: T1.2", "- 의존: T1.1\n- 병렬: T1.1").replace(`[ ] ${done}`, `[x] ${done}`);
    const reading = read(text);
    expect(reading.diagnostics.filter(({ code }) => code === "PARALLEL_CONFLICT")).toMatchObject([
      { severity: "warning" },
    ]);
    expect(errors(reading)).toEqual([]);
    expect([pairs(reading), edges(reading)]).toEqual([[], ["T1.2 <- T1.1"]]);
  });

  it("[L38] where only a diagram disagrees, it is a warning", () => {
    const reading = read(
      `${THREE("- 병렬: T1.2", "- 병렬: T1.1")}\n\`\`\`mermaid\ngraph TD\nT1.1 --> T1.2\n\`\`\`\n`,
    );
    expect(codes(reading)).toContain("PARALLEL_IGNORED");
    expect(errors(reading)).toEqual([]);
    expect(pairs(reading)).toEqual([]);
  });

  it("[L38] partners of other phases cannot run at once", () => {
    const reading = read(
      "## Phase 1\n- [ ] T1.1: a\n  - 병렬: T2.1\n## Phase 2\n- [ ] T2.1: b\n  - 병렬: T1.1\n",
    );
    expect(pairs(reading)).toEqual([]);
    expect(errors(reading)).toEqual([]);
  });

  it("[L38] unknown partners are warnings", () => {
    const reading = read(THREE("- 병렬: T1.9"));
    expect(reading.diagnostics).toMatchObject([{ code: "MISSING_PARALLEL", severity: "warning", line: 3 }]);
    expect(messages(reading, "MISSING_PARALLEL")).toEqual(["T1.1 names T1.9 as parallel, which is no task"]);
  });

  it("[L38] a task is no partner of itself, nor of its container", () => {
    const reading = read("- [ ] P1-T1: a\n  - 병렬: P1-T1\n  - [ ] P1-T1.1: b\n    - 병렬: P1-T1\n");
    expect(pairs(reading)).toEqual([]);
  });

  it("[L38] in phase 0 partners have no effect", () => {
    const reading = read("## Phase 0\n- [ ] P0-T1: a\n  - 병렬: P0-T2\n- [ ] P0-T2: b\n  - 병렬: P0-T1\n");
    expect(reading.diagnostics).toMatchObject([{ code: "PARALLEL_PHASE0", severity: "warning" }]);
    expect(pairs(reading)).toEqual(["P0-T1 || P0-T2", "P0-T2 || P0-T1"]);
  });

  it("[L38] whatever is written, partners are mutual, of one phase and wait for nothing of each other", () => {
    const count = 6;
    const value = fc.array(fc.integer({ min: 1, max: count }), { maxLength: 4 });
    const line = fc.record({ phase: fc.integer({ min: 1, max: 2 }), depends: value, parallel: value });
    fc.assert(
      fc.property(fc.array(line, { minLength: count, maxLength: count }), lines => {
        const text = lines
          .map(({ phase, depends, parallel }, n) => {
            const list = (numbers: number[]) => numbers.map(number => `T${number}`).join(", ");
            const fields = [
              depends.length > 0 ? `- 의존: ${list(depends)}\n` : "",
              parallel.length > 0 ? `- 병렬: ${list(parallel)}\n` : "",
            ];
            return `### [ ] Phase ${phase}, T${n + 1}: x\n${fields.join("")}`;
          })
          .join("");
        const reading = read(text);
        expect(ids(reading)).toHaveLength(count);
        for (const found of reading.plan.tasks) {
          for (const id of found.parallelWith) {
            const partner = task(reading, id);
            expect(id).not.toBe(found.id);
            expect(partner.parallelWith).toContain(found.id);
            expect(partner.phase).toBe(found.phase);
            expect(found.dependsOn).not.toContain(id);
            expect(partner.dependsOn).not.toContain(found.id);
          }
        }
      }),
      { numRuns: casesOf(75, 300) },
    );
  });
});
