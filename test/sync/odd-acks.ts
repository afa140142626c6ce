import type { Verdict } from "../../src/sync/index.ts";

/** What an answer comes to: taken as proof, not as proof, a pause, a question, a request for everything, a loss. */
export type Outcome = Verdict | "paused" | "clarify" | "requested" | "lost";

/** Answers to GC-v4, two items, message 3, as models write them; each with all that comes of it. */
export const ODD_ACKS: readonly (readonly [text: string, ...outcome: Outcome[]])[] = [
  // Plain agreement in other clothes.
  ["[ACK-UPDATE] GC-v4 received. Items: 2/2. Impact: NONE. Action: CONTINUE", "confirmed"],
  ["[ACK-UPDATE] GC-v4 #3 received. Impact: NONE. Action: CONTINUE\nDONE: T1 a1b2c3", "confirmed"],
  [
    "**[ACK-UPDATE] GC-v4 received.**\n\n- **Delta items applied:** 2/2\n- **Impact on my work:** NONE\n- **Action taken:** CONTINUE",
    "confirmed",
  ],
  [
    "I've read the change.\n\n> [ACK-UPDATE] GC-v4 received.\n> - Delta items applied: 2/2\n> - Impact on my work: the retry test\n>   has to be renamed\n> - Action taken: `CONTINUE`",
    "confirmed",
  ],
  [
    "```\n[ACK-UPDATE] GC-v4 received. Impact: NONE. Action: CONTINUE\n```\n\nI keep working on the export.",
    "confirmed",
  ],
  ["`[ACK-UPDATE] GC-v4 #3 received. Impact: NONE. Action: CONTINUE`", "confirmed"],
  [
    "[ACK-UPDATE] GC-v3 → GC-v4 received.\n* Delta items applied: 2 of 2\n* Impact on my work: none\n* Action taken: {CONTINUE}",
    "confirmed",
  ],
  [
    "[ACK-UPDATE] GC-v4 received.\n\n1. Delta items applied: 2/2 (both)\n2. Impact on my work: NONE – I only touch docs/\n3. Action taken: CONTINUE – no change needed",
    "confirmed",
  ],
  [
    "## Acknowledgement\n\n[ACK-UPDATE] GC-v4 received.\n\n| Field | Value |\n|-------|-------|\n| Delta items applied | 2/2 |\n| Impact on my work | NONE |\n| Action taken | CONTINUE |",
    "confirmed",
  ],
  [
    "업데이트를 확인했습니다.\n\n[ACK-UPDATE] GC-v4 수신 완료.\n- 적용된 델타 항목: 2/2\n- 내 작업에 미치는 영향: 없음\n- 조치: 계속 진행",
    "confirmed",
  ],
  [
    "[ACK-UPDATE] GC-v4를 수신했습니다. 적용: 2개 중 2개. 영향: T3의 테스트 하나. 조치: CONTINUE",
    "confirmed",
  ],
  [
    "[ACK-UPDATE] GC-v4 received.\nItems: 2/2\nImpact: I rename `retries` to `attempts` in src/mail.ts;\nthe tests follow.\nAction: CONTINUE\nUnclear items: none",
    "confirmed",
  ],
  [
    "[ACK-UPDATE] GC-v4 received. Impact: NONE. Action: CONTINUE.\n\nSummary of my work:\n- Updated: src/export.ts\n- Tests: 14 passed\n- Action items: none left",
    "confirmed",
  ],
  ["[ACK-UPDATE] GC‑v4 received. Impact: NONE. Action: CONTINUE", "confirmed"],
  ["[ACK-UPDATE] GC-v4 received. Impact: the PauseButton moved. Action: continue", "confirmed"],
  [
    "[ACK-UPDATE] GC-v4 received. Impact: I handle CONTEXT_LOST_ERROR in the worker. Action: CONTINUE",
    "confirmed",
  ],
  [
    '[ACK-UPDATE] GC-v4 received. Impact: "Action: PAUSE is the name of the new column". Action: CONTINUE',
    "confirmed",
  ],
  ["[ACK-UPDATE] GC-v4 received. Impact: NONE. Action: Yes, CONTINUE", "confirmed"],
  ["[ACK-UPDATE] GC-v4 received. Impact: NONE. Action: No change, CONTINUE", "confirmed"],
  ["[ACK-UPDATE] GC-v4 received. Impact: NONE. Action: I will now continue with T1.2 on GC-v4", "confirmed"],
  ["[ACK-UPDATE] GC-v4 received.\n- Action taken: CONTINUE (no change\nneeded)", "confirmed"],
  ["[ACK-UPDATE] GC-v4 수신. 영향: 없음. 조치: 작업을 계속합니다", "confirmed"],
  ["[ACK-UPDATE] GC-v4 received. Impact: it does not apply to my task. Action: CONTINUE", "confirmed"],
  // A person is asked for.
  [
    "[ACK-UPDATE] GC-v4 received.\n- **Delta items applied:** 1/2, unclear: §Decisions D-5\n- **Action taken:** PAUSE",
    "partial",
    "clarify",
    "paused",
  ],
  [
    "[ACK-UPDATE] GC-v4 received.\n- Delta items applied: 2/2\n- Impact on my work: D-5 contradicts what I have built\n- Action taken: PAUSE",
    "confirmed",
    "paused",
  ],
  [
    "[ACK-UPDATE] GC-v4 received. Impact: D-5 undoes my migration. Action: PAUSE until a person has decided, then continue",
    "unproven",
    "paused",
  ],
  [
    "[ACK-UPDATE] GC-v4 received.\n\nI looked at D-5 for a while. It undoes my migration.\n\n- Action taken: **PAUSE**",
    "confirmed",
    "paused",
  ],
  [
    "[ACK-UPDATE] GC-v4 received. Impact: NONE. Action: CONTINUE\n\nWait, D-5 undoes my migration.\n\nAction: PAUSE",
    "unproven",
    "paused",
  ],
  [
    "[ACK-UPDATE] GC-v4 received. Impact: I have to PAUSE, D-5 is not mine. Action: CONTINUE",
    "unproven",
    "paused",
  ],
  ["[ACK-UPDATE] GC-v4 received.\n- Action taken: I cannot continue: PAUSE", "unproven", "paused"],
  ["[ACK-UPDATE] GC-v4 received.\n- Acton taken: PAUSE", "unproven", "paused"],
  [
    "[ACK-UPDATE] GC-v4 수신 완료.\n- 적용된 항목: 2/2\n- 영향: 마이그레이션을 되돌려야 함\n- 조치: 일시 중단 (사람의 결정 필요)",
    "confirmed",
    "paused",
  ],
  ["[ACK-UPDATE] received.\n- Action taken: PAUSE", "paused"],
  ["[ACK-UPDATE] API-v4 received. Action: PAUSE", "other-label", "paused"],
  ["[ACK-UPDATE] GC-v9 received. Action: PAUSE", "never-sent", "paused"],
  ["Action taken: PAUSE", "paused"],
  ["PAUSE", "paused"],
  ["[ACK-UPDATE] GC-v4 received. Action: CONTINUE | PAUSE | request clarification", "unproven", "paused"],
  ["I read it. My answer is [ACK-UPDATE] GC-v4 received. Impact: D-5. Action: PAUSE", "unproven", "paused"],
  [
    "[ACK-UPDATE] GC-v4 received. Action: {PAUSE | a person must decide} | Impact: D-5",
    "confirmed",
    "paused",
  ],
  ["[ACK-UPDATE] GC-v4 received. Action: <PAUSE> | Impact: NONE", "confirmed", "paused"],
  ["[ACK-UPDATE] GC-v4 received. Action: <CONTINUE | PAUSE | NEED_CLARIFICATION>", "unproven"],
  // Something is not understood.
  [
    "[ACK-UPDATE] GC-v4 received.\n- Delta items applied: 1/2, unclear: §Decisions D-5\n- Impact on my work: NONE\n- Action taken: CONTINUE",
    "partial",
    "clarify",
  ],
  [
    "[ACK-UPDATE] GC-v4 received.\n- Delta items applied: 1 of 2\n- Action taken: CONTINUE",
    "partial",
    "clarify",
  ],
  [
    "[ACK-UPDATE] GC-v4 received. Items: 2/2 (D-5 unclear). Impact: NONE. Action: CONTINUE",
    "partial",
    "clarify",
  ],
  [
    "[ACK-UPDATE] GC-v4 received. Items: 2개 중 1개. 불명확한 항목: §Decisions D-5. 조치: 계속",
    "partial",
    "clarify",
  ],
  [
    "[ACK-UPDATE] GC-v4 received.\n- Items: 2/2\n- Unclear items:\n  - §Decisions D-5\n  - §Status\n- Action: CONTINUE",
    "partial",
    "clarify",
  ],
  ["[ACK-UPDATE] GC-v4 received.\n- Action taken: NEED CLARIFICATION", "partial", "clarify"],
  ["[ACK-UPDATE] GC-v4 received. Action: request clarification of D-5", "partial", "clarify"],
  [
    "[ACK-UPDATE] GC-v4 received. Action: CONTINUE, but I request clarification of D-5",
    "unproven",
    "clarify",
  ],
  ["[ACK-UPDATE] GC-v4 received. 영향: D-5가 모호함. 조치: 설명 필요", "partial", "clarify"],
  ["[ACK-UPDATE] GC-v4 received. Impact: NEED_CLARIFICATION on D-5", "unproven", "clarify"],
  [
    "[ACK-UPDATE] GC-v4 received. Items: 2/2. Impact: my work has to stop. Action: PAUSE",
    "confirmed",
    "paused",
  ],
  // Not a plain yes.
  ["[ACK-UPDATE] GC-v4 received. Action: CONTINUE on v3", "unproven"],
  ["[ACK-UPDATE] GC-v4 received. Action: CONTINUE with API-v4", "unproven"],
  ["[ACK-UPDATE] GC-v4 received. Action: continue with the OLD version", "unproven"],
  ["[ACK-UPDATE] GC-v4 received. Action: continue with the current version", "unproven"],
  ["[ACK-UPDATE] GC-v4 received. Action: CONTINUE. Please resend everything.", "unproven"],
  ["[ACK-UPDATE] GC-v4 received.\n- Action taken: CONTINUE\nalthough I disagree", "unproven"],
  ["[ACK-UPDATE] GC-v4 received. Action: CONTINUE, no change applied", "unproven"],
  ["[ACK-UPDATE] GC-v4 received. Action: ~~CONTINUE~~", "unproven"],
  ["[ACK-UPDATE] GC-v4 received. Action: CONTINUE ❌", "unproven"],
  ["[ACK-UPDATE] GC-v4 received. 조치: 계속합니다. 문맥을 잃었습니다", "unproven"],
  ["[ACK-UPDATE] GC-v4 received. Impact: I have not applied it. Action: CONTINUE", "unproven"],
  ["[ACK-UPDATE] GC-v4 received. 영향: 제 작업은 중단해야 합니다. 조치: 계속", "unproven"],
  ["[ACK-UPDATE] GC-v4 received. Impact: NONE. Action: CONTINUE once D-5 is decided", "unproven"],
  ["[ACK-UPDATE] GC-v4 received. Action: will not continue", "unproven"],
  ["[ACK-UPDATE] GC-v4 received. Action: WAIT", "unproven"],
  ["[ACK-UPDATE] GC-v4 received. Action: 계속할 수 없음", "unproven"],
  ["[ACK-UPDATE] GC-v4 NOT received. Action: CONTINUE", "unproven"],
  ["[ACK-UPDATE] GC-v4 partially received.\n- Action taken: CONTINUE", "unproven"],
  ["[ACK-UPDATE] GC-v4 received.\n- Delta items applied: some\n- Action taken: CONTINUE", "unproven"],
  [
    "[ACK-UPDATE] GC-v4 received.\n- Delta itmes applied: 1/2\n- Action taken: CONTINUE",
    "unproven",
    "clarify",
  ],
  ["[ACK-UPDATE] GC-v4 received.\n- D-5 makes no sense to me\n- Action taken: CONTINUE", "unproven"],
  [
    "[ACK-UPDATE] GC-v4 received.\n- Delta items applied: 2/2\n- Delta items applied: 1/2\n- Action taken: CONTINUE",
    "unproven",
  ],
  ["[ACK-UPDATE] GC-v4 received.\n- Confidence: low\n- Action taken: CONTINUE", "unproven"],
  [
    "[ACK-UPDATE] GC-v4 received.\n- Delta items applied: {count}/{total}\n- Impact on my work: {NONE | description}\n- Action taken: CONTINUE",
    "unproven",
  ],
  [
    "[ACK-UPDATE] GC-v4 received. Action: CONTINUE\n[ACK-UPDATE] GC-v4 received. Items: 1/2. Action: CONTINUE",
    "unproven",
    "unproven",
    "clarify",
  ],
  ["I am to answer `[ACK-UPDATE] GC-v4 #3 received. Impact: NONE. Action: CONTINUE`, and will.", "unproven"],
  ["[ACK-UPDATE] GC-v4 received. Items: 3/2. Action: CONTINUE", "overcounted"],
  ["[ACK-UPDATE] GC-v4 and GC-v3 received. Action: CONTINUE", "unproven"],
  // Everything again.
  ["[ACK-UPDATE] GC-v4 received.\n- Action taken: need full context", "unproven", "requested"],
  ["I need full context, my copy ends in the middle.", "requested"],
  ["전체 컨텍스트가 필요합니다.", "requested"],
  ["[CONTEXT-REQUEST] GC #4: need full context (base)", "requested"],
  ["CONTEXT_LOST", "lost"],
  ["[STATUS] Phase 2 | CONTEXT_LOST", "lost"],
  ["My session was compacted: CONTEXT_LOST. Please send it again.", "lost"],
  // Not meant for the lead.
  ["DONE: T1 a1b2c3"],
  ["The worker sends the full context to the queue, and a `pause` flag."],
  ["Added the CONTEXT_LOST handler and a PAUSE button."],
];
