export { gitEnv, gitGuards } from "./call/call.ts";
export { type Aftermath, mendFolders, mendRepository } from "./care/after-power-cut.ts";
export { mend } from "./care/mend.ts";
export {
  leftovers,
  rescueFolder,
  type SurveyedFolder,
  surveyFolders,
} from "./care/survey.ts";
export { noteProject, projectsBeside, taskFilesBeside } from "./files/beside.ts";
export { isLeftOut } from "./files/snapshot.ts";
export {
  changedFiles,
  type FileChange,
  openReading,
  patchesOf,
  type Range,
  rangeOfCommit,
} from "./history/changed-files.ts";
export { diffText } from "./history/diff-text.ts";
export { goneBranches } from "./history/left.ts";
export { lostLandings } from "./history/lost-landings.ts";
export { isOfTask } from "./history/refs.ts";
export { unreadableCommits } from "./history/unreadable-commits.ts";
export { openRepository } from "./repository/open.ts";
export type { Repository } from "./repository/repository.ts";
export { unbornAt } from "./repository/unborn.ts";
export {
  type Copy,
  type CopyFile,
  dropCopies,
  type FetchedCopy,
  fetchCopy,
  listCopies,
  runRefs,
  sendCopy,
} from "./travel/copy.ts";
export { planRefs, type Taking, takeRefs } from "./travel/take-refs.ts";
export {
  fetchWork,
  firstCommit,
  keepWork,
  type Sent,
  sendFolder,
  standsIn,
  takeWork,
  type WorkPlace,
} from "./travel/travel.ts";
export { cloneDirectory } from "./trust/own-place.ts";
export { trapAround, trapBelow } from "./trust/traps.ts";
export { createGitVcs } from "./vcs.ts";
export { standingWork } from "./worktrees/standing-work.ts";
export { inThrowaway, type Standing } from "./worktrees/throwaway.ts";
