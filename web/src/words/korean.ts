import { KOREAN_OVERVIEW } from "./overview-korean.ts";
import { KOREAN_PAGES } from "./pages-korean.ts";
import { field, type Words } from "./words.ts";

const OUTCOME: Readonly<Record<string, string>> = {
  completed: "완료",
  failed: "실패",
  waiting: "사용자 확인 대기",
  interrupted: "중단됨",
};

const WANTS: Readonly<Record<string, string>> = {
  edit: "편집 요청:",
  execute: "실행 요청:",
  fetch: "내려받기 요청:",
  read: "읽기 요청:",
};

function happening(type: string, fields: Readonly<Record<string, unknown>>): string {
  const get = (name: string) => field(fields, name);
  switch (type) {
    case "run-started":
      return fields["resumed"] === true ? "실행 재개" : `실행 시작: 태스크 ${get("tasks")}개`;
    case "run-ended":
      return `실행 종료: ${OUTCOME[get("outcome")] ?? get("outcome")}${get("reason") === "" ? "" : ` (${get("reason")})`}`;
    case "phase-started":
      return `단계 ${get("phase")} 시작`;
    case "phase-ended":
      return `단계 ${get("phase")} 종료, ${get("counted")}개 중 ${get("completed")}개 완료`;
    case "phase-gated":
      return `단계 ${get("phase")}: ${get("counted")}개 중 ${get("completed")}개만 완료, 다음 단계는 사용자 확인 대기`;
    case "phase-forced":
      return `단계 ${get("phase")} 강제 시작`;
    case "dispatched":
      return fields["retry"] === true ? `다시 실행: ${get("tasks")}` : `실행: ${get("tasks")}`;
    case "completed":
      return `${fields["verified"] === true ? "완료, 검증됨" : "완료, 미검증"}${get("reason") === "" ? "" : `, ${get("reason")}`}`;
    case "attempt-failed":
      return `시도 ${get("retries")}/${get("maxAttempts")} 실패: ${get("reason")}`;
    case "retry-scheduled":
      return `${Math.round(Number(fields["inMs"]) / 100) / 10}초 후 재시도`;
    case "failed":
      return `실패, 재시도 소진: ${get("reason")}`;
    case "blocked":
      return `차단됨 ← ${get("by")}`;
    case "unblocked":
      return "차단 해제";
    case "paused":
      return `일시 중지: ${get("reason")}`;
    case "waiting":
      return `${get("agent")} 할당량 소진`;
    case "person":
      return `${KOREAN.action[get("action") as keyof Words["action"]] ?? get("action")}${get("note") === "" ? "" : `: ${get("note")}`}`;
    case "asked":
      return `${WANTS[get("kind")] ?? "도구 사용 요청:"} ${get("title")}`;
    case "answered":
      return `요청 ${fields["allowed"] === true ? "허용" : "거부"}${get("by") === "" ? ": 답변 없음" : ""}`;
    case "attempt-started":
      return `시도 ${get("attempt")} 시작: ${get("agent")}`;
    case "verify-started":
      return `검증 실행: ${get("command")}`;
    case "permission":
      return `${get("answer") === "allowed" ? "허용" : "거부"}: ${get("title")}`;
    case "foreign-signal":
      return "다른 태스크나 시도에 대한 보고이므로 세지 않음";
    case "agent-found":
      return `에이전트 ${get("agent")} ${get("version")} 준비됨`;
    case "plan-changed":
      if (get("asked") !== "") return `조사: ${get("asked")}`;
      return `태스크 파일 변경: 추가 ${get("added")}, 삭제 ${get("removed")}, 수정 ${get("changed")}`;
    case "warning":
      return `${get("code")}: ${get("message")}`;
    case "saturation":
      return `리드 컨텍스트 사용량 ${get("percent")} %`;
    case "phase-merged":
      return `단계 ${get("phase")} → ${get("into")} 병합`;
    case "phase-left":
      return get("branch") === ""
        ? `단계 ${get("phase")}: 별도 브랜치에 남겼으나 지금은 없음`
        : `단계 ${get("phase")}: ${get("branch")} 브랜치에 남김 (${get("how")})`;
    case "phase-refused":
      return `단계 ${get("phase")} 병합 불가: ${get("reason")}`;
    case "conflict":
      return `작업 충돌: ${get("reason") || get("files")}`;
    case "reviewed":
      return `${get("by")} 검토 ${get("round")}회: ${get("verdict") === "approved" ? "승인" : "지적 있음"}`;
    case "joined":
      return `다른 작업이 넣은 줄과 함께 담음: ${get("files")}`;
    case "checkpoint":
      return `체크포인트 ${get("id")}${get("action") === "resumed" ? "에서 시작" : ""}: ${get("why")}`;
    case "run-held":
      return "새 태스크 시작 보류";
    case "run-released":
      return "보류 해제";
    case "stopping":
      return "중단 중: 에이전트를 종료합니다";
    default:
      return type;
  }
}

const STATUS: Words["status"] = {
  pending: "대기",
  ready: "준비",
  in_progress: "실행 중",
  completed: "완료",
  failed: "실패",
  blocked: "차단",
  paused: "일시 중지",
  waiting: "할당량 대기",
  cancelled: "취소",
  skipped: "건너뜀",
};

/** What the page says, in Korean. */
export const KOREAN: Words = {
  locale: "ko",
  status: STATUS,
  stand: { ...STATUS, completed: "검증됨", unverified: "미검증", stale: "오래된 컨텍스트" },
  run: {
    running: "실행 중",
    completed: "완료",
    failed: "실패한 태스크 있음",
    waiting: "사용자 확인 대기",
    interrupted: "중단됨",
  },
  outcome: {
    running: "실행 중",
    done: "완료",
    failed: "실패",
    "no-signal": "신호 없음",
    unproven: "검증 실패",
    cancelled: "취소됨",
    crashed: "끊김",
  },
  view: {
    overview: "개요",
    graph: "그래프",
    review: "검토",
    context: "컨텍스트",
    budget: "예산",
    timeline: "타임라인",
  },
  action: {
    retry: "재시도",
    skip: "건너뛰기",
    done: "완료 처리",
    pause: "일시 중지",
    resume: "재개",
    cancel: "포기",
    "send-back": "돌려보내기",
    approve: "승인",
  },
  why: {
    retry: "처음부터 다시 시도",
    skip: "건너뛰고 진행; 후속 태스크는 완료로 간주",
    done: "사용자 판단으로 완료 처리 (미검증)",
    pause: "중지하고 보류",
    resume: "다시 진행",
    cancel: "포기; 후속 태스크는 차단",
    "send-back": "메모에 적은 것을 에이전트가 고칩니다. 가능하면 같은 세션에서 이어서 합니다",
    approve: "살펴보고 좋다고 승인합니다. 승인한 사람의 이름과 함께 검증으로 남습니다",
  },
  phase: label => `단계 ${label}`,
  held: "보류 중",
  hold: "보류",
  holdWhy: "새 태스크를 시작하지 않음; 실행 중인 태스크는 계속",
  release: "계속",
  stop: "중단",
  stopNow: "즉시 중단",
  stopAsk:
    "실행을 중단할까요? 에이전트를 종료하고 태스크를 준비 상태로 되돌립니다. espalier resume으로 재개합니다.",
  force: phase => `단계 ${phase} 시작`,
  forceWhy: "이전 단계의 완료 수가 부족하지만 다음 단계를 시작",
  cancel: "취소",
  asks: "에이전트의 요청",
  wants: kind => WANTS[kind] ?? "도구 사용 요청:",
  allow: "허가",
  reject: "거부",
  close: "닫기",
  note: "메모",
  noteHint: "돌려보낼 때는 바꿀 내용, 그 밖에는 기록할 사유",
  whatTheyDo: "각 버튼이 하는 일",
  allDone: count => `${count}개 모두 처리했습니다`,
  unsent: "이전에 쓰던 초안입니다. 아직 보내지 않았습니다.",
  sending: "보내는 중…",
  rests: "실행 중 아님",
  restsHint:
    "실행 중인 프로세스가 없습니다. 여기서 내린 결정은 저장되며, ‘실행 재개’로 실행을 다시 시작합니다.",
  goOn: "실행 재개",
  goOnWhy: "espalier resume처럼 실행을 다시 시작합니다",
  line: {
    connecting: "연결 중…",
    live: "실시간",
    lost: "연결 끊김",
    denied: "접속 만료",
    keyless: "접속 키 없음",
  },
  lostHint: "대시보드가 응답하지 않습니다. 마지막으로 받은 상태이며 다시 연결을 시도합니다.",
  silent: "대시보드가 응답하지 않습니다.",
  deniedHint: {
    owner:
      "대시보드가 다시 시작되어 이 탭의 접속 키가 더 이상 맞지 않습니다. 그때 새로 출력된 링크 전체를 여세요.",
    device:
      "이 기기의 접속이 끝났습니다. 12시간이 지났거나 접속이 해제되었거나 대시보드가 다시 시작되었습니다. 새 코드를 입력하세요.",
    link: "이 링크로는 더 이상 실행을 볼 수 없습니다. 기한이 지났거나 해제되었거나 대시보드가 다시 시작되었습니다. 링크를 공유한 사람에게 새 링크를 요청하세요.",
  },
  keylessHint:
    "이 탭에는 대시보드의 접속 키가 없습니다. 링크 끝의 #token=… 없이 열었거나 탭을 복사한 경우입니다. 터미널에 출력된 링크 전체를 여세요. espalier dashboard를 실행하면 언제든 새 링크가 출력됩니다.",
  problem: "상태를 읽을 수 없음",
  loading: "불러오는 중…",
  nothing: "아직 없습니다.",

  search: "태스크 검색",
  fit: "맞춤",
  opensCard: "Enter나 스페이스로 태스크를 엽니다",
  zoomIn: "확대",
  zoomOut: "축소",
  asGraph: "그래프",
  asList: "목록",
  expandAll: "모든 단계 펼치기",
  collapseAll: "모든 단계 접기",
  expand: "단계 펼치기",
  collapse: "단계 접기",
  all: "전체",
  filter: "상태별 필터",
  critical: "임계 경로",
  theme: "밝게 또는 어둡게",
  language: "English",
  doneOf: (done, total) => `${total}개 중 ${done}개 완료`,
  ofAll: total => `/ ${total} 완료`,
  tasks: count => `태스크 ${count}개`,
  more: count => `외 ${count}개`,
  tokens: "토큰",
  cost: "비용",
  elapsed: "시간",
  state: "상태",
  skip: "본문으로",
  views: "화면",
  keys: "키보드",
  keysOf: {
    "?": "이 도움말",
    "1 – 6": "탭 순서대로 화면 이동",
    "/": "검색 (검색할 것이 있는 화면에서)",
    enter: "초점이 있는 항목 열기, 또는 찾은 첫 태스크 열기",
    f: "그래프 전체 맞춤",
    esc: "태스크 또는 이 도움말 닫기",
    tab: "다음 항목으로 이동; 카드와 막대 포함",
  },
  keysSingle: "한 글자 키 사용 (끄면 tab, enter, esc만 동작)",
  noMatch: "조건에 맞는 태스크가 없습니다. 검색어나 상태를 줄여 보세요.",
  retry: (retries, max) => `재시도 ${retries}/${max}`,
  again: time => `${time} 재시도`,

  waitsFor: "의존",
  neededBy: "후속",
  blockedBy: task => `${task} 때문에 차단`,
  brokenRoot: "차단 원인",
  attempts: "시도",
  attempt: number => `시도 ${number}`,
  noAttempts: "아직 없음.",
  older: count => `이전 ${count}개는 표시하지 않음`,
  evidence: "검증 결과",
  feedback: "다음 시도에 전달",
  finalMessage: "마지막 메시지",
  output: "출력",
  showOutput: "출력 보기",
  agentNumber: number => `에이전트 ${number}`,
  cutOutput: kib => `${kib} KiB 중 마지막 64 KiB`,
  live: "실시간",
  liveEmpty: "아직 출력이 없습니다.",
  taskText: "태스크 파일 내용",
  actions: "결정",
  tell: "에이전트에게 말하기",
  tellHint: "진행 중인 턴이 끝나면 전달됨",
  tellSend: "전달",
  role: "담당",
  agent: "에이전트",
  files: "파일",
  verify: "검증",
  test: "테스트",
  script: "스크립트",
  node: "컨텍스트 노드",
  fills: "채움",
  place: "위치",
  branch: "브랜치",
  commit: "커밋",
  reason: "사유",
  receipt: "제공된 컨텍스트",
  receiptWhy: "막대 하나가 문서 또는 결과이며 길이는 토큰 수, 진할수록 상세합니다.",
  leftOut: "제외됨",
  prefix: tokens => `이전 시도와 같은 앞부분 ${tokens} 토큰`,
  ofBudget: (used, budget) => `${budget} 중 ${used} 토큰`,
  estimate: "예상",
  reviewTook: (by, amount, cost) => `${by} 검토에 ${amount} 토큰${cost === "" ? "" : `, ${cost}`}`,
  cached: "캐시",
  thought: "추론",

  overview: KOREAN_OVERVIEW,
  pages: KOREAN_PAGES,
  happening,
  timeline: "일어난 일",
  noEvents: "아직 아무 일도 없습니다.",
  by: who => `${who}`,
  commitUnread: "이 저장소에 커밋이 더 이상 없습니다.",
  changedFiles: count => `파일 ${count}개 변경`,
};
