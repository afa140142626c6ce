import { relative } from "node:path";
import {
  createGitVcs,
  rescueFolder,
  type SurveyedFolder,
  surveyFolders,
} from "../../adapters/vcs/git/index.ts";
import { EspalierError, EXIT, type Result, type VcsFailure } from "../../ports/index.ts";
import { visible } from "../../text/index.ts";
import { type Io, say, sayJson } from "../io.ts";
import { type ProjectRepository, requireRepository, whileIdle } from "../session/idle-repository.ts";

function must<T>(result: Result<T, VcsFailure>): T {
  if (result.ok) return result.value;
  throw new EspalierError("GIT_REFUSED", result.failure.message, {
    hint: "espalier doctor looks at the repository",
    exitCode: EXIT.environment,
  });
}

function stateOf({ present, changed, merged, locked, begun }: SurveyedFolder): string {
  const parts = [
    present ? "" : "folder is gone",
    locked === undefined ? "" : `locked${locked === "" ? "" : ` (${visible(locked, 60)})`}`,
    begun === undefined ? "" : `${begun} under way`,
    changed === 0 ? "" : `${changed} files not committed`,
    merged === true ? "merged" : "not merged",
  ];
  return parts.filter(part => part !== "").join(", ");
}

/** `espalier worktrees list`. */
export async function list(io: Io, options: { json?: boolean }): Promise<number> {
  const { project, repository, target } = await requireRepository(io);
  const folders = must(await surveyFolders(repository, target));
  if (options.json === true) sayJson(io, { target, worktrees: folders });
  else if (folders.length === 0) say(io, "no worktrees of Espalier");
  for (const folder of options.json === true ? [] : folders) {
    say(io, `${visible(folder.branch)}  ${visible(relative(project.root, folder.path))}`);
    say(io, `  ${stateOf(folder)}`);
  }
  return EXIT.done;
}

async function retireOne(
  { repository, target }: ProjectRepository,
  folder: SurveyedFolder,
): Promise<string[]> {
  const { branch, path } = folder;
  const vcs = createGitVcs(repository);
  const standing = must(await vcs.branches(target)).map(one => one.branch);
  const heldBy = [target, ...standing.filter(other => other !== branch && !other.startsWith("task/"))];
  const gone = must(await vcs.retire({ branch, path, heldBy, deleteBranch: folder.merged === true }));
  return [
    gone.kept === undefined ? `removed ${visible(path)}` : `kept ${visible(path)}: ${visible(gone.kept)}`,
    gone.branch === undefined ? "" : `  uncommitted work is on branch ${gone.branch}`,
    gone.files === undefined ? "" : `  ignored files are in ${gone.files}`,
  ].filter(line => line !== "");
}

/** `espalier worktrees clean`: removes folders whose branch is merged, or all of them; what is nowhere else is saved. */
export async function clean(io: Io, options: { all?: boolean }): Promise<number> {
  const found = await requireRepository(io);
  return whileIdle(found.project, async () => {
    const folders = must(await surveyFolders(found.repository, found.target));
    const wanted = folders.filter(
      folder => options.all === true || folder.merged === true || !folder.present,
    );
    if (wanted.length === 0) {
      const rest =
        folders.length === 0 ? "" : `; ${folders.length} are not merged yet (--all removes them too)`;
      say(io, `nothing to clear away${rest}`);
    }
    for (const folder of wanted) for (const line of await retireOne(found, folder)) say(io, line);
    return EXIT.done;
  });
}

/** `espalier worktrees rescue [NAME]`: saves uncommitted work on branches; the folders stay as they are. */
export async function rescue(io: Io, name: string | undefined): Promise<number> {
  const { project, repository, target } = await requireRepository(io);
  return whileIdle(project, async () => {
    const folders = must(await surveyFolders(repository, target));
    const chosen = folders.filter(
      ({ branch, path }) => name === undefined || branch === name || path.endsWith(name),
    );
    if (name !== undefined && chosen.length === 0) {
      throw new EspalierError("NO_SUCH_WORKTREE", `no worktree ${visible(name)}`, {
        hint: "espalier worktrees list names them",
        exitCode: EXIT.usage,
      });
    }
    for (const folder of chosen.filter(({ present }) => present)) {
      const saved = must(await rescueFolder(repository, folder));
      say(io, `${visible(folder.branch)}: ${saved === undefined ? "nothing to save" : `saved on ${saved}`}`);
    }
    return EXIT.done;
  });
}
