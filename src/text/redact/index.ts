export { createRedactor, looksSecret, type Redactor, textStream } from "./redact.ts";
export type { RedactionStream } from "./stream.ts";
