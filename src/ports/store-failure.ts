import type { NotOwn } from "./refusal.ts";
import type { StateDamage } from "./state-news.ts";

export type StoreFailure =
  /** Another writer took over; this one must stop at once. */
  | { readonly kind: "fenced"; readonly epoch: number; readonly stored: number }
  /** The disk is full or a quota is reached; the previous state is intact. */
  | { readonly kind: "full"; readonly message: string }
  | { readonly kind: "read-only"; readonly message: string }
  /** A link, or what is another's, stands under a name of the store's; it was not touched. */
  | { readonly kind: "not-owned"; readonly message: string; readonly what?: NotOwn }
  /** Made by a newer version of this program. */
  | { readonly kind: "newer"; readonly found: number; readonly supported: number }
  /** Unreadable; `movedTo` names where the damaged files were kept, if they were moved, and `how` is what we know more than SQLite. */
  | {
      readonly kind: "damaged";
      readonly message: string;
      readonly movedTo?: string;
      readonly how?: StateDamage;
    }
  /** Its folder is not the one that it was opened in any more. */
  | { readonly kind: "gone" }
  | { readonly kind: "io"; readonly message: string };
