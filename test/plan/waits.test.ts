import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { saysWait, waitAtEnd } from "../../src/plan/syntax/waits.ts";
import { codes, ids, read, task } from "./reading.ts";

/** What the second of two tasks waits for, with these words in its title. */
function waits(words: string): readonly string[] {
  const text = `- [ ] T1.1: a\n- [ ] T1.2: b\n- [ ] T1.3: c\n- [ ] T1.9: ${words}\n`;
  return task(read(text), "T1.9").dependsOn;
}

describe("what a title waits for", () => {
  it.each([
    ["x *(T1.1 의존)*", ["T1.1"]],
    ["x (T1.1에 의존)", ["T1.1"]],
    ["x (T1.1 완료 후)", ["T1.1"]],
    ["x (T1.1, T1.2 완료 후 시작)", ["T1.1", "T1.2"]],
    ["x (T1.1와 T1.2 이후)", ["T1.1", "T1.2"]],
    ["x *(T1.1~T1.3 의존)*", ["T1.1", "T1.2", "T1.3"]],
    ["x (T1.1..T1.3 이후)", ["T1.1", "T1.2", "T1.3"]],
    ["x (T1.1 필요)", ["T1.1"]],
    ["x (선행: T1.1)", ["T1.1"]],
    ["x（T1.1 완료 후）", ["T1.1"]],
    ["x — T1.1 이후", ["T1.1"]],
    ["x after T1.1", ["T1.1"]],
    ["x (needs T1.1)", ["T1.1"]],
    ["x blocked by T1.1", ["T1.1"]],
    ["x (waits for T1.1 and T1.2)", ["T1.1", "T1.2"]],
    ["x depends on T1.1–T1.3", ["T1.1", "T1.2", "T1.3"]],
  ])("[L65] %j names tasks", (words, expected) => {
    expect(waits(words)).toEqual(expected);
  });

  it.each([
    "x like T1.1",
    "x (see T1.1)",
    "x (T1.1 참고)",
    "x (T1.1과 동일)",
    "x (see T1.1 after review)",
    "compare before and after T1.1",
    "after T1.1 was written by hand, tidy up",
    "T1.1 이후 바뀐 문서 정리",
    "x (의존성 없음)",
    "x (3일 이후)",
    "x needs T1.1 to be rewritten",
    "hereafter T1.1",
  ])("[L65] %j only mentions one", words => {
    expect(waits(words)).toEqual([]);
  });

  it("[L65] short names mean what they mean in a field, and a group hands its words down", () => {
    const text = [
      "### [ ] P1-R1-T1: a",
      "### [ ] P1-R2-T1: b *(R1 의존)*",
      "### [ ] P1-R3-T1: c",
      "## P1-S1: 화면 *(R1~R3 의존)*",
      "### [ ] P1-S1-T1: s",
    ].join("\n");
    const reading = read(text);
    expect(task(reading, "P1-R2-T1").dependsOn).toEqual(["P1-R1-T1"]);
    expect(task(reading, "P1-S1-T1").dependsOn).toEqual(["P1-R1-T1", "P1-R2-T1", "P1-R3-T1"]);
    expect(codes(reading)).toEqual([]);
  });

  it("[L65] one that names no task of the file is told", () => {
    const reading = read("- [ ] T1.1: a\n- [ ] T1.2: b (T1.7 완료 후)\n");
    expect(codes(reading)).toEqual(["MISSING_DEP"]);
  });

  it.each(["T1.1 완료 후", "T1.1에 의존", "after T1.1", "needs T1.1", "Blocked by T1.1", "waits for T1.1."])(
    "[L65] a line %j below a task is a field",
    line => {
      const reading = read(`- [ ] T1.1: a\n- [ ] T1.2: b\n  - ${line}\n`);
      expect(task(reading, "T1.2").dependsOn).toEqual(["T1.1"]);
    },
  );

  it("[L4] words of any length are looked at in linear time", () => {
    const unit = fc.constantFrom("T1.1", " ", "after ", "의존", "~", ",", "(", "x", "*", "후", "and ");
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 40 }), parts => {
        const text = parts.join("");
        const at = waitAtEnd(text);
        expect(at).toBeLessThan(Math.max(1, text.length));
        expect(at < 0 || saysWait(text.slice(at))).toBe(true);
      }),
    );
  });
});

describe("boxes and tags in front of ids", () => {
  it.each([
    "### [z] T1.2: b",
    "- [z] T1.2: b",
    "* [1] **T1.2** b",
    "- [A] Phase 1, T1.2: b",
    "1. [q] T1.2: b",
  ])("[L12] %j is a task whose box is an error", line => {
    const reading = read(`- [ ] T1.1: a\n${line}\n`);
    expect(ids(reading)).toEqual(["T1.1", "T1.2"]);
    expect(codes(reading)).toEqual(["BOX_MARK"]);
    expect(reading.diagnostics[0]).toMatchObject({ severity: "error", line: 2 });
  });

  it.each([
    ["- [a](T1.2) b", ["T1.1"]],
    ["- [z] words", ["T1.1"]],
    ["- [ ] [z] words", ["T1.1"]],
    ["### [Backend] T1.2: b", ["T1.1", "T1.2"]],
    ["### [P] T1.2: b", ["T1.1", "T1.2"]],
    ["- ［x］ T1.2: b", ["T1.1", "T1.2"]],
    ["- [√] T1.2: b", ["T1.1", "T1.2"]],
  ])("[L12] %j is no unknown mark", (line, expected) => {
    const reading = read(`- [ ] T1.1: a\n${line}\n`);
    expect(ids(reading)).toEqual(expected);
    expect(codes(reading)).not.toContain("BOX_MARK");
  });

  it.each(["- [ ] P1–T2: b", "- [ ] T１.２: b", "### [ ] P1‑T2: b"])("[L14] %j is told", line => {
    expect(codes(read(`- [ ] T1.1: a\n${line}\n`))).toContain("WIDE_ID");
  });

  it.each([
    "P2-S1-V ~ P2-S2-V: Check the screens",
    "P2-S1-V, P2-S2-V: Check the screens",
    "P2-S1-V → P2-S2-V",
  ])("[L54] a heading of several ids is told where the first is no task: %s", heading => {
    const tasks = "### P2-S1: Landing\n- files: a.ts\n### P2-S2: Signup\n- files: b.ts\n";
    const alone = read(`## Phase 2\n${tasks}### ${heading}\n**Goal**: all of it\n`);
    expect(ids(alone)).toEqual(["P2-S1", "P2-S2"]);
    expect(alone.diagnostics).toMatchObject([
      { code: "ITEM_IGNORED", severity: "warning", line: 6, column: 5, length: 7 },
    ]);
    const group = read(`## Phase 2\n${tasks}### ${heading}\n#### P2-S1-V: Landing\n#### P2-S2-V: Signup\n`);
    expect(ids(group)).toEqual(["P2-S1", "P2-S2", "P2-S1-V", "P2-S2-V"]);
    expect(group.diagnostics).toEqual([]);
  });

  it("[L54] list lines without a box that name tasks of their own are told", () => {
    const reading = read("- [ ] T1.1: a\n\n## Later\n\n- T1.2: b\n- T1.1: again\n");
    expect(reading.diagnostics).toMatchObject([{ code: "ITEM_IGNORED", severity: "info", line: 5 }]);
    expect(reading.diagnostics[0]?.message).toContain("T1.2");
  });
});
