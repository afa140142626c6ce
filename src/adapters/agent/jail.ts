import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
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
  const { shared, guarded } = gitPaths(cwd);
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
      ...both("--ro-bind", belowTmp([program.file])),
      ...both("--bind-try", kept),
      ...both("--bind", [...cell.writable.map(path => dirname(path)), ...shared, cwd]),
      ...both("--ro-bind-try", guarded),
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

function belowTmp(files: readonly string[]): string[] {
  const folders = files.flatMap(file => [dirname(file), dirname(realpathSync(file))]);
  return [...new Set(folders.filter(folder => folder.startsWith("/tmp/")))];
}

/**
 * The git folder of a linked worktree, which lies with its main checkout, and what in it runs or redirects programs: an
 * agent that could write there would leave its jail with the user's next command.
 */
function gitPaths(cwd: string): { readonly shared: readonly string[]; readonly guarded: readonly string[] } {
  const entry = join(cwd, ".git");
  const guard = (folder: string) => [join(folder, "hooks"), join(folder, "config")];
  try {
    const text = readFileSync(entry, "utf8");
    const own = resolve(cwd, text.slice("gitdir:".length).trim());
    const common = resolve(own, readFileSync(join(own, "commondir"), "utf8").trim());
    return text.startsWith("gitdir:") ? { shared: [common], guarded: [...guard(common), entry] } : NO_GIT;
  } catch {
    return existsSync(entry) ? { shared: [], guarded: guard(entry) } : NO_GIT;
  }
}

const NO_GIT = { shared: [], guarded: [] } as const;
