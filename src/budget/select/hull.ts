/** A form of an item on the plane of cost and worth. */
export interface Point {
  readonly tokens: number;
  readonly value: number;
  /** Position in the item's own list; -1 for being left out. */
  readonly offer: number;
}

/** The step from one form of an item to the next better one. */
export interface Upgrade {
  readonly item: number;
  readonly to: Point;
  readonly tokens: number;
  readonly value: number;
}

/** Those that are worth more than whatever costs no more, by cost. */
export function frontier<One extends Pick<Point, "tokens" | "value">>(given: readonly One[]): One[] {
  const byCost = [...given].sort((a, b) => a.tokens - b.tokens || b.value - a.value);
  const kept: One[] = [];
  for (const one of byCost) if (one.value > (kept.at(-1)?.value ?? -Infinity)) kept.push(one);
  return kept;
}

/** Whether a form is worth more than a mixture of one before and one after it that costs as much. */
function isAbove(form: Point, before: Point, after: Point): boolean {
  const gained = (form.value - before.value) * (after.tokens - form.tokens);
  return gained > (after.value - form.value) * (form.tokens - before.tokens);
}

/** The frontier's upper convex hull: the forms at which worth per token falls from step to step. */
export function hull(sorted: readonly Point[]): Point[] {
  const kept: Point[] = [];
  for (const point of sorted) {
    while (kept.length > 1 && !isAbove(kept.at(-1)!, kept.at(-2)!, point)) kept.pop();
    kept.push(point);
  }
  return kept;
}

/** The steps along all hulls, the worthiest per token first. */
export function upgrades(hulls: readonly (readonly Point[])[]): Upgrade[] {
  const steps = hulls.flatMap((points, item) =>
    points.slice(1).map((to, at): Upgrade => {
      const from = points[at]!;
      return { item, to, tokens: to.tokens - from.tokens, value: to.value - from.value };
    }),
  );
  // Compared by products: no division, and no tie is broken by rounding. Equals stay in the order of items and costs.
  return steps.sort((a, b) => b.value * a.tokens - a.value * b.tokens);
}
