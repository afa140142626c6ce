import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { because, fail, ok, type Reason, type ReasonArgs, type Result } from "../../ports/index.ts";
import { OWN } from "./names.ts";
import type { Target } from "./settings.ts";

/** What is absent is not told. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId?: string | undefined;
  readonly name: string;
  /** A call of somebody else's program, or work of our own. */
  readonly kind: "client" | "internal";
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly isError: boolean;
}

/** One figure with what it counts. */
export interface Metric {
  readonly name: string;
  readonly unit: string;
  readonly kind: "counter" | "gauge" | "histogram";
  readonly points: readonly Point[];
}

export interface Point {
  readonly attributes: Attributes;
  readonly startMs: number;
  readonly atMs: number;
  /** The sum of a histogram. */
  readonly value: number;
  readonly buckets?: { readonly bounds: readonly number[]; readonly counts: readonly number[] };
}

/** How often one batch is tried, and milliseconds before the next try. */
const TRIES = 3;
const PAUSE = 500;
const LONGEST_PAUSE = 5000;
/** Characters of an answer that are read. */
const LONGEST_ANSWER = 65_536;
/** Characters of one value. */
const LONGEST_VALUE = 65_536;

const zipped = promisify(gzip);

/** Money is a fraction, also where it happens to be whole: what an attribute is does not change with its value. */
const FRACTIONS: ReadonlySet<string> = new Set([OWN.cost, OWN.othersCost]);

/** Whole numbers of 64 bits are text in the JSON of protocol buffers; half a character makes a reader refuse all of it. */
function anyValue(key: string, value: string | number | boolean): object {
  if (typeof value === "string") return { stringValue: value.slice(0, LONGEST_VALUE).toWellFormed() };
  if (typeof value === "boolean") return { boolValue: value };
  const isWhole = Number.isInteger(value) && !FRACTIONS.has(key);
  return isWhole ? { intValue: String(value) } : { doubleValue: value };
}

function keyValues(attributes: Attributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(key, value) }],
  );
}

function nanos(ms: number): string {
  return `${BigInt(Math.round(ms * 1000)) * 1000n}`;
}

const SCOPE = { name: "espalier" };

/** Spans as a request of OTLP. */
export function tracesJson(resource: Attributes, spans: readonly Span[]): object {
  const told = spans.map(
    ({ traceId, spanId, parentId, name, kind, startMs, endMs, attributes, isError }) => ({
      traceId,
      spanId,
      ...(parentId === undefined ? {} : { parentSpanId: parentId }),
      name,
      kind: kind === "client" ? 3 : 1,
      startTimeUnixNano: nanos(startMs),
      endTimeUnixNano: nanos(Math.max(startMs, endMs)),
      attributes: keyValues(attributes),
      status: isError ? { code: 2 } : {},
    }),
  );
  return {
    resourceSpans: [
      { resource: { attributes: keyValues(resource) }, scopeSpans: [{ scope: SCOPE, spans: told }] },
    ],
  };
}

function pointJson({ attributes, startMs, atMs, value, buckets }: Point): object {
  const common = {
    attributes: keyValues(attributes),
    startTimeUnixNano: nanos(startMs),
    timeUnixNano: nanos(atMs),
  };
  if (buckets === undefined) return { ...common, asDouble: value };
  const count = buckets.counts.reduce((sum, one) => sum + one, 0);
  return {
    ...common,
    sum: value,
    count: String(count),
    bucketCounts: buckets.counts.map(String),
    explicitBounds: buckets.bounds,
  };
}

/** Figures as a request of OTLP. */
export function metricsJson(
  resource: Attributes,
  metrics: readonly Metric[],
  temporality: "cumulative" | "delta",
): object {
  const aggregationTemporality = temporality === "delta" ? 1 : 2;
  const told = metrics.map(({ name, unit, kind, points }) => {
    const dataPoints = points.map(pointJson);
    if (kind === "gauge") return { name, unit, gauge: { dataPoints } };
    if (kind === "histogram") return { name, unit, histogram: { dataPoints, aggregationTemporality } };
    return { name, unit, sum: { dataPoints, aggregationTemporality, isMonotonic: true } };
  });
  return {
    resourceMetrics: [
      { resource: { attributes: keyValues(resource) }, scopeMetrics: [{ scope: SCOPE, metrics: told }] },
    ],
  };
}

/** Milliseconds that the other side asks to be left alone for. */
function askedPause(response: Response): number {
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) ? Math.min(LONGEST_PAUSE, Math.max(0, seconds * 1000)) : 0;
}

/** How many spans or points a collector refused of a request that it took; 0 where it does not say so. */
async function rejectedOf(response: Response): Promise<number> {
  let text = "";
  try {
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString("latin1");
      if (text.length > LONGEST_ANSWER) return 0;
    }
    const { rejectedSpans, rejectedDataPoints } = JSON.parse(text).partialSuccess;
    const rejected = Number(rejectedSpans ?? rejectedDataPoints ?? 0);
    return Number.isSafeInteger(rejected) ? Math.max(0, rejected) : 0;
  } catch {
    return 0;
  }
}

/** Why a request was not taken: its own words, such as a status, where there are no others. */
type Why = ReasonArgs["telemetry-unsent"]["why"] | { readonly said: string };

const AGAIN: ReadonlySet<number> = new Set([429, 502, 503, 504]);

async function post(
  target: Target,
  body: string | Uint8Array<ArrayBuffer>,
  over: AbortSignal,
): Promise<Result<void, { why: Why; again: boolean; pause: number }>> {
  try {
    const response = await fetch(target.url, {
      method: "POST",
      headers: {
        ...target.headers,
        "content-type": "application/json",
        ...(target.gzip ? { "content-encoding": "gzip" } : {}),
      },
      body,
      // Headers may be secrets of the one address that was named.
      redirect: "manual",
      signal: AbortSignal.any([AbortSignal.timeout(target.timeoutMs), over]),
    });
    if (response.ok) {
      const rejected = await rejectedOf(response);
      return rejected === 0 ? ok(undefined) : fail({ why: { rejected }, again: false, pause: 0 });
    }
    await response.body?.cancel();
    return fail({
      why: { said: `HTTP ${response.status}` },
      again: AGAIN.has(response.status),
      pause: askedPause(response),
    });
  } catch (error) {
    if (over.aborted) return fail({ why: "no-time", again: false, pause: 0 });
    const { name, cause } = error as Error;
    const code = (cause as NodeJS.ErrnoException | undefined)?.code;
    return fail({
      why: name === "TimeoutError" ? "no-answer" : { said: code ?? name },
      again: true,
      pause: 0,
    });
  }
}

/** Sends one request, three times at most, until `over`. The failure names the host and nothing else of the address. */
export async function sendOtlp(
  target: Target,
  request: object,
  over: AbortSignal,
): Promise<Result<void, string | Reason>> {
  const text = JSON.stringify(request);
  const body = target.gzip ? new Uint8Array(await zipped(text)) : text;
  for (let tried = 1; ; tried++) {
    const done = await post(target, body, over);
    if (done.ok) return done;
    const { why, again, pause } = done.failure;
    const at = new URL(target.url).host;
    if (!again || tried === TRIES)
      return fail(
        typeof why === "object" && "said" in why
          ? `${at}: ${why.said}`
          : because("telemetry-unsent", { at, why }),
      );
    await wait(Math.max(pause, PAUSE * tried), undefined, { signal: over }).catch(() => {});
  }
}
