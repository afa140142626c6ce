import type { LeadStep } from "../../sync/index.ts";

/** What a gate waits for: the documents that somebody still has to catch up with. */
export interface GateWait {
  /** Who has to catch up, as the freeze found them. */
  readonly waitsFor: ReadonlySet<string>;
  /** Who had not caught up when its time was over. */
  readonly behind: ReadonlySet<string>;
  /** Takes in the freeze of a document as soon as it is decided. */
  begin(label: string, step: LeadStep): void;
  /** Whether it still waits for a document. */
  isOpen(label: string): boolean;
  /** Takes in what happened at a document, once it is durable. */
  hear(label: string, step: LeadStep): void;
  /** Resolves when no document is waited for any more, or when `hurry` says so. */
  over(hurry: AbortSignal | undefined): Promise<void>;
}

/** A gate's wait that has not begun with any document. */
export function createGateWait(): GateWait {
  const open = new Set<string>();
  const waitsFor = new Set<string>();
  const behind = new Set<string>();
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    waitsFor,
    behind,
    begin(label, { events }) {
      for (const event of events) {
        if (event.type !== "frozen") continue;
        open.add(label);
        for (const name of event.waitsFor) waitsFor.add(name);
      }
    },
    isOpen: label => open.has(label),
    hear(label, { events }) {
      for (const event of events) {
        if (event.type === "gate-ready") for (const name of event.stale) behind.add(name);
        if (event.type === "gate-ready" || event.type === "unfrozen") open.delete(label);
      }
      if (open.size === 0) resolve();
    },
    async over(hurry) {
      if (open.size === 0 || hurry?.aborted === true) return;
      hurry?.addEventListener("abort", () => resolve(), { once: true });
      await promise;
    },
  };
}
