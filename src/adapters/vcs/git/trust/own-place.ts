import { lstatSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { visible } from "../../../../text/index.ts";
import { readBounded } from "../../../file/index.ts";
import type { Git } from "../call/call.ts";
import { firstLine, namedGitDir, realPath } from "../places/pointers.ts";

/** Bytes of a configuration that is looked at. */
const MOST_OF_A_CONFIG = 1024 ** 2;

/**
 * Whether a git directory says itself that the `.git` file `entry` leads to it, and lies where its repository keeps such: a
 * worktree's below `worktrees/` of the repository that it names, for it may name any.
 */
async function isKnownBy(git: Git, gitDir: string, common: string, entry: string): Promise<boolean> {
  const back = firstLine(join(gitDir, "gitdir"));
  if (back !== undefined)
    return realPath(resolve(gitDir, back)) === entry && dirname(gitDir) === join(common, "worktrees");
  if (gitDir !== common) return false;
  const named = await git.text(["config", "--get", "core.worktree"], { answers: [1] });
  return named.ok && named.value !== "" && realPath(resolve(gitDir, named.value)) === dirname(entry);
}

/** The folder that the configuration of a submodule's repository names as its own; read here only to be compared. */
function namedWorktree(gitDir: string): string | undefined {
  const config = readBounded(join(gitDir, "config"), { maxBytes: MOST_OF_A_CONFIG });
  const text = config.ok ? Buffer.from(config.value).toString("utf8") : "";
  for (const line of text.split("\n")) {
    const [name = "", ...value] = line.split("=");
    const named = value.join("=").trim();
    if (name.trim() === "worktree" && named !== "") return realPath(resolve(gitDir, named));
  }
  return undefined;
}

/**
 * The directory that holds what is nobody's but this clone's, for a `.git` at a checkout's top; without asking git. Undefined
 * where what it leads to does not name it in turn: that is somebody else's.
 */
export function cloneDirectory(entry: string): string | undefined {
  const facts = lstatSync(entry, { throwIfNoEntry: false });
  if (facts?.isDirectory() === true) return entry;
  const gitDir = facts?.isFile() === true ? realPath(namedGitDir(entry) ?? "") : undefined;
  if (gitDir === undefined) return undefined;
  const back = firstLine(join(gitDir, "gitdir"));
  if (back === undefined) return namedWorktree(gitDir) === realPath(dirname(entry)) ? gitDir : undefined;
  const shared = firstLine(join(gitDir, "commondir"));
  const common = shared === undefined ? undefined : realPath(resolve(gitDir, shared));
  const isMutual = realPath(resolve(gitDir, back)) === realPath(entry);
  return isMutual && common !== undefined && dirname(gitDir) === join(common, "worktrees")
    ? common
    : undefined;
}

/** Why git was led elsewhere. */
export interface LedAway {
  readonly message: string;
  /** The command that makes a repository known which a person has made like that. */
  readonly remedy?: string;
}

/** In a shell, for one argument. */
const shown = (path: string): string =>
  /^[\w./@+-]+$/.test(path) ? path : `'${visible(path).replaceAll("'", String.raw`'\''`)}'`;

/** What is said of a `.git` file that names a repository which does not name it in turn. */
function unknown(entry: string, found: string, common: string): LedAway {
  const message = `${visible(entry)} names ${visible(found)}, which does not know of it`;
  // A worktree's record is mended by git itself, and one that names another repository by nobody.
  if (found !== common || firstLine(join(found, "gitdir")) !== undefined) return { message };
  const top = dirname(entry);
  return { message, remedy: `git -C ${shown(top)} config core.worktree ${shown(top)}` };
}

/** Why the repository that git found is not the one of the `.git` at a checkout's top; undefined where all is well. */
export async function ledAway(
  git: Git,
  top: string,
  gitDir: string,
  common: string,
): Promise<LedAway | undefined> {
  const entry = join(top, ".git");
  const facts = lstatSync(entry, { throwIfNoEntry: false });
  const found = realPath(gitDir);
  if (facts?.isDirectory() === true)
    return found === realPath(entry) && found === common
      ? undefined
      : { message: `${visible(gitDir)} is not the repository of ${visible(entry)}` };
  const named = facts?.isFile() === true ? namedGitDir(entry) : undefined;
  if (named === undefined || found === undefined || realPath(named) !== found)
    return { message: `${visible(entry)} does not name ${visible(gitDir)}` };
  return (await isKnownBy(git, found, common, entry)) ? undefined : unknown(entry, found, common);
}
