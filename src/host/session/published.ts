import type { ContextReply } from "../../context/shared/index.ts";
import type { SyncEvent } from "../../sync/index.ts";
import type { Published } from "../api/types.ts";

/** A version that is none, for what it is. */
export interface Unpublished {
  readonly kind: "refused";
  readonly reason: Exclude<Extract<SyncEvent, { type: "refused" }>["reason"], "same-section">;
  readonly message: string;
}

/** Reads what the shared context answered to a `publish`. Foreign text. */
export function publishedOf({ events }: Extract<ContextReply, { kind: "done" }>): Published | Unpublished {
  for (const { event } of events) {
    if (event.type === "unchanged") return { kind: "unchanged", version: event.version };
    if (event.type === "published") {
      const { version, mergedFrom, now, later } = event;
      return { kind: "published", version, ...(mergedFrom === undefined ? {} : { mergedFrom }), now, later };
    }
    if (event.type !== "refused") continue;
    const { reason, message, current = 0, clashes } = event;
    if (reason !== "same-section") return { kind: "refused", reason, message };
    const sections = clashes.map(clash => ({
      section: clash.section,
      theirs: clash.current,
      yours: clash.published,
    }));
    return { kind: "clash", current, sections };
  }
  throw new Error("nothing came of what was published");
}
