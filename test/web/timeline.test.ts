import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { HistoryShape, Span } from "../../src/server/shapes/history.ts";
import { isOf, KINDS } from "../../web/src/timeline/kinds.ts";
import { lanesOf, marksOf, placeOf } from "../../web/src/timeline/lanes.ts";
import { countPast, runningAt, standsAt } from "../../web/src/timeline/past.ts";
import { growth, LINEAR } from "../growth.ts";

const span = (task: string, startedAt: number, endedAt: number, more: Partial<Span> = {}): Span => ({
  task,
  number: 1,
  agent: "codex",
  startedAt,
  endedAt,
  outcome: endedAt === 0 ? "running" : "done",
  ...more,
});

describe("the chart", () => {
  it("[W107] has a row for each task in the order of the plan, or as many as an agent or machine worked on at once", () => {
    const spans = [
      span("B", 0, 10),
      span("A", 2, 8, { machine: "lab" }),
      span("A", 9, 0, { agent: "claude" }),
      span("gone", 11, 12),
    ];
    const rows = (grouping: "task" | "agent" | "machine") =>
      lanesOf(spans, grouping, ["A", "B", "C"], "here").map(({ name, spans: own }) => [
        name,
        ...own.map(one => one.startedAt),
      ]);
    expect(rows("task")).toEqual([
      ["A", 2, 9],
      ["B", 0],
      ["gone", 11],
    ]);
    expect(rows("agent")).toEqual([
      ["claude", 9],
      ["codex", 0, 11],
      ["codex", 2],
    ]);
    expect(rows("machine")).toEqual([
      ["here", 0, 11],
      ["here", 9],
      ["lab", 2],
    ]);
  });

  it("[W107] no bar covers another in its row, and each attempt is drawn once", () => {
    const one = fc.tuple(fc.nat(50), fc.integer({ min: 1, max: 20 }), fc.constantFrom("a", "b"));
    fc.assert(
      fc.property(fc.array(one), all => {
        const spans = all
          .map(([from, ms, agent], at) => span(`T${at}`, from, from + ms, { agent }))
          .sort((a, b) => a.startedAt - b.startedAt);
        const lanes = lanesOf(spans, "agent", [], "");
        for (const { spans: own } of lanes)
          expect(own.every((each, at) => at === 0 || own[at - 1]!.endedAt <= each.startedAt)).toBe(true);
        expect(lanes.flatMap(lane => lane.spans).length).toBe(spans.length);
      }),
    );
  });

  it("[W107] bars stand where their time is; axes have whole moments", () => {
    const stretch = { from: 100, to: 200 };
    expect(placeOf(span("A", 120, 150), stretch)).toEqual({ left: 20, width: 30 });
    expect(placeOf(span("A", 0, 150), stretch)).toEqual({ left: 0, width: 50 });
    expect(placeOf(span("A", 150, 0), stretch)).toEqual({ left: 50, width: 50 });
    expect([placeOf(span("A", 10, 50), stretch), placeOf(span("A", 300, 0), stretch)]).toEqual([
      undefined,
      undefined,
    ]);
    expect(marksOf({ from: 3_000, to: 3_603_000 }, 5)).toEqual([900_000, 1_800_000, 2_700_000, 3_600_000]);
    expect(marksOf({ from: 0, to: 9e12 }, 6).length).toBeLessThanOrEqual(7);
  });

  it("[W107] is linear in the attempts", () => {
    const spans = (size: number) =>
      Array.from({ length: size }, (_, at) =>
        span(`T${at % (size / 4)}`, at, at + 3, { agent: `a${at % 5}` }),
      );
    expect(growth(8000, spans, all => lanesOf(all, "agent", [], ""))).toBeLessThan(LINEAR);
    expect(growth(8000, spans, all => lanesOf(all, "task", ["T1"], ""))).toBeLessThan(LINEAR);
  });
});

describe("a past moment", () => {
  const history: HistoryShape = {
    startedAt: 0,
    older: 0,
    spans: [span("A", 10, 20), span("A", 30, 0), span("B", 12, 40)],
    before: [["C", "completed"]],
    moves: [
      [10, "A", "in_progress"],
      [20, "A", "ready"],
      [30, "A", "in_progress"],
      [40, "B", "completed"],
    ],
  };

  it("[W108] is told by what moved up to it", () => {
    expect(Object.fromEntries(standsAt(history, 25))).toEqual({ A: "ready", C: "completed" });
    expect(Object.fromEntries(standsAt(history, 0))).toEqual({ C: "completed" });
    expect(Object.fromEntries(standsAt(history, 99))).toEqual({
      A: "in_progress",
      B: "completed",
      C: "completed",
    });
    const cards = ["A", "B", "C", "D"].map(id => ({ id, container: id === "D" }));
    expect(countPast(cards, standsAt(history, 25))).toMatchObject({ ready: 1, completed: 1, pending: 1 });
    const tasks = (moment: number) => runningAt(history.spans, moment).map(one => one.task);
    expect([tasks(5), tasks(15), tasks(25), tasks(35)]).toEqual([[], ["A", "B"], ["B"], ["A", "B"]]);
  });
});

describe("kinds of events", () => {
  it("[W110] narrow them down; everything is everything", () => {
    expect(KINDS.filter(kind => isOf(kind, "paused"))).toEqual(["all", "trouble"]);
    expect(KINDS.filter(kind => isOf(kind, "person"))).toEqual(["all", "people"]);
    expect(KINDS.filter(kind => isOf(kind, "unheard-of"))).toEqual(["all"]);
  });
});
