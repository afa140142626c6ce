import { toldText, withParticle } from "../text/index.ts";
import type { PointId } from "./points.ts";
import type { SyncEvent, Verdict } from "./protocol.ts";
import type { MessageForm, Why } from "./state.ts";

const WHY: Readonly<Record<Why, string>> = {
  "context-lost": "컨텍스트를 잃음",
  "initial-spawn": "방금 시작함",
  requested: "전체 컨텍스트를 요청함",
  "version-gap": "델타 하나로 잇기에는 버전 차이가 큼",
  "major-restructure": "문서에 비해 변경이 큼",
  unclear: "이해하지 못함",
  "injection-point": "주입 시점의 규칙",
  "base-gone": "가지고 있는 버전이 더는 보관되지 않음",
  inexact: "정확성을 증명할 수 있는 델타가 없음",
  "next-version": "다음 버전",
  squashed: "확인된 버전 이후의 모든 버전",
  asserted: "버전 확인",
};

const FORM: Readonly<Record<MessageForm, string>> = {
  delta: "델타",
  sections: "섹션",
  full: "전체",
  restated: "다시 보낸 섹션",
  version: "버전",
};

const VERDICT: Readonly<Record<Verdict, string>> = {
  confirmed: "확인됨",
  partial: "일부만 이해함",
  undercounted: "항목 수가 모자람",
  duplicate: "중복",
  older: "이미 확인된 버전보다 오래됨",
  unproven: "증명 없음",
  forged: "버전과 맞지 않음",
  overcounted: "항목 수가 실제보다 많음",
  "never-sent": "보낸 적 없는 버전",
  "old-attempt": "컨텍스트를 잃기 전의 메시지에 대한 응답",
  "old-session": "다른 세션에서 옴",
  "other-label": "다른 문서에 대한 응답",
  ended: "이미 떠난 팀원",
  "unknown-teammate": "모르는 팀원",
};

const WITHHELD = {
  gate: "게이트 판정 중",
  answered: "답이 이미 전송됨",
  silent: "응답이 없음",
  ended: "팀에 없음",
  fetches: "직접 가져가는 팀원",
  large: "대기 중인 변경이 도구 응답에 담기에는 큼",
} as const;

const POINT: Readonly<Record<PointId, string>> = {
  "IP-001": "처음 시작",
  "IP-002": "진행 중 지시",
  "IP-003": "인터페이스 변경",
  "IP-004": "아키텍처 변경",
  "IP-005": "잃은 컨텍스트 복구",
  "IP-006": "팀원 교체",
  "IP-007": "계획 승인 또는 거부",
  "IP-008": "이탈 교정",
  "IP-009": "단계 공지",
  "IP-010": "팀 기억 전달",
};

const PROOF = { hash: "해시로", read: "읽은 내용으로", word: "말로", given: "첫 메시지에 있음" } as const;

const CAUSE: ReadonlyMap<string, string> = new Map([
  ["compaction", "압축됨"],
  ["resume", "이어서 시작함"],
  ["restart", "다시 시작함"],
  ["reported", "스스로 알림"],
]);

/** How a version was confirmed, or why it was not. */
function reasonOf({ proof, said }: Extract<SyncEvent, { type: "acked" }>): string {
  if (proof !== undefined) return ` (${PROOF[proof]})`;
  return said === undefined ? "" : `: ${toldText(said, "ko")}`;
}

function refusal({ reason, base, by, clashes }: Extract<SyncEvent, { type: "refused" }>): string {
  switch (reason) {
    case "same-section":
      return `v${base ?? "?"} 이후 양쪽이 ${clashes.map(clash => `§${clash.section}`).join(", ")} 변경`;
    case "unknown-base":
      return `v${base ?? "?"}의 내용이 보관되지 않음, 최신 버전을 먼저 읽어야 함`;
    case "not-unicode":
      return "올바른 유니코드가 아님";
    case "too-large":
      return "문서가 너무 큼";
    case "name":
      return `팀원 이름으로 쓸 수 없음: ${by}`;
    default:
      return reason satisfies never;
  }
}

/** What happened, as a Korean sentence. */
export function koreanSentence(event: SyncEvent): string {
  switch (event.type) {
    case "published": {
      const merged = event.mergedFrom === undefined ? "" : `, v${event.mergedFrom}에서 병합`;
      const later = event.later.length === 0 ? "" : `; 다음 태스크에서: ${event.later.join(", ")}`;
      return `v${event.version} ${event.hash} 게시 (${event.by || "?"})${merged}; 지금: ${event.now.join(", ") || "없음"}${later}`;
    }
    case "unchanged":
      return `변경 없음, 그대로 v${event.version}`;
    case "refused":
      return `거부됨 (${event.reason}): ${refusal(event)}`;
    case "joined":
      return `${event.teammate} 합류${event.replaces === undefined ? "" : ` (${event.replaces} 대신)`}`;
    case "left":
      return `${event.teammate} 떠남`;
    case "injected":
      return `${event.point} (${POINT[event.point]}): ${event.teammates.join(", ")}`;
    case "lost":
      return `${event.teammate} 컨텍스트를 잃음: ${CAUSE.get(event.cause) ?? event.cause}`;
    case "sent": {
      const step = event.from === undefined ? `v${event.version}` : `v${event.from} → v${event.version}`;
      return `${event.teammate}에게 ${step} 전송, ${FORM[event.form]} (#${event.serial}, ${event.tokens} 토큰): ${WHY[event.why]}${event.point === undefined ? "" : `, ${event.point}`}`;
    }
    case "acked":
      return `${event.teammate}의 v${event.version} 응답: ${VERDICT[event.verdict]}${reasonOf(event)}`;
    case "paused":
      return `${event.teammate} 사용자 확인 요청: ${event.impact}`;
    case "clarify":
      return `${event.teammate} 이해하지 못함: ${event.unclear.map(ref => `§${ref}`).join(", ") || event.impact}`;
    case "requested":
      return `${event.teammate} 요청: ${event.sections.map(ref => `§${ref}`).join(", ") || "전체 컨텍스트"}`;
    case "timeout":
      return `${event.teammate} v${event.version}에 응답 없음 (${event.serial === undefined ? `${event.tries}번째 메시지` : `#${event.serial}`})`;
    case "silent":
      return `${event.teammate} 응답하지 않음; 소식이 있을 때까지 v${event.version} 보류`;
    case "up-to-date":
      return event.keptBack === undefined
        ? `${event.teammate} 이미 v${event.version} 보유`
        : `${event.teammate} v${event.version} 보유; v${withParticle(`${event.keptBack}`, "은/는")} 게이트가 끝난 뒤 전송`;
    case "withheld":
      return `${event.teammate}에게 보낼 것 없음: ${WITHHELD[event.why]}`;
    case "frozen":
      return `게이트 ${event.gate}: v${event.version} 고정; 대기: ${event.waitsFor.join(", ") || "없음"}`;
    case "gate-ready":
      return `게이트 ${event.gate}: v${event.version} 판정 가능${event.stale.length === 0 ? "" : `; 뒤처짐: ${event.stale.join(", ")}`}`;
    case "unfrozen":
      return `게이트 ${event.gate} 종료`;
    case "forgotten":
      return `이전 실행에서 끝난 팀원 ${event.teammates}명의 기록을 지움`;
    default:
      return event satisfies never;
  }
}
