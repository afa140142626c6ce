import { type Locale, withParticle } from "../text/index.ts";

/** What the server refuses, in one language; foreign words in it are made visible where it is sent. */
export interface ServerWords {
  readonly noCode: string;
  readonly wrongCode: string;
  readonly noMoreCodes: string;
  readonly onlyOwner: string;
  readonly nobodyLetIn: string;
  readonly tooManyLetIn: string;
  /** A body of so many bytes, where that is known. */
  readonly tooLarge: (most: number, found?: number) => string;
  /** A document of so many characters. */
  readonly tooLong: (label: string, most: number, found: number) => string;
  readonly notJson: string;
  readonly nobodyRuns: string;
  readonly tooManyPages: string;
  readonly noSuchThing: string;
  readonly noPage: string;
  readonly notBuilt: string;
  readonly aBug: string;
  readonly noRun: string;
  readonly nothing: string;
  readonly noTask: (id: string) => string;
  readonly noOutput: string;
  readonly noCommit: string;
  readonly changedMeanwhile: string;
  readonly noVersion: (name: string) => string;
  readonly notKept: (name: string) => string;
  /** Two texts of so many characters together. */
  readonly tooLargeToCompare: (most: number, found: number) => string;
  readonly badBudget: string;
  readonly isThere: (label: string) => string;
  readonly badLabel: string;
  readonly notUnicode: string;
  readonly wordsHave: (least: number, most: number) => string;
}

const grouped = (count: number) => count.toLocaleString("en-US");

const ENGLISH: ServerWords = {
  noCode: "send a code",
  wrongCode: "this code is wrong, used or too old",
  noMoreCodes: "too many wrong codes: no code is taken for ten minutes, or until a new one is made",
  onlyOwner: "only who opened the dashboard lets others in or out",
  nobodyLetIn: "nobody is let in by that",
  tooManyLetIn: "too many are let in: revoke one first",
  tooLarge: (most, found) =>
    found === undefined
      ? `too large: more than ${grouped(most)} bytes`
      : `too large: ${grouped(found)} bytes, at most ${grouped(most)}`,
  tooLong: (label, most, found) =>
    `too large: the text has ${grouped(found)} characters, the page publishes at most ${grouped(most)}; in a terminal: espalier context publish ${label} FILE`,
  notJson: "not JSON",
  nobodyRuns: "no process runs this project: go on with the run first",
  tooManyPages: "too many pages are open",
  noSuchThing: "no such thing",
  noPage: "no such page",
  notBuilt: "the page was not built: npm run build",
  aBug: "a bug: this should not have happened",
  noRun: "there is no run yet",
  nothing: "there is nothing yet",
  noTask: id => `no task ${id} in this run`,
  noOutput: "this attempt left no output",
  noCommit: "this attempt left no commit",
  changedMeanwhile: "what is shown has changed meanwhile: read it again",
  noVersion: name => `no ${name}`,
  notKept: name => `the text of ${name} is no longer kept`,
  tooLargeToCompare: (most, found) =>
    `too large to compare here: ${grouped(found)} characters together, at most ${grouped(most)}`,
  isThere: label => `${label} is there already: read and edit that one`,
  badLabel:
    "a document's name has 1 to 64 letters, digits, _, . and -, and begins with a letter, a digit or _",
  notUnicode: "the text holds half a surrogate pair: UTF-8 cannot carry it",
  badBudget: "the budget of espalier.yaml makes no sense: espalier budget",
  wordsHave: (least, most) => `words to look for have ${least} to ${most} characters`,
};

const KOREAN: ServerWords = {
  noCode: "코드를 보내세요",
  wrongCode: "코드가 틀렸거나 이미 쓰였거나 시간이 지났습니다",
  noMoreCodes: "틀린 코드가 너무 많아, 새 코드를 만들지 않으면 10분 동안 코드를 받지 않습니다",
  onlyOwner: "대시보드를 연 사람만 다른 사람의 접속을 허용하거나 해제할 수 있습니다",
  nobodyLetIn: "그것으로 접속한 기기나 링크가 없습니다",
  tooManyLetIn: "접속이 허용된 기기와 링크가 너무 많습니다. 먼저 하나를 해제하세요",
  tooLarge: (most, found) =>
    found === undefined
      ? `너무 큽니다: 최대 ${grouped(most)}바이트를 넘습니다`
      : `너무 큽니다: ${grouped(found)}바이트이며 최대 ${grouped(most)}바이트까지 받습니다`,
  tooLong: (label, most, found) =>
    `너무 큽니다: 본문이 ${grouped(found)}자이며 페이지에서는 최대 ${grouped(most)}자까지 게시합니다. 터미널에서: espalier context publish ${label} FILE`,
  notJson: "JSON이 아닙니다",
  nobodyRuns: "이 프로젝트를 실행 중인 프로세스가 없습니다. 먼저 실행을 이어 가세요",
  tooManyPages: "열린 페이지가 너무 많습니다",
  noSuchThing: "그런 것은 없습니다",
  noPage: "그런 페이지는 없습니다",
  notBuilt: "페이지가 아직 빌드되지 않았습니다",
  aBug: "버그입니다. 일어나서는 안 되는 일입니다",
  noRun: "아직 실행이 없습니다",
  nothing: "아직 아무것도 없습니다",
  noTask: id => `이 실행에는 ${withParticle(id, "이/가")} 없습니다`,
  noOutput: "이 시도는 출력을 남기지 않았습니다",
  noCommit: "이 시도는 커밋을 남기지 않았습니다",
  changedMeanwhile: "보이는 내용이 그사이에 바뀌었습니다. 다시 읽으세요",
  noVersion: name => `${withParticle(name, "이/가")} 없습니다`,
  notKept: name => `${name}의 본문은 더 이상 보관되어 있지 않습니다`,
  tooLargeToCompare: (most, found) =>
    `여기에서 비교하기에는 너무 큽니다: 합해서 ${grouped(found)}자이며 최대 ${grouped(most)}자까지 비교합니다`,
  isThere: label => `${withParticle(label, "은/는")} 이미 있습니다. 그 문서를 읽고 편집하세요`,
  badLabel: "문서 이름은 1~64자의 문자, 숫자, _, ., - 이며 문자, 숫자, _ 로 시작합니다",
  notUnicode: "서로게이트 반쪽이 있어 UTF-8로 표현할 수 없습니다",
  badBudget: "espalier.yaml의 예산이 맞지 않습니다: espalier budget",
  wordsHave: (least, most) => `찾을 말은 ${least}자에서 ${most}자까지입니다`,
};

/** The words of a language. */
export function serverWords(locale: Locale): ServerWords {
  return locale === "ko" ? KOREAN : ENGLISH;
}

/** Says in which language a page wants to be spoken to, where a person has chosen one on it. */
export const LOCALE_HEADER = "espalier-locale";

/**
 * The language to speak: the one that was chosen on the page, that of the configuration, Korean where the browser is Korean, else that
 * of whoever serves.
 */
export function spokenTo(
  header: (name: string) => string | undefined,
  { locale, isLocaleSet }: { readonly locale: Locale; readonly isLocaleSet: boolean },
): Locale {
  const chosen = header(LOCALE_HEADER);
  if (chosen === "en" || chosen === "ko") return chosen;
  return !isLocaleSet && /^ko\b/i.test(header("accept-language") ?? "") ? "ko" : locale;
}
