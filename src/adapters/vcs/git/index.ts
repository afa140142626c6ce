export { programsOf, readConfigFile } from "./config-file.ts";
export { inProgress, type RepositoryFacts, repositoryFacts, type Unfit } from "./facts.ts";
export { type KnownFolder, knownFolders } from "./folders.ts";
export { openRepository, repositoryPrograms } from "./open.ts";
export { holdRepository, type Repository } from "./repository.ts";
export {
  type Leftover,
  leftovers,
  rescueFolder,
  type SurveyedFolder,
  surveyFolders,
} from "./survey.ts";
export { mend } from "./mend.ts";
export { createGitVcs } from "./vcs.ts";
