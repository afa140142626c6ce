import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { because, fail, ok, type Reason, type Result } from "../../../ports/index.ts";
import { isBelow, isWithin } from "../../file/index.ts";
import { findProgram, type Program } from "../../process/index.ts";
import { versionIn } from "../look.ts";
import { type Cell, EMPTY, inOrder, type Mount, mounts, placeOf } from "./cell.ts";
import { CACHE, homeMounts, ownStateMounts } from "./home.ts";
import { realPath } from "./make.ts";
import { repositoryPaths } from "./repository.ts";
import { stateMounts } from "./state.ts";

/** Milliseconds the jail has to show that it works here. */
const TRIAL_MS = 10_000;

/**
 * A jail of bubblewrap around a program: the whole file system read-only but for the folder to work in, what the cell
 * adds and an empty `/tmp`; its own process ids, ended with us; no capabilities; no keys and no sockets of the user's.
 */
export interface Jail {
  readonly version: string;
  wrap(program: Program, cell: Cell): Program;
}

/** Finds bubblewrap and tries whether this system lets it work; or what stands against it. */
export async function openJail(path: string | undefined): Promise<Result<Jail, Reason>> {
  const found = findProgram("bwrap", { path });
  if (!found.ok) return fail(because("jail-missing", {}));
  const run = promisify(execFile);
  try {
    const limits = { timeout: TRIAL_MS, env: {} };
    const { stdout } = await run(found.value, ["--version"], limits);
    const trial = [...WALLS, "--ro-bind", "/", "/", ...SYSTEM, "--", "/bin/sh", "-c", ":"];
    await run(found.value, trial, limits);
    return ok({
      version: versionIn(stdout) ?? "",
      wrap: (program, cell) => wrap(found.value, program, cell),
    });
  } catch (error) {
    const said = `${(error as { stderr?: string }).stderr ?? ""}`.trim().split("\n").at(-1) ?? "";
    const why = said === "" ? (error as Error).message : said;
    return fail(because("jail-broken", { said: why }));
  }
}

/** Not `--new-session`: signals go to the group, and there is no terminal to steal. */
const WALLS = ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent", "--cap-drop", "ALL"];

/** Kernel settings: bubblewrap takes them for guarded, but files of root are root's without any capability. */
const KERNEL = ["/proc/sys", "/proc/irq", "/proc/bus"];

/** What a read-only root lacks to be worked in. Below `/run` the sockets of the user's session would start anything. */
const SYSTEM = [
  "--dev",
  "/dev",
  "--proc",
  "/proc",
  ...mounts("--ro-bind-try", KERNEL).flat(),
  ...(existsSync("/run") ? ["--tmpfs", "/run"] : []),
  "--tmpfs",
  "/tmp",
  "--setenv",
  "TMPDIR",
  "/tmp",
  "--unsetenv",
  "XDG_RUNTIME_DIR",
];

/** What below `/run` names are found by, and where some systems have their programs. */
const NEEDED = ["/etc/resolv.conf", "/run/current-system"];

function wrap(bwrap: string, program: Program, cell: Cell): Program {
  const { cwd, env } = program;
  const home = env["HOME"] ?? "";
  const git = repositoryPaths(cwd, [home, cell.state ?? ""].filter(Boolean));
  const isOwnCache = home !== "" && cell.keeps.includes(CACHE);
  const programs = covered(
    [program.file, ...(cell.programs ?? [])],
    env["PATH"],
    isOwnCache ? [join(home, CACHE)] : [],
  );
  const state = stateMounts(cell);
  const places = inOrder([
    ...state,
    ...homeMounts(home, cell),
    ...ownStateMounts(env),
    // What is worked in is there, and open.
    ...programs.filter(mount => !isWithin(git.work, mount.at(-1) ?? "")),
    ...mounts("--ro-bind", git.seen),
    ...mounts("--bind", [git.work]),
    ...mounts("--bind-try", git.open),
    ...mounts("--ro-bind-try", git.guarded),
  ]);
  return {
    ...program,
    file: bwrap,
    args: [
      ...WALLS,
      ...(cell.network ? [] : ["--unshare-net"]),
      "--ro-bind",
      "/",
      "/",
      ...SYSTEM,
      ...NEEDED.flatMap(neededMount),
      ...places,
      ...state.flatMap(([flag, place]) =>
        flag === "--tmpfs" && place !== undefined ? ["--remount-ro", place] : [],
      ),
      // A repository that is only read has no index to be refreshed.
      ...(git.open.length === 0 ? ["--setenv", "GIT_OPTIONAL_LOCKS", "0"] : []),
      // It has its cache in the home itself, where nothing can be written.
      ...(isOwnCache ? ["--setenv", "npm_config_cache", join(home, CACHE, "npm")] : []),
      "--chdir",
      cwd,
      "--",
      program.file,
      ...program.args,
    ],
  };
}

function isIn(folders: readonly string[], path: string): boolean {
  return folders.some(folder => isBelow(folder, path));
}

function neededMount(path: string): string[] {
  const real = realPath(path);
  if (real === undefined) return [];
  const at = placeOf(path);
  return isIn(EMPTY, at) ? ["--ro-bind", real, at] : [];
}

/** The covered folders that programs are run from: their own, those of their packages, and where others are looked for. */
function covered(files: readonly string[], path: string | undefined, caches: readonly string[]): Mount[] {
  const searched = (path ?? "").split(delimiter).map(folder => join(folder, "program"));
  const all = [...files, ...files.flatMap(file => realPath(file) ?? []), ...searched];
  const empty = [...EMPTY, ...caches, ...caches.map(placeOf)];
  const homes = all.filter(file => isIn(empty, file)).map(file => packageOf(file, empty));
  const folders = [...new Set(homes)].filter(folder => isIn(empty, folder) && existsSync(folder));
  // What leads elsewhere from a covered folder does not in the one that covers it.
  return folders.map(folder => {
    const above = caches.find(cache => isBelow(cache, folder));
    const place = above === undefined ? folder : join(placeOf(above), relative(above, folder));
    return ["--ro-bind", folder, place];
  });
}

/** An installed program reads what stands beside it: all of the `node_modules` it lies in, else its package or folder. */
function packageOf(file: string, empty: readonly string[]): string {
  const folder = dirname(file);
  const at = `${folder}/`.indexOf("/node_modules/");
  if (at >= 0) return `${folder.slice(0, at)}/node_modules`;
  for (let above = folder; isIn(empty, above); above = dirname(above))
    if (existsSync(join(above, "package.json"))) return above;
  return folder;
}
