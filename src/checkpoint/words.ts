import type { Locale } from "../text/index.ts";

/** What became of a file. */
export type FileChange = "created" | "modified" | "deleted" | "moved";

/** What a delta document says in its own words. Titles of sections are the specification's and stay English. */
export interface DeltaWords {
  added(count: number): string;
  modified(count: number): string;
  removed(count: number): string;
  moved(count: number): string;
  readonly layout: string;
  readonly nothing: string;
  /** Files of which their row does not say what became of them. */
  readonly files: string;
  readonly goneFiles: string;
  changedFiles(change: FileChange): string;
  /** What stands before the first heading. */
  readonly front: string;
  /** What happened, with the sections it happened in. */
  inSections(what: string, titles: readonly string[], more: number): string;
  newSection(lines: string): string;
  goneSection(lines: string): string;
  more(count: number): string;
  addTo(section: string, count: number): string;
  takeFrom(section: string, count: number): string;
  change(section: string, count: number): string;
  setStatus(count: number): string;
  arrange(lines: number): string;
  /** Steps like those before that are not written out. */
  moreSteps(count: number): string;
  machine(from: string, to: string): string;
  step(from: string, to: string): string;
  /** Steps of the Play-By-Play that a line stands for; `phases` are those they belong to. */
  earlier(count: number, phases: readonly string[]): string;
}

function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

const ENGLISH: DeltaWords = {
  added: count => plural(count, "item added", "items added"),
  modified: count => plural(count, "item modified", "items modified"),
  removed: count => plural(count, "item removed", "items removed"),
  moved: count => plural(count, "status moved", "statuses moved"),
  layout: "layout",
  nothing: "nothing changed",
  files: "Files",
  goneFiles: "Files no longer listed",
  changedFiles: change => (change === "created" ? "New files created" : `Files ${change}`),
  front: "the front matter",
  inSections: (what, titles, more) => `${what} in ${titles.join(", ")}${more > 0 ? ` and ${more} more` : ""}`,
  newSection: lines => `new section, ${lines} lines`,
  goneSection: lines => `section of ${lines} lines`,
  more: count => `… and ${count} more, which the machine block below has`,
  addTo: (section, count) => `Add ${plural(count, "item", "items")} to ${section}.`,
  takeFrom: (section, count) => `Remove ${plural(count, "item", "items")} from ${section}.`,
  change: (section, count) => `Change ${plural(count, "item", "items")} in ${section}.`,
  setStatus: count => `Set ${plural(count, "status", "statuses")} as listed under Status Transitions.`,
  arrange: lines => `Arrange ${plural(lines, "place", "places")} anew (blank lines, order, marks).`,
  moreSteps: count =>
    `And ${plural(count, "more such step", "more such steps")}, which the machine block below has.`,
  machine: (from, to) =>
    `Or have a program do all of it: this block makes ${from} into ${to}, byte for byte (\`espalier checkpoint apply\`).`,
  step: (from, to) => `From ${from} to ${to}`,
  earlier: (count, phases) =>
    `Earlier: ${plural(count, "step", "steps")}${phases.length === 0 ? "" : ` (phase ${phases.join(", ")})`}, in the checkpoints before this one`,
};

const KOREAN: DeltaWords = {
  added: count => `항목 ${count}개 추가`,
  modified: count => `항목 ${count}개 수정`,
  removed: count => `항목 ${count}개 삭제`,
  moved: count => `상태 ${count}개 변경`,
  layout: "배치",
  nothing: "변경 없음",
  files: "파일",
  goneFiles: "목록에서 빠진 파일",
  changedFiles: change =>
    ({ created: "새 파일", modified: "수정한 파일", deleted: "삭제한 파일", moved: "옮긴 파일" })[change],
  front: "머리말",
  inSections: (what, titles, more) =>
    `${titles.join(", ")}${more > 0 ? ` 외 ${more}개 섹션` : ""}에서 ${what}`,
  newSection: lines => `새 섹션, ${lines}줄`,
  goneSection: lines => `${lines}줄 섹션`,
  more: count => `… 그 밖에 ${count}개는 아래 기계용 블록에 있습니다`,
  addTo: (section, count) => `${section}에 항목 ${count}개를 추가합니다.`,
  takeFrom: (section, count) => `${section}에서 항목 ${count}개를 삭제합니다.`,
  change: (section, count) => `${section}의 항목 ${count}개를 고칩니다.`,
  setStatus: count => `Status Transitions에 적힌 상태 ${count}개를 바꿉니다.`,
  arrange: lines => `${lines}곳의 배치(빈 줄, 순서, 표시)를 바꿉니다.`,
  moreSteps: count => `이와 같은 변경 ${count}건이 더 있으며, 아래 기계용 블록에 있습니다.`,
  machine: (from, to) =>
    `또는 프로그램에 맡깁니다: 이 블록은 ${from}을(를) ${to}(으)로 바이트까지 똑같이 바꿉니다 (\`espalier checkpoint apply\`).`,
  step: (from, to) => `${from}에서 ${to}(으)로`,
  earlier: (count, phases) =>
    `이전: ${count}건${phases.length === 0 ? "" : ` (단계 ${phases.join(", ")})`}, 앞선 체크포인트에 있습니다`,
};

/** A delta document's words in a language. */
export function deltaWords(locale: Locale): DeltaWords {
  return locale === "ko" ? KOREAN : ENGLISH;
}
