import type { ReadFailure } from "../../adapters/file/index.ts";
import type { Severity } from "../../plan/index.ts";
import { type Locale, type Told, toldText, withParticle } from "../../text/index.ts";

/** What is said around a finding, and of what does not fit between a plan and its configuration. Arguments are safe to show. */
export interface PlanWords {
  readonly severity: Readonly<Record<Severity, string>>;
  readonly hint: string;
  readonly tell: (sentence: Told) => string;
  readonly more: (findings: number) => string;
  /** A task file that cannot be run, and where all that is wrong with it is shown. */
  readonly invalid: (file: string, errors: number) => string;
  readonly invalidHint: (file: string) => string;
  readonly unread: Readonly<Record<Exclude<ReadFailure["kind"], "io">, (path: string) => string>>;
  readonly unreadHint: string;
  readonly rightsHint: (user: string) => string;
  readonly otherFiles: (names: string) => string;
  readonly didYouMean: (name: string) => string;
  /** No cap is set for a resource, and one of nearly its name has one. */
  readonly misspeltResource: (name: string, task: string) => string;
  readonly misspeltResourceHint: (name: string, meant: string) => string;
  readonly unusedResource: (name: string) => string;
  readonly unusedResourceHint: (name: string) => string;
  /** A role that reads like an agent's name; whether its task has a `run:` block, which would be executed instead. */
  readonly misspeltAgent: (role: string, isBlock: boolean, task: string) => string;
  readonly misspeltAgentHint: (role: string, name: string) => string;
  /** A reviewer that is no agent; `by` says where it is named. */
  readonly unknownReviewer: (name: string, by: string) => string;
  readonly unknownReviewerHint: string;
}

const ENGLISH: PlanWords = {
  severity: { error: "error", warning: "warning", info: "info" },
  hint: "hint",
  tell: sentence => toldText(sentence),
  more: findings => `… and ${findings} more`,
  invalid: (file, errors) => `${file} has ${errors} error${errors === 1 ? "" : "s"}`,
  invalidHint: file => `espalier plan ${file} shows everything`,
  unread: {
    missing: path => `there is no file at ${path}`,
    "not-regular": path => `${path} is not a plain file`,
    "too-large": path => `${path} is larger than 64 MiB`,
    permission: path => `${path} may not be read`,
  },
  unreadHint: "name a task file: a plain text or JSON file",
  rightsHint: user => `give user ${user} the right to read it`,
  otherFiles: names => `also found, not used: ${names}`,
  didYouMean: name => `did you mean ${name}?`,
  misspeltResource: (name, task) => `no cap is set for ${name}: one task at a time uses it (${task})`,
  misspeltResourceHint: (name, meant) =>
    `did you mean ${meant}? resources: { ${name}: 1 } in espalier.yaml says that it is meant so`,
  unusedResource: name => `espalier.yaml sets a cap for ${name}, which no task uses and no agent is called`,
  unusedResourceHint: name => `write uses: [${name}] in the tasks that need it, or take it out of resources:`,
  misspeltAgent: (role, isBlock, task) =>
    `no agent is called ${role}: ${isBlock ? "its run: block would be executed" : "the default agent would work on it"} (${task})`,
  misspeltAgentHint: (role, name) =>
    `did you mean ${name}? A role of that name is told by roles: { ${role}: … } in espalier.yaml`,
  unknownReviewer: (name, by) =>
    `no agent is called ${name}, which is to review (${by}): the run will not start`,
  unknownReviewerHint: "name a known agent, or one of agents: in espalier.yaml; espalier agents lists them",
};

const KOREAN: PlanWords = {
  severity: { error: "오류", warning: "경고", info: "정보" },
  hint: "도움말",
  tell: sentence => toldText(sentence, "ko"),
  more: findings => `… 외 ${findings}개`,
  invalid: (file, errors) => `${file}에 오류가 ${errors}개 있습니다`,
  invalidHint: file => `모두 보기: espalier plan ${file}`,
  unread: {
    missing: path => `${path}: 파일이 없습니다`,
    "not-regular": path => `${path}: 일반 파일이 아닙니다`,
    "too-large": path => `${path}: 64 MiB보다 큽니다`,
    permission: path => `${path}: 읽을 권한이 없습니다`,
  },
  unreadHint: "태스크 파일을 지정하세요: 일반 텍스트나 JSON 파일",
  rightsHint: user => `사용자 ${user}에게 읽을 권한을 주세요`,
  otherFiles: names => `다른 태스크 파일도 있지만 쓰지 않습니다: ${names}`,
  didYouMean: name => `혹시 ${name}인가요?`,
  misspeltResource: (name, task) => `${name}의 한도가 없습니다: 한 번에 태스크 하나만 씁니다 (${task})`,
  misspeltResourceHint: (name, meant) =>
    `혹시 ${meant}인가요? 의도한 것이면 espalier.yaml에 resources: { ${name}: 1 }`,
  unusedResource: name =>
    `espalier.yaml이 ${name}의 한도를 정하지만, 이를 쓰는 태스크도 그런 이름의 에이전트도 없습니다`,
  unusedResourceHint: name => `필요한 태스크에 uses: [${name}]를 쓰거나 resources:에서 빼세요`,
  misspeltAgent: (role, isBlock, task) =>
    `${withParticle(role, "이/")}라는 에이전트가 없습니다: ${isBlock ? "run: 블록이 실행됩니다" : "기본 에이전트가 작업합니다"} (${task})`,
  misspeltAgentHint: (role, name) =>
    `혹시 ${name}인가요? 그런 이름의 역할이면 espalier.yaml에 roles: { ${role}: … }`,
  unknownReviewer: (name, by) =>
    `검토할 에이전트 ${withParticle(name, "이/가")} 없습니다 (${by}): 실행이 시작되지 않습니다`,
  unknownReviewerHint: "아는 에이전트나 espalier.yaml의 agents:에 있는 이름을 쓰세요. 목록: espalier agents",
};

/** The words of a language. */
export function planWords(locale: Locale): PlanWords {
  return locale === "ko" ? KOREAN : ENGLISH;
}
