import { lstatSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { isAbsolute } from "node:path";

/** Milliseconds between two looks at a lock. */
const LOOK_AGAIN = 100;
/** Age from which a lock counts as left behind where processes cannot be listed. */
const OLD = 60_000;
/** Looks at a lock that a living git may hold. */
const LOOKS = 20;

/** The repository a lock belongs to, by absolute paths without links. */
export interface LockPlaces {
  readonly common: string;
  /** Its checkouts. */
  readonly folders: readonly string[];
}

function readProc(pid: string, name: string): string {
  return readFileSync(`/proc/${pid}/${name}`, "latin1");
}

function isBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Whether a living git may be at work in a repository; one that nothing can be learnt of may. */
function mayConcern(pid: string, { common, folders }: LockPlaces): boolean {
  try {
    const at = readlinkSync(`/proc/${pid}/cwd`);
    if ([common, ...folders].some(folder => isBelow(folder, at))) return true;
    const named = readProc(pid, "environ")
      .split("\0")
      .find(one => one.startsWith("GIT_DIR="));
    if (named === undefined) return readProc(pid, "cmdline").includes("--git-dir");
    const gitDir = named.slice("GIT_DIR=".length);
    return !isAbsolute(gitDir) || isBelow(common, gitDir);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENOENT";
  }
}

/** Whether a git lives that may hold the lock; undefined where processes cannot be listed. */
function gitLives(places: LockPlaces): boolean | undefined {
  let pids: string[];
  try {
    pids = readdirSync("/proc").filter(name => name[0]! >= "0" && name[0]! <= "9");
  } catch {
    return undefined;
  }
  if (pids.length === 0) return undefined;
  return pids.some(pid => {
    try {
      const stat = readProc(pid, "stat");
      const name = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
      const isDead = stat[stat.lastIndexOf(")") + 2] === "Z";
      return !isDead && (name === "git" || name.startsWith("git-")) && mayConcern(pid, places);
    } catch {
      return false;
    }
  });
}

function identity(path: string): { key: string; age: number } | undefined {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts === undefined) return undefined;
  return { key: `${facts.ino}:${facts.size}:${facts.mtimeMs}`, age: Date.now() - facts.mtimeMs };
}

/**
 * Removes a lock file of git that nobody holds any more: the same at two looks while no git lives that could. Waits a little for one
 * that is held. Returns whether the way is free.
 */
export async function removeStaleLock(path: string, places: LockPlaces): Promise<boolean> {
  if (!path.endsWith(".lock")) return false;
  for (let look = 0; look < LOOKS; look++) {
    const before = identity(path);
    if (before === undefined) return true;
    await new Promise(resolve => setTimeout(resolve, LOOK_AGAIN));
    const after = identity(path);
    if (after === undefined) return true;
    const lives = gitLives(places);
    if (before.key === after.key && (lives === false || (lives === undefined && after.age > OLD))) {
      rmSync(path, { force: true });
      return true;
    }
  }
  return false;
}
