import type { TaskCard } from "../../../src/server/shapes/run.ts";
import { laneNode, type Place, type Wire, wiresOf } from "./wires.ts";

/** A card's size and the room around it, in pixels at zoom 1. */
export const CARD = { width: 232, height: 80, gapX: 44, gapY: 12 } as const;
const LANE = { head: 34, padX: 14, padY: 15, gap: 28 } as const;
/** From one row of cards to the next. All columns share these rows, so that the room between two is free from end to end. */
const PITCH = CARD.height + CARD.gapY;
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

type Phases = readonly { readonly label: string; readonly title: string }[];

export interface Layout {
  readonly lanes: readonly Lane[];
  readonly cards: readonly Placed[];
  readonly wires: readonly Wire[];
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

/** The row of a column's first card: columns lie around row 0. */
function topRow(length: number): number {
  return -Math.floor((length - 1) / 2);
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
  const wired = (places: ReadonlyMap<string, Place>, solid: readonly number[]) =>
    wiresOf({ plan, folded, phaseOf, places, solid, pitch: PITCH });
  if (phases.length > 0 && phases.every(({ label }) => folded.has(label))) {
    const rows = foldedRows(groups, phases);
    const places = rows.map(({ label, x, y, height }): [string, Place] => {
      const inGap = y + height + FOLDED.gapY / 2;
      return [laneNode(label), { column: x / (FOLDED.width + FOLDED.gapX), y: y + height / 2, inGap }];
    });
    return { lanes: rows, cards: [], wires: wired(new Map(places), []) };
  }
  const open = plan.length - [...folded].reduce((sum, label) => sum + (groups.get(label)?.length ?? 0), 0);
  const rows = Math.max(5, Math.ceil(Math.sqrt(open * 1.4)));
  const cards: Placed[] = [];
  const heights = new Map<string, number>();
  const lanes: Lane[] = [];
  const places = new Map<string, Place>();
  /** How many folded lanes stand before each column. */
  const solid: number[] = [0];
  let x = 0;
  for (const { label, title } of phases) {
    const members = groups.get(label) ?? [];
    const isFolded = folded.has(label);
    const columns = isFolded ? [] : columnsOf(members, rows);
    const tallest = Math.max(1, ...columns.map(column => column.length));
    for (const [at, column] of columns.entries()) {
      const left = x + LANE.padX + at * (CARD.width + CARD.gapX);
      const top = topRow(column.length);
      for (const [row, card] of ordered(column, heights).entries()) {
        const y = (top + row) * PITCH;
        heights.set(card.id, y);
        cards.push({ id: card.id, x: left, y: y - CARD.height / 2 });
        places.set(card.id, { column: solid.length - 1, y });
      }
      solid.push(solid.at(-1)!);
    }
    if (isFolded) {
      places.set(laneNode(label), { column: solid.length - 1, y: 0 });
      solid.push(solid.at(-1)! + 1);
    }
    const inner = tallest * PITCH - CARD.gapY;
    const width = isFolded
      ? FOLDED.width
      : LANE.padX * 2 + Math.max(1, columns.length) * (CARD.width + CARD.gapX) - CARD.gapX;
    const height = isFolded ? FOLDED.height : inner + LANE.padY * 2 + LANE.head;
    const y = isFolded
      ? -FOLDED.height / 2
      : topRow(tallest) * PITCH - CARD.height / 2 - LANE.padY - LANE.head;
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
  return { lanes, cards, wires: wired(places, solid) };
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
