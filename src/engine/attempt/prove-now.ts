import type { EngineOptions, HeardWorld } from "../world.ts";
import type { AlreadyProved } from "./prepare.ts";
import { prove } from "./proof.ts";
import { isClaimed, keptWork, stillToProve } from "./proved.ts";
import type { Told } from "./review.ts";
import type { AttemptRequest, Place, StopSignals } from "./types.ts";
import { judgeProof } from "./verdict.ts";

/** Proves work that an earlier attempt had only claimed; what was proved then is so still. */
export async function proveNow(
  request: AttemptRequest,
  { place, proved }: Pick<AlreadyProved, "place" | "proved">,
  world: HeardWorld,
  options: EngineOptions,
  stop: StopSignals,
): Promise<Told> {
  const { proved: before } = request;
  if (before === undefined || !isClaimed(before)) return proved;
  const { commit, evidence, finalMessage, reason } = before;
  // It may be ended once more.
  const kept = { evidence, finalMessage, reason, ...(commit === undefined ? {} : { commit }) };
  place.isClaimKept = await request.secure(kept);
  const asBefore: Place = evidence === "" ? place : { ...place, red: { evidence, report: undefined } };
  const proof = await prove(request, asBefore, world, options, stop);
  if (asBefore.sealed !== undefined) place.sealed = asBefore.sealed;
  const stale = keptWork(before)?.stale;
  const judged = { ...judgeProof(request, proof, stop), ...(stale === undefined ? {} : { stale }) };
  return { ...stillToProve(request, place, judged), finalMessage };
}
