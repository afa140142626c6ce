export { type Aftermath, mendFolders, mendRepository } from "./after-power-cut.ts";
export { noteProject, projectsBeside, taskFilesBeside } from "./beside.ts";
export { gitEnv, gitGuards } from "./call.ts";
export {
  changedFiles,
  type FileChange,
  openReading,
  patchesOf,
  type Range,
  rangeOfCommit,
} from "./changed-files.ts";
export {
  type Copy,
  type CopyFile,
  dropCopies,
  type FetchedCopy,
  fetchCopy,
  listCopies,
  runRefs,
  sendCopy,
} from "./copy.ts";
export { diffText } from "./diff-text.ts";
export { goneBranches } from "./left.ts";
export { lostLandings } from "./lost-landings.ts";
export { mend } from "./mend.ts";
export { openRepository } from "./open.ts";
export { cloneDirectory } from "./own-place.ts";
export { isOfTask } from "./refs.ts";
export type { Repository } from "./repository.ts";
export { isLeftOut } from "./snapshot.ts";
export { standingWork } from "./standing-work.ts";
export {
  leftovers,
  rescueFolder,
  type SurveyedFolder,
  surveyFolders,
} from "./survey.ts";
export { planRefs, type Taking, takeRefs } from "./take-refs.ts";
export { inThrowaway, type Standing } from "./throwaway.ts";
export { trapAround, trapBelow } from "./traps.ts";
export {
  fetchWork,
  firstCommit,
  keepWork,
  type Sent,
  sendFolder,
  standsIn,
  takeWork,
  type WorkPlace,
} from "./travel.ts";
export { unbornAt } from "./unborn.ts";
export { unreadableCommits } from "./unreadable-commits.ts";
export { createGitVcs } from "./vcs.ts";
