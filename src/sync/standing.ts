import { currentVersion, type Lead, openVersion, type Teammate } from "./state.ts";

/** Where a teammate stands towards the newest version. */
export type Standing = "ended" | "unanswering" | "new" | "lost" | "stale" | "updating" | "behind" | "current";

/** How a teammate stands; the first that is true, in the order of the type. */
export function standingOf(lead: Lead, mate: Teammate): Standing {
  if (!mate.live) return "ended";
  if (mate.proof === "none") return "unanswering";
  if (mate.stale) return "stale";
  if (mate.context !== "held") return mate.context;
  if (mate.flight !== undefined) return "updating";
  return mate.confirmed!.version === currentVersion(lead)!.number ? "current" : "behind";
}

/** The newest version that waits for a teammate and has not been sent to it; undefined where there is none. */
export function untold(lead: Lead, mate: Teammate): number | undefined {
  if (!mate.live || mate.context !== "held") return undefined;
  const open = openVersion(lead);
  const newest = mate.waiting.findLast(version => version <= open);
  return newest === undefined || mate.sent.some(({ version }) => version >= newest) ? undefined : newest;
}

/** Why a version has not reached a teammate, or is not proved to have. */
export type WaitReason =
  | "paused"
  | "unanswered"
  | "gate"
  | "silent"
  | "begins"
  | "lost"
  | "fetches"
  | "unconcerned";

/** The version that a teammate lacks, and why it does; undefined where it lacks none or is never waited for. */
export function waitOf(lead: Lead, mate: Teammate): { version: number; why: WaitReason } | undefined {
  const version = currentVersion(lead)?.number ?? 0;
  const holds = mate.context === "held" ? mate.confirmed!.version : 0;
  if (!mate.live || mate.proof === "none" || holds >= version) return undefined;
  const isHeldBack = lead.gate !== undefined && (lead.gate.judging || holds >= lead.gate.version);
  if (mate.paused) return { version, why: "paused" };
  if (mate.flight !== undefined) return { version: mate.flight.version, why: "unanswered" };
  if (isHeldBack) return { version, why: "gate" };
  if (mate.tries >= lead.policy.maxSends) return { version, why: "silent" };
  if (mate.context !== "held") return { version, why: mate.context === "new" ? "begins" : "lost" };
  return { version, why: mate.waiting.length === 0 ? "unconcerned" : "fetches" };
}
