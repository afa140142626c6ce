export type { AgentConfig } from "./agents.ts";
export { readConfig } from "./read.ts";
export { type Config, ConfigSchema, defaultConfig } from "./schema.ts";
export { type ConfigProblem, type OpenYaml, openYaml } from "./yaml.ts";
