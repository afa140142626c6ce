import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readBox } from "../../src/plan/syntax/box.ts";
import { emojiAt, leadingState, stateOf, trailingState } from "../../src/plan/syntax/marks.ts";
import { codes, done, errors, ids, messages, read, task } from "./reading.ts";

function box(text: string) {
  return readBox(text, 0, text.length);
}

describe("boxes", () => {
  it.each([
    "x",
    "X",
    "v",
    "V",
    "o",
    "✓",
    "✔",
    "✔️",
    "✅",
    "☑",
    "√",
    "■",
    "●",
    " x ",
    "done",
    "Done",
    "완료",
    "完了",
    "已完成",
  ])("[L12] [%s] is done", mark => {
    expect(box(`[${mark}] a`)).toMatchObject({ state: "done", at: 0, end: mark.length + 2, optional: false });
  });

  it.each([
    "",
    " ",
    "  ",
    "\t",
    "-",
    "~",
    "/",
    ">",
    ".",
    "!",
    "?",
    "⏳",
    "🔄",
    "⬜",
    "❌",
    "wip",
    "WIP",
    "todo",
    "진행중",
    "대기",
    "in progress",
    "未着手",
    "进行中",
  ])("[L12] [%s] is open", mark => {
    expect(box(`[${mark}] a`)?.state).toBe("open");
  });

  it.each(["cancelled", "canceled", "skipped", "취소", "제외", "中止", "取消"])(
    "[L12] [%s] is not to be worked on",
    mark => {
      expect(box(`[${mark}] a`)?.state).toBe("skip");
    },
  );

  it.each(["deferred", "Postponed", "연기", "미룸", "延期"])("[L12] [%s] is put off", mark => {
    expect(box(`[${mark}] a`)?.state).toBe("put off");
  });

  it.each(["%", "#", "=", "¤", "@", "🦄", "★"])(
    "[L12] [%s] is a box with a mark that means nothing",
    mark => {
      expect(box(`[${mark}] a`)).toMatchObject({ state: undefined });
    },
  );

  it.each([
    "[P] a",
    "[US1] a",
    "[1] a",
    "[z] a",
    "[link](url)",
    "[x](url)",
    "[x][ref]",
    "[ ](url)",
    "[a long text that is no state]",
    "[",
    "[ ",
    "[x",
    "x]",
    "",
    "(x)",
  ])("[L12] %j is no box", text => {
    expect(box(text)).toBeUndefined();
  });

  it("[L44] a star behind the box makes it optional", () => {
    expect(box("[ ]* a")).toMatchObject({ state: "open", optional: true, end: 4 });
    expect(box("[x]*")).toMatchObject({ state: "done", optional: true, end: 4 });
    expect(box("[ ]**bold**")).toMatchObject({ optional: false, end: 3 });
  });

  it("[L12] never reads beyond the end it is given", () => {
    expect(readBox("[x] a", 0, 2)).toBeUndefined();
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("[", "]", "x", " ", "*", "완", "😀") }),
        fc.nat(12),
        (text, end) => {
          const stop = Math.min(end, text.length);
          expect(readBox(text, 0, stop)?.end ?? 0).toBeLessThanOrEqual(stop);
        },
      ),
    );
  });

  it("[L12] reports a mark it does not know, with the ones it does", () => {
    const reading = read("### [%] T1.1: a\n- 담당: x\n");
    expect(messages(reading, "BOX_MARK")).toEqual(['the box of T1.1 holds "%", which is no known mark']);
    expect(errors(reading)).toEqual(["BOX_MARK"]);
    expect(task(reading, "T1.1").done).toBe(false);
  });

  it("[L12] does not mind unknown marks in criteria", () => {
    expect(codes(read("### [ ] T1.1: a\n- [%] criterion\n"))).toEqual([]);
  });

  it("[L12] started is not done", () => {
    const reading = read("- [~] T1: a\n- [-] T2: b\n- [/] T3: c\n- [>] T4: d\n- [x] T5: e\n");
    expect(done(reading)).toEqual(["T5"]);
    expect(errors(reading)).toEqual([]);
  });
});

describe("state words", () => {
  it.each([
    ["done", "done"],
    [" Done ", "done"],
    ["COMPLETED", "done"],
    ["merged", "done"],
    ["완료", "done"],
    ["In Progress", "open"],
    ["in_progress", "open"],
    ["진행 중", "open"],
    ["failed", "open"],
    ["blocked", "open"],
    ["review", "open"],
    ["won't do", "skip"],
    ["obsolete", "skip"],
    ["maybe", undefined],
    ["완료 조건", undefined],
    ["constructor", undefined],
  ])("[L12] %j is %s", (word, state) => {
    expect(stateOf(word)).toBe(state);
  });

  it.each([
    ["✅ 완료", "done"],
    ["✅", "done"],
    ["완료 (2026-01-02)", "done"],
    ["Done: merged in #12", "done"],
    ["완료 — PR 12", "done"],
    ["진행 중 - 50%", "open"],
    ["⏳ 대기", "open"],
    ["🔄 In Progress", "open"],
    ["In Progress / 80%", "open"],
    ["in progress since monday", "open"],
    ["❌", "open"],
    ["취소 (범위 밖)", "skip"],
    ["☑️ ok", "done"],
    ["50%", "open"],
    ["100%", "done"],
    ["100 % (3/3)", "done"],
    ["🟢 완료", "done"],
    ["🟢", "done"],
    ["🟡 진행중", "open"],
    ["🔴", "open"],
    ["🟢 see below", undefined],
    ["x", undefined],
    ["v1.2", undefined],
    ["", undefined],
    ["nearly done", undefined],
  ])("[L23] a status of %j is %s", (value, state) => {
    expect(leadingState(value)).toBe(state);
  });

  it.each([
    ["Login ✅", "done"],
    ["Login ✅ 완료", "done"],
    ["Login (완료)", "done"],
    ["Login (Done)", "done"],
    ["Login [완료]", "done"],
    ["Login （完了）", "done"],
    ["Login — DONE", "done"],
    ["Login - done", "done"],
    ["Login – 완료", "done"],
    ["Login ⏳", "open"],
    ["Login 🔄 진행중", "open"],
    ["Login (진행중)", "open"],
    ["Login **✅**", "done"],
    ["Login ❌", "open"],
    ["Login (취소)", "skip"],
    ["Login", undefined],
    ["Mark as done", undefined],
    ["Login (done later)", undefined],
    ["Login - v", undefined],
    ["Login (x)", undefined],
    ["Login (P)", undefined],
    ["완료 화면", undefined],
    ["RED→GREEN", undefined],
    ["A - B", undefined],
    ["", undefined],
  ])("[L23] a title %j ends in %s", (title, state) => {
    expect(trailingState(title)).toBe(state);
  });

  it.each([
    ["완료 아님", "open"],
    ["완료 예정", "open"],
    ["완료 (예정)", "open"],
    ["Done (pending)", "open"],
    ["done pending review", "open"],
    ["완료 50%", "open"],
    ["completed 3 of 5", "open"],
    ["완료, 미완료, 삭제", "open"],
    ["completed, failed, running", "open"],
    ["삭제 API 작업 중", "open"],
    ["skip tests for now", "open"],
    ["제외 대상 아님", "open"],
    ["Done on 2026-01-02", "done"],
    ["완료 2026-01-02", "done"],
    ["완료 100%", "done"],
    ["Done 2026/01/02", "done"],
    ["완료, 검증됨", "done"],
    ["Done, merged", "done"],
    ["Done - tests, docs, all", "done"],
    ["deferred until v2", "put off"],
  ])(
    "[L281] a status of %j is %s: a sentence or a choice that begins with a state is none",
    (value, state) => {
      expect(leadingState(value)).toBe(state);
    },
  );

  it.each([
    ["할 일 상태 변경 (완료/미완료)", undefined],
    ["주문 관리 (취소, 환불)", undefined],
    ["Todo filters (done / open)", undefined],
    ["Task list - completed, active", undefined],
    ["Toggle - Yes/No", undefined],
    ["Login (완료, 2026-01-02)", "done"],
    ["Login (DONE, PR #12)", "done"],
    ["Login (done/closed)", "done"],
  ])("[L281] a title %j ends in %s: a choice of states is what the task is about", (title, state) => {
    expect(trailingState(title)).toBe(state);
  });

  it("[L23] tells where a state emoji ends", () => {
    expect(emojiAt("a✅b", 1)).toEqual({ state: "done", length: 1 });
    expect(emojiAt("☑️ b", 0)).toEqual({ state: "done", length: 2 });
    expect(emojiAt("🔄", 0)).toEqual({ state: "open", length: 2 });
    expect(emojiAt("😀", 0)).toBeUndefined();
    expect(emojiAt("a", 0)).toBeUndefined();
    expect(emojiAt("", 0)).toBeUndefined();
  });
});

describe("what makes a task done", () => {
  it("[L23] the box has the last word", () => {
    const reading = read(
      [
        "## Phase 1 ✅",
        "### [ ] T1.1: a ✅",
        "- **상태**: 완료",
        "- [x] criterion",
        "### [x] T1.2: b ⏳",
        "- **Status**: In Progress",
        "- [ ] criterion",
      ].join("\n"),
    );
    expect(done(reading)).toEqual(["T1.2"]);
  });

  it("[L23] then a mark before or behind the title", () => {
    const reading = read(
      "### ✅ T1.1: a\n- 담당: x\n### T1.2: b ✅\n### T1.3: c ⏳\n- 상태: 완료\n### T1.4 (완료)\n- 담당: x\n",
    );
    expect(done(reading)).toEqual(["T1.1", "T1.2", "T1.4"]);
  });

  it("[L23] then the status field", () => {
    const reading = read(
      "### T1.1: a\n- **상태**: ✅ 완료\n- [ ] criterion\n### T1.2: b\n- **Status**: Done (v1.2)\n### T1.3: c\n- Status: pending\n- [x] criterion\n",
    );
    expect(done(reading)).toEqual(["T1.1", "T1.2"]);
  });

  it("[L23] then the boxes of a summary, above or below", () => {
    const summary = "## Progress\n- [x] T1.1 Cart\n- [ ] T1.2 Checkout\n";
    const detail = "## Phase 1\n### T1.1: Cart\n- 담당: a\n### T1.2: Checkout\n- 담당: b\n- [x] criterion\n";
    expect(done(read(summary + detail))).toEqual(["T1.1"]);
    expect(done(read(detail + summary))).toEqual(["T1.1"]);
  });

  it("[L23] then the state column of a table", () => {
    const detail = "## Phase 1\n### T1.1: Cart\n- 담당: a\n### T1.2: Checkout\n- 담당: b\n";
    expect(
      done(read(`${detail}\n## Progress\n| ID | 상태 |\n|---|---|\n| T1.1 | ✅ |\n| T1.2 | ⬜ |\n`)),
    ).toEqual(["T1.1"]);
    expect(
      done(read(`${detail}\n## Progress\n| ID | Status |\n|---|---|\n| T1.1 | Done |\n| T1.2 | Pending |\n`)),
    ).toEqual(["T1.1"]);
  });

  it("[L23] then that all its criteria are checked", () => {
    const reading = read(
      "### T1.1: a\n- [x] one\n- [x] two\n### T1.2: b\n- [x] one\n- [ ] two\n### T1.3: c\n- 담당: x\n",
    );
    expect(done(reading)).toEqual(["T1.1"]);
  });

  it("[L23] a criterion that was dropped does not keep a task open", () => {
    expect(done(read("### T1.1: a\n- [x] one\n- [취소] two\n"))).toEqual(["T1.1"]);
  });

  it("[L23] then a phase heading that is marked done", () => {
    const reading = read(
      "## Phase 1: A ✅ 완료\n### T1.1: a\n- 담당: x\n### T1.2: b ⏳\n## Phase 2: B\n### T2.1: c\n- 담당: x\n",
    );
    expect(done(reading)).toEqual(["T1.1"]);
  });

  it("[L23] a marked heading inside a phase does not speak for the phase", () => {
    expect(done(read("## Phase 1\n### Phase 1.1 ✅\n#### T1.1: a\n- 담당: x\n"))).toEqual([]);
  });

  it("[L23] struck out is not to be worked on, unless it was done before", () => {
    const reading = read(
      "- [ ] ~~T1.1: gone~~\n- [x] ~~T1.2: done~~\n- [ ] T1.3: stays\n### ~~T1.4: heading~~\n- 담당: x\n",
    );
    expect(reading.plan.tasks.map(found => [found.id, found.done, found.skip ?? false])).toEqual([
      ["T1.1", false, true],
      ["T1.2", true, false],
      ["T1.3", false, false],
      ["T1.4", false, true],
    ]);
    expect(task(reading, "T1.1").title).toBe("gone");
  });

  it("[L23] cancelled by word is not to be worked on", () => {
    const reading = read("- [취소] T1: a\n### T2: b\n- 상태: 취소\n### T3: c (deferred)\n- 담당: x\n");
    expect(reading.plan.tasks.map(found => [found.id, found.skip])).toEqual([
      ["T1", true],
      ["T2", true],
      ["T3", true],
    ]);
    expect(ids(reading)).toHaveLength(3);
  });
});
