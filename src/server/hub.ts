import type { LinkFacts, Monitor, News, Reading } from "../host/monitor/types.ts";
import { lastStretch } from "../host/run/aftermath.ts";
import { type Clock, ok } from "../ports/index.ts";
import { createContextLook } from "./context-look.ts";
import { createLiveOutput } from "./live-output.ts";
import { planCards, standingOfRun } from "./read/run.ts";
import type { Link, RunHead, RunShape, TaskNow } from "./shapes/run.ts";
import type { ChangeMessage, Happening, OutputMessage } from "./shapes/stream.ts";
import { shown, shownEvent } from "./shown.ts";

/** One message of the stream. Only changes have an id to resume from. */
export type Message =
  | { readonly type: "change"; readonly id: string; readonly data: ChangeMessage }
  | { readonly type: "output"; readonly data: OutputMessage }
  | { readonly type: "reset" };

/** Somebody who looks at the page, and the task whose lines they want. */
export interface Listener {
  readonly task: string | undefined;
  /** Absent for yes: somebody is there to answer agents. */
  readonly mayAnswer?: boolean;
  hear(message: Message): void;
}

/** Turns what happens to the run into the messages all pages hear; reads the store once for all of them. */
export interface Hub {
  /** The whole run as it stands now, and the place in the stream it is true for. */
  snapshot(): RunShape;
  /** Hears everything after `revision`, or a reset when that is not known any more. Returns how to leave. */
  join(listener: Listener, revision: string | undefined): () => void;
  close(): void;
}

/** Milliseconds between two looks at the store at least; a look may take a fifth of the time. */
const PAUSE = 40;
const SHARE = 5;
/** Looks of which the quickest tells what one takes: others had to wait for a processor. */
const RECENT = 4;
/** Milliseconds between two messages of what agents say. */
const VOICE = 100;
/** Messages kept for those who come back. */
const KEPT = 500;
/** Events told at once; more of them are a reason to start over. */
const EVENTS = 500;

/** What was last told. */
interface Told {
  planJson: string;
  runId: string;
  head: string;
  link: string;
  readonly tasks: Map<string, string>;
  lastSeq: number;
  shape: Pick<RunShape, "phases" | "plan">;
}

function nothingTold(): Told {
  return {
    planJson: "",
    runId: "",
    head: "null",
    link: "",
    tasks: new Map(),
    lastSeq: 0,
    shape: { phases: [], plan: [] },
  };
}

function linkShape({ live, held, asked }: LinkFacts): Link {
  const shownAsked = asked.map(({ id, task, attempt, kind, title }) => ({
    id,
    task,
    attempt,
    kind: shown(kind, 40),
    title: shown(title),
  }));
  return { live, held, asked: shownAsked };
}

/** `boot` names this start, so that ids of an earlier one are known to be foreign. */
export function createHub(monitor: Monitor, clock: Clock, boot: string): Hub {
  const listeners = new Set<Listener>();
  const kept: Extract<Message, { type: "change" }>[] = [];
  const outputs = createLiveOutput();
  let told = nothingTold();
  let revision = 0;
  let run: RunHead | null = null;
  let tasks: readonly TaskNow[] = [];
  let problem: string | undefined;
  let cancelLook: (() => void) | undefined;
  let cancelOutput: (() => void) | undefined;
  const contextMoved = createContextLook(monitor);
  const took: number[] = [];
  let rest = 0;
  let answering = 0;
  let leaveAsked = () => {};

  /** The event up to which `ended` is what the run has told. */
  let heardUpTo = "";
  let ended: number | undefined;

  /** When work on a run ended; asked anew where it has told more. */
  const endOf = ({ stored: { run: row, lastSeq } }: Reading, live: boolean): number | undefined => {
    const runs = row.state === "running";
    if (runs && live) return undefined;
    const upTo = `${row.id} ${lastSeq} ${runs}`;
    if (heardUpTo !== upTo) {
      const found = monitor.ask(store => ok(lastStretch(store, row.id, runs)));
      ended = found.ok ? found.value?.to : undefined;
      heardUpTo = upTo;
    }
    return ended;
  };

  const tell = (message: Message) => {
    for (const listener of listeners) listener.hear(message);
  };
  const idOf = (number: number) => `${boot}-${number}`;

  const publish = (data: ChangeMessage) => {
    const message = { type: "change" as const, id: idOf(++revision), data };
    kept.push(message);
    if (kept.length > KEPT) kept.shift();
    tell(message);
  };

  const startOver = () => {
    kept.length = 0;
    revision++;
    tell({ type: "reset" });
  };

  /** The events since the last look; undefined when there are too many. */
  const news = (reading: Reading): Happening[] | undefined => {
    const { run: row, lastSeq } = reading.stored;
    if (lastSeq <= told.lastSeq) return [];
    if (lastSeq - told.lastSeq > EVENTS) return undefined;
    const found = monitor.ask(store => store.events(row.id, told.lastSeq, EVENTS));
    const events = found.ok ? (found.value ?? []) : [];
    return events.map(({ seq, at, event }) => ({ seq, at, event: shownEvent(event, monitor.locale) }));
  };

  const takeOver = (reading: Reading | undefined, link: Link): ChangeMessage | "reset" => {
    const before = told;
    if (reading === undefined) {
      run = null;
      tasks = [];
      told = { ...nothingTold(), link: JSON.stringify(link) };
      if (before.runId !== "") return "reset";
      return told.link === before.link ? {} : { link };
    }
    const { stored, plan } = reading;
    const spans = monitor.ask(store => store.spans(stored.run.id));
    const now = standingOfRun(
      reading,
      (spans.ok && spans.value) || [],
      monitor,
      link.live,
      endOf(reading, link.live),
    );
    const same = before.runId === stored.run.id && before.planJson === stored.run.plan;
    const events = same ? news(reading) : undefined;
    run = now.run;
    tasks = now.tasks;
    told = {
      planJson: stored.run.plan,
      runId: stored.run.id,
      head: JSON.stringify(run),
      link: JSON.stringify(link),
      tasks: new Map(tasks.map(one => [one.id, JSON.stringify(one)])),
      lastSeq: stored.lastSeq,
      shape: same ? before.shape : planCards(plan),
    };
    if (events === undefined) return "reset";
    const moved = tasks.filter(one => told.tasks.get(one.id) !== before.tasks.get(one.id));
    return {
      ...(told.head === before.head ? {} : { run }),
      ...(told.link === before.link ? {} : { link }),
      ...(moved.length === 0 ? {} : { tasks: moved }),
      ...(events.length === 0 ? {} : { events }),
    };
  };

  const look = () => {
    cancelLook = undefined;
    const began = clock.monotonic();
    const reading = monitor.read();
    const trouble = reading.ok ? undefined : reading.failure;
    const wasTrouble = problem;
    problem = trouble;
    if (reading.ok) {
      const change = takeOver(reading.value, linkShape(monitor.link()));
      const moved = contextMoved();
      if (change === "reset") startOver();
      else if (Object.keys({ ...change, ...moved }).length > 0) publish({ ...change, ...moved });
    }
    if (trouble !== wasTrouble) startOver();
    took.push(clock.monotonic() - began);
    if (took.length > RECENT) took.shift();
    rest = clock.monotonic() + Math.max(PAUSE, Math.min(...took) * SHARE);
  };

  const soon = () => {
    if (listeners.size > 0) cancelLook ??= clock.after(Math.max(0, rest - clock.monotonic()), look);
  };

  const speak = () => {
    cancelOutput = undefined;
    const { last, linesOf } = outputs.take();
    for (const listener of listeners)
      listener.hear({ type: "output", data: { last, ...linesOf(listener.task) } });
  };

  const hear = (heard: News) => {
    if (heard === "changed") return soon();
    const { event } = heard;
    if (event.type === "attempt-line") {
      outputs.line(event.task, event.attempt, event.text);
      if (listeners.size > 0) cancelOutput ??= clock.after(VOICE, speak);
      return;
    }
    if (event.type === "completed" || event.type === "failed") outputs.forget(event.task);
    soon();
  };
  const leaveMonitor = monitor.follow(hear);

  return {
    snapshot() {
      if (listeners.size === 0 || run === null) {
        cancelLook?.();
        look();
      }
      return {
        revision: idOf(revision),
        version: monitor.version,
        locale: monitor.locale,
        project: shown(monitor.project),
        now: clock.now(),
        run,
        link: linkShape(monitor.link()),
        ...told.shape,
        tasks: [...tasks],
        last: outputs.last(),
        maxAttempts: monitor.maxAttempts,
        phaseGate: monitor.phaseGate,
        ...(problem === undefined ? {} : { problem: shown(problem) }),
      };
    },
    join(listener, since) {
      const at = since?.startsWith(`${boot}-`) === true ? Number(since.slice(boot.length + 1)) : Number.NaN;
      const oldest = revision - kept.length;
      if (since !== undefined && !(at >= oldest && at <= revision)) listener.hear({ type: "reset" });
      else if (since !== undefined) for (const message of kept.slice(at - oldest)) listener.hear(message);
      const answers = listener.mayAnswer !== false;
      if (answers && ++answering === 1) leaveAsked = monitor.attend();
      listeners.add(listener);
      const tail = outputs.tail(listener.task);
      if (tail !== undefined) listener.hear({ type: "output", data: tail });
      soon();
      return () => {
        if (listeners.delete(listener) && answers && --answering === 0) leaveAsked();
      };
    },
    close() {
      leaveMonitor();
      if (answering > 0) leaveAsked();
      cancelLook?.();
      cancelOutput?.();
      listeners.clear();
    },
  };
}
