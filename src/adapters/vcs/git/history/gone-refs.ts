import { join } from "node:path";
import { type GoneRef, OBJECT_ID, ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import { readBounded } from "../../../file/index.ts";
import type { Repository } from "../repository/repository.ts";
import { baseRef } from "./refs.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/** Where refs of people lie, by what they are. What a remote had can be had again. */
const KINDS = { branch: "refs/heads", tag: "refs/tags", note: "refs/notes" } as const;
const FOLDERS = Object.values(KINDS);
const MOST_OF_STASH = 16 * 1024 ** 2;

/** Every ref there is, as far as it may be a person's, where only git can list them. */
async function refsToldByGit({ git }: Repository): Answer<ReadonlyMap<string, string>> {
  const told = await git.text(["for-each-ref", "--format=%(objectname) %(refname)", ...FOLDERS]);
  if (!told.ok) return told;
  const lines = told.value.split("\n").map(line => line.split(" "));
  return ok(new Map(lines.map(([object = "", ref = ""]) => [ref, object])));
}

/** Stashed work, newest last, by its commits. */
function stashedNow({ facts: { common } }: Repository): Map<string, string> | undefined {
  const log = readBounded(join(common, "logs/refs/stash"), { maxBytes: MOST_OF_STASH });
  if (!log.ok) return log.failure.kind === "missing" ? new Map() : undefined;
  const lines = Buffer.from(log.value).toString("utf8").split("\n");
  return new Map(
    lines.flatMap(line => {
      const tab = line.indexOf("\t");
      const [, commit = ""] = line.split(" ", 2);
      return tab > 0 && OBJECT_ID.test(commit) ? [[commit, line.slice(tab + 1)] as const] : [];
    }),
  );
}

/** What is there that is none of ours. */
function othersOf(repository: Repository, now: ReadonlyMap<string, string>): Map<string, string> {
  const heads = `${KINDS.branch}/`;
  const isOurs = (ref: string) =>
    ref.startsWith(heads) && repository.storedRefs.read(baseRef(ref.slice(heads.length))).kind !== "absent";
  return new Map([...now].filter(([ref]) => !isOurs(ref)));
}

function toldOf(ref: string, object: string): GoneRef[] {
  return (Object.keys(KINDS) as (keyof typeof KINDS)[])
    .filter(kind => ref.startsWith(`${KINDS[kind]}/`) && object !== "")
    .map(kind => ({ kind, name: ref.slice(KINDS[kind].length + 1), object }));
}

/** Refs of people that were there when this was first asked and have gone since by no call of ours; each once. */
export async function goneRefs(repository: Repository): Answer<readonly GoneRef[]> {
  const { memory, refs, storedRefs } = repository;
  // Read at once: no change of ours comes in between. At the first look, one under way may let go of a ref that is then taken for a person's.
  const stored = memory.keptRefs() === undefined ? undefined : storedRefs.list(FOLDERS);
  if (stored !== undefined) return ok(missedAmong(repository, stored));
  return refs.alone(async (): Answer<readonly GoneRef[]> => {
    const listed = storedRefs.list(FOLDERS);
    const now = listed === undefined ? await refsToldByGit(repository) : ok(listed);
    return now.ok ? ok(missedAmong(repository, now.value)) : now;
  });
}

/** What is missed among the refs there are now; the first time nothing is. */
function missedAmong(repository: Repository, now: ReadonlyMap<string, string>): GoneRef[] {
  const stashed = stashedNow(repository);
  const known = repository.memory.keptRefs();
  if (known === undefined) {
    repository.memory.noteKept({ refs: othersOf(repository, now), stashed: stashed ?? new Map() });
    return [];
  }
  const gone: GoneRef[] = [];
  for (const [ref, object] of known.refs) {
    const is = now.get(ref);
    if (is !== undefined) known.refs.set(ref, is === "" ? object : is);
    else if (known.refs.delete(ref)) gone.push(...toldOf(ref, object));
  }
  for (const [object, name] of stashed === undefined ? [] : known.stashed)
    if (stashed?.has(object) === false && known.stashed.delete(object))
      gone.push({ kind: "stash", name, object });
  return gone;
}
