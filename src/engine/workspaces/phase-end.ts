import { because, few, ok, type Reason, type Result, type VcsFailure } from "../../ports/index.ts";
import { said } from "../../text/index.ts";
import { clearCandidates } from "./candidate.ts";
import { phaseNames, taskNames, taskPlaces } from "./names.ts";
import { prepareAgain } from "./opening.ts";
import { workspaceOf } from "./phase-folder.ts";
import { isMain, listed, tellRescued, type WorkspaceState } from "./state.ts";
import type { CompletedTask, PhaseEnd, PhaseEndRequest } from "./types.ts";
import { vcsReason } from "./vcs-reason.ts";

const refused = (reason: Reason): PhaseEnd => ({ kind: "refused", reason });
const failed = (failure: VcsFailure): PhaseEnd => refused(vcsReason(failure));

/** The completed tasks whose work the target has: those of a phase that waits on its branch are not among them. */
async function tasksThere(
  { vcs, rules, nameOf }: WorkspaceState,
  completed: readonly CompletedTask[],
): Promise<Result<readonly string[], VcsFailure>> {
  const standing = await vcs.branches(rules.target);
  if (!standing.ok) return standing;
  const waiting = new Set(standing.value.filter(({ held }) => !held).map(({ branch }) => branch));
  const phases = new Map(completed.map(({ phase }) => [phase.label, phase]));
  const away = new Set(
    [...phases.values()]
      .filter(phase => !isMain(phase) && waiting.has(phaseNames(rules.names, nameOf(phase)).branch))
      .map(({ label }) => label),
  );
  if (away.size === 0) return ok(completed.map(({ task }) => task));
  const landed = await vcs.attemptsIn(rules.target);
  if (!landed.ok) return landed;
  const there = new Set(landed.value.map(({ task }) => task));
  return ok(
    completed.filter(({ task, phase }) => !away.has(phase.label) || there.has(task)).map(({ task }) => task),
  );
}

/** Commits the boxes of what the target has: other phases may have completed tasks that wait on their branches. */
async function record(state: WorkspaceState, { completed }: PhaseEndRequest): Promise<void> {
  const { vcs, rules } = state;
  const { boxes, target: into } = rules;
  if (boxes === undefined) return;
  const tasks = await tasksThere(state, completed);
  const message = "Tick the boxes of completed tasks";
  // What stood ticked already may have boxes elsewhere: a commit by hand must not take back those that are committed here.
  const here = tasks.ok ? boxes.tickHere(new Set(tasks.value)) : undefined;
  if (here !== undefined) rules.tell("BOX_NOT_TICKED", said("system", here, 300));
  const done = tasks.ok
    ? await vcs.record({
        path: boxes.path,
        into,
        message,
        rewrite: bytes => boxes.tick(bytes, tasks.value),
      })
    : tasks;
  if (!done.ok) rules.tell("BOXES_NOT_COMMITTED", vcsReason(done.failure));
}

/** Removes the folders of single tasks; what has not landed stays on their branches. */
async function clearTasks(state: WorkspaceState, { phase, tasks }: PhaseEndRequest): Promise<void> {
  const { vcs, rules, own } = state;
  const name = state.nameOf(phase);
  const heldBy = [phaseNames(rules.names, name).branch, rules.target];
  const opened = await state.phases.get(phase.label)?.opened;
  const cleared = new Set<string>();
  for (const task of new Set([...tasks, ...(opened?.ok === true ? opened.value.tasks : [])])) {
    await clearCandidates(state, name, task);
    const names = taskNames(rules.names, name, task);
    if (!own.has(names.branch)) continue;
    tellRescued(rules, await vcs.retire({ ...names, heldBy, deleteBranch: true }), task);
    cleared.add(names.branch);
  }
  // Of tasks that left the plan under another process nothing but the place is known.
  const others = taskPlaces(rules.names, name, own).filter(({ branch }) => !cleared.has(branch));
  for (const names of others) tellRescued(rules, await vcs.retire({ ...names, heldBy, deleteBranch: true }));
}

/** Checks the phase's branch in its folder; says what stands against it. */
async function check(state: WorkspaceState, { phase, verify }: PhaseEndRequest): Promise<Reason | undefined> {
  const { vcs, rules } = state;
  const ended = await vcs.requireEnded(phaseNames(rules.names, state.nameOf(phase)).path);
  if (!ended.ok) return vcsReason(ended.failure);
  const opened = await workspaceOf(state, phase);
  if (!opened.ok) return vcsReason(opened.failure);
  const cleared = await state.clear(opened.value);
  if (!cleared.ok) return vcsReason(cleared.failure);
  const { folder } = opened.value;
  const before = await vcs.snapshot(folder);
  if (!before.ok) return vcsReason(before.failure);
  const problem = (await prepareAgain(state, folder.path)) ?? (await verify(state.cwdIn(folder.path)));
  const tidied = await vcs.restore(folder, before.value.tree);
  return problem ?? (tidied.ok ? undefined : vcsReason(tidied.failure));
}

/** Joins a checked phase into the target, and clears away what nobody needs any more. */
async function merge(state: WorkspaceState, request: PhaseEndRequest): Promise<PhaseEnd> {
  const { vcs, rules } = state;
  const { label, title } = request.phase;
  const name = state.nameOf(request.phase);
  const { branch } = phaseNames(rules.names, name);
  // Of a phase that is taken up again the name is what its branch was made of it.
  const message = `Merge phase ${label}: ${title === "" ? name.feature : title}`.slice(0, 200);
  const inserts = listed(rules);
  const merged = await vcs.merge({ branch, into: rules.target, message, inserts });
  if (!merged.ok) return failed(merged.failure);
  if (merged.value.kind === "conflict") {
    const files = merged.value.files.map(({ path }) => path);
    return refused(because("branch-conflict", { branch, into: rules.target, files: few(files) }));
  }
  await clearPhase(state, request);
  const { commit, joined = [] } = merged.value;
  if (joined.length > 0)
    rules.tell("BRANCH_JOINED", because("branch-joined", { branch, into: rules.target, files: few(joined) }));
  return { kind: "merged", into: rules.target, commit };
}

/** Commits the boxes, then removes the folder of a merged phase, and its branch by policy: while that stands, there is something to tidy. */
async function clearPhase(state: WorkspaceState, request: PhaseEndRequest): Promise<void> {
  const { vcs, rules, own } = state;
  const { phase } = request;
  const names = phaseNames(rules.names, state.nameOf(phase));
  const deleteBranch = rules.branches === "delete";
  await record(state, request);
  const gone = await vcs.retire({ ...names, heldBy: [rules.target], deleteBranch });
  tellRescued(rules, gone);
  state.phases.delete(phase.label);
  if (deleteBranch && gone.ok && gone.value.kept === undefined) own.delete(names.branch);
}

/** Works off the end of a phase. May be repeated: what was done before is found done. */
export async function endPhase(state: WorkspaceState, request: PhaseEndRequest): Promise<PhaseEnd> {
  const { vcs, rules } = state;
  const { phase } = request;
  if (isMain(phase)) {
    await record(state, request);
    return { kind: "nothing" };
  }
  const standing = await vcs.branches(rules.target);
  if (!standing.ok) return failed(standing.failure);
  const { branch } = phaseNames(rules.names, state.nameOf(phase));
  const found = standing.value.find(one => one.branch === branch);
  // A branch that somebody removed while the phase was worked on is put back to what landed there.
  const wasLost = found === undefined && state.phases.delete(phase.label);
  if (found === undefined && !wasLost) return { kind: "nothing" };
  await clearTasks(state, request);
  if (found?.held === true) {
    await clearPhase(state, request);
    return { kind: "nothing" };
  }
  const problem = await check(state, request);
  if (problem !== undefined) return refused(problem);
  if ((request.merge ?? rules.merge) === "auto") return merge(state, request);
  // Whoever is to be asked is asked once the run has ended: nobody sits there at night.
  return { kind: "left", branch, how: `espalier phase merge ${phase.label}` };
}
