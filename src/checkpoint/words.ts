import type { Locale } from "../text/index.ts";
import { withParticle } from "../text/index.ts";

/** What became of a file. */
export type FileChange = "created" | "modified" | "deleted" | "moved";

/** What a delta document says in its own words. Titles of sections are the specification's and stay English. */
export interface DeltaWords {
  added(names: string): string;
  modified(names: string): string;
  removed(names: string): string;
  moved(names: string): string;
  /** A status that something has now. */
  status(name: string, after: string): string;
  /** How many statuses moved. */
  statuses(count: string): string;
  readonly layout: string;
  layoutOf(sections: string): string;
  readonly nothing: string;
  /** Nothing but fields by which a checkpoint is known. */
  readonly frontOnly: string;
  /** Names, and how many more there are. */
  list(names: readonly string[], more: number): string;
  with(names: string): string;
  /** Where a section stands: behind which other, or first. */
  behind(title: string): string;
  /** Files of which their row does not say what became of them. */
  readonly files: string;
  readonly goneFiles: string;
  changedFiles(change: FileChange): string;
  /** What stands before the first heading. */
  readonly front: string;
  newSection(lines: string): string;
  goneSection(lines: string): string;
  more(count: number): string;
  addSections(names: string): string;
  takeSections(names: string): string;
  addTo(section: string, names: string): string;
  takeFrom(section: string, names: string): string;
  change(section: string, names: string): string;
  rename(before: string, after: string): string;
  move(name: string, before: string, after: string): string;
  moveSection(section: string, place: string): string;
  setStatus(names: string): string;
  arrange(sections: string): string;
  /** Steps like those before that are not written out. */
  moreSteps(count: number): string;
  machine(from: string, to: string): string;
  /** The same where no step is written out; there may be none. */
  allSteps(count: number, from: string, to: string): string;
  step(from: string, to: string): string;
  /** Steps of the Play-By-Play that a line stands for; `phases` are those they belong to. */
  earlier(count: number, phases: readonly string[]): string;
}

function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

const ENGLISH: DeltaWords = {
  added: names => `added ${names}`,
  modified: names => `changed ${names}`,
  removed: names => `removed ${names}`,
  moved: names => `moved ${names}`,
  status: (name, after) => `${name} → ${after}`,
  statuses: count => `moved ${count === "1" ? "1 status" : `${count} statuses`}`,
  layout: "layout",
  layoutOf: sections => `blank lines, order or marks of ${sections}`,
  nothing: "nothing changed",
  frontOnly: "only the front matter changed",
  list: (names, more) =>
    names.length === 0 ? String(more) : `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`,
  with: names => `with ${names}`,
  behind: title => (title === "" ? "first" : `after §${title}`),
  files: "Files",
  goneFiles: "Files no longer listed",
  changedFiles: change => (change === "created" ? "New files created" : `Files ${change}`),
  front: "the part before the first heading",
  newSection: lines => `new section, ${plural(Number(lines), "line", "lines")}`,
  goneSection: lines => `section of ${plural(Number(lines), "line", "lines")}`,
  more: count => `… and ${count} more`,
  addSections: names => `Add ${names}.`,
  takeSections: names => `Remove ${names}.`,
  addTo: (section, names) => `Add ${names} to ${section}.`,
  takeFrom: (section, names) => `Remove ${names} from ${section}.`,
  change: (section, names) => `Change ${names} in ${section}.`,
  rename: (before, after) => `Rename ${before} to ${after}.`,
  move: (name, before, after) => `Move ${name} from ${before} to ${after}.`,
  moveSection: (section, place) => `Move ${section}: it stands ${place}.`,
  setStatus: names => `Set ${names}.`,
  arrange: sections => `Arrange ${sections} anew (blank lines, order, marks).`,
  moreSteps: count => `And ${plural(count, "more such step", "more such steps")}.`,
  machine: (from, to) =>
    `Or \`espalier checkpoint apply\`: this block makes ${from} into ${to}, byte for byte.`,
  allSteps: (count, from, to) =>
    `${count === 0 ? "" : `${plural(count, "step", "steps")}: `}\`espalier checkpoint apply\` makes ${from} into ${to} by this block.`,
  step: (from, to) => `From ${from} to ${to}`,
  earlier: (count, phases) =>
    `Earlier: ${plural(count, "step", "steps")}${phases.length === 0 ? "" : ` (phase ${phases.join(", ")})`}, in the checkpoints before this one`,
};

const KOREAN: DeltaWords = {
  added: names => `${names} 추가`,
  modified: names => `${names} 수정`,
  removed: names => `${names} 삭제`,
  moved: names => `${names} 이동`,
  status: (name, after) => `${name} → ${after}`,
  statuses: count => `상태 ${count} 변경`,
  layout: "배치",
  layoutOf: sections => `${sections}의 빈 줄, 순서, 표시`,
  nothing: "변경 없음",
  frontOnly: "프런트 매터만 변경",
  list: (names, more) =>
    names.length === 0 ? `${more}개` : `${names.join(", ")}${more > 0 ? ` 외 ${more}개` : ""}`,
  with: names => `${names} 포함`,
  behind: title => (title === "" ? "맨 앞" : `§${title} 뒤`),
  files: "파일",
  goneFiles: "목록에서 빠진 파일",
  changedFiles: change =>
    ({ created: "새 파일", modified: "수정한 파일", deleted: "삭제한 파일", moved: "옮긴 파일" })[change],
  front: "첫 제목 앞부분",
  newSection: lines => `새 섹션, ${lines}줄`,
  goneSection: lines => `${lines}줄 섹션`,
  more: count => `… 그 밖에 ${count}개`,
  addSections: names => `추가: ${names}.`,
  takeSections: names => `삭제: ${names}.`,
  addTo: (section, names) => `${section}에 추가: ${names}.`,
  takeFrom: (section, names) => `${section}에서 삭제: ${names}.`,
  change: (section, names) => `${section}에서 수정: ${names}.`,
  rename: (before, after) => `제목 변경: ${before} → ${after}.`,
  move: (name, before, after) => `이동: ${name}, ${before} → ${after}.`,
  moveSection: (section, place) => `이동: ${section}, 새 위치는 ${place}.`,
  setStatus: names => `상태 변경: ${names}.`,
  arrange: sections => `배치 변경(빈 줄, 순서, 표시): ${sections}.`,
  moreSteps: count => `이와 같은 변경 ${count}건이 더 있습니다.`,
  machine: (from, to) =>
    `또는 \`espalier checkpoint apply\`: 이 블록은 ${withParticle(from, "을/를")} ${withParticle(to, "으로/로")} 바이트까지 똑같이 바꿉니다.`,
  allSteps: (count, from, to) =>
    `${count === 0 ? "" : `변경 ${count}건: `}\`espalier checkpoint apply\`가 이 블록으로 ${withParticle(from, "을/를")} ${withParticle(to, "으로/로")} 바꿉니다.`,
  step: (from, to) => `${from}에서 ${withParticle(to, "으로/로")}`,
  earlier: (count, phases) =>
    `이전: ${count}건${phases.length === 0 ? "" : ` (단계 ${phases.join(", ")})`}, 앞선 체크포인트에 있습니다`,
};

/** A delta document's words in a language. */
export function deltaWords(locale: Locale): DeltaWords {
  return locale === "ko" ? KOREAN : ENGLISH;
}
