import { join } from "node:path";
import { ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import { needRef } from "../history/refs.ts";
import { change, type Repository } from "../repository/repository.ts";
import { forgetPassing, isPassing, passingRef } from "./passing.ts";
import { SIGNED, type WorkPlace } from "./travel.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/** The refs of a run as they stand at one moment, by name. */
export type RunRefs = Readonly<Record<string, string>>;

/** What a run has made in git, and the branch that finished phases go to. */
export async function runRefs({ git }: Repository, target: string): Answer<RunRefs> {
  const format = "--format=%(objectname) %(objecttype) %(refname)";
  const listed = await git.text(["for-each-ref", format, "refs/heads", "refs/espalier"]);
  if (!listed.ok) return listed;
  const refs = new Map<string, string>();
  for (const line of listed.value.split("\n")) {
    const [id = "", kind, ...name] = line.split(" ");
    if (kind === "commit") refs.set(name.join(" "), id);
  }
  const isOurs = (ref: string) =>
    ref.startsWith("refs/espalier/")
      ? !isPassing(ref)
      : ref === `refs/heads/${target}` || refs.has(ref.replace("refs/heads/", "refs/espalier/base/"));
  return ok(Object.fromEntries([...refs].filter(([ref]) => isOurs(ref))));
}

/** A file that goes along: where it lies on the disk, or its object from an earlier copy. */
export type CopyFile = { readonly path: string } | { readonly blob: string };

export interface Copy {
  readonly refs: RunRefs;
  /** Commits of work that has not come home: no ref holds them, and some may be gone. */
  readonly kept: readonly string[];
  /** By the names they have in the copy. */
  readonly files: ReadonlyMap<string, CopyFile>;
  /** What else is told of it. */
  readonly about: string;
  /** A folder for its objects: the repository's own do not grow by them. */
  readonly objects: string;
}

export interface CopyPlace extends WorkPlace {
  readonly ref: string;
}

const ABOUT = "about.json";

/** Names in a tree have no slash. */
const flat = (name: string): string => `file:${encodeURIComponent(name)}`;

/** Those of some commits that are there. */
async function standingOf({ git }: Repository, commits: readonly string[]): Answer<readonly string[]> {
  if (commits.length === 0) return ok([]);
  const asked = await git.text(["cat-file", "--batch-check=%(objectname) %(objecttype)"], {
    input: commits.map(commit => `${commit}\n`).join(""),
  });
  if (!asked.ok) return asked;
  const told = new Set(asked.value.split("\n"));
  return ok(commits.filter(commit => told.has(`${commit} commit`)));
}

/**
 * Brings a copy of a run to a hub, whole or not at all; it takes the place of the one that stands under the ref. Returns the
 * objects of its files by their names.
 */
export async function sendCopy(
  repository: Repository,
  copy: Copy,
  place: CopyPlace,
): Answer<ReadonlyMap<string, string>> {
  const { git, facts } = repository;
  const env = {
    GIT_OBJECT_DIRECTORY: copy.objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: join(facts.common, "objects"),
  };
  const about = await git.text(["hash-object", "-w", "--stdin"], { env, input: copy.about });
  if (!about.ok) return about;
  const paths = [...copy.files.values()].flatMap(file => ("path" in file ? [`${file.path}\n`] : []));
  const hash = ["hash-object", "-w", "--no-filters", "--stdin-paths"];
  const hashed = await git.text(hash, { env, input: paths.join("") });
  if (!hashed.ok) return hashed;
  const made = hashed.value.split("\n").values();
  const blobs = new Map(
    [...copy.files].map(([name, file]) => [name, "blob" in file ? file.blob : (made.next().value ?? "")]),
  );
  const lines = [...blobs].map(([name, blob]) => `100644 blob ${blob}\t${flat(name)}\n`);
  lines.push(`100644 blob ${about.value}\t${ABOUT}\n`);
  const tree = await git.text(["mktree"], { env, input: lines.join("") });
  if (!tree.ok) return tree;
  const kept = await standingOf(repository, copy.kept);
  if (!kept.ok) return kept;
  const parents = new Set([...Object.values(copy.refs), ...kept.value]);
  const args = ["commit-tree", ...[...parents].flatMap(id => ["-p", id]), "-m", "copy of a run", tree.value];
  const commit = await git.text(args, { env: { ...env, ...SIGNED } });
  if (!commit.ok) return commit;
  const pushed = await git.run(
    ["push", "--quiet", "--force", "--no-verify", place.url, `${commit.value}:${place.ref}`],
    { env: { ...env, ...place.access } },
  );
  return pushed.ok ? ok(blobs) : pushed;
}

/** The commits of all copies that lie at a place, by their refs. */
export async function listCopies({ git }: Repository, { url, access }: WorkPlace): Answer<RunRefs> {
  const listed = await git.text(["ls-remote", "--quiet", url, "refs/heads/*"], { env: access });
  if (!listed.ok) return listed;
  const lines = listed.value.split("\n").map(line => line.split("\t"));
  return ok(Object.fromEntries(lines.flatMap(([id = "", ref]) => (ref === undefined ? [] : [[ref, id]]))));
}

/** Takes the copies under these refs away. */
export async function dropCopies(
  { git }: Repository,
  { url, access }: WorkPlace,
  refs: readonly string[],
): Answer<void> {
  if (refs.length === 0) return ok(undefined);
  const gone = refs.map(ref => `:${ref}`);
  const pushed = await git.run(["push", "--quiet", "--no-verify", url, ...gone], { env: access });
  return pushed.ok ? ok(undefined) : pushed;
}

/** A copy as it was fetched; its commits are here now. */
export interface FetchedCopy {
  readonly commit: string;
  readonly about: string;
  /** Names of its files. */
  readonly names: readonly string[];
  read(name: string): Answer<Uint8Array>;
  /** Nothing holds its commits any more. */
  forget(): Promise<void>;
}

/** Fetches a copy, and holds it under a ref of its own; none that came earlier is held. */
export async function fetchCopy(repository: Repository, place: CopyPlace): Answer<FetchedCopy> {
  const { git } = repository;
  const held = passingRef(repository, "copy", place.ref.replace("refs/heads/", ""));
  const options = ["--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-gc"];
  const args = ["fetch", ...options, place.url, `+${place.ref}:${held}`];
  const fetched = await git.run(args, { env: place.access });
  if (!fetched.ok) return fetched;
  const commit = await needRef(repository, held);
  if (!commit.ok) return commit;
  const others = await forgetPassing(repository, ["copy"], held);
  if (!others.ok) return others;
  const listed = await git.fields(["ls-tree", "-z", "--name-only", commit.value]);
  if (!listed.ok) return listed;
  // By its commit: a run that begins here meanwhile lets go of the ref.
  const blob = async (name: string): Answer<Uint8Array> => {
    const read = await git.run(["cat-file", "blob", `${commit.value}:${name}`]);
    return read.ok ? ok(read.value.stdout) : read;
  };
  const about = await blob(ABOUT);
  if (!about.ok) return about;
  return ok({
    commit: commit.value,
    about: Buffer.from(about.value).toString("utf8"),
    names: listed.value.flatMap(name =>
      name.startsWith("file:") ? [decodeURIComponent(name.slice(5))] : [],
    ),
    read: name => blob(flat(name)),
    async forget() {
      await change(repository, ["update-ref", "-d", held]);
    },
  });
}
