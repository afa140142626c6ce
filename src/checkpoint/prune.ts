import type { History } from "./history.ts";
import { deltaName } from "./names.ts";

/** What goes: old deltas, whose targets stand as full states; or old full states, which deltas lead to. */
export type PruneKind = "deltas" | "states";

/** What a pruning would remove. */
export interface PrunePlan {
  /** Files, relative to the folder. */
  readonly files: readonly string[];
  /** Ids whose full state goes; each must be rebuilt and found exact before anything is removed. */
  readonly states: readonly string[];
  readonly bytes: number;
}

/**
 * Plans a pruning that leaves the newest `keep` checkpoints as they are. Of older ones, `deltas` drops each delta whose
 * target stands as a full state (it is merged there), unless a full state that is gone depends on it; `states` drops each
 * full state that an older one and kept deltas lead to exactly. Before any kept delta a full state always remains.
 */
export function planPrune(history: History, keep: number, kind: PruneKind): PrunePlan {
  const recent = new Set(history.order.slice(Math.max(0, history.order.length - keep)));
  if (history.current !== undefined) recent.add(history.current);
  return kind === "deltas" ? dropDeltas(history, recent) : dropStates(history, recent);
}

function dropDeltas(history: History, recent: ReadonlySet<string>): PrunePlan {
  // A checkpoint that lives on in deltas alone needs the whole way from the full state before it.
  const needed = new Set<string>();
  for (const id of history.order) {
    if (history.states.has(id)) continue;
    let at: string | undefined = id;
    while (at !== undefined && !history.states.has(at)) {
      const parent: string | undefined = history.parents.get(at);
      if (parent === undefined || needed.has(deltaName(parent, at))) break;
      needed.add(deltaName(parent, at));
      at = parent;
    }
  }
  const gone = [...history.links].filter(
    ([name, { to, toHash, appliable }]) =>
      !recent.has(to) &&
      !needed.has(name) &&
      // A delta that only describes, or leads elsewhere, is the only record of what it says.
      appliable &&
      history.states.get(to)?.hash === toHash,
  );
  return {
    files: gone.map(([, { file }]) => file),
    states: [],
    bytes: gone.reduce((sum, [, link]) => sum + link.bytes, 0),
  };
}

function dropStates(history: History, recent: ReadonlySet<string>): PrunePlan {
  const gone = history.order.filter(id => {
    const state = history.states.get(id);
    const parent = history.parents.get(id);
    if (state === undefined || parent === undefined || recent.has(id)) return false;
    const link = history.links.get(deltaName(parent, id));
    return link?.appliable === true && link.toHash === state.hash && canStart(history, parent);
  });
  return {
    files: gone.map(id => history.states.get(id)!.file),
    states: gone,
    bytes: gone.reduce((sum, id) => sum + history.states.get(id)!.bytes, 0),
  };
}

/** Whether a full state of it stands, or a delta leads to it. */
function canStart({ states, parents, links }: History, id: string): boolean {
  const parent = parents.get(id);
  return states.has(id) || (parent !== undefined && links.has(deltaName(parent, id)));
}
