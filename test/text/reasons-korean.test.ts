import { describe, expect, it } from "vitest";
import type { RunEvent, RunOutcome, TaskStatus } from "../../src/ports/index.ts";
import { ENGLISH, endInKorean, KOREAN, reasonInKorean, type Standing } from "../../src/text/index.ts";

describe("reasons in Korean", () => {
  it.each([
    [
      "phase 1 is below its gate (0/1 completed; failed: T1.1; blocked: T1.2); repair its tasks or continue with --force-phase 2",
      "Phase 1 성공률 기준 미달 (0/1 완료; 실패: T1.1; 차단: T1.2); 태스크를 고치거나 --force-phase 2(으)로 계속하세요",
    ],
    [
      "phase 1 is below its gate (0/1 completed; failed: T1.1); repair its tasks or continue with --force-phase 2",
      "Phase 1 성공률 기준 미달 (0/1 완료; 실패: T1.1); 태스크를 고치거나 --force-phase 2(으)로 계속하세요",
    ],
    ["paused, waiting for a person: T1.1, T1.2", "일시 중단: T1.1, T1.2"],
  ])("[M6] says in Korean what a run waits for: %s", (reason, korean) => {
    const told = (messages: typeof KOREAN) =>
      messages.logLine({ type: "run-ended", outcome: "waiting", reason });
    expect(told(KOREAN)).toBe(`[ULTRA-THIN] 사용자 확인 대기: ${korean}`);
    expect(told(ENGLISH)).toContain(reason);
  });

  it.each([
    ["failed: T1.1; blocked: T1.2, T1.3", "실패: T1.1; 차단: T1.2, T1.3"],
    [
      "failed: T1.1; nothing left to start, but these never became ready: T1.2 (T1.2 waits for T1.3)",
      "실패: T1.1; 시작할 태스크가 없음. 준비되지 않은 태스크: T1.2 (T1.2이(가) T1.3을(를) 기다림)",
    ],
    ["blocked: T1.2", "차단: T1.2"],
    [
      "nothing left to start, but these never became ready: T1.2 (T1.2 waits for T1.1, which is outside this run (--only))",
      "시작할 태스크가 없음. 준비되지 않은 태스크: T1.2 (T1.2이(가) 기다리는 T1.1은(는) 이번 실행의 --only 밖에 있음)",
    ],
    [
      "nothing left to start, but these never became ready: T1.1, T1.2 (T1.1 waits for T1.2)",
      "시작할 태스크가 없음. 준비되지 않은 태스크: T1.1, T1.2 (T1.1이(가) T1.2을(를) 기다림)",
    ],
  ])("[M6] says in Korean what a run failed of: %s", (reason, korean) => {
    expect(endInKorean("failed", reason)).toBe(korean);
  });

  it.each([
    [
      "budget reached: 900 of 1,000 tokens used; 1 task remains, about 300 tokens more; go on with --max-tokens 1500",
      "예산 도달: 1,000 토큰 중 900 사용; 남은 태스크 1개, 약 300 토큰 더 필요; 계속하려면 --max-tokens 1500",
    ],
    [
      "budget reached: 900 of 1,000 tokens, $0.50 of $1.00 used; 3 tasks remain, about 300 tokens more, $0.20; go on with --max-cost 1.20",
      "예산 도달: 1,000 토큰 중 900, $1.00 중 $0.50 사용; 남은 태스크 3개, 약 300 토큰, $0.20 더 필요; 계속하려면 --max-cost 1.20",
    ],
    [
      "budget reached: $0.50 of $1.00 used; 1 task remains, about 0 tokens more, $0.20; go on with --max-cost 1.20",
      "예산 도달: $1.00 중 $0.50 사용; 남은 태스크 1개, 약 0 토큰, $0.20 더 필요; 계속하려면 --max-cost 1.20",
    ],
  ])("[M6] says in Korean how a budget ended a run: %s", (reason, korean) => {
    const told = (messages: typeof KOREAN) =>
      messages.logLine({ type: "run-ended", outcome: "waiting", reason });
    expect(told(KOREAN)).toBe(`[ULTRA-THIN] 사용자 확인 대기: ${korean}`);
    expect(told(ENGLISH)).toContain(reason);
  });

  it("[M6] says in Korean why a task is paused, what is left besides, and how a budget stands", () => {
    const told = (event: RunEvent) => KOREAN.logLine(event) ?? "";
    const paused = (reason: string) => told({ type: "paused", task: "T1", reason, by: "agent" });
    expect(paused("its run: block is not approved yet; espalier resume asks")).toContain(
      "T1: run: 블록이 아직 승인되지 않았습니다; espalier resume이 물어봅니다 (",
    );
    expect(paused("unapproved agent configuration .gemini/settings.json; espalier resume asks")).toContain(
      "승인되지 않은 에이전트 설정 .gemini/settings.json; ",
    );
    expect(paused("an agent's: own words")).toContain("T1: an agent's: own words (");
    expect(
      told({ type: "run-ended", outcome: "completed", reason: "2 more in the plan, outside --only" }),
    ).toBe("[ULTRA-THIN] 완료 (계획에 --only 밖의 태스크 2개가 남아 있음)");
    const why = "2 of 3 tasks completed; 1 of its rows are not in the plan any more";
    expect(told({ type: "checkpoint", action: "resumed", id: "chk-001", why })).toBe(
      "[CHECKPOINT] chk-001에서 시작: 태스크 3개 중 2개 완료; 그중 1행은 더 이상 계획에 없음",
    );
    const warned = (code: string, used: string) =>
      told({ type: "warning", code, message: `80 % of the run's budget is used: ${used}` });
    expect(warned("BUDGET", "800 of 1,000 tokens")).toBe("[WARN] BUDGET 예산 80 % 사용: 1,000 토큰 중 800");
    expect(warned("BUDGET", "$8.00 of $10.00")).toBe("[WARN] BUDGET 예산 80 % 사용: $10.00 중 $8.00");
    expect(warned("BUDGET", "8 of 10 tokens, $8.00 of $10.00")).toContain("10 토큰 중 8, $10.00 중 $8.00");
    expect(warned("OTHER", "8 of 10 tokens")).toContain("80 % of the run's budget is used");
  });

  /** How a task is shown that stands so. */
  const shown = (status: TaskStatus, reason: string, more: Partial<Standing> = {}) =>
    reasonInKorean({ status, reason, retries: 0, task: {}, ...more });

  it("[M6] says in Korean why a task stands where it stands", () => {
    expect(shown("blocked", "blocked by T1.1")).toBe("T1.1 때문에 차단됨");
    expect(shown("paused", "paused by a person")).toBe("사용자가 일시 중단함");
    expect(shown("paused", "its text changed after the work was done")).toBe(
      "작업이 끝난 뒤 태스크 내용이 바뀌었습니다",
    );
    expect(shown("paused", "a command that proves it is not approved yet; espalier resume asks")).toBe(
      "결과를 검증하는 명령이 아직 승인되지 않았습니다; espalier resume이 물어봅니다",
    );
    expect(
      shown("paused", "the task file asks less of it than before (verify, run); espalier resume asks"),
    ).toBe("태스크 파일이 전보다 적게 요구합니다 (verify, run); espalier resume이 물어봅니다");
    expect(shown("skipped", "the task file leaves it out", { task: { skip: true } })).toBe(
      "태스크 파일에서 제외됨",
    );
    expect(
      KOREAN.logLine({ type: "paused", task: "T1", reason: "paused by a person", by: "person" }),
    ).toContain("T1: 사용자가 일시 중단함 (");
  });

  const OURS = [
    "blocked by the firewall; espalier resume asks",
    "blocked by the firewall",
    "paused by a person",
    "the task file leaves it out",
    "its text changed after the work was done",
    "its run: block is not approved yet; espalier resume asks",
    "unapproved agent configuration x; espalier resume asks",
    "espalier resume asks",
  ];

  it.each(OURS)("[M7] leaves %j alone where an agent said it", said => {
    for (const status of ["pending", "ready", "waiting", "failed", "cancelled", "paused"] as const)
      expect(shown(status, said, { retries: 1 })).toBe(said);
    for (const status of ["pending", "failed", "cancelled"] as const) expect(shown(status, said)).toBe(said);
    for (const event of [
      { type: "paused", task: "T1", reason: said, by: "rule" },
      { type: "attempt-failed", task: "T1", reason: said, retries: 1, maxAttempts: 3 },
      { type: "failed", task: "T1", reason: said },
    ] satisfies RunEvent[])
      expect(KOREAN.logLine(event)).toContain(said);
  });

  it("[M7] leaves a person's note alone", () => {
    const note = "blocked by the firewall; espalier resume asks";
    for (const status of ["paused", "skipped", "cancelled"] as const) expect(shown(status, note)).toBe(note);
    expect(shown("skipped", "the task file leaves it out")).toBe("the task file leaves it out");
    expect(KOREAN.logLine({ type: "paused", task: "T1", reason: note, by: "person" })).toContain(note);
  });

  it.each<readonly [RunOutcome, string]>([
    ["waiting", "phase 1: T1.1 left changes; failed: hook said no; go on with rebase"],
    ["waiting", "phase 1: failed: hook said no"],
    [
      "waiting",
      "phase 1: x is below its gate (0/1 completed; failed: T1); repair its tasks or continue with --force-phase 2",
    ],
    ["waiting", "GIT_CONFIG_CHANGED: a; failed: b; go on with c"],
    ["waiting", "failed: hook said no"],
    ["waiting", "stopped before all tasks had ended"],
    ["completed", "failed: T1.1"],
  ])("[M7] leaves the end of a run alone that is %s: %s", (outcome, reason) => {
    expect(endInKorean(outcome, reason)).toBe(reason);
  });
});
