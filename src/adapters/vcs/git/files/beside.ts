import { join } from "node:path";
import {
  entriesOwned,
  makeOwnedFolder,
  NotOwned,
  ownedFileCalls,
  readBounded,
  writeAtomic,
} from "../../../file/index.ts";
import { projectKey } from "../history/refs.ts";
import type { Repository } from "../repository/repository.ts";

type Place = Pick<Repository, "facts" | "rescueDir">;

/** Bytes of what one project says of itself. */
const MOST_BYTES = 65_536;
/** Projects of a repository that are looked at. */
const MOST_PROJECTS = 1000;

/** A project as the others in its repository know it. */
export interface ProjectBeside {
  /** Its folder below the checkout's top; empty for the top itself. */
  readonly folder: string;
  /** Its task file, as a repository path. */
  readonly taskFile: string;
  /** How its branches are called. */
  readonly branch: string;
}

/** Here each project with a run says of itself where it is. */
function folderOf({ facts }: Pick<Repository, "facts">): string {
  return join(facts.common, "espalier-projects");
}

/** Whether a failure is one of the disk's, or of what stands there; whoever cannot note itself goes on without. */
function isOfPlace(error: unknown): boolean {
  return error instanceof NotOwned || (error instanceof Error && "code" in error);
}

/** Notes this project for the others in its repository. */
export function noteProject(repository: Place, { taskFile, branch }: Omit<ProjectBeside, "folder">): void {
  const project: ProjectBeside = { folder: repository.facts.prefix, taskFile, branch };
  try {
    makeOwnedFolder(folderOf(repository));
    const path = join(folderOf(repository), projectKey(repository));
    writeAtomic(path, `${JSON.stringify(project)}\n`, { calls: ownedFileCalls });
  } catch (error) {
    if (!isOfPlace(error)) throw error;
  }
}

function projectIn(bytes: Uint8Array): ProjectBeside[] {
  try {
    const read: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
    const { folder, taskFile, branch } = (read ?? {}) as Record<string, unknown>;
    const isWhole = typeof folder === "string" && typeof taskFile === "string" && typeof branch === "string";
    return isWhole ? [{ folder, taskFile, branch }] : [];
  } catch {
    return [];
  }
}

/** The other projects of the repository that have had a run. None where that cannot be read. */
export function projectsBeside(repository: Place): readonly ProjectBeside[] {
  const folder = folderOf(repository);
  const own = projectKey(repository);
  try {
    const names = entriesOwned(folder).map(({ name }) => name);
    const others = names.filter(name => /^[0-9a-f]{12}$/.test(name) && name !== own).slice(0, MOST_PROJECTS);
    const read = others.map(name =>
      readBounded(join(folder, name), { maxBytes: MOST_BYTES, calls: ownedFileCalls }),
    );
    return read.flatMap(one => (one.ok ? projectIn(one.value) : []));
  } catch (error) {
    if (isOfPlace(error)) return [];
    throw error;
  }
}

/** Their task files: in the main checkout boxes of them are ticked while work of this project goes on there. */
export function taskFilesBeside(repository: Place): ReadonlySet<string> {
  return new Set(projectsBeside(repository).map(({ taskFile }) => taskFile));
}
