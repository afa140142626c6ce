import { randomBytes } from "node:crypto";
import { basename, join } from "node:path";
import { because, fail, ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import { ownedFileCalls, readBounded, removeOwned, writeAtomic } from "../../../file/index.ts";
import { BASE_REF, FILES, resultRef, WORK } from "../../../fleet/by-git.ts";
import { failed, failedBySystem } from "../call/failure.ts";
import { treeOf } from "../files/snapshot.ts";
import { gitDirOf, inFolder } from "../places/folders.ts";
import { readRaw } from "../repository/difference.ts";
import { change, type Repository } from "../repository/repository.ts";
import { passingRef } from "./passing.ts";

/** Bytes of a file that goes with an order, or comes back with one. */
const MOST_FILE = 8 * 1024 ** 2;
const GITLINK = "160000";

/** How git reaches the hub, and where there the work of one order lies. */
export interface WorkPlace {
  readonly url: string;
  readonly access: Readonly<Record<string, string>>;
}

/** What left for another machine. */
export interface Sent {
  readonly commit: string;
  /** What the folder's branch stood at. */
  readonly head: string;
}

/** The first commit of a repository: every clone has the same. Fails where only a part of the history is there. */
export async function firstCommit({ git }: Repository): Promise<Result<string, VcsFailure>> {
  const shallow = await git.text(["rev-parse", "--is-shallow-repository"]);
  if (!shallow.ok) return shallow;
  if (shallow.value !== "false") return failed(because("clone-shallow", {}));
  const roots = await git.text(["rev-list", "--max-parents=0", "HEAD"]);
  if (!roots.ok) return roots;
  return ok(roots.value.split("\n").sort()[0] ?? "");
}

/** Puts what stands in a folder, with some files beside it, where another machine finds it. */
export async function sendFolder(
  repository: Repository,
  path: string,
  files: ReadonlyMap<string, string>,
  { url, access }: WorkPlace,
): Promise<Result<Sent, VcsFailure>> {
  const { git } = repository;
  const gitDir = gitDirOf(repository, path);
  if (gitDir === undefined) return failed(because("worktree-missing", { path }));
  const head = await git.text(["rev-parse", "--verify", "HEAD"], inFolder(gitDir, path));
  if (!head.ok) return head;
  const work = await treeOf(repository, { path });
  if (!work.ok) return work;
  const lines: string[] = [];
  for (const [name, file] of files) {
    const bytes = readBounded(file, { maxBytes: MOST_FILE, calls: ownedFileCalls });
    if (!bytes.ok) continue;
    const blob = await change(repository, ["hash-object", "-w", "--stdin"], { input: bytes.value });
    if (!blob.ok) return blob;
    lines.push(`100644 blob ${blob.value}\t${name}\n`);
  }
  const beside = await change(repository, ["mktree"], { input: lines.join("") });
  if (!beside.ok) return beside;
  const input = `040000 tree ${beside.value}\t${FILES}\n040000 tree ${work.value}\t${WORK}\n`;
  const whole = await change(repository, ["mktree"], { input });
  if (!whole.ok) return whole;
  const commit = await change(
    repository,
    ["commit-tree", "-p", head.value, "-m", "work of an order", whole.value],
    {
      env: SIGNED,
    },
  );
  if (!commit.ok) return commit;
  const pushed = await git.run(["push", "--quiet", "--no-verify", url, `${commit.value}:${BASE_REF}`], {
    env: access,
  });
  return pushed.ok ? ok({ commit: commit.value, head: head.value }) : pushed;
}

/** Who signs what only travels. */
export const SIGNED = {
  GIT_AUTHOR_NAME: "Espalier",
  GIT_AUTHOR_EMAIL: "espalier@localhost",
  GIT_COMMITTER_NAME: "Espalier",
  GIT_COMMITTER_EMAIL: "espalier@localhost",
};

/** What a turn on another machine came to, as it is about to be taken into the folder. */
export interface Received {
  readonly commit: string;
  /** Repositories of their own that the agent has made, and submodules that it wrote into: what they hold has no place here. */
  readonly hidden: readonly string[];
}

/** Fetches what a turn made: a commit on top of what was sent, and on nothing else. */
export async function fetchWork(
  repository: Repository,
  sent: Sent,
  turn: number,
  { url, access }: WorkPlace,
): Promise<Result<Received, VcsFailure>> {
  const { git } = repository;
  const ref = passingRef(repository, "came", randomBytes(12).toString("hex"));
  const fetched = await git.run(
    [
      "fetch",
      "--quiet",
      "--no-tags",
      "--no-write-fetch-head",
      "--no-auto-gc",
      url,
      `${resultRef(turn)}:${ref}`,
    ],
    { env: access },
  );
  if (!fetched.ok) return fetched;
  try {
    const parents = await git.text(["rev-list", "--parents", "-n", "1", ref]);
    if (!parents.ok) return parents;
    const [commit = "", ...on] = parents.value.split(" ");
    if (on.length !== 1 || on[0] !== sent.commit)
      return fail({ kind: "strayed", reason: because("not-on-top", {}) });
    const found = await git.run([
      "diff-tree",
      "-r",
      "-z",
      "--raw",
      "--no-renames",
      `${sent.commit}:${WORK}`,
      `${commit}:${WORK}`,
    ]);
    if (!found.ok) return found;
    const changes = readRaw(found.value.stdout);
    const isFilled = (link: string) => changes.some(({ path }) => path.startsWith(`${link}/`));
    const hidden = changes
      .filter(
        ({ oldMode, newMode, path }) =>
          (newMode === GITLINK) !== (oldMode === GITLINK) && (newMode === GITLINK || isFilled(path)),
      )
      .map(({ path }) => path);
    return ok({ commit, hidden });
  } finally {
    await git.run(["update-ref", "-d", ref]);
  }
}

/** Whether the work of such a commit stands in a folder already. */
export async function standsIn(repository: Repository, path: string, commit: string): Promise<boolean> {
  const [here, made] = await Promise.all([
    treeOf(repository, { path }),
    repository.git.text(["rev-parse", "--verify", `${commit}:${WORK}`]),
  ]);
  return here.ok && made.ok && here.value === made.value;
}

/**
 * Takes into a folder what lies between two such commits: all of it, or nothing where the same files were changed here since.
 * Files beside the work are written where they belong.
 */
export async function takeWork(
  repository: Repository,
  path: string,
  from: string,
  to: string,
  files: ReadonlyMap<string, string>,
): Promise<Result<void, VcsFailure>> {
  const { git } = repository;
  const gitDir = gitDirOf(repository, path);
  if (gitDir === undefined) return failed(because("worktree-missing", { path }));
  const index = join(gitDir, `espalier-came-${randomBytes(6).toString("hex")}`);
  const options = { ...inFolder(gitDir, path), index };
  try {
    const read = await change(repository, ["read-tree", `${from}:${WORK}`], options);
    if (!read.ok) return read;
    // Says 1 where a file is not as it was sent; what came is refused then only if it changes the same one.
    const looked = await git.run(["update-index", "-q", "--refresh"], { ...options, answers: [1] });
    if (!looked.ok) return looked;
    const moved = await change(
      repository,
      ["read-tree", "-m", "-u", `${from}:${WORK}`, `${to}:${WORK}`],
      options,
    );
    if (!moved.ok) return moved;
  } finally {
    removeOwned(index);
  }
  return takeFiles(repository, to, files);
}

async function takeFiles(
  { git }: Repository,
  to: string,
  files: ReadonlyMap<string, string>,
): Promise<Result<void, VcsFailure>> {
  const listed = await git.run(["ls-tree", "-l", "-z", `${to}:${FILES}`]);
  if (!listed.ok) return listed;
  for (const line of listed.value.stdout.toString("utf8").split("\0")) {
    const [facts = "", name = ""] = line.split("\t");
    const [, kind, id = "", size] = facts.split(" ").filter(part => part !== "");
    const path = files.get(name);
    if (path === undefined || kind !== "blob" || Number(size) > MOST_FILE || basename(path) !== name)
      continue;
    const bytes = await git.run(["cat-file", "blob", id]);
    if (!bytes.ok) return bytes;
    const written = writeAtomic(path, bytes.value.stdout, { calls: ownedFileCalls });
    if (!written.ok) return failedBySystem(written.failure.message);
  }
  return ok(undefined);
}

/** Keeps work that cannot be taken in under a ref of its own, and returns its name. */
export async function keepWork({ git }: Repository, id: string, commit: string): Promise<string> {
  const ref = `refs/espalier/late/${id.replaceAll(/[^A-Za-z0-9]/g, "-")}`;
  await git.run(["update-ref", ref, commit]);
  return ref;
}
