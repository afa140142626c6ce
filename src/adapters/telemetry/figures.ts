import type { Attributes, Metric, Point } from "./otlp.ts";

/** Bounds that the conventions advise for tokens and seconds; attempts of agents take longer than calls of models. */
const BOUNDS: Readonly<Record<string, readonly number[]>> = {
  "{token}": Array.from({ length: 14 }, (_, at) => 4 ** at),
  s: [1, 2, 5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120],
};

interface Kept {
  readonly attributes: Attributes;
  value: number;
  counts: number[];
}

/** Sums and distributions, by their attributes, between two readings or since the beginning. */
export interface Figures {
  add(name: string, unit: string, value: number, attributes: Attributes): void;
  spread(name: string, unit: string, value: number, attributes: Attributes): void;
  /** Everything as it stands; with `delta` what was read is forgotten. */
  read(atMs: number): readonly Metric[];
}

/** `startMs` is the time from which on is counted. */
export function createFigures(startMs: number, temporality: "cumulative" | "delta"): Figures {
  const metrics = new Map<string, { unit: string; kind: "counter" | "histogram"; kept: Map<string, Kept> }>();
  let since = startMs;

  const keptOf = (
    name: string,
    unit: string,
    kind: "counter" | "histogram",
    attributes: Attributes,
  ): Kept => {
    const metric = metrics.get(name) ?? { unit, kind, kept: new Map<string, Kept>() };
    metrics.set(name, metric);
    const key = JSON.stringify(attributes);
    const kept = metric.kept.get(key) ?? { attributes, value: 0, counts: [] };
    metric.kept.set(key, kept);
    return kept;
  };

  return {
    add(name, unit, value, attributes) {
      keptOf(name, unit, "counter", attributes).value += value;
    },
    spread(name, unit, value, attributes) {
      const kept = keptOf(name, unit, "histogram", attributes);
      const bounds = BOUNDS[unit]!;
      if (kept.counts.length === 0) kept.counts = Array.from({ length: bounds.length + 1 }, () => 0);
      const at = bounds.findIndex(bound => value <= bound);
      kept.counts[at < 0 ? bounds.length : at]!++;
      kept.value += value;
    },
    read(atMs) {
      const read = [...metrics].map(([name, { unit, kind, kept }]): Metric => {
        const points = [...kept.values()].map(({ attributes, value, counts }): Point => {
          const point = { attributes, startMs: since, atMs, value };
          return kind === "counter"
            ? point
            : { ...point, buckets: { bounds: BOUNDS[unit]!, counts: [...counts] } };
        });
        return { name, unit, kind, points };
      });
      if (temporality === "delta") {
        metrics.clear();
        since = atMs;
      }
      return read;
    },
  };
}
