import { SYSTEM_CLOCK } from "../../adapters/local/clock.ts";
import { localStateFiles, promptFile } from "../../adapters/local/state-files.ts";
import { localTaskFile } from "../../adapters/local/task-file.ts";
import { sealThin } from "../../adapters/store/index.ts";
import { type ContextWork, type SharedContext, together } from "../../context/shared/index.ts";
import type { Chronicle } from "../../engine/chronicle/index.ts";
import {
  type Draft,
  Journal,
  letGo,
  maskedTexts,
  rowAfter,
  spentBy,
  thinStateJson,
  tickTasks,
} from "../../engine/index.ts";
import { type AttemptRow, because, ok, type Result, type RunEvent } from "../../ports/index.ts";
import { type RunInput, type StepResult, step } from "../../run/index.ts";
import { messagesFor } from "../../text/index.ts";
import { storeError } from "../project/errors.ts";
import { redactorOf } from "../project/secrets.ts";
import type { Session } from "../session/open.ts";

/** A run that a command advances by single inputs, without agents: lead mode, and a person's decisions. */
export interface OfflineRun {
  /** Applies one input and makes it durable, with attempt rows and what it changes in the shared context. Throws EspalierError. */
  apply(draft: Draft, attempts?: readonly AttemptRow[], context?: ContextWork): StepResult;
  /** What somebody asks of the run, with its secrets masked. */
  heard<T>(request: T): T;
  /** The shared context of the project, one for the run; what it decides is durable at once. */
  shared(): Promise<SharedContext>;
  /** Keeps the prompt of an attempt as a file; its path, undefined when that was not possible. */
  keepPrompt(task: string, attempt: number, text: string): string | undefined;
  /** The file that holds an attempt's prompt; undefined where none does. */
  promptKept(row: AttemptRow): string | undefined;
  /** The file that takes an attempt's whole answer; nothing stands there yet. */
  openAnswer(task: string, attempt: number): string | undefined;
  /** What stands there; undefined for nothing. */
  answerLeft(task: string, attempt: number): Result<string | undefined, string>;
  /** Makes events of its own durable, and rows of attempts. */
  record(events: readonly RunEvent[], attempts?: readonly AttemptRow[]): void;
}

/**
 * Opens a session's run for single inputs; the first commit makes what was restored durable. What only some inputs need
 * is loaded with them: most commands of a lead ask what comes next. Throws EspalierError.
 */
export async function offlineRun(
  session: Session,
  chronicle?: Pick<Chronicle, "hear" | "flush">,
): Promise<OfflineRun> {
  const { run, store, project, facts } = session;
  const journal = new Journal(
    run,
    { store, epoch: session.epoch },
    session.runId,
    facts,
    session.lastSeq,
    "interrupted",
  );
  const redact = redactorOf(session.env, project.root);
  const files = localStateFiles({
    root: project.root,
    stateDir: project.stateDir,
    redact,
    backup: () => Promise.resolve(ok(undefined)),
    seal: session.seal === undefined ? undefined : json => sealThin(session.seal!, json),
  });
  const messages = messagesFor(project.config.locale);
  const taskFile = localTaskFile(session.file.path, session.file.display, project.stateDir);

  const commit = (
    steps: readonly StepResult[],
    attempts: readonly AttemptRow[],
    events: readonly RunEvent[],
    context?: ContextWork,
  ) => {
    const now = SYSTEM_CLOCK.now();
    // It may tell something itself.
    const done = context?.(now);
    const stamped = journal.stamp([...steps.flatMap(out => out.events), ...events], now);
    const failure = journal.commit(journal.change(steps, attempts, stamped, now, done?.rows));
    if (failure !== undefined) throw storeError(failure);
    done?.settled?.();
    for (const { event } of stamped) {
      const line = messages.logLine(event);
      if (line !== undefined) files.log(`${new Date(now).toISOString()} ${line}`);
    }
    const thin = files.writeThin(
      thinStateJson(run, { runId: session.runId, epoch: session.epoch, seq: journal.lastSeq, now }),
    );
    if (!thin.ok) throw storeError({ kind: "io", message: thin.failure });
    for (const event of stamped) chronicle?.hear(event);
    chronicle?.flush();
  };

  const told: RunEvent[] = [...(session.news ?? [])];
  const begin = step(run, { type: "start", resumed: session.resumed, now: SYSTEM_CLOCK.now() });
  if (session.resumed) begin.events.length = 0;
  begin.removed.push(...session.removedTasks);
  let opened: Promise<SharedContext> | undefined;
  const shared = (): Promise<SharedContext> => {
    opened ??= import("../session/context.ts").then(({ writingContext }) =>
      writingContext(project, store, session.epoch, session.runId),
    );
    return opened;
  };
  const hasLanded = session.crashed.some(({ outcome }) => outcome === "done");
  const landed = hasLanded
    ? (await import("./recover-landed.ts")).recoverLanded(session, await shared(), files, event =>
        told.push(event),
      )
    : [];
  const forgotten = session.resumed ? undefined : (await shared()).forgetEnded;
  commit([begin], session.crashed, told, together([forgotten, ...landed]));
  const tick = (tasks: Iterable<string>) => {
    const wanted = new Set(tasks);
    if (wanted.size > 0) tickTasks(taskFile, wanted);
  };
  // A process that was killed between a completion and its tick left the box empty.
  tick(run.tasks.flatMap(({ task, status }) => (status === "completed" && !task.done ? [task.id] : [])));

  /** Ends the attempt that an input took from a lead: no process is there that would tell of its end. */
  const end = (task: string, attempt: number, now: number): [] | [{ out: StepResult; row: AttemptRow }] => {
    const rows = store.attempts(session.runId, task);
    if (!rows.ok) throw storeError(rows.failure);
    const open = rows.value.find(({ number, endedAt }) => number === attempt && endedAt === 0);
    if (open === undefined) return [];
    const row: AttemptRow = {
      ...open,
      endedAt: now,
      outcome: "cancelled",
      reason: because("taken-from-lead", {}),
    };
    const outcome = { kind: "cancelled" } as const;
    const ms = now - row.startedAt;
    const spent = spentBy(row, project.config.budget.prices);
    return [{ out: step(run, { type: "attempt-ended", task, attempt, outcome, ms, spent, now }), row }];
  };

  /** Earlier attempts as a person's act leaves them. */
  const earlier = (
    { action, task }: Extract<Draft, { type: "act" }>,
    { events }: StepResult,
  ): readonly AttemptRow[] => {
    if (action === "retry") return letGo(session.kept, task);
    const rows = store.attempts(session.runId, task);
    if (!rows.ok) throw storeError(rows.failure);
    return events.flatMap(event => rowAfter(event, rows.value.at(-1), messages.locale) ?? []);
  };

  return {
    shared,
    heard: request => maskedTexts(request, redact),
    apply(draft, attempts = [], context) {
      const now = SYSTEM_CLOCK.now();
      const out = step(run, { ...draft, now } as RunInput);
      if (out.refused !== undefined) return out;
      const ended = out.commands.flatMap(command =>
        command.type === "cancel" ? end(command.task, command.attempt, now) : [],
      );
      const renewed = draft.type === "act" ? earlier(draft, out) : [];
      const rows = [...attempts, ...ended.map(({ row }) => row), ...renewed];
      commit([out, ...ended.map(one => one.out)], rows, [], context);
      tick(out.commands.flatMap(command => (command.type === "tick-box" ? [command.task] : [])));
      return out;
    },
    keepPrompt: (task, attempt, text) => files.packageFile?.(task, attempt, text),
    promptKept: ({ task, number, nonce }) => promptFile(project.stateDir, task, number, `${task}#${nonce}`),
    openAnswer: (task, attempt) => files.openDocument?.(task, attempt),
    answerLeft: (task, attempt) => files.documentLeft?.(task, attempt) ?? ok(undefined),
    record: (events, attempts = []) =>
      commit(
        [{ ...begin, commands: [], events: [], touched: new Set(), removed: [], runTouched: true }],
        attempts,
        events,
      ),
  };
}
