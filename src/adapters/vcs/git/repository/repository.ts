import { existsSync } from "node:fs";
import { join } from "node:path";
import { because, fail, few, ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import { nodeSync, type SyncCall } from "../../../file/index.ts";
import type { CallOptions, Git } from "../call/call.ts";
import { saidIn } from "../call/failure.ts";
import { removeStaleLock } from "../call/locks.ts";
import { createQueue, createRefQueue, type Queue, type RefQueue } from "../call/queue.ts";
import { knownFolders } from "../places/folders.ts";
import type { EntryPoints } from "../trust/entry-points.ts";
import { readSignature, type Signature } from "./commit-object.ts";
import type { RepositoryFacts } from "./facts.ts";
import { createMemory, type Memory } from "./memory.ts";
import { type ObjectSync, openObjectSync } from "./object-sync.ts";
import { openStoredRefs, type StoredRefs, usesTables } from "./stored-refs.ts";

/** A repository as its one orchestrator holds it. */
export interface Repository {
  readonly git: Git;
  readonly facts: RepositoryFacts;
  readonly memory: Memory;
  readonly storedRefs: StoredRefs;
  readonly objects: ObjectSync;
  /** Waits for the disk. */
  readonly sync: SyncCall;
  /** Everything that changes refs or configuration; short pieces of work. */
  readonly refs: RefQueue;
  /** Records of worktrees as they come and go: git takes one of which half is there for broken. What waits in it waits for nothing else. */
  readonly records: Queue;
  /** Landings, one after the other; they may take as long as their checks. */
  readonly landings: Queue;
  /** Repository paths that no attempt's work may contain. */
  readonly leaveOut: readonly string[];
  /** Where ignored files go that nothing could make again. */
  readonly rescueDir: string;
  /** Who commits; undefined where git has to be asked every time. */
  signature(): Promise<Signature | undefined>;
  /** What of its own configuration git would start, or read more of, as `key=value`: for a person to approve. */
  readonly programs: readonly string[];
  /** Fails when an entry point is not as it was. */
  guard(): Promise<Result<void, VcsFailure>>;
  /** A keyed hash by which commits of ours are told from those that only say so; without it each is taken at its word. */
  readonly seal?: ((text: string) => string) | undefined;
  /** Counts a worktree of ours among the entry points; called right after it was made. */
  trust(worktree: string): void;
  /** Whether a worktree's record is watched. */
  isOurs(worktree: string): boolean;
  forget(worktree: string): void;
}

export interface RepositoryOptions {
  readonly git: Git;
  readonly facts: RepositoryFacts;
  readonly entryPoints: EntryPoints;
  readonly programs: readonly string[];
  readonly leaveOut: readonly string[];
  readonly rescueDir: string;
}

/** The failure that says which entry points are not as they were, or that their repository is gone; nothing where all stand. */
export function requireUnchanged(keys: readonly string[], common: string): Result<void, VcsFailure> {
  if (keys.length === 0) return ok(undefined);
  // Every repository has these, and whoever deletes one takes its files in any order.
  const isGone = ["config", "HEAD", "objects"].some(name => !existsSync(join(common, name)));
  const reason = isGone
    ? because("repository-gone", { path: common })
    : because("git-config-changed", { keys: few(keys) });
  return fail({ kind: "config-changed", keys, reason });
}

/** Holds a repository whose entry points are watched. */
export function holdRepository(options: RepositoryOptions): Repository {
  const { git, facts, entryPoints, programs, leaveOut, rescueDir } = options;
  let signature: Promise<Signature | undefined> | undefined;
  return {
    git,
    facts,
    memory: createMemory(),
    storedRefs: openStoredRefs(facts.common),
    objects: openObjectSync(facts.common),
    sync: nodeSync,
    refs: createRefQueue(usesTables(facts.common)),
    records: createQueue(),
    landings: createQueue(),
    leaveOut,
    rescueDir,
    signature() {
      signature ??= readSignature(git);
      return signature;
    },
    programs,
    guard: async () => requireUnchanged(await entryPoints.changed(), facts.common),
    trust: entryPoints.trust,
    isOurs: entryPoints.isOurs,
    forget: entryPoints.forget,
  };
}

const LOCK_NAMED = "Unable to create '";

/** The lock file that git says stands in its way. */
function lockIn(message: string): string | undefined {
  const from = message.indexOf(LOCK_NAMED);
  const to = from < 0 ? -1 : message.indexOf("': File exists", from);
  return to < 0 ? undefined : message.slice(from + LOCK_NAMED.length, to);
}

/** Removes a lock of the repository that a killed git left behind; returns whether the way is free. */
export function removeLeftLock({ facts }: Pick<Repository, "facts">, lock: string): Promise<boolean> {
  const { common, top } = facts;
  const folders = [top, ...knownFolders(common).map(({ path }) => path)];
  return removeStaleLock(lock, { common, folders });
}

/** Calls git for something that changes the repository; a lock that a killed git left behind is removed once. */
export async function change(
  repository: Repository,
  args: readonly string[],
  options?: CallOptions,
): Promise<Result<string, VcsFailure>> {
  const done = await repository.git.text(args, options);
  if (done.ok) return done;
  const lock = lockIn(saidIn(done.failure));
  if (lock === undefined || !(await removeLeftLock(repository, lock))) return done;
  return change(repository, args, options);
}
