import { MOST_TRIES, ok, type Result, type VcsFailure } from "../../ports/index.ts";
import { candidateNames, type Names, type PhaseName, phaseNames } from "./names.ts";
import { openFolder, readiness, workedIn } from "./opening.ts";
import { leaveWorkspace, type PhaseWorkspace, tellLeft, tellRescued, type WorkspaceState } from "./state.ts";
import type { Candidate, Workspace, WorkspaceRequest } from "./types.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/** Takes the place of a candidate away; what stood there is kept and told. Returns where. */
async function discard(
  { vcs, rules, own }: WorkspaceState,
  phase: PhaseName,
  names: Names,
  task: string,
  tells = true,
): Answer<string | undefined> {
  const heldBy = [phaseNames(rules.names, phase).branch, rules.target];
  const opened = await openFolder({ vcs, rules }, { ...names, from: heldBy[0]!, anew: names.branch });
  if (!opened.ok) return opened;
  const { left } = opened.value;
  if (left?.kind === "kept" && tells) tellLeft(rules, left, task);
  const gone = await vcs.retire({ ...names, heldBy, deleteBranch: true });
  tellRescued(rules, gone, task);
  if (!gone.ok) return gone;
  if (gone.value.kept === undefined) own.delete(names.branch);
  return ok(left?.kind === "kept" ? left.ref : undefined);
}

/** Takes away what candidates of a task have left: whose process died, or whose place was never ready. */
export async function clearCandidates(state: WorkspaceState, phase: PhaseName, task: string): Promise<void> {
  for (let number = 2; number <= MOST_TRIES; number++) {
    const names = candidateNames(state.rules.names, phase, task, number);
    if (state.own.has(names.branch)) await discard(state, phase, names, task);
  }
}

/** The folder of one more agent that works on a task: it begins where the task's own place does, and nothing lands from it. */
export async function candidateWorkspace(
  state: WorkspaceState,
  phase: PhaseWorkspace,
  request: WorkspaceRequest,
  { number, from }: Candidate,
): Answer<Workspace> {
  const { rules, own } = state;
  const { task, stop } = request;
  const names = candidateNames(rules.names, phase.name, task, number);
  if (own.has(names.branch)) {
    const cleared = await discard(state, phase.name, names, task);
    if (!cleared.ok) return cleared;
  }
  // What a crash leaves of it is found by its branch.
  own.add(names.branch);
  const opened = await openFolder(state, { ...names, from, ...readiness(state, stop) });
  if (!opened.ok) return opened;
  const folder = opened.value;
  return ok({
    ...workedIn(state, folder, request),
    landed: state.cwdIn(phase.folder.path),
    land: async () => ok({ kind: "stopped" }),
    setAside: async () => ok(undefined),
    leave: () => leaveWorkspace(state, task),
    discard: tells => discard(state, phase.name, names, task, tells),
  });
}
