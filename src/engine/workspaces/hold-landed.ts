import {
  because,
  type FolderRequest,
  fail,
  few,
  ok,
  type Result,
  type VcsFailure,
} from "../../ports/index.ts";
import { openAsLeft } from "./opening.ts";
import type { WorkspaceState } from "./state.ts";
import type { WorkspaceRequest } from "./types.ts";

/**
 * Has the target hold again what work in the main checkout had brought it to, where it was rewritten since `before`; whether it was.
 * Fails where what landed cannot be brought back: whatever began now would be made without it. Where another process saw it last a
 * person may have rewritten what was their own: `onlyLanded`.
 */
export async function holdLanded(
  state: Pick<WorkspaceState, "vcs" | "rules" | "home" | "lost">,
  before: string | undefined,
  task: string,
  onlyLanded = false,
): Promise<Result<boolean, VcsFailure>> {
  const { vcs, rules } = state;
  const { target, names } = rules;
  const found =
    before === undefined
      ? ok(undefined)
      : ((await vcs.rejoin?.(target, before, onlyLanded)) ?? ok(undefined));
  if (!found.ok) return found;
  if (found.value === undefined) return ok(false);
  const { tasks, kept } = found.value;
  const where = kept === undefined ? {} : { kept };
  if (kept === undefined || state.lost !== kept)
    rules.tell("LANDED_LOST", because("landed-lost", { branch: target, tasks: few(tasks), ...where }), task);
  state.lost = kept;
  if (kept === undefined || tasks.length === 0) {
    state.home = undefined;
    return ok(kept === undefined);
  }
  const back = `"git merge ${kept}" in ${names.top} brings it back, then go on`;
  const message = `${target} does not hold what ${few(tasks).names.join(", ")} landed any more; ${back}`;
  return fail({ kind: "foreign", message });
}

/** Opens the main checkout on a target that holds all that has landed there. */
export async function openHeld(
  state: WorkspaceState,
  where: FolderRequest,
  request: WorkspaceRequest,
  keepAs: string,
): ReturnType<typeof openAsLeft> {
  const { vcs, home } = state;
  if (home !== undefined) {
    const held = await holdLanded(state, home, request.task);
    return held.ok ? openAsLeft(state, where, request, keepAs) : held;
  }
  // A process before this one may have died while an attempt rewrote the target. What is left of that is taken out first.
  const begun = (await vcs.begunOn?.()) ?? ok(undefined);
  if (!begun.ok) return begun;
  const opened = await openAsLeft(state, where, request, keepAs);
  if (!opened.ok) return opened;
  const held = await holdLanded(state, begun.value, request.task, true);
  if (!held.ok || !held.value) return held.ok ? opened : held;
  const again = await openAsLeft(state, where, request, keepAs);
  const { left } = opened.value;
  return again.ok && left !== undefined ? ok({ ...again.value, left }) : again;
}
