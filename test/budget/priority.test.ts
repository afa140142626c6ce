import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  PRIORITY_WEIGHTS,
  priorityOf,
  readConfidence,
  readLevel,
  readVsLevel,
  recencyAt,
} from "../../src/budget/index.ts";

describe("priority", () => {
  it("[BP1] weighs as the document does", () => {
    const best = priorityOf({ recency: 1, vsLevel: "full_vs", confidence: 1, dependents: 2, relevance: 1 });
    expect(best).toBeCloseTo(1);
    const worst = priorityOf({ recency: 0, vsLevel: "light_vs", confidence: 0, dependents: 0, relevance: 0 });
    expect(worst).toBeCloseTo(0.25 * 0.4 + 0.15 * 0.3);
    expect(priorityOf({ recency: 1, vsLevel: "light_vs", confidence: 0, relevance: 0 }) - worst).toBeCloseTo(
      0.3,
    );
  });

  it("[BP1] takes the middle for what is unknown", () => {
    expect(priorityOf({})).toBeCloseTo(0.3 * 0.5 + 0.25 * 0.4 + 0.2 * 0.5 + 0.15 * 0.3 + 0.1 * 0.5);
  });

  it("[BP1] stays within 0 and 1 and grows with each part, whatever comes", () => {
    const any = fc.oneof(fc.double(), fc.double({ min: 0, max: 1 }));
    const weight = fc.double({ min: 0, max: 1, noNaN: true });
    const weights = fc.record({
      recency: weight,
      vs_level: weight,
      confidence: weight,
      dependencies: weight,
      user_relevance: weight,
    });
    fc.assert(
      fc.property(any, any, any, any, weights, (recency, confidence, dependents, relevance, some) => {
        const priority = priorityOf({ recency, confidence, dependents, relevance }, some);
        expect(priority).toBeGreaterThanOrEqual(0);
        expect(priority).toBeLessThanOrEqual(1 + 1e-9);
        const newer = priorityOf({ recency: 1, confidence, dependents, relevance }, some);
        expect(newer).toBeGreaterThanOrEqual(priority - 1e-9);
      }),
    );
  });

  it("[BP1] stays within 0 and 1 for what is no number", () => {
    const { NaN: none } = Number;
    const facts = { recency: none, confidence: none, dependents: none, relevance: none };
    expect(priorityOf(facts)).toBe(priorityOf({}));
    expect([recencyAt(none, 3), recencyAt(1, none)]).toEqual([0.5, 0.5]);
  });

  it("[BP1] weights of nothing make all equal", () => {
    const none = { recency: 0, vs_level: 0, confidence: 0, dependencies: 0, user_relevance: 0 };
    expect(priorityOf({ recency: 1 }, none)).toBe(0.5);
    expect(priorityOf({ recency: 0 }, { ...PRIORITY_WEIGHTS, recency: Number.NaN })).toBeGreaterThan(0);
  });

  it.each([
    [0.85, 0.85],
    [85, 0.85],
    [1, 1],
    [0, 0],
    [100, 1],
    [150, undefined],
    [-0.1, undefined],
    [Number.NaN, undefined],
    [Infinity, undefined],
  ])("[BP2] a confidence of %d is %s", (value, read) => {
    expect(readConfidence(value)).toBe(read);
  });

  it("[BP2] a confidence of 150 %% counts as unknown, not as much", () => {
    expect(priorityOf({ confidence: 150 })).toBe(priorityOf({}));
    expect(priorityOf({ confidence: Number.NaN })).toBe(priorityOf({}));
  });

  it("[BP1] recency comes from the position", () => {
    expect([0, 1, 2, 3, 4].map(at => recencyAt(at, 5))).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect(recencyAt(0, 1)).toBe(1);
    expect(recencyAt(9, 5)).toBe(1);
  });
});

describe("levels", () => {
  it.each([
    ["full", "full_vs"],
    ["Full", "full_vs"],
    ["full_vs", "full_vs"],
    ["FULL-VS", "full_vs"],
    ["Enhanced VS", "enhanced_vs"],
    [" light ", "light_vs"],
    ["fuller", undefined],
    ["", undefined],
  ])("[BC3] VS level %j is %s", (text, level) => {
    expect(readVsLevel(text)).toBe(level);
  });

  it.each([
    ["level_1", 1],
    ["level_1_summaries", 1],
    ["2", 2],
    ["key", 3],
    ["Detailed", 1],
    ["full", 0],
    ["level_4", undefined],
    ["level_", undefined],
    ["constructor", undefined],
    ["", undefined],
  ])("[BC3] compression %j is %s", (text, level) => {
    expect(readLevel(text)).toBe(level);
  });
});
