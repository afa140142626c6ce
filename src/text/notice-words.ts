import type { RunOutcome } from "../ports/index.ts";
import { duration } from "./duration.ts";
import type { Locale } from "./messages.ts";
import { withParticle } from "./particle.ts";

/** What notices are made of, in one language, as document 004 (section 10.2) draws them. Arguments are safe to show. */
export interface NoticeWords {
  readonly project: string;
  readonly completed: string;
  readonly took: string;
  readonly task: string;
  readonly reason: string;
  readonly wants: string;
  readonly goOn: string;
  readonly branch: string;
  readonly ready: string;
  readonly run: Readonly<Record<RunOutcome, string>>;
  readonly emergency: string;
  readonly asked: (task: string) => string;
  readonly paused: (task: string) => string;
  readonly approval: string;
  readonly wanted: (commands: number) => string;
  readonly budget: string;
  readonly quota: string;
  /** `until` is a time as people read it; absent where nobody knows. */
  readonly waits: (tasks: number, until: string | undefined) => string;
  readonly phaseRefused: (phase: string) => string;
  readonly phaseGated: (phase: string) => string;
  readonly phaseEnded: (phase: string, completed: number, counted: number) => string;
  readonly phaseReady: (phase: string) => string;
  readonly test: string;
  readonly reached: string;
  /** Several things that wait for a person. */
  readonly several: (count: number) => string;
  readonly more: (count: number) => string;
  readonly share: (completed: number, of: number) => string;
  readonly counts: (unverified: number, failed: number, paused: number) => readonly string[];
  readonly time: (ms: number) => string;
  readonly tokens: (tokens: string) => string;
}

/** A part is told where there is something to count. */
function counted(...parts: readonly (readonly [count: number, text: string])[]): readonly string[] {
  return parts.flatMap(([count, text]) => (count === 0 ? [] : [text]));
}

const ENGLISH: NoticeWords = {
  project: "Project",
  completed: "Completed",
  took: "Took",
  task: "Task",
  reason: "Why",
  wants: "Wants to",
  goOn: "Go on",
  branch: "Branch",
  ready: "Ready to merge",
  run: {
    completed: "🎉 All done!",
    failed: "❌ Ended with failed tasks",
    waiting: "⏸ Waiting for you",
    interrupted: "⏹ Interrupted",
  },
  emergency: "🚨 The run broke off; its state is saved",
  asked: task => `⏸ ${task} waits for a permission`,
  paused: task => `⏸ ${task} waits for you`,
  approval: "⏸ Nothing starts before you approve it",
  wanted: commands => (commands === 1 ? "1 command is new" : `${commands} commands are new`),
  budget: "⏸ The budget is spent",
  quota: "⏳ All agents are out of quota",
  waits: (tasks, until) =>
    `${tasks === 1 ? "1 task waits" : `${tasks} tasks wait`}${until === undefined ? "" : ` until ${until}`}; goes on by itself`,
  phaseRefused: phase => `⏸ Phase ${phase} cannot end`,
  phaseGated: phase => `⏸ Too little of phase ${phase} completed`,
  phaseEnded: (phase, completed, counted) =>
    completed === counted
      ? `🎉 Phase ${phase} done!`
      : `Phase ${phase} ended, ${completed} of ${counted} completed`,
  phaseReady: phase => `🔀 Phase ${phase} is ready to merge`,
  test: "🔔 A test of Espalier's notices",
  reached: "they arrive here",
  several: count => `⏸ ${count} things wait for you`,
  more: count => `${count} more`,
  share: (completed, of) => (completed === of ? String(completed) : `${completed} of ${of}`),
  counts: (unverified, failed, paused) =>
    counted(
      [unverified, `${unverified} unverified`],
      [failed, `${failed} failed`],
      [paused, `${paused} paused`],
    ),
  time: duration,
  tokens: tokens => `${tokens} tokens`,
};

/** `45분`, `1시간 5분`, `12초`. */
function koreanTime(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds}초`;
  const minutes = Math.round(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes}분` : `${hours}시간 ${minutes % 60}분`;
}

const KOREAN: NoticeWords = {
  project: "프로젝트",
  completed: "완료",
  took: "소요",
  task: "태스크",
  reason: "이유",
  wants: "요청",
  goOn: "계속하려면",
  branch: "브랜치",
  ready: "병합 대기",
  run: {
    completed: "🎉 전체 완료!",
    failed: "❌ 실패한 태스크와 함께 종료",
    waiting: "⏸ 사용자 확인 대기",
    interrupted: "⏹ 중단됨",
  },
  emergency: "🚨 실행이 비정상 종료됨 (상태는 저장됨)",
  asked: task => `⏸ ${withParticle(task, "이/가")} 허가를 기다림`,
  paused: task => `⏸ ${withParticle(task, "이/가")} 사용자 확인을 기다림`,
  approval: "⏸ 승인하기 전에는 아무것도 시작하지 않음",
  wanted: commands => `새 명령 ${commands}개`,
  budget: "⏸ 예산 소진",
  quota: "⏳ 모든 에이전트의 할당량 소진",
  waits: (tasks, until) =>
    `태스크 ${tasks}개 대기${until === undefined ? "" : ` (${until}까지)`}, 자동으로 재개됨`,
  phaseRefused: phase => `⏸ 단계 ${phase} 종료 불가`,
  phaseGated: phase => `⏸ 단계 ${phase} 성공률 기준 미달`,
  phaseEnded: (phase, completed, counted) =>
    completed === counted
      ? `🎉 Phase ${phase} 완료!`
      : `Phase ${phase} 종료, ${counted}개 중 ${completed}개 완료`,
  phaseReady: phase => `🔀 단계 ${phase} 병합 대기`,
  test: "🔔 Espalier 알림 테스트",
  reached: "여기로 알림이 옵니다",
  several: count => `⏸ 사용자 확인 대기 ${count}건`,
  more: count => `그 밖에 ${count}건`,
  share: (completed, of) => (completed === of ? `${completed}개` : `${of}개 중 ${completed}개`),
  counts: (unverified, failed, paused) =>
    counted(
      [unverified, `미검증 ${unverified}개`],
      [failed, `실패 ${failed}개`],
      [paused, `일시 중지 ${paused}개`],
    ),
  time: koreanTime,
  tokens: tokens => `${tokens} 토큰`,
};

/** The words of a language. */
export function noticeWords(locale: Locale): NoticeWords {
  return locale === "ko" ? KOREAN : ENGLISH;
}
