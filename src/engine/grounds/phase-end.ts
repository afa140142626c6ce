import type { VcsFailure } from "../../ports/index.ts";
import { isMain, tellRescued, type Yard } from "./grounds.ts";
import { phaseNames, taskNames } from "./names.ts";
import type { PhaseEnd, PhaseEndRequest } from "./types.ts";

const refused = (reason: string): PhaseEnd => ({ kind: "refused", reason });
const failed = ({ message }: VcsFailure): PhaseEnd => refused(message);

/** Commits the boxes that were ticked in the meantime: other phases may have begun, so no phase is named. */
async function record({ vcs, rules }: Yard): Promise<void> {
  const done = await vcs.record(rules.ownFiles, "Tick the boxes of completed tasks");
  if (!done.ok) rules.tell("BOXES_NOT_COMMITTED", done.failure.message);
}

/** Removes the folders of single tasks; what has not landed stays on their branches. */
async function clearTasks(yard: Yard, { phase, tasks }: PhaseEndRequest): Promise<void> {
  const { vcs, rules, own } = yard;
  const name = yard.nameOf(phase);
  const heldBy = [phaseNames(rules.names, name).branch, rules.target];
  for (const task of tasks) {
    const names = taskNames(rules.names, name, task);
    if (!own.has(names.branch)) continue;
    tellRescued(rules, await vcs.retire({ ...names, heldBy, deleteBranch: true }), task);
  }
}

/** Checks the phase's branch in its folder; says what stands against it. */
async function check(yard: Yard, { phase, verify }: PhaseEndRequest): Promise<string | undefined> {
  const { vcs } = yard;
  const opened = await yard.groundOf(phase);
  if (!opened.ok) return opened.failure.message;
  const cleared = await yard.clear(opened.value);
  if (!cleared.ok) return cleared.failure.message;
  const { folder } = opened.value;
  const before = await vcs.snapshot(folder);
  if (!before.ok) return before.failure.message;
  const problem = await verify(yard.cwdIn(folder.path));
  const tidied = await vcs.restore(folder, before.value.tree);
  return problem ?? (tidied.ok ? undefined : tidied.failure.message);
}

/** Joins a checked phase into the target, and clears away what nobody needs any more. */
async function merge(yard: Yard, request: PhaseEndRequest): Promise<PhaseEnd> {
  const { vcs, rules } = yard;
  const { label } = request.phase;
  const name = yard.nameOf(request.phase);
  const { branch } = phaseNames(rules.names, name);
  const message = `Merge phase ${label}: ${name.feature}`.slice(0, 200);
  const merged = await vcs.merge({ branch, into: rules.target, message });
  if (!merged.ok) return failed(merged.failure);
  if (merged.value.kind === "conflict") {
    const files = merged.value.files.map(({ path }) => path);
    const list = files.slice(0, 5).join(", ") + (files.length > 5 ? ` and ${files.length - 5} more` : "");
    return refused(
      `${branch} does not join ${rules.target}: both changed ${list}; merge it by hand, then resume`,
    );
  }
  await clearPhase(yard, request);
  const { commit } = merged.value;
  return { kind: "merged", into: rules.target, commit };
}

/** Removes the folder of a merged phase, and its branch by policy. */
async function clearPhase(yard: Yard, { phase }: PhaseEndRequest): Promise<void> {
  const { vcs, rules, own } = yard;
  const names = phaseNames(rules.names, yard.nameOf(phase));
  const deleteBranch = rules.branches === "delete";
  const gone = await vcs.retire({ ...names, heldBy: [rules.target], deleteBranch });
  tellRescued(rules, gone);
  yard.phases.delete(phase.label);
  if (deleteBranch && gone.ok && gone.value.kept === undefined) own.delete(names.branch);
  await record(yard);
}

/** Works off the end of a phase. May be repeated: what was done before is found done. */
export async function endPhase(yard: Yard, request: PhaseEndRequest): Promise<PhaseEnd> {
  const { vcs, rules } = yard;
  const { phase } = request;
  if (isMain(phase)) {
    await record(yard);
    return { kind: "nothing" };
  }
  const standing = await vcs.branches(rules.target);
  if (!standing.ok) return failed(standing.failure);
  const { branch } = phaseNames(rules.names, yard.nameOf(phase));
  const found = standing.value.find(one => one.branch === branch);
  if (found === undefined) return { kind: "nothing" };
  await clearTasks(yard, request);
  if (found.held) {
    await clearPhase(yard, request);
    return { kind: "nothing" };
  }
  const problem = await check(yard, request);
  if (problem !== undefined) return refused(problem);
  if (rules.merge === "auto") return merge(yard, request);
  // Whoever is to be asked is asked once the run has ended: nobody sits there at night.
  return { kind: "left", branch, how: `espalier phase merge ${phase.label}` };
}
