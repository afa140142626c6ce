import { ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import { namesBelow, projectKey } from "../history/refs.ts";
import { change, type Repository } from "../repository/repository.ts";

/** What holds commits that come from elsewhere while they are taken in: the work of a turn, the copy of a run. */
const KINDS = { came: "refs/espalier/came", copy: "refs/espalier/copy" } as const;

type Kind = keyof typeof KINDS;

/** Whether a ref only holds what is about to be taken in. */
export function isPassing(ref: string): boolean {
  return Object.values(KINDS).some(folder => ref.startsWith(`${folder}/`));
}

/** The folder of such refs of one project. */
function folderOf(repository: Repository, kind: Kind): string {
  return `${KINDS[kind]}/${projectKey(repository)}`;
}

/** A name for commits that come to this project. */
export function passingRef(repository: Repository, kind: Kind, name: string): string {
  return `${folderOf(repository, kind)}/${name}`;
}

/** Lets go of what is held so for this project, but for one. */
export async function forgetPassing(
  repository: Repository,
  kinds: readonly Kind[],
  held?: string,
): Promise<Result<void, VcsFailure>> {
  const gone: string[] = [];
  for (const kind of kinds) {
    const folder = folderOf(repository, kind);
    const names = await namesBelow(repository, folder);
    if (!names.ok) return names;
    gone.push(...names.value.map(name => `${folder}/${name}`).filter(ref => ref !== held));
  }
  if (gone.length === 0) return ok(undefined);
  const input = gone.map(ref => `delete ${ref}\n`).join("");
  const done = await change(repository, ["update-ref", "--stdin"], { input });
  return done.ok ? ok(undefined) : done;
}
