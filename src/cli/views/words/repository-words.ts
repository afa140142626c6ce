import type { Locale } from "../../../text/index.ts";

/** A sentence for people, and what they can do about it. */
interface Advice {
  readonly message: string;
  readonly hint: string;
}

/** What `espalier phase` and `espalier worktrees` say, in one language. Arguments are already safe to show. */
export interface RepositoryWords {
  /** A phase that is not in the plan; `guess` is the label that comes nearest. */
  readonly noPhase: (label: string, labels: string, guess: string | undefined) => Advice;
  readonly open: string;
  readonly forced: string;
  readonly phase: (label: string, title: string) => string;
  readonly completed: (completed: number, counted: number, isOpen: boolean) => string;
  readonly merged: (label: string, into: string, commit: string) => string;
  readonly nothingToMerge: (label: string) => string;
  readonly isIn: (target: string) => string;
  readonly waitsOn: (branch: string) => string;
  /** A phase and all of them, or neither, was asked for. */
  readonly whichPhase: string;
  readonly noneWaits: string;
  readonly notMerged: (label: string, why: string) => string;
  readonly mergeLeft: (labels: string) => string;
  /** Somebody ended it before this one was merged. */
  readonly mergeStopped: (label: string) => string;
  /** Phases that stay on their branches: tasks of them, or of one that they build on, have not ended. */
  readonly notAllDone: (labels: string) => string;

  readonly noWorktrees: string;
  readonly gone: string;
  readonly locked: (reason: string) => string;
  /** What a person has begun in a worktree and not ended, as git calls it. */
  readonly begun: (what: string) => string;
  readonly notCommitted: (files: number) => string;
  readonly isMerged: (merged: boolean) => string;
  readonly removed: (path: string) => string;
  readonly kept: (path: string, why: string) => string;
  readonly savedOn: (branch: string) => string;
  readonly savedIn: (folder: string) => string;
  readonly nothingToClear: (notMerged: number) => string;
  readonly noSuchWorktree: (name: string) => Advice;
  readonly rescued: (branch: string, saved: string | undefined) => string;
}

const ENGLISH: RepositoryWords = {
  noPhase: (label, labels, guess) => ({
    message: `no phase ${label} in this plan`,
    hint: `its phases: ${labels}${guess === undefined ? "" : `; did you mean ${guess}?`}`,
  }),
  open: "open",
  forced: "forced",
  phase: (label, title) => `Phase ${label}${title === "" ? "" : `: ${title}`}`,
  completed: (completed, counted, isOpen) => `${completed}/${counted} completed${isOpen ? ", open" : ""}`,
  merged: (label, into, commit) => `phase ${label}: merged into ${into} (${commit})`,
  nothingToMerge: label => `phase ${label}: there is nothing to merge`,
  isIn: target => `merged into ${target}`,
  waitsOn: branch => `on ${branch}, not merged`,
  whichPhase: "name one phase, or --all",
  noneWaits: "no phase that is done waits on its branch",
  notMerged: (label, why) => `phase ${label} is not merged: ${why}`,
  notAllDone: labels => `not all done, still on their branches: ${labels}; espalier status names the tasks`,
  mergeStopped: label => `stopped: phase ${label} is not merged`,
  mergeLeft: labels => `still on their branches: ${labels}; what was merged before stays merged`,

  noWorktrees: "no worktrees of Espalier",
  gone: "folder is gone",
  locked: reason => (reason === "" ? "locked" : `locked (${reason})`),
  begun: what => `${what} under way`,
  notCommitted: files => `${files} ${files === 1 ? "file" : "files"} not committed`,
  isMerged: merged => (merged ? "merged" : "not merged"),
  removed: path => `removed ${path}`,
  kept: (path, why) => `kept ${path}: ${why}`,
  savedOn: branch => `uncommitted work is on branch ${branch}`,
  savedIn: folder => `ignored files are in ${folder}`,
  nothingToClear: notMerged =>
    `nothing to clear away${notMerged === 0 ? "" : `; ${notMerged} are not merged yet (--all removes them too)`}`,
  noSuchWorktree: name => ({
    message: `no worktree ${name}`,
    hint: "espalier worktrees list names them",
  }),
  rescued: (branch, saved) => `${branch}: ${saved === undefined ? "nothing to save" : `saved on ${saved}`}`,
};

/** Operations of git by their English names. */
const BEGUN: Readonly<Record<string, string>> = {
  "a merge": "병합",
  "a rebase": "리베이스",
  "a cherry-pick": "체리픽",
  "a revert": "되돌리기",
  "a bisect": "이분 탐색",
};

const KOREAN: RepositoryWords = {
  noPhase: (label, labels, guess) => ({
    message: `이 계획에 단계 ${label} 없음`,
    hint: `단계 목록: ${labels}${guess === undefined ? "" : `; 혹시 ${guess}인가요?`}`,
  }),
  open: "진행 중",
  forced: "강제 시작",
  phase: (label, title) => `단계 ${label}${title === "" ? "" : `: ${title}`}`,
  completed: (completed, counted, isOpen) => `${completed}/${counted} 완료${isOpen ? ", 진행 중" : ""}`,
  merged: (label, into, commit) => `단계 ${label}: ${into}에 병합됨 (${commit})`,
  nothingToMerge: label => `단계 ${label}: 병합할 것이 없습니다`,
  isIn: target => `${target}에 병합됨`,
  waitsOn: branch => `${branch}에 있음, 병합 안 됨`,
  whichPhase: "단계 하나 또는 --all을 지정하세요",
  noneWaits: "브랜치에서 병합을 기다리는 완료된 단계가 없습니다",
  notMerged: (label, why) => `단계 ${label} 병합 안 됨: ${why}`,
  notAllDone: labels =>
    `아직 끝나지 않아 브랜치에 남은 단계: ${labels}; 태스크는 espalier status로 확인하세요`,
  mergeStopped: label => `중단됨: 단계 ${label} 병합 안 됨`,
  mergeLeft: labels => `아직 브랜치에 있음: ${labels}; 앞서 병합된 것은 그대로입니다`,

  noWorktrees: "Espalier의 워크트리가 없습니다",
  gone: "폴더가 없음",
  locked: reason => (reason === "" ? "잠김" : `잠김 (${reason})`),
  begun: what => `${BEGUN[what] ?? what} 진행 중`,
  notCommitted: files => `커밋되지 않은 파일 ${files}개`,
  isMerged: merged => (merged ? "병합됨" : "병합되지 않음"),
  removed: path => `제거함: ${path}`,
  kept: (path, why) => `남겨 둠: ${path}: ${why}`,
  savedOn: branch => `커밋되지 않은 작업은 브랜치 ${branch}에 있습니다`,
  savedIn: folder => `무시된 파일은 ${folder}에 있습니다`,
  nothingToClear: notMerged =>
    `정리할 것이 없습니다${notMerged === 0 ? "" : `; 아직 병합되지 않은 것 ${notMerged}개 (--all은 이것도 제거)`}`,
  noSuchWorktree: name => ({
    message: `워크트리 ${name} 없음`,
    hint: "espalier worktrees list가 목록을 보여 줍니다",
  }),
  rescued: (branch, saved) => `${branch}: ${saved === undefined ? "저장할 것이 없음" : `${saved}에 저장함`}`,
};

/** The words of a language. */
export function repositoryWords(locale: Locale): RepositoryWords {
  return locale === "ko" ? KOREAN : ENGLISH;
}
