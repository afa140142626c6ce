import { fieldName } from "../../../plan/index.ts";
import type { Locale } from "../../../text/index.ts";

/** Where a test command was seen to pass. */
export interface Passed {
  readonly where: "worktree" | "checkout";
  /** The command that a new worktree needs before the tests can run. */
  readonly setup?: string;
}

/** The comments of a first `espalier.yaml`, in one language; each a few lines. What is named of the configuration stays as it is. */
export interface ConfigWords {
  readonly about: string;
  readonly tasks: string;
  /** `programs` are those found, undefined for none. */
  readonly agent: (programs: string | undefined) => string;
  readonly agents: string;
  readonly verify: string;
  /** `found` is what the test command was found by. */
  readonly passes: (found: string, passed: Passed) => string;
  readonly failed: (found: string, why: string) => string;
  readonly notTried: (found: string) => string;
  readonly parallel: string;
  readonly maxAttempts: string;
  readonly phaseGate: string;
  readonly phase: string;
  readonly generated: string;
  readonly limits: string;
  readonly jail: (here: string) => string;
  readonly env: string;
  readonly context: string;
  readonly locale: string;
}

const FIELD = {
  run: fieldName("run"),
  role: fieldName("role"),
  verify: fieldName("verify"),
  specialist: fieldName("specialist"),
  parallel: fieldName("parallel"),
};

const ENGLISH: ConfigWords = {
  about: `Espalier's configuration. Every key may be left out; what stands behind # shows how it is set.
All keys: espalier help configuration. Unknown keys are errors, so a typing mistake cannot go unnoticed.`,
  tasks:
    "The task file. Without it: docs/planning/TASKS.md, docs/planning/06-tasks.md, TASKS.md, specs/*/tasks.md, …",
  agent:
    programs => `Who works on tasks that name no agent. shell runs a task's own "${FIELD.run}:" block; command runs the line below with the
prompt on its standard input. Agent programs found here: ${programs ?? "none"}.`,
  agents: `More agents by name, which of them works for a role (담당, ${FIELD.specialist}, ${FIELD.role}), and what they may run
without asking, where they can be held to it.`,
  verify: `The proof that a task is done, where the task has no "${FIELD.verify}:" of its own. Without one, completed tasks are shown
as unverified.`,
  passes: (found, { where, setup }) =>
    `${found}; it passes ${where === "worktree" ? "in a new worktree" : "here"}${setup === undefined ? "" : ` after ${setup}`}.`,
  failed: (found, why) => `${found}; tried, and off: ${why}`,
  notTried: found => `${found}; off until it was seen to pass: take the # away, then espalier doctor --try`,
  parallel: `Tasks at once, or "declared": only groups that name each other in ${FIELD.parallel}. Without it 5, and 1 where there is no git
repository with a commit: all tasks would write one folder.`,
  maxAttempts: "Attempts until a task has failed, and equal failures in a row until a person is asked.",
  phaseGate: "Share of a phase that must complete before the next one starts.",
  phase: `In a git repository each phase gets a branch and a worktree; finished ones stay there until you merge them
(espalier phase merge N), or are merged by themselves. What new worktrees need is copied and set up.`,
  generated:
    "git: { worktrees: off } has all tasks work in this checkout. A lock file that two tasks changed is made anew by its own tool.",
  limits: "Limits of one attempt. An idle agent is one without any output.",
  jail: here => `Agents in bubblewrap: they write their own folder and nothing else, see no keys and no other processes. auto goes
without it on machines that have none, on starts nothing there. Here: ${here}.`,
  env: "Environment variables that agents may see besides PATH, HOME, LANG and the like. A name, or a prefix with *.",
  context: `The shared context: one delta bridges however many versions a teammate has missed. The documents' rule is 1: beyond
the next version the whole document is sent.`,
  locale: "Language of log lines and prompts: en or ko.",
};

const KOREAN: ConfigWords = {
  about: `Espalier 설정. 모든 키는 생략할 수 있고, # 뒤에 있는 것은 적는 방법입니다.
모든 키: espalier help configuration. 모르는 키는 오류이므로 잘못 적은 것은 바로 드러납니다.`,
  tasks:
    "태스크 파일. 없으면: docs/planning/TASKS.md, docs/planning/06-tasks.md, TASKS.md, specs/*/tasks.md, …",
  agent:
    programs => `에이전트를 적지 않은 태스크를 맡는 쪽. shell은 태스크의 "${FIELD.run}:" 블록을 실행하고, command는 아래 명령줄을
실행해 표준 입력으로 프롬프트를 줍니다. 여기서 찾은 에이전트 프로그램: ${programs ?? "없음"}.`,
  agents: `이름을 붙인 다른 에이전트, 역할(담당, ${FIELD.specialist}, ${FIELD.role})을 맡는 에이전트,
그리고 묻지 않고 실행해도 되는 것(제한할 수 있는 에이전트만).`,
  verify: `자기 "${FIELD.verify}:"가 없는 태스크가 끝났다는 증명. 증명이 없으면 완료한 태스크가 미검증으로 표시됩니다.`,
  passes: (found, { where, setup }) => {
    const after = setup === undefined ? "" : `${setup} 뒤 `;
    return `${found}. ${where === "worktree" ? "새 워크트리에서" : "여기서"} ${after}통과했습니다.`;
  },
  failed: (found, why) => `${found}. 시험했고, 꺼 둡니다: ${why}`,
  notTried: found => `${found}. 통과하는 것을 볼 때까지 꺼 둡니다: # 을 지운 뒤 espalier doctor --try`,
  parallel: `동시에 실행할 태스크 수, 또는 "declared": ${FIELD.parallel}에 서로 적은 묶음만. 없으면 5, 커밋이 있는 git 저장소가
아니면 모든 태스크가 한 폴더에 쓰므로 1입니다.`,
  maxAttempts: "태스크가 실패하기까지의 시도 수, 그리고 사람에게 묻기까지 연달아 같은 실패의 수.",
  phaseGate: "다음 단계가 시작하려면 완료되어야 하는 단계의 비율.",
  phase: `git 저장소에서는 단계마다 브랜치와 워크트리가 생깁니다. 끝난 단계는 직접 병합할 때까지(espalier phase merge N) 남거나,
스스로 병합됩니다. 새 워크트리에 필요한 것은 복사하고 준비합니다.`,
  generated:
    "git: { worktrees: off }면 모든 태스크가 이 체크아웃에서 작업합니다. 두 태스크가 바꾼 락 파일은 그 도구가 새로 만듭니다.",
  limits: "시도 하나의 한도. idle은 에이전트가 아무 출력 없이 있을 수 있는 시간입니다.",
  jail: here => `bubblewrap 안의 에이전트: 자기 폴더에만 쓰고, 키와 다른 프로세스를 보지 못합니다. auto는 없는 머신에서 그냥 실행하고,
on은 그런 머신에서 시작하지 않습니다. 여기: ${here}.`,
  env: "PATH, HOME, LANG 같은 것 말고 에이전트가 볼 수 있는 환경 변수. 이름 또는 *로 끝나는 접두사.",
  context: `공유 컨텍스트: 팀원이 버전을 몇 개 놓쳤든 델타 하나로 따라잡습니다. 문서의 규칙은 1이며, 그러면 바로 다음 버전이
아닐 때 문서 전체를 보냅니다.`,
  locale: "로그와 프롬프트의 언어: en 또는 ko.",
};

/** The comments in a language. */
export function configWords(locale: Locale): ConfigWords {
  return locale === "ko" ? KOREAN : ENGLISH;
}
