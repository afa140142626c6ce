/** The JSON of OTLP 1 as its protocol buffers say: what a receiver that knows nothing else takes. */
import { z } from "zod";

const nanos = z.string().regex(/^\d{19}$/);
const count = z.string().regex(/^\d+$/);

/** Bytes in hexadecimal, not all of them 0. */
function hex(digits: number) {
  return z.string().regex(new RegExp(`^(?!0+$)[0-9a-f]{${digits}}$`));
}

const anyValue = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
  z.strictObject({ doubleValue: z.number() }),
]);
const attributes = z.array(z.strictObject({ key: z.string().min(1), value: anyValue }));
const resource = z.strictObject({ attributes });
const scope = z.strictObject({ name: z.string(), version: z.string().optional() });

const span = z
  .strictObject({
    traceId: hex(32),
    spanId: hex(16),
    parentSpanId: hex(16).optional(),
    name: z.string().min(1),
    kind: z.int().min(1).max(5),
    startTimeUnixNano: nanos,
    endTimeUnixNano: nanos,
    attributes,
    status: z.strictObject({ code: z.int().min(0).max(2).optional(), message: z.string().optional() }),
    flags: z.int().optional(),
  })
  .refine(({ startTimeUnixNano: start, endTimeUnixNano: end }) => BigInt(start) <= BigInt(end), "ends first");

const point = { attributes, startTimeUnixNano: nanos.optional(), timeUnixNano: nanos };
const numbers = z.array(
  z.union([
    z.strictObject({ ...point, asDouble: z.number() }),
    z.strictObject({ ...point, asInt: z.string().regex(/^-?\d+$/) }),
  ]),
);
const temporality = z.int().min(1).max(2);
const histogram = z
  .strictObject({
    ...point,
    count,
    sum: z.number().optional(),
    min: z.number().optional(),
    max: z.number().optional(),
    bucketCounts: z.array(count),
    explicitBounds: z.array(z.number()),
  })
  .refine(
    ({ bucketCounts: counts, explicitBounds: bounds }) => counts.length === bounds.length + 1,
    "buckets",
  )
  .refine(
    ({ bucketCounts: counts, count: all }) =>
      counts.reduce((sum, one) => sum + Number(one), 0) === Number(all),
    "the count is that of the buckets",
  );
const named = { name: z.string().min(1), unit: z.string(), description: z.string().optional() };
const metric = z.union([
  z.strictObject({
    ...named,
    sum: z.strictObject({
      dataPoints: numbers,
      aggregationTemporality: temporality,
      isMonotonic: z.boolean(),
    }),
  }),
  z.strictObject({ ...named, gauge: z.strictObject({ dataPoints: numbers }) }),
  z.strictObject({
    ...named,
    histogram: z.strictObject({ dataPoints: z.array(histogram), aggregationTemporality: temporality }),
  }),
]);

/** What is posted to `/v1/traces` or `/v1/metrics`. */
export const OTLP = z.union([
  z.strictObject({
    resourceSpans: z.array(
      z.strictObject({ resource, scopeSpans: z.array(z.strictObject({ scope, spans: z.array(span) })) }),
    ),
  }),
  z.strictObject({
    resourceMetrics: z.array(
      z.strictObject({
        resource,
        scopeMetrics: z.array(z.strictObject({ scope, metrics: z.array(metric) })),
      }),
    ),
  }),
]);
