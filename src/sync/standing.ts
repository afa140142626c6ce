import { currentVersion, type Lead, type Teammate } from "./state.ts";

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
