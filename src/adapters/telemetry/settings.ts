import { because, fail, ok, type Reason, type ReasonArgs, type Result } from "../../ports/index.ts";

/** Where one signal goes. */
export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds one try may take. */
  readonly timeoutMs: number;
  readonly gzip: boolean;
}

/** What the standard variables of OpenTelemetry say, as far as it is heeded here. */
export interface TelemetrySettings {
  readonly traces: Target | undefined;
  readonly metrics: Target | undefined;
  readonly resource: Readonly<Record<string, string>>;
  /** Words of agents and tasks go along. */
  readonly content: boolean;
  readonly temporality: "cumulative" | "delta";
  /** The share of runs whose traces are sent. */
  readonly ratio: number;
  /** Milliseconds between two batches of spans, and between two readings of all figures. */
  readonly spansEveryMs: number;
  readonly metricsEveryMs: number;
  readonly queue: number;
  readonly batch: number;
}

type Env = Readonly<Record<string, string | undefined>>;
type Signal = "traces" | "metrics";

function setting(env: Env, name: string): string | undefined {
  const value = env[name]?.trim() ?? "";
  return value === "" ? undefined : value;
}

/** What is said of one signal, else of all. */
function ofSignal(env: Env, signal: Signal, name: string): string | undefined {
  return (
    setting(env, `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_${name}`) ??
    setting(env, `OTEL_EXPORTER_OTLP_${name}`)
  );
}

function numberOf(env: Env, name: string, usual: number): number {
  const value = Number(setting(env, name) ?? usual);
  return Number.isFinite(value) && value >= 0 ? value : usual;
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `key=value,key2=value2`, as headers and attributes of the resource are written. */
function pairs(text: string | undefined): Record<string, string> {
  const found = (text ?? "").split(",").flatMap(pair => {
    const at = pair.indexOf("=");
    const key = pair.slice(0, Math.max(0, at)).trim();
    return key === "" ? [] : [[key, unescaped(pair.slice(at + 1).trim())] as const];
  });
  return Object.fromEntries(found);
}

function refused(signal: Signal, why: ReasonArgs["telemetry-setting"]["why"]): Result<never, Reason> {
  return fail(because("telemetry-setting", { signal, why }));
}

function addressOf(env: Env, signal: Signal): Result<string, Reason> {
  const own = setting(env, `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`);
  const base = setting(env, "OTEL_EXPORTER_OTLP_ENDPOINT") ?? "http://localhost:4318";
  const url = URL.parse(own ?? `${base.replace(/\/$/, "")}/v1/${signal}`);
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  if (url === null || !isWeb || url.username !== "" || url.password !== "") return refused(signal, "address");
  return ok(url.href);
}

/** Whether and where a signal goes; undefined for nowhere. */
function targetOf(env: Env, signal: Signal, isWanted: boolean): Result<Target | undefined, Reason> {
  const exporter = setting(env, `OTEL_${signal.toUpperCase()}_EXPORTER`) ?? (isWanted ? "otlp" : "none");
  if (exporter === "none") return ok(undefined);
  if (exporter !== "otlp") return refused(signal, "exporter");
  if (ofSignal(env, signal, "PROTOCOL") === "grpc") return refused(signal, "grpc");
  const url = addressOf(env, signal);
  if (!url.ok) return url;
  const headers = pairs(ofSignal(env, signal, "HEADERS"));
  const isHeader = ([name, value]: readonly [string, string]) =>
    /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e]*$/.test(value);
  if (!Object.entries(headers).every(isHeader)) return refused(signal, "headers");
  const timeoutMs = Number(ofSignal(env, signal, "TIMEOUT") ?? 10_000);
  return ok({
    url: url.value,
    headers,
    timeoutMs: Number.isFinite(timeoutMs) && timeoutMs > 0 ? timeoutMs : 10_000,
    gzip: ofSignal(env, signal, "COMPRESSION") === "gzip",
  });
}

/** The share that a sampler takes; who begins a trace has no parent to ask. */
function ratioOf(env: Env): number {
  const sampler = setting(env, "OTEL_TRACES_SAMPLER")?.replace(/^parentbased_/, "");
  if (sampler === "always_off") return 0;
  return sampler === "traceidratio" ? Math.min(1, numberOf(env, "OTEL_TRACES_SAMPLER_ARG", 1)) : 1;
}

/**
 * Reads the standard variables. Undefined where nothing is to be sent: nobody asked for it, or it is switched off. The failure
 * says what is wrong without repeating a value.
 */
export function readTelemetry(
  env: Env,
  isWanted: boolean,
  version: string,
): Result<TelemetrySettings | undefined, Reason> {
  if (setting(env, "OTEL_SDK_DISABLED")?.toLowerCase() === "true") return ok(undefined);
  const traces = targetOf(env, "traces", isWanted);
  const metrics = targetOf(env, "metrics", isWanted);
  if (!traces.ok) return traces;
  if (!metrics.ok) return metrics;
  if (traces.value === undefined && metrics.value === undefined) return ok(undefined);
  const given = pairs(setting(env, "OTEL_RESOURCE_ATTRIBUTES"));
  const preference = setting(env, "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE")?.toLowerCase();
  return ok({
    traces: traces.value,
    metrics: metrics.value,
    resource: {
      "service.name": "espalier",
      "service.version": version,
      "telemetry.sdk.language": "nodejs",
      ...given,
      ...(setting(env, "OTEL_SERVICE_NAME") === undefined
        ? {}
        : { "service.name": env["OTEL_SERVICE_NAME"]!.trim() }),
    },
    content: setting(env, "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT")?.toLowerCase() === "true",
    temporality: preference === "delta" ? "delta" : "cumulative",
    ratio: ratioOf(env),
    spansEveryMs: numberOf(env, "OTEL_BSP_SCHEDULE_DELAY", 5000),
    metricsEveryMs: Math.max(100, numberOf(env, "OTEL_METRIC_EXPORT_INTERVAL", 60_000)),
    queue: Math.max(1, numberOf(env, "OTEL_BSP_MAX_QUEUE_SIZE", 2048)),
    batch: Math.max(1, numberOf(env, "OTEL_BSP_MAX_EXPORT_BATCH_SIZE", 512)),
  });
}
