import { describe, expect, it } from "vitest";
import { type SyncEvent, syncLogLine } from "../../src/sync/index.ts";

const SENT = { serial: 7, version: 4, from: 3, form: "delta", tokens: 60 } as const;

/** An event, its line in English, its line in Korean. */
const LINES: readonly (readonly [SyncEvent, string, string])[] = [
  [
    {
      type: "published",
      version: 4,
      hash: "cd5f01",
      by: "lead",
      sections: [],
      now: ["a", "b"],
      later: ["c", "d"],
      mergedFrom: 2,
    },
    "v4 cd5f01 by lead, merged from v2; now: a, b; at their next task: c, d",
    "v4 cd5f01 게시 (lead), v2에서 병합; 지금: a, b; 다음 태스크에서: c, d",
  ],
  [
    { type: "published", version: 1, hash: "cd5f01", by: "", sections: [], now: [], later: [] },
    "v1 cd5f01 by ?; now: nobody",
    "v1 cd5f01 게시 (?); 지금: 없음",
  ],
  [{ type: "unchanged", version: 4, by: "lead" }, "nothing new, still v4", "변경 없음, 그대로 v4"],
  [
    { type: "refused", by: "", reason: "same-section", message: "§Status", clashes: [] },
    "refused (same-section): §Status",
    "거부됨 (same-section): v? 이후 양쪽이  변경",
  ],
  [
    { type: "joined", teammate: "a", session: "s", replaces: "b" },
    "a joined in place of b",
    "a 합류 (b 대신)",
  ],
  [{ type: "joined", teammate: "a", session: "s" }, "a joined", "a 합류"],
  [{ type: "left", teammate: "a" }, "a left", "a 떠남"],
  [
    { type: "lost", teammate: "a", cause: "compaction" },
    "a lost its context: compaction",
    "a 컨텍스트를 잃음: 압축됨",
  ],
  [
    {
      type: "sent",
      teammate: "a",
      session: "s",
      serial: 7,
      version: 4,
      from: 3,
      form: "delta",
      why: "next-version",
      tokens: 60,
    },
    "v3 → v4 to a as delta (#7, 60 tokens): the next version",
    "a에게 v3 → v4 전송, 델타 (#7, 60 토큰): 다음 버전",
  ],
  [
    {
      type: "sent",
      teammate: "a",
      session: "s",
      serial: 7,
      version: 4,
      form: "full",
      why: "next-version",
      tokens: 60,
    },
    "v4 to a as full (#7, 60 tokens): the next version",
    "a에게 v4 전송, 전체 (#7, 60 토큰): 다음 버전",
  ],
  [
    { type: "acked", teammate: "a", version: 4, verdict: "forged", message: "m" },
    "acknowledgement of v4 by a contradicts the version: m",
    "a의 v4 응답: 버전과 맞지 않음",
  ],
  [{ type: "paused", teammate: "a", impact: "big" }, "a asks for a person: big", "a 사용자 확인 요청: big"],
  [
    { type: "clarify", teammate: "a", unclear: ["Status", "D-1"], impact: "" },
    "a did not understand §Status, §D-1",
    "a 이해하지 못함: §Status, §D-1",
  ],
  [
    { type: "clarify", teammate: "a", unclear: [], impact: "all of it" },
    "a did not understand all of it",
    "a 이해하지 못함: all of it",
  ],
  [
    { type: "requested", teammate: "a", sections: ["Status", "D-1"] },
    "a asks for §Status, §D-1",
    "a 요청: §Status, §D-1",
  ],
  [
    { type: "requested", teammate: "a", sections: [] },
    "a asks for the full context",
    "a 요청: 전체 컨텍스트",
  ],
  [
    { type: "timeout", teammate: "a", version: 4, tries: 2 },
    "no answer from a to v4 (message 2)",
    "a v4에 응답 없음 (2번째 메시지)",
  ],
  [
    { type: "timeout", teammate: "a", version: 4, tries: 2, serial: 9 },
    "no answer from a to v4 (#9)",
    "a v4에 응답 없음 (#9)",
  ],
  [
    { type: "silent", teammate: "a", version: 4 },
    "a does not answer; v4 waits until it is heard of",
    "a 응답하지 않음; 소식이 있을 때까지 v4 보류",
  ],
  [{ type: "up-to-date", teammate: "a", version: 4 }, "a holds v4 already", "a 이미 v4 보유"],
  [
    { type: "up-to-date", teammate: "a", version: 4, keptBack: 5 },
    "a holds v4; v5 goes out after the gate",
    "a v4 보유; v5는 게이트가 끝난 뒤 전송",
  ],
  [
    { type: "withheld", teammate: "a", why: "gate" },
    "nothing for a: a gate is being judged",
    "a에게 보낼 것 없음: 게이트 판정 중",
  ],
  [
    { type: "frozen", gate: "P1", version: 4, waitsFor: ["a", "b"] },
    "gate P1 freezes v4; waits for a, b",
    "게이트 P1: v4 고정; 대기: a, b",
  ],
  [
    { type: "frozen", gate: "P1", version: 4, waitsFor: [] },
    "gate P1 freezes v4; waits for nobody",
    "게이트 P1: v4 고정; 대기: 없음",
  ],
  [
    { type: "gate-ready", gate: "P1", version: 4, stale: ["a", "b"] },
    "gate P1 can be judged on v4; stale: a, b",
    "게이트 P1: v4 판정 가능; 뒤처짐: a, b",
  ],
  [
    { type: "gate-ready", gate: "P1", version: 4, stale: [] },
    "gate P1 can be judged on v4",
    "게이트 P1: v4 판정 가능",
  ],
  [{ type: "unfrozen", gate: "P1" }, "gate P1 is over", "게이트 P1 종료"],
  [
    { type: "forgotten", teammates: 12 },
    "12 teammates of earlier runs forgotten",
    "이전 실행에서 끝난 팀원 12명의 기록을 지움",
  ],
];

const WHYS = [
  ["context-lost", "its context was lost", "컨텍스트를 잃음"],
  ["initial-spawn", "it has just begun", "방금 시작함"],
  ["requested", "it asked for the full context", "전체 컨텍스트를 요청함"],
  [
    "version-gap",
    "more versions lie between than one delta may bridge",
    "델타 하나로 잇기에는 버전 차이가 큼",
  ],
  ["major-restructure", "the change is too large a share of the document", "문서에 비해 변경이 큼"],
  ["unclear", "it was not understood", "이해하지 못함"],
  ["injection-point", "the injection point asks for it", "주입 시점의 규칙"],
  ["base-gone", "the version it holds is no longer kept", "가지고 있는 버전이 더는 보관되지 않음"],
  ["inexact", "no delta could be proved exact", "정확성을 증명할 수 있는 델타가 없음"],
  ["next-version", "the next version", "다음 버전"],
  ["squashed", "all versions since the confirmed one", "확인된 버전 이후의 모든 버전"],
  ["asserted", "to make sure of the version", "버전 확인"],
] as const;

const VERDICTS = [
  ["confirmed", "confirmed", "확인됨"],
  ["partial", "partly understood", "일부만 이해함"],
  ["undercounted", "does not count all items", "항목 수가 모자람"],
  ["duplicate", "came twice", "중복"],
  ["older", "is older than what is confirmed", "이미 확인된 버전보다 오래됨"],
  ["unproven", "proves nothing", "증명 없음"],
  ["forged", "contradicts the version", "버전과 맞지 않음"],
  ["overcounted", "counts more than there is", "항목 수가 실제보다 많음"],
  ["never-sent", "answers what was never sent", "보낸 적 없는 버전"],
  ["old-attempt", "answers what was sent before the loss", "컨텍스트를 잃기 전의 메시지에 대한 응답"],
  ["old-session", "comes from another session", "다른 세션에서 옴"],
  ["other-label", "is for another document", "다른 문서에 대한 응답"],
  ["ended", "comes after the end", "이미 떠난 팀원"],
  ["unknown-teammate", "comes from a stranger", "모르는 팀원"],
] as const;

const WITHHELD = [
  ["gate", "a gate is being judged", "게이트 판정 중"],
  ["answered", "the answer is on its way", "답이 이미 전송됨"],
  ["silent", "it does not answer", "응답이 없음"],
  ["ended", "it is not in the team", "팀에 없음"],
  ["fetches", "it comes for its updates", "직접 가져가는 팀원"],
] as const;

const REFUSED = [
  ["same-section", "거부됨 (same-section): v3 이후 양쪽이 §상태, §A 변경"],
  ["unknown-base", "거부됨 (unknown-base): v3의 내용이 보관되지 않음, 최신 버전을 먼저 읽어야 함"],
  ["not-unicode", "거부됨 (not-unicode): 올바른 유니코드가 아님"],
  ["too-large", "거부됨 (too-large): 문서가 너무 큼"],
  ["name", "거부됨 (name): 팀원 이름으로 쓸 수 없음: b"],
] as const;

const LOST = [
  ["compaction", "a 컨텍스트를 잃음: 압축됨"],
  ["resume", "a 컨텍스트를 잃음: 이어서 시작함"],
  ["restart", "a 컨텍스트를 잃음: 다시 시작함"],
  ["reported", "a 컨텍스트를 잃음: 스스로 알림"],
] as const;

const line = (event: SyncEvent, locale: "en" | "ko" = "en"): string => syncLogLine("GC", event, locale);

describe("the message log, to the letter", () => {
  it.each(LINES)("[SF5] %j", (event, english, korean) => {
    expect(line(event)).toBe(`[SYNC] GC: ${english}`);
    expect(line(event, "ko")).toBe(`[SYNC] GC: ${korean}`);
  });

  it.each(WHYS)("[SF5] a message that is sent because of %s: %s, %s", (why, english, korean) => {
    const event: SyncEvent = { type: "sent", teammate: "a", session: "s", ...SENT, why };
    expect(line(event).endsWith(`tokens): ${english}`)).toBe(true);
    expect(line(event, "ko").endsWith(`토큰): ${korean}`)).toBe(true);
  });

  it.each(VERDICTS)("[SF5] an answer that is %s: %s, %s", (verdict, english, korean) => {
    const event: SyncEvent = { type: "acked", teammate: "a", version: 1, verdict, message: "m" };
    expect(line(event)).toBe(`[SYNC] GC: acknowledgement of v1 by a ${english}: m`);
    expect(line(event, "ko")).toBe(`[SYNC] GC: a의 v1 응답: ${korean}`);
  });

  it.each(WITHHELD)("[SF5] nothing is sent because of %s: %s, %s", (why, english, korean) => {
    const event: SyncEvent = { type: "withheld", teammate: "a", why };
    expect(line(event)).toBe(`[SYNC] GC: nothing for a: ${english}`);
    expect(line(event, "ko")).toBe(`[SYNC] GC: a에게 보낼 것 없음: ${korean}`);
  });

  it.each(REFUSED)("[SF5] a refusal in Korean, %s: %s", (reason, korean) => {
    const clashes = ["상태", "A"].map(section => ({ section, current: "", published: "" }));
    const event: SyncEvent = { type: "refused", by: "b", reason, message: "m", base: 3, clashes };
    expect(line(event, "ko")).toBe(`[SYNC] GC: ${korean}`);
  });

  it.each(LOST)("[SF5] a loss in Korean, %s: %s", (cause, korean) => {
    expect(line({ type: "lost", teammate: "a", cause }, "ko")).toBe(`[SYNC] GC: ${korean}`);
  });
});
