import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import {
  because,
  fail,
  OBJECT_ID,
  ok,
  type Reason,
  type Result,
  type UnderWay,
  type VcsFailure,
} from "../../../../ports/index.ts";
import { visible } from "../../../../text/index.ts";
import { readBounded } from "../../../file/index.ts";
import { type Git, pinGit } from "../call/call.ts";
import { saidIn } from "../call/failure.ts";
import { isOn, lastOf, type Setting, unspeakable } from "../call/settings.ts";
import { type Checkout, ownWorktrees } from "../places/folders.ts";
import { type EntryPoints, openEntryPoints } from "../trust/entry-points.ts";
import { ledAway } from "../trust/own-place.ts";
import { trapAround } from "../trust/traps.ts";
import { openStoredRefs } from "./stored-refs.ts";

/** What a repository is, as far as it matters before work begins. */
export interface RepositoryFacts extends Checkout {
  /** The project's folder inside the checkout; empty for the top. */
  readonly prefix: string;
  /** The branch that is checked out; undefined when none is. */
  readonly branch: string | undefined;
  readonly head: string;
  /** Whether its files are for others to write, too: `core.sharedRepository`. */
  readonly shared: boolean;
  /** Whether names that differ in the case of their letters alone are one to the file system: `core.ignoreCase`. */
  readonly caseless: boolean;
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
  readonly reason: Reason;
  readonly advice: Reason;
}

/** `merge-tree --write-tree` with an exit code for conflicts. */
const OLDEST = [2, 38] as const;
const OFF = because("worktrees-off", {});
const MOVE = because("worktrees-off", { or: "move" });
const IS_BARE = [because("repository-bare", {}), because("clone-it", {})] as const;

function saidByGit(text: string): Reason {
  return because("said", { by: "git", text });
}

function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
}

/** Operations that a person has begun and not ended, by the file they leave in the git directory. */
const IN_PROGRESS: Readonly<Record<string, UnderWay>> = {
  MERGE_HEAD: "merge",
  "rebase-merge": "rebase",
  "rebase-apply": "rebase",
  CHERRY_PICK_HEAD: "cherry-pick",
  REVERT_HEAD: "revert",
  BISECT_START: "bisect",
};

/** What somebody has begun in a git directory and not ended. */
export function inProgress(gitDir: string): UnderWay | undefined {
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

/** The ref that HEAD is, by its file. */
function refOfHead(gitDir: string): string | undefined {
  const head = readBounded(join(gitDir, "HEAD"), { maxBytes: 4096 });
  return head.ok ? /^ref: (\S+)\n?$/.exec(Buffer.from(head.value).toString())?.[1] : undefined;
}

/** The branch that is checked out, where it is there and yet names no commit. */
function damagedHead(gitDir: string, common: string): string | undefined {
  const ref = refOfHead(gitDir);
  return ref === undefined || openStoredRefs(common).read(ref).kind === "absent" ? undefined : ref;
}

function refuse(code: Unfit["code"], reason: Reason, advice: Reason): Result<never, Unfit> {
  return fail({ code, reason, advice });
}

/** The folder that a repository was found from: the nearest one with a `.git`. */
function foundFrom(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return realpathSync(at);
    if (dirname(at) === at) return undefined;
  }
}

/**
 * Whether it is bare, its git directory, its common one, and, where all is as usual, its checkout and what HEAD names: line by
 * line. Each call of git costs what a large process takes to start another.
 */
async function placesOf(finder: Git): Promise<Result<string, VcsFailure>> {
  const places = ["rev-parse", "--is-bare-repository", "--absolute-git-dir", "--git-common-dir"];
  const all = await finder.text([...places, "--show-toplevel", "HEAD^{commit}"]);
  const lines = all.ok ? all.value.split("\n") : [];
  return lines.length === 5 && OBJECT_ID.test(lines[4] ?? "") ? all : finder.text(places);
}

/** The branch that is checked out at this commit; undefined when none is. */
async function branchOf(git: Git, gitDir: string, common: string, head: string): Promise<string | undefined> {
  const ref = refOfHead(gitDir);
  const stored = ref?.startsWith("refs/heads/") === true ? openStoredRefs(common).read(ref) : undefined;
  if (ref !== undefined && stored?.kind === "commit" && stored.commit === head)
    return ref.slice("refs/heads/".length);
  const asked = await git.run(["symbolic-ref", "-q", "--short", "HEAD"], { answers: [1] });
  return asked.ok && asked.value.code === 0 ? asked.value.stdout.toString().trim() : undefined;
}

/** What its configuration has against working here. */
function unspoken(settings: readonly Setting[]): Result<never, Unfit> | undefined {
  const unclear = unspeakable(settings);
  if (unclear === undefined) return undefined;
  const program = because("program-unnamed", { name: visible(unclear) });
  return refuse("GIT_REFUSED", program, because("rename-it", {}));
}

/** A repository that can be worked in, and what could make git start programs in it. */
export interface Looked {
  readonly facts: RepositoryFacts;
  readonly entryPoints: EntryPoints;
}

/** Looks at the repository around a folder; a repository that nothing can be done with is an `Unfit`. */
export async function repositoryFacts(finder: Git, env: NodeJS.ProcessEnv): Promise<Result<Looked, Unfit>> {
  const trap = trapAround(finder.root);
  if (trap !== undefined) return refuse("GIT_REFUSED", saidByGit(trap), MOVE);
  const version = await finder.text(["version"]);
  const number = version.ok ? (version.value.split(" ")[2] ?? "0") : "0";
  if (!version.ok) return refuse("GIT_REFUSED", version.failure.reason, OFF);
  if (isTooOld(number)) {
    const needed = OLDEST.join(".");
    const old = because("git-too-old", { found: number, needed });
    return refuse("GIT_TOO_OLD", old, because("install-git", { version: needed }));
  }
  const places = await placesOf(finder);
  if (!places.ok) {
    const message = saidIn(places.failure);
    if (message.includes("safe.bareRepository")) return refuse("BARE", ...IS_BARE);
    if (message.includes("dubious ownership"))
      return refuse("GIT_REFUSED", saidByGit(message), because("own-it", { folder: finder.root }));
    return refuse("NO_REPOSITORY", saidByGit(message), because("worktrees-off", { or: "init" }));
  }
  const lines = places.value.split("\n");
  const [bare, gitDir = "", commonDir = "", toplevel, commit] = lines;
  if (lines.length > 3 && !OBJECT_ID.test(commit ?? "")) {
    const broken = because("line-break-in-path", { folder: visible(finder.root) });
    return refuse("GIT_REFUSED", broken, because("worktrees-off", { or: "rename" }));
  }
  if (bare === "true") return refuse("BARE", ...IS_BARE);
  const named = toplevel === undefined ? await finder.text(["rev-parse", "--show-toplevel"]) : ok(toplevel);
  if (!named.ok) return refuse("GIT_REFUSED", named.failure.reason, OFF);
  const top = realpathSync(named.value);
  const common = realpathSync(commonDir.startsWith(sep) ? commonDir : join(finder.root, commonDir));
  if (foundFrom(finder.root) !== top) {
    const advice = because("worktrees-off", { or: "unset-worktree" });
    return refuse("GIT_REFUSED", because("worktree-leads-away", { top }), advice);
  }
  const led = await ledAway(finder, top, gitDir, common);
  if (led !== undefined) {
    const { message, remedy } = led;
    const advice = remedy === undefined ? MOVE : because("name-worktree", { command: remedy });
    return refuse("GIT_REFUSED", saidByGit(message), advice);
  }
  const git = pinGit(finder, { top, gitDir, common });
  const head =
    commit === undefined ? await git.text(["rev-parse", "--verify", "-q", "HEAD^{commit}"]) : ok(commit);
  if (!head.ok) {
    const damaged = damagedHead(gitDir, common);
    if (damaged !== undefined) {
      const advice = because("put-ref-back", { ref: damaged });
      return refuse("GIT_REFUSED", because("ref-unreadable", { ref: damaged }), advice);
    }
    return refuse("NO_COMMITS", because("no-commits", {}), because("worktrees-off", { or: "commit" }));
  }
  const begun = inProgress(gitDir);
  if (begun !== undefined)
    return refuse(
      "IN_PROGRESS",
      because("under-way", { what: begun }),
      because("worktrees-off", { or: "end" }),
    );
  const branch = await branchOf(git, gitDir, common, head.value);
  const entryPoints = await openEntryPoints({ git, top, common, env, worktrees: ownWorktrees(common) });
  if (!entryPoints.ok) return refuse("GIT_REFUSED", entryPoints.failure.reason, OFF);
  const settings = entryPoints.value.settings();
  const against = unspoken(settings);
  if (against !== undefined) return against;
  const facts: RepositoryFacts = {
    top,
    gitDir,
    common,
    prefix: relative(top, realpathSync(git.root)),
    branch,
    head: head.value,
    shared: lastOf(settings, "core.sharedrepository") !== undefined,
    caseless: isOn(settings, "core.ignorecase"),
    notes: notesOn(top, common, settings),
    version: number,
  };
  return ok({ facts, entryPoints: entryPoints.value });
}
