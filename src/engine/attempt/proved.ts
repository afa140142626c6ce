import type { AttemptRow } from "../../ports/index.ts";
import type { AttemptRequest, Place } from "./types.ts";
import { tail, type Verdict, verdict } from "./verdict.ts";

/** What a row keeps of proved work before it lands: a process that dies then leaves it to be landed, not done again. */
export async function keepProved(
  { task, row }: Pick<AttemptRequest, "task" | "row">,
  { workspace, sealed }: Place,
  { outcome, evidence }: Verdict,
): Promise<Pick<AttemptRow, "evidence"> & Partial<Pick<AttemptRow, "commit">>> {
  const kept = { evidence: tail(evidence) };
  if (workspace === undefined || sealed === undefined || outcome.kind !== "done") return kept;
  const by = { task: task.id, title: task.title, attempt: row.token, verified: outcome.verified };
  const made = await workspace.keepProved(sealed.tree, by);
  // Without it the work is done once more after a crash.
  return made.ok ? { ...kept, commit: made.value } : kept;
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
  return { ...verdict(outcome, "done", { evidence }), finalMessage };
}
