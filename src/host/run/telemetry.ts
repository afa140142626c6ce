import { within } from "../../adapters/process/index.ts";
import type { World } from "../../engine/index.ts";
import {
  because,
  type Fleet,
  type Order,
  type OrderEvent,
  type Reason,
  type StampedEvent,
} from "../../ports/index.ts";
import type { RunState } from "../../run/index.ts";
import { VERSION } from "../package.ts";
import type { Session } from "../session/open.ts";

/** Milliseconds that what is left may keep the program from ending, and one that was told to stop. */
const LAST_WAIT = 10_000;
const HURRIED_WAIT = 2000;

/** What tells a collector of a run. */
export interface Telemetry {
  /** The fleet, with its reports listened to. */
  fleet(fleet: Fleet): Fleet;
  event(event: StampedEvent): void;
  /** Resolves when what is left has been sent, or has had its time. Idempotent. */
  close(): Promise<void>;
}

/** Whether anybody asks for it: the project, or the standard variables by name. */
function isAsked({ project }: Session, env: NodeJS.ProcessEnv): boolean {
  return (
    project.config.telemetry === "otlp" ||
    env["OTEL_TRACES_EXPORTER"] === "otlp" ||
    env["OTEL_METRICS_EXPORTER"] === "otlp"
  );
}

/** What is heard of a fleet's reports, each once. */
function heard(fleet: Fleet, hear: (order: Order, event: OrderEvent) => void): Fleet {
  const orders = new Map<string, Order>();
  return {
    ...fleet,
    submit(order) {
      orders.set(order.id, order);
      return fleet.submit(order);
    },
    async *follow(id, fromSeq) {
      for await (const report of fleet.follow(id, fromSeq)) {
        const order = orders.get(id);
        if (order !== undefined) hear(order, report.event);
        yield report;
      }
      orders.delete(id);
    },
  };
}

/** Undefined where nobody asks for it: nothing of it is loaded then. */
export async function projectTelemetry(
  session: Session,
  run: RunState,
  world: Pick<World, "clock" | "redact" | "store">,
  env: NodeJS.ProcessEnv,
  warn: (message: Reason) => void,
): Promise<Telemetry | undefined> {
  if (!isAsked(session, env)) return undefined;
  const { createExporter, createFigures, createTraces, isSampled, readTelemetry } = await import(
    "../../adapters/telemetry/index.ts"
  );
  const problem = (said: string | Reason) => warn(because("not-told", { notifier: "telemetry", said }));
  const read = readTelemetry(env, session.project.config.telemetry === "otlp", VERSION);
  if (!read.ok) problem(read.failure);
  if (!read.ok || read.value === undefined) return undefined;
  const settings = read.value;
  const { clock, store, redact } = world;
  const { runId } = session;
  const figures = createFigures(clock.now(), settings.temporality);
  const gauges = (atMs: number) => [
    {
      name: "espalier.tasks",
      unit: "{task}",
      kind: "gauge" as const,
      points: Object.entries(run.counts).map(([status, value]) => ({
        attributes: { "espalier.task.status": status },
        startMs: atMs,
        atMs,
        value,
      })),
    },
  ];
  const exporter = createExporter({ settings, clock, figures, gauges, onProblem: problem });
  const isSent = isSampled(runId, settings.ratio);
  const traces = createTraces({
    runId,
    session: String(session.epoch),
    // What was found dead at the start was told dead then.
    sinceMs: performance.timeOrigin,
    project: run.plan.project,
    content: settings.content,
    attempts: task => {
      const rows = store.attempts(runId, task);
      return rows.ok ? rows.value : [];
    },
    taskFacts: id => {
      const state = run.byId.get(id);
      const label = state === undefined ? undefined : run.phases[state.phaseIndex]?.label;
      return state === undefined || label === undefined
        ? undefined
        : { phase: label, title: state.task.title };
    },
    redact,
    figures,
    emit: span => {
      if (isSent) exporter.span(span);
    },
  });
  let closing: Promise<void> | undefined;
  const close = async () => {
    traces.end(clock.now());
    await within(exporter.flush(), run.stopping ? HURRIED_WAIT : LAST_WAIT);
    exporter.close();
  };
  return {
    fleet: fleet => heard(fleet, (order, event) => traces.report(order, event, clock.now())),
    event: traces.event,
    close: () => (closing ??= close()),
  };
}
