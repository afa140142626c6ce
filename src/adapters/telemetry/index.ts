export { createExporter } from "./exporter.ts";
export { createFigures } from "./figures.ts";
export type { Metric } from "./otlp.ts";
export { readTelemetry } from "./settings.ts";
export { createTraces, isSampled } from "./traces.ts";
