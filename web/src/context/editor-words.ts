import { useWords } from "../words/use-words.ts";

/** What is said where a document is written, in one language. */
export interface EditorWords {
  readonly edit: string;
  readonly begin: string;
  readonly label: string;
  readonly text: (label: string) => string;
  readonly publish: string;
  readonly leave: string;
  /** It cannot be edited here; what is typed instead. */
  readonly notHere: (label: string) => string;
  readonly moved: (current: number) => string;
  readonly published: (version: string) => string;
  readonly merged: (from: string) => string;
  readonly now: (names: string) => string;
  readonly later: (names: string) => string;
  readonly unchanged: (version: string) => string;
  readonly clash: (current: string) => string;
  readonly theirs: (current: string) => string;
  readonly yours: string;
  readonly removed: string;
  readonly goOn: (current: string) => string;
  readonly kept: string;
}

const ENGLISH: EditorWords = {
  edit: "Edit",
  begin: "New document",
  label: "Name, for example GC for what every task reads",
  text: label => `Text of ${label}`,
  publish: "Publish",
  leave: "Cancel",
  notHere: label =>
    `It holds characters that a page does not show, or is too long for one: espalier context publish ${label} FILE`,
  moved: current =>
    `v${current} was published meanwhile. What you changed is laid on top of it, section by section.`,
  published: version => `Published as ${version}.`,
  merged: from => `It has what others published since ${from} as well.`,
  now: names => `Told at once: ${names}.`,
  later: names => `Told with what they are told next: ${names}.`,
  unchanged: version => `Nothing was published: ${version} says the same.`,
  clash: current => `Nothing was published: ${current} has changed the same sections.`,
  theirs: current => `In ${current}`,
  yours: "Yours",
  removed: "(removed)",
  goOn: current => `Go on from ${current}`,
  kept: "Your text as it was",
};

const KOREAN: EditorWords = {
  edit: "편집",
  begin: "새 문서",
  label: "이름 (모든 태스크가 읽는 문서는 GC)",
  text: label => `${label} 본문`,
  publish: "게시",
  leave: "취소",
  notHere: label =>
    `페이지에 보이지 않는 문자가 있거나 페이지에서 편집하기에는 너무 깁니다: espalier context publish ${label} FILE`,
  moved: current => `그사이에 게시된 버전: v${current}. 바꾼 내용은 섹션별로 그 위에 더해집니다.`,
  published: version => `게시한 버전: ${version}.`,
  merged: from => `${from} 이후 다른 쪽에서 게시한 내용도 들어 있습니다.`,
  now: names => `바로 알림: ${names}.`,
  later: names => `다음 알림에 함께 전달: ${names}.`,
  unchanged: version => `게시하지 않았습니다. 내용이 같은 버전: ${version}.`,
  clash: current => `게시하지 않았습니다. ${current}에서 같은 섹션이 바뀌었습니다.`,
  theirs: current => `${current}의 내용`,
  yours: "내 내용",
  removed: "(삭제됨)",
  goOn: current => `${current}에서 이어서 편집`,
  kept: "바꾸기 전의 내 본문",
};

export function useEditorWords(): EditorWords {
  return useWords().locale === "ko" ? KOREAN : ENGLISH;
}
