import type { Notice, Reason } from "../ports/index.ts";
import { duration } from "./duration.ts";
import type { Locale } from "./messages.ts";
import { reasonText } from "./reasons/index.ts";
import { visible } from "./visible.ts";

/** A headline and what stands below it, as document 004 (section 10.2) draws it. */
interface Lines {
  readonly head: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
}

interface Words {
  readonly project: string;
  readonly completed: string;
  readonly took: string;
  readonly task: string;
  readonly reason: string;
  readonly phase: (label: string) => string;
  readonly run: Readonly<Record<Extract<Notice, { kind: "run-ended" }>["outcome"], string>>;
  readonly stuck: string;
  readonly asked: string;
  readonly wants: string;
  readonly answer: string;
  readonly budget: string;
  readonly count: (completed: number) => string;
  readonly time: (ms: number) => string;
}

/** `45분`, `1시간 5분`, `12초`. */
function koreanTime(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds}초`;
  const minutes = Math.round(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes}분` : `${hours}시간 ${minutes % 60}분`;
}

const ENGLISH: Words = {
  project: "Project",
  completed: "Completed",
  took: "Took",
  task: "Task",
  reason: "Reason",
  phase: label => `🎉 Phase ${label} done!`,
  run: {
    completed: "🎉 All done!",
    failed: "❌ Ended with failed tasks",
    waiting: "⏸ Waiting for you",
    interrupted: "⏹ Interrupted",
  },
  stuck: "⏸ The same failure again and again: waiting for you",
  asked: "⏸ An agent waits for a permission",
  wants: "Wants to",
  answer: "Answer",
  budget: "⏸ The budget is spent",
  count: completed => String(completed),
  time: duration,
};

const KOREAN: Words = {
  project: "프로젝트",
  completed: "완료",
  took: "소요",
  task: "태스크",
  reason: "이유",
  phase: label => `🎉 Phase ${label} 완료!`,
  run: {
    completed: "🎉 전체 완료!",
    failed: "❌ 실패한 태스크와 함께 종료",
    waiting: "⏸ 사용자 확인 대기",
    interrupted: "⏹ 중단됨",
  },
  stuck: "⏸ 같은 실패 반복: 사용자 확인 대기",
  asked: "⏸ 에이전트가 허가를 기다림",
  wants: "요청",
  answer: "응답",
  budget: "⏸ 예산 소진",
  count: completed => `${completed}개`,
  time: koreanTime,
};

function linesOf(notice: Notice, words: Words, locale: Locale): Lines {
  const why = (reason: Reason | undefined): string => visible(reasonText(reason, locale), 300);
  const project = [words.project, visible(notice.project, 80)] as const;
  switch (notice.kind) {
    case "phase-ended":
      return {
        head: words.phase(visible(notice.phase, 40)),
        facts: [
          project,
          [words.completed, words.count(notice.completed)],
          [words.took, words.time(notice.ms)],
        ],
      };
    case "run-ended": {
      const reason = notice.reason === undefined ? [] : [[words.reason, why(notice.reason)] as const];
      return {
        head: words.run[notice.outcome],
        facts: [
          project,
          [words.completed, words.count(notice.completed)],
          [words.took, words.time(notice.ms)],
          ...reason,
        ],
      };
    }
    case "stuck":
      return {
        head: words.stuck,
        facts: [project, [words.task, visible(notice.task, 80)], [words.reason, why(notice.reason)]],
      };
    case "asked":
      return {
        head: words.asked,
        facts: [
          project,
          [words.task, visible(notice.task, 80)],
          [words.wants, visible(notice.wants, 300)],
          [words.answer, `espalier permit ${notice.id}`],
        ],
      };
    case "budget":
      return { head: words.budget, facts: [project, [words.reason, why(notice.reason)]] };
    default: {
      const never: never = notice;
      throw new Error(`unknown notice ${JSON.stringify(never)}`);
    }
  }
}

/** A notice as people read it. */
export function noticeText(notice: Notice, locale: Locale): string {
  const { head, facts } = linesOf(notice, locale === "ko" ? KOREAN : ENGLISH, locale);
  const last = facts.length - 1;
  const rows = facts.map(([name, value], at) => `${at === last ? "└──" : "├──"} ${name}: ${value}`);
  return [head, ...rows].join("\n");
}

/** A notice as programs of the user read it: what it tells of a reason is English text. */
export function noticeJson(notice: Notice): Readonly<Record<string, unknown>> {
  const told = { version: 1, ...notice };
  return "reason" in notice ? { ...told, reason: reasonText(notice.reason, "en") } : told;
}
