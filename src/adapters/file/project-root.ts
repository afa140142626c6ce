import { lstatSync, realpathSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fail, ok, type Result } from "../../ports/result.ts";
import { readBounded } from "./read-bounded.ts";

/** The name of a project's configuration, in its root. */
export const CONFIG_FILE = "espalier.yaml";

/** Where a project lives; the same for every subdirectory, symbolic path and linked worktree of it. */
export interface ProjectRoot {
  /** Absolute, without symbolic links. */
  readonly root: string;
  /** What marked it; `cwd` when nothing did. */
  readonly marker: ".espalier" | typeof CONFIG_FILE | ".git" | "cwd";
  /** The same place in the linked worktree the search began in; `root` lies in its main checkout. */
  readonly linkedWorktree?: string;
}

/** The directory does not exist or may not be entered. */
export interface RootFailure {
  readonly kind: "no-directory";
  readonly path: string;
  readonly message: string;
}

/**
 * Finds the nearest directory from `cwd` upwards that holds `.espalier/`, `espalier.yaml` or `.git`.
 * Inside a linked worktree the answer is the same place in the main checkout.
 */
export function projectRoot(cwd: string): Result<ProjectRoot, RootFailure> {
  let start: string;
  try {
    start = realpathSync(cwd);
  } catch (error) {
    return fail({ kind: "no-directory", path: cwd, message: (error as Error).message });
  }
  for (const directory of upwards(start)) {
    // What lies about in the home or the temp folder must not capture every project below it.
    if (directory !== start && SHARED.has(directory)) continue;
    const marker = markerIn(directory);
    if (marker !== undefined) return ok(inMainCheckout(directory, marker));
  }
  return ok({ root: start, marker: "cwd" });
}

/** Folders that hold other people's projects or all of one's own. */
const SHARED: ReadonlySet<string> = new Set([homedir(), tmpdir(), "/tmp", "/var/tmp", "/"]);

function* upwards(from: string): Generator<string> {
  for (let directory = from; ; directory = dirname(directory)) {
    yield directory;
    if (dirname(directory) === directory) return;
  }
}

function markerIn(directory: string): ProjectRoot["marker"] | undefined {
  if (kindOf(join(directory, ".espalier")) === "directory") return ".espalier";
  if (kindOf(join(directory, CONFIG_FILE)) === "file") return CONFIG_FILE;
  if (kindOf(join(directory, ".git")) !== undefined) return ".git";
  return undefined;
}

function kindOf(path: string): "directory" | "file" | undefined {
  try {
    const facts = lstatSync(path);
    return facts.isDirectory() ? "directory" : facts.isFile() ? "file" : undefined;
  } catch {
    return undefined;
  }
}

function inMainCheckout(root: string, marker: ProjectRoot["marker"]): ProjectRoot {
  for (const directory of upwards(root)) {
    const git = kindOf(join(directory, ".git"));
    if (git === undefined) continue;
    const main = git === "file" ? mainCheckoutOf(directory) : undefined;
    if (main === undefined) break;
    const twin = join(main, relative(directory, root));
    return kindOf(twin) === "directory"
      ? { root: twin, marker, linkedWorktree: root }
      : { root: main, marker, linkedWorktree: directory };
  }
  return { root, marker };
}

/**
 * The main checkout a linked worktree belongs to; undefined for submodules, bare repositories, and for a `.git` file
 * that its repository does not know: such a file could name a project that is none of ours.
 */
function mainCheckoutOf(worktree: string): string | undefined {
  const named = firstLine(join(worktree, ".git"));
  if (named === undefined || !named.startsWith("gitdir: ")) return undefined;
  const gitDirectory = resolve(worktree, named.slice("gitdir: ".length));
  const common = firstLine(join(gitDirectory, "commondir"));
  const back = firstLine(join(gitDirectory, "gitdir"));
  if (common === undefined || back === undefined) return undefined;
  try {
    if (realpathSync(resolve(gitDirectory, back)) !== join(worktree, ".git")) return undefined;
    const repository = realpathSync(resolve(gitDirectory, common));
    // Any folder may name any repository; a worktree's is one of that repository's own.
    if (dirname(realpathSync(gitDirectory)) !== join(repository, "worktrees")) return undefined;
    return basename(repository) === ".git" ? dirname(repository) : undefined;
  } catch {
    return undefined;
  }
}

function firstLine(path: string): string | undefined {
  const read = readBounded(path, { maxBytes: 16_384 });
  if (!read.ok) return undefined;
  const text = Buffer.from(read.value).toString("utf8");
  const end = text.indexOf("\n");
  const line = end === -1 ? text : text.slice(0, end);
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
