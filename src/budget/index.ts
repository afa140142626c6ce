export { type Allocation, allocate, type Claim } from "./allocate.ts";
export type { BudgetProblem } from "./config/problem.ts";
export { type BudgetInput, budgetSchema, type WorkflowInput, workflowSchema } from "./config/schema.ts";
export { type AgentRole, type Budget, settleBudget, type WindowParts } from "./config/settle.ts";
export type { Tiers } from "./config/tiers.ts";
export type { Slot, Stage, Workflow } from "./config/workflow.ts";
export {
  CEILINGS,
  HANDED_OVER,
  keptBy,
  LEVELS,
  type Level,
  RETENTION,
  readLevel,
  readVsLevel,
  type VsLevel,
} from "./levels.ts";
export { planWorkflow } from "./plan.ts";
export {
  PRIORITY_WEIGHTS,
  type PriorityFacts,
  type PriorityWeights,
  priorityOf,
  readConfidence,
  recencyAt,
} from "./priority.ts";
export { adviseBreakpoints, type Breakpoint, type Stretch } from "./prompt-cache/breakpoints.ts";
export {
  CACHE_MS,
  CACHE_RATES,
  type CachePart,
  type CacheRates,
  type RebaseFacts,
  type SendCost,
  sendCost,
  shouldRebase,
} from "./prompt-cache/cost.ts";
export { type FirstDifference, firstDifference } from "./prompt-cache/difference.ts";
export {
  bm25,
  indexPassages,
  type Passage,
  type PassageIndex,
  type Ranked,
  type RankOptions,
  rank,
  relevanceOf,
} from "./relevance/rank.ts";
export { termsOf } from "./relevance/terms.ts";
export type { BudgetItem, Choice, ChoiceReason, Offer, Selection } from "./select/item.ts";
export { selectLevels } from "./select/select.ts";
export { ADDED_STAGE, shareOut, slotsOfWork, type Work } from "./shares.ts";
export {
  refusalOf,
  type SpendEstimate,
  type SpendLimits,
  type SpendRefusal,
  type SpendState,
} from "./spend/limits.ts";
export { listPrice, PRICES_AS_OF } from "./spend/list-prices.ts";
export { costOf, estimatedCost, type Price, type Prices, priceOf, tokensOf } from "./spend/money.ts";
export {
  HYSTERESIS,
  LEAST_PROGRESS,
  mayCompressAgain,
  passThresholds,
  THRESHOLDS,
  type Threshold,
  type ThresholdName,
  type ThresholdStep,
} from "./spend/thresholds.ts";
export {
  type AgentTotal,
  byAgent,
  createTracker,
  finestLevel,
  type Spent,
  shareUsed,
  type Tracker,
  track,
} from "./spend/tracker.ts";
export { allocateStages, reallocate, type StageClaims, type StagePlan, type StageShare } from "./stages.ts";
export { createSessionTier, type SessionTier } from "./tiers/session.ts";
export {
  overfull,
  TIER_POLICIES,
  TIER_VERSION,
  TIERS,
  type TierCheck,
  type TierEntry,
  type TierName,
  type TierPolicy,
  type TierState,
  tierState,
} from "./tiers/tier.ts";
