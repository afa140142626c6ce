import type { Locale } from "../../../text/index.ts";

/** What `espalier import` and `espalier export` say, in one language. Arguments are already safe to show. */
export interface ExchangeWords {
  /** The comment above an imported file; `kind` is one of ours. */
  readonly comment: (kind: string) => string;
  readonly read: (kind: string, tasks: number, done: number, leftOut: number) => string;
  readonly renamed: (ids: string) => string;
  readonly cut: (ids: string) => string;
  readonly commands: (ids: string) => string;
  readonly notWritten: (out: string) => string;
  readonly written: (path: string) => string;
  readonly next: (path: string) => string;

  readonly changes: (changes: number, tasks: number) => string;
  readonly change: (id: string, to: "done" | "left-out") => string;
  readonly ahead: (ids: string) => string;
  readonly unsaid: (ids: string) => string;
  readonly unknown: (origins: string) => string;
  readonly toWrite: string;
  readonly toRun: string;
  readonly noOrigin: (file: string, kind: string) => string;
  readonly noOriginHint: string;
  readonly isStandardInput: string;
  readonly isGitHub: string;
  readonly kindIsNoFile: (kind: string) => string;
  readonly changed: (source: string) => string;
  readonly changedHint: string;
}

const ENGLISH: ExchangeWords = {
  comment: kind => `imported from ${kind}; espalier export takes the state of the tasks back`,
  read: (kind, tasks, done, leftOut) =>
    `${kind}: ${tasks} task${tasks === 1 ? "" : "s"}, ${done} done, ${leftOut} left out`,
  renamed: ids => `titles made plain, because the task file would have read more in them than a name: ${ids}`,
  cut: ids => `descriptions cut after 20,000 characters: ${ids}`,
  commands: ids => `commands are not taken over; write verify: yourself where you want one: ${ids}`,
  notWritten: out => `nothing is written; --write makes ${out}`,
  written: path => `wrote ${path}`,
  next: path => `next: espalier plan ${path}`,

  changes: (changes, tasks) => `${changes} of ${tasks} change`,
  change: (id, to) => `  ${id} → ${to === "done" ? "done" : "left out"}`,
  ahead: ids => `ended there and open in the task file, left as they are: ${ids}`,
  unsaid: ids => `left out in the task file; the source has no word for that: ${ids}`,
  unknown: origins => `not in the source: ${origins}`,
  toWrite: "nothing is written; --write changes the source",
  toRun: "nothing is run; the lines above are yours to run",
  noOrigin: (file, kind) => `no task of ${file} was imported from ${kind}`,
  noOriginHint: "name the task file that espalier import made: its tasks say origin:",
  isStandardInput: "standard input cannot be written to: name the file",
  isGitHub: "nothing is written to GitHub: run the commands that are printed without --write",
  kindIsNoFile: kind =>
    `name the file with what ${kind} keeps; espalier help import says where it comes from`,
  changed: source => `${source} changed while it was read`,
  changedHint: "try again",
};

const KOREAN: ExchangeWords = {
  comment: kind => `${kind}에서 가져옴. espalier export가 태스크 상태를 되돌려 보냅니다`,
  read: (kind, tasks, done, leftOut) => `${kind}: 태스크 ${tasks}개, 완료 ${done}개, 제외 ${leftOut}개`,
  renamed: ids => `제목에 이름 이상의 뜻으로 읽히는 말이 있어 단순하게 바꿨습니다: ${ids}`,
  cut: ids => `설명을 20,000자에서 잘랐습니다: ${ids}`,
  commands: ids => `명령은 가져오지 않습니다. 필요하면 verify:를 직접 적으세요: ${ids}`,
  notWritten: out => `아직 아무것도 쓰지 않았습니다. --write를 붙이면 ${out} 파일을 만듭니다`,
  written: path => `${path} 파일을 썼습니다`,
  next: path => `다음: espalier plan ${path}`,

  changes: (changes, tasks) => `${tasks}개 중 ${changes}개가 바뀝니다`,
  change: (id, to) => `  ${id} → ${to === "done" ? "완료" : "제외"}`,
  ahead: ids => `원본에서는 끝났고 태스크 파일에서는 열려 있어 그대로 둡니다: ${ids}`,
  unsaid: ids => `태스크 파일에서 제외했지만 원본에는 그런 상태가 없습니다: ${ids}`,
  unknown: origins => `원본에 없습니다: ${origins}`,
  toWrite: "아직 아무것도 쓰지 않았습니다. --write를 붙이면 원본을 바꿉니다",
  toRun: "아무것도 실행하지 않았습니다. 위 명령은 직접 실행하세요",
  noOrigin: (file, kind) => `${file}에는 ${kind}에서 가져온 태스크가 없습니다`,
  noOriginHint: "espalier import가 만든 태스크 파일을 지정하세요. 태스크에 origin: 이 있습니다",
  isStandardInput: "표준 입력에는 쓸 수 없습니다. 파일을 지정하세요",
  isGitHub: "GitHub에는 아무것도 쓰지 않습니다. --write 없이 출력되는 명령을 실행하세요",
  kindIsNoFile: kind =>
    `${kind}의 내용이 든 파일을 지정하세요. 파일을 얻는 방법은 espalier help import에 있습니다`,
  changed: source => `${source} 파일이 읽는 동안 바뀌었습니다`,
  changedHint: "다시 시도하세요",
};

/** The words in a language. */
export function exchangeWords(locale: Locale): ExchangeWords {
  return locale === "ko" ? KOREAN : ENGLISH;
}
