import {
  type Bound,
  furtherBack,
  type PackageResult,
  type SourceForm,
  type SourceLevels,
} from "../../assembly/index.ts";
import {
  type AgentRole,
  type Budget,
  HANDED_OVER,
  keptBy,
  LEVELS,
  type Level,
  mayCompressAgain,
  RETENTION,
  type SessionTier,
  type Slot,
  slotsOfWork,
} from "../../budget/index.ts";
import type { Plan } from "../../plan/index.ts";
import {
  type Artifact,
  type ArtifactIndex,
  artifactText,
  configuredRules,
  type DigestState,
  defaultRules,
  type LevelRules,
  readSource,
  type Source,
  type Summary,
  summarizeWith,
} from "../../summary/index.ts";
import type { Locale } from "../../text/index.ts";
import { tasksOf } from "./tasks-of.ts";
import { roleOfTask, windowTotal } from "./window-use.ts";
import { type WorthFacts, worthsOf } from "./worth.ts";

interface SeenOutput {
  readonly summaries: readonly Summary[];
  /** Files touched and ids decided: they travel with every level. */
  readonly artifacts: ArtifactIndex;
  readonly confidence: number | undefined;
  /** It says at its end, in most of the fields that are asked for, what later work must know. */
  readonly handsOver: boolean;
}

/** Fields of a handover that say something, from which on it is one to rely on. */
const MOST_FIELDS = 3;

/** Levels of outputs by their hash and their author, as long as the run lives: the session tier. */
export type SummaryMemory = SessionTier<SeenOutput>;

/** The files that a commit changed, as git knows it. */
export type ChangedFiles = (commit: string) => readonly Artifact[];

/** Share of a level's ceiling that the files and ids beside it may take. */
const ARTIFACT_SHARE = 0.5;
/** Share of the window for outputs from which on outputs are carried at level 2 at best. */
const COMPRESS = 0.8;

export interface LevelFacts extends WorthFacts {
  readonly locale: Locale;
  readonly count: (text: string) => number;
  /** The finest level at which the run's outputs are carried on by now. */
  readonly finest?: Level;
  /** What the author of an output was told that it may hand on. */
  readonly shareOf?: (task: string) => number | undefined;
  readonly memory: SummaryMemory;
  readonly changed?: ChangedFiles | undefined;
  /** What a model has said of outputs, by `outputKey`. */
  readonly condensed?: ReadonlyMap<string, DigestState | undefined>;
}

/** Who each output is from: its task's role, else its agent, else the task itself. */
export function authors(budget: Budget, plan: Plan): (result: Pick<PackageResult, "task">) => AgentRole {
  const { byId } = tasksOf(plan.tasks);
  return ({ task: id }) => roleOfTask(budget, byId.get(id) ?? { id });
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
  { summaries, artifacts, handsOver }: SeenOutput,
  original: string,
  finest: Level,
  rules: LevelRules,
  where: string,
  count: (text: string) => number,
): SourceForm[] {
  const forms: SourceForm[] = [];
  const all = count(original);
  let before = all;
  for (const summary of summaries) {
    const { level } = summary;
    if (level < finest) continue;
    const text = toldAt(summary, artifacts, rules, where);
    const tokens = count(text);
    const frees = mayCompressAgain(before, tokens);
    if (forms.length === 0 && !frees) forms.push({ level: 0, text: original, retention: 1 });
    if (!frees) continue;
    const least = handsOver ? HANDED_OVER[level] : 0;
    forms.push({ level, text, retention: level === 0 ? 1 : Math.max(least, keptBy(tokens / all)) });
    before = tokens;
  }
  return forms;
}

/** Forms of at most so many tokens; the shortest one when none has. */
function shortEnough(
  forms: readonly SourceForm[],
  most: number,
  count: (text: string) => number,
): readonly SourceForm[] {
  const short = forms.filter(({ text }) => count(text) <= most);
  return short.length > 0 ? short : forms.slice(-1);
}

/** Where levels of a text are remembered, and by what they are made. */
export interface Looking {
  readonly memory: SummaryMemory;
  readonly budget: Budget;
  readonly condensed?: LevelFacts["condensed"];
  readonly changed?: ChangedFiles | undefined;
}

/** What was done to files is known exactly where git keeps the work; else it is what the output says. */
export function artifactsOf(
  { artifacts }: Pick<Source, "artifacts">,
  commit: string | undefined,
  changed: ChangedFiles | undefined,
): ArtifactIndex {
  if (commit === undefined || changed === undefined) return artifacts;
  return { ...artifacts, files: changed(commit) };
}

/** The levels of a text, read once; `label`: whom it is from. */
export function look(
  { memory, budget, condensed, changed }: Looking,
  { text, hash, commit }: Pick<PackageResult, "text" | "hash" | "commit">,
  label: string,
): SeenOutput {
  const key = outputKey({ hash }, label);
  const remembered = `${key} ${commit ?? ""}`;
  const known = memory.get(remembered);
  if (known !== undefined) return known;
  const source = readSource(text, label);
  const rules = levelRules(budget, source.locale);
  const seen: SeenOutput = {
    summaries: LEVELS.map(level => summarizeWith(source, condensed?.get(key), level, { rules })),
    artifacts: artifactsOf(source, commit, changed),
    confidence: source.contract.confidence,
    handsOver: (source.handover?.length ?? 0) >= MOST_FIELDS,
  };
  // The whole text is a level too, and characters take two bytes.
  memory.put(remembered, seen, 2 * seen.summaries.reduce((sum, one) => sum + one.text.length, 0));
  return seen;
}

/** What a result may have by the rules of its author, and which of them binds. */
function boundOf(facts: LevelFacts, { label, limits, listed }: AgentRole, task: string): Bound | undefined {
  const share = facts.shareOf?.(task);
  const threshold = listed ? limits.summaryThreshold : Number.POSITIVE_INFINITY;
  if (share !== undefined && share <= threshold)
    return { limit: `share of ${task} in the workflow`, tokens: share };
  return listed ? { limit: `summary_threshold of ${label}`, tokens: threshold } : undefined;
}

/**
 * How the results of dependencies may be told to one attempt: what its author may hand on whole, what the workflow says of
 * its stage, and, where not everything fits, every level of it and what it is worth to this reader. Levels are made only where they
 * are needed.
 */
export function resultLevels(
  facts: LevelFacts,
): (result: PackageResult, position: number, all: boolean) => SourceLevels {
  const { budget, plan, results, count } = facts;
  const authorOf = authors(budget, plan);
  const slotOf = slotsOf(budget, plan, authorOf);
  const rules = levelRules(budget, facts.locale);
  const handed = results.reduce(
    (sum, { task, text, handover }) =>
      sum + Math.min(count(handover ?? text), facts.shareOf?.(task) ?? Number.POSITIVE_INFINITY),
    0,
  );
  const compressing = facts.finest === 2 || handed >= COMPRESS * windowTotal(budget);
  let worths: ReturnType<typeof worthsOf> | undefined;
  return (result, position, all) => {
    const role = authorOf(result);
    const worth = (confidence?: number) => {
      if (!all) return 0.5;
      worths ??= worthsOf(facts);
      return worths(position, role.vsLevel, confidence);
    };
    if (result.handover !== undefined) return { ...furtherBack(result.handover), priority: worth() };
    if (result.level !== undefined) {
      const form: SourceForm = { level: result.level, text: result.text, retention: RETENTION[result.level] };
      return { forms: [form], priority: worth(), why: "earlier-run" };
    }
    const slot = slotOf(result.task, role.id);
    const critical = slot?.critical === true;
    const bound = critical ? undefined : boundOf(facts, role, result.task);
    const long = bound !== undefined && count(result.text) > bound.tokens;
    const restricted = Math.max(slot?.finest ?? 0, long ? 1 : 0, compressing ? 2 : 0) as Level;
    const finest = critical ? 0 : restricted;
    const whole: SourceForm = { level: 0, text: result.text, retention: 1 };
    const why = compressing ? "compression" : long ? "longer-than-a-result-may-be" : "stage-level";
    const told: Pick<SourceLevels, "critical" | "why" | "bound"> = {
      ...(critical ? { critical } : {}),
      ...(finest > 0 ? { why } : {}),
      ...(why === "longer-than-a-result-may-be" && bound !== undefined ? { bound } : {}),
    };
    if (!all && finest === 0) return { forms: [whole], priority: worth(), ...told };
    const seen = look(facts, result, role.label);
    const where = `espalier context get ${result.task}`;
    const forms = formsOf(seen, result.text, finest, rules, where, count);
    const share = critical ? undefined : facts.shareOf?.(result.task);
    const most = share ?? Number.POSITIVE_INFINITY;
    return { forms: shortEnough(forms, most, count), priority: worth(seen.confidence), ...told };
  };
}
