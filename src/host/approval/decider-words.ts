import type { NoPerson } from "../../ports/index.ts";
import type { Locale } from "../../text/index.ts";
import { withParticle } from "../../text/index.ts";

/** What somebody is told whose decision was not carried out, in one language. */
export interface DeciderWords {
  /** What to do instead, while a process holds the run and while none does. */
  readonly hint: (decider: NoPerson, isHeld: boolean) => string;
  /** Of a page that is served, before anybody decides on it. */
  readonly page: (why: string, hint: string) => string;
  /** Somebody put another socket in the place of that of the run. */
  readonly replaced: {
    readonly message: (path: string) => string;
    readonly hint: (pid: number | undefined) => string;
  };
}

const ENGLISH: DeciderWords = {
  hint: ({ kind }, isHeld) => {
    if (kind !== "unproven")
      return "a person asks in a terminal of their own, or on the page of the dashboard";
    return isHeld
      ? "ask from a terminal that was open before the run began, on the page of its dashboard, or stop the run first (Ctrl+C in its own terminal)"
      : "no run goes on: ask in a terminal, without a pipe, or on the page of a dashboard that was started in one";
  },
  page: (why, hint) => `decisions on this page are refused while no run goes on: ${why}; ${hint}`,
  replaced: {
    message: path =>
      `${path} is not the socket of the process that holds this project: somebody put it there`,
    hint: pid =>
      `nothing was asked; ${pid === undefined ? "Ctrl+C in the run's own terminal" : `kill -TERM ${pid}`} stops the run, espalier resume goes on`,
  },
};

const KOREAN: DeciderWords = {
  hint: ({ kind }, isHeld) => {
    if (kind !== "unproven") return "사람이 자신의 터미널이나 대시보드 페이지에서 요청하세요";
    return isHeld
      ? "실행 전에 열려 있던 터미널이나 대시보드 페이지에서 요청하거나, 실행을 먼저 중단하세요 (실행 중인 터미널에서 Ctrl+C)"
      : "진행 중인 실행이 없습니다: 파이프 없이 터미널에서, 또는 그렇게 시작한 대시보드의 페이지에서 요청하세요";
  },
  page: (why, hint) => `실행이 진행되지 않는 동안 이 페이지에서 내린 결정은 거부됩니다: ${why}; ${hint}`,
  replaced: {
    message: path =>
      `${withParticle(path, "은/는")} 이 프로젝트를 실행 중인 프로세스의 소켓이 아닙니다: 누군가 바꿔 놓았습니다`,
    hint: pid =>
      `아무것도 요청하지 않았습니다; ${pid === undefined ? "실행 중인 터미널에서 Ctrl+C를 누르면" : `kill -TERM ${pid} 명령으로`} 실행을 멈춘 뒤 espalier resume으로 이어 가세요`,
  },
};

/** The words of a language. */
export function deciderWords(locale: Locale): DeciderWords {
  return locale === "ko" ? KOREAN : ENGLISH;
}
