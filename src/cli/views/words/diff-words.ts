import type { Locale } from "../../../text/index.ts";
import { withParticle } from "../../../text/index.ts";

/** A sentence for people, and what they can do about it. */
interface Advice {
  readonly message: string;
  readonly hint: string;
}

/** What `espalier diff` says, in one language. Arguments are already safe to show. */
export interface DiffWords {
  readonly unknown: (name: string, guess: string | undefined) => Advice;
  readonly nothing: (name: string | undefined) => string;
  /** What is shown has not landed yet: it was proved, or stands in a worktree. */
  readonly unlanded: (task: string, isProved: boolean) => string;
  readonly failed: Advice;
}

const ENGLISH: DiffWords = {
  unknown: (name, guess) => ({
    message: `no task or phase ${name} in this run`,
    hint:
      guess === undefined ? "espalier phase list and espalier status name them" : `did you mean ${guess}?`,
  }),
  nothing: name =>
    name === undefined
      ? "nothing has landed yet"
      : `${name}: nothing has landed, and nothing stands in its worktree`,
  unlanded: (task, isProved) =>
    `${task} has not landed: this ${isProved ? "is its work as it was proved" : "stands in its worktree now"}`,
  failed: { message: "git could not show it", hint: "espalier doctor looks at the repository" },
};

const KOREAN: DiffWords = {
  unknown: (name, guess) => ({
    message: `이 실행에 태스크나 단계 ${name} 없음`,
    hint:
      guess === undefined
        ? "espalier phase list와 espalier status가 목록을 보여 줍니다"
        : `혹시 ${guess}인가요?`,
  }),
  nothing: name =>
    name === undefined
      ? "아직 반영된 작업이 없습니다"
      : `${name}: 반영된 작업도, 워크트리에 남은 작업도 없습니다`,
  unlanded: (task, isProved) =>
    `${withParticle(task, "은/는")} 아직 반영되지 않았습니다. ${isProved ? "검증된 그대로의" : "지금 워크트리에 있는"} 작업입니다`,
  failed: { message: "git이 보여 주지 못했습니다", hint: "espalier doctor가 저장소를 살펴봅니다" },
};

/** The words of a language. */
export function diffWords(locale: Locale): DiffWords {
  return locale === "ko" ? KOREAN : ENGLISH;
}
