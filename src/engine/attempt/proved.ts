import type { Task } from "../../plan/index.ts";
import { type AttemptRow, because, type Reason } from "../../ports/index.ts";
import { textHash } from "../../text/index.ts";
import type { AttemptRequest, Place } from "./types.ts";
import { tail, type Verdict, verdict } from "./verdict.ts";

/** What the agent that did the work held of documents that have changed: that is said of it whenever it lands. */
type Stale = Pick<Verdict, "stale">;
type Kept = Pick<AttemptRow, "evidence"> & Partial<Pick<AttemptRow, "reason" | "commit">>;

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
  // Without it the work is done or proved once more after a crash, as the row says by now.
  return made.ok ? { ...kept, commit: made.value } : { evidence: kept.evidence };
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

/** Why claimed work has not been proved, as the row keeps it beside the commit of that work. */
function whyNotProved(task: Task, { stale }: Stale, why?: Reason): Reason {
  const known = { ...(why === undefined ? {} : { why }), ...(stale === undefined ? {} : { stale }) };
  return because("not-proved", { asked: askedOf(task), ...known });
}

type Ended = Pick<AttemptRow, "outcome" | "commit" | "reason">;

/** Why work that its row keeps has not come home, and what its task asked for; undefined for any other row. */
export function keptWork({ outcome, commit, reason }: Ended):
  | (Stale & {
      readonly code: "unreviewed" | "not-landed" | "not-proved";
      readonly why: Reason | undefined;
      readonly asked: string;
    })
  | undefined {
  if (outcome === "done" || commit === undefined) return undefined;
  if (reason?.code !== "unreviewed" && reason?.code !== "not-landed" && reason?.code !== "not-proved")
    return undefined;
  const { why, asked, stale } = reason.args;
  if (asked === undefined) return undefined;
  return { code: reason.code, why, asked, ...(stale === undefined ? {} : { stale }) };
}

/** Whether a row keeps work that is still to be proved. */
export function isClaimed(row: Ended | undefined): boolean {
  return row !== undefined && keptWork(row)?.code === "not-proved";
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
  const known = isThere && !isClaimed(proved) ? proved?.commit : undefined;
  const commit = known ?? (await keepProved(request, place, told)).commit;
  if (commit === undefined) return true;
  // Until something else is known of it.
  const reason = whyUnreviewed(task, by, because("process-died", {}), told);
  const { evidence, finalMessage } = told;
  return request.secure({ evidence: tail(evidence), commit, finalMessage, reason });
}

/**
 * Notes claimed work before it is proved: where its proof is ended, or the process dies over it, only that is done again. What a
 * command made is made again by it, and so is a document, and what several tried.
 */
export async function keepClaimed(
  request: AttemptRequest,
  place: Place,
  told: Stale & { readonly finalMessage: string },
): Promise<void> {
  const { task, row, agent, candidate, others } = request;
  const { workspace, sealed, red } = place;
  const isTried = candidate !== undefined || others.length > 0;
  const isRepeated = agent.reports === "exit" || task.fills !== undefined;
  if (isTried || isRepeated || workspace === undefined || sealed === undefined) return;
  const by = { task: task.id, title: task.title, attempt: row.token, verified: false };
  const made = await workspace.keepProved(sealed.tree, by);
  if (!made.ok) return;
  const evidence = tail(red?.evidence ?? "");
  place.isClaimKept = await request.secure({
    commit: made.value,
    finalMessage: told.finalMessage,
    evidence,
    reason: whyNotProved(task, told),
  });
}

/** What ends an attempt without a word on its work: its proof was ended, could not begin, or waits for a person. */
const UNPROVED: ReadonlySet<string> = new Set(["cancelled", "stalled", "needs-person"]);

/** A verdict on claimed work whose proof says nothing of it: the work is kept, and only that is done again. */
export function stillToProve({ task }: AttemptRequest, { isClaimKept }: Place, judged: Verdict): Verdict {
  if (isClaimKept !== true || !UNPROVED.has(judged.outcome.kind)) return judged;
  return { ...judged, reason: whyNotProved(task, judged, judged.reason) };
}

/** The verdict on work that an earlier attempt had proved, where it stands in this one's place; it is sealed then. */
export function provedBefore(
  { proved, textHash }: Pick<AttemptRequest, "proved" | "textHash">,
  place: Place,
): (Verdict & { readonly finalMessage: string }) | undefined {
  const found = place.workspace?.proved;
  if (found === undefined || proved === undefined) return undefined;
  place.sealed = found.snapshot;
  const { evidence, finalMessage, reason } = proved;
  const isApproved = reason?.code === "not-landed" && reason.args.approved === true;
  const outcome = { kind: "done", verified: found.verified || isApproved, textHash } as const;
  const stale = keptWork(proved)?.stale;
  const told = { ...verdict(outcome, "done", { evidence }), finalMessage };
  return stale === undefined ? told : { ...told, stale };
}
