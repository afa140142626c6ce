import type { TextShape } from "../../../src/server/shapes/context.ts";
import { MOST_TEXT } from "../../../src/server/shapes/limits.ts";
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
  readonly hidden: (label: string) => string;
  readonly tooLong: (label: string, most: number, found: number) => string;
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
  readonly keptBefore: string;
  readonly untaken: (current: string) => string;
  readonly draft: string;
  readonly givenBack: string;
}

const grouped = (count: number) => count.toLocaleString("en-US");

const ENGLISH: EditorWords = {
  edit: "Edit",
  begin: "New document",
  label: "Name, for example GC for what every task reads",
  text: label => `Text of ${label}`,
  publish: "Publish",
  leave: "Cancel",
  hidden: label =>
    `It holds characters that a page does not show. In a terminal: espalier context publish ${label} FILE`,
  tooLong: (label, most, found) =>
    `Too large for the page: ${grouped(found)} characters, at most ${grouped(most)}. In a terminal: espalier context publish ${label} FILE`,
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
  keptBefore: "Your text before that",
  untaken: current =>
    `Nothing was published: ${current} says the same, and nothing of your own text. Take over above what it is to say; Cancel drops your text.`,
  draft: "draft",
  givenBack: "Your draft: it is not published yet.",
};

const KOREAN: EditorWords = {
  edit: "편집",
  begin: "새 문서",
  label: "이름 (모든 태스크가 읽는 문서는 GC)",
  text: label => `${label} 본문`,
  publish: "게시",
  leave: "취소",
  hidden: label =>
    `페이지에 표시할 수 없는 문자가 있습니다. 터미널에서: espalier context publish ${label} FILE`,
  tooLong: (label, most, found) =>
    `페이지에서 편집하기에는 너무 깁니다: ${grouped(found)}자이며 최대 ${grouped(most)}자입니다. 터미널에서: espalier context publish ${label} FILE`,
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
  keptBefore: "그 이전의 내 본문",
  untaken: current =>
    `게시하지 않았습니다. ${current}의 내용과 같으며 내 본문은 들어 있지 않습니다. 아래의 내 본문에서 필요한 내용을 위에 옮겨 적으세요. ‘취소’를 누르면 내 본문이 지워집니다.`,
  draft: "초안",
  givenBack: "이전에 쓰던 초안입니다. 아직 게시되지 않았습니다.",
};

/** Why a version is not edited here, and the way that takes it. */
export function notHere(words: EditorWords, label: string, { characters }: TextShape): string {
  return characters > MOST_TEXT ? words.tooLong(label, MOST_TEXT, characters) : words.hidden(label);
}

export function useEditorWords(): EditorWords {
  return useWords().locale === "ko" ? KOREAN : ENGLISH;
}
