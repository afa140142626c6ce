import { type ContextRows, fail, ok, type Result, type StoreFailure } from "../../ports/index.ts";
import { createLead, type SyncPolicy } from "../../sync/index.ts";
import { byLabel, type LabelRows } from "./rows.ts";
import { emptyShelf, restoreShelf, type Shelf, versionsToKeep } from "./shelf.ts";

/** Why the desk could not do what it was asked. */
export type DeskFailure =
  /** The name cannot stand in messages. */
  | { readonly kind: "label"; readonly message: string }
  /** No document of that name was published, and nobody joined it. */
  | { readonly kind: "unknown"; readonly label: string }
  | { readonly kind: "store"; readonly failure: StoreFailure }
  /** The process is leaving: nothing was done. */
  | { readonly kind: "closed" };

/** All labels, each restored from the store when it is first asked for. */
export interface Stock {
  /** A label's shelf; undefined where there is none. */
  find(label: string): Result<Shelf | undefined, DeskFailure>;
  /** The same, made where there is none. */
  open(label: string): Result<Shelf, DeskFailure>;
  /** Every label, restored or not, in the order in which they came. */
  labels(): Result<readonly string[], DeskFailure>;
  /** The shelves that were asked for, by label; grows, and never shrinks. */
  readonly restored: ReadonlyMap<string, Shelf>;
  /** Restores the labels that have a record for which this holds. */
  restoreWhere(isMeant: (record: string) => boolean): void;
  /** Notes where a text is used. */
  own(label: string, hash: string): void;
  /** Whether another label still needs a text. */
  isSharedElsewhere(hash: string, label: string): boolean;
}

/** The stock over a store's context; the rows are read when they are first needed. */
export function createStock(rows: ContextRows, policy: SyncPolicy): Stock {
  const shelves = new Map<string, Shelf>();
  /** Labels by the addresses of their versions' texts: equal texts are kept once. */
  const owners = new Map<string, Set<string>>();
  let stored: ReadonlyMap<string, LabelRows> | undefined;

  const own = (label: string, hash: string): void => {
    const labels = owners.get(hash);
    if (labels === undefined) owners.set(hash, new Set([label]));
    else labels.add(label);
  };

  const load = (): Result<ReadonlyMap<string, LabelRows>, DeskFailure> => {
    if (stored !== undefined) return ok(stored);
    const loaded = rows.load();
    if (!loaded.ok) return fail({ kind: "store", failure: loaded.failure });
    stored = byLabel(loaded.value);
    for (const { label, hash } of loaded.value.versions) own(label, hash);
    return ok(stored);
  };

  const find = (label: string): Result<Shelf | undefined, DeskFailure> => {
    const known = shelves.get(label);
    if (known !== undefined) return ok(known);
    const loaded = load();
    if (!loaded.ok) return loaded;
    const found = loaded.value.get(label);
    if (found === undefined) return ok(undefined);
    const shelf = restoreShelf(found, rows, policy);
    shelves.set(label, shelf);
    return ok(shelf);
  };

  return {
    find,
    own,
    open(label) {
      const found = find(label);
      if (!found.ok || found.value !== undefined) return found as Result<Shelf, DeskFailure>;
      const lead = createLead(label, policy);
      if (lead === undefined) {
        const message =
          "a label has 1 to 64 letters, digits, _, . and -, and begins with one of the first three";
        return fail({ kind: "label", message });
      }
      const shelf = emptyShelf(lead);
      shelves.set(label, shelf);
      return ok(shelf);
    },
    labels() {
      const loaded = load();
      if (!loaded.ok) return loaded;
      return ok([...new Set([...loaded.value.keys(), ...shelves.keys()])]);
    },
    restored: shelves,
    restoreWhere(isMeant) {
      const loaded = load();
      if (!loaded.ok) return;
      for (const [label, { teammates }] of loaded.value)
        if (!shelves.has(label) && teammates.some(({ record }) => isMeant(record))) find(label);
    },
    isSharedElsewhere(hash, label) {
      for (const other of owners.get(hash) ?? []) {
        if (other === label) continue;
        const shelf = find(other);
        // What cannot be looked at is not thrown away.
        if (!shelf.ok || shelf.value === undefined) return true;
        for (const version of versionsToKeep(shelf.value))
          if (shelf.value.hashes.get(version) === hash) return true;
      }
      return false;
    },
  };
}
