import { isAbsolute, join, normalize } from "node:path";
import type { Result } from "../../../ports/index.ts";
import {
  entriesOwned,
  makeOwnedFolder,
  NotOwned,
  ownedFileCalls,
  readBounded,
  type WriteFailure,
  writeAtomic,
} from "../../file/index.ts";
import { projectKey } from "./refs.ts";
import type { Repository } from "./repository.ts";

type Place = Pick<Repository, "facts" | "rescueDir">;

/** Bytes of a path. */
const MOST_BYTES = 8192;
/** Projects of a repository that are looked at. */
const MOST_PROJECTS = 1000;

/** Here each project with a run notes where its task file is, as a repository path. */
function folderOf({ facts }: Pick<Repository, "facts">): string {
  return join(facts.common, "espalier", "projects");
}

/** Notes the task file of this project for the others in its repository. */
export function noteTaskFile(repository: Place, path: string): Result<unknown, WriteFailure> | undefined {
  try {
    makeOwnedFolder(folderOf(repository));
  } catch (error) {
    if (error instanceof NotOwned || (error instanceof Error && "code" in error)) return undefined;
    throw error;
  }
  return writeAtomic(join(folderOf(repository), projectKey(repository)), path, { calls: ownedFileCalls });
}

/**
 * The task files of other projects in the repository: in the main checkout their boxes are ticked while work of this one goes
 * on there. None where that cannot be read.
 */
export function taskFilesBeside(repository: Place): ReadonlySet<string> {
  const folder = folderOf(repository);
  const own = projectKey(repository);
  try {
    const names = entriesOwned(folder).map(({ name }) => name);
    const others = names.filter(name => /^[0-9a-f]{12}$/.test(name) && name !== own).slice(0, MOST_PROJECTS);
    const read = others.map(name =>
      readBounded(join(folder, name), { maxBytes: MOST_BYTES, calls: ownedFileCalls }),
    );
    const paths = read.flatMap(one => (one.ok ? [Buffer.from(one.value).toString("utf8")] : []));
    return new Set(paths.filter(path => path !== "" && !isAbsolute(path) && normalize(path) === path));
  } catch (error) {
    if (error instanceof NotOwned || (error instanceof Error && "code" in error)) return new Set();
    throw error;
  }
}
