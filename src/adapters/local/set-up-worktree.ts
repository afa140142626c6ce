import { createHash } from "node:crypto";
import {
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { because, type Reason } from "../../ports/index.ts";
import { makeOwnedFolder, NotOwned, ownedFileCalls, readBounded, writeAtomic } from "../file/index.ts";

/** Files that say which packages and submodules a project needs: where they are equal, so is what their tools install. */
const LOCKFILES = [
  "package-lock.json",
  "npm-shrinkwrap.json",
  "pnpm-lock.yaml",
  "yarn.lock",
  "bun.lock",
  "bun.lockb",
  "Cargo.lock",
  "poetry.lock",
  "uv.lock",
  "Pipfile.lock",
  "requirements.txt",
  "Gemfile.lock",
  "go.sum",
  "composer.lock",
  ".gitmodules",
] as const;
const MAX_LOCKFILE = 64 * 1024 ** 2;

export interface SetupOptions {
  /** The project in the worktree. */
  readonly to: string;
  readonly setup: readonly string[];
  /** Runs one command in a folder; says why it failed. */
  readonly run: (command: string, cwd: string) => Promise<Reason | undefined>;
  /** Where what the setup installed is kept for the next worktree. */
  readonly cache: string;
  /** Where is noted what each worktree was set up for. Undefined for one that is not worked in again. */
  readonly notes?: string;
}

/** The note of what a worktree was set up for. */
function noteOf({ to, notes }: SetupOptions): string | undefined {
  return notes && join(notes, createHash("sha256").update(to).digest("hex").slice(0, 32));
}

/** Notes what a worktree is set up for. Where that cannot be written it is set up once more. */
function note(options: SetupOptions): void {
  const path = noteOf(options);
  const key = path === undefined ? undefined : cacheKey(options);
  if (path === undefined || key === undefined) return;
  try {
    makeOwnedFolder(dirname(path));
    writeAtomic(path, key, { calls: ownedFileCalls });
  } catch (error) {
    if (!(error instanceof NotOwned) && !(error instanceof Error && "code" in error)) throw error;
  }
}

/** The lock files that there are, with their bytes. */
function lockFilesIn(to: string): { readonly name: string; readonly bytes: Uint8Array }[] {
  return LOCKFILES.flatMap(name => {
    const read = readBounded(join(to, name), { maxBytes: MAX_LOCKFILE });
    return read.ok ? [{ name, bytes: read.value }] : [];
  });
}

/** What the setup's result depends on; undefined where no file says so. */
function cacheKey({ to, setup }: SetupOptions): string | undefined {
  const hash = createHash("sha256").update(JSON.stringify(setup));
  const found = lockFilesIn(to);
  for (const { name, bytes } of found) hash.update(`\0${name}\0`).update(bytes);
  return found.length > 0 ? hash.digest("hex").slice(0, 32) : undefined;
}

function foldersIn(path: string): Set<string> {
  const entries = readdirSync(path, { withFileTypes: true });
  return new Set(entries.filter(entry => entry.isDirectory()).map(entry => entry.name));
}

/** Copies folders so that they are there whole or not at all. */
function copyFolders(from: string, to: string, names: Iterable<string>): void {
  for (const name of names) {
    const half = join(to, `${name}.half`);
    rmSync(half, { recursive: true, force: true });
    cpSync(join(from, name), half, {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
    });
    renameSync(half, join(to, name));
  }
}

/** What stands below a folder, these top-level folders and git's own apart: each path with how it stands. */
function standingIn(top: string, without: ReadonlySet<string>): Map<string, string> {
  const found = new Map<string, string>();
  const look = (folder: string): void => {
    for (const entry of readdirSync(join(top, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.name === ".git" || without.has(path)) continue;
      const { size, mtimeMs, ctimeMs } = lstatSync(join(top, path));
      // A folder changes with what lies in it.
      found.set(path, entry.isDirectory() ? "" : `${size}:${mtimeMs}:${ctimeMs}`);
      if (entry.isDirectory()) look(path);
    }
  };
  look("");
  return found;
}

/**
 * Keeps the folders the setup has made; without room for them the next worktree is simply set up again. So it is when the
 * setup has done anything else besides, which a copy of those folders would not bring back.
 */
function keep(options: SetupOptions, place: string, before: ReadonlyMap<string, string>): void {
  const made = [...foldersIn(options.to)].filter(name => !before.has(name));
  if (made.length === 0) return;
  const after = standingIn(options.to, new Set(made));
  if (after.size !== before.size) return;
  for (const [path, standing] of after) if (before.get(path) !== standing) return;
  const half = `${place}.half`;
  try {
    rmSync(half, { recursive: true, force: true });
    mkdirSync(half, { recursive: true, mode: 0o700 });
    copyFolders(options.to, half, made);
    renameSync(half, place);
  } catch {
    rmSync(half, { recursive: true, force: true });
  }
}

/** Makes a worktree fit to work in; says why that failed. */
export async function setUp(options: SetupOptions): Promise<Reason | undefined> {
  if (options.setup.length === 0) return undefined;
  const problem = await install(options);
  if (problem === undefined) note(options);
  return problem;
}

/** The same for one whose lock files are other ones by now, as those of a task that has landed meanwhile. */
export async function setUpAgain(options: SetupOptions): Promise<Reason | undefined> {
  const key = options.setup.length === 0 ? undefined : cacheKey(options);
  const noted = readBounded(noteOf(options) ?? "", { maxBytes: 100, calls: ownedFileCalls });
  const isSame = noted.ok && Buffer.from(noted.value).toString() === key;
  if (key === undefined || isSame) return undefined;
  // Where both sides of a conflict stand in one, whoever works there puts that right first.
  const isTorn = lockFilesIn(options.to).some(({ bytes }) => /^<{7} /m.test(Buffer.from(bytes).toString()));
  return isTorn ? undefined : setUp(options);
}

async function install(options: SetupOptions): Promise<Reason | undefined> {
  const key = cacheKey(options);
  const place = key === undefined ? undefined : join(options.cache, key);
  // A folder that stands there already may be somebody's work.
  const isFree = (name: string) => !existsSync(join(options.to, name));
  const kept = place !== undefined && existsSync(place) ? foldersIn(place) : undefined;
  if (place !== undefined && kept !== undefined && [...kept].every(isFree)) {
    try {
      copyFolders(place, options.to, kept);
      return undefined;
    } catch (error) {
      return because("setup-cache", { said: (error as Error).message });
    }
  }
  const before = place === undefined ? undefined : standingIn(options.to, new Set());
  for (const command of options.setup) {
    const problem = await options.run(command, options.to);
    if (problem !== undefined) return problem;
  }
  if (place !== undefined && before !== undefined) keep(options, place, before);
  return undefined;
}
