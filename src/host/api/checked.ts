import { z } from "zod";
import { type Agent, EspalierError, EXIT, LEAD, TASK_ACTS, type TaskAct } from "../../ports/index.ts";
import { visible } from "../../text/index.ts";
import type { ProjectRequest, PublishOptions, RunOptions } from "./types.ts";

const Name = z.string().min(1).max(4096);

/** What the flags of the command line take, too: no type tells a number from one that is none. */
const Options = z.strictObject({
  file: Name.optional(),
  agent: Name.optional(),
  command: Name.optional(),
  parallel: z.union([z.int().min(1).max(1000), z.literal("declared")]).optional(),
  allowMissing: z.boolean().optional(),
  plan: z.enum(["reconcile", "frozen"]).optional(),
  maxTokens: z.int().min(1).optional(),
  maxCost: z.number().min(0).optional(),
  only: z.array(Name).min(1).optional(),
  forcePhase: Name.optional(),
  from: Name.optional(),
  trustBoxes: z.boolean().optional(),
  trustState: z.boolean().optional(),
});

const isAgent = (value: unknown): boolean => {
  const { portVersion, probe, open } = (value ?? {}) as Partial<Agent>;
  return portVersion === 1 && typeof probe === "function" && typeof open === "function";
};

/** What no agent of a program may be called: the one is a lead's, the other stands for any. */
const TAKEN: ReadonlySet<string> = new Set([LEAD, "auto"]);

const Agents = z
  .array(
    z
      .custom<{ name: string; reports: "signal" | "exit" }>(
        isAgent,
        "is no agent: portVersion 1, probe and open",
      )
      .pipe(z.looseObject({ name: Name, reports: z.enum(["signal", "exit"]) }))
      .refine(({ name }) => !TAKEN.has(name), "may not be called that"),
  )
  .refine(agents => new Set(agents.map(({ name }) => name)).size === agents.length, "two of one name");

const Request = z.strictObject({
  folder: Name.optional(),
  env: z.record(z.string(), z.string().optional()).optional(),
  tell: z.custom<ProjectRequest["tell"]>(value => typeof value === "function").optional(),
  approve: z.custom<ProjectRequest["approve"]>(value => typeof value === "function").optional(),
  agents: Agents.optional(),
});

const Names = z.array(z.string().min(1).max(200)).max(200);

const Publish = z.strictObject({
  label: z.string().min(1).max(100),
  text: z.string(),
  by: z.string().min(1).max(1000).optional(),
  base: z.int().min(1).optional(),
  affected: Names.optional(),
  actions: Names.optional(),
  everyone: z.boolean().optional(),
});
const Read = z.strictObject({ label: z.string().min(1).max(100), version: z.int().min(1).optional() });

const How = z.enum(["soft", "hard"]);
const Act = z.enum(TASK_ACTS);

/** Throws an EspalierError (`USAGE`) that names the first thing that does not fit. */
function requireFit(schema: z.ZodType, given: unknown, what: string): void {
  const { error } = schema.safeParse(given);
  if (error === undefined) return;
  const [issue] = error.issues;
  const where = [what, ...(issue?.path ?? [])].join(".");
  throw new EspalierError("USAGE", `${where}: ${visible(issue?.message ?? "", 200)}`, {
    hint: "espalier help library says what it takes",
    exitCode: EXIT.usage,
  });
}

export function requireRequest(request: ProjectRequest): void {
  requireFit(Request, request, "openProject");
}

export function requireOptions(options: RunOptions): void {
  requireFit(Options, options, "run");
}

export function requireFile(file: string | undefined): void {
  requireFit(Name.optional(), file, "plan.file");
}

export function requirePublish(label: string, text: string, options: PublishOptions): void {
  requireFit(Publish, { ...options, label, text }, "publish");
}

export function requireRead(label: string, version: number | undefined): void {
  requireFit(Read, { label, version }, "read");
}

export function requireHow(how: "soft" | "hard"): void {
  requireFit(How, how, "stop");
}

export function requireAct(act: TaskAct): void {
  requireFit(Act, act, "decide");
}
