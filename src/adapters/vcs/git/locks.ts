import { lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";

/** Milliseconds between two looks at a lock. */
const LOOK_AGAIN = 100;
/** Age from which a lock counts as left behind where processes cannot be listed. */
const OLD = 60_000;
/** Looks at a lock that a living git may hold. */
const LOOKS = 20;

/** Whether any git lives on this machine; undefined where that cannot be seen. */
function gitLives(): boolean | undefined {
  let pids: string[];
  try {
    pids = readdirSync("/proc").filter(name => name[0]! >= "0" && name[0]! <= "9");
  } catch {
    return undefined;
  }
  if (pids.length === 0) return undefined;
  return pids.some(pid => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const name = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
      const isDead = stat[stat.lastIndexOf(")") + 2] === "Z";
      return !isDead && (name === "git" || name.startsWith("git-"));
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
 * Removes a lock file of git that nobody holds any more: the same at two looks while no git lives. Waits a little for one
 * that is held. Returns whether the way is free.
 */
export async function removeStaleLock(path: string): Promise<boolean> {
  if (!path.endsWith(".lock")) return false;
  for (let look = 0; look < LOOKS; look++) {
    const before = identity(path);
    if (before === undefined) return true;
    await new Promise(resolve => setTimeout(resolve, LOOK_AGAIN));
    const after = identity(path);
    if (after === undefined) return true;
    const lives = gitLives();
    if (before.key === after.key && (lives === false || (lives === undefined && after.age > OLD))) {
      rmSync(path, { force: true });
      return true;
    }
  }
  return false;
}
