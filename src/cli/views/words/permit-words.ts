import type { Locale } from "../../../text/index.ts";
import { withParticle } from "../../../text/index.ts";

/** What `espalier permit` says, in one language. Arguments are already safe to show. */
export interface PermitWords {
  readonly nothing: string;
  /** `how`: a number of its own, or its task that is paused. */
  readonly question: (task: string, kind: string, title: string) => string;
  readonly paused: string;
  readonly how: string;
  readonly none: (which: string) => { readonly message: string; readonly hint: string };
  readonly several: (task: string, numbers: string) => { readonly message: string; readonly hint: string };
  /** Of a task that is paused nothing can be refused any more. */
  readonly over: (task: string) => { readonly message: string; readonly hint: string };
  readonly answered: (isAllowed: boolean, task: string, title: string) => string;
  readonly kept: (title: string) => string;
  readonly notKept: (why: string) => string;
  readonly tooLong: string;
}

const ENGLISH: PermitWords = {
  nothing: "no agent waits for a permission",
  question: (task, kind, title) => `${task} wants to ${kind}: ${title}`,
  paused: "paused",
  how: "espalier permit N (or its task) allows it once, with --always from now on; --no refuses it",
  none: which => ({
    message: `nothing that ${which} asks for waits`,
    hint: "espalier permit lists what does",
  }),
  several: (task, numbers) => ({
    message: `${task} asks for several things`,
    hint: `name one by its number: ${numbers}`,
  }),
  over: task => ({
    message: `nobody answered ${task} in time, and it is paused`,
    hint: `espalier permit ${task} allows it from now on; espalier task show ${task} shows what else there is to do`,
  }),
  answered: (isAllowed, task, title) => `${isAllowed ? "allowed" : "refused"} ${task}: ${title}`,
  kept: title => `allowed in this project from now on: ${title}`,
  notKept: why => `this cannot be remembered: ${why}`,
  tooLong:
    "it is longer than what was shown of it; allow it once, or by a pattern under agents in espalier.yaml",
};

const KOREAN: PermitWords = {
  nothing: "허가를 기다리는 에이전트가 없습니다",
  question: (task, kind, title) => `${task} 허가 요청 (${kind}): ${title}`,
  paused: "일시 중지",
  how: "espalier permit N(또는 태스크)은 한 번만 허가하고, --always를 붙이면 앞으로도 허가하며, --no는 거부합니다",
  none: which => ({
    message: `${which}에 해당하는 허가 요청이 없습니다`,
    hint: "espalier permit으로 목록을 볼 수 있습니다",
  }),
  several: (task, numbers) => ({
    message: `${task}의 허가 요청이 여러 개입니다`,
    hint: `번호로 지정하세요: ${numbers}`,
  }),
  over: task => ({
    message: `제때 답이 없어 ${withParticle(task, "이/가")} 일시 중지되었습니다`,
    hint: `앞으로 허가하려면: espalier permit ${task}, 다른 방법: espalier task show ${task}`,
  }),
  answered: (isAllowed, task, title) => `${isAllowed ? "허가" : "거부"} ${task}: ${title}`,
  kept: title => `이 프로젝트에서 앞으로 허가: ${title}`,
  notKept: why => `기억할 수 없습니다: ${why}`,
  tooLong: "표시된 것보다 깁니다. 한 번만 허가하거나 espalier.yaml의 agents에 패턴으로 허가하세요",
};

/** The words of a language. */
export function permitWords(locale: Locale): PermitWords {
  return locale === "ko" ? KOREAN : ENGLISH;
}
