import type { Work, WorkCrumb, WorkFile, WorkPhase, WorkTask } from "../../checkpoint/index.ts";
import type { TaskStatus } from "../../ports/index.ts";
import { passesGate, type RunState, type TaskState } from "../../run/index.ts";
import type { Span } from "./span.ts";
import type { ChronicleWords } from "./words.ts";

/** What a run's checkpoint needs to know besides the run and what happened. */
export interface WorkFacts {
  readonly runId: string;
  /** As people open it. */
  readonly file: string;
  readonly planHash: string;
  /** True for the first checkpoint of a history: it says what all of it is for. */
  readonly first: boolean;
  readonly rules: readonly string[];
  readonly crumbs: readonly WorkCrumb[];
  /** What commits changed. */
  readonly files: readonly WorkFile[];
}

/** Next actions that are listed. */
const MOST_ACTIONS = 12;
const TOLD: readonly TaskStatus[] = [
  "failed",
  "blocked",
  "paused",
  "waiting",
  "in_progress",
  "ready",
  "cancelled",
  "skipped",
];

/** Everything a checkpoint tells of a run, from the run's own state. */
export function workOfRun(run: RunState, span: Span, facts: WorkFacts, words: ChronicleWords): Work {
  const named = new Set(facts.files.map(({ path }) => path));
  const said = new Map(span.artifacts.map(({ path, change }) => [path, change]));
  return {
    ...(facts.first
      ? { problem: words.problem(run.plan.project, facts.file), intent: words.intent(facts.file) }
      : {}),
    state: stateLine(run, words),
    none: words.none,
    phases: phasesOf(run),
    tasks: run.tasks.filter(({ task }) => task.children === undefined).map(state => taskOf(state, words)),
    decisions: span.decisions,
    facts: [
      [words.facts.file, facts.file],
      [words.facts.run, facts.runId],
      [words.facts.plan, facts.planHash.slice(0, 12)],
      ...[...span.branches].map(([phase, branch]): [string, string] => [
        `${words.facts.branch} ${phase}`,
        branch,
      ]),
    ],
    crumbs: facts.crumbs,
    steps: span.steps,
    files: [
      ...facts.files.map(file => ({ ...file, change: said.get(file.path) ?? file.change })),
      ...span.artifacts.filter(({ path }) => !named.has(path)),
    ],
    next: nextActions(run, words),
    rules: facts.rules,
  };
}

function stateLine(run: RunState, words: ChronicleWords): string {
  const open = run.phases[run.open];
  const counts = TOLD.filter(status => run.counts[status] > 0).map(status =>
    words.count(status, run.counts[status]),
  );
  return words.state({
    phase: open?.label ?? "",
    closed: open?.closed === true,
    done: run.counts.completed,
    total: run.tasks.length,
    counts: counts.join(", "),
    ended: standingLine(run, words),
  });
}

/** Whether a run goes on, or how it has ended; one that is told to stop is interrupted from then on. */
export function standingLine(run: RunState, words: ChronicleWords): string {
  if (run.ended !== undefined) return words.ended(run.ended.outcome);
  return run.stopping ? words.ended("interrupted") : words.goingOn;
}

function phasesOf(run: RunState): WorkPhase[] {
  return run.phases.map(({ label, title, completed, skipped, members, closed }, index) => ({
    label,
    title,
    completed,
    counted: members.length - skipped,
    standing: closed ? "ended" : index <= run.open ? "open" : "pending",
  }));
}

function taskOf({ task, status, verified, reason }: TaskState, words: ChronicleWords): WorkTask {
  const proof = status === "completed" && verified !== true ? words.unverified : "";
  const note = [proof, words.reason(reason)].filter(part => part !== "").join("; ");
  return { id: task.id, title: task.title, phase: String(task.phase), status, note };
}

/** What to do now: first what waits for a person, then what is under way, then what is ready. */
function nextActions(run: RunState, { next }: ChronicleWords): string[] {
  const of = (status: TaskStatus) => run.tasks.filter(state => state.status === status);
  const [current, gated] = [run.phases[run.open], run.phases[run.open + 1]];
  const actions = [
    ...of("paused").map(({ task, reason }) => next.decide(task.id, task.title, reason)),
    ...of("failed").map(({ task, reason }) => next.retry(task.id, task.title, reason)),
    ...(gated !== undefined && current?.closed === true && !passesGate(current, run.policy.phaseGate)
      ? [next.force(gated.label)]
      : []),
    // A stop ends what is under way: it begins anew when the run goes on.
    ...of("in_progress").map(({ task }) => (run.stopping ? next.start : next.finish)(task.id, task.title)),
    ...[...of("ready"), ...of("waiting")].map(({ task }) => next.start(task.id, task.title)),
  ];
  // Between phases nothing is ready yet: what comes then is what the next phase begins with.
  if (actions.length === 0)
    actions.push(
      ...of("pending")
        .slice(0, MOST_ACTIONS)
        .map(({ task }) => next.start(task.id, task.title)),
    );
  if (actions.length <= MOST_ACTIONS) return actions;
  return [...actions.slice(0, MOST_ACTIONS), next.more(actions.length - MOST_ACTIONS)];
}
