import { z } from "zod";

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const SIZES: Readonly<Record<string, number>> = { B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 };

function withUnit(units: Readonly<Record<string, number>>, example: string) {
  return z.string().transform((text, context) => {
    const unit = Object.keys(units)
      .filter(name => text.endsWith(name))
      .sort((a, b) => b.length - a.length)[0];
    const amount = unit === undefined ? Number.NaN : Number(text.slice(0, -unit.length).trim());
    if (unit !== undefined && Number.isFinite(amount) && amount >= 0)
      return Math.round(amount * units[unit]!);
    context.addIssue({ code: "custom", message: `expected something like ${example}, found "${text}"` });
    return z.NEVER;
  });
}

/** `30s`, `10m`, `1h`: milliseconds. */
const Duration = withUnit(UNITS, "30s, 10m or 1h");
/** `200MB`: bytes. */
const Size = withUnit(SIZES, "64KB, 200MB or 1GB");

const name = z.string().min(1).max(100);
const command = z.string().min(1).max(4000);

/** `espalier.yaml`, version 1. Every key has a default; unknown keys are errors. */
export const ConfigSchema = z.strictObject({
  /** Language of log lines and prompts. */
  locale: z.enum(["en", "ko"]).default("en"),
  /** Task file, relative to the project; by default the usual places are searched. */
  tasks: z.string().max(1000).optional(),
  /** Where state lives; `.claude` puts it where document 004 has it. */
  stateDir: z.string().min(1).max(1000).default(".espalier"),
  /** Agent for tasks that name none: `shell`, `command`, or a name under `agents`. */
  agent: name.default("shell"),
  /** Command line of the agent `command`. */
  command: command.optional(),
  /** More agents by name. */
  agents: z.record(name, z.strictObject({ command })).default({}),
  /** Which agent works for a role (specialist). */
  roles: z.record(name, name).default({}),
  /** Tasks at once: a number, or `declared` for declared groups only. */
  parallel: z.union([z.int().min(1).max(1000), z.literal("declared")]).default(5),
  /** Attempts of a task until it has failed. */
  maxAttempts: z.int().min(1).max(1000).default(10),
  /** Equal failures in a row until a task waits for a person; 0: never. */
  sameError: z.int().min(0).max(1000).default(3),
  /** Share of a phase that must complete before the next one starts. */
  phaseGate: z.number().min(0).max(1).default(0.9),
  backoff: z.strictObject({ first: Duration.default(1000), max: Duration.default(60_000) }).prefault({}),
  limits: z
    .strictObject({
      wall: Duration.default(3_600_000),
      idle: Duration.default(600_000),
      grace: Duration.default(10_000),
      log: Size.default(200 * 1024 ** 2),
    })
    .prefault({}),
  /** `plain` also accepts the documents' `DONE:T1.3` without the per-attempt nonce. */
  signals: z.enum(["nonce", "plain"]).default("nonce"),
  /** Command that proves a task which has no `verify:` of its own. */
  verify: command.optional(),
  /** Names of environment variables agents may see besides the usual ones. */
  env: z.array(name).max(200).default([]),
  /** Tokens in the lead's window, for lead mode. */
  contextWindow: z.int().min(1000).default(200_000),
  heartbeat: Duration.default(30_000),
  /** What to do when the task file changes under a run. */
  plan: z.enum(["reconcile", "frozen"]).default("reconcile"),
});

export type Config = z.infer<typeof ConfigSchema>;

/** Every default. */
export function defaultConfig(): Config {
  return ConfigSchema.parse({});
}
