import { createNodeLife, type Library, type NodeLife } from "../context/library/index.ts";
import {
  type ContextStep,
  type ContextWork,
  joinSteps,
  type Ledger,
  type SharedContext,
  together,
} from "../context/shared/index.ts";
import { askedTasks } from "../plan/index.ts";
import {
  type AttemptRow,
  attemptTokens,
  because,
  type Change,
  type Reason,
  type RunEvent,
  type StampedEvent,
  type StoreFailure,
} from "../ports/index.ts";
import { isSatisfied, type RunInput, type RunState, type StepResult, step } from "../run/index.ts";
import { said } from "../text/index.ts";
import { newestOfEach, recover, remainsIn } from "./attempt/index.ts";
import { type BoxTicker, createBoxTicker } from "./boxes.ts";
import { createHeartbeat, type Heartbeat } from "./heartbeat.ts";
import { createInbox, type Inbox } from "./inbox.ts";
import { isEmpty, Journal, KEPT_BESIDE, type RunFacts } from "./journal.ts";
import { type Draft, type EngineEnd, type History, type Letter, LOST, UNASKED } from "./letters.ts";
import { maskedReason, maskedTexts, maskedWorld } from "./masked.ts";
import { commitPatiently } from "./patience.ts";
import { createPhaseSettler, type PhaseSettler } from "./phase-settler.ts";
import { idleTasks } from "./run-phases.ts";
import { openContext } from "./shared-context.ts";
import { createThinWriter, type ThinWriter, thinStateJson } from "./thin-state.ts";
import { createUnderWay, type UnderWay } from "./under-way.ts";
import type { EngineOptions, HeardWorld, World } from "./world.ts";

type Listener = (event: StampedEvent) => void;

/**
 * The local loop: takes inputs one by one through `step`, makes each result durable, and only then performs its
 * commands. Everything it touches comes from `World`.
 */
export class Engine {
  readonly run: RunState;
  /** The shared context of the project. */
  readonly shared: SharedContext;
  /** The context tree with everything that is read through it. */
  readonly library: Library;
  readonly #world: HeardWorld;
  readonly #options: EngineOptions;
  readonly #journal: Journal;
  readonly #facts: RunFacts;
  readonly #history: History;
  readonly #attempts: UnderWay;
  readonly #phases: PhaseSettler;
  readonly #nodes: NodeLife;
  readonly #listeners = new Set<Listener>();
  readonly #inbox: Inbox;
  readonly #boxes: BoxTicker;
  readonly #thin: ThinWriter;
  readonly #heart: Heartbeat;
  readonly #end = Promise.withResolvers<EngineEnd>();
  readonly #startWall: number;
  readonly #startMono: number;
  /** True while what the run says is also what the store holds. */
  #durable = true;
  #finished = false;
  /** The end of the run is also the end of this engine. */
  #leaving = false;
  #hurry: (() => void) | undefined;
  #cancelWake: (() => void) | undefined;

  constructor(run: RunState, outside: World, options: EngineOptions, facts: RunFacts, history: History) {
    const world = maskedWorld(outside);
    this.run = run;
    this.#world = world;
    this.#options = options;
    this.#facts = facts;
    this.#inbox = createInbox(
      world.clock,
      batch => this.#advance(batch),
      error => void this.#break(error),
    );
    this.#journal = new Journal(run, world, options.runId, facts, history.lastSeq, "running");
    this.#history = history;
    const shared = openContext(world, options, {
      ledger: this.ledger,
      run,
      tell: (code, message, task) => this.warn(code, message, task),
    });
    this.shared = shared.shared;
    this.library = shared.library;
    this.#nodes = createNodeLife(this.library, id => isSatisfied(run.byId.get(id)?.status ?? "pending"));
    const loop = {
      run,
      shared: this.shared,
      library: this.library,
      now: this.#now,
      // What happens to an attempt after the engine has left is nobody's business any more.
      tell: (events: readonly RunEvent[]) => (this.#finished ? undefined : this.#hear(events)),
      submit: (input?: RunInput, row?: AttemptRow, context?: ContextWork, reply?: Letter["reply"]) =>
        this.#submit({ input, row, context, reply }),
      keep: (row: AttemptRow, context?: ContextWork) => this.#submit({ row, context, patient: true }),
      secure: (row: AttemptRow) => this.#made({ row }),
    };
    this.#attempts = createUnderWay(world, options, loop, history);
    this.#phases = createPhaseSettler(world, options, { ...loop, leave: this.#attempts.leave });
    this.#startWall = world.clock.now();
    this.#startMono = world.clock.monotonic();
    this.#boxes = createBoxTicker(world, message =>
      this.warn("BOX_NOT_TICKED", said("system", message, 300)),
    );
    this.#thin = createThinWriter(
      world.clock,
      world.files,
      () => (this.#durable ? this.thinState() : undefined),
      message => this.#alarm("THIN_STATE", said("system", message, 300)),
    );
    this.#heart = createHeartbeat(world, options.heartbeatMs, {
      beats: () => this.#thin.changed(),
      lost: () => this.#submit({ input: { type: "tick", now: this.#now() } }),
      failed: message => (this.#finished ? undefined : this.#alarm("BACKUP", said("system", message, 300))),
    });
  }

  /** Wall time that never jumps while this process lives: decisions do not depend on clock changes. */
  readonly #now = (): number => Math.round(this.#startWall + this.#world.clock.monotonic() - this.#startMono);

  /** What somebody asks of the run, with its secrets masked. */
  heard<T>(request: T): T {
    return maskedTexts(request, this.#world.redact);
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

  /**
   * Runs until nothing can go on without a person, or until stopped. Call once. Rejects only by a bug, with every agent
   * ended.
   */
  start(resumed: boolean): Promise<EngineEnd> {
    this.#heart.beat();
    const ended = this.shared.endSessions(new Set(this.#history.crashed.flatMap(attemptTokens)));
    const fresh = resumed ? undefined : (now: number) => this.shared.forgetEnded(now);
    const taskOf = (id: string) => this.run.byId.get(id)?.task;
    const landed = recover(
      this.#options.runId,
      this.#history.crashed,
      taskOf,
      this.library,
      remainsIn(this.#world, this.#options),
    );
    const context = together([ended, fresh, ...landed]);
    this.#submit({ input: { type: "start", resumed, now: this.#now() }, context });
    return this.#end.promise;
  }

  /**
   * Gives one input to the run; resolves once its result is durable and its commands are under way. Undefined when the
   * engine has left: nothing was done then.
   */
  send(draft: Draft): Promise<StepResult | undefined> {
    return new Promise(reply => this.#submit({ input: { ...draft, now: this.#now() } as RunInput, reply }));
  }

  /** Changes the shared context in the loop's order; its rows go with whatever else happens at that moment. */
  readonly ledger: Ledger = {
    commit: work => this.#made({ context: work }),
  };

  /** Takes a letter; resolves with whether what it says is durable. */
  #made(letter: Letter): Promise<boolean> {
    return new Promise(resolve => this.#submit({ ...letter, reply: out => resolve(out !== undefined) }));
  }

  /** Tells people something that is no event of the run itself, and keeps it with the run's history. */
  warn(code: string, message: Reason, task?: string): void {
    const warning: RunEvent = { type: "warning", code, message, ...(task === undefined ? {} : { task }) };
    if (this.#finished) this.#tell([warning]);
    else this.#hear([warning]);
  }

  /** Tells what cannot wait to be kept: it is about the disk. */
  #alarm(code: string, message: Reason): void {
    this.#tell([{ type: "warning", code, message }]);
  }

  /** Takes in what happened beside the run's own steps: people look for these afterwards, too. */
  #hear(events: readonly RunEvent[]): void {
    for (const event of events)
      if (event.type === "warning")
        this.note({ ...event, message: maskedReason(event.message, this.#world.redact) });
      else if (KEPT_BESIDE.has(event.type)) this.note(event);
      else this.#tell([event]);
  }

  /** Keeps and tells what was done beside the run, such as a checkpoint written or a question answered. */
  note(event: RunEvent): void {
    // Before its first commit there is no run to keep anything with.
    if (this.#journal.lastSeq > 0) this.#submit({ told: event });
    else if (!this.#finished) this.#tell([event]);
  }

  /** Whether work of a task was proved and waits for its review: a person can approve it. */
  awaitsReview(task: string): boolean {
    return this.#attempts.awaitsReview(task);
  }

  /** Says something to the agent at work on a task; why it cannot be told, if it cannot. */
  say(task: string, text: string, by: string): Reason | undefined {
    if (this.#finished) return because("not-at-work", { task });
    const refused = this.#attempts.say(task, text);
    if (refused === undefined) this.note({ type: "person", action: "tell", task, note: text, by });
    return refused;
  }

  /** Records what the plan was last read from, so that a resume compares with the right file. */
  notePlan(planHash: string, planJson: string): void {
    this.#facts.planHash = planHash;
    this.#facts.planJson = planJson;
  }

  /** Ticks boxes again that the task file has lost. */
  tickAgain(tasks: Iterable<string>): void {
    for (const task of tasks) this.#boxes.tick(task);
  }

  #submit(letter: Letter): void {
    if (this.#finished) {
      letter.reply?.(undefined);
      return;
    }
    this.#inbox.put(letter);
    if (letter.input?.type === "stop") {
      this.#hurry?.();
      this.#phases.stop(letter.input.how);
      this.#world.workspaces?.stop(letter.input.how);
    }
  }

  async #advance(batch: readonly Letter[]): Promise<void> {
    this.#durable = false;
    const now = this.#now();
    const works: (ContextStep | undefined)[] = [];
    const inputs = batch.map(({ input }) => input);
    const steps = batch.map(({ input, context }) => {
      const out = input === undefined ? UNASKED : this.#step(input);
      works.push(context?.(now));
      if (input !== undefined) works.push(this.#nodes.follow(out.touched, now));
      return out;
    });
    const closed = batch.flatMap(({ row, input }) =>
      input?.type === "start" ? this.#history.crashed : (row ?? []),
    );
    const { begins: opened, changed } = this.#attempts.open(steps, closed);
    const context = joinSteps(works);
    const told = batch.flatMap(({ told: noted = [] }, at) => [steps[at]?.events ?? [], noted].flat());
    const events = this.#journal.stamp(told, now);
    const rows = newestOfEach([...closed, ...changed, ...opened]);
    const change = this.#journal.change(steps, rows, events, now, context?.rows);
    const failure = await this.#makeDurable(change);
    if (failure !== undefined) {
      for (const { reply } of batch) reply?.(undefined);
      await this.#abandon(failure);
      return;
    }
    this.#durable = true;
    for (const event of events) this.#publish(event);
    context?.settled?.();
    for (const task of idleTasks(this.run, inputs, steps)) {
      this.#world.workspaces?.giveUp(task);
      this.#attempts.giveUp(task);
    }
    const isStart = batch.some(({ input }) => input?.type === "start");
    for (const row of isStart ? (this.#history.underWay ?? []) : []) this.#attempts.begin(row, true);
    for (const row of opened) this.#attempts.begin(row);
    for (const command of steps.flatMap(out => out.commands)) {
      if (command.type === "tick-box") this.#boxes.tick(command.task);
      if (command.type === "cancel") this.#attempts.cancel(command);
      if (command.type === "settle-phase") {
        // The boxes of a phase are committed at its end.
        this.#boxes.flush();
        this.#phases.settle(command.phase);
      }
    }
    if (isStart) this.#tickMissing();
    if (told.some(event => event.type === "run-started" || event.type === "phase-ended"))
      void this.#heart.backup();
    for (const [at, { reply }] of batch.entries()) reply?.(steps[at]!);
    if (!isEmpty(change)) this.#thin.changed();
    this.#leaving ||= this.#options.stays !== true || batch.some(({ input }) => input?.type === "stop");
    const isOver = this.run.ended !== undefined && this.#attempts.size === 0 && this.#leaving;
    if (isOver) await this.#finish();
    else this.#scheduleWake();
  }

  #step(input: RunInput): StepResult {
    const out = step(this.run, input);
    if (input.type === "plan-changed" && askedTasks(input.plan).length > 0)
      this.#facts.planJson = this.#options.planJson?.(this.run.plan) ?? this.#facts.planJson;
    if (input.type === "start") {
      out.removed.push(...this.#history.removedTasks);
      out.events.push(...(this.#history.news ?? []), ...this.#attempts.waiting);
    }
    return out;
  }

  /** While the disk is full nothing new starts, because nothing is performed before its change is durable. */
  async #makeDurable(change: Change): Promise<StoreFailure | undefined> {
    const ours = () => this.#world.stillOurs();
    if (ours() && isEmpty(change)) return undefined;
    return commitPatiently(() => (ours() ? this.#journal.commit(change) : LOST), {
      clock: this.#world.clock,
      stopAsked: () => !ours() || this.#inbox.some(({ input }) => input?.type === "stop"),
      onHurry: callback => {
        this.#hurry = callback;
      },
      tell: message => this.#alarm("STATE_NOT_WRITTEN", message),
    });
  }

  /** Leaves because the state cannot be written: agents are ended, and nothing that is not durable is told. */
  async #abandon(failure: StoreFailure): Promise<void> {
    this.#release();
    // Whoever took over is the only one to write now.
    if (failure.kind === "fenced") this.#boxes.stop();
    else this.#boxes.flush();
    await this.#attempts.endAll();
    this.#end.resolve({ kind: "store-failed", failure });
  }

  async #break(error: unknown): Promise<void> {
    this.#release();
    await this.#attempts.endAll();
    this.#end.reject(error);
  }

  async #finish(): Promise<void> {
    // What falls due takes no end back: a wake would only be taken for somebody who acts.
    this.#cancelWake?.();
    this.#boxes.flush();
    this.#thin.changed();
    this.#thin.flush();
    await this.#heart.backup();
    // A person may have acted meanwhile, and taken back the end.
    if (!this.#inbox.isEmpty || this.run.ended === undefined) return;
    this.#release();
    this.#end.resolve({ kind: "ended", ...this.run.ended });
  }

  #release(): void {
    this.#finished = true;
    this.#cancelWake?.();
    this.#heart.stop();
    this.#thin.stop();
    for (const { reply } of this.#inbox.close()) reply?.(undefined);
  }

  /** A process that was killed between a completion and its tick left the box empty. */
  #tickMissing(): void {
    for (const { task, status } of this.run.tasks)
      if (status === "completed" && !task.done) this.#boxes.tick(task.id);
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
    const at = Math.min(this.run.due.nextAt() ?? Infinity, this.shared.nextDue() ?? Infinity);
    if (at === Infinity || this.#finished) return;
    const wake = () => this.#submit({ input: { type: "tick", now: this.#now() }, context: this.shared.tick });
    this.#cancelWake = this.#world.clock.after(Math.max(0, at - this.#now()), wake);
  }
}
