import { describe, expect, it } from "vitest";
import { type Category, categoryOf } from "../../src/delta/index.ts";

const CASES: readonly [Category, string, string][] = [
  ["structural", "## Status", "## State"],
  ["structural", "", "# New"],
  ["structural", "```", "````"],
  ["structural", "| a | b |", "|---|---|"],
  ["structural", "---", "text"],
  ["progress", "- [ ] T1", "- [x] T1"],
  ["progress", "Phase 2: IN_PROGRESS", "Phase 2: COMPLETE"],
  ["progress", "Phase 2: **pending**", "Phase 2: **done**"],
  ["progress", "Progress: 40%", "Progress: 60%"],
  ["progress", "Plan 1/3", "Plan 2/3"],
  ["progress", "상태: 대기", "상태: 완료"],
  ["artifact", "see src/a.ts", "see src/b.ts"],
  ["artifact", "made `report.md`", "made `result.md`"],
  ["artifact", "at https://a.example", "at https://b.example"],
  ["artifact", "commit 1234abc", "commit 5678def"],
  ["value", "Goal: fast", "Goal: faster"],
  ["value", "3.5 minutes", "4.5 minutes"],
  ["value", "#hashtag one", "#hashtag two"],
  ["value", "a", ""],
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
  });
});
