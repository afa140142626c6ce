import type { TaskCard } from "../../../src/server/shapes/run.ts";

/** A card's size and the room around it, in pixels at zoom 1. */
export const CARD = { width: 224, height: 62, gapX: 44, gapY: 14 } as const;
const LANE = { head: 34, padX: 14, padY: 15, gap: 20 } as const;
/** Width of a lane that is folded, and its height. */
const FOLDED = { width: 236, height: 150, gapX: 44, gapY: 70 } as const;

export interface Placed {
  readonly id: string;
  readonly x: number;
  readonly y: number;
}

export interface Lane {
  readonly label: string;
  readonly title: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly folded: boolean;
  readonly members: readonly string[];
}

export interface Wire {
  readonly from: string;
  readonly to: string;
  /** Both ends are on the critical path. */
  readonly critical: boolean;
  /** Between folded lanes: how many dependencies it stands for. */
  readonly count: number;
  /** One end is a folded lane, the other a card: there may be a hundred of them. */
  readonly loose: boolean;
}

type Phases = readonly { readonly label: string; readonly title: string }[];

export interface Layout {
  readonly lanes: readonly Lane[];
  readonly cards: readonly Placed[];
  readonly wires: readonly Wire[];
}

/** The node a lane is drawn as. */
export function laneNode(label: string): string {
  return `lane ${label}`;
}

/** How deep each task lies within its own phase: 0 waits for nothing there. Tasks on a cycle stay at 0. Linear. */
function depths(members: readonly TaskCard[]): Map<string, number> {
  const inside = new Map(members.map(card => [card.id, card]));
  const waiting = new Map<string, number>();
  const after = new Map<string, string[]>();
  for (const { id, dependsOn } of members) {
    const own = dependsOn.filter(other => inside.has(other));
    waiting.set(id, own.length);
    for (const other of own) {
      const list = after.get(other);
      if (list === undefined) after.set(other, [id]);
      else list.push(id);
    }
  }
  const depth = new Map(members.map(card => [card.id, 0]));
  const ready = members.filter(card => waiting.get(card.id) === 0).map(card => card.id);
  for (let at = 0; at < ready.length; at++) {
    const id = ready[at]!;
    for (const next of after.get(id) ?? []) {
      depth.set(next, Math.max(depth.get(next)!, depth.get(id)! + 1));
      const left = waiting.get(next)! - 1;
      waiting.set(next, left);
      if (left === 0) ready.push(next);
    }
  }
  return depth;
}

/** Tasks of one phase in columns by depth; none is higher than `rows`. */
function columnsOf(members: readonly TaskCard[], rows: number): TaskCard[][] {
  const depth = depths(members);
  const byDepth: TaskCard[][] = [];
  for (const card of members) {
    const at = depth.get(card.id)!;
    const column = byDepth[at];
    if (column === undefined) byDepth[at] = [card];
    else column.push(card);
  }
  return byDepth.flatMap(column => {
    const parts = Math.ceil(column.length / rows);
    const size = Math.ceil(column.length / parts);
    return Array.from({ length: parts }, (_, part) => column.slice(part * size, (part + 1) * size));
  });
}

/** Puts a column in the order in which what it waits for stands, so that few wires cross. */
function ordered(column: TaskCard[], heights: ReadonlyMap<string, number>): TaskCard[] {
  const keyed = column.map((card, at) => {
    const known = card.dependsOn.flatMap(id => heights.get(id) ?? []);
    const mean = known.length === 0 ? undefined : known.reduce((sum, y) => sum + y, 0) / known.length;
    return { card, at, mean };
  });
  return keyed
    .sort((a, b) => (a.mean === undefined || b.mean === undefined ? 0 : a.mean - b.mean) || a.at - b.at)
    .map(({ card }) => card);
}

/** Where a dependency begins and ends: at the card, or at the lane it is folded into. */
function wiresOf(
  plan: readonly TaskCard[],
  folded: ReadonlySet<string>,
  phases: ReadonlyMap<string, string>,
): Wire[] {
  const critical = new Set(plan.filter(card => card.critical).map(card => card.id));
  const end = (id: string): string => {
    const phase = phases.get(id)!;
    return folded.has(phase) ? laneNode(phase) : id;
  };
  const wires = new Map<string, Wire>();
  for (const { id, dependsOn } of plan) {
    for (const other of dependsOn) {
      if (!phases.has(other)) continue;
      const [from, to] = [end(other), end(id)];
      if (from === to) continue;
      const key = JSON.stringify([from, to]);
      const before = wires.get(key);
      wires.set(key, {
        from,
        to,
        critical: before?.critical === true || (critical.has(other) && critical.has(id)),
        count: (before?.count ?? 0) + 1,
        loose: (from === other) !== (to === id),
      });
    }
  }
  return [...wires.values()];
}

/** Folded lanes alone: in rows that fill a screen, since a line of them could not be read. */
function foldedRows(groups: ReadonlyMap<string, TaskCard[]>, phases: Phases): Lane[] {
  const inRow = Math.max(4, Math.ceil(Math.sqrt(phases.length * 1.8)));
  return phases.map(({ label, title }, at) => ({
    label,
    title,
    x: (at % inRow) * (FOLDED.width + FOLDED.gapX),
    y: Math.floor(at / inRow) * (FOLDED.height + FOLDED.gapY),
    width: FOLDED.width,
    height: FOLDED.height,
    folded: true,
    members: (groups.get(label) ?? []).map(card => card.id),
  }));
}

/**
 * Phases as lanes from left to right, tasks in them by how deep they lie, each column around the middle line. Linear but
 * for the sorting of columns.
 */
export function layOut(phases: Phases, plan: readonly TaskCard[], folded: ReadonlySet<string>): Layout {
  const groups = new Map<string, TaskCard[]>(phases.map(({ label }) => [label, []]));
  for (const card of plan) groups.get(card.phase)?.push(card);
  const phaseOf = new Map(plan.map(card => [card.id, card.phase]));
  if (phases.length > 0 && phases.every(({ label }) => folded.has(label)))
    return { lanes: foldedRows(groups, phases), cards: [], wires: wiresOf(plan, folded, phaseOf) };
  const open = plan.length - [...folded].reduce((sum, label) => sum + (groups.get(label)?.length ?? 0), 0);
  const rows = Math.max(5, Math.ceil(Math.sqrt(open * 1.4)));
  const cards: Placed[] = [];
  const heights = new Map<string, number>();
  const lanes: Lane[] = [];
  let x = 0;
  for (const { label, title } of phases) {
    const members = groups.get(label) ?? [];
    const isFolded = folded.has(label);
    const columns = isFolded ? [] : columnsOf(members, rows);
    const tallest = Math.max(1, ...columns.map(column => column.length));
    for (const [at, column] of columns.entries()) {
      const left = x + LANE.padX + at * (CARD.width + CARD.gapX);
      const height = column.length * (CARD.height + CARD.gapY) - CARD.gapY;
      for (const [row, card] of ordered(column, heights).entries()) {
        const y = row * (CARD.height + CARD.gapY) - height / 2;
        heights.set(card.id, y);
        cards.push({ id: card.id, x: left, y });
      }
    }
    const inner = tallest * (CARD.height + CARD.gapY) - CARD.gapY;
    const width = isFolded
      ? FOLDED.width
      : LANE.padX * 2 + Math.max(1, columns.length) * (CARD.width + CARD.gapX) - CARD.gapX;
    const height = isFolded ? FOLDED.height : inner + LANE.padY * 2 + LANE.head;
    const y = isFolded ? -FOLDED.height / 2 : -inner / 2 - LANE.padY - LANE.head;
    lanes.push({
      label,
      title,
      x,
      y,
      width,
      height,
      folded: isFolded,
      members: members.map(card => card.id),
    });
    x += width + LANE.gap;
  }
  return { lanes, cards, wires: wiresOf(plan, folded, phaseOf) };
}

/** Everything a task waits for, near and far, and everything that waits for it. Linear. */
export function relatives(plan: readonly TaskCard[], id: string): Set<string> {
  const before = new Map(plan.map(card => [card.id, card.dependsOn]));
  const after = new Map<string, string[]>();
  for (const card of plan)
    for (const other of card.dependsOn) {
      const list = after.get(other);
      if (list === undefined) after.set(other, [card.id]);
      else list.push(card.id);
    }
  const found = new Set([id]);
  for (const next of [before, after]) {
    const queue = [id];
    const seen = new Set(queue);
    for (let at = 0; at < queue.length; at++)
      for (const other of next.get(queue[at]!) ?? []) {
        if (seen.has(other)) continue;
        seen.add(other);
        found.add(other);
        queue.push(other);
      }
  }
  return found;
}
