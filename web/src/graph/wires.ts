import type { TaskCard } from "../../../src/server/shapes/run.ts";

export interface Wire {
  readonly from: string;
  readonly to: string;
  /** Both ends are on the critical path. */
  readonly critical: boolean;
  /** Between folded lanes: how many dependencies it stands for. */
  readonly count: number;
  /** One end is a folded lane, the other a card: there may be a hundred of them. */
  readonly loose: boolean;
  /** The height at which it passes what stands between its ends; absent where nothing does. */
  readonly via?: number;
}

/** Where an end of a wire lies. */
export interface Place {
  /** Counted from the left. */
  readonly column: number;
  /** The height of its middle. */
  readonly y: number;
  /** The free height a wire leaves by, where that is not the room between two rows of cards. */
  readonly inGap?: number;
}

/** What wires are drawn between. */
export interface Wiring {
  readonly plan: readonly TaskCard[];
  readonly folded: ReadonlySet<string>;
  readonly phaseOf: ReadonlyMap<string, string>;
  readonly places: ReadonlyMap<string, Place>;
  /** How many columns before each are folded lanes, which are higher than a row. */
  readonly solid: readonly number[];
  /** From one row to the next. */
  readonly pitch: number;
}

/** The node a lane is drawn as. */
export function laneNode(label: string): string {
  return `lane ${label}`;
}

/** The free height between two rows by which a wire goes, on the side of the source where its target lies. */
function viaOf(from: Place, to: Place, { solid, pitch }: Wiring): number | undefined {
  if (to.column - from.column === 1 && (from.inGap === undefined || from.y === to.y)) return undefined;
  if (from.inGap !== undefined) return from.inGap;
  const side = to.y < from.y ? -1 : 1;
  const via = from.y + (side * pitch) / 2;
  // Backwards it passes its own ends as well.
  const [first, last] = to.column > from.column ? [from.column + 1, to.column] : [to.column, from.column + 1];
  const passesFolded = (solid[last] ?? 0) > (solid[first] ?? 0);
  return passesFolded && Math.abs(via) < pitch * 1.5 ? side * pitch * 1.5 : via;
}

/** Every dependency once: from card to card, or from and to the lane it is folded into. Linear. */
export function wiresOf(wiring: Wiring): Wire[] {
  const { plan, folded, phaseOf, places } = wiring;
  const critical = new Set(plan.filter(card => card.critical).map(card => card.id));
  const end = (id: string): string => {
    const phase = phaseOf.get(id)!;
    return folded.has(phase) ? laneNode(phase) : id;
  };
  const wires = new Map<string, Wire>();
  for (const { id, dependsOn } of plan) {
    for (const other of dependsOn) {
      if (!phaseOf.has(other)) continue;
      const [from, to] = [end(other), end(id)];
      const [begins, ends] = [places.get(from), places.get(to)];
      if (from === to || begins === undefined || ends === undefined) continue;
      const key = JSON.stringify([from, to]);
      const before = wires.get(key);
      const via = viaOf(begins, ends, wiring);
      wires.set(key, {
        from,
        to,
        critical: before?.critical === true || (critical.has(other) && critical.has(id)),
        count: (before?.count ?? 0) + 1,
        loose: (from === other) !== (to === id),
        ...(via === undefined ? {} : { via }),
      });
    }
  }
  return [...wires.values()];
}

/** How far from its ends a wire has reached its height: less than the room between two columns. */
export const BEND = 26;

/** A wire as an SVG path. What bends lies between two columns, what lies beside cards is level. */
export function wirePath(
  from: { readonly x: number; readonly y: number },
  to: { readonly x: number; readonly y: number },
  via: number,
): string {
  const forward = to.x - from.x >= 2 * BEND;
  // Backwards it turns around within the same room.
  const [out, home] = forward ? [from.x + BEND, to.x - BEND] : [from.x, to.x];
  const bow = forward ? BEND / 2 : BEND;
  return [
    `M${from.x},${from.y}`,
    `C${from.x + bow},${from.y} ${from.x + bow},${via} ${out},${via}`,
    `L${home},${via}`,
    `C${to.x - bow},${via} ${to.x - bow},${to.y} ${to.x},${to.y}`,
  ].join(" ");
}
