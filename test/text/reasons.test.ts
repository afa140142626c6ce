import { describe, expect, it } from "vitest";
import { because, few, type Reason, sameReason } from "../../src/ports/index.ts";
import { ENGLISH, eventText, KOREAN, reasonText, said } from "../../src/text/index.ts";
import { ENGLISH_REASONS } from "../../src/text/reasons/english.ts";
import { KOREAN_REASONS } from "../../src/text/reasons/korean.ts";

const HANGUL = /[\uac00-\ud7a3]/;
const stuck = { stuck: few(["T1.2"]) };

/** A reason, in English and in Korean. */
const TOLD: readonly (readonly [Reason, string, string])[] = [
  [
    because("below-gate", {
      phase: "1",
      completed: 0,
      counted: 1,
      next: "2",
      failed: few(["T1.1"]),
      blocked: few(["T1.2"]),
    }),
    "phase 1 is below its gate (0/1 completed; failed: T1.1; blocked: T1.2); repair its tasks or continue with --force-phase 2",
    "단계 1 성공률 기준 미달 (0/1 완료; 실패: T1.1; 차단: T1.2); 태스크를 고치거나 --force-phase 2로 계속하세요",
  ],
  [
    because("tasks-paused", { tasks: few(["T1.1", "T1.2"]) }),
    "paused, waiting for a person: T1.1, T1.2",
    "일시 중지: T1.1, T1.2",
  ],
  [
    because("tasks-broken", { failed: few(["1", "2", "3", "4", "5", "6"]), blocked: few(["T1.3"]) }),
    "failed: 1, 2, 3, 4, 5 and 1 more; blocked: T1.3",
    "실패: 1, 2, 3, 4, 5 외 1개; 차단: T1.3",
  ],
  [
    because("tasks-broken", { ...stuck, waits: { task: "T1.2", on: "T1.3", outside: false } }),
    "nothing left to start, but these never became ready: T1.2 (T1.2 waits for T1.3)",
    "시작할 태스크가 없음. 준비되지 않은 태스크: T1.2 (T1.2가 T1.3을 기다림)",
  ],
  [
    because("tasks-broken", { ...stuck, waits: { task: "T1.2", on: "T1.1", outside: true } }),
    "nothing left to start, but these never became ready: T1.2 (T1.2 waits for T1.1, which is outside this run (--only))",
    "시작할 태스크가 없음. 준비되지 않은 태스크: T1.2 (T1.2가 기다리는 T1.1은 이번 실행의 --only 밖에 있음)",
  ],
  [
    because("budget-reached", {
      used: { tokens: 900, maxTokens: 1000, cost: 0.5, maxCost: 1 },
      left: { tasks: 3, tokens: 300, cost: 0.2, option: "--max-cost 1.20" },
    }),
    "budget reached: 900 of 1,000 tokens, $0.50 of $1.00 used; 3 tasks remain, about 300 tokens more, $0.20; go on with --max-cost 1.20",
    "예산 도달: 1,000 토큰 중 900, $1.00 중 $0.50 사용; 남은 태스크 3개, 약 300 토큰, $0.20 더 필요; 계속하려면 --max-cost 1.20",
  ],
  [
    because("budget-mark", { percent: 80, used: { tokens: 0, maxTokens: 0 } }),
    "80 % of the run's budget is used: 0 of 0 tokens",
    "예산 80 % 사용: 0 토큰 중 0",
  ],
  [
    because("phase-refused", { phase: "1", why: said("git", "it failed: badly") }),
    "phase 1: it failed: badly",
    "단계 1: it failed: badly",
  ],
  [
    because("check-failed", { name: "verify", exit: 1, said: "no such file" }),
    "verify exit 1: no such file",
    "verify 종료 코드 1: no such file",
  ],
  [
    because("check-failed", { name: "test", killed: "idle", said: "" }),
    "test ended by idle",
    "test 응답 없음",
  ],
  [
    because("check-failed", { name: "phase.after", killed: "cancelled", said: "" }),
    "phase.after cancelled",
    "phase.after 취소됨",
  ],
  [because("out-of-quota", { agent: "a" }), "a is out of quota", "a 할당량 소진"],
  [
    because("starts-again", { tasks: few(["1", "2", "3"], 2) }),
    "was in progress when the last process died, starts again: 1, 2 and 1 more",
    "이전 프로세스가 종료될 때 진행 중이어서 다시 시작: 1, 2 외 1개",
  ],
  [
    because("no-such-agent", { agent: "cluade", tasks: ["T1", "T2"] }),
    'no agent named "cluade" (needed by T1, T2)',
    '"cluade"라는 에이전트가 없습니다 (필요한 태스크: T1, T2)',
  ],
  [
    because("agents-known", { agents: ["shell", "claude"], guess: "claude", isLead: false }),
    "known agents: shell, claude; did you mean claude?",
    "사용할 수 있는 에이전트: shell, claude; 혹시 claude인가요?",
  ],
  [
    because("get-agent", { install: "npm i x", isOld: true }),
    "update it (npm i x); nothing was started",
    "업데이트하세요 (npm i x); 아무것도 시작하지 않았습니다",
  ],
  [because("nothing-to-dispatch", {}), "nothing would be dispatched", "실행할 태스크가 없습니다"],
  [
    because("task-stands", { task: "T1", status: "completed", not: "paused" }),
    "T1 is completed, not paused",
    "T1은 일시 중지된 상태가 아닙니다 (완료)",
  ],
  [
    because("out-of-quota", { agent: "a", until: 0, next: "b" }),
    "a is out of quota until 1970-01-01T00:00:00.000Z; b takes over",
    "a 할당량 소진 (1970-01-01T00:00:00.000Z까지); b가 이어받음",
  ],
  [
    because("asks-less", { fields: ["verify", "run"] }),
    "the task file asks less of it than before (verify, run); espalier resume asks",
    "태스크 파일이 전보다 적게 요구합니다 (verify, run); espalier resume이 물어봅니다",
  ],
  [
    because("from-checkpoint", { completed: 2, tasks: 3, gone: 1 }),
    "2 of 3 tasks completed; 1 of its rows are not in the plan any more",
    "태스크 3개 중 2개 완료; 그중 1행은 더 이상 계획에 없음",
  ],
];

describe("reasons", () => {
  it.each(TOLD)("[XM6] are told in the reader's language: %j", (reason, english, korean) => {
    expect([reasonText(reason, "en"), reasonText(reason, "ko")]).toEqual([english, korean]);
  });

  it("[XM6] are told by both languages, each in its own letters", () => {
    expect(Object.keys(KOREAN_REASONS)).toEqual(Object.keys(ENGLISH_REASONS));
    expect(JSON.stringify(Object.values(ENGLISH_REASONS).map(String))).not.toMatch(HANGUL);
  });

  it("[XM6] of a code that this version does not know are told by it", () => {
    expect(reasonText({ code: "constructor", args: {} } as unknown as Reason, "ko")).toBe("constructor");
  });

  it.each([
    "blocked by the firewall",
    "its run: block is not approved yet; espalier resume asks",
    '{"code":"run-block-unapproved","args":{}}',
  ])("[XM7] leave %j alone where an agent said it", text => {
    const reason = said("agent", text);
    for (const messages of [ENGLISH, KOREAN]) {
      const tell = messages.logLine.bind(messages);
      expect(tell({ type: "paused", task: "T1", reason, by: "rule" })).toContain(`T1: ${text} (`);
      expect(tell({ type: "failed", task: "T1", reason })).toContain(text);
    }
  });

  it("[XM7] hold what others say on one line of a hundred characters", () => {
    const reason = said("agent", `\n${"x".repeat(200)}\u001b[2J\nmore`);
    expect(reasonText(reason, "en")).toBe(`${"x".repeat(99)}…`);
  });

  it("[XM6] name a task's state in Korean by its Korean word", () => {
    for (const status of ["pending", "ready", "in_progress", "paused", "failed", "completed"]) {
      const task = "T1";
      const told = [
        because("phase-unended", { phase: "1", task, status }),
        because("task-not-ready", { task, status, on: [] }),
        because("nothing-to-approve", { task, status }),
        because("state-not-believed", { status }),
      ];
      for (const reason of told) expect(reasonText(reason, "ko")).not.toContain(status);
    }
  });

  it("[XR2] are the same with the same code and the same words", () => {
    const exit = (text: string) => because("check-failed", { name: "verify", exit: 1, said: text });
    expect(sameReason(exit("a"), exit("a"))).toBe(true);
    expect(sameReason(exit("a"), exit("b"))).toBe(false);
    expect(sameReason(because("no-signal", {}), said("agent", "no signal"))).toBe(false);
    expect(sameReason(undefined, undefined)).toBe(true);
  });

  it("[XR3] of events are text for programs", () => {
    const reason = because("no-signal", {});
    const failed = { type: "attempt-failed", task: "T1", reason, retries: 1, maxAttempts: 3 } as const;
    expect(eventText(failed, "ko")).toEqual({ ...failed, reason: "신호 없음" });
    expect(eventText({ type: "run-ended", outcome: "completed" }, "en")).toEqual({
      type: "run-ended",
      outcome: "completed",
      reason: "",
    });
    const warned = { type: "warning", code: "NO_SIGNAL", message: because("signal-missing", {}) } as const;
    const message = "the final message does not end with the task's signal";
    expect(eventText(warned, "en")).toMatchObject({ message });
    const words = because("signal-missing", { said: "All done!" });
    expect(reasonText(words, "en")).toBe(`${message}, but with: All done!`);
  });
});
