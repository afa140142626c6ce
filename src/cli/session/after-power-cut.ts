import { mendFolders, mendRepository, type Repository } from "../../adapters/vcs/git/index.ts";
import { EspalierError, EXIT, type Result, type VcsFailure } from "../../ports/index.ts";

function read<T>(found: Result<T, VcsFailure>): T {
  if (found.ok) return found.value;
  throw new EspalierError("GIT_REFUSED", `the repository cannot be mended: ${found.failure.message}`, {
    hint: "nothing was started; git fsck says what is missing",
    exitCode: EXIT.environment,
  });
}

function some(names: readonly string[]): string {
  return names.slice(0, 5).join(", ") + (names.length > 5 ? ` and ${names.length - 5} more` : "");
}

/** Mends what a power cut left of a repository before anything is asked of it; says what was found. Throws EspalierError. */
export async function afterPowerCut(repository: Repository): Promise<string[]> {
  const found = read(await mendRepository(repository));
  if (found === undefined) return [];
  const { objects, refs, standing, index, kept } = found;
  return [
    ...(objects.length === 0
      ? []
      : [`git objects that never came to the disk: ${objects.length}; kept in ${kept}`]),
    ...(refs.length === 0 ? [] : [`refs that name nothing: ${some(refs)}; kept in ${kept}`]),
    ...(index ? [`the index of the main checkout could not be read; made anew, kept in ${kept}`] : []),
    ...(standing.length === 0
      ? []
      : [
          `refs that name nothing and are not ours, so left alone: ${some(standing)}; git reflog names what they were`,
        ]),
  ];
}

/** Puts back what a power cut left of files in worktrees; says which. Throws EspalierError. */
export async function foldersAfterPowerCut(repository: Repository): Promise<string[]> {
  const files = read(await mendFolders(repository));
  return files.length === 0
    ? []
    : [`cut short by a loss of power, put back to what had landed: ${some(files)}`];
}
