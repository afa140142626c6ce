import type { TaskStatus } from "../ports/index.ts";
import type { Locale } from "./messages.ts";

type StatusWords = Readonly<Record<TaskStatus, string>>;

/** What a task's state is called, by language. */
export const STATUS_WORDS: Readonly<Record<Locale, StatusWords>> = {
  en: {
    pending: "pending",
    ready: "ready",
    in_progress: "running",
    completed: "done",
    failed: "failed",
    blocked: "blocked",
    paused: "paused",
    waiting: "waiting",
    cancelled: "cancelled",
    skipped: "skipped",
  },
  ko: {
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
  },
};
