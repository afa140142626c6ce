import { within } from "../../adapters/process/index.ts";
import {
  because,
  type Clock,
  few,
  type Notice,
  type NoticeMessage,
  type Notifier,
  type Reason,
  type RunEvent,
  type StampedEvent,
} from "../../ports/index.ts";
import type { RunState } from "../../run/index.ts";
import { isUrgent } from "../../text/index.ts";
import type { Aftermath } from "../run/aftermath.ts";
import { endOf, noticeOf, quotaOf } from "./notice-of.ts";

/** Milliseconds for which the first of several waits for the others. */
const GATHER = 1000;
/** Milliseconds a notice may keep the program from ending; and one that was told to stop, or before it says for whom it waits. */
const LAST_WAIT = 10_000;
const HURRIED_WAIT = 2000;
/** And what was broken off then may say so. */
const LAST_WORDS = 500;
/** Notices that one message names; others are counted. */
const NAMED = 6;
/** Notices that are kept until they are told; a storm costs no more. */
const KEPT = 1000;

/** What matters most first. */
const ORDER: readonly Notice["kind"][] = [
  "emergency",
  "run-ended",
  "budget",
  "approval",
  "asked",
  "paused",
  "phase-refused",
  "phase-gated",
  "quota",
  "phase-ended",
  "phase-ready",
  "test",
];

/** A view of the run that tells people who do not look. */
export interface NoticeView {
  event(event: StampedEvent): void;
  /** The run broke off, and why. */
  broke(said: string): void;
  /** Resolves when nothing is on its way any more. */
  drained(): Promise<void>;
}

export interface NoticeViewOptions {
  readonly notifiers: readonly Notifier[];
  readonly run: RunState;
  readonly clock: Clock;
  /** Milliseconds between two messages at least. */
  readonly everyMs: number;
  /** What is left of the run besides its tasks. */
  readonly aftermath: () => Promise<Pick<Aftermath, "taken" | "work">>;
  readonly warn: (message: Reason) => void;
}

/** What a notice is about: a newer one takes its place, and nothing is told that is over. */
function topicOf(notice: Notice): string {
  if (notice.kind === "asked") return `asked ${notice.id}`;
  if ("task" in notice) return `${notice.kind} ${notice.task}`;
  return "phase" in notice ? `${notice.kind} ${notice.phase}` : notice.kind;
}

/** The topics that an event puts an end to. */
function overBy(event: RunEvent): readonly string[] {
  if (event.type === "answered") return [`asked ${event.id}`];
  if (event.type === "dispatched") return ["quota", ...event.tasks.map(task => `paused ${task}`)];
  if (event.type === "person" || event.type === "completed" || event.type === "failed")
    return [`paused ${event.task}`];
  if (event.type === "phase-merged") return [`phase-ready ${event.phase}`, `phase-refused ${event.phase}`];
  return event.type === "phase-forced" ? ["phase-gated"] : [];
}

/** The notices as one message. Where more wait for a person than are named, what waits for nobody is left to the status. */
export function messageOf(project: string, notices: readonly Notice[]): NoticeMessage {
  const rank = ({ kind }: Notice) => ORDER.indexOf(kind);
  const urgent = notices.filter(isUrgent);
  const told =
    urgent.length >= NAMED ? notices.filter(one => isUrgent(one) || one.kind === "run-ended") : notices;
  const sorted = told.toSorted((one, other) => rank(one) - rank(other));
  return { project, notices: sorted.slice(0, NAMED), more: Math.max(0, sorted.length - NAMED) };
}

/** What waits to be told. */
function createPending() {
  const notices = new Map<string, Notice>();
  let uncounted = 0;
  return {
    get isEmpty() {
      return notices.size === 0;
    },
    add(notice: Notice) {
      const topic = topicOf(notice);
      if (notices.size >= KEPT && !notices.has(topic)) uncounted++;
      else notices.set(topic, notice);
    },
    drop(topics: readonly string[]) {
      for (const topic of topics) notices.delete(topic);
    },
    take(project: string): NoticeMessage {
      const message = messageOf(project, [...notices.values()]);
      const more = message.more + uncounted;
      notices.clear();
      uncounted = 0;
      return { ...message, more };
    },
  };
}

/**
 * Tells every notifier. What comes close together is one message, and so is what comes while one is on its way or the
 * last one is fresh. A notifier that fails is warned about once.
 */
export function createNoticeView(options: NoticeViewOptions): NoticeView {
  const { notifiers, run, clock, everyMs, aftermath, warn } = options;
  const pending = createPending();
  const silent = new Set<string>();
  const telling = new Set<string>();
  const over = new AbortController();
  const phases = new Map<string, number>();
  let began: number | undefined;
  let freeAt = 0;
  let cancel: (() => void) | undefined;
  let sending: Promise<void> | undefined;
  let ending = Promise.resolve();
  let isOver = false;
  let isDry = false;

  const tell = async (notifier: Notifier, message: NoticeMessage): Promise<void> => {
    telling.add(notifier.name);
    const told = await notifier.notify(message, over.signal);
    telling.delete(notifier.name);
    if (told.ok || silent.has(notifier.name)) return;
    silent.add(notifier.name);
    warn(because("not-told", { notifier: notifier.name, said: told.failure }));
  };

  const send = (): void => {
    cancel?.();
    cancel = undefined;
    if (pending.isEmpty || sending !== undefined) return;
    const message = pending.take(run.plan.project);
    freeAt = clock.monotonic() + everyMs;
    sending = Promise.all(notifiers.map(notifier => tell(notifier, message))).then(() => {
      sending = undefined;
      if (isOver) send();
      else soon();
    });
  };

  const soon = (): void => {
    if (pending.isEmpty || sending !== undefined || cancel !== undefined) return;
    cancel = clock.after(Math.max(GATHER, freeAt - clock.monotonic()), send);
  };

  const add = (notice: Notice): void => {
    pending.add(notice);
    soon();
  };

  /** The end waits for nobody, and takes along what has not been told. */
  const end = async (at: number): Promise<void> => {
    const left = await aftermath().catch(() => ({ work: undefined }));
    pending.add(endOf(run, at - (began ?? at), left));
    send();
  };

  const hear = (stamped: StampedEvent): void => {
    const { event, at } = stamped;
    began ??= at;
    if (event.type === "phase-started") phases.set(event.phase, at);
    pending.drop(overBy(event));
    if (event.type === "dispatched") isOver = false;
    if (event.type === "run-ended") {
      isOver = true;
      ending = end(at);
      return;
    }
    const notice = noticeOf(stamped, { run: began, phases });
    if (notice !== undefined) add(notice);
    const quota = quotaOf(run);
    if (quota === undefined) isDry = false;
    else if (!isDry) {
      isDry = true;
      add(quota);
    }
  };

  const empty = async (): Promise<void> => {
    await ending;
    send();
    while (sending !== undefined) {
      await sending;
      send();
    }
  };

  return {
    event: stamped => {
      if (notifiers.length > 0 && stamped.event.type !== "attempt-line") hear(stamped);
    },
    broke: said => {
      if (notifiers.length === 0) return;
      pending.add({ kind: "emergency", said, command: "espalier resume" });
      send();
    },
    async drained() {
      const emptied = empty();
      if (await within(emptied, HURRIED_WAIT)) return;
      const ms = run.stopping ? 0 : LAST_WAIT - HURRIED_WAIT;
      if (ms > 0) warn(because("still-telling", { notifiers: few([...telling]), ms }));
      if (ms > 0 && (await within(emptied, ms))) return;
      // A program ends when nothing is on its way any more.
      over.abort();
      await within(empty(), LAST_WORDS);
    },
  };
}
