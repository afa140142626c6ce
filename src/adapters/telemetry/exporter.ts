import { because, type Clock, type Reason } from "../../ports/index.ts";
import type { Figures } from "./figures.ts";
import { type Metric, metricsJson, type Span, sendOtlp, tracesJson } from "./otlp.ts";
import type { Target, TelemetrySettings } from "./settings.ts";

export interface ExporterOptions {
  readonly settings: TelemetrySettings;
  readonly clock: Clock;
  readonly figures: Figures;
  /** How things stand, beside what was counted. */
  readonly gauges: (atMs: number) => readonly Metric[];
  /** Called once in all. */
  readonly onProblem: (said: string | Reason) => void;
}

/** Sends spans in batches and figures in intervals; holds nothing up. */
export interface Exporter {
  span(span: Span): void;
  /** Sends what is left. */
  flush(): Promise<void>;
  /** Breaks off what is on its way. */
  close(): void;
}

export function createExporter({ settings, clock, figures, gauges, onProblem }: ExporterOptions): Exporter {
  const { traces, metrics, resource, temporality, queue, batch, spansEveryMs, metricsEveryMs } = settings;
  const waiting: Span[] = [];
  const over = new AbortController();
  let lost = 0;
  let isTold = false;
  let cancelSpans: (() => void) | undefined;
  let spansOnTheirWay: Promise<void> | undefined;
  let figuresOnTheirWay: Promise<void> | undefined;

  const problem = (said: string | Reason): void => {
    if (isTold) return;
    isTold = true;
    onProblem(said);
  };
  const send = async (target: Target, request: object): Promise<void> => {
    const done = await sendOtlp(target, request, over.signal);
    if (!done.ok) problem(done.failure);
  };
  /** One batch after the other: beside a slow collector no more is held than the queue. */
  const drain = async (target: Target): Promise<void> => {
    while (waiting.length > 0) await send(target, tracesJson(resource, waiting.splice(0, batch)));
    spansOnTheirWay = undefined;
  };
  const sendSpans = (): void => {
    cancelSpans?.();
    cancelSpans = undefined;
    if (traces !== undefined) spansOnTheirWay ??= drain(traces);
    if (lost > 0) problem(because("spans-lost", { spans: lost }));
    lost = 0;
  };
  const tellFigures = async (target: Target): Promise<void> => {
    const at = clock.now();
    const read = [...figures.read(at), ...gauges(at)];
    if (read.length > 0) await send(target, metricsJson(resource, read, temporality));
    figuresOnTheirWay = undefined;
  };
  /** While the last ones are on their way, newer ones are read with the next. */
  const sendFigures = (): void => {
    if (metrics !== undefined) figuresOnTheirWay ??= tellFigures(metrics);
  };
  let cancelFigures = metrics === undefined ? () => {} : clock.after(metricsEveryMs, again);
  function again(): void {
    sendFigures();
    cancelFigures = clock.after(metricsEveryMs, again);
  }

  return {
    span(span) {
      if (traces === undefined) return;
      if (waiting.length >= queue) {
        lost++;
        return;
      }
      waiting.push(span);
      if (waiting.length >= batch) sendSpans();
      else cancelSpans ??= clock.after(spansEveryMs, sendSpans);
    },
    async flush() {
      await figuresOnTheirWay;
      sendSpans();
      sendFigures();
      await Promise.all([spansOnTheirWay, figuresOnTheirWay]);
    },
    close() {
      cancelSpans?.();
      cancelFigures();
      over.abort();
    },
  };
}
