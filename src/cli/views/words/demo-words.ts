import type { Locale } from "../../../text/index.ts";

/** Where what the demo left can be looked at. */
interface DemoPlaces {
  readonly page: string;
  readonly tasks: string;
  readonly read: string;
  readonly log: string;
  readonly inBrowser: string;
}

/** What `espalier demo` says around its run, in one language. */
interface DemoWords {
  readonly begins: (folder: string) => string;
  readonly happened: string;
  readonly look: (places: DemoPlaces) => string;
  /** `install` puts the program on the path, where it is not. */
  readonly next: (name: string, install: string | undefined) => string;
  /** Agents that are here; where there are none, how people get one. */
  readonly agents: (here: readonly string[], install: readonly string[]) => string;
}

const ENGLISH: DemoWords = {
  begins: folder =>
    `A small real job: seven tasks of a few lines of shell, in a folder of its own. It needs no agent, no key and no network.\n  ${folder}`,
  happened: [
    "What happened: Espalier read TASKS.md, ran its tasks in order and side by side, tried the one that failed",
    "again, checked each result with the task's own verify command, and ticked the boxes. What T1.1 found out reached",
    "T2.1 through the context tree, and each attempt has a receipt of what it was given to read.",
  ].join("\n"),
  look: ({ page, tasks, read, log, inBrowser }) =>
    [
      `  the page it made    ${page}`,
      `  the task list now   ${tasks}`,
      `  what T2.1 read      ${read}`,
      `  its log             ${log}`,
      `  in a browser        ${inBrowser}   (open the link that it prints; Ctrl+C ends it)`,
    ].join("\n"),
  next: (name, install) =>
    [
      "Next, in a project of your own:",
      ...(install === undefined ? [] : [`  ${install}   # puts espalier on your path, once`]),
      "  cd your/project",
      `  ${name} init   # looks at what is there, writes espalier.yaml, and offers a first task`,
    ].join("\n"),
  agents: (here, install) =>
    here.length > 0
      ? `Coding agents that are here and can work on tasks: ${here.join(", ")}`
      : [
          "Tasks that are only words need a coding agent, and none is here yet. Any of these, logged in to once:",
          ...install.map(line => `  ${line}`),
          "Until then: tasks with commands of their own (run:), as in this demo.",
        ].join("\n"),
};

const KOREAN: DemoWords = {
  begins: folder =>
    `작은 실제 일거리입니다. 셸 몇 줄짜리 태스크 일곱 개를 새 폴더에서 실행합니다. 에이전트도 키도 네트워크도 필요 없습니다.\n  ${folder}`,
  happened: [
    "일어난 일: Espalier가 TASKS.md를 읽고, 태스크를 순서대로 또 나란히 실행하고, 실패한 것은 다시 시도하고,",
    "결과마다 태스크의 verify 명령으로 확인한 뒤 상자에 표시했습니다. T1.1이 알아낸 것은 컨텍스트 트리를 거쳐",
    "T2.1에 전해졌고, 시도마다 무엇을 읽었는지 적은 영수증이 남았습니다.",
  ].join("\n"),
  look: ({ page, tasks, read, log, inBrowser }) =>
    [
      `  만들어진 페이지      ${page}`,
      `  지금의 태스크 목록   ${tasks}`,
      `  T2.1이 읽은 것       ${read}`,
      `  로그                 ${log}`,
      `  브라우저에서         ${inBrowser}   (출력되는 링크를 여세요. Ctrl+C로 끝냅니다)`,
    ].join("\n"),
  next: (name, install) =>
    [
      "다음은 직접 하는 프로젝트에서:",
      ...(install === undefined ? [] : [`  ${install}   # espalier를 PATH에 올립니다, 한 번만`]),
      "  cd your/project",
      `  ${name} init   # 무엇이 있는지 살펴 espalier.yaml을 쓰고, 첫 태스크를 제안합니다`,
    ].join("\n"),
  agents: (here, install) =>
    here.length > 0
      ? `태스크를 맡길 수 있는 코딩 에이전트: ${here.join(", ")}`
      : [
          "말로만 적은 태스크에는 코딩 에이전트가 필요한데 아직 없습니다. 이 가운데 하나를 설치해 로그인하세요:",
          ...install.map(line => `  ${line}`),
          "그 전까지는 이 데모처럼 명령이 적힌 태스크(run:)를 실행할 수 있습니다.",
        ].join("\n"),
};

/** The words of a language. */
export function demoWords(locale: Locale): DemoWords {
  return locale === "ko" ? KOREAN : ENGLISH;
}
