import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  calibrate,
  calibrated,
  countTokens,
  familyOf,
  inFamily,
  type TokenFamily,
  UNCALIBRATED,
  upperBound,
  wideShare,
} from "../../src/tokens/index.ts";

const FAMILIES: readonly TokenFamily[] = ["openai", "claude", "gemini", "other"];

describe("families", () => {
  it.each([
    ["claude-opus-4-7", "claude"],
    ["Claude Code", "claude"],
    ["sonnet", "claude"],
    ["gpt-5.6", "openai"],
    ["codex", "openai"],
    ["gemini-3-pro", "gemini"],
    ["llama-5", "other"],
    ["", "other"],
  ])("[TK7] %j belongs to %s", (name, family) => {
    expect(familyOf(name)).toBe(family);
  });

  it("[TK7] is exact for openai, whatever the script", () => {
    for (const share of [0, 0.5, 1])
      expect(inFamily(1234, share, "openai")).toEqual({ tokens: 1234, upper: 1234 });
  });

  it("[TK7] counts Korean dearer than English for Claude, and code nearly alike", () => {
    expect(inFamily(1000, 0, "claude").tokens).toBe(1090);
    expect(inFamily(1000, 1, "claude").tokens).toBe(1350);
    expect(inFamily(1000, 1, "claude").upper).toBe(1823);
  });

  it("[TK7] never bounds below the estimate", () => {
    fc.assert(
      fc.property(
        fc.nat(1_000_000),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.constantFrom(...FAMILIES),
        (tokens, share, family) => {
          const { tokens: estimate, upper } = inFamily(tokens, share, family);
          expect(upper).toBeGreaterThanOrEqual(estimate);
          expect(estimate).toBeGreaterThanOrEqual(tokens);
        },
      ),
    );
  });

  it("[TK7] sees the script of a text", () => {
    expect(wideShare("")).toBe(0);
    expect(wideShare("plain English text")).toBe(0);
    expect(wideShare("한국어문장")).toBe(1);
    const mixed = wideShare("예산: budget 150,000 tokens");
    expect(mixed).toBeGreaterThan(0);
    expect(mixed).toBeLessThan(0.5);
    expect(wideShare("한글 and more ".repeat(50_000))).toBeCloseTo(wideShare("한글 and more "), 1);
  });
});

describe("calibration", () => {
  it("[TK8] comes to what is reported, in steps", () => {
    let known = UNCALIBRATED;
    for (let round = 0; round < 60; round++) known = calibrate(known, 1000, 1300);
    expect(known.factor).toBeCloseTo(1.3, 2);
    expect(known.samples).toBe(60);
  });

  it("[TK8] is not thrown off by one report", () => {
    const after = calibrate(UNCALIBRATED, 1000, 1_000_000);
    expect(after.factor).toBeCloseTo(1.15);
    expect(calibrate(after, 1000, 1).factor).toBeGreaterThanOrEqual(1);
  });

  it.each([
    [0, 100],
    [100, 0],
    [-5, 100],
    [100, -5],
    [Number.NaN, 100],
    [100, Number.NaN],
    [100, Infinity],
  ])("[TK8] learns nothing from %d estimated and %d reported", (estimated, reported) => {
    expect(calibrate(UNCALIBRATED, estimated, reported)).toEqual(UNCALIBRATED);
  });

  it("[TK8] stays within half and double, whatever comes", () => {
    const reports = fc.array(fc.tuple(fc.double(), fc.double()), { maxLength: 50 });
    fc.assert(
      fc.property(reports, pairs => {
        let known = UNCALIBRATED;
        for (const [estimated, reported] of pairs) {
          const before = known.factor;
          known = calibrate(known, estimated, reported);
          expect(Math.abs(known.factor - before)).toBeLessThanOrEqual(0.15 + 1e-9);
          expect(known.factor).toBeGreaterThanOrEqual(0.5);
          expect(known.factor).toBeLessThanOrEqual(2);
          expect(Number.isFinite(known.spread)).toBe(true);
        }
      }),
    );
  });

  it("[TK9] bounds by the stated error first, by the reports' spread later", () => {
    const estimate = inFamily(1000, 0, "claude");
    expect(calibrated(estimate, UNCALIBRATED)).toEqual(estimate);
    let known = UNCALIBRATED;
    for (let round = 0; round < 40; round++) known = calibrate(known, 1090, 1200);
    const learnt = calibrated(estimate, known);
    expect(learnt.tokens).toBeGreaterThan(1180);
    expect(learnt.upper).toBeLessThan(estimate.upper);
    expect(learnt.upper).toBeGreaterThanOrEqual(1200);
  });

  it("[TK9] never bounds below the estimate", () => {
    fc.assert(
      fc.property(
        fc.nat(100_000),
        fc.array(fc.integer({ min: 1, max: 5000 }), { maxLength: 20 }),
        (tokens, reports) => {
          let known = UNCALIBRATED;
          for (const reported of reports) known = calibrate(known, 1000, reported);
          const { tokens: estimate, upper } = calibrated(inFamily(tokens, 0.3, "other"), known);
          expect(upper).toBeGreaterThanOrEqual(estimate);
        },
      ),
    );
  });

  it("[TK9] bounds a text by the name of its model", () => {
    const text = "예산을 넘지 않는다. Never over budget.";
    expect(upperBound(text, "gpt-5")).toBe(countTokens(text));
    expect(upperBound(text, "claude")).toBeGreaterThan(countTokens(text) * 1.35);
  });
});
