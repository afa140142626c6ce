import { memoryPlace, openMemoryStore } from "../../../src/adapters/store/index.ts";
import {
  createSharedContext,
  immediateLedger,
  type SharedContext,
} from "../../../src/context/shared/index.ts";
import type { Change, StoreFailure } from "../../../src/ports/index.ts";
import {
  type Ack,
  createCodec,
  DEFAULT_SYNC_POLICY,
  type LeadStep,
  type SyncEvent,
  type SyncPolicy,
  writeAck,
} from "../../../src/sync/index.ts";
import { countTokens } from "../../../src/tokens/index.ts";

/** Sections long enough that a small change is sent as a delta. */
export const PAGE: string = [
  "# Bakery site",
  "",
  "One page for the shop, one for orders. The team shares this document and nothing else.",
  "",
  "## Status",
  "",
  "- Phase 1: COMPLETE",
  "- Phase 2: IN_PROGRESS",
  "",
  "## Decisions",
  "",
  "- **D-1:** Prices are integers in cents, because rounding loses money in long bills",
  "- **D-2:** Orders are kept in one table with one row per line of the order",
  "- **D-3:** Mails go out through a queue that survives a restart of the machine",
  "",
  "## Blockers",
  "",
  "The test shop has no certificate yet; the order form cannot be tried from a phone.",
  "",
].join("\n");

/** The page with its status as of another phase. */
export function phase(number: number): string {
  return PAGE.replace("Phase 2: IN_PROGRESS", `Phase 2: STEP ${number}`);
}

/** A shared context over a store in memory that can be left and opened again, like a process that dies. */
export interface Lab {
  shared: SharedContext;
  now: number;
  readonly commits: Change[];
  /** What the next commits are answered with, instead of being carried out. */
  refuse: StoreFailure | undefined;
  restart(policy?: Partial<SyncPolicy>): void;
  text(hash: string): string | undefined;
}

export function lab(policy: Partial<SyncPolicy> = {}): Lab {
  const place = memoryPlace();
  const open = (given: Partial<SyncPolicy>): SharedContext => {
    const store = openMemoryStore({
      place,
      refuse: change => {
        if (made.refuse === undefined) made.commits.push(change);
        return made.refuse;
      },
    });
    const epoch = store.claimEpoch();
    if (!epoch.ok) throw new Error("no epoch");
    return createSharedContext({
      rows: store.context,
      ledger: immediateLedger(
        context => {
          const done = store.commit({ epoch: epoch.value, runId: "", context });
          if (!done.ok) throw new Error(`store: ${done.failure.kind}`);
        },
        () => made.now,
      ),
      policy: { ...DEFAULT_SYNC_POLICY, ...given },
      codec: createCodec(countTokens),
    });
  };
  const made: Lab = {
    shared: undefined as unknown as SharedContext,
    now: 1_000_000,
    commits: [],
    refuse: undefined,
    restart: (given = policy) => {
      made.shared = open(given);
    },
    text: hash => place.context.texts.get(hash),
  };
  made.restart();
  return made;
}

/** The value of a success. */
export function must<T>(result: { readonly ok: boolean }): T {
  if (!result.ok) throw new Error(JSON.stringify(result));
  return (result as unknown as { readonly value: T }).value;
}

/** What a step told, by type. */
export function told<Type extends SyncEvent["type"]>(
  step: LeadStep,
  type: Type,
): Extract<SyncEvent, { type: Type }>[] {
  return step.events.filter(event => event.type === type) as Extract<SyncEvent, { type: Type }>[];
}

/** An acknowledgement as a reader writes it. */
export function ackLine(version: number, items = "1/1", more: Partial<Ack> = {}): string {
  const [applied = 0, total = 0] = items.split("/").map(Number);
  return writeAck({
    label: "GC",
    version,
    items: { applied, total },
    impact: "NONE",
    action: "CONTINUE",
    unclear: [],
    ...more,
  });
}
