import { because, type Reason } from "../../ports/reason.ts";
import { fail, ok, type Result } from "../../ports/result.ts";
import type { StoreFailure } from "../../ports/store-failure.ts";
import { fileStamp, freeName } from "./aside.ts";
import {
  disbelieve,
  disputes,
  hasReached,
  headOf,
  isOnlyMixed,
  isUndisputed,
  sealAll,
  sealedBy,
} from "./believe.ts";
import { reserve } from "./create.ts";
import { openDatabase, storeFailure } from "./database.ts";
import { hasSeals, isOutdated, migrate } from "./schema.ts";
import type { Sealing } from "./seal.ts";

/** Why a sound state is not believed without a person's word. */
export type Unbelieved =
  /** Nobody sealed it, or somebody with another key: an older version, another home, or whoever put it there. */
  | { readonly kind: "unsealed"; readonly isOfAnother: boolean }
  /** It is older than what was acknowledged last. */
  | { readonly kind: "set-back"; readonly event: number }
  /** Every row is one of ours, but they are not those that were written last. */
  | { readonly kind: "mixed" };

/** What became of a state. */
interface Settled {
  readonly report: readonly Reason[];
  /** It holds no run, although the project is known to have had one. */
  readonly isLost: boolean;
}

interface SettleOptions {
  readonly now: number;
  readonly trust: boolean;
  /** It was made just now. */
  readonly isNew: boolean;
  /** It took the place of one that was damaged or had come less far. */
  readonly isRestored: boolean;
}

/** Whether a state says that somebody sealed it; throws what SQLite throws. */
export function isSealed(path: string): boolean {
  const database = openDatabase(path, "write");
  try {
    return hasSeals(database) && sealedBy(database).id !== undefined;
  } finally {
    database.close();
  }
}

/**
 * Makes sure that the state holds nothing but what this program wrote: rows of others are taken back, after a copy of them
 * was kept.
 */
export function settle(
  path: string,
  { seal, head, remember }: Sealing,
  { now, trust, isNew, isRestored }: SettleOptions,
): Result<Settled, StoreFailure | Unbelieved> {
  const database = openDatabase(path, "write");
  const report: Reason[] = [];
  try {
    // Rows of an earlier schema are compared with their seals before they are brought to this one.
    if (!hasSeals(database)) migrate(database);
    const wasOutdated = isOutdated(database);
    const { id, isEmpty } = sealedBy(database);
    const isOurs = id === seal.id;
    if (!isOurs && !isEmpty && !trust) return fail({ kind: "unsealed", isOfAnother: id !== undefined });
    const isKnown = head !== undefined && head.run !== "";
    const isLost = isEmpty && isKnown;
    const isBehind = isOurs && !isNew && !isLost && isKnown && !hasReached(database, head);
    if (isBehind && !trust && !isRestored) return fail({ kind: "set-back", event: head.seq });
    if (isBehind) report.push(because("state-event-gone", { run: head.run, event: head.seq }));
    const found = isOurs && !trust ? disputes(database, seal, isNew ? undefined : head) : undefined;
    if (found !== undefined && isOnlyMixed(found)) return fail({ kind: "mixed" });
    const isDisputed = found !== undefined && !isUndisputed(found);
    const kept = isDisputed ? freeName(`${path}.corrupt-${fileStamp(now)}`) : "";
    if (isDisputed) {
      reserve(kept);
      database.prepare("VACUUM INTO ?").run(kept);
    }
    migrate(database, () => {
      if (isDisputed) report.push(...disbelieve(database, found, now), because("state-copy-kept", { kept }));
      const isWhole = !wasOutdated && headOf(database)?.whole !== false;
      if (isDisputed || !isOurs || trust || !isWhole) sealAll(database, seal);
    });
    // What was lost is remembered until another run stands in its place, or a person says that it does not matter.
    const isNews = isDisputed || !isOurs || isBehind || isNew;
    if (isNews && (trust || !isLost)) remember(headOf(database) ?? { run: "", seq: 0, seal: "" });
    return ok({ report, isLost });
  } catch (error) {
    return fail(storeFailure(error));
  } finally {
    database.close();
  }
}
