import { z } from "zod";
import { budgetSchema } from "../budget/index.ts";
import { LEAD } from "../ports/index.ts";
import { INJECTION_POINTS, type PointId } from "../sync/index.ts";
import { agents } from "./agents.ts";
import { contextTreeKeys } from "./context-tree.ts";
import { notifySchema } from "./notify.ts";
import { gitSchema, phaseSchema, worktreeSchema } from "./repository.ts";
import { reviewSchema } from "./review.ts";

const POINTS = Object.keys(INJECTION_POINTS) as PointId[];

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const SIZES: Readonly<Record<string, number>> = { B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 };

/** A plain decimal number; `Number` alone would also take `""`, `0x10` and `1e9`. */
function amountOf(text: string): number {
  return /^\d{1,15}(?:\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
}

function withUnit(units: Readonly<Record<string, number>>, example: string, least: number) {
  const names = Object.keys(units).sort((a, b) => b.length - a.length);
  const expected = `expected something like ${example}`;
  return z.string({ error: expected }).transform((text, context) => {
    const unit = names.find(name => text.endsWith(name));
    const value =
      unit === undefined
        ? Number.NaN
        : Math.round(amountOf(text.slice(0, -unit.length).trim()) * units[unit]!);
    if (value >= least) return value;
    const message = value < least ? `${text} is too little` : `${expected}, found "${text}"`;
    context.addIssue({ code: "custom", message, params: { expected, found: text } });
    return z.NEVER;
  });
}

const DURATION = "30s, 10m or 1h";
/** `30s`, `10m`, `1h`: milliseconds. */
const duration = () => withUnit(UNITS, DURATION, 0);
/** A limit: one of nothing would end every attempt before it began. */
const limit = () => withUnit(UNITS, DURATION, 1);
const heartbeat = () => withUnit(UNITS, DURATION, 100);
/** `200MB`: bytes. */
const size = () => withUnit(SIZES, "64KB, 200MB or 1GB", 0);

/** One row of the table of injection points, as far as it is to differ. */
const point = () =>
  z.strictObject({
    context: z.enum(["full", "delta", "version", "none"]).optional(),
    task: z.boolean().optional(),
    to: z.enum(["one", "affected", "all"]).optional(),
  });

/** How the shared context is made and kept in step. */
const context = () =>
  z.strictObject({
    ...contextTreeKeys(),
    /** Versions one delta may bridge, counted from what a teammate has proved to hold; `any` bridges every gap by one. */
    maxGap: z
      .union([z.int().min(1).max(1000), z.literal("any")], {
        error: 'expected a number from 1 to 1000, or "any"',
      })
      .default(1),
    /** Share of the whole document above which a change is sent as a whole. */
    majorRestructure: z.number().min(0).max(1).default(0.5),
    /** How long an acknowledgement may take; also the longest that a gate waits. */
    ackTimeout: limit().default(120_000),
    /** Messages to a teammate without progress until it is left alone. */
    maxSends: z.int().min(1).max(100).default(3),
    /** Who learns of a change at once: those it affects, or all. */
    routing: z.enum(["impact", "all"]).default("impact"),
    /** Newest versions whose texts are kept for publishers; what teammates need is kept besides. */
    keepVersions: z.int().min(1).max(10_000).default(20),
    /** Teammates of earlier runs that are remembered, of each document. */
    keepEnded: z.int().min(0).max(10_000).default(20),
    /** Whether a document's front matter is made to say its version. */
    stampVersion: z.boolean().default(false),
    /** What comes of a completion on a context that has changed: it is marked, asked for once more, or not taken. */
    stale: z.enum(["warn", "verify", "refuse"]).default("warn"),
    /** Overrides of the table of injection points, such as `IP-002: { context: full }`. */
    points: z.partialRecord(z.enum(POINTS, { error: "expected IP-001 to IP-010" }), point()).default({}),
  });

const name = () => z.string().min(1).max(100);
/** Who may be given work. */
const worker = () =>
  name().refine(one => one !== LEAD, "the name lead is a lead's own: choose an agent of another name");
const command = () => z.string().min(1).max(4000);
/** The name of an environment variable, or how the names of several begin. */
const variable = () =>
  name().regex(/^(?:[A-Za-z_]\w*)?\*?$/, "expected the name of a variable, or its beginning with *");

/** Part of a line; what is too short would be found everywhere. */
const quotaPattern = () =>
  z
    .string()
    .max(200)
    .refine(
      text => text.replaceAll("*", "").trim().length >= 4,
      "expected four characters or more besides *",
    );
const CAP = "expected a number from 1 to 1000: how many tasks may use it at once";

const CHECKPOINT_MOMENTS = ["phase", "exit", "saturation", "decision"] as const;

/**
 * The keys of `espalier.yaml`, version 1. Each has a default; unknown keys are errors. The schema of a key is made when it is asked
 * for: a file has a few of them, and to make all takes as long as half a start of Node.
 */
const KEYS = {
  /** Language of log lines and prompts. */
  locale: () => z.enum(["en", "ko"]).default("en"),
  /** Task file, relative to the project; by default the usual places are searched. */
  tasks: () => z.string().max(1000).optional(),
  /** Where state lives; `.claude` puts it where document 004 has it. */
  stateDir: () => z.string().min(1).max(1000).default(".espalier"),
  /** Agent for tasks that name none: `shell`, `command`, `auto`, a known agent, or a name under `agents`. */
  agent: () => worker().default("shell"),
  /** Command line of the agent `command`. */
  command: () => command().optional(),
  /** More agents by name. */
  agents: () => agents().default({}),
  /** Bubblewrap around every agent: `auto` where it works, `on` or nothing is started. */
  jail: () =>
    z
      .strictObject({
        use: z.enum(["off", "auto", "on"]).default("off"),
        network: z.boolean().default(true),
        /** Around the `run:` blocks, too. */
        shell: z.boolean().default(false),
        /** Around the commands that prove the work of a jailed agent: they run what it wrote. */
        checks: z.boolean().default(true),
        /** Below the home: keys that agents see all the same. */
        show: z.array(z.string().min(1).max(200)).max(50).default([]),
      })
      .prefault({}),
  /** Agents that take over, in this order, from one whose quota is used up; without them its tasks wait. */
  fallback: () => z.array(worker()).max(20).default([]),
  quota: () =>
    z
      .strictObject({
        /** What agents say when a limit is reached, besides what is known of vendors; `*` stands for anything. */
        patterns: z.array(quotaPattern()).max(50).default([]),
      })
      .prefault({}),
  /** The hub whose machines work on a run, with a pool where it has several; `--on` outranks it. */
  on: () => z.string().min(1).max(2000).optional(),
  /** Which agent works for a role (specialist). */
  roles: () => z.record(name(), worker()).default({}),
  /** Tasks at once: a number, or `declared` for declared groups only. Without it 5, and 1 where all work in one folder. */
  parallel: () =>
    z
      .union([z.int().min(1).max(1000), z.literal("declared")], {
        error: 'expected a number from 1 to 1000, or "declared"',
      })
      .optional(),
  /** How many tasks may use something at once: names of `uses:`, and of agents. */
  resources: () =>
    z
      .record(
        z.string().min(1).max(100),
        z.int({ error: CAP }).min(1, { error: CAP }).max(1000, { error: CAP }),
      )
      .default({}),
  /** Attempts of a task until it has failed. */
  maxAttempts: () => z.int().min(1).max(1000).default(10),
  /** Equal failures in a row until a task waits for a person; 0: never. */
  sameError: () => z.int().min(0).max(1000).default(3),
  /** Share of a phase that must complete before the next one starts. */
  phaseGate: () => z.number().min(0).max(1).default(0.9),
  backoff: () =>
    z.strictObject({ first: duration().default(1000), max: duration().default(60_000) }).prefault({}),
  limits: () =>
    z
      .strictObject({
        wall: limit().default(3_600_000),
        idle: limit().default(600_000),
        grace: duration().default(10_000),
        /** How long what an agent asks for waits for a person; 0: not at all while nobody looks. */
        question: duration().default(300_000),
        log: size().default(200 * 1024 ** 2),
      })
      .prefault({}),
  /** `plain` also accepts the documents' `DONE:T1.3` without the per-attempt nonce. */
  signals: () => z.enum(["nonce", "plain"]).default("nonce"),
  /** Command that proves a task which has no `verify:` of its own. */
  verify: () => command().optional(),
  /** Test command of tasks that have no `test:` of their own. */
  test: () => command().optional(),
  /** Tests before and after the work, from phase 1 on; `refactor` gives one more turn when they pass. */
  tdd: () => z.enum(["on", "refactor", "off"]).default("on"),
  /** Who judges proved work before it lands. */
  review: () => reviewSchema().prefault({}),
  git: () => gitSchema().prefault({}),
  worktree: () => worktreeSchema().prefault({}),
  phase: () => phaseSchema().prefault({}),
  /** Who is told when nobody looks. */
  notify: () => notifySchema(duration().default(30_000)).prefault({}),
  /** `otlp`: runs tell a collector of OpenTelemetry, as the standard variables say. */
  telemetry: () => z.enum(["off", "otlp"]).default("off"),
  /** Names of environment variables agents may see besides the usual ones. */
  env: () => z.array(variable()).max(200).default([]),
  /** Tokens in the lead's window, for lead mode. */
  contextWindow: () => z.int().min(1000).default(200_000),
  heartbeat: () => heartbeat().default(30_000),
  /** How the shared context is kept in step. */
  context: () => context().prefault({}),
  checkpoints: () =>
    z
      .strictObject({
        /** When a run writes one by itself; `[]` is only on demand. */
        when: z.array(z.enum(["phase", "exit", "saturation", "decision"])).default([...CHECKPOINT_MOMENTS]),
        /** Steps of the play-by-play that stay word for word. */
        recent: z.int().min(1).max(1000).default(20),
        /** Rules of yours that every checkpoint repeats. */
        rules: z.array(z.string().min(1).max(400)).max(100).default([]),
      })
      .prefault({}),
  /** Budgets of agents, workflows and the run; levels, templates, prices. */
  budget: () => budgetSchema().prefault({}),
  /** What to do when the task file changes under a run. */
  plan: () => z.enum(["reconcile", "frozen"]).default("reconcile"),
} as const;

type Shape = { readonly [Key in keyof typeof KEYS]: ReturnType<(typeof KEYS)[Key]> };

/** What `espalier.yaml` is made of. */
export const CONFIG_KEYS = Object.keys(KEYS) as (keyof Shape)[];

/** The schema of a file with these keys and no others. */
function schemaOf(keys: readonly (keyof Shape)[]): z.ZodObject<z.core.$ZodShape, z.core.$strict> {
  return z.strictObject(Object.fromEntries(keys.map(key => [key, KEYS[key]()])));
}

/** The schema of a file with all keys. */
export function configSchema(): z.ZodObject<Shape, z.core.$strict> {
  return schemaOf(CONFIG_KEYS) as z.ZodObject<Shape, z.core.$strict>;
}

/** A parser that is used once is not worth making code for. */
export const ONCE = { jitless: true } as const;

export type Config = z.infer<ReturnType<typeof configSchema>>;

/** The settings that a value names, read by the schemas of its own keys; `defaults` are those of all others. */
export function parseConfig(value: unknown, defaults: Config): z.ZodSafeParseResult<Config> {
  const isNamed = (key: string) => typeof value === "object" && value !== null && Object.hasOwn(value, key);
  const parsed = schemaOf(CONFIG_KEYS.filter(isNamed)).safeParse(value, ONCE);
  return parsed.success
    ? { success: true, data: { ...defaults, ...parsed.data } }
    : (parsed as z.ZodSafeParseError<Config>);
}
