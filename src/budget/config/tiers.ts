import { readLevel } from "../levels.ts";
import { TIER_POLICIES, TIERS, type TierName, type TierPolicy } from "../tiers/tier.ts";
import type { BudgetProblem } from "./problem.ts";
import type { BudgetInput } from "./schema.ts";

/** Where and how the cache tiers keep outputs. */
export interface Tiers {
  /** Folder of the tiers on disk, under the project; absent: `context_cache` in the state folder. */
  readonly storage: string | undefined;
  readonly policies: Readonly<Record<TierName, TierPolicy>>;
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const CONTENTS: Readonly<Record<string, 0 | 1 | 2 | 3>> = { full_outputs: 0, key_decisions_only: 3 };

/** `7_days`, `12h`, `30m`: milliseconds; `session_duration` and `indefinite`: no limit; undefined for anything else. */
function readTtl(text: string): { readonly ms: number | undefined } | undefined {
  const word = text.trim().toLowerCase();
  if (word === "session_duration" || word === "indefinite") return { ms: undefined };
  const digits = /^\d{1,6}/.exec(word)?.[0];
  if (digits === undefined) return undefined;
  const unit = word.slice(digits.length).replace("_", "").trim();
  const known = ["d", "day", "days"].includes(unit)
    ? "d"
    : ["h", "hour", "hours"].includes(unit)
      ? "h"
      : ["m", "minutes", "minute"].includes(unit)
        ? "m"
        : undefined;
  return known === undefined ? undefined : { ms: Number(digits) * UNITS[known]! };
}

/** The document's tiers with the configuration's changes. */
export function settleTiers(input: BudgetInput["context_cache"], problems: BudgetProblem[]): Tiers {
  const policies: Record<TierName, TierPolicy> = { ...TIER_POLICIES };
  for (const [name, given] of Object.entries(input.cache_levels ?? {})) {
    const path = ["context_cache", "cache_levels", name];
    const tier = TIERS.find(known => known === name);
    if (tier === undefined) {
      problems.push({ path, message: `unknown cache level "${name}"; known: ${TIERS.join(", ")}` });
      continue;
    }
    const ttl = given.ttl === undefined ? undefined : readTtl(given.ttl);
    if (given.ttl !== undefined && ttl === undefined)
      problems.push({
        path,
        message: `unknown ttl "${given.ttl}"; expected 7_days, 12h, session_duration or indefinite`,
      });
    const level =
      given.content === undefined ? undefined : (CONTENTS[given.content] ?? readLevel(given.content));
    if (given.content !== undefined && level === undefined)
      problems.push({
        path,
        message: `unknown content "${given.content}"; expected full_outputs, level_1_summaries, level_2_summaries or key_decisions_only`,
      });
    if (given.location !== undefined && given.location !== policies[tier].location)
      problems.push({
        path,
        message: `the ${tier} tier lives in ${policies[tier].location === "disk" ? "files" : "memory"}`,
      });
    policies[tier] = {
      ...policies[tier],
      ...(ttl === undefined ? {} : { ttlMs: ttl.ms }),
      ...(level === undefined ? {} : { level }),
    };
  }
  return { storage: input.storage, policies };
}
