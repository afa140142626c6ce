import { describe, expect, it } from "vitest";
import { type Category, categoryOf } from "../../src/delta/index.ts";

const CASES: readonly [Category, string, string][] = [
  ["structural", "## Status", "## State"],
  ["structural", "", "# New"],
  ["structural", "```", "````"],
  ["structural", "| a | b |", "|---|---|"],
  ["structural", "---", "text"],
  ["structural", "text", "- ## Deep"],
  ["structural", "###### Six", "six"],
  ["structural", "~~~", "text"],
  ["structural", "text", "======"],
  ["structural", "|:-:|", "text"],
  ["progress", "- [ ] T1", "- [x] T1"],
  ["progress", "Phase 2: IN_PROGRESS", "Phase 2: COMPLETE"],
  ["progress", "Phase 2: **pending**", "Phase 2: **done**"],
  ["progress", "Progress: 40%", "Progress: 60%"],
  ["progress", "Plan 1/3", "Plan 2/3"],
  ["progress", "상태: 대기", "상태: 완료"],
  ["progress", "- [X] T1", "- T1"],
  ["progress", "- [ ] T1", "- T1"],
  ["progress", "T1: Done.", "T1: later."],
  ["progress", "Phase 2/3/4", "Phase"],
  ["progress", "100%,", "all"],
  ["progress", "9%", "-"],
  ["progress", "_in-progress_", "-"],
  ["artifact", "see src/a.ts", "see src/b.ts"],
  ["artifact", "a/b", "-"],
  ["artifact", "(notes.jsonl)", "-"],
  ["artifact", "it's `x.y`", "it's"],
  ["artifact", "at a://", "at"],
  ["artifact", `${"ab".repeat(31)}c1`, "-"],
  ["artifact", "made `report.md`", "made `result.md`"],
  ["artifact", "at https://a.example", "at https://b.example"],
  ["artifact", "commit 1234abc", "commit 5678def"],
  ["value", "Goal: fast", "Goal: faster"],
  ["value", "3.5 minutes", "4.5 minutes"],
  ["value", "#hashtag one", "#hashtag two"],
  ["value", "a", ""],
  ["value", "##", "text"],
  ["value", "``", "text"],
  ["value", "``code`` here", "text"],
  ["value", "a # b", "a"],
  ["value", "- words", "words"],
  ["value", "==mark==", "mark"],
  ["value", "| a | b |", "| a | c |"],
  ["value", "| | |", "| |"],
  ["value", "%", "-"],
  ["value", "4x%", "-"],
  ["value", "1-2%", "-"],
  ["value", "/", "-"],
  ["value", "/a", "a/"],
  ["value", "notes.", ".notes"],
  ["value", "v.readme", "v"],
  ["value", "1.25", "-"],
  ["value", "12345a", "-"],
  ["value", "abcdefa", "-"],
  ["value", `${"ab".repeat(32)}1`, "-"],
];

describe("categories", () => {
  it.each(CASES)("[D8] %s: %j → %j", (category, old, next) => {
    expect(categoryOf([old], [next])).toBe(category);
    expect(categoryOf([next], [old])).toBe(category);
  });

  it("[D8] looks at what stands on one side only", () => {
    expect(categoryOf(["## A", "x done 40%"], ["## A", "y done 40%"])).toBe("value");
    expect(categoryOf(["## A", "- [ ] a"], ["## A", "- [x] a", "src/a.ts"])).toBe("progress");
    expect(categoryOf([], [])).toBe("value");
    expect(categoryOf(["# A", "text"], ["text", "# A", "words"])).toBe("value");
    expect(categoryOf(["# A", "# B"], ["# B", "# A", "# A"])).toBe("structural");
    expect(categoryOf(["done done"], ["done", "src/a.ts"])).toBe("progress");
    expect(categoryOf(["- [ ] a", "- [x] b"], ["- [x] a", "- [ ] b"])).toBe("value");
  });
});
