import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TaskCard } from "../../src/server/shapes/run.ts";
import { CARD, laneNode, layOut, relatives } from "../../web/src/graph/layout.ts";

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

  it("[W81] a folded phase stands for its dependencies, counted", () => {
    const plan = [card("A", "0"), card("B", "0"), card("C", "1", ["A", "B"]), card("D", "1", ["A"])];
    const { wires, cards } = layOut(PHASES, plan, new Set(["0", "1"]));
    expect(cards).toEqual([]);
    expect(wires).toEqual([
      { from: laneNode("0"), to: laneNode("1"), critical: false, count: 3, loose: false },
    ]);
  });

  it("[W82] 10,000 tasks are laid out in well under a second", () => {
    const plan = Array.from({ length: 10_000 }, (_, at) =>
      card(`T${at}`, String(at % 3), at > 2 ? [`T${at - 3}`, `T${at >> 1}`] : []),
    );
    const began = performance.now();
    layOut(PHASES, plan, NOTHING);
    relatives(plan, "T5000");
    expect(performance.now() - began).toBeLessThan(1000);
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
