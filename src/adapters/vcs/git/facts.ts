import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { because, fail, ok, type Reason, type Result } from "../../../ports/index.ts";
import { visible } from "../../../text/index.ts";
import { readBounded } from "../../file/index.ts";
import { type Git, pinGit } from "./call.ts";
import { type Doors, openDoors } from "./doors.ts";
import { type Checkout, ownWorktrees } from "./folders.ts";
import { ledAway } from "./own-place.ts";
import { isOn, lastOf, type Setting, unspeakable } from "./settings.ts";
import { openStoredRefs } from "./stored-refs.ts";
import { trapAround } from "./traps.ts";

/** What a repository is, as far as it matters before work begins. */
export interface RepositoryFacts extends Checkout {
  /** The project's folder inside the checkout; empty for the top. */
  readonly prefix: string;
  /** The branch that is checked out; undefined when none is. */
  readonly branch: string | undefined;
  readonly head: string;
  /** Whether its files are for others to write, too: `core.sharedRepository`. */
  readonly shared: boolean;
  /** Peculiarities a person should know of; none of them stands in the way. */
  readonly notes: readonly Reason[];
  readonly version: string;
}

/** Why a repository cannot be worked in as it is, and the way out. */
export interface Unfit {
  readonly code:
    | "NO_REPOSITORY"
    | "NO_COMMITS"
    | "BARE"
    | "DETACHED_HEAD"
    | "IN_PROGRESS"
    | "GIT_TOO_OLD"
    | "GIT_REFUSED";
  readonly message: string;
  readonly hint: string;
}

/** `merge-tree --write-tree` with an exit code for conflicts. */
const OLDEST = [2, 38] as const;
const OFF = "or work in the main checkout without branches: git: { worktrees: off } in espalier.yaml";

const IS_BARE = ["this repository is bare: it has no files to work on", "clone it"] as const;

function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
}

/** Operations that a person has begun and not ended, by the file they leave in the git directory. */
const IN_PROGRESS: Readonly<Record<string, string>> = {
  MERGE_HEAD: "a merge",
  "rebase-merge": "a rebase",
  "rebase-apply": "a rebase",
  CHERRY_PICK_HEAD: "a cherry-pick",
  REVERT_HEAD: "a revert",
  BISECT_START: "a bisect",
};

/** What somebody has begun in a git directory and not ended. */
export function inProgress(gitDir: string): string | undefined {
  const mark = Object.keys(IN_PROGRESS).find(name => existsSync(join(gitDir, name)));
  return mark === undefined ? undefined : IN_PROGRESS[mark];
}

function holds(path: string, text: string): boolean {
  const bytes = readBounded(path, { maxBytes: 1024 ** 2 });
  return bytes.ok && Buffer.from(bytes.value).includes(text);
}

function notesOn(top: string, common: string, settings: readonly Setting[]): Reason[] {
  const on = (key: string) => isOn(settings, key);
  const found = {
    shallow: existsSync(join(common, "shallow")),
    submodules: existsSync(join(top, ".gitmodules")),
    lfs: holds(join(top, ".gitattributes"), "filter=lfs"),
    sparse: on("core.sparsecheckout"),
    case: on("core.ignorecase"),
  } as const;
  const names = Object.keys(found) as (keyof typeof found)[];
  return names.filter(name => found[name]).map(about => because("repository-note", { about }));
}

/** The branch that is checked out, where it is there and yet names no commit. */
function damagedHead(gitDir: string, common: string): string | undefined {
  const head = readBounded(join(gitDir, "HEAD"), { maxBytes: 4096 });
  const ref = head.ok ? /^ref: (\S+)/.exec(Buffer.from(head.value).toString())?.[1] : undefined;
  return ref === undefined || openStoredRefs(common).read(ref).kind === "absent" ? undefined : ref;
}

function refuse(code: Unfit["code"], message: string, hint: string): Result<never, Unfit> {
  return fail({ code, message, hint });
}

/** The folder that a repository was found from: the nearest one with a `.git`. */
function foundFrom(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return realpathSync(at);
    if (dirname(at) === at) return undefined;
  }
}

/** What its configuration has against working here. */
function unspoken(settings: readonly Setting[]): Result<never, Unfit> | undefined {
  const unclear = unspeakable(settings);
  if (unclear === undefined) return undefined;
  const message = `git's configuration has a program under a name that is no UTF-8 text: ${visible(unclear)}`;
  return refuse("GIT_REFUSED", message, "it can be neither shown nor switched off: rename it");
}

/** A repository that can be worked in, and what could make git start programs in it. */
export interface Looked {
  readonly facts: RepositoryFacts;
  readonly doors: Doors;
}

/** Looks at the repository around a folder; a repository that nothing can be done with is an `Unfit`. */
export async function repositoryFacts(finder: Git, env: NodeJS.ProcessEnv): Promise<Result<Looked, Unfit>> {
  const trap = trapAround(finder.root);
  if (trap !== undefined) return refuse("GIT_REFUSED", trap, `move it away, ${OFF}`);
  const version = await finder.text(["version"]);
  const number = version.ok ? (version.value.split(" ")[2] ?? "0") : "0";
  if (!version.ok) return refuse("GIT_REFUSED", version.failure.message, OFF);
  if (isTooOld(number)) {
    const needed = OLDEST.join(".");
    return refuse("GIT_TOO_OLD", `git ${number} is older than ${needed}`, `install git ${needed}, ${OFF}`);
  }
  const places = await finder.text([
    "rev-parse",
    "--is-bare-repository",
    "--absolute-git-dir",
    "--git-common-dir",
  ]);
  if (!places.ok) {
    const { message } = places.failure;
    if (message.includes("safe.bareRepository")) return refuse("BARE", ...IS_BARE);
    if (message.includes("dubious ownership")) {
      const hint = `if you trust it: git config --global --add safe.directory ${finder.root}`;
      return refuse("GIT_REFUSED", message, hint);
    }
    return refuse("NO_REPOSITORY", message, `git init makes one, ${OFF}`);
  }
  const [bare, gitDir = "", commonDir = ""] = places.value.split("\n");
  if (bare === "true") return refuse("BARE", ...IS_BARE);
  const named = await finder.text(["rev-parse", "--show-toplevel"]);
  if (!named.ok) return refuse("GIT_REFUSED", named.failure.message, OFF);
  const top = realpathSync(named.value);
  const common = realpathSync(commonDir.startsWith(sep) ? commonDir : join(finder.root, commonDir));
  if (foundFrom(finder.root) !== top) {
    const message = `core.worktree leads git out of this checkout, to ${top}`;
    return refuse("GIT_REFUSED", message, `git config --unset core.worktree, ${OFF}`);
  }
  const led = await ledAway(finder, top, gitDir, common);
  if (led !== undefined) return refuse("GIT_REFUSED", led.message, `${led.hint}, ${OFF}`);
  const git = pinGit(finder, { top, gitDir, common });
  const head = await git.text(["rev-parse", "--verify", "-q", "HEAD^{commit}"]);
  if (!head.ok) {
    const damaged = damagedHead(gitDir, common);
    if (damaged !== undefined) {
      const hint = `git reflog names the commits it stood at; git update-ref ${damaged} COMMIT puts it back to one`;
      return refuse("GIT_REFUSED", `${damaged} names nothing that can be read`, hint);
    }
  }
  if (!head.ok) return refuse("NO_COMMITS", "this repository has no commit yet", `make a first one, ${OFF}`);
  const begun = inProgress(gitDir);
  if (begun !== undefined)
    return refuse("IN_PROGRESS", `${begun} is under way in the main checkout`, `finish or abort it, ${OFF}`);
  const branch = await git.run(["symbolic-ref", "-q", "--short", "HEAD"], { answers: [1] });
  const doors = await openDoors({ git, top, common, env, worktrees: ownWorktrees(common) });
  if (!doors.ok) return refuse("GIT_REFUSED", doors.failure.message, OFF);
  const settings = doors.value.settings();
  const against = unspoken(settings);
  if (against !== undefined) return against;
  const facts: RepositoryFacts = {
    top,
    gitDir,
    common,
    prefix: relative(top, realpathSync(git.root)),
    branch: branch.ok && branch.value.code === 0 ? branch.value.stdout.toString().trim() : undefined,
    head: head.value,
    shared: lastOf(settings, "core.sharedrepository") !== undefined,
    notes: notesOn(top, common, settings),
    version: number,
  };
  return ok({ facts, doors: doors.value });
}
