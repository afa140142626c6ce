import type { PartKind, PartReason } from "../../../assembly/index.ts";
import type { Locale } from "../../../text/index.ts";
import { particle, withParticle } from "../../../text/index.ts";

/** What the views of the context tree and of receipts say, in one language. Arguments are already safe to show. */
export interface TreeWords {
  readonly title: string;
  readonly status: Readonly<Record<"active" | "completed" | "abandoned" | "merged", string>>;
  readonly filledBy: string;
  readonly notReady: string;
  readonly readBy: string;
  readonly tokens: (count: number) => string;
  readonly withdrawn: string;
  readonly notYet: string;
  readonly shared: string;
  readonly noTree: string;
  readonly kinds: Readonly<Record<PartKind, string>>;
  readonly reasons: Readonly<Record<PartReason, string>>;
  readonly receipt: (attempt: string, node: string, tokens: number, limit: number) => string;
  readonly prefix: (tokens: number, share: number) => string;
  readonly handsOn: (tokens: number, stage: string) => string;
  readonly out: string;
  /** Which limit kept a text from being given whole. */
  readonly whole: (tokens: number) => string;
  readonly asked: (times: number) => string;
  readonly cited: (against: boolean) => string;
  readonly live: (acknowledged: boolean) => string;
  readonly noReceipt: (attempt: string) => string;
  readonly noReceiptHint: string;
  readonly reverted: (attempt: string, labels: string) => string;
  readonly nothingToRevert: (attempt: string) => string;
  readonly badAttempt: (text: string) => string;
  readonly badAttemptHint: string;
}

const ENGLISH: TreeWords = {
  title: "Context tree",
  status: { active: "", completed: "completed", abandoned: "abandoned", merged: "merged" },
  filledBy: "filled by",
  notReady: "being prepared",
  readBy: "read by",
  tokens: count => `${count} ${count === 1 ? "token" : "tokens"}`,
  withdrawn: "taken back",
  notYet: "not published yet",
  shared: "shared",
  noTree: "no context tree: declare one in a section ## Context, or under context.tree in espalier.yaml",
  kinds: {
    role: "role",
    heading: "heading",
    document: "document",
    update: "update",
    result: "result",
    attempt: "attempt",
    task: "task",
  },
  reasons: {
    given: "",
    "longer-than-a-document-may-be": "longer than a document may be",
    "longer-than-a-result-may-be": "longer than a result may be",
    "no-room": "no room was left",
    "stage-level": "its stage hands on no more",
    "earlier-run": "completed in an earlier run, of which this was kept",
    "further-back": "no direct dependency: what it handed over",
    compression: "compression: the window is four fifths full",
    "same-text": "the same text as",
    unreadable: "could not be read",
    "older-attempt": "older: only how it ended",
  },
  receipt: (attempt, node, tokens, limit) => `${attempt} read ${node}: ${tokens} of ${limit} tokens`,
  prefix: (tokens, share) => `${tokens} tokens (${share} %) begin as the last package of its kind did`,
  handsOn: (tokens, stage) =>
    `may hand on ${tokens} tokens of its answer${stage === "" ? "" : ` (${stage})`}`,
  out: "out",
  whole: tokens => `whole: ${tokens}`,
  cited: against => (against ? "called wrong in its answer" : "cited in its answer"),
  asked: times => (times === 1 ? "asked for while it ran" : `asked for while it ran, ${times} times`),
  live: acknowledged => (acknowledged ? "while it ran, acknowledged" : "while it ran, not acknowledged"),
  noReceipt: attempt => `there is no receipt of ${attempt}`,
  noReceiptHint: "espalier status lists the tasks; a receipt is written when an attempt begins",
  reverted: (attempt, labels) => `${attempt}: taken back ${labels}`,
  nothingToRevert: attempt => `${attempt} added nothing that is still there`,
  badAttempt: text => `"${text}" names no attempt`,
  badAttemptHint: "write TASK#NUMBER, such as T1.2#1",
};

const KOREAN: TreeWords = {
  title: "컨텍스트 트리",
  status: { active: "", completed: "완료", abandoned: "포기", merged: "병합" },
  filledBy: "준비",
  notReady: "준비 중",
  readBy: "참조",
  tokens: count => `${count} 토큰`,
  withdrawn: "회수됨",
  notYet: "아직 게시되지 않음",
  shared: "공유",
  noTree: "컨텍스트 트리가 없습니다: ## Context 절 또는 espalier.yaml의 context.tree에 선언하세요",
  kinds: {
    role: "역할",
    heading: "제목",
    document: "문서",
    update: "변경",
    result: "결과",
    attempt: "시도",
    task: "태스크",
  },
  reasons: {
    given: "",
    "longer-than-a-document-may-be": "문서 한도 초과",
    "longer-than-a-result-may-be": "결과 한도 초과",
    "no-room": "남은 공간 없음",
    "stage-level": "단계의 압축 수준까지만 전달",
    "earlier-run": "이전 실행에서 완료, 남아 있는 요약",
    "further-back": "직접 선행 태스크가 아님: 인계 내용만",
    compression: "압축: 출력 예산의 80 % 이상 사용",
    "same-text": "다음과 같은 내용",
    unreadable: "읽을 수 없음",
    "older-attempt": "이전 시도: 종료 사유만",
  },
  receipt: (attempt, node, tokens, limit) => `${attempt} ← ${node}: ${tokens}/${limit} 토큰`,
  prefix: (tokens, share) => `${tokens} 토큰 (${share} %)이 같은 종류의 직전 패키지와 동일하게 시작`,
  handsOn: (tokens, stage) => `답변 가운데 ${tokens} 토큰까지 전달${stage === "" ? "" : ` (${stage})`}`,
  out: "제외",
  whole: tokens => `전체: ${tokens}`,
  cited: against => (against ? "답변에서 틀렸다고 함" : "답변에서 인용함"),
  asked: times => (times === 1 ? "실행 중 요청함" : `실행 중 ${times}회 요청함`),
  live: acknowledged => (acknowledged ? "실행 중 전달, 확인됨" : "실행 중 전달, 확인 없음"),
  noReceipt: attempt => `${attempt}의 수령 내역이 없습니다`,
  noReceiptHint: "espalier status로 태스크를 확인하세요. 내역은 시도가 시작될 때 기록됩니다",
  reverted: (attempt, labels) => `${attempt}: 회수 ${labels}`,
  nothingToRevert: attempt => `${withParticle(attempt, "이/가")} 추가한 문서가 남아 있지 않습니다`,
  badAttempt: text => `"${text}"${particle(text, "은/는")} 시도를 가리키지 않습니다`,
  badAttemptHint: "T1.2#1처럼 태스크#번호로 쓰세요",
};

/** The words of a language. */
export function treeWords(locale: Locale): TreeWords {
  return locale === "ko" ? KOREAN : ENGLISH;
}
