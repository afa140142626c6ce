import { readFindings, type WorkDecision, type WorkFile, type WorkStep } from "../../checkpoint/index.ts";
import type { AttemptRow, RunEvent, StampedEvent, Store } from "../../ports/index.ts";
import type { RunState } from "../../run/index.ts";
import type { ChronicleWords } from "./words.ts";

/** What happened in a run since a checkpoint. */
export interface Span {
  readonly lastSeq: number;
  /** Wall time of its first event; 0 where nothing happened. */
  readonly since: number;
  /** The checkpoint the run was started from, where that happened in this span. */
  readonly origin?: string;
  readonly steps: readonly WorkStep[];
  readonly decisions: readonly WorkDecision[];
  /** As agents named them. */
  readonly artifacts: readonly WorkFile[];
  /** Commits that hold accepted work, in the order of its completion. */
  readonly commits: readonly string[];
  /** By phase: the branch that holds its work, or what it was merged into. */
  readonly branches: ReadonlyMap<string, string>;
}

const PAGE = 1_000;
/** Events that are looked at; older ones are in the log. */
const MOST_EVENTS = 200_000;

/** Reads what happened after an event of a run; throws nothing: what the store cannot give is left out. */
export function spanSince(
  store: Store,
  runId: string,
  run: RunState,
  afterSeq: number,
  words: ChronicleWords,
): Span {
  const steps: WorkStep[] = [];
  const completed = new Set<string>();
  const branches = new Map<string, string>();
  let lastSeq = afterSeq;
  let since = 0;
  let origin: string | undefined;
  for (let seen = 0; seen < MOST_EVENTS; ) {
    const page = store.events(runId, lastSeq, PAGE);
    if (!page.ok || page.value.length === 0) break;
    if (since === 0) since = page.value[0]!.at;
    for (const stamped of page.value) {
      const step = stepOf(stamped, run, words);
      if (step !== undefined) steps.push(step);
      const { event } = stamped;
      if (event.type === "checkpoint" && event.action === "resumed") origin = event.id;
      if (event.type === "completed") completed.add(event.task);
      if (event.type === "phase-left") branches.set(event.phase, event.branch);
      if (event.type === "phase-merged")
        branches.set(event.phase, `${event.into} (${event.commit.slice(0, 12)})`);
    }
    lastSeq = page.value.at(-1)!.seq;
    seen += page.value.length;
  }
  const from = origin === undefined ? {} : { origin };
  return { lastSeq, since, ...from, steps, branches, ...outputs(store, runId, completed) };
}

/** The events that are steps of the work. */
type Telling = Extract<
  RunEvent,
  { type: "completed" | "failed" | "paused" | "person" | "phase-ended" | "plan-changed" | "checkpoint" }
>;

function isTelling(event: RunEvent): event is Telling {
  return TELLING.has(event.type);
}

const TELLING: ReadonlySet<string> = new Set<Telling["type"]>([
  "completed",
  "failed",
  "paused",
  "person",
  "phase-ended",
  "plan-changed",
  "checkpoint",
]);

function stepOf({ event }: StampedEvent, run: RunState, words: ChronicleWords): WorkStep | undefined {
  if (!isTelling(event)) return undefined;
  const { outcome, actions } = words;
  switch (event.type) {
    case "completed":
      return about(
        event,
        run,
        outcome.completed(event.verified || event.by === "children", event.by, event.reason),
      );
    case "failed":
      return about(event, run, outcome.failed(event.reason));
    case "paused":
      return about(event, run, outcome.paused(event.reason));
    case "person":
      return about(event, run, `${event.action}${event.note === "" ? "" : `: ${event.note}`}`);
    case "phase-ended":
      return {
        phase: event.phase,
        action: actions.phase,
        outcome: outcome.phaseEnded(event.completed, event.counted),
      };
    case "plan-changed":
      return event.asked === undefined
        ? { phase: labelOf(run), action: actions.file, outcome: outcome.planChanged(event) }
        : { phase: labelOf(run), action: actions.research, outcome: event.asked };
    case "checkpoint":
      return event.action === "resumed"
        ? { phase: labelOf(run), action: actions.start, outcome: event.id }
        : undefined;
    default:
      return event satisfies never;
  }
}

function labelOf(run: RunState): string {
  return run.phases[run.open]?.label ?? "–";
}

function about(event: Extract<RunEvent, { task: string }>, run: RunState, outcome: string): WorkStep {
  const state = run.byId.get(event.task);
  const phase = state === undefined ? labelOf(run) : String(state.task.phase);
  return { phase, action: `${event.task} ${state?.task.title ?? ""}`.trim(), outcome };
}

/** What accepted attempts left: decisions and artifacts in their final messages, commits in the repository. */
function outputs(
  store: Store,
  runId: string,
  completed: ReadonlySet<string>,
): Pick<Span, "decisions" | "artifacts" | "commits"> {
  const decisions: WorkDecision[] = [];
  const artifacts: WorkFile[] = [];
  const commits: string[] = [];
  for (const task of completed) {
    const row = acceptedAttempt(store, runId, task);
    if (row === undefined) continue;
    const found = readFindings(row.finalMessage);
    decisions.push(...found.decisions.map(text => ({ text, by: `${task}, ${row.agent}` })));
    artifacts.push(
      ...found.artifacts.map(({ path, change }) => ({
        path,
        status: "modified" as const,
        change: change === "" ? task : `${change} (${task})`,
      })),
    );
    if (row.commit !== undefined) commits.push(row.commit);
  }
  return { decisions, artifacts, commits };
}

/** The attempt that completed a task. */
export function acceptedAttempt(store: Store, runId: string, task: string): AttemptRow | undefined {
  const rows = store.attempts(runId, task);
  return rows.ok ? rows.value.findLast(({ outcome }) => outcome === "done") : undefined;
}
