import { type Told, told, toldText } from "../text/index.ts";
import { isIsoTime } from "./iso-time.ts";
import { deltaName, isCheckpointId, numberOf } from "./names.ts";

/** A full checkpoint in a folder, as far as its head tells. */
export interface State {
  /** Its id; that of its file name where it names none. */
  readonly id: string;
  /** Relative to the folder. */
  readonly file: string;
  readonly created?: string;
  readonly parent?: string;
  readonly status?: string;
  readonly supersedes?: string;
  readonly lastDelta?: string;
  readonly anchor?: string;
  /** Short hash of its text. */
  readonly hash: string;
  readonly bytes: number;
  readonly archived: boolean;
}

/** A delta document in a folder, as far as its head tells. */
export interface Link {
  readonly from: string;
  readonly to: string;
  readonly file: string;
  readonly created?: string;
  readonly fromHash?: string;
  readonly toHash?: string;
  /** Whether it has a machine block. */
  readonly appliable: boolean;
  /** False where its seal does not fit its text; undefined without one. */
  readonly sealed?: boolean;
  readonly summary: string;
  readonly bytes: number;
}

/** What stands in a folder of checkpoints. */
export interface Folder {
  readonly states: readonly State[];
  readonly links: readonly Link[];
  /** Files that could not be read, with the reason. */
  readonly unreadable: readonly { readonly file: string; readonly message: string | Told }[];
}

/** Something about a history that a person should know. */
export interface Problem {
  readonly code:
    | "UNREADABLE"
    | "BAD_ID"
    | "BAD_DATE"
    | "DUPLICATE_ID"
    | "FILE_NAME"
    | "NO_PARENT"
    | "PARENT_CYCLE"
    | "FORK"
    | "TWO_CURRENT"
    | "MISSING_DELTA"
    | "ORPHAN_DELTA"
    | "PROSE_DELTA"
    | "EDITED"
    | "HASH_MISMATCH"
    | "INDEX";
  /** `note`: worth knowing; `repair`: `doctor --fix` mends it; `person`: somebody must decide. */
  readonly weight: "note" | "repair" | "person";
  /** Ids or files it concerns, first the one to look at. */
  readonly about: readonly string[];
  /** In English. */
  readonly message: string;
  /** The same with its values apart, for other languages. */
  readonly said: Told;
}

/** Checkpoints and deltas as one history. */
export interface History {
  readonly states: ReadonlyMap<string, State>;
  /** Names of all files without their ending, those included that count for nothing else. */
  readonly names: ReadonlySet<string>;
  /** By `from` and `to` as `deltaName` has them. */
  readonly links: ReadonlyMap<string, Link>;
  /** Parent by child, for every checkpoint that is known, its full state kept or not. */
  readonly parents: ReadonlyMap<string, string>;
  /** Those that others were made from, or take the place of. */
  readonly superseded: ReadonlySet<string>;
  /** Ends of lineages that are neither superseded nor archived. */
  readonly open: readonly string[];
  /** Ids in order: parents before children, else by number and name. */
  readonly order: readonly string[];
  /** The one that stands for now; undefined when none or several do. */
  readonly current: string | undefined;
  readonly problems: readonly Problem[];
}

/** Makes a history of what stands in a folder, and tells everything that is amiss; linear in their number. */
export function studyHistory(folder: Folder): History {
  const problems: Problem[] = folder.unreadable.map(({ file, message }) =>
    problem("UNREADABLE", "person", [file], told`${file} cannot be read: ${message}`),
  );
  const states = collectStates(folder.states, problems);
  const links = collectLinks(folder.links, problems);
  const parents = parentsOf(states, links, problems);
  checkParents(states, links, parents, problems);
  checkLinks(states, links, problems);
  const order = inOrder(states, parents);
  const superseded = new Set(parents.values());
  for (const { supersedes } of states.values())
    for (const id of supersedes?.split(",") ?? []) superseded.add(id.trim());
  const open = order.filter(id => {
    const state = states.get(id);
    return state !== undefined && !state.archived && !superseded.has(id) && !isClosed(state.status);
  });
  const current = currentOf(states, open, problems);
  const files = [...folder.states, ...folder.links, ...folder.unreadable];
  const names = new Set(files.map(({ file }) => file.slice(file.lastIndexOf("/") + 1, -".md".length)));
  return { states, names, links, parents, superseded, open, order, current, problems };
}

/** A problem as a value. */
export function problem(
  code: Problem["code"],
  weight: Problem["weight"],
  about: readonly string[],
  said: Told,
): Problem {
  return { code, weight, about, message: toldText(said), said };
}

function collectStates(all: readonly State[], problems: Problem[]): Map<string, State> {
  const states = new Map<string, State>();
  for (const state of all) {
    const { id, file, created } = state;
    const before = states.get(id);
    if (!isCheckpointId(id)) {
      problems.push(
        problem("BAD_ID", "person", [file], told`${file} names itself in a way that is no checkpoint's id`),
      );
      continue;
    }
    if (before !== undefined) {
      const message = told`${file} and ${before.file} both say they are ${id}; the first is ignored`;
      problems.push(problem("DUPLICATE_ID", "person", [id, file, before.file], message));
      continue;
    }
    states.set(id, state);
    const name = file.slice(file.lastIndexOf("/") + 1);
    if (name !== `${id}.md`)
      problems.push(problem("FILE_NAME", "note", [id, file], told`${file} says it is ${id}`));
    if (created !== undefined && !isIsoTime(created))
      problems.push(problem("BAD_DATE", "person", [id], told`${id} was created at no ISO-8601 date`));
  }
  return states;
}

function collectLinks(all: readonly Link[], problems: Problem[]): Map<string, Link> {
  const links = new Map<string, Link>();
  for (const link of all) {
    const name = deltaName(link.from, link.to);
    const before = links.get(name);
    if (before === undefined) links.set(name, link);
    else {
      const message = told`${link.file} and ${before.file} both lead from ${link.from} to ${link.to}; the first is ignored`;
      problems.push(problem("DUPLICATE_ID", "person", [name, link.file, before.file], message));
    }
  }
  return links;
}

/** A checkpoint says itself what it was made from; one whose full state is gone is known by the delta that leads to it. */
function parentsOf(
  states: ReadonlyMap<string, State>,
  links: ReadonlyMap<string, Link>,
  problems: Problem[],
): Map<string, string> {
  const parents = new Map<string, string>();
  for (const { id, parent } of states.values()) if (parent !== undefined) parents.set(id, parent);
  for (const { from, to } of links.values())
    if (!parents.has(to) && states.get(to)?.parent === undefined) parents.set(to, from);
  const settled = new Set<string>();
  for (const start of parents.keys()) {
    const path = new Set<string>();
    let id: string | undefined = start;
    while (id !== undefined && !settled.has(id) && !path.has(id)) {
      path.add(id);
      id = parents.get(id);
    }
    if (id !== undefined && path.has(id)) {
      const ring = [...path].slice([...path].indexOf(id));
      problems.push(
        problem("PARENT_CYCLE", "person", ring, told`Parents in a circle: ${[...ring, id].join(" → ")}`),
      );
      parents.delete(id);
    }
    for (const seen of path) settled.add(seen);
  }
  return parents;
}

function checkParents(
  states: ReadonlyMap<string, State>,
  links: ReadonlyMap<string, Link>,
  parents: ReadonlyMap<string, string>,
  problems: Problem[],
): void {
  const targets = new Set([...links.values()].map(({ to }) => to));
  const parted = new Set(parents.values());
  const linked = linkedLineages(links, parents);
  for (const [child, parent] of parents) {
    const state = states.get(child);
    if (state === undefined) continue;
    if (!states.has(parent) && !targets.has(parent) && !links.has(deltaName(parent, child))) {
      problems.push(
        problem(
          "NO_PARENT",
          "note",
          [child, parent],
          told`${child} was made from ${parent}, which is not here`,
        ),
      );
    } else if (
      states.has(parent) &&
      !links.has(deltaName(parent, child)) &&
      state.lastDelta !== undefined &&
      // Old deltas are pruned from the beginning on; what misses its own is the newest, or has older ones before it.
      (!parted.has(child) || linked.has(parent))
    ) {
      const message = told`The delta from ${parent} to ${child} is missing`;
      problems.push(problem("MISSING_DELTA", "repair", [child, parent], message));
    }
  }
  for (const [parent, children] of Map.groupBy(parents.keys(), child => parents.get(child)!)) {
    if (children.length < 2) continue;
    const message = told`The history forks at ${parent}: ${children.join(", ")}`;
    problems.push(problem("FORK", "note", [parent, ...children], message));
  }
}

/** Checkpoints that a kept delta leads to, itself or further back. */
function linkedLineages(
  links: ReadonlyMap<string, Link>,
  parents: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const known = new Map<string, boolean>();
  for (const start of parents.keys()) {
    const path: string[] = [];
    let id: string | undefined = start;
    for (; id !== undefined && !known.has(id); id = parents.get(id)) path.push(id);
    let linked = id !== undefined && known.get(id) === true;
    for (const one of path.reverse()) {
      const parent = parents.get(one);
      linked ||= parent !== undefined && links.has(deltaName(parent, one));
      known.set(one, linked);
    }
  }
  return new Set([...known].flatMap(([id, linked]) => (linked ? [id] : [])));
}

function checkLinks(
  states: ReadonlyMap<string, State>,
  links: ReadonlyMap<string, Link>,
  problems: Problem[],
): void {
  const targets = new Set([...links.values()].map(({ to }) => to));
  for (const link of links.values()) {
    const { from, to, file } = link;
    if (!link.appliable)
      problems.push(
        problem("PROSE_DELTA", "note", [file], told`${file} only describes the change: it cannot be applied`),
      );
    if (link.sealed === false)
      problems.push(problem("EDITED", "person", [file], told`${file} was edited after it was made`));
    const sides = [
      [states.get(from), link.fromHash, (id: string) => told`begins at ${id}`],
      [states.get(to), link.toHash, (id: string) => told`leads to ${id}`],
    ] as const;
    for (const [state, hash, place] of sides) {
      if (state === undefined || hash === undefined || state.hash === hash) continue;
      const message = told`${file} ${place(state.id)} with the hash ${hash}; ${state.file} has ${state.hash}`;
      problems.push(problem("HASH_MISMATCH", "person", [state.id, file], message));
    }
    if (!states.has(from) && !targets.has(from)) {
      const message = told`${file} begins at ${from}, of which no full state can be had`;
      problems.push(problem("ORPHAN_DELTA", "person", [file, from], message));
    }
  }
}

function inOrder(states: ReadonlyMap<string, State>, parents: ReadonlyMap<string, string>): string[] {
  const ids = new Set([...states.keys(), ...parents.keys(), ...parents.values()]);
  const known = [...ids].filter(id => states.has(id) || parents.has(id));
  const depths = new Map<string, number>();
  for (const start of known) {
    const path: string[] = [];
    let id: string | undefined = start;
    for (; id !== undefined && !depths.has(id); id = parents.get(id)) path.push(id);
    let depth = id === undefined ? 0 : depths.get(id)! + 1;
    for (const one of path.reverse()) depths.set(one, depth++);
  }
  const rank = new Map(known.map(id => [id, numberOf(id) ?? Number.POSITIVE_INFINITY]));
  return known.sort(
    (a, b) =>
      compare(rank.get(a)!, rank.get(b)!) || compare(depths.get(a)!, depths.get(b)!) || (a < b ? -1 : 1),
  );
}

function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/**
 * Documents are never changed once written, so what is superseded does not say so itself: another names it as its parent.
 * The one that stands for now is the only end of a lineage that is not archived; among several, the one that says
 * `status: current`.
 */
function currentOf(
  states: ReadonlyMap<string, State>,
  open: readonly string[],
  problems: Problem[],
): string | undefined {
  const claims = open.filter(id => states.get(id)!.status === "current");
  if (claims.length === 1) return claims[0];
  if (open.length > 1) {
    const several = claims.length > 1 ? claims : open;
    const message = told`${several.length} checkpoints could be the current one: ${several.slice(0, 8).join(", ")}`;
    problems.push(problem("TWO_CURRENT", "person", several, message));
    return undefined;
  }
  return open[0];
}

function isClosed(status: string | undefined): boolean {
  return status === "archived" || status === "completed" || status === "superseded";
}

/** What a checkpoint is in its history; `rebuilt` when only deltas lead to it. */
export type Standing = "current" | "superseded" | "archived" | "rebuilt" | "open";

/** Tells what a checkpoint is in its history. */
export function standingOf({ states, current, superseded }: History, id: string): Standing {
  const state = states.get(id);
  if (state === undefined) return "rebuilt";
  if (state.archived || isClosed(state.status)) return "archived";
  if (id === current) return "current";
  return superseded.has(id) ? "superseded" : "open";
}
