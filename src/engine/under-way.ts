import { createReaders, EXACT, type Library, type Reader } from "../context/library/index.ts";
import { type ContextWork, type SharedContext, together } from "../context/shared/index.ts";
import {
  type AgentFacts,
  type AttemptRow,
  type AttemptUsage,
  attemptTokens,
  because,
  type Reason,
  type RunEvent,
} from "../ports/index.ts";
import type { RunCommand, RunInput, RunState, StepResult, TaskState } from "../run/index.ts";
import { reasonText, textHash } from "../text/index.ts";
import {
  type AttemptResult,
  agentName,
  type Baseline,
  isStillAsked,
  keptWork,
  type Other,
  openAttemptRow,
  type RunningAttempt,
  startAttempt,
} from "./attempt/index.ts";
import { createDecisions } from "./decisions.ts";
import { type Earlier, letGo, openSessions, provedWork, resumable } from "./earlier.ts";
import { handOver } from "./hand-over.ts";
import type { Letter } from "./letters.ts";
import { createPool, type OutOfQuota } from "./pool.ts";
import { researchFor } from "./research.ts";
import { isAlone, phaseRequest } from "./run-phases.ts";
import { createSaid, MOST_WORDS, type Said, withLate, withUnheard } from "./said.ts";
import { addCharge, createSpendLedger, packageSpend, spentBy } from "./spent.ts";
import { agentsAsked, agentsWanted, takenUp, takeUpWaiting } from "./waiting.ts";
import type { EngineOptions, HeardWorld } from "./world.ts";

/** The attempts under way, at most one of each task. */
export interface UnderWay {
  readonly size: number;
  /** Tasks that wait for quota from before, as it is told with the start. */
  readonly waiting: readonly RunEvent[];
  /**
   * Rows of the attempts that steps ask for, and of earlier ones as a person's decision leaves them; to be made durable before
   * `begin`. `ended` are the rows that end with them.
   */
  open(steps: readonly StepResult[], ended: readonly AttemptRow[]): OpenedRows;
  /** Whether work of a task was proved and waits for its review. */
  awaitsReview(task: string): boolean;
  /** Begins an attempt whose row is durable, or goes on with one that a process before this one has begun elsewhere. */
  begin(row: AttemptRow, isTakenUp?: boolean): void;
  cancel(command: Extract<RunCommand, { type: "cancel" }>): void;
  /** Nobody wants what an attempt of the task makes any more, if there is one: its review is ended. */
  giveUp(task: string): void;
  /** Ends the attempts of a phase whose tasks have left the plan; resolves when nobody is at work for it any more. */
  leave(phase: string): Promise<void>;
  /** Says something to the agent at work on a task; why it cannot be told, if it cannot. */
  say(task: string, text: string): Reason | undefined;
  /** Kills all of them; resolves when none of their processes is left. */
  endAll(): Promise<void>;
}

/** Rows of attempts that begin, and of earlier ones that a decision has changed. */
interface OpenedRows {
  readonly begins: readonly AttemptRow[];
  readonly changed: readonly AttemptRow[];
}

/** The loop around the attempts. */
export interface Loop {
  readonly run: RunState;
  readonly shared: SharedContext;
  readonly library: Library;
  /** Wall time that does not jump, epoch milliseconds. */
  readonly now: () => number;
  /** Tells what happens to an attempt while it is under way. */
  tell(events: readonly RunEvent[]): void;
  /** Takes the result of an attempt; without an input only its row is made durable. `reply` hears whether it is. */
  submit(input: RunInput | undefined, row?: AttemptRow, context?: ContextWork, reply?: Letter["reply"]): void;
  /** Makes what is known of an attempt under way durable with whatever is written next. */
  keep(row: AttemptRow, context?: ContextWork): void;
  /** Makes a row durable; resolves with whether it is. */
  secure(row: AttemptRow): Promise<boolean>;
}

/** A running attempt, and what waits to be said to it. */
interface AttemptAtWork extends RunningAttempt {
  readonly agent: string;
  /** The label of the phase it began in. */
  readonly phase: string;
  /** Undefined for an agent that hears nothing. */
  readonly said: Said | undefined;
}

/** The attempts of a run; what the last failed one of a task leaves for the next one is kept up to date here. */
export function createUnderWay(
  world: HeardWorld,
  options: EngineOptions,
  loop: Loop,
  history: Earlier,
): UnderWay {
  const feedback = new Map(history.feedback);
  const attempts = new Map<string, AttemptAtWork>();
  const pool = createPool(options.fallback ?? [], history.outOfQuota, options.accountOf);
  const ledger = createSpendLedger(loop.run);
  const baseline: Baseline = { known: undefined };
  const readers = createReaders(options.models ?? new Map(), history.usage);
  const proved = provedWork(loop.run, history);
  const sessions = openSessions(history);
  const crashed = new Set(history.crashed?.map(({ task }) => task));
  /** Tasks that a person tries anew while their last attempt is still dying. */
  const anew = new Set<string>();
  /** Tasks that a person has go on, until they begin. */
  const renewed = new Set<string>();
  let isToldOfLeftovers = false;

  const rowsOf = (task: string): readonly AttemptRow[] => {
    const rows = world.store.attempts(options.runId, task);
    return rows.ok ? rows.value : [];
  };

  /** Without workspaces nothing takes away what an attempt leaves: that is told once. */
  const tellLeftovers = ({ task, number }: AttemptRow) => {
    if (number === 1 || world.workspaces !== undefined || isToldOfLeftovers) return;
    // What an attempt is given is noted before anybody works on it.
    if (!rowsOf(task).some(row => row.number < number && row.estimate !== undefined)) return;
    isToldOfLeftovers = true;
    loop.tell([{ type: "warning", code: "LEFTOVERS_STAY", message: because("leftovers-stay", {}) }]);
  };

  const wanted = (task: string) => {
    const state = loop.run.byId.get(task);
    return state === undefined ? undefined : agentsWanted(loop.run, state, options);
  };

  /** Who reviews in the name of an agent: whoever has done the work does not stand in. */
  const reviewerFor =
    (worker: string) =>
    (name: string): string | OutOfQuota => {
      const may = (other: string) => other !== worker && world.agent(other)?.reports === "signal";
      const now = loop.now();
      return pool.first([name], now, may) ?? pool.pick(name, now, may);
    };

  const readerOf = (agent: AgentFacts): Reader => (agent.reports === "exit" ? EXACT : readers.of(agent.name));

  /** The agents that go to work on a task now: those that have quota and are let in, else its first that has quota. */
  const crewOf = (state: TaskState, now: number): readonly [string, ...string[]] => {
    const names = agentsWanted(loop.run, state, options).map(name => pool.pick(name, now));
    const able = names.filter(name => pool.outUntil(name, now) === undefined);
    const fit = able.filter(name => pool.isOpen(name, now));
    const [first = agentName(state, options), ...others] =
      [fit, able].find(some => some.length > 0) ?? names.slice(0, 1);
    return [first, ...others];
  };

  /** The agents beside the one of its row that work on a task at once; each needs a folder of its own. */
  const othersOf = (row: AttemptRow, state: TaskState): Other[] => {
    const names = world.workspaces === undefined ? [] : [...crewOf(state, loop.now())];
    if (names.length < 2) return [];
    names.splice(Math.max(0, names.indexOf(row.agent)), 1);
    return names.flatMap(name => {
      const agent = world.agent(name);
      return agent === undefined ? [] : [{ agent, reader: readerOf(agent) }];
    });
  };

  const settle = (row: AttemptRow, result: AttemptResult, began: number, before?: AttemptRow) => {
    const { task, number: attempt } = row;
    const isKept = keptWork(result.row) !== undefined;
    if (result.outcome.kind === "done") feedback.delete(task);
    else if (result.row.feedback !== "" && !isKept) feedback.set(task, result.row.feedback);
    if (result.session === undefined) sessions.delete(task);
    else sessions.set(task, { ...result.row, session: result.session });
    loop.tell(result.foreign.map(text => ({ type: "foreign-signal", task, text })));
    const ms = Math.round(world.clock.monotonic() - began);
    ledger.end(task);
    readers.learn(result.row);
    // First, so that the worker waits for the answers when it becomes ready again.
    const plan = researchFor(loop, task, result.questions ?? []);
    if (plan !== undefined) loop.submit({ type: "plan-changed", plan, now: loop.now() });
    const { kind } = result.outcome;
    if (isKept) proved.set(task, result.row);
    // It was ended, or git failed, before it had come to the work that it was to bring home.
    else if (
      before !== undefined &&
      result.row.commit === undefined &&
      (kind === "cancelled" || kind === "stalled")
    )
      proved.set(task, before);
    loop.submit(
      {
        type: "attempt-ended",
        task,
        attempt,
        // Its reviewer has no quota: nobody takes over the work.
        outcome: isKept ? result.outcome : handOver({ pool, wanted, ...loop }, result.row, result.outcome),
        spent: spentBy(result.row, options.prices),
        ms,
        now: loop.now(),
      },
      result.row,
      together([result.context, loop.shared.endSessions(new Set(attemptTokens(row)))]),
      out => out && void world.fleet.settled?.(row.token),
    );
  };

  const decisions = createDecisions({
    proved,
    rowsOf,
    anew: task => (attempts.has(task) ? anew.add(task) : undefined),
    locale: options.messages.locale,
  });

  return {
    awaitsReview: decisions.awaitsReview,
    waiting: takeUpWaiting(loop.run, pool, options, world.clock.now(), id => proved.has(id)),
    get size() {
      return attempts.size;
    },
    open(steps, ended) {
      const events = steps.flatMap(out => out.events);
      if (events.some(({ type }) => type === "phase-started"))
        loop.submit(undefined, undefined, loop.shared.reach("IP-009"));
      // Who has a task go on means to know better than what its agent said last.
      for (const task of events.flatMap(takenUp)) {
        renewed.add(task);
        baseline.known = undefined;
        for (const name of agentsAsked(loop.run, task, options)) pool.renew(name);
      }
      const changed = events.flatMap(event => decisions.rowsAfter(event, ended));
      const begins = steps
        .flatMap(({ commands }) => commands)
        .flatMap(command => {
          if (command.type !== "dispatch") return [];
          const { task, attempt: number } = command;
          const now = loop.now();
          const state = loop.run.byId.get(task);
          if (state !== undefined)
            return [
              openAttemptRow(
                { task, number, agent: decisions.first(crewOf(state, now), task, number, changed), now },
                world.random,
              ),
            ];
          // A later input of the same batch took it out of the plan: its attempt ends before it began.
          const outcome = { kind: "cancelled" } as const;
          loop.submit({ type: "attempt-ended", task, attempt: number, outcome, ms: 0, now });
          return [];
        });
      return { begins, changed };
    },
    begin(row, isTakenUp = false) {
      const state = loop.run.byId.get(row.task);
      const agent = world.agent(row.agent);
      const began = world.clock.monotonic();
      if (agent === undefined || state === undefined) {
        const reason = because("agent-unknown", { agent: row.agent });
        const ended: AttemptRow = { ...row, endedAt: loop.now(), outcome: "failed", reason };
        settle(row, { outcome: { kind: "needs-person", reason }, row: ended, foreign: [] }, began);
        return;
      }
      const earlier = proved.get(row.task);
      proved.delete(row.task);
      const before = earlier === undefined || !isStillAsked(earlier, state.task) ? undefined : earlier;
      const until = before === undefined && !isTakenUp ? pool.outUntil(row.agent, loop.now()) : undefined;
      if (until !== undefined) {
        const reason = because("out-of-quota", { agent: row.agent, until });
        const ended: AttemptRow = { ...row, endedAt: loop.now(), outcome: "failed", reason };
        settle(row, { outcome: { kind: "quota", agent: row.agent, until }, row: ended, foreign: [] }, began);
        return;
      }
      loop.tell([{ type: "attempt-started", task: row.task, attempt: row.number, agent: agent.name }]);
      tellLeftovers(row);
      const sentBack = decisions.sentBackTo(row);
      const others = sentBack === undefined ? othersOf(row, state) : [];
      let kept = row;
      let charges: Pick<AttemptUsage, "models" | "reviewers"> | undefined;
      const withCharges = (now: AttemptRow): AttemptRow =>
        charges === undefined ? now : { ...now, usage: { ...now.usage, ...charges } };
      const said = createSaid(before, waiting => {
        kept = withUnheard(kept, waiting);
        loop.keep(withCharges(kept));
      });
      const phase = phaseRequest(loop.run, state.phaseIndex);
      const attempt = startAttempt(
        {
          words: said.take,
          task: state.task,
          shared: loop.shared,
          library: loop.library,
          row,
          agent,
          others,
          hear: (agent, outcome, startedAt) =>
            pool.hear({ ...kept, agent, startedAt, endedAt: loop.now() }, outcome),
          reviewer: reviewerFor(before?.agent ?? row.agent),
          textHash: textHash(state.task.text),
          feedback: feedback.get(row.task) ?? "",
          tries: state.retries + 1,
          phase,
          baseline,
          isTakenUp,
          isRenewed: renewed.delete(row.task),
          isAfterCrash: crashed.delete(row.task),
          alone: isAlone(loop.run, state),
          ...(before === undefined ? {} : { proved: before }),
          ...(sentBack === undefined ? {} : { sentBack }),
          ...resumable(sentBack?.made ?? sessions.get(row.task), agent),
          aim: task => loop.run.byId.get(task)?.task,
          isWanted() {
            const now = loop.run.byId.get(row.task);
            return now?.status === "in_progress" && now.attempts === row.number;
          },
          halt: reason =>
            loop.submit({
              type: "stop",
              by: reasonText(reason, "en"),
              how: "soft",
              halt: reason,
              now: loop.now(),
            }),
          maxAttempts: loop.run.policy.maxAttempts,
          refuses: tokens => ledger.refuses(row.task, packageSpend(tokens, row.agent, options.prices)),
          refusesReview: (reviewer, tokens) =>
            ledger.refusesReview(
              row.task,
              spentBy(kept, options.prices),
              packageSpend(tokens, reviewer, options.prices),
            ),
          keep(part, context) {
            kept = { ...kept, ...part };
            loop.keep(withCharges(kept), context);
          },
          secure(part) {
            kept = { ...kept, ...part };
            return loop.secure(withCharges(kept));
          },
          reader: readerOf(agent),
          charge(spent, reviewer) {
            charges = addCharge(charges, spent, reviewer);
            loop.submit({ type: "charge", spent, now: loop.now() }, withCharges(kept));
          },
          now: loop.now,
          emit: event => loop.tell([event]),
          after: attempts.get(row.task)?.finished,
        },
        world,
        options,
      );
      const isHeard = [agent, ...others.map(one => one.agent)].some(one => one.abilities?.followUp === true);
      attempts.set(row.task, {
        ...attempt,
        agent: agent.name,
        phase: phase.label,
        said: isHeard ? said : undefined,
      });
      void attempt.finished.then(result => {
        if (attempts.get(row.task)?.row === row) attempts.delete(row.task);
        const whole = withCharges({ ...kept, ...result.row });
        const isAnew = anew.delete(row.task);
        const [own = whole] = isAnew && keptWork(whole) !== undefined ? letGo([whole], row.task) : [];
        const ended = decisions.ended(withLate(own, said.take(), loop.tell));
        const isBack = ended.reason?.code === "sent-back";
        settle(row, { ...result, row: ended }, began, isAnew || isBack ? undefined : before);
      });
    },
    cancel({ task, attempt: number, how }) {
      const attempt = attempts.get(task);
      if (attempt?.row.number === number) attempt.cancel(how);
    },
    giveUp: task => attempts.get(task)?.giveUp(),
    say(task, text) {
      const attempt = attempts.get(task);
      if (attempt === undefined) return because("not-at-work", { task });
      const { said, agent } = attempt;
      if (said === undefined) return because("word-unheard", { task, agent });
      if (said.size >= MOST_WORDS) return because("words-wait", { task, most: MOST_WORDS });
      said.add(text);
      return undefined;
    },
    async leave(phase) {
      const there = () => [...attempts.values()].filter(attempt => attempt.phase === phase);
      for (let some = there(); some.length > 0; some = there()) {
        for (const { row, cancel } of some) if (!loop.run.byId.has(row.task)) cancel("soft");
        await Promise.race(some.map(({ finished }) => finished));
      }
    },
    async endAll() {
      const all = [...attempts.values()];
      for (const attempt of all) attempt.cancel("hard");
      await Promise.all(all.map(attempt => attempt.finished));
    },
  };
}
