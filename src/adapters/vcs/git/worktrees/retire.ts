import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import {
  ok,
  type Rescued,
  type Result,
  type RetireRequest,
  type VcsFailure,
} from "../../../../ports/index.ts";
import { saidIn } from "../call/failure.ts";
import { putEntryBack } from "../files/entry.ts";
import { isRemade, newIgnored } from "../files/ignored.ts";
import { moveMade } from "../files/inner.ts";
import { moveOut } from "../files/move-out.ts";
import { enter } from "../files/snapshot.ts";
import { hasSubmodules, MODULES, submodulesOf } from "../files/submodules.ts";
import { findAttempt } from "../history/commit.ts";
import { knowing } from "../history/contained.ts";
import { keepAside } from "../history/keep.ts";
import { wasRef } from "../history/left.ts";
import { baseRef, changeRefs, headRef, isAncestor, isOfTask, readRef } from "../history/refs.ts";
import { folderAt, gitDirOf, headBranch, inFolder, ownIndex } from "../places/folders.ts";
import type { Repository } from "../repository/repository.ts";
import { standingAlone } from "./brought.ts";
import { givenRef } from "./give-back.ts";
import { clearAway, clearHalfMade, noteIntent } from "./open-folder.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/** The attempt whose work a commit is, by its trailer. */
async function attemptOf(repository: Repository, commit: string): Answer<string> {
  const known = repository.memory.attemptOf(commit);
  if (known !== undefined) return ok(known);
  const format = "--format=%(trailers:key=Espalier-Attempt,valueonly,separator=%x20)";
  return repository.git.text(["log", "-1", format, commit, "--"]);
}

/**
 * How a branch's work is in one of the others: a single task's by its very commit or the commit its attempt landed as, any other one's
 * by its history in the first of them, or else by what is said there or stands on yet another branch.
 */
async function heldHow(
  repository: Repository,
  branch: string,
  tip: string,
  heldBy: readonly string[],
): Answer<"itself" | "by-others" | undefined> {
  const isTask = isOfTask(branch);
  const attempt = isTask ? await attemptOf(repository, tip) : ok("");
  if (!attempt.ok) return attempt;
  let how: "by-others" | undefined;
  for (const [at, other] of heldBy.entries()) {
    const ref = headRef(other);
    const there = await readRef(repository, ref);
    if (!there.ok) return there;
    if (there.value === undefined) continue;
    const landed = attempt.value === "" ? ok(undefined) : await findAttempt(repository, attempt.value, ref);
    if (!landed.ok) return landed;
    if (landed.value !== undefined) return ok("itself");
    const held = await isAncestor(repository, tip, there.value);
    if (!held.ok) return held;
    if (held.value && (isTask || at === 0)) return ok("itself");
    if (held.value) how = "by-others";
    if (isTask || how !== undefined) continue;
    const known = await knowing(repository, there.value, [branch]);
    if (!known.ok) return known;
    const said = await isAncestor(repository, tip, known.value);
    if (!said.ok) return said;
    if (said.value) how = "by-others";
  }
  return ok(how);
}

/** Whether anything stands in a folder that its branch does not hold: one look that begins at git's own answer. */
async function looseIn(
  repository: Repository,
  { path, branch }: RetireRequest,
  tip: string,
): Answer<boolean> {
  const entered = enter(repository, { path });
  if (!entered.ok) return entered;
  const { gitDir, options } = entered.value;
  repository.memory.forgetIndex(ownIndex(gitDir));
  const now = await readRef(repository, headRef(branch));
  if (headBranch(gitDir) !== branch || !now.ok || now.value !== tip) return ok(true);
  const args = ["status", "--porcelain", "-z", "--no-renames", "--untracked-files=normal"];
  const more = ["--ignored=traditional", "--ignore-submodules=dirty"];
  const found = await repository.git.fields([...args, ...more], options);
  if (!found.ok) return found;
  return ok(found.value.some(line => !line.startsWith("!! ") || !isRemade(line.slice(3))));
}

/** Saves everything that stands in a folder and nowhere else. */
async function rescue(repository: Repository, request: RetireRequest, tip: string): Answer<Rescued> {
  const { path, branch } = request;
  const loose = await looseIn(repository, request, tip);
  if (!loose.ok) return loose;
  const gitDir = gitDirOf(repository, path);
  const mayHold = gitDir !== undefined && hasSubmodules(gitDir);
  if (!loose.value && !mayHold) return ok({});
  const tipTree = await repository.git.text(["rev-parse", `${tip}^{tree}`]);
  if (!tipTree.ok) return tipTree;
  const standing = await standingAlone(repository, { path }, tipTree.value);
  if (!standing.ok) return standing;
  const { tree, found } = standing.value;
  const name = branch.replaceAll("/", "-");
  let saved: Rescued = {};
  if (tree !== tipTree.value) {
    const why = `what stood in ${basename(path)}`;
    const kept = await repository.refs.ofBranches([branch], () =>
      keepAside(repository, name, tree, tip, why),
    );
    if (!kept.ok) return kept;
    const files = moveMade(repository, path, tree, found);
    if (!files.ok) return ok({ branch: kept.value, kept: saidIn(files.failure) });
    saved = { branch: kept.value, ...(files.value === undefined ? {} : { files: files.value }) };
  }
  const ignored = await newIgnored(repository, { path });
  if (!ignored.ok) return ignored;
  if (ignored.value.length === 0) return ok(saved);
  const files = join(repository.rescueDir, `${basename(path)}-${tree.slice(0, 8)}`);
  const filled = mayHold ? await submodulesOf(repository, gitDir, path, inFolder(gitDir, path)) : ok([]);
  if (!filled.ok) return filled;
  const isInner = filled.value.some(one => ignored.value.some(name => name.startsWith(`${one}/`)));
  // What was committed in them is nowhere else either, as far as anybody can tell.
  const problem =
    moveOut(path, files, ignored.value) ??
    (isInner && mayHold ? moveOut(gitDir, files, [MODULES]) : undefined);
  return ok(problem === undefined ? { ...saved, files } : { ...saved, files, kept: problem });
}

/** Deletes a branch whose work is elsewhere; what is nowhere else is named. */
async function deleteHeld(
  repository: Repository,
  { branch, heldBy }: RetireRequest,
  tip: string,
): Answer<Pick<Rescued, "unmerged">> {
  const held = await heldHow(repository, branch, tip, heldBy);
  if (!held.ok) return held;
  if (held.value === undefined) return ok({ unmerged: branch });
  const was = held.value === "by-others" ? await readRef(repository, wasRef(repository, branch)) : ok(tip);
  if (!was.ok) return was;
  const base = await readRef(repository, baseRef(branch));
  if (!base.ok) return base;
  const given = await readRef(repository, givenRef(branch));
  if (!given.ok) return given;
  const gone = await changeRefs(
    repository,
    [
      { ref: headRef(branch), from: tip },
      ...(base.value === undefined ? [] : [{ ref: baseRef(branch), from: base.value }]),
      ...(given.value === undefined ? [] : [{ ref: givenRef(branch), from: given.value }]),
      ...(was.value === tip ? [] : [{ ref: wasRef(repository, branch), from: was.value, to: tip }]),
    ],
    `retire ${branch}`,
  );
  return gone.ok ? ok({}) : gone;
}

/** Removes a branch's folder, and the branch where that was asked for and its work is elsewhere. */
export async function retire(repository: Repository, request: RetireRequest): Answer<Rescued> {
  const { branch, path, deleteBranch } = request;
  const { facts } = repository;
  if (path === facts.top) return ok({ kept: "the main checkout is never removed" });
  await clearHalfMade(repository, path);
  const tip = await readRef(repository, headRef(branch));
  if (!tip.ok) return tip;
  const entry = putEntryBack(repository, path);
  if (!entry.ok) return entry;
  let saved: Rescued = entry.value === undefined ? {} : { entry: entry.value };
  const known = folderAt(facts.common, path);
  if (known?.locked !== undefined) return ok({ kept: `locked: ${known.locked || "no reason given"}` });
  if (known !== undefined && existsSync(path)) {
    const rescued = await rescue(repository, request, tip.value ?? facts.head);
    if (!rescued.ok || rescued.value.kept !== undefined) return rescued;
    saved = { ...saved, ...rescued.value };
  }
  if (known !== undefined) {
    const noted = noteIntent(repository, path);
    if (!noted.ok) return noted;
    repository.forget(known.name);
    await clearAway(repository, path);
  }
  const last = tip.value;
  if (!deleteBranch || last === undefined) return ok(saved);
  const deleted = await repository.refs.ofBranches([branch], () => deleteHeld(repository, request, last));
  return deleted.ok ? ok({ ...saved, ...deleted.value }) : deleted;
}
