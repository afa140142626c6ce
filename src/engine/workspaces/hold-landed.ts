import { because, fail, few, ok, type Result, type VcsFailure } from "../../ports/index.ts";
import type { WorkspaceState } from "./state.ts";

/**
 * Has the target hold again what work in the main checkout had brought it to, where it was rewritten since `before`. Fails where what
 * landed cannot be brought back: whatever began now would be made without it.
 */
export async function holdLanded(
  state: Pick<WorkspaceState, "vcs" | "rules" | "home" | "lost">,
  before: string | undefined,
  task: string,
): Promise<Result<void, VcsFailure>> {
  const { vcs, rules } = state;
  const { target } = rules;
  const found =
    before === undefined ? ok(undefined) : ((await vcs.rejoin?.(target, before)) ?? ok(undefined));
  if (!found.ok) return found;
  if (found.value === undefined) return ok(undefined);
  const { tasks, kept } = found.value;
  const where = kept === undefined ? {} : { kept };
  const why = because("landed-lost", { branch: target, tasks: few(tasks), ...where });
  if (kept === undefined || state.lost !== kept) rules.tell("LANDED_LOST", why, task);
  state.lost = kept;
  if (kept === undefined || tasks.length === 0) {
    state.home = undefined;
    return ok(undefined);
  }
  return fail({ kind: "foreign", reason: why });
}

/** Has the target stand again where work in the main checkout had brought it to, where it was deleted since: nothing could be done there. */
export async function holdTarget(
  { vcs, rules, home }: Pick<WorkspaceState, "vcs" | "rules" | "home">,
  task: string,
): Promise<Result<void, VcsFailure>> {
  const { target } = rules;
  const back = home === undefined ? ok(false) : ((await vcs.putBack?.(target, home)) ?? ok(false));
  if (!back.ok) return back;
  if (back.value && home !== undefined)
    rules.tell("LANDED_LOST", because("target-put-back", { branch: target, at: home.slice(0, 10) }), task);
  return ok(undefined);
}
