import type { AttemptRow, RunEvent, RunOutcome, StampedEvent, StoreFailure } from "../ports/index.ts";
import {
  type RunCommand,
  type RunInput,
  type RunState,
  type StepResult,
  step,
  type TaskState,
} from "../run/index.ts";
import { type AttemptResult, type RunningAttempt, startAttempt } from "./attempt.ts";
import { type BoxTicker, createBoxTicker } from "./boxes.ts";
import { Journal, type RunFacts } from "./journal.ts";
import { textHash } from "./text-hash.ts";
import { createThinWriter, type ThinWriter, thinStateJson } from "./thin-state.ts";
import type { EngineOptions, World } from "./world.ts";

/** Milliseconds until a change that the disk refused is tried again. */
const DISK_PAUSE = 30_000;
const IO_PAUSE = 1000;
const IO_TRIES = 3;

/** How a run left the engine. */
export type EngineEnd =
  | { readonly kind: "ended"; readonly outcome: RunOutcome; readonly reason: string }
  /** The state could not be written any more; everything acknowledged before is safe. */
  | { readonly kind: "store-failed"; readonly failure: StoreFailure };

/** What an engine needs to know of the time before it. */
export interface History {
  readonly lastSeq: number;
  /** What the last failed attempt of a task left for the next one. */
  readonly feedback: ReadonlyMap<string, string>;
  /** Attempts of a dead process, closed as crashed; made durable with the first change. */
  readonly crashed: readonly AttemptRow[];
  /** Ids that left the plan while nothing ran. */
  readonly removedTasks: readonly string[];
}

type Listener = (event: StampedEvent) => void;
/** An input before the engine puts its time on it. */
export type Draft = RunInput extends infer Input
  ? Input extends RunInput
    ? Omit<Input, "now">
    : never
  : never;

/**
 * The local loop: takes inputs one by one through `step`, makes each result durable, and only then performs its
 * commands. Everything it touches comes from `World`.
 */
export class Engine {
  readonly run: RunState;
  readonly #world: World;
  readonly #options: EngineOptions;
  readonly #journal: Journal;
  readonly #facts: RunFacts;
  readonly #history: History;
  readonly #attempts = new Map<string, RunningAttempt>();
  readonly #feedback = new Map<string, string>();
  readonly #listeners = new Set<Listener>();
  readonly #inbox: {
    readonly input: RunInput;
    readonly row?: AttemptRow;
    reply?: (out: StepResult) => void;
  }[] = [];
  readonly #boxes: BoxTicker;
  readonly #thin: ThinWriter;
  readonly #end = Promise.withResolvers<EngineEnd>();
  readonly #startWall: number;
  readonly #startMono: number;
  #pumping = false;
  #finished = false;
  #cancelWake: (() => void) | undefined;
  #cancelBeat: (() => void) | undefined;
  #unwatch: (() => void) | undefined;

  constructor(run: RunState, world: World, options: EngineOptions, facts: RunFacts, history: History) {
    this.run = run;
    this.#world = world;
    this.#options = options;
    this.#facts = facts;
    this.#journal = new Journal(run, world, options.runId, facts, history.lastSeq, "running");
    this.#history = history;
    for (const [task, text] of history.feedback) this.#feedback.set(task, text);
    this.#startWall = world.clock.now();
    this.#startMono = world.clock.monotonic();
    this.#boxes = createBoxTicker(world, message => this.warn("BOX_NOT_TICKED", message));
    this.#thin = createThinWriter(
      world.clock,
      world.files,
      () => this.thinState(),
      message => this.warn("THIN_STATE", message),
    );
  }

  /** Wall time that never jumps while this process lives: decisions do not depend on clock changes. */
  #now(): number {
    return Math.round(this.#startWall + this.#world.clock.monotonic() - this.#startMono);
  }

  /** Views of the run: each hears every event, after it is durable. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The thin state as it would be written now. */
  thinState(): string {
    return thinStateJson(this.run, {
      runId: this.#options.runId,
      epoch: this.#world.epoch,
      seq: this.#journal.lastSeq,
      now: this.#world.clock.now(),
    });
  }

  /** Runs until nothing can go on without a person, or until stopped. Call once. */
  start(resumed: boolean): Promise<EngineEnd> {
    if (this.#options.planChanges === "reconcile")
      this.#unwatch = this.#world.taskFile.watch(() => this.onTaskFile());
    this.#beat();
    this.#submit({ type: "start", resumed, now: this.#now() });
    return this.#end.promise;
  }

  /** Called when the task file may have changed; set by the owner, who knows how to read it. */
  onTaskFile: () => void = () => {};

  /** Gives one input to the run; resolves once its result is durable and its commands are under way. */
  send(draft: Draft): Promise<StepResult> {
    return new Promise(resolve =>
      this.#submit({ ...draft, now: this.#now() } as RunInput, undefined, resolve),
    );
  }

  /** Tells people something that is no event of the run itself. */
  warn(code: string, message: string): void {
    this.#tell([{ type: "warning", code, message }]);
  }

  /** Records what the plan was last read from, so that a resume compares with the right file. */
  notePlan(planHash: string, planJson: string): void {
    this.#facts.planHash = planHash;
    this.#facts.planJson = planJson;
  }

  /** Adds to what the lead was made to read. */
  noteLeadTokens(total: number): void {
    this.#facts.leadTokens = total;
  }

  #submit(input: RunInput, row?: AttemptRow, reply?: (out: StepResult) => void): void {
    this.#inbox.push({
      input,
      ...(row === undefined ? {} : { row }),
      ...(reply === undefined ? {} : { reply }),
    });
    if (!this.#pumping) void this.#pump();
  }

  async #pump(): Promise<void> {
    this.#pumping = true;
    // One turn of the event loop, so that results which arrive together share a transaction.
    await Promise.resolve();
    while (this.#inbox.length > 0 && !this.#finished) {
      const batch = this.#inbox.splice(0);
      const steps = batch.map(({ input }) => this.#step(input));
      const started = steps.flatMap(out => this.#attemptRows(out.commands));
      const ended = batch.flatMap(({ row, input }) =>
        input.type === "start" ? this.#history.crashed : (row ?? []),
      );
      const now = this.#now();
      const events = this.#journal.stamp(
        steps.flatMap(out => out.events),
        now,
      );
      const change = this.#journal.change(steps, [...ended, ...started.map(({ row }) => row)], events, now);
      if (!(await this.#makeDurable(change))) break;
      for (const event of events) this.#publish(event);
      for (const { row, state } of started) this.#dispatch(row, state);
      for (const out of steps) this.#perform(out.commands);
      for (const [at, { reply }] of batch.entries()) reply?.(steps[at]!);
      this.#thin.changed();
      this.#scheduleWake();
      if (this.run.ended !== undefined && this.#attempts.size === 0) await this.#finish(this.run.ended);
    }
    this.#pumping = false;
  }

  #step(input: RunInput): StepResult {
    const out = step(this.run, input);
    if (input.type === "start") {
      // The first change makes durable whatever was restored, imported or newly planned.
      for (const state of this.run.tasks) out.touched.add(state);
      out.removed.push(...this.#history.removedTasks);
    }
    return out;
  }

  /** Commits; while the disk is full, nothing new starts and the same change is tried again. */
  async #makeDurable(change: Parameters<Journal["commit"]>[0]): Promise<boolean> {
    for (let tries = 1; ; tries++) {
      const failure = this.#journal.commit(change);
      if (failure === undefined) return true;
      const mayPass = failure.kind === "full" || (failure.kind === "io" && tries < IO_TRIES);
      if (!mayPass || this.#stopAsked()) {
        await this.#abandon(failure);
        return false;
      }
      const message = `the state cannot be written (${failure.message}); nothing new starts, trying again`;
      this.#tell([{ type: "warning", code: "STATE_NOT_WRITTEN", message }]);
      await this.#pause(failure.kind === "full" ? DISK_PAUSE : IO_PAUSE);
    }
  }

  #stopAsked(): boolean {
    return this.#inbox.some(({ input }) => input.type === "stop");
  }

  /** Waits, or until a stop is asked for. */
  #pause(ms: number): Promise<void> {
    return new Promise(resolve => {
      const poll = (left: number) => {
        if (left <= 0 || this.#stopAsked()) resolve();
        else this.#world.clock.after(100, () => poll(left - 100));
      };
      poll(ms);
    });
  }

  async #abandon(failure: StoreFailure): Promise<void> {
    for (const attempt of this.#attempts.values()) attempt.cancel("hard");
    await Promise.all([...this.#attempts.values()].map(attempt => attempt.finished));
    this.#release();
    this.#end.resolve({ kind: "store-failed", failure });
  }

  async #finish(end: { readonly outcome: RunOutcome; readonly reason: string }): Promise<void> {
    this.#release();
    this.#boxes.flush();
    this.#thin.changed();
    this.#thin.flush();
    const backup = await this.#world.files.backup();
    if (!backup.ok) this.#tell([{ type: "warning", code: "BACKUP", message: backup.failure }]);
    this.#end.resolve({ kind: "ended", ...end });
  }

  #release(): void {
    this.#finished = true;
    this.#cancelWake?.();
    this.#cancelBeat?.();
    this.#unwatch?.();
  }

  /** Rows of attempts about to start: durable before any process exists. */
  #attemptRows(commands: readonly RunCommand[]): { row: AttemptRow; state: TaskState }[] {
    return commands.flatMap(command => {
      const state = command.type === "dispatch" ? this.run.byId.get(command.task) : undefined;
      if (command.type !== "dispatch" || state === undefined) return [];
      const row: AttemptRow = {
        task: command.task,
        number: command.attempt,
        token: this.#world.random(20),
        nonce: this.#world.random(5),
        agent: agentName(state, this.#options),
        startedAt: this.#now(),
        endedAt: 0,
        outcome: "running",
        reason: "",
        evidence: "",
        finalMessage: "",
        feedback: "",
      };
      return [{ row, state }];
    });
  }

  #dispatch(row: AttemptRow, state: TaskState): void {
    const agent = this.#world.agent(row.agent);
    const before = this.#world.clock.monotonic();
    if (agent === undefined) {
      const reason = `no agent named ${row.agent}`;
      const ended: AttemptRow = { ...row, endedAt: this.#now(), outcome: "failed", reason };
      this.#settle(row, { outcome: { kind: "needs-person", reason }, row: ended, foreign: [] }, before);
      return;
    }
    this.#tell([{ type: "attempt-started", task: row.task, attempt: row.number, agent: agent.name }]);
    const attempt = startAttempt(
      {
        task: state.task,
        row,
        agent,
        textHash: textHash(state.task.text),
        feedback: this.#feedback.get(row.task) ?? "",
        maxAttempts: this.run.policy.maxAttempts,
        emit: event => this.#tell([event]),
        after: this.#attempts.get(row.task)?.finished,
      },
      this.#world,
      this.#options,
    );
    this.#attempts.set(row.task, attempt);
    void attempt.finished.then(result => {
      if (this.#attempts.get(row.task) === attempt) this.#attempts.delete(row.task);
      this.#settle(row, result, before);
    });
  }

  #settle(row: AttemptRow, result: AttemptResult, before: number): void {
    if (result.row.feedback !== "") this.#feedback.set(row.task, result.row.feedback);
    this.#tell(result.foreign.map(text => ({ type: "foreign-signal", task: row.task, text })));
    const ms = Math.round(this.#world.clock.monotonic() - before);
    const { task, number: attempt } = row;
    this.#submit(
      { type: "attempt-ended", task, attempt, outcome: result.outcome, ms, now: this.#now() },
      result.row,
    );
  }

  #perform(commands: readonly RunCommand[]): void {
    for (const command of commands) {
      if (command.type === "cancel") this.#attempts.get(command.task)?.cancel(command.how);
      else if (command.type === "tick-box") this.#boxes.tick(command.task);
    }
  }

  /** Tells what the loop itself noticed; such events are logged but are not part of the run's durable history. */
  #tell(events: readonly RunEvent[]): void {
    for (const event of events) this.#publish({ seq: 0, at: this.#now(), event });
  }

  #publish(event: StampedEvent): void {
    const line = this.#options.messages.logLine(event.event);
    if (line !== undefined)
      this.#world.files.log(`${new Date(event.at).toISOString()} ${this.#world.redact(line)}`);
    for (const listener of this.#listeners) listener(event);
  }

  #scheduleWake(): void {
    this.#cancelWake?.();
    this.#cancelWake = undefined;
    const at = this.run.due.nextAt();
    if (at === undefined || this.#finished) return;
    const wake = () => this.#submit({ type: "tick", now: this.#now() });
    this.#cancelWake = this.#world.clock.after(Math.max(0, at - this.#now()), wake);
  }

  #beat(): void {
    this.#cancelBeat = this.#world.clock.after(this.#options.heartbeatMs, () => {
      this.#thin.changed();
      void this.#world.files.backup().then(result => {
        if (!result.ok) this.#tell([{ type: "warning", code: "BACKUP", message: result.failure }]);
        if (!this.#finished) this.#beat();
      });
    });
  }
}

/** The agent of a task: its own `agent:`, `shell` for its own `run:` block, what its role maps to, or the default. */
export function agentName(
  state: Pick<TaskState, "task">,
  options: Pick<EngineOptions, "roles" | "defaultAgent">,
): string {
  const { agent, role, specialist, run } = state.task;
  const own = agent ?? (run === undefined ? undefined : "shell");
  return own ?? options.roles.get(role ?? specialist ?? "") ?? options.defaultAgent;
}
