import type { Reason, RunEvent, RunOutcome, TaskStatus } from "../../ports/index.ts";
import { type Locale, reasonText } from "../../text/index.ts";

/** What a run's checkpoints say in their own words. Arguments may be foreign: they are written as data. */
export interface ChronicleWords {
  problem(project: string, file: string): string;
  intent(file: string): string;
  state(facts: {
    phase: string;
    closed: boolean;
    done: number;
    total: number;
    counts: string;
    ended: string;
  }): string;
  /** Who declared a change of direction by hand. */
  readonly person: string;
  readonly none: { readonly decisions: string; readonly next: string };
  count(status: TaskStatus, count: number): string;
  ended(outcome: RunOutcome): string;
  readonly goingOn: string;
  readonly facts: {
    readonly file: string;
    readonly run: string;
    readonly plan: string;
    readonly branch: string;
  };
  readonly crumbs: { readonly log: string; readonly lessons: string; readonly context: string };
  readonly unverified: string;
  readonly reason: (reason: Reason | undefined) => string;
  next: {
    readonly decide: (id: string, title: string, reason: Reason | undefined) => string;
    readonly retry: (id: string, title: string, reason: Reason | undefined) => string;
    readonly finish: (id: string, title: string) => string;
    readonly start: (id: string, title: string) => string;
    readonly force: (phase: string) => string;
    readonly more: (count: number) => string;
  };
  outcome: {
    readonly completed: (verified: boolean, by: string, note?: Reason) => string;
    readonly failed: (reason: Reason) => string;
    readonly paused: (reason: Reason) => string;
    readonly phaseEnded: (completed: number, counted: number) => string;
    readonly planChanged: (event: Extract<RunEvent, { type: "plan-changed" }>) => string;
  };
  readonly actions: {
    readonly phase: string;
    readonly file: string;
    readonly research: string;
    readonly start: string;
  };
}

const ENGLISH: ChronicleWords = {
  problem: (project, file) => `${project}: carry out the tasks of ${file}.`,
  intent: file => `Work through the open tasks of ${file}, phase by phase.`,
  state: ({ phase, closed, done, total, counts, ended }) =>
    `${phase === "" ? "No phase has begun" : `Phase ${phase} ${closed ? "has ended" : "is open"}`}; ${done} of ${total} tasks are completed${counts === "" ? "" : `, ${counts}`}. ${ended}`,
  count: (status, count) => `${count} ${status.replaceAll("_", " ")}`,
  ended: outcome =>
    ({
      completed: "The run has ended: everything is done.",
      failed: "The run has ended with failed tasks.",
      waiting: "The run waits for a person.",
      interrupted: "The run was interrupted; `espalier resume` goes on.",
    })[outcome],
  person: "a person",
  none: { decisions: "None yet.", next: "Nothing is left to do." },
  goingOn: "The run is going on.",
  facts: { file: "Task file", run: "Run", plan: "Plan", branch: "Branch of phase" },
  crumbs: { log: "what happened, line by line", lessons: "what agents learned", context: "published by" },
  unverified: "unverified",
  reason: reason => reasonText(reason, "en"),
  next: {
    decide: (id, title, reason) =>
      `Decide about ${id} ${title}: ${reasonText(reason, "en")} (\`espalier task show ${id}\`)`,
    retry: (id, title, reason) =>
      `${id} ${title} failed: ${reasonText(reason, "en")} (\`espalier task retry ${id}\`)`,
    finish: (id, title) => `Finish ${id} ${title}, which is under way`,
    start: (id, title) => `${id} ${title}`,
    force: phase => `Phase ${phase} is below its gate: \`espalier resume --force-phase ${phase}\` goes on`,
    more: count => `… and ${count} more that are ready`,
  },
  outcome: {
    completed: (verified, by, note) =>
      `completed${verified ? "" : ", unverified"}${note === undefined ? "" : `, ${reasonText(note, "en")}`}${by === "agent" ? "" : ` (${by})`}`,
    failed: reason => `failed: ${reasonText(reason, "en")}`,
    paused: reason => `paused: ${reasonText(reason, "en")}`,
    phaseEnded: (completed, counted) => `${completed} of ${counted} completed`,
    planChanged: ({ added, removed, changed }) => `${added} added, ${removed} removed, ${changed} changed`,
  },
  actions: {
    phase: "the phase ended",
    file: "the task file changed",
    research: "research was asked for",
    start: "started from a checkpoint",
  },
};

const STATUS_KOREAN: Readonly<Record<TaskStatus, string>> = {
  pending: "대기",
  ready: "준비됨",
  in_progress: "진행 중",
  completed: "완료",
  failed: "실패",
  blocked: "차단됨",
  paused: "일시 중지",
  waiting: "한도 대기",
  cancelled: "취소",
  skipped: "건너뜀",
};

const KOREAN: ChronicleWords = {
  problem: (project, file) => `${project}: ${file}의 태스크를 수행합니다.`,
  intent: file => `${file}의 남은 태스크를 단계별로 진행합니다.`,
  state: ({ phase, closed, done, total, counts, ended }) =>
    `${phase === "" ? "시작한 단계가 없습니다" : `단계 ${phase} ${closed ? "종료" : "진행 중"}`}; 태스크 ${total}개 중 ${done}개 완료${counts === "" ? "" : `, ${counts}`}. ${ended}`,
  count: (status, count) => `${STATUS_KOREAN[status]} ${count}개`,
  ended: outcome =>
    ({
      completed: "실행이 끝났습니다: 모두 완료되었습니다.",
      failed: "실패한 태스크를 남기고 실행이 끝났습니다.",
      waiting: "실행이 사용자의 결정을 기다립니다.",
      interrupted: "실행이 중단되었습니다. `espalier resume`으로 이어집니다.",
    })[outcome],
  person: "사람",
  none: { decisions: "아직 없음.", next: "남은 일이 없습니다." },
  goingOn: "실행이 계속되고 있습니다.",
  facts: { file: "태스크 파일", run: "실행", plan: "계획", branch: "단계 브랜치" },
  crumbs: { log: "있었던 일의 기록", lessons: "에이전트가 배운 것", context: "게시자" },
  unverified: "미검증",
  reason: reason => reasonText(reason, "ko"),
  next: {
    decide: (id, title, reason) =>
      `${id} ${title} 결정 필요: ${reasonText(reason, "ko")} (\`espalier task show ${id}\`)`,
    retry: (id, title, reason) =>
      `${id} ${title} 실패: ${reasonText(reason, "ko")} (\`espalier task retry ${id}\`)`,
    finish: (id, title) => `진행 중인 ${id} ${title} 마치기`,
    start: (id, title) => `${id} ${title}`,
    force: phase => `단계 ${phase}의 완료 수 부족: \`espalier resume --force-phase ${phase}\`으로 계속`,
    more: count => `… 준비된 태스크 ${count}개 더`,
  },
  outcome: {
    completed: (verified, by, note) =>
      `완료${verified ? "" : ", 미검증"}${note === undefined ? "" : `, ${reasonText(note, "ko")}`}${by === "agent" ? "" : ` (${by})`}`,
    failed: reason => `실패: ${reasonText(reason, "ko")}`,
    paused: reason => `일시 중지: ${reasonText(reason, "ko")}`,
    phaseEnded: (completed, counted) => `${counted}개 중 ${completed}개 완료`,
    planChanged: ({ added, removed, changed }) => `추가 ${added}, 삭제 ${removed}, 변경 ${changed}`,
  },
  actions: {
    phase: "단계 종료",
    file: "태스크 파일 변경",
    research: "조사 요청",
    start: "체크포인트에서 시작",
  },
};

/** The words in a language. */
export function chronicleWords(locale: Locale): ChronicleWords {
  return locale === "ko" ? KOREAN : ENGLISH;
}
