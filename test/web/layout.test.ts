import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TaskCard } from "../../src/server/shapes/run.ts";
import { CARD, layOut, relatives } from "../../web/src/graph/layout.ts";
import { BEND, laneNode, type Wire, wirePath } from "../../web/src/graph/wires.ts";
import { growth, LINEAR } from "../growth.ts";

function card(
  id: string,
  phase: string,
  dependsOn: readonly string[] = [],
  more: Partial<TaskCard> = {},
): TaskCard {
  return {
    id,
    phase,
    title: id,
    kind: "worker",
    dependsOn: [...dependsOn],
    container: false,
    critical: false,
    ...more,
  };
}

const PHASES = ["0", "1", "2"].map(label => ({ label, title: "" }));
const NOTHING: ReadonlySet<string> = new Set();

/** Plans of any shape: dependencies may be unknown, go forward, or form cycles. */
const plans = fc
  .array(
    fc.record({ phase: fc.constantFrom("0", "1", "2"), needs: fc.array(fc.nat(45), { maxLength: 5 }) }),
    {
      maxLength: 40,
    },
  )
  .map(list =>
    list.map(({ phase, needs }, at) =>
      card(
        `T${at}`,
        phase,
        needs.map(n => `T${n}`),
      ),
    ),
  );

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Whether a wire passes behind a box, or bends where it has no room to. */
function hits({ from, to, via }: Wire, boxes: ReadonlyMap<string, Box>): boolean {
  const [left, right] = [boxes.get(from)!, boxes.get(to)!];
  const [begin, end] = [left.x + left.width, right.x];
  const beside = (x: number, until: number) =>
    [...boxes.values()].filter(box => box.x < until && box.x + box.width > x);
  if (via === undefined) return end <= begin || beside(begin, end).length > 0;
  // Between two columns there is room for as much as it takes to bend.
  if (beside(begin, begin + BEND).length > 0 || beside(end - BEND, end).length > 0) return true;
  const level = end - begin >= 2 * BEND ? beside(begin + BEND, end - BEND) : beside(end - BEND, begin + BEND);
  return level.some(box => via > box.y && via < box.y + box.height);
}

describe("the layout of the graph", () => {
  it("[W80] phases are lanes from left to right, tasks lie right of what they wait for within theirs", () => {
    const plan = [
      card("A", "0"),
      card("B", "1", ["A"]),
      card("C", "1", ["B"]),
      card("D", "2", ["A", "C"], { critical: true }),
    ];
    const { lanes, cards, wires } = layOut(PHASES, plan, NOTHING);
    const x = new Map(cards.map(one => [one.id, one.x]));
    expect(lanes.map(lane => lane.label)).toEqual(["0", "1", "2"]);
    expect(x.get("A")!).toBeLessThan(x.get("B")!);
    expect(x.get("B")!).toBeLessThan(x.get("C")!);
    expect(x.get("C")!).toBeLessThan(x.get("D")!);
    expect(wires.map(({ from, to }) => `${from}${to}`).sort()).toEqual(["AB", "AD", "BC", "CD"]);
  });

  it("[W80] whatever the plan: every open card lies within its lane, and no two lie on each other", () => {
    fc.assert(
      fc.property(plans, fc.subarray(["0", "1", "2"]), (plan, closed) => {
        const folded = new Set(closed);
        const { lanes, cards, wires } = layOut(PHASES, plan, folded);
        const laneOf = new Map(lanes.map(lane => [lane.label, lane]));
        expect(cards).toHaveLength(plan.filter(one => !folded.has(one.phase)).length);
        const taken = new Set<string>();
        for (const { id, x, y } of cards) {
          const lane = laneOf.get(plan.find(one => one.id === id)!.phase)!;
          expect(x).toBeGreaterThanOrEqual(lane.x);
          expect(x + CARD.width).toBeLessThanOrEqual(lane.x + lane.width);
          expect(y).toBeGreaterThanOrEqual(lane.y);
          expect(y + CARD.height).toBeLessThanOrEqual(lane.y + lane.height);
          expect(taken.has(`${x} ${y}`)).toBe(false);
          taken.add(`${x} ${y}`);
        }
        const crowded = lanes.filter(lane =>
          lanes.some(
            other =>
              other !== lane &&
              lane.x < other.x + other.width &&
              other.x < lane.x + lane.width &&
              lane.y < other.y + other.height &&
              other.y < lane.y + lane.height,
          ),
        );
        expect(crowded).toEqual([]);
        const known = new Set([...cards.map(one => one.id), ...lanes.map(lane => laneNode(lane.label))]);
        for (const { from, to } of wires) {
          expect(known.has(from) && known.has(to)).toBe(true);
          expect(from).not.toBe(to);
        }
        expect(new Set(wires.map(({ from, to }) => `${from} ${to}`)).size).toBe(wires.length);
      }),
      { numRuns: 200 },
    );
  });

  it("[W89] whatever the plan: no wire passes behind a card or a folded phase", () => {
    fc.assert(
      fc.property(plans, fc.subarray(["0", "1", "2"]), (plan, closed) => {
        const { lanes, cards, wires } = layOut(PHASES, plan, new Set(closed));
        const boxes = new Map<string, Box>([
          ...cards.map(({ id, x, y }): [string, Box] => [id, { x, y, ...CARD }]),
          ...lanes.filter(lane => lane.folded).map((lane): [string, Box] => [laneNode(lane.label), lane]),
        ]);
        const trouble = wires.filter(wire => hits(wire, boxes));
        expect(trouble).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it("[W89] a wire past several phases leaves by the free height nearest to its source", () => {
    const plan = [card("A", "0"), card("B", "1", ["A"]), card("C", "2", ["A", "B"])];
    const via = (closed: readonly string[]) =>
      layOut(PHASES, plan, new Set(closed)).wires.map(wire => wire.via);
    expect(via([])).toEqual([undefined, (CARD.height + CARD.gapY) / 2, undefined]);
    expect(via(["1"])[1]).toBeGreaterThanOrEqual(75);
    expect(wirePath({ x: 0, y: 0 }, { x: 200, y: 10 }, 50)).toBe(
      "M0,0 C13,0 13,50 26,50 L174,50 C187,50 187,10 200,10",
    );
  });

  it("[W81] a folded phase stands for its dependencies, counted", () => {
    const plan = [card("A", "0"), card("B", "0"), card("C", "1", ["A", "B"]), card("D", "1", ["A"])];
    const { wires, cards } = layOut(PHASES, plan, new Set(["0", "1"]));
    expect(cards).toEqual([]);
    expect(wires).toEqual([
      { from: laneNode("0"), to: laneNode("1"), critical: false, count: 3, loose: false },
    ]);
  });

  it("[W82] tasks are laid out, and their relatives found, in linear time", () => {
    const planOf = (size: number) =>
      Array.from({ length: size }, (_, at) =>
        card(`T${at}`, String(at % 3), at > 2 ? [`T${at - 3}`, `T${at >> 1}`] : []),
      );
    expect(growth(1500, planOf, plan => layOut(PHASES, plan, NOTHING))).toBeLessThan(LINEAR);
    expect(growth(1500, planOf, plan => relatives(plan, `T${plan.length / 2}`))).toBeLessThan(LINEAR);
  });

  it("[W83] relatives are all that come before and all that come after, cycles included", () => {
    const plan = [
      card("A", "0"),
      card("B", "0", ["A"]),
      card("C", "0", ["B"]),
      card("X", "0"),
      card("Y", "0", ["X", "C"]),
    ];
    expect([...relatives(plan, "B")].sort()).toEqual(["A", "B", "C", "Y"]);
    const loop = [card("A", "0", ["B"]), card("B", "0", ["A"])];
    expect([...relatives(loop, "A")].sort()).toEqual(["A", "B"]);
  });
});
