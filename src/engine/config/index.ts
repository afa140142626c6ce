export { type ConfigProblem, readConfig } from "./read.ts";
export { type Config, ConfigSchema, defaultConfig } from "./schema.ts";
