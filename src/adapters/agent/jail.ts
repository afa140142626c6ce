import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { fail, ok, type Result } from "../../ports/index.ts";
import { findProgram, type Program } from "../process/index.ts";
import { versionIn } from "./look.ts";

/** Milliseconds the jail has to show that it works here. */
const TRIAL_MS = 10_000;
/** Folders below the home that no agent has any business in. */
const SECRETS = [".ssh", ".gnupg"];

/** What an agent may write in its jail besides the folder it works in and that one's repository. */
export interface Cell {
  /** Absolute paths of files. */
  readonly writable: readonly string[];
  /** Below the home: where the agent keeps sessions, logins and caches. */
  readonly keeps: readonly string[];
  /** Without it the agent reaches no network, and no model either. */
  readonly network: boolean;
}

/**
 * A jail of bubblewrap around a program: the whole file system read-only but for the folder to work in, what the cell
 * adds and an empty `/tmp`; its own process ids, ended with us; no capabilities; no keys of the user's.
 */
export interface Jail {
  readonly version: string;
  wrap(program: Program, cell: Cell): Program;
}

/** Finds bubblewrap and tries whether this system lets it work; what stands against it is a sentence. */
export async function openJail(path: string | undefined): Promise<Result<Jail, string>> {
  const found = findProgram("bwrap", { path });
  if (!found.ok) return fail("bubblewrap is not installed (Debian and Ubuntu: apt install bubblewrap)");
  const run = promisify(execFile);
  try {
    const limits = { timeout: TRIAL_MS, env: {} };
    const { stdout } = await run(found.value, ["--version"], limits);
    await run(
      found.value,
      [...WALLS, "--ro-bind", "/", "/", "--proc", "/proc", "--", "/bin/sh", "-c", ":"],
      limits,
    );
    return ok({
      version: versionIn(stdout) ?? "",
      wrap: (program, cell) => wrap(found.value, program, cell),
    });
  } catch (error) {
    const said = `${(error as { stderr?: string }).stderr ?? ""}`.trim().split("\n").at(-1) ?? "";
    const why = said === "" ? (error as Error).message : said;
    return fail(`bubblewrap does not work here: ${why}`);
  }
}

/** Not `--new-session`: signals go to the group, and there is no terminal to steal. */
const WALLS = ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent", "--cap-drop", "ALL"];

/** What a read-only root lacks to be worked in. */
const SYSTEM = ["--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--setenv", "TMPDIR", "/tmp"];

function wrap(bwrap: string, program: Program, cell: Cell): Program {
  const { cwd, env } = program;
  const home = env["HOME"] ?? "";
  const kept = home === "" ? [] : cell.keeps.map(name => join(home, name));
  for (const folder of kept) makeFolder(folder);
  const hidden = home === "" ? [] : SECRETS.map(name => join(home, name)).filter(path => existsSync(path));
  const both = (flag: string, paths: readonly string[]) => paths.flatMap(path => [flag, path, path]);
  const git = gitPaths(cwd);
  return {
    ...program,
    file: bwrap,
    args: [
      ...WALLS,
      ...(cell.network ? [] : ["--unshare-net"]),
      ...both("--ro-bind", ["/"]),
      ...SYSTEM,
      ...hidden.flatMap(path => ["--tmpfs", path]),
      // What lies below /tmp itself has just been covered.
      ...both("--ro-bind", belowTmp(program.file, env["PATH"])),
      ...both("--bind-try", kept),
      ...both("--ro-bind", git.seen),
      ...both("--bind", [...cell.writable.map(path => dirname(path)), cwd]),
      ...both("--bind-try", git.open),
      ...both("--ro-bind-try", git.guarded),
      "--chdir",
      cwd,
      "--",
      program.file,
      ...program.args,
    ],
  };
}

function makeFolder(path: string): void {
  try {
    // A file is bound as it is; a folder must be there to be bound.
    if (!existsSync(path) && !path.endsWith(".json")) mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch {
    // Then the agent has to do without it.
  }
}

/** The folders below `/tmp` that a program is run from: its own, those of its packages, and where it looks for others. */
function belowTmp(file: string, path: string | undefined): string[] {
  const searched = (path ?? "").split(delimiter).map(folder => join(folder, "program"));
  const homes = [file, realpathSync(file), ...searched].map(packagesOf);
  return [...new Set(homes)].filter(folder => folder.startsWith("/tmp/") && existsSync(folder));
}

/** An installed program reads what stands beside it: all of the `node_modules` it lies in, else its folder. */
function packagesOf(file: string): string {
  const folder = dirname(file);
  const at = `${folder}/`.indexOf("/node_modules/");
  return at < 0 ? folder : `${folder.slice(0, at)}/node_modules`;
}

/** What an agent may write of its repository, and what within that it may not. */
interface GitPaths {
  /** Seen, not written: it must be there although it may lie below `/tmp`. */
  readonly seen: readonly string[];
  readonly open: readonly string[];
  readonly guarded: readonly string[];
}

const NO_GIT: GitPaths = { seen: [], open: [], guarded: [] };

/** What commits, branches and stashes of a linked worktree write in the repository it belongs to. */
const SHARED = ["objects", "refs", "logs", "reftable"];
/** What in a git folder runs programs, or leads git to another folder that would. */
const TRAPS = ["hooks", "config", "config.worktree", "commondir", "gitdir", "worktrees"];

/**
 * The paths of a folder's repository: an agent that could change what git runs would leave its jail with the user's next
 * command. A linked worktree's repository lies with its main checkout, of which only its own share is opened.
 */
function gitPaths(cwd: string): GitPaths {
  const entry = join(cwd, ".git");
  const traps = (folder: string) => TRAPS.map(name => join(folder, name));
  try {
    const text = readFileSync(entry, "utf8");
    if (!text.startsWith("gitdir:")) return NO_GIT;
    const own = resolve(cwd, text.slice("gitdir:".length).trim());
    const common = resolve(own, readFileSync(join(own, "commondir"), "utf8").trim());
    makeFolder(join(common, "logs"));
    const open = [...SHARED.map(name => join(common, name)), own];
    return { seen: [common], open, guarded: [...traps(own), entry] };
  } catch {
    if (!existsSync(entry)) return NO_GIT;
    // What is not there cannot be guarded, and the folder itself is bound lest it be renamed and another put in its place.
    makeFolder(join(entry, "hooks"));
    return { seen: [], open: [entry], guarded: traps(entry) };
  }
}
