import type { Task } from "../../plan/index.ts";
import { type AttemptRow, because, type Reason } from "../../ports/index.ts";
import { textHash } from "../../text/index.ts";
import type { AttemptRequest, Place } from "./types.ts";
import { tail, type Verdict, verdict } from "./verdict.ts";

/** What the agent that did the work held of documents that have changed: that is said of it whenever it lands. */
type Stale = Pick<Verdict, "stale">;
type Kept = Pick<AttemptRow, "evidence" | "reason"> & Partial<Pick<AttemptRow, "commit">>;

/** What a row keeps of proved work before it lands: a process that dies then leaves it to be landed, not done again. */
export async function keepProved(
  { task, row }: Pick<AttemptRequest, "task" | "row">,
  { workspace, sealed }: Place,
  { outcome, evidence }: Verdict,
): Promise<Kept> {
  const kept = { evidence: tail(evidence), reason: undefined };
  if (workspace === undefined || sealed === undefined || outcome.kind !== "done") return kept;
  const by = { task: task.id, title: task.title, attempt: row.token, verified: outcome.verified };
  const made = await workspace.keepProved(sealed.tree, by);
  // Without it the work is done once more after a crash.
  return made.ok ? { ...kept, commit: made.value } : kept;
}

/** Names what a task is proved for: where that is another, its work is to be done again. */
function askedOf({ text, verify, test, expects }: Task): string {
  return textHash(JSON.stringify([text, verify, test, expects]));
}

/** Why proved work has not been reviewed, as the row keeps it beside the commit of that work. */
export function whyUnreviewed(task: Task, by: string, why: Reason, { stale }: Stale): Reason {
  return because("unreviewed", { by, why, asked: askedOf(task), ...(stale === undefined ? {} : { stale }) });
}

/** Why proved work that still may has not landed, as the row keeps it beside the commit of that work. */
export function whyNotLanded(task: Task, { stale }: Stale, why?: Reason): Reason {
  // A document lies where the next attempt looks not.
  const asked = task.fills === undefined ? { asked: askedOf(task) } : {};
  const known = { ...(why === undefined ? {} : { why }), ...(stale === undefined ? {} : { stale }) };
  return because("not-landed", { ...asked, ...known });
}

type Ended = Pick<AttemptRow, "outcome" | "commit" | "reason">;

/** Why proved work that its row keeps has not come home, and what its task asked for; undefined for any other row. */
export function keptWork({ outcome, commit, reason }: Ended):
  | (Stale & {
      readonly code: "unreviewed" | "not-landed";
      readonly why: Reason | undefined;
      readonly asked: string;
    })
  | undefined {
  if (outcome === "done" || commit === undefined) return undefined;
  if (reason?.code !== "unreviewed" && reason?.code !== "not-landed") return undefined;
  const { why, asked, stale } = reason.args;
  if (asked === undefined) return undefined;
  return { code: reason.code, why, asked, ...(stale === undefined ? {} : { stale }) };
}

/** Why work that was proved has not been reviewed; undefined for any other row. */
export function awaitedReview(row: Ended): Reason | undefined {
  const kept = keptWork(row);
  return kept?.code === "unreviewed" ? kept.why : undefined;
}

/** Whether the work that a row keeps is still what its task asks for. */
export function isStillAsked(row: AttemptRow, task: Task): boolean {
  const kept = keptWork(row);
  return kept === undefined || kept.asked === askedOf(task);
}

/**
 * Notes proved work before it is reviewed: whatever comes of that, it is not done again for want of a verdict. False when the engine has left.
 */
export async function keepForReview(
  request: AttemptRequest,
  place: Place,
  told: Verdict & { readonly finalMessage: string },
  by: string,
): Promise<boolean> {
  const { task, proved } = request;
  const { workspace, sealed } = place;
  const isThere = sealed !== undefined && workspace?.proved?.snapshot.tree === sealed.tree;
  const known = isThere ? proved?.commit : undefined;
  const commit = known ?? (await keepProved(request, place, told)).commit;
  if (commit === undefined) return true;
  // Until something else is known of it.
  const reason = whyUnreviewed(task, by, because("process-died", {}), told);
  const { evidence, finalMessage } = told;
  return request.secure({ evidence: tail(evidence), commit, finalMessage, reason });
}

/** The verdict on work that an earlier attempt had proved, where it stands in this one's place; it is sealed then. */
export function provedBefore(
  { proved, textHash }: Pick<AttemptRequest, "proved" | "textHash">,
  place: Place,
): (Verdict & { readonly finalMessage: string }) | undefined {
  const found = place.workspace?.proved;
  if (found === undefined || proved === undefined) return undefined;
  place.sealed = found.snapshot;
  const outcome = { kind: "done", verified: found.verified, textHash } as const;
  const { evidence, finalMessage } = proved;
  const stale = keptWork(proved)?.stale;
  const told = { ...verdict(outcome, "done", { evidence }), finalMessage };
  return stale === undefined ? told : { ...told, stale };
}
