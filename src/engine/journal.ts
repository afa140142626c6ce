import { changesNothing } from "../context/shared/index.ts";
import type {
  AttemptRow,
  Change,
  ContextChange,
  RunEvent,
  RunRow,
  StampedEvent,
  StoreFailure,
} from "../ports/index.ts";
import { type RunState, type StepResult, standing, taskRow } from "../run/index.ts";
import type { World } from "./world.ts";

/** What happens beside the run's own steps and is looked for afterwards: by people, and by its checkpoints. */
export const KEPT_BESIDE: ReadonlySet<RunEvent["type"]> = new Set<RunEvent["type"]>([
  "permission",
  "reviewed",
  "phase-merged",
  "phase-left",
]);

/** What the run's row is made of besides the run itself. */
export interface RunFacts {
  readonly startedAt: number;
  readonly file: string;
  planHash: string;
  planJson: string;
  leadTokens: number;
}

/** Turns steps into durable changes: one transaction for everything that happened since the last one. */
export class Journal {
  readonly #run: RunState;
  readonly #world: Pick<World, "store" | "epoch">;
  readonly #runId: string;
  readonly #facts: RunFacts;
  readonly #between: "running" | "interrupted";
  #seq: number;

  /** `between` is what an unfinished run is called: `interrupted` where no process stays to work on it. */
  constructor(
    run: RunState,
    world: Pick<World, "store" | "epoch">,
    runId: string,
    facts: RunFacts,
    lastSeq: number,
    between: "running" | "interrupted",
  ) {
    this.#run = run;
    this.#world = world;
    this.#runId = runId;
    this.#facts = facts;
    this.#seq = lastSeq;
    this.#between = between;
  }

  get lastSeq(): number {
    return this.#seq;
  }

  /** Gives events their place in the run's order. */
  stamp(events: readonly RunEvent[], at: number): StampedEvent[] {
    return events.map(event => ({ seq: ++this.#seq, at, event }));
  }

  #runRow(now: number): RunRow {
    const run = this.#run;
    const ended = run.ended;
    return {
      id: this.#runId,
      project: run.plan.project,
      state: standing(run, this.#between),
      phase: run.phases[run.open]?.label ?? "",
      file: this.#facts.file,
      planHash: this.#facts.planHash,
      plan: this.#facts.planJson,
      startedAt: this.#facts.startedAt,
      updatedAt: now,
      forced: [...run.forced],
      leadTokens: this.#facts.leadTokens,
      reason: ended?.reason,
      ...(run.held ? { held: true } : {}),
    };
  }

  /** The change that makes these steps durable, with what they change in the shared context. */
  change(
    steps: readonly StepResult[],
    attempts: readonly AttemptRow[],
    events: readonly StampedEvent[],
    now: number,
    context?: ContextChange,
  ): Change {
    const touched = new Set(steps.flatMap(out => [...out.touched]));
    // One that left and came back within these steps is in the plan.
    const removed = steps.flatMap(out => out.removed).filter(id => !this.#run.byId.has(id));
    return {
      epoch: this.#world.epoch,
      runId: this.#runId,
      ...(steps.some(out => out.runTouched) ? { run: this.#runRow(now) } : {}),
      tasks: [...touched].filter(state => this.#run.byId.get(state.task.id) === state).map(taskRow),
      ...(removed.length > 0 ? { removedTasks: removed } : {}),
      attempts,
      events,
      ...(context === undefined ? {} : { context }),
    };
  }

  /** Commits; on a failure that may pass (full disk, I/O) the same change can be committed again. */
  commit(change: Change): StoreFailure | undefined {
    const result = this.#world.store.commit(change);
    return result.ok ? undefined : result.failure;
  }
}

/** Whether a change would change nothing. */
export function isEmpty({ run, tasks, removedTasks, attempts, events, context }: Change): boolean {
  const lists = [tasks, removedTasks, attempts, events];
  return (
    run === undefined &&
    changesNothing(context) &&
    lists.every(list => list === undefined || list.length === 0)
  );
}
