export { accountOf } from "./accounts.ts";
export type { AgentConfig } from "./agents.ts";
export { configuredLocale } from "./configured-locale.ts";
export { defaultConfig } from "./defaults.ts";
export { problemIn, readConfig } from "./read.ts";
export { type Config, configSchema } from "./schema.ts";
export { type ConfigProblem, type OpenYaml, openYaml } from "./yaml.ts";
