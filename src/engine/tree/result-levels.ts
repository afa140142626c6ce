import type { PackageResult, ResultForm, ResultLevels } from "../../assembly/index.ts";
import {
  type Budget,
  CEILINGS,
  type Level,
  priorityOf,
  readVsLevel,
  recencyAt,
  relevanceOf,
  type Workflow,
} from "../../budget/index.ts";
import type { Plan } from "../../plan/index.ts";
import { defaultRules, type LevelRules, offersOf, readSource, type Summary } from "../../summary/index.ts";
import type { Locale } from "../../text/index.ts";

/** Levels of outputs by their hash and their author, as long as the run lives. */
export type SummaryMemory = Map<string, readonly Summary[]>;

/** Outputs whose levels are remembered; the oldest are forgotten. */
const MOST_REMEMBERED = 2000;
/** Share of the window for outputs from which on outputs are carried at level 2 at best. */
const COMPRESS = 0.8;

export interface LevelFacts {
  readonly budget: Budget;
  readonly plan: Plan;
  readonly results: readonly PackageResult[];
  /** What the reader is to do: outputs that have to do with it are worth more. */
  readonly question: string;
  readonly locale: Locale;
  readonly count: (text: string) => number;
  readonly memory: SummaryMemory;
}

const NAMES = { 1: "level_1_detailed", 2: "level_2_brief", 3: "level_3_key" } as const;

/** The templates of the configuration over those of the language. */
function rulesOf({ templates }: Budget, locale: Locale): LevelRules {
  const rules = { ...defaultRules(locale) };
  for (const level of [1, 2, 3] as const) {
    const given = templates[NAMES[level]];
    if (given !== undefined) rules[level] = { format: given.format, tokens: given.target_tokens ?? CEILINGS[level] };
  }
  return rules;
}

function slotsOf(workflow: Workflow | undefined): Map<string, { readonly critical: boolean; readonly finest: Level }> {
  return new Map((workflow?.stages ?? []).flatMap(({ slots }) => slots.map(slot => [slot.agent, slot] as const)));
}

/**
 * How the results of dependencies may be told to one attempt: what its author may hand on whole, what the workflow says of
 * its stage, and what each is worth to this reader. Levels are made only where something does not fit as it is.
 */
export function resultLevels(facts: LevelFacts): (result: PackageResult, position: number) => ResultLevels {
  const { budget, plan, results, memory, locale, count } = facts;
  const rules = rulesOf(budget, locale);
  const tasks = new Map(plan.tasks.map(task => [task.id, task]));
  const slots = slotsOf(budget.workflow);
  const relevance = relevanceOf(
    results.map(({ task, text }) => ({ id: task, text })),
    facts.question,
  );
  const tokens = results.map(({ text }) => count(text));
  const total = tokens.reduce((sum, one) => sum + one, 0);
  const compressing = total >= COMPRESS * budget.window.outputs;
  return (result, position) => {
    const task = tasks.get(result.task);
    const role = budget.role(task?.role ?? task?.specialist ?? task?.agent ?? result.task);
    const slot = slots.get(role.id);
    const long = tokens[position]! > role.limits.summaryThreshold;
    const critical = slot?.critical === true;
    const finest = critical ? 0 : Math.max(slot?.finest ?? 0, long ? 1 : 0, compressing ? 2 : 0);
    const source = readSource(result.text.slice(0, 1000), role.label);
    const summaries = () => remembered(memory, `${result.hash} ${role.label}`, () => offersOf(readSource(result.text, role.label), { locale, rules }));
    const forms = (): ResultForm[] =>
      summaries().flatMap(({ level, text, retention, whole }) =>
        // A level that leaves nothing out is the text itself, whatever the finest level is.
        level < finest && !whole ? [] : level > finest && whole ? [] : [{ level: whole ? 0 : level, text, retention }],
      );
    const fits = finest === 0 && total <= budget.window.outputs;
    return {
      forms: fits && !compressing && isRoomy(total, budget) ? [{ level: 0, text: result.text, retention: 1 }] : forms(),
      priority: priorityOf(
        {
          recency: recencyAt(position, results.length),
          vsLevel: readVsLevel(source.contract.level ?? "") ?? role.vsLevel,
          confidence: source.contract.confidence,
          dependents: 1,
          relevance: relevance[position],
        },
        budget.priority,
      ),
      ...(critical ? { critical } : {}),
      why: long ? "longer-than-a-result-may-be" : "no-room",
    };
  };
}
