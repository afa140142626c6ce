import type { Locale } from "../../text/index.ts";
import { withParticle } from "../../text/index.ts";

/** What a person is asked before anything of a repository's is executed, in one language. Arguments are safe to show. */
export interface ApprovalWords {
  readonly shown: string;
  readonly moreLines: (count: number) => string;
  readonly question: (commands: number) => string;
  readonly approved: string;
  readonly refused: string;
  /** What goes on from there. */
  readonly askedAgain: string;
  readonly needed: (commands: number) => { readonly message: string; readonly hint: string };
  /** The same to an agent that leads, which can ask nobody. */
  readonly neededByLead: (message: string) => string;
  readonly notRemembered: (why: string) => string;
  /** Where a command line stands that only the run so far knows. */
  readonly ofRunSoFar: string;
  readonly hubOfRunSoFar: string;
  readonly agentFile: (path: string) => string;
  readonly cannotBeApproved: string;

  readonly send: (url: string, keyName: string | undefined) => string;
  readonly hub: (url: string) => string;
  readonly leave: (url: string) => string;
  readonly bring: (how: "copy" | "link", path: string) => string;
  readonly reveal: (path: string) => string;
  readonly place: (path: string) => string;
  /** A folder in which nothing of a project's may come to lie. */
  readonly forbiddenPlace: (
    path: string,
    folder: string,
  ) => { readonly message: string; readonly hint: string };
  readonly notify: (url: string, tokenName: string | undefined) => string;
  /** The address is a secret, of which only the name of its variable is known. */
  readonly notifyNamed: (urlName: string, tokenName: string | undefined) => string;
  readonly pass: (name: string) => string;
  readonly assign: (name: string, value: string) => string;
  readonly keep: (path: string) => string;
  readonly mode: (mode: string) => string;
  readonly permit: (permissions: string) => string;
  /** A task that has to prove less than it had; without fields these are not known any more. */
  readonly weaker: (fields: string) => string;
}

function withTheToken(name: string | undefined): string {
  return name === undefined ? "" : ` with the token in ${name}`;
}

const ENGLISH: ApprovalWords = {
  shown: "These commands come from the repository and have not been approved yet:",
  moreLines: count => `… ${count} more lines in the file`,
  question: commands =>
    `Run ${commands === 1 ? "this command" : `these ${commands} commands`} when their tasks are due?`,
  approved: "Approved for this content; a change is asked for again.",
  refused: "not approved; nothing was started",
  askedAgain: "what needs it asks again, as espalier run does",
  needed: commands => ({
    message: `${commands === 1 ? "1 command named by the repository is" : `${commands} commands named by the repository are`} not approved`,
    hint: "read them above, then run the same command with --yes, or in a terminal",
  }),
  neededByLead: message => `${message}; a person approves them: espalier mcp --approve`,
  notRemembered: why => `the approval counts for this run only: ${why}`,
  ofRunSoFar: "--command of the run so far",
  hubOfRunSoFar: "--on of the run so far",
  agentFile: path => `agent configuration ${path}`,
  cannotBeApproved: "cannot be approved: it is a link, too large, or one of too many",

  send: (url, keyName) =>
    `send outputs of agents to ${url}${keyName === undefined ? "" : ` with the key in ${keyName}`}`,
  hub: url => `hand the work to machines of the hub ${url}, with the token in ESPALIER_HUB_TOKEN`,
  leave: url => `take the run back from the hub ${url}, with the token in ESPALIER_HUB_TOKEN`,
  bring: (how, path) => `${how} ${path} into worktrees`,
  reveal: path => `let agents in the jail see ${path}`,
  place: path => `put worktrees in ${path}`,
  forbiddenPlace: (path, folder) => ({
    message: `git.folder puts worktrees in ${path}: what lies in ${folder} may be started or read by other programs`,
    hint: 'choose a folder beside the checkout, or git: { folder: ".espalier/worktrees/{phase}-{feature}" }',
  }),
  notify: (url, tokenName) => `tell ${url} what happens${withTheToken(tokenName)}`,
  notifyNamed: (urlName, tokenName) =>
    `tell the address in ${urlName} what happens${withTheToken(tokenName)}`,
  pass: name => `pass ${name} to agents`,
  assign: (name, value) => `set ${name}=${value}`,
  keep: path => `let it write ${path} in the jail`,
  mode: mode => `begin in its mode ${mode}`,
  permit: permissions => `permissions ${permissions}`,
  weaker: fields =>
    `goes on although the file asks less of it than before${fields === "" ? "" : ` (${fields})`}:`,
};

const KOREAN: ApprovalWords = {
  shown: "다음 명령은 저장소에 적혀 있으며 아직 승인되지 않았습니다:",
  moreLines: count => `… 파일에 ${count}줄 더 있음`,
  question: commands =>
    `태스크 차례가 되면 ${commands === 1 ? "이 명령을" : `이 명령 ${commands}개를`} 실행할까요?`,
  approved: "이 내용을 승인했습니다. 내용이 바뀌면 다시 묻습니다.",
  refused: "승인되지 않아 아무것도 시작하지 않았습니다",
  askedAgain: "필요할 때 다시 묻습니다 (espalier run도)",
  needed: commands => ({
    message: `저장소에 적힌 명령 ${commands}개가 승인되지 않았습니다`,
    hint: "위 내용을 읽은 뒤 같은 명령을 --yes와 함께, 또는 터미널에서 실행하세요",
  }),
  neededByLead: message => `${message}; 사람이 승인하는 명령: espalier mcp --approve`,
  notRemembered: why => `이 승인은 이번 실행에만 적용됩니다: ${why}`,
  ofRunSoFar: "지금까지의 실행에 쓰인 --command",
  hubOfRunSoFar: "지금까지의 실행에 쓰인 --on",
  agentFile: path => `에이전트 설정 ${path}`,
  cannotBeApproved: "승인할 수 없음: 링크이거나, 너무 크거나, 파일이 너무 많습니다",

  send: (url, keyName) =>
    `에이전트의 출력을 ${withParticle(url, "으로/로")} 전송${keyName === undefined ? "" : ` (키: ${keyName})`}`,
  hub: url => `허브 ${url}의 머신에 작업을 맡김 (토큰: ESPALIER_HUB_TOKEN)`,
  leave: url => `허브 ${url}에서 실행을 되찾아 옴 (토큰: ESPALIER_HUB_TOKEN)`,
  bring: (how, path) => `${withParticle(path, "을/를")} 워크트리에 ${how === "copy" ? "복사" : "링크"}`,
  reveal: path => `격리(jail) 안의 에이전트에게 ${path} 공개`,
  place: path => `${path}에 워크트리 생성`,
  forbiddenPlace: (path, folder) => ({
    message: `git.folder가 워크트리를 ${path}에 둡니다. ${folder} 안의 파일은 다른 프로그램이 실행하거나 읽을 수 있습니다`,
    hint: '체크아웃 옆의 폴더를 고르거나 git: { folder: ".espalier/worktrees/{phase}-{feature}" }로 두세요',
  }),
  notify: (url, tokenName) =>
    `${url}에 진행 상황 알림${tokenName === undefined ? "" : ` (토큰: ${tokenName})`}`,
  notifyNamed: (urlName, tokenName) =>
    `${urlName}에 적힌 주소에 진행 상황 알림${tokenName === undefined ? "" : ` (토큰: ${tokenName})`}`,
  pass: name => `${withParticle(name, "을/를")} 에이전트에 전달`,
  assign: (name, value) => `${name}=${value} 설정`,
  keep: path => `격리(jail) 안에서 ${path}에 쓰도록 허용`,
  mode: mode => `${mode} 모드로 시작`,
  permit: permissions => `권한 ${permissions}`,
  weaker: fields => `파일이 전보다 적게 요구하지만${fields === "" ? "" : ` (${fields})`} 그대로 진행:`,
};

/** The words of a language. */
export function approvalWords(locale: Locale): ApprovalWords {
  return locale === "ko" ? KOREAN : ENGLISH;
}
