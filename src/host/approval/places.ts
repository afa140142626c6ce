import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { Repository } from "../../adapters/vcs/git/index.ts";
import { defaultConfig } from "../../config/index.ts";
import { projectWord } from "../../engine/index.ts";
import { EspalierError, EXIT } from "../../ports/index.ts";
import { matchesName, visible } from "../../text/index.ts";
import type { Project } from "../project/project.ts";
import { partOfTools } from "../project/tool-folders.ts";
import { type Approvable, setting } from "./approvable.ts";
import { approvalWords } from "./approval-words.ts";

/** Folders of the machine's: what lies there is started, read or loaded by others than the person. */
const SYSTEM: readonly string[] = [
  ..."/bin /boot /dev /etc /lib /lib32 /lib64 /libx32 /proc /root /run /sbin /snap /sys /usr".split(" "),
  ..."/var/cache /var/lib /var/log /var/run /var/spool /nix /gnu".split(" "),
  ..."/Applications /Library /System /private/etc /private/var/db /private/var/root".split(" "),
];
/** Folders of a home, besides those that begin with a dot, that programs are started or set up from. */
const OF_A_HOME: readonly string[] = ["bin", "Library"];
/** Variables that move what otherwise lies in folders with a dot. */
const MOVED = ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_BIN_HOME"];

/** Whether a path lies below a folder; also where a placeholder in it may come to read like the folder's name. */
function mayLieBelow(folder: string, path: string): boolean {
  const parts = path.split("/");
  const wanted = folder === "/" ? [""] : folder.split("/");
  return (
    parts.length > wanted.length &&
    wanted.every((name, at) => {
      const part = parts[at]!;
      if (!part.includes("{")) return part === name;
      const pattern = part.replaceAll(/\{\w+\}/g, "*");
      return matchesName(pattern.toLowerCase(), name.toLowerCase());
    })
  );
}

/** A path without links, as far as it is there; what follows may hold placeholders. */
function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(resolved(dirname(path)), basename(path));
  }
}

function guarded(env: NodeJS.ProcessEnv): { readonly home: string; readonly folders: readonly string[] } {
  const home = resolved(env["HOME"] ?? homedir());
  const moved = MOVED.flatMap(name => env[name] ?? []).filter(isAbsolute);
  const programs = (env["PATH"] ?? "").split(delimiter).filter(path => isAbsolute(path) && path !== "/");
  const own = [...OF_A_HOME.map(name => join(home, name)), ...[...moved, ...programs].map(resolved)];
  // A home within a folder of the machine's is the person's all the same.
  const system = SYSTEM.filter(folder => !mayLieBelow(folder, `${home}/x`));
  return { home, folders: [...system, ...own] };
}

/** The folder that no worktrees may come to lie in; undefined where a path is in none. Templates may stand in it. */
export function forbiddenFolder(path: string, top: string, env: NodeJS.ProcessEnv): string | undefined {
  const { home, folders } = guarded(env);
  const beside = dirname(top);
  const part = partOfTools(path);
  if (part !== undefined) return path.slice(0, path.indexOf(`/${part}`) + part.length + 1);
  if (dirname(path) === "/") return beside === "/" ? undefined : "/";
  // Where the project itself lies, its neighbours may lie, too.
  const isNeighbour = (folder: string) => mayLieBelow(folder, beside) && mayLieBelow(beside, path);
  const found = folders.find(folder => mayLieBelow(folder, path) && !isNeighbour(folder));
  if (found !== undefined || !mayLieBelow(home, path)) return found;
  const [first = ""] = relative(home, path).split("/");
  const dotted = join(home, first);
  return first.startsWith(".") && beside !== dotted && !isNeighbour(dotted) ? dotted : undefined;
}

/**
 * The place of a project's worktrees as something to approve, where it leaves the project and is not the usual one. Throws
 * EspalierError for one where programs are started or set up from.
 */
export function placeApprovals(
  { config, locale }: Project,
  { top, prefix }: Repository["facts"],
  env: NodeJS.ProcessEnv,
): Approvable[] {
  const { folder } = config.git;
  if (folder === defaultConfig().git.folder) return [];
  const named = resolve(top, folder.replaceAll("{project}", projectWord({ top, prefix })));
  if (mayLieBelow(top, named)) return [];
  const path = resolved(named);
  const words = approvalWords(locale);
  const forbidden = forbiddenFolder(path, top, env);
  if (forbidden !== undefined) {
    const { message, hint } = words.forbiddenPlace(visible(path), visible(forbidden));
    throw new EspalierError("WORKTREE_PLACE", message, { hint, exitCode: EXIT.environment });
  }
  return [setting("espalier.yaml git.folder", told => told.place(path))];
}
