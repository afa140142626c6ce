import { accessSync, constants, existsSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { CONFIG_FILE, isBelow } from "../../adapters/file/index.ts";
import {
  createGitVcs,
  isLeftOut,
  openRepository,
  projectsBeside,
  type Repository,
  taskFilesBeside,
  trapBelow,
  unbornAt,
} from "../../adapters/vcs/git/index.ts";
import { isNamedBy, type NameRules, phaseNames } from "../../engine/index.ts";
import { because, type EspalierError, EXIT, few, type Reason } from "../../ports/index.ts";
import type { RunState } from "../../run/index.ts";
import { errorFor, reasonText, type Told, told, toldText } from "../../text/index.ts";
import type { Approvable } from "../approval/approvable.ts";
import type { Approvals } from "../approval/approval.ts";
import { placeApprovals } from "../approval/places.ts";
import type { Invocation } from "../project/invocation.ts";
import type { Project, TaskPath } from "../project/project.ts";
import { isCheckoutTaken } from "./checkout-turn.ts";
import { gitAround, isRepository } from "./one-folder.ts";

function refuse(code: string, reason: Reason, advice: Reason): EspalierError {
  return errorFor(code, reason, { advice, exitCode: EXIT.environment });
}

/** What Espalier writes itself, as repository paths. A state folder of another name may be shared with others. */
export function ownFiles(project: Project, file: TaskPath, top: string): string[] {
  const { stateDir } = project;
  const state = basename(stateDir) === ".espalier" ? [stateDir] : [];
  const paths = [file.path, join(project.root, CONFIG_FILE), ...state];
  return paths.filter(path => isBelow(top, path)).map(path => relative(top, path));
}

/**
 * The repository a project's tasks are worked in; undefined where there is none, where it has no commit yet, where it does
 * not know the project, or where that is switched off. Throws EspalierError for one that cannot be worked in.
 */
export async function projectRepository(
  project: Project,
  file: TaskPath,
  env: NodeJS.ProcessEnv,
  allows?: (program: string) => boolean,
): Promise<Repository | undefined> {
  return project.config.git.worktrees === "off" ? undefined : repositoryAround(project, file, env, allows);
}

/** The same, whether its tasks are worked in it now or were before that was switched off. */
export async function repositoryAround(
  project: Project,
  file: TaskPath,
  env: NodeJS.ProcessEnv,
  allows: (program: string) => boolean = () => false,
): Promise<Repository | undefined> {
  const { root, config, stateDir } = project;
  // Looked at without git, so that most projects pay nothing.
  if (gitAround(root) === undefined) return undefined;
  const opened = await openRepository({
    root,
    env,
    // What was copied or linked into a worktree is the main checkout's, even where git does not ignore it.
    leaveOut: facts => [
      ...ownFiles(project, file, facts.top),
      ...[...config.worktree.copy, ...config.worktree.link].map(path => join(facts.prefix, path)),
    ],
    rescueDir: join(stateDir, "rescued"),
    allows,
  });
  if (!opened.ok) {
    const { code, reason, advice } = opened.failure;
    if (code === "NO_REPOSITORY" || code === "NO_COMMITS") return undefined;
    throw refuse(code, reason, advice);
  }
  const repository = opened.value;
  const { prefix } = repository.facts;
  if (prefix === "") return repository;
  const known = await repository.git.run(["ls-files", "--", prefix]);
  // A folder that merely lies in somebody's repository is no part of it.
  return known.ok && known.value.stdout.length > 0 ? repository : undefined;
}

/** The same repository as it is worked in: programs of its configuration that were approved may run from now on. */
export async function approvedRepository(
  project: Project,
  file: TaskPath,
  env: NodeJS.ProcessEnv,
  { known, approvals }: { readonly known: Repository | undefined; readonly approvals: Approvals },
): Promise<Repository | undefined> {
  const isAsIs = known === undefined || known.programs.length === 0;
  return isAsIs ? known : projectRepository(project, file, env, approvals.allows);
}

/**
 * Throws where a run that has landed its work in a repository would go on without any of it: there is none any more, or it has no commit
 * because the branch on which the run began, and which is checked out, was deleted. `isOneFolder` says that none was found to work in.
 */
export function requireTarget(
  { root, config }: Pick<Project, "root" | "config">,
  { target }: Pick<Invocation, "target">,
  isOneFolder = false,
): void {
  if (config.git.worktrees === "off" || target === undefined) return;
  const entry = gitAround(root);
  const unborn = isRepository(entry) ? unbornAt(entry) : undefined;
  if (unborn?.branch === target)
    throw refuse(
      "GIT_REFUSED",
      because("target-deleted", { branch: target }),
      because("put-branch-back", unborn),
    );
  // One that is around may be another, which does not know the project.
  if (isRepository(entry) && !isOneFolder) return;
  throw refuse(
    "REPOSITORY_GONE",
    because("run-without-repository", { root }),
    because("worktrees-off", { or: "restore" }),
  );
}

/** Whether a branch stands. */
function stands({ storedRefs }: Repository, branch: string): boolean {
  return storedRefs.read(`refs/heads/${branch}`).kind !== "absent";
}

/**
 * The branch finished phases are merged into: the one that is named, else the one on which the run began as long as that stands, else
 * the one that is checked out. Throws where there is none.
 */
export function targetBranch(
  project: Project,
  repository: Repository,
  { target: begunOn }: Pick<Invocation, "target">,
): string {
  const kept = begunOn !== undefined && stands(repository, begunOn) ? begunOn : undefined;
  const target = project.config.git.target ?? kept ?? repository.facts.branch;
  if (target !== undefined) return target;
  throw refuse("DETACHED_HEAD", because("head-detached", {}), because("choose-branch", {}));
}

/**
 * The branch to which a run's phases go from here on: the one on which it began, and for one that had ended, with nothing on branches
 * of its own, the one that is checked out.
 */
export async function targetFromHere(
  repository: Repository | undefined,
  before: Pick<Invocation, "target">,
  hasEnded: boolean,
): Promise<string | undefined> {
  const here = repository?.facts.branch;
  const { target = here } = before;
  if (repository === undefined || target === undefined || here === undefined || target === here)
    return target;
  const branches = hasEnded ? await createGitVcs(repository).branches(target) : undefined;
  return branches?.ok === true && branches.value.every(({ held }) => held) ? here : target;
}

/** What a person should know of where phases go, where another branch is checked out than when the run began. */
function movedTarget(
  { facts: { branch: here } }: Repository,
  target: string,
  { target: begunOn = target }: Pick<Invocation, "target">,
): Reason[] {
  if (begunOn !== target) return [because("target-gone", { begun: begunOn, target })];
  return here === target ? [] : [because("target-stays", { target })];
}

/** Files of the main checkout that differ from its last commit, ours apart. */
async function dirtyFiles(repository: Repository): Promise<string[]> {
  const trap = trapBelow(repository.facts.top);
  if (trap !== undefined)
    throw refuse(
      "GIT_REFUSED",
      because("said", { by: "git", text: trap }),
      because("worktrees-off", { or: "move" }),
    );
  const args = ["status", "--porcelain", "-z", "--no-renames", "--ignore-submodules=all"];
  const found = await repository.git.fields(args);
  if (!found.ok) throw refuse("GIT_REFUSED", found.failure.reason, because("worktrees-off", {}));
  const beside = taskFilesBeside(repository);
  return found.value
    .map(line => line.slice(3))
    .filter(path => path !== "" && !beside.has(path) && !isLeftOut(repository, path.replace(/\/$/, "")));
}

/** Whether phase 0 is still to be begun: its tasks commit what stands in the main checkout. */
function beginsInMain(run: RunState): boolean {
  const first = run.tasks.filter(({ task }) => task.phase === 0 && task.children === undefined);
  return (
    first.some(({ status }) => status === "pending" || status === "ready") &&
    first.every(({ attempts }) => attempts === 0)
  );
}

/** Whether worktrees will be needed. */
function leavesMain(run: RunState): boolean {
  return run.tasks.some(
    ({ task, status }) => task.phase !== 0 && status !== "completed" && status !== "skipped",
  );
}

/** How a project's branches and worktrees are called. */
export function nameRules({ config }: Project, { facts }: Pick<Repository, "facts">): NameRules {
  const { branch, folder } = config.git;
  return { top: facts.top, prefix: facts.prefix, branch, folder };
}

/** Tells branches that are named as those of another project of the repository, and not as those of this one. */
export function isOfAnother(project: Project, repository: Repository): (branch: string) => boolean {
  const own = nameRules(project, repository);
  const others = projectsBeside(repository).map(({ folder, branch }) => ({ ...own, prefix: folder, branch }));
  return branch => !isNamedBy(own, branch) && others.some(rules => isNamedBy(rules, branch));
}

function checkPlace(project: Project, repository: Repository): void {
  const { top } = repository.facts;
  const { path } = phaseNames(nameRules(project, repository), { label: "1", feature: "work" });
  const parent = dirname(path);
  if (isBelow(top, path) && !isBelow(project.stateDir, path)) {
    const advice = because("choose-place", { state: relative(top, project.stateDir) });
    throw refuse("WORKTREE_PLACE", because("place-inside-checkout", { path: relative(top, path) }), advice);
  }
  if (!existsSync(parent)) return;
  try {
    accessSync(parent, constants.W_OK);
  } catch {
    const inside = join(relative(top, project.stateDir), "worktrees", "{phase}-{feature}");
    const advice = because("make-place-writable", { folder: inside });
    throw refuse("WORKTREE_PLACE", because("place-unwritable", { folder: parent }), advice);
  }
}

/**
 * Makes sure the repository can be worked in before anything is dispatched. Returns what a person should know. Throws
 * EspalierError.
 */
export async function checkRepository(
  project: Project,
  repository: Repository,
  run: RunState,
  invocation: Pick<Invocation, "target">,
): Promise<string[]> {
  const target = targetBranch(project, repository, invocation);
  const tell = (sentence: Told) => toldText(sentence, project.locale);
  const elsewhere = told`this is a linked worktree: the run is that of its main checkout, ${project.root}`;
  const facts = repository.facts.notes.map(note => reasonText(note, project.locale));
  const notes = [...(project.linkedWorktree === undefined ? [] : [tell(elsewhere)]), ...facts];
  const moved = project.config.git.target === undefined ? movedTarget(repository, target, invocation) : [];
  notes.push(...moved.map(note => reasonText(note, project.locale)));
  const dirty = await dirtyFiles(repository);
  const first = dirty.slice(0, 5).join(", ");
  const some = dirty.length > 5 ? told`${first} and ${dirty.length - 5} more` : first;
  if (beginsInMain(run)) {
    if (repository.facts.branch !== target)
      throw refuse(
        "WRONG_BRANCH",
        because("first-phase-elsewhere", { branch: target }),
        because("switch-branch", { branch: target }),
      );
    // What a task of another project is at there stays that one's: this run's tasks wait until it has ended.
    if (dirty.length > 0 && !isCheckoutTaken(repository))
      throw refuse(
        "DIRTY_CHECKOUT",
        because("checkout-changed", { files: few(dirty) }),
        because("worktrees-off", { or: "put-away" }),
      );
    notes.push(reasonText(because("first-phase-here", { branch: target }), project.locale));
  } else if (dirty.length > 0 && leavesMain(run)) {
    notes.push(tell(told`not committed, so not seen in worktrees: ${some}`));
  }
  if (leavesMain(run)) checkPlace(project, repository);
  return notes;
}

/**
 * What a person approves of a repository: programs that its own configuration would have git start, and where its worktrees
 * go. Throws EspalierError for a place they may not go to.
 */
export function repositoryCommands(
  project: Project,
  { programs, facts }: Repository,
  env: NodeJS.ProcessEnv,
): Approvable[] {
  return [...gitPrograms(programs), ...placeApprovals(project, facts, env)];
}

function gitPrograms(programs: readonly string[]): Approvable[] {
  return programs.map(text => ({ where: "git config", text }));
}
