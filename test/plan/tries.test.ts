import { describe, expect, it } from "vitest";
import { agentsNamed, planJson, triesOf } from "../../src/plan/index.ts";
import { codes, read, task, withLines } from "./reading.ts";

describe("several agents on one task", () => {
  it.each<[string, string | readonly string[] | undefined]>([
    ["- agent: [claude, codex]", ["claude", "codex"]],
    ["- agent: [Claude-Code, codex, claude]", ["claude", "codex", "claude"]],
    ["- **Agent**: [claude, codex]", ["claude", "codex"]],
    ["- 에이전트: [claude, codex]", ["claude", "codex"]],
    ["- agent: claude, codex", ["claude", "codex"]],
    ["- agent: [fast, careful]", ["fast", "careful"]],
    ["- agent: [claude]", "claude"],
    ["- agent: claude", "claude"],
    // Words that name no agent are roles, as ever.
    ["- agent: backend, frontend", undefined],
    ["- agent: backend-specialist", undefined],
    ["- agent: [the one that knows, codex]", undefined],
  ])("[L83] %j names %j", (line, agents) => {
    expect(withLines(line).agent).toEqual(agents);
  });

  it.each<[string, number | undefined]>([
    ["- tries: 2", 2],
    ["- **tries**: 5", 5],
    ["- 동시 시도: 3", 3],
    ["- tries: 0", undefined],
    ["- tries: 6", undefined],
    ["- tries: -1", undefined],
    ["- tries: 2.5", undefined],
    ["- tries: 0x2", undefined],
    ["- tries: ２", undefined],
    ["- tries: many", undefined],
    ["- tries:", undefined],
  ])("[L83] %j is %j", (line, tries) => {
    expect(withLines(line).tries).toBe(tries);
  });

  it("[L83] what is no count is told behind our own spelling, and so are more agents than five", () => {
    const told = (line: string) => codes(read(`- [ ] T1: a\n  - ${line}\n`));
    expect(told("tries: many")).toContain("BAD_FIELD");
    expect(told("**Tries**: many")).not.toContain("BAD_FIELD");
    expect(told("agent: [a, b, c, d, e, f]")).toContain("BAD_FIELD");
    const reading = read("- [ ] T1: a\n  - agent: [a, b, c, d, e, f]\n");
    expect(agentsNamed(task(reading, "T1"))).toEqual(["a", "b", "c", "d", "e"]);
  });

  it("[L83] as many work on it as the larger of both says", () => {
    expect(triesOf({})).toBe(1);
    expect(triesOf({ tries: 3 })).toBe(3);
    expect(triesOf({ agent: "claude", tries: 2 })).toBe(2);
    expect(triesOf({ agent: ["claude", "codex"] })).toBe(2);
    expect(triesOf({ agent: ["claude", "codex", "gemini"], tries: 2 })).toBe(3);
  });

  it("[L83] both are published", () => {
    const [first] = planJson(read("- [ ] T1: a\n  - agent: [claude, codex]\n  - tries: 2\n")).tasks;
    expect(first).toMatchObject({ agent: ["claude", "codex"], tries: 2 });
  });
});
