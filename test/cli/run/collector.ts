import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { z } from "zod";
import { OTLP } from "./otlp-schema.ts";

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, string | number | boolean>>;
}

export interface SeenSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code?: number };
  readonly attributes: readonly KeyValue[];
}

export interface SeenMetric {
  readonly name: string;
  readonly unit: string;
  readonly sum?: { readonly dataPoints: readonly Readonly<Record<string, unknown>>[] };
  readonly histogram?: {
    readonly aggregationTemporality: number;
    readonly dataPoints: readonly Readonly<Record<string, unknown>>[];
  };
  readonly gauge?: { readonly dataPoints: readonly Readonly<Record<string, unknown>>[] };
}

/** Attributes as an object. */
export function attributesOf({ attributes }: Pick<SeenSpan, "attributes">): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

/** A receiver of OTLP over HTTP on this machine: what arrives, as it would be decoded. */
export async function openCollector(status = 200) {
  const seen = {
    requests: [] as { readonly path: string; readonly headers: Readonly<Record<string, unknown>> }[],
    spans: [] as SeenSpan[],
    metrics: [] as SeenMetric[],
    resources: [] as Record<string, unknown>[],
    text: "",
    /** Why a request is not what the protocol says. */
    unread: [] as string[],
  };
  const take = (body: Buffer) => {
    seen.text += body.toString();
    const json = JSON.parse(body.toString());
    const read = OTLP.safeParse(json);
    if (!read.success) seen.unread.push(z.prettifyError(read.error));
    for (const { resource, scopeSpans } of json.resourceSpans ?? []) {
      seen.resources.push(attributesOf(resource));
      for (const { spans } of scopeSpans) seen.spans.push(...spans);
    }
    for (const { scopeMetrics } of json.resourceMetrics ?? [])
      for (const { metrics } of scopeMetrics) seen.metrics.push(...metrics);
  };
  const waiters = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      seen.requests.push({ path: request.url ?? "", headers: request.headers });
      const body = Buffer.concat(chunks);
      take(request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body);
      response.writeHead(status, { "content-type": "application/json" }).end("{}");
      for (const look of waiters) look();
    });
  });
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
  return {
    seen,
    /** Resolves once what arrived makes `check` true. */
    until: (check: () => boolean) =>
      new Promise<void>(resolve => {
        const look = () => {
          if (!check()) return;
          waiters.delete(look);
          resolve();
        };
        waiters.add(look);
        look();
      }),
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>(resolve => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
