import type { PackageResult, ResultForm, ResultLevels } from "../../assembly/index.ts";
import {
  type AgentRole,
  type Budget,
  LEVELS,
  type Level,
  mayCompressAgain,
  priorityOf,
  RETENTION,
  recencyAt,
  relevanceOf,
  type SessionTier,
  type Slot,
  slotsOfWork,
} from "../../budget/index.ts";
import type { Plan } from "../../plan/index.ts";
import {
  type ArtifactIndex,
  artifactText,
  configuredRules,
  type DigestState,
  defaultRules,
  type LevelRules,
  readSource,
  type Summary,
  summarizeWith,
} from "../../summary/index.ts";
import type { Locale } from "../../text/index.ts";
import { roleOfTask, windowTotal } from "./window-use.ts";

interface SeenOutput {
  readonly summaries: readonly Summary[];
  /** Files touched and ids decided: they travel with every level. */
  readonly artifacts: ArtifactIndex;
  readonly confidence: number | undefined;
}

/** Levels of outputs by their hash and their author, as long as the run lives: the session tier. */
export type SummaryMemory = SessionTier<SeenOutput>;

/** Share of a level's ceiling that the files and ids beside it may take. */
const ARTIFACT_SHARE = 0.5;
/** Share of the window for outputs from which on outputs are carried at level 2 at best. */
const COMPRESS = 0.8;
/** Share of a package that documents and attempts leave to results in any case. */
const SURE = 0.15;

export interface LevelFacts {
  readonly budget: Budget;
  readonly plan: Plan;
  readonly results: readonly PackageResult[];
  /** What the reader is to do: outputs that have to do with it are worth more. */
  readonly question: string;
  readonly locale: Locale;
  /** Tokens the package may have. */
  readonly limit: number;
  /** Tokens that the result of an agent may have which the budget does not list. */
  readonly resultLimit: number;
  readonly count: (text: string) => number;
  /** The finest level at which the run's outputs are carried on by now. */
  readonly finest?: Level;
  /** What the author of an output was told that it may hand on. */
  readonly shareOf?: (task: string) => number | undefined;
  readonly memory: SummaryMemory;
  /** What a model has said of outputs, by `outputKey`. */
  readonly condensed?: ReadonlyMap<string, DigestState | undefined>;
}

/** Who each output is from: its task's role, else its agent, else the task itself. */
export function authors(budget: Budget, plan: Plan): (result: Pick<PackageResult, "task">) => AgentRole {
  const tasks = new Map(plan.tasks.map(task => [task.id, task]));
  return ({ task: id }) => roleOfTask(budget, tasks.get(id) ?? { id });
}

/** Under which an output's levels are remembered. */
export function outputKey({ hash }: Pick<PackageResult, "hash">, label: string): string {
  return `${hash} ${label}`;
}

/** The templates of the configuration over those of the language. */
export function levelRules({ templates }: Budget, locale: Locale): LevelRules {
  return configuredRules(defaultRules(locale), templates);
}

/** The slot of each task; one that has none of its own is carried on as its agent's last one is. */
function slotsOf({ workflow }: Budget, plan: Plan, authorOf: ReturnType<typeof authors>) {
  if (workflow === undefined) return () => undefined;
  const tasks = plan.tasks.filter(({ children }) => children === undefined);
  const own = slotsOfWork(
    workflow,
    tasks.map(({ id }) => ({ id, agent: authorOf({ task: id }).id })),
  );
  const byAgent = new Map(workflow.stages.flatMap(({ slots }) => slots.map(slot => [slot.agent, slot])));
  return (task: string, agent: string): Slot | undefined => own.get(task) ?? byAgent.get(agent);
}

/** A level as a reader is told it: with the files and ids of the whole output, as far as they have room beside it. */
export function toldAt(
  { level, text, whole }: Pick<Summary, "level" | "text" | "whole">,
  artifacts: ArtifactIndex,
  rules: LevelRules,
  where: string,
): string {
  if (level === 0 || whole) return text;
  const tokens = Math.floor(rules[level].tokens * ARTIFACT_SHARE);
  const index = artifactText(artifacts, { tokens, where });
  return index === "" ? text : `${text}\n\n${index}`;
}

/**
 * The forms at or below the finest level; one that has next to nothing to leave out is the text itself, and one that would free
 * next to nothing more is none.
 */
function formsOf(
  { summaries, artifacts }: SeenOutput,
  original: string,
  finest: Level,
  rules: LevelRules,
  where: string,
  count: (text: string) => number,
): ResultForm[] {
  const forms: ResultForm[] = [];
  let before = count(original);
  for (const summary of summaries) {
    const { level, retention } = summary;
    if (level < finest) continue;
    const text = toldAt(summary, artifacts, rules, where);
    const tokens = count(text);
    const frees = mayCompressAgain(before, tokens);
    if (forms.length === 0 && !frees) forms.push({ level: 0, text: original, retention: 1 });
    if (!frees) continue;
    forms.push({ level, text, retention });
    before = tokens;
  }
  return forms;
}

/** Forms of at most so many tokens; the shortest one when none has. */
function shortEnough(
  forms: readonly ResultForm[],
  most: number,
  count: (text: string) => number,
): readonly ResultForm[] {
  const short = forms.filter(({ text }) => count(text) <= most);
  return short.length > 0 ? short : forms.slice(-1);
}

/** What is known of an output, read once. */
function look(facts: LevelFacts, result: PackageResult, label: string): SeenOutput {
  const { memory, locale, budget } = facts;
  const key = outputKey(result, label);
  const known = memory.get(key);
  if (known !== undefined) return known;
  const source = readSource(result.text, label);
  const rules = levelRules(budget, locale);
  const seen: SeenOutput = {
    summaries: LEVELS.map(level =>
      summarizeWith(source, facts.condensed?.get(key), level, { locale, rules }),
    ),
    artifacts: source.artifacts,
    confidence: source.contract.confidence,
  };
  // The whole text is a level too, and characters take two bytes.
  memory.put(key, seen, 2 * seen.summaries.reduce((sum, { text }) => sum + text.length, 0));
  return seen;
}

/**
 * How the results of dependencies may be told to one attempt: what its author may hand on whole, what the workflow says of
 * its stage, and what each is worth to this reader. Levels are made only where not everything goes in as it is.
 */
export function resultLevels(facts: LevelFacts): (result: PackageResult, position: number) => ResultLevels {
  const { budget, plan, results, count, question, limit, resultLimit } = facts;
  const authorOf = authors(budget, plan);
  const slotOf = slotsOf(budget, plan, authorOf);
  const rules = levelRules(budget, facts.locale);
  const passages = results.map(({ task, text }) => ({ id: task, text }));
  const relevance = relevanceOf(passages, question);
  const tokens = results.map(({ text }) => count(text));
  const total = tokens.reduce((sum, one) => sum + one, 0);
  const handed = results.reduce(
    (sum, { task }, at) => sum + Math.min(tokens[at]!, facts.shareOf?.(task) ?? Number.POSITIVE_INFINITY),
    0,
  );
  const compressing = facts.finest === 2 || handed >= COMPRESS * windowTotal(budget);
  const roomy = total <= SURE * limit;
  return (result, position) => {
    const role = authorOf(result);
    if (result.level !== undefined) {
      const form: ResultForm = { level: result.level, text: result.text, retention: RETENTION[result.level] };
      const recency = recencyAt(position, results.length);
      const known = { recency, vsLevel: role.vsLevel, dependents: 1, relevance: relevance[position] };
      return { forms: [form], priority: priorityOf(known, budget.priority), why: "earlier-run" };
    }
    const slot = slotOf(result.task, role.id);
    const share = facts.shareOf?.(result.task);
    // Who is no agent of the budget hands on what any result may have.
    const most = Math.min(
      role.listed ? role.limits.summaryThreshold : resultLimit,
      share ?? Number.POSITIVE_INFINITY,
    );
    const long = tokens[position]! > most;
    const critical = slot?.critical === true;
    const restricted = Math.max(slot?.finest ?? 0, long ? 1 : 0, compressing ? 2 : 0) as Level;
    const finest = critical ? 0 : restricted;
    const seen = roomy && finest === 0 ? undefined : look(facts, result, role.label);
    const priority = priorityOf(
      {
        recency: recencyAt(position, results.length),
        vsLevel: role.vsLevel,
        confidence: seen?.confidence,
        dependents: 1,
        relevance: relevance[position],
      },
      budget.priority,
    );
    const whole: ResultForm = { level: 0, text: result.text, retention: 1 };
    return {
      forms:
        seen === undefined
          ? [whole]
          : shortEnough(
              formsOf(seen, result.text, finest, rules, result.where, count),
              critical
                ? Number.POSITIVE_INFINITY
                : (share ?? (role.listed ? Number.POSITIVE_INFINITY : most)),
              count,
            ),
      priority,
      ...(critical ? { critical } : {}),
      why: compressing
        ? "compression"
        : long
          ? "longer-than-a-result-may-be"
          : finest > 0
            ? "stage-level"
            : "no-room",
    };
  };
}
