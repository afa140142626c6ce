import { describe, expect, it } from "vitest";
import { readTelemetry } from "../../src/adapters/telemetry/index.ts";

describe("the standard variables", () => {
  const read = (env: Readonly<Record<string, string>>, isWanted = true) =>
    readTelemetry(env, isWanted, "1.2.3");
  const found = (env: Readonly<Record<string, string>>, isWanted = true) => {
    const settings = read(env, isWanted);
    return settings.ok ? settings.value : settings.failure;
  };

  it("[OT6] say where each signal goes, with what, and for how long", () => {
    expect(found({})).toMatchObject({
      traces: { url: "http://localhost:4318/v1/traces", headers: {}, timeoutMs: 10_000, gzip: false },
      metrics: { url: "http://localhost:4318/v1/metrics" },
      resource: { "service.name": "espalier", "service.version": "1.2.3" },
      content: false,
      ratio: 1,
      spansEveryMs: 5000,
      metricsEveryMs: 60_000,
    });
    expect(
      found({
        OTEL_EXPORTER_OTLP_ENDPOINT: "https://c.example/base/",
        OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "https://m.example/x",
        OTEL_EXPORTER_OTLP_HEADERS: "a=1",
        OTEL_EXPORTER_OTLP_METRICS_HEADERS: "b=2%2C3",
        OTEL_EXPORTER_OTLP_TIMEOUT: "500",
        OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
        OTEL_TRACES_SAMPLER_ARG: "0.5",
        OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: "DELTA",
      }),
    ).toMatchObject({
      traces: { url: "https://c.example/base/v1/traces", headers: { a: "1" }, timeoutMs: 500 },
      metrics: { url: "https://m.example/x", headers: { b: "2,3" } },
      ratio: 0.5,
      temporality: "delta",
    });
  });

  it.each([
    [{ OTEL_SDK_DISABLED: "true" }, undefined],
    [{ OTEL_TRACES_EXPORTER: "none", OTEL_METRICS_EXPORTER: "none" }, undefined],
    [{ OTEL_TRACES_EXPORTER: "console" }, "OTEL_TRACES_EXPORTER may be otlp or none"],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: "ftp://x" },
      "the endpoint for traces is no http or https address without a user",
    ],
    [{ OTEL_EXPORTER_OTLP_HEADERS: "a b=c" }, "OTEL_EXPORTER_OTLP_HEADERS holds what is no header"],
    [
      { OTEL_EXPORTER_OTLP_HEADERS: "a=x%0d%0aHost: y" },
      "OTEL_EXPORTER_OTLP_HEADERS holds what is no header",
    ],
  ] as const)("[OT6] %j", (env, told) => {
    expect(found(env)).toEqual(told);
  });

  it("[OT1] without the wish one signal may be asked for by its name", () => {
    expect(found({}, false)).toBeUndefined();
    expect(found({ OTEL_TRACES_EXPORTER: "otlp" }, false)).toMatchObject({ metrics: undefined });
  });
});
