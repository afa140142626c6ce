import { type Config, configSchema, ONCE } from "./schema.ts";

/** Every default. The bundle holds what this returns as data: no schema is made for it at a start. */
export function defaultConfig(): Config {
  return configSchema().parse({}, ONCE);
}
