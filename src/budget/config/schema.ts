import { z } from "zod";
import { readLevel } from "../levels.ts";
import { PRIORITY_WEIGHTS } from "../priority.ts";

/** Whole tokens. */
const tokens = () => z.int().min(0).max(100_000_000);
const share = () => z.number().min(0).max(1);
const money = () => z.number().min(0).max(1_000_000);
const words = () => z.string().max(4000);

/** Ids are text: YAML readers that turn `02` into a number have lost the zero, `10` has lost nothing. */
const agentId = () =>
  z
    .union([z.string().min(1).max(100), z.int().min(0).max(999_999_999)], { error: "expected an agent's id" })
    .transform(String);

/** `[02, 03]`, or the document's `- 01, 02, 16`. */
const agentIds = () =>
  z.union([z.array(agentId()).max(1000), agentId()]).transform(ids =>
    (typeof ids === "string" ? [ids] : ids).flatMap(id =>
      id
        .split(",")
        .map(part => part.trim())
        .filter(part => part !== ""),
    ),
  );

/** `- 05: "why"` or plain ids. */
const criticalAgents = () =>
  z
    .array(z.union([agentId(), z.record(z.string().min(1).max(100), words())]))
    .max(1000)
    .transform(list =>
      list.flatMap(entry =>
        typeof entry === "string"
          ? entry.split(",").map(id => ({ id: id.trim(), why: "" }))
          : Object.entries(entry).map(([id, why]) => ({ id, why })),
      ),
    );

const compression = () =>
  z.union([z.string().max(100), z.int()]).transform((text, context) => {
    const level = readLevel(String(text));
    if (level !== undefined) return level;
    context.addIssue({ code: "custom", message: `unknown level "${text}"; known: level_0 to level_3` });
    return z.NEVER;
  });

const limits = () =>
  z.strictObject({
    max_output: tokens().min(1),
    summary_threshold: tokens(),
    agents: agentIds().default([]),
  });

const stage = () =>
  z.strictObject({
    agents: agentIds(),
    budget: tokens().optional(),
    compression: compression().optional(),
    rationale: words().optional(),
  });

/** A workflow in either of the document's two shapes. */
export const workflowSchema = () =>
  z.strictObject({
    stages: z.record(z.string().min(1).max(100), stage()).optional(),
    agents: agentIds().optional(),
    total_budget: tokens().optional(),
    critical_agents: criticalAgents().default([]),
    compressible_agents: agentIds().default([]),
  });

export type WorkflowInput = z.infer<ReturnType<typeof workflowSchema>>;

const price = () => z.strictObject({ input: money(), output: money(), cached: money().optional() });

const cacheLevel = () =>
  z.strictObject({
    location: z.enum(["memory", "disk"]).optional(),
    ttl: z.string().max(40).optional(),
    content: z.string().max(40).optional(),
  });

/** The `budget:` section of `espalier.yaml`: the document's YAML, and what it leaves open. */
export const budgetSchema = () =>
  z.strictObject({
    context_budget: z
      .strictObject({
        total_available: tokens().min(1).default(200_000),
        allocation: z
          .strictObject({
            system_prompt: tokens().optional(),
            user_context: tokens().optional(),
            agent_outputs: tokens().optional(),
            buffer: tokens().optional(),
          })
          .prefault({}),
        per_agent_limits: z.record(z.string().max(40), limits()).optional(),
      })
      .prefault({}),
    /** Names of agents by id: `"02": theoretical`. */
    names: z.record(z.string().max(100), z.string().max(100)).default({}),
    workflows: z.record(z.string().min(1).max(100), workflowSchema()).default({}),
    context_cache: z
      .strictObject({
        storage: z.string().max(1000).optional(),
        cache_levels: z.record(z.string().max(40), cacheLevel()).optional(),
      })
      .prefault({}),
    /** Templates of the summary levels by name. */
    summary_templates: z
      .record(
        z.string().max(100),
        z.strictObject({ format: z.string().max(20_000), target_tokens: tokens().optional() }),
      )
      .default({}),
    /** How shares are weighted. */
    weights: z
      .strictObject({
        full_vs: z.number().positive().max(1000).default(3),
        enhanced_vs: z.number().positive().max(1000).default(2),
        light_vs: z.number().positive().max(1000).default(1),
      })
      .prefault({}),
    /** What makes an output worth keeping. */
    priority: z
      .strictObject({
        recency: share().default(PRIORITY_WEIGHTS.recency),
        vs_level: share().default(PRIORITY_WEIGHTS.vs_level),
        confidence: share().default(PRIORITY_WEIGHTS.confidence),
        dependencies: share().default(PRIORITY_WEIGHTS.dependencies),
        user_relevance: share().default(PRIORITY_WEIGHTS.user_relevance),
      })
      .prefault({}),
    /** The model that writes summaries; without one they are extracted. */
    model: z
      .strictObject({
        name: z.string().min(1).max(200),
        base_url: z
          .url({ protocol: /^https?$/, error: "give an address that begins with http:// or https://" })
          .max(2000)
          .optional(),
        /** Name of the environment variable that holds the key; never the key. */
        api_key_env: z.string().min(1).max(200).optional(),
        /** Seconds one answer may take. */
        timeout: z.int().min(1).max(3600).default(60),
        /** Tokens it is given at most. */
        max_input: tokens().min(1000).default(30_000),
      })
      .optional(),
    /** The workflow whose stages, critical and compressible agents decide how outputs are carried on. */
    workflow: z.string().min(1).max(100).optional(),
    /** The most tokens a run may take; none when absent. */
    maxTokens: tokens().min(1).optional(),
    /** The most US dollars a run may cost. */
    maxCost: money().optional(),
    /** US dollars per million tokens, by agent name; `default` for the others. */
    prices: z.record(z.string().min(1).max(100), price()).default({}),
  });

/** What agents of one VS level may hand on. */
export type LimitsInput = z.infer<ReturnType<typeof limits>>;

export type BudgetInput = z.infer<ReturnType<typeof budgetSchema>>;
