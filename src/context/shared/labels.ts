import { type ContextRows, fail, ok, type Result, type StoreFailure } from "../../ports/index.ts";
import { createLead, type SyncPolicy } from "../../sync/index.ts";
import { emptyLabel, type LabelState, restoreLabel, versionsToKeep } from "./label-state.ts";
import { byLabel, type LabelRows } from "./rows.ts";

/** Why the shared context could not do what it was asked. */
export type ContextFailure =
  /** The name cannot stand in messages. */
  | { readonly kind: "label"; readonly message: string }
  /** No document of that name was published, and nobody joined it. */
  | { readonly kind: "unknown"; readonly label: string }
  | { readonly kind: "store"; readonly failure: StoreFailure }
  /** The process is leaving: nothing was done. */
  | { readonly kind: "closed" };

/** All labels, each restored from the store when it is first asked for. */
export interface Labels {
  /** A label's label; undefined where there is none. */
  find(label: string): Result<LabelState | undefined, ContextFailure>;
  /** The same, made where there is none. */
  open(label: string): Result<LabelState, ContextFailure>;
  /** Every label, restored or not, in the order in which they came. */
  labels(): Result<readonly string[], ContextFailure>;
  /** The labels that were asked for, by label; grows, and never shrinks. */
  readonly restored: ReadonlyMap<string, LabelState>;
  /** Restores the labels that have a record for which this holds. */
  restoreWhere(isMeant: (record: string) => boolean): void;
  /** Notes where a text is used. */
  own(label: string, hash: string): void;
  /** Whether another label still needs a text. */
  isSharedElsewhere(hash: string, label: string): boolean;
}

/** The labels over a store's context; the rows are read when they are first needed. */
export function createLabels(rows: ContextRows, policy: SyncPolicy): Labels {
  const states = new Map<string, LabelState>();
  /** Labels by the addresses of their versions' texts: equal texts are kept once. */
  const owners = new Map<string, Set<string>>();
  let stored: ReadonlyMap<string, LabelRows> | undefined;

  const own = (label: string, hash: string): void => {
    const labels = owners.get(hash);
    if (labels === undefined) owners.set(hash, new Set([label]));
    else labels.add(label);
  };

  const load = (): Result<ReadonlyMap<string, LabelRows>, ContextFailure> => {
    if (stored !== undefined) return ok(stored);
    const loaded = rows.load();
    if (!loaded.ok) return fail({ kind: "store", failure: loaded.failure });
    stored = byLabel(loaded.value);
    for (const { label, hash } of loaded.value.versions) own(label, hash);
    return ok(stored);
  };

  const find = (label: string): Result<LabelState | undefined, ContextFailure> => {
    const known = states.get(label);
    if (known !== undefined) return ok(known);
    const loaded = load();
    if (!loaded.ok) return loaded;
    const found = loaded.value.get(label);
    if (found === undefined) return ok(undefined);
    const state = restoreLabel(found, rows, policy);
    states.set(label, state);
    return ok(state);
  };

  return {
    find,
    own,
    open(label) {
      const found = find(label);
      if (!found.ok || found.value !== undefined) return found as Result<LabelState, ContextFailure>;
      const lead = createLead(label, policy);
      if (lead === undefined) {
        const message =
          "a label has 1 to 64 letters, digits, _, . and -, and begins with one of the first three";
        return fail({ kind: "label", message });
      }
      const state = emptyLabel(lead);
      states.set(label, state);
      return ok(state);
    },
    labels() {
      const loaded = load();
      if (!loaded.ok) return loaded;
      return ok([...new Set([...loaded.value.keys(), ...states.keys()])]);
    },
    restored: states,
    restoreWhere(isMeant) {
      const loaded = load();
      if (!loaded.ok) return;
      for (const [label, { teammates }] of loaded.value)
        if (!states.has(label) && teammates.some(({ record }) => isMeant(record))) find(label);
    },
    isSharedElsewhere(hash, label) {
      for (const other of owners.get(hash) ?? []) {
        if (other === label) continue;
        const state = find(other);
        // What cannot be looked at is not thrown away.
        if (!state.ok || state.value === undefined) return true;
        for (const version of versionsToKeep(state.value))
          if (state.value.hashes.get(version) === hash) return true;
      }
      return false;
    },
  };
}
