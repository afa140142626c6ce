export { duration } from "./duration.ts";
export { ENGLISH } from "./english.ts";
export { KOREAN } from "./korean.ts";
export type { Locale, Messages, PromptFacts } from "./messages.ts";
export { messagesFor } from "./messages-for.ts";
export { nearest } from "./nearest.ts";
export { createRedactor, looksSecret } from "./redact.ts";
export { slug } from "./slug.ts";
export { firstLine, visible, visibleLines } from "./visible.ts";
