import { describe, expect, it } from "vitest";
import { readTelemetry } from "../../src/adapters/telemetry/index.ts";
import { reasonText } from "../../src/text/index.ts";

describe("the standard variables", () => {
  const read = (env: Readonly<Record<string, string>>, isWanted = true) =>
    readTelemetry(env, isWanted, "1.2.3");
  const found = (env: Readonly<Record<string, string>>, isWanted = true) => {
    const settings = read(env, isWanted);
    return settings.ok ? settings.value : reasonText(settings.failure, "en");
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

  it.each([
    [{ OTEL_TRACES_EXPORTER: "console" }, "OTEL_TRACES_EXPORTER에는 otlp와 none만 쓸 수 있습니다"],
    [
      { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "ftp://x" },
      "메트릭을 보낼 주소가 사용자 이름 없는 http 또는 https 주소가 아닙니다",
    ],
    [{ OTEL_EXPORTER_OTLP_HEADERS: "a b=c" }, "OTEL_EXPORTER_OTLP_HEADERS에 헤더가 아닌 것이 있습니다"],
    [
      { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
      "OTLP는 HTTP로만 보냅니다: OTEL_EXPORTER_OTLP_PROTOCOL=http/json으로 두세요. 포트는 보통 4318입니다",
    ],
  ])("[OT6] what they say and is not heeded is told in Korean as well: %j", (env, told) => {
    const settings = read(env as Record<string, string>);
    expect(settings.ok ? undefined : reasonText(settings.failure, "ko")).toBe(told);
  });

  it("[OT1] without the wish one signal may be asked for by its name", () => {
    expect(found({}, false)).toBeUndefined();
    expect(found({ OTEL_TRACES_EXPORTER: "otlp" }, false)).toMatchObject({ metrics: undefined });
  });
});
