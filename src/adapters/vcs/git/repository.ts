import { fail, ok, type Result, type VcsFailure } from "../../../ports/index.ts";
import type { CallOptions, Git } from "./call.ts";
import { readSignature, type Signature } from "./commit-object.ts";
import { changedDoors, type Doors, lookAtDoors } from "./doors.ts";
import type { RepositoryFacts } from "./facts.ts";
import { knownFolders } from "./folders.ts";
import { removeStaleLock } from "./locks.ts";
import { createMemory, type Memory } from "./memory.ts";
import { createQueue, type Queue } from "./queue.ts";
import { openStoredRefs, type StoredRefs } from "./stored-refs.ts";

/** A repository as its one orchestrator holds it. */
export interface Repository {
  readonly git: Git;
  readonly facts: RepositoryFacts;
  readonly memory: Memory;
  readonly storedRefs: StoredRefs;
  /** Everything that changes refs, configuration or worktrees; short pieces of work. */
  readonly queue: Queue;
  /** Landings, one after the other; they may take as long as their checks. */
  readonly landings: Queue;
  /** Repository paths that no attempt's work may contain. */
  readonly leaveOut: readonly string[];
  /** Where ignored files go that nothing could make again. */
  readonly rescueDir: string;
  /** Who commits; undefined where git has to be asked every time. */
  signature(): Promise<Signature | undefined>;
  /** Fails when a door is not as it was. */
  guard(): Result<void, VcsFailure>;
  /** Counts a worktree of ours among the doors; called right after it was made. */
  trust(worktree: string): void;
  forget(worktree: string): void;
}

export interface RepositoryOptions {
  readonly git: Git;
  readonly facts: RepositoryFacts;
  readonly leaveOut: readonly string[];
  readonly rescueDir: string;
  /** Names of worktrees that were ours before. */
  readonly worktrees: readonly string[];
}

/** Holds a repository; its doors are from now on to stay as they are. */
export function holdRepository(options: RepositoryOptions): Repository {
  const { git, facts, leaveOut, rescueDir } = options;
  const worktrees = new Set(options.worktrees);
  let doors: Doors = lookAtDoors(facts.common, worktrees);
  let signature: Promise<Signature | undefined> | undefined;
  const lookAgain = () => {
    doors = lookAtDoors(facts.common, worktrees);
  };
  return {
    git,
    facts,
    memory: createMemory(),
    storedRefs: openStoredRefs(facts.common),
    queue: createQueue(),
    landings: createQueue(),
    leaveOut,
    rescueDir,
    signature() {
      signature ??= readSignature(git);
      return signature;
    },
    guard() {
      const keys = changedDoors(doors, lookAtDoors(facts.common, worktrees));
      if (keys.length === 0) return ok(undefined);
      const message = `GIT_CONFIG_CHANGED: ${keys.slice(0, 5).join(", ")}${keys.length > 5 ? " …" : ""}`;
      return fail({ kind: "config-changed", keys, message });
    },
    trust(worktree) {
      worktrees.add(worktree);
      lookAgain();
    },
    forget(worktree) {
      worktrees.delete(worktree);
      lookAgain();
    },
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
  const lock = lockIn(done.failure.message);
  if (lock === undefined || !(await removeLeftLock(repository, lock))) return done;
  return change(repository, args, options);
}
