import { relative } from "node:path";
import {
  createGitVcs,
  isOfTask,
  rescueFolder,
  type SurveyedFolder,
  surveyFolders,
} from "../../adapters/vcs/git/index.ts";
import { gitError } from "../../host/project/errors.ts";
import type { Project } from "../../host/project/project.ts";
import { type ProjectRepository, requireRepository, whileIdle } from "../../host/session/idle-repository.ts";
import { isOfAnother } from "../../host/session/repository.ts";
import { EspalierError, EXIT, type Result, type VcsFailure } from "../../ports/index.ts";
import { visible } from "../../text/index.ts";
import { type Io, say, sayJson } from "../io.ts";
import { projectOf } from "../project.ts";
import { type RepositoryWords, repositoryWords } from "../views/words/repository-words.ts";

function must<T>(result: Result<T, VcsFailure>): T {
  if (result.ok) return result.value;
  throw gitError(result.failure);
}

function stateOf(folder: SurveyedFolder, words: RepositoryWords): string {
  const { present, changed, merged, locked, begun } = folder;
  const parts = [
    present ? "" : words.gone,
    locked === undefined ? "" : words.locked(visible(locked, 60)),
    begun === undefined ? "" : words.begun(begun),
    changed === 0 ? "" : words.notCommitted(changed),
    words.isMerged(merged === true),
  ];
  return parts.filter(part => part !== "").join(", ");
}

/** The folders of a project: those of others in its repository may be worked in. */
async function foldersOf(
  project: Project,
  { repository, target }: ProjectRepository,
): Promise<readonly SurveyedFolder[]> {
  const isOthers = isOfAnother(project, repository);
  return must(await surveyFolders(repository, target)).filter(({ branch }) => !isOthers(branch));
}

/** `espalier worktrees list`. */
export async function list(io: Io, options: { json?: boolean }): Promise<number> {
  const project = projectOf(io);
  const { repository, target } = await requireRepository(project, io.env);
  const words = repositoryWords(project.locale);
  const folders = await foldersOf(project, { repository, target });
  if (options.json === true) sayJson(io, { target, worktrees: folders });
  else if (folders.length === 0) say(io, words.noWorktrees);
  for (const folder of options.json === true ? [] : folders) {
    say(io, `${visible(folder.branch)}  ${visible(relative(project.root, folder.path))}`);
    say(io, `  ${stateOf(folder, words)}`);
  }
  return EXIT.done;
}

async function retireOne(
  { repository, target }: ProjectRepository,
  folder: SurveyedFolder,
  words: RepositoryWords,
): Promise<string[]> {
  const { branch, path } = folder;
  const vcs = createGitVcs(repository);
  const standing = must(await vcs.branches(target)).map(one => one.branch);
  const heldBy = [target, ...standing.filter(other => other !== branch && !isOfTask(other))];
  const gone = must(await vcs.retire({ branch, path, heldBy, deleteBranch: folder.merged === true }));
  return [
    gone.kept === undefined ? words.removed(visible(path)) : words.kept(visible(path), visible(gone.kept)),
    gone.branch === undefined ? "" : `  ${words.savedOn(gone.branch)}`,
    gone.files === undefined ? "" : `  ${words.savedIn(visible(gone.files))}`,
  ].filter(line => line !== "");
}

/** `espalier worktrees clean`: removes folders whose branch is merged, or all of them; what is nowhere else is saved. */
export async function clean(io: Io, options: { all?: boolean }): Promise<number> {
  const project = projectOf(io);
  const found = await requireRepository(project, io.env);
  const words = repositoryWords(project.locale);
  return whileIdle(project, async () => {
    const folders = await foldersOf(project, found);
    const wanted = folders.filter(
      folder => options.all === true || folder.merged === true || !folder.present,
    );
    if (wanted.length === 0) say(io, words.nothingToClear(folders.length));
    for (const folder of wanted) for (const line of await retireOne(found, folder, words)) say(io, line);
    return EXIT.done;
  });
}

/** `espalier worktrees rescue [NAME]`: saves uncommitted work on branches; the folders stay as they are. */
export async function rescue(io: Io, name: string | undefined): Promise<number> {
  const project = projectOf(io);
  const { repository, target } = await requireRepository(project, io.env);
  const words = repositoryWords(project.locale);
  return whileIdle(project, async () => {
    const folders = await foldersOf(project, { repository, target });
    const chosen = folders.filter(
      ({ branch, path }) => name === undefined || branch === name || path.endsWith(name),
    );
    if (name !== undefined && chosen.length === 0) {
      const { message, hint } = words.noSuchWorktree(visible(name));
      throw new EspalierError("NO_SUCH_WORKTREE", message, { hint, exitCode: EXIT.usage });
    }
    const standing = chosen.filter(({ present }) => present);
    if (standing.length === 0) say(io, words.noWorktrees);
    for (const folder of standing) {
      const saved = must(await rescueFolder(repository, folder));
      say(io, words.rescued(visible(folder.branch), saved));
    }
    return EXIT.done;
  });
}
