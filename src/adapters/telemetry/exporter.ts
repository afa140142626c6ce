import type { Clock } from "../../ports/index.ts";
import type { Figures } from "./figures.ts";
import { type Metric, metricsJson, type Span, sendOtlp, tracesJson } from "./otlp.ts";
import type { TelemetrySettings } from "./settings.ts";

export interface ExporterOptions {
  readonly settings: TelemetrySettings;
  readonly clock: Clock;
  readonly figures: Figures;
  /** How things stand, beside what was counted. */
  readonly gauges: (atMs: number) => readonly Metric[];
  /** Called once in all. */
  readonly onProblem: (said: string) => void;
}

/** Sends spans in batches and figures in intervals; holds nothing up. */
export interface Exporter {
  span(span: Span): void;
  /** Sends what is left. */
  flush(): Promise<void>;
  close(): void;
}

export function createExporter({ settings, clock, figures, gauges, onProblem }: ExporterOptions): Exporter {
  const { traces, metrics, resource, temporality, queue, batch, spansEveryMs, metricsEveryMs } = settings;
  const waiting: Span[] = [];
  const sending = new Set<Promise<void>>();
  let lost = 0;
  let isTold = false;
  let cancelSpans: (() => void) | undefined;

  const problem = (said: string): void => {
    if (isTold) return;
    isTold = true;
    onProblem(said);
  };
  const send = (target: NonNullable<typeof traces>, request: object): void => {
    const own: Promise<void> = sendOtlp(target, request)
      .then(done => {
        if (!done.ok) problem(done.failure);
      })
      .finally(() => sending.delete(own));
    sending.add(own);
  };
  const sendSpans = (): void => {
    cancelSpans = undefined;
    while (traces !== undefined && waiting.length > 0)
      send(traces, tracesJson(resource, waiting.splice(0, batch)));
    if (lost > 0) problem(`${lost} spans were too many at once`);
    lost = 0;
  };
  const sendFigures = (): void => {
    const at = clock.now();
    const read = [...figures.read(at), ...gauges(at)];
    if (metrics !== undefined && read.length > 0) send(metrics, metricsJson(resource, read, temporality));
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
      if (waiting.length >= batch) {
        cancelSpans?.();
        sendSpans();
      } else cancelSpans ??= clock.after(spansEveryMs, sendSpans);
    },
    async flush() {
      cancelSpans?.();
      sendSpans();
      sendFigures();
      while (sending.size > 0) await Promise.all(sending);
    },
    close() {
      cancelSpans?.();
      cancelFigures();
    },
  };
}
