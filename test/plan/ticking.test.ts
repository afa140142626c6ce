import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffPlans, tickBoxes } from "../../src/plan/index.ts";
import { casesOf } from "../sample.ts";
import { done, ids, read } from "./reading.ts";

const encode = (text: string) => new TextEncoder().encode(text);

const decode = (bytes: Uint8Array) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

/** A file with some boxes ticked. */
function tick(text: string, wanted: readonly string[], path = "TASKS.md"): string {
  return decode(tickBoxes(encode(text), read(text, path).plan, wanted));
}

describe("ticking boxes", () => {
  it.each([
    ["an item", "- [ ] T1: a\n- [ ] T2: b\n", "- [x] T1: a\n- [ ] T2: b\n"],
    ["a heading", "### [ ] T1: a\n### [ ] T2: b\n", "### [x] T1: a\n### [ ] T2: b\n"],
    ["an empty box", "- [] T1: a\n", "- [x] T1: a\n"],
    ["a started box", "- [~] T1: a\n", "- [x] T1: a\n"],
    ["a word in a box", "- [진행중] T1: a\n", "- [x] T1: a\n"],
    ["a box behind the id", "### T1: [ ] a\n", "### T1: [x] a\n"],
    ["a box at the end", "### T1: a [ ]\n", "### T1: a [x]\n"],
    ["a bold head", "- **[ ] T1: a**\n", "- **[x] T1: a**\n"],
    ["an optional box", "- [ ]* 1.1 a\n- [ ] 2 b\n", "- [x]* 1.1 a\n- [ ] 2 b\n"],
    [
      "a row",
      "| ID | T | S |\n|---|---|---|\n| T1 | a | [ ] |\n",
      "| ID | T | S |\n|---|---|---|\n| T1 | a | [x] |\n",
    ],
    [
      "a row's state",
      "| ID | T | 상태 |\n|---|---|---|\n| T1 | a | ⏳ 대기 |\n",
      "| ID | T | 상태 |\n|---|---|---|\n| T1 | a | ✅ 대기 |\n",
    ],
    ["a heading that shows no state", "### T1: a\n- 담당: x\n", "### [x] T1: a\n- 담당: x\n"],
    ["a line that shows no state", "- T1: a\n  - 담당: x\n", "- [x] T1: a\n  - 담당: x\n"],
    ["a bold paragraph", "**T1: a**\n- 담당: x\n", "**[x] T1: a**\n- 담당: x\n"],
    ["indentation and odd spaces", "  -\t[ ]   T1:  a  \n", "  -\t[x]   T1:  a  \n"],
    ["no newline at the end", "- [ ] T1: a", "- [x] T1: a"],
    ["CRLF", "# X\r\n- [ ] T1: a\r\n\r\ntext\r\n", "# X\r\n- [x] T1: a\r\n\r\ntext\r\n"],
    ["lone CR", "- [ ] T1: a\r- [ ] T2: b\r", "- [x] T1: a\r- [ ] T2: b\r"],
    ["a byte-order mark", "\uFEFF- [ ] T1: a\n", "\uFEFF- [x] T1: a\n"],
  ])("[L50] %s", (_, before, after) => {
    const [first] = ids(read(before));
    expect(tick(before, [first!])).toBe(after);
    expect(done(read(after))).toContain(first);
  });

  it("[L50] summary lines and rows of the same id are ticked too", () => {
    const text =
      "## 현황\n- [ ] T1.1 Login\n- [ ] T1.2 Cart\n\n| ID | 상태 |\n|---|---|\n| T1.1 | ⬜ |\n| T1.2 | ⬜ |\n\n## Phase 1\n### [ ] T1.1: Login\n- [ ] criterion\n### T1.2: Cart\n- 담당: x\n";
    expect(tick(text, ["T1.1"])).toBe(
      "## 현황\n- [x] T1.1 Login\n- [ ] T1.2 Cart\n\n| ID | 상태 |\n|---|---|\n| T1.1 | ✅ |\n| T1.2 | ⬜ |\n\n## Phase 1\n### [x] T1.1: Login\n- [ ] criterion\n### T1.2: Cart\n- 담당: x\n",
    );
    expect(tick(text, ["T1.2"])).toContain("### T1.2: Cart");
    expect(tick(text, ["T1.2"])).toContain("- [x] T1.2 Cart");
  });

  it("[L50] criteria are left to who checks them", () => {
    expect(tick("### [ ] T1: a\n- [ ] one\n- [ ] two\n", ["T1"])).toBe(
      "### [x] T1: a\n- [ ] one\n- [ ] two\n",
    );
  });

  it("[L50] groups, unknown ids and what is done already change nothing", () => {
    const text = "### P1-T1: group\n- [ ] P1-T1.1: a\n- [x] P1-T1.2: b\n```\n- [ ] T9: example\n```\n";
    const bytes = encode(text);
    const { plan } = read(text);
    expect(tickBoxes(bytes, plan, ["P1-T1", "T9", "P1-T1.2", "nobody"])).toBe(bytes);
    expect(tickBoxes(bytes, plan, [])).toBe(bytes);
  });

  it("[L50] bytes that are not UTF-8 stay as they are", () => {
    const { plan } = read("- [ ] T1: a\n");
    const bytes = Uint8Array.from([...encode("- [ ] T1: a\n"), 0xff]);
    expect(tickBoxes(bytes, plan, ["T1"])).toBe(bytes);
  });

  it("[L50] edits made since the plan was read are kept", () => {
    const { plan } = read("- [ ] T1: a\n- [ ] T2: b\n");
    const edited = "# New heading\n\nNew text\n- [ ] T0: new\n- [ ] T2: b, reworded\n- [ ] T1: a\n";
    expect(decode(tickBoxes(encode(edited), plan, ["T2"]))).toBe(edited.replace("- [ ] T2", "- [x] T2"));
  });

  it("[L50] plain boxes are found by their id", () => {
    const text = "# Todo\n- [ ] one\n- [ ] two\n- [ ] one\n";
    const [, two, again] = ids(read(text));
    expect(tick(text, [two!])).toBe("# Todo\n- [ ] one\n- [x] two\n- [ ] one\n");
    expect(tick(text, [again!])).toBe("# Todo\n- [ ] one\n- [ ] two\n- [x] one\n");
  });

  it("[L50] Task Master's status becomes done, and nothing else moves", () => {
    const text =
      '{\n\t"tasks": [\n\t\t{ "id": 1, "title": "a", "status" : "pending" },\n\t\t{"id": 2, "title": "b",\n\t\t "subtasks": [ {"id": 1, "title": "c", "status": "in-progress"} ] }\n\t]\n}';
    expect(tick(text, ["1", "2.1"], "tasks.json")).toBe(
      text.replace('"pending"', '"done"').replace('"in-progress"', '"done"'),
    );
    expect(tick(text, ["2"], "tasks.json")).toBe(text.replace('{"id": 2', '{"status": "done", "id": 2'));
  });

  it("[L50] only the tag that is read is written", () => {
    const text =
      '{"old":{"tasks":[{"id":1,"status":"pending"}]},"master":{"tasks":[{"id":1,"status":"pending"}]}}';
    expect(tick(text, ["1"], "tasks.json")).toBe(
      '{"old":{"tasks":[{"id":1,"status":"pending"}]},"master":{"tasks":[{"id":1,"status":"done"}]}}',
    );
  });

  it("[L50] planner output gets completed", () => {
    const text = '{"tasks":[{"id":"a","subject":"s"},{"id":"b","subject":"t","status":"pending"}]}';
    expect(tick(text, ["a", "b"], "plan.json")).toBe(
      '{"tasks":[{"status": "completed", "id":"a","subject":"s"},{"id":"b","subject":"t","status":"completed"}]}',
    );
  });

  it("[L50] JSON that broke meanwhile stays as it is", () => {
    const { plan } = read('{"tasks":[{"id":1,"title":"a"}]}', "tasks.json");
    const bytes = encode('{"tasks":[{"id":1,');
    expect(tickBoxes(bytes, plan, ["1"])).toBe(bytes);
  });

  const block = fc.constantFrom(
    "# Plan",
    "## Phase 1: Core",
    "## Phase 2",
    "### [ ] T1.1: a",
    "### [x] T1.2: b",
    "### T2.1: c ⏳",
    "- [ ] T2.2: d",
    "- [-] T2.3: e (depends on T2.2)",
    "  - [ ] criterion",
    "- 담당: x",
    "```\n- [ ] T9: no\n```",
    "> - [ ] T8: quoted",
    "| T1.1 | ⬜ |",
    "text [ ] with a box",
    "",
    "가나다 😀",
  );
  const ending = fc.constantFrom("\n", "\r\n");

  it("[L50] ticking makes done what is asked, changes nothing else, and is done once", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(block, ending), { maxLength: 20 }), fc.nat(5), (parts, skipped) => {
        const text = parts.map(([line, end]) => line + end).join("");
        const before = read(text);
        const wanted = ids(before).filter((_, index) => index !== skipped);
        const after = tick(text, wanted);
        const again = read(after);
        expect(ids(again)).toEqual(ids(before));
        expect(done(again)).toEqual(expect.arrayContaining(wanted));
        const untouched = ids(before).filter(id => !wanted.includes(id) && !done(before).includes(id));
        for (const id of untouched) expect(done(again)).not.toContain(id);
        expect(tick(after, wanted)).toBe(after);
        expect(withoutBoxes(after)).toBe(withoutBoxes(text));
        expect(diffPlans(before.plan, again.plan)).toEqual({ added: [], removed: [], changed: [] });
      }),
      { numRuns: casesOf(125, 500) },
    );
  });

  /** Text without anything that ticking may touch. */
  function withoutBoxes(text: string): string {
    return text.replace(/\[[ x-]\] ?/g, "").replace(/[⬜✅]/gu, "");
  }
});
