import type { TokenEstimate } from "./family.ts";

/** How far estimates of one model lie from what it reports. Plain data. */
export interface Calibration {
  /** Reported tokens per estimated token. */
  readonly factor: number;
  /** Mean distance of single reports from the factor. */
  readonly spread: number;
  readonly samples: number;
}

export const UNCALIBRATED: Calibration = { factor: 1, spread: 0, samples: 0 };

/** Weight of a new report, and how far one may move the factor. */
const WEIGHT = 0.2;
const STEP = 0.15;
const LEAST = 0.5;
const MOST = 2;
/** Reports after which the spread is believed. */
const ENOUGH = 5;
/** The margin that stays however steady the reports are. */
const MARGIN = 0.05;

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** Learns from one report: a moving average that no single report can throw off. Nonsense teaches nothing. */
export function calibrate(known: Calibration, estimated: number, reported: number): Calibration {
  const ratio = reported / estimated;
  if (!(estimated > 0) || !(reported > 0) || !Number.isFinite(ratio)) return known;
  const seen = clamp(ratio, LEAST, MOST);
  const step = clamp((seen - known.factor) * WEIGHT, -STEP, STEP);
  const factor = clamp(known.factor + step, LEAST, MOST);
  const distance = Math.abs(seen - factor);
  const spread = known.samples === 0 ? distance : known.spread + (distance - known.spread) * WEIGHT;
  return { factor, spread, samples: known.samples + 1 };
}

/** An estimate corrected by what the model has reported so far. */
export function calibrated(estimate: TokenEstimate, known: Calibration): TokenEstimate {
  const tokens = Math.round(estimate.tokens * known.factor);
  const learnt = Math.ceil(tokens * (1 + MARGIN + (2 * known.spread) / known.factor));
  const stated = Math.ceil(estimate.upper * Math.max(1, known.factor));
  return { tokens, upper: Math.max(tokens, known.samples < ENOUGH ? stated : learnt) };
}
