import { existsSync } from "node:fs";
import { join } from "node:path";
import { OBJECT_ID } from "../../../../ports/index.ts";
import { readBounded } from "../../../file/index.ts";
import type { Repository } from "../repository/repository.ts";
import { looseRefs } from "../repository/stored-refs.ts";
import { moveAside } from "./damaged-objects.ts";

interface LooseRef {
  readonly ref: string;
  /** What it names; undefined where that is nothing a ref can name. */
  readonly id: string | undefined;
}

/** Refs that are files of their own and name an object, below a folder of the common directory. */
function refFiles(common: string, below: string): LooseRef[] {
  return looseRefs(common, below).flatMap(({ ref, isFile }) => {
    if (!isFile) return [];
    const bytes = readBounded(join(common, ref), { maxBytes: 1024 ** 2 });
    const text = bytes.ok ? Buffer.from(bytes.value).toString("latin1").trim() : "";
    return text.startsWith("ref: ") ? [] : [{ ref, id: OBJECT_ID.test(text) ? text : undefined }];
  });
}

const BASES = "refs/espalier/base/";
const HEADS = "refs/heads/";

/** What the names of objects are of; none for what is not there. */
async function typesOf({ git }: Repository, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const input = `${ids.join("\n")}\n`;
  const told = await git.run(["cat-file", "--batch-check=%(objectname) %(objecttype)"], { input });
  if (told.ok) {
    const lines = told.value.stdout.toString("latin1").trimEnd().split("\n");
    const known = lines.map(line => line.split(" ", 2)).filter(([, type]) => type !== "missing");
    return new Map(known.map(([id = "", type = ""]) => [id, type]));
  }
  // What made it end is one of them: none of the others is taken for gone.
  const types = new Map<string, string>();
  for (const id of ids) {
    const type = await git.text(["cat-file", "-t", id]);
    if (type.ok) types.set(id, type.value);
  }
  return types;
}

/** Whether a commit can be read with everything it brought since another one, as far as that one is there. */
async function isReadable({ git }: Repository, commit: string, since: string | undefined): Promise<boolean> {
  const known = since === undefined || since === commit ? [`${commit}^@`] : [since];
  const args = ["rev-list", "--objects", "--no-object-names", commit, "--not", ...known, "--"];
  return (await git.run(args)).ok;
}

/**
 * Those of these objects that cannot be read with what they hold. A repository may have tens of thousands of refs: they are looked at
 * together, and by halves only where something is amiss.
 */
async function unreadableAmong(
  repository: Repository,
  ids: readonly string[],
  types: ReadonlyMap<string, string>,
): Promise<string[]> {
  if (ids.length === 0) return [];
  const input = ids.map(id => (types.get(id) === "commit" ? `${id}\n${id}^@\n` : `${id}\n`)).join("");
  const args = ["rev-list", "--objects", "--quiet", "--no-walk", "--stdin"];
  if ((await repository.git.run(args, { input })).ok) return [];
  const [only = ""] = ids;
  if (ids.length === 1) {
    // What went before is no concern of a commit.
    const isFine = types.get(only) === "commit" && (await isReadable(repository, only, undefined));
    return isFine ? [] : [only];
  }
  const half = ids.length >> 1;
  const first = await unreadableAmong(repository, ids.slice(0, half), types);
  return [...first, ...(await unreadableAmong(repository, ids.slice(half), types))];
}

/** What was found of refs that cannot be read. */
export interface DamagedRefs {
  /** Ours: moved aside, so that they are made anew from what is noted of them. */
  readonly aside: readonly string[];
  /** A person's: they stay as they are. */
  readonly standing: readonly string[];
}

/** Looks whether what refs name can be read. Those of ours that name nothing are moved aside with their history of moves. */
export async function setDamagedRefsAside(repository: Repository, place: string): Promise<DamagedRefs> {
  const { common } = repository.facts;
  const refs = refFiles(common, "refs");
  const named = new Map(refs.map(({ ref, id }) => [ref, id]));
  const types = await typesOf(repository, [...new Set(refs.flatMap(({ id }) => id ?? []))]);
  const sinceOf = (ref: string) =>
    ref.startsWith(HEADS) ? named.get(BASES + ref.slice(HEADS.length)) : undefined;
  const alone = refs.flatMap(({ ref, id = "" }) => (types.has(id) && sinceOf(ref) === undefined ? [id] : []));
  const unreadable = new Set(await unreadableAmong(repository, [...new Set(alone)], types));
  const aside: string[] = [];
  const standing: string[] = [];
  for (const { ref, id = "" } of refs) {
    const isOurs =
      ref.startsWith("refs/espalier/") ||
      ref.startsWith("refs/heads/espalier/rescue/") ||
      (ref.startsWith(HEADS) && named.has(BASES + ref.slice(HEADS.length)));
    const since = sinceOf(ref);
    // A person's ref may name anything: a tag with words of its own, a single file.
    const isNamed = isOurs ? types.get(id) === "commit" : types.has(id);
    if (isNamed && (since === undefined ? !unreadable.has(id) : await isReadable(repository, id, since)))
      continue;
    if (!isOurs) {
      standing.push(ref);
      continue;
    }
    aside.push(ref);
    for (const path of [join(common, ref), join(common, "logs", ref)])
      if (existsSync(path)) moveAside(common, place, path);
  }
  return { aside, standing };
}
