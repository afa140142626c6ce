import { createHash } from "node:crypto";
import type { AttemptRow, Order, OrderEvent, StampedEvent } from "../../ports/index.ts";
import { attemptFacts, measureAttempt, whyOf } from "./attempts.ts";
import type { Figures } from "./figures.ts";
import { OWN } from "./names.ts";
import type { Attributes, Span } from "./otlp.ts";
import { toolCalls } from "./tools.ts";

export interface TracesOptions {
  readonly runId: string;
  /** Tells this process of the run from the others. */
  readonly session: string;
  readonly project: string;
  /** Words go along, besides codes and numbers. */
  readonly content: boolean;
  /** From when on attempts that ended are this process's to tell: those before were told by others. */
  readonly sinceMs: number;
  /** Attempts of a task as they are kept, oldest first. */
  readonly attempts: (task: string) => readonly AttemptRow[];
  /** The phase of a task, and its title. */
  readonly taskFacts: (task: string) => { readonly phase: string; readonly title: string } | undefined;
  readonly redact: (text: string) => string;
  readonly figures: Figures;
  readonly emit: (span: Span) => void;
}

/** Follows a run and makes spans of it: run, phases, tasks, attempts, tool calls. */
export interface Traces {
  event(event: StampedEvent): void;
  /** What a machine tells of an order, and when. */
  report(order: Order, event: OrderEvent, at: number): void;
  /** Spans of what goes on, up to now: another process goes on with the run, if any does. */
  end(at: number): void;
}

function hex(digits: number, ...parts: readonly (string | number)[]): string {
  return createHash("sha256").update(parts.join("\0")).digest("hex").slice(0, digits);
}

/** The trace of a run: the same in every process that works on it. */
export function traceOf(runId: string): string {
  return hex(32, "espalier run", runId);
}

/** Whether a trace belongs to the share that is sent: each run is, or is not, in all its processes. */
export function isSampled(runId: string, ratio: number): boolean {
  return Number.parseInt(traceOf(runId).slice(-12), 16) < ratio * 2 ** 48;
}

/** Events after which attempts of their task may have ended. */
const ENDS: ReadonlySet<string> = new Set([
  "completed",
  "attempt-failed",
  "failed",
  "paused",
  "waiting",
  "blocked",
  "dispatched",
  "unblocked",
]);
/** Events after which a task's span is over: it waits, or has ended. */
const RESTS: ReadonlySet<string> = new Set(["completed", "failed", "paused", "waiting", "blocked"]);

interface Open {
  readonly startMs: number;
  readonly attributes: Attributes;
}

export function createTraces(options: TracesOptions): Traces {
  const { runId, session, sinceMs, project, content, attempts, taskFacts, redact, figures, emit } = options;
  const traceId = traceOf(runId);
  const id = (...parts: readonly (string | number)[]) => hex(16, runId, ...parts);
  const runSpan = id("run", session);
  const phaseSpan = (phase: string) => id("phase", session, phase);
  const attemptSpan = (task: string, number: number) => id("attempt", task, number);
  let run: Open | undefined;
  const phases = new Map<string, Open>();
  const tasks = new Map<string, Open & { readonly spanId: string }>();
  const told = new Set<string>();

  const words = (text: string): string | undefined => (content && text !== "" ? redact(text) : undefined);
  const tell = (span: Omit<Span, "traceId">): void => emit({ traceId, ...span });

  const calls = toolCalls({
    words,
    parent: ({ task, attempt }) => attemptSpan(task, attempt),
    tell: (key, span) => tell({ spanId: id("tool", key), ...span }),
  });

  const begun = (task: string, at: number) => {
    const open = tasks.get(task);
    if (open !== undefined) return open;
    const facts = taskFacts(task);
    const attributes = {
      [OWN.task]: task,
      [OWN.phase]: facts?.phase,
      [OWN.title]: words(facts?.title ?? ""),
    };
    const made = { startMs: at, attributes, spanId: id("task", session, task, at) };
    tasks.set(task, made);
    return made;
  };

  const endTask = (task: string, at: number, status: string, more: Attributes = {}): void => {
    const open = tasks.get(task);
    if (open === undefined) return;
    tasks.delete(task);
    const phase = taskFacts(task)?.phase;
    tell({
      spanId: open.spanId,
      parentId: phase !== undefined && phases.has(phase) ? phaseSpan(phase) : runSpan,
      name: "espalier.task",
      kind: "internal",
      startMs: open.startMs,
      endMs: at,
      attributes: { ...open.attributes, [OWN.status]: status, ...more },
      isError: status === "failed",
    });
  };

  const endPhase = (phase: string, at: number): void => {
    const open = phases.get(phase);
    if (open === undefined) return;
    phases.delete(phase);
    const { startMs, attributes } = open;
    const name = "espalier.phase";
    tell({
      spanId: phaseSpan(phase),
      parentId: runSpan,
      name,
      kind: "internal",
      startMs,
      endMs: at,
      attributes,
      isError: false,
    });
  };

  /** Attempts are told from their rows: those of a process that died, too, and with what they took. */
  const tellAttempts = (task: string, parentId: string): void => {
    for (const row of attempts(task)) {
      const spanId = attemptSpan(task, row.number);
      if (row.endedAt === 0 || row.endedAt < sinceMs || told.has(spanId)) continue;
      told.add(spanId);
      measureAttempt(row, figures);
      tell({ spanId, parentId, ...attemptFacts(row, words) });
    }
  };

  const hearTask = ({ event, at }: StampedEvent, task: string): void => {
    const { spanId } = begun(task, at);
    tellAttempts(task, spanId);
    if (!RESTS.has(event.type)) return;
    const more = {
      ...("verified" in event ? { [OWN.verified]: event.verified } : {}),
      ...("reason" in event ? whyOf(event.reason, words) : {}),
    };
    endTask(task, at, event.type, more);
  };

  return {
    event(stamped) {
      const { event, at } = stamped;
      if (event.type === "attempt-line") return;
      run ??= {
        startMs: at,
        attributes: { [OWN.run]: runId, [OWN.project]: words(project) },
      };
      if (event.type === "run-started")
        run = { ...run, attributes: { ...run.attributes, [OWN.resumed]: event.resumed } };
      if (event.type === "phase-started")
        phases.set(event.phase, {
          startMs: at,
          attributes: { [OWN.phase]: event.phase, [OWN.title]: words(event.title) },
        });
      if (event.type === "phase-ended") endPhase(event.phase, at);
      if (event.type === "dispatched") for (const task of event.tasks) begun(task, at);
      // What a person or a file says of a task that nobody worked on here is no work to show.
      const isWorked =
        "task" in event &&
        event.task !== undefined &&
        (tasks.has(event.task) || event.type === "attempt-failed");
      if (isWorked && ENDS.has(event.type)) hearTask(stamped, event.task!);
      if (event.type === "run-ended")
        run = { ...run, attributes: { ...run.attributes, [OWN.outcome]: event.outcome } };
    },
    report: (order, event, at) => calls(order, event, at),
    end(at) {
      for (const [task, { spanId }] of tasks) {
        tellAttempts(task, spanId);
        endTask(task, at, "in_progress");
      }
      for (const phase of phases.keys()) endPhase(phase, at);
      if (run === undefined) return;
      const { startMs, attributes } = run;
      const isError = attributes[OWN.outcome] === "failed";
      tell({
        spanId: runSpan,
        name: "espalier.run",
        kind: "internal",
        startMs,
        endMs: at,
        attributes,
        isError,
      });
      run = undefined;
    },
  };
}
