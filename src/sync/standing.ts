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
