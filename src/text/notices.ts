import type { Notice, NoticeMessage, NoticeSummary, Reason } from "../ports/index.ts";
import type { Locale } from "./messages.ts";
import { type NoticeWords, noticeWords } from "./notice-words.ts";
import { reasonText } from "./reasons/index.ts";
import { visible } from "./visible.ts";
import { dateAndTime } from "./wall-clock.ts";

/** Characters of a name, and of a sentence. */
const NAME = 80;
const SENTENCE = 300;
/** Characters of why, where several things are told. */
const SHORT = 120;

type Fact = readonly [name: string, value: string];

/** One notice in words: what happened, why, and what else there is to know of it. */
interface Lines {
  readonly what: string;
  readonly why: string;
  readonly facts: readonly Fact[];
}

function summaryFacts(summary: NoticeSummary, words: NoticeWords): Fact[] {
  const { completed, tasks, unverified, failed, paused, ms, tokens = 0, cost, ready } = summary;
  const parts = [words.share(completed, tasks), ...words.counts(unverified, failed, paused)];
  const took = [
    words.time(ms),
    ...(tokens === 0 ? [] : [words.tokens(Math.round(tokens).toLocaleString("en-US"))]),
    ...(cost === undefined ? [] : [`$${cost.toFixed(2)}`]),
  ];
  const waiting = ready.map(phase => visible(phase, NAME)).join(", ");
  return [
    [words.completed, parts.join(", ")],
    [words.took, took.join(", ")],
    ...(waiting === "" ? [] : [[words.ready, waiting] as const]),
  ];
}

function linesOf(notice: Notice, words: NoticeWords, locale: Locale): Lines {
  const reason = (one: Reason | undefined): string =>
    one === undefined ? "" : visible(reasonText(one, locale), SENTENCE);
  const plain = (what: string, why: string, facts: readonly Fact[] = []): Lines => ({ what, why, facts });
  const name = (text: string): string => visible(text, NAME);
  switch (notice.kind) {
    case "run-ended":
      return plain(
        words.run[notice.outcome],
        reason(notice.summary.reason),
        summaryFacts(notice.summary, words),
      );
    case "emergency":
      return plain(words.emergency, visible(notice.said, SENTENCE));
    case "asked":
      return plain(words.asked(name(notice.task)), `${words.wants} ${visible(notice.wants, SENTENCE)}`);
    case "paused":
      return plain(words.paused(name(notice.task)), reason(notice.reason));
    case "approval":
      return plain(words.approval, words.wanted(notice.wanted));
    case "budget":
      return plain(words.budget, reason(notice.reason));
    case "quota": {
      const until = notice.until === undefined ? undefined : dateAndTime(notice.until);
      return plain(words.quota, words.waits(notice.tasks, until));
    }
    case "phase-refused":
      return plain(words.phaseRefused(name(notice.phase)), reason(notice.reason));
    case "phase-gated":
      return plain(words.phaseGated(name(notice.phase)), words.share(notice.completed, notice.counted));
    case "phase-ended":
      return plain(words.phaseEnded(name(notice.phase), notice.completed, notice.counted), "", [
        [words.completed, words.share(notice.completed, notice.counted)],
        [words.took, words.time(notice.ms)],
      ]);
    case "phase-ready":
      return plain(words.phaseReady(name(notice.phase)), "", [
        [words.branch, visible(notice.branch, SENTENCE)],
      ]);
    case "test":
      return plain(words.test, words.reached);
    default: {
      const never: never = notice;
      throw new Error(`unknown notice ${JSON.stringify(never)}`);
    }
  }
}

/** Whether somebody has to do something, however the run goes on. */
export function isUrgent({ kind }: Notice): boolean {
  return kind !== "run-ended" && kind !== "phase-ended" && kind !== "phase-ready" && kind !== "test";
}

/** Where several things are told, what is typed to see all of them. */
const SEE_ALL = "espalier status";

/** The one command by which a person goes on after a message. */
function commandOf({ notices, more }: NoticeMessage): string {
  const [first, ...others] = notices;
  if (first === undefined) return SEE_ALL;
  // An end that is told together with what it leaves to do: that is what there is to do.
  if (first.kind === "phase-ended" && more === 0)
    return others.find(({ kind }) => kind === "phase-ready")?.command ?? first.command;
  return isUrgent(first) && (others.some(isUrgent) || more > 0) ? SEE_ALL : first.command;
}

function entry(notice: Notice, words: NoticeWords, locale: Locale): string {
  const { what, why } = linesOf(notice, words, locale);
  const head = why === "" ? what : `${what}: ${visible(why, SHORT)}`;
  return isUrgent(notice) ? `${head} → ${notice.command}` : head;
}

/** A message as people read it: what, why, and one command to go on. */
export function noticeText(message: NoticeMessage, locale: Locale): string {
  const { project, notices, more } = message;
  const words = noticeWords(locale);
  const first = notices[0]!;
  const { what, why, facts } = linesOf(first, words, locale);
  const isStorm = isUrgent(first) && notices.filter(isUrgent).length + more > 1;
  const listed = isStorm ? notices : notices.slice(1);
  const rows = [
    `${words.project}: ${visible(project, NAME)}`,
    ...(isStorm ? [] : facts.map(([name, value]) => `${name}: ${value}`)),
    ...(isStorm || why === "" ? [] : [`${words.reason}: ${why}`]),
    ...listed.map(notice => entry(notice, words, locale)),
    ...(more === 0 ? [] : [words.more(more)]),
    `${words.goOn}: ${visible(commandOf(message), SENTENCE)}`,
  ];
  const waiting = notices.filter(isUrgent).length + (notices.every(isUrgent) ? more : 0);
  const head = isStorm ? words.several(waiting) : what;
  const last = rows.length - 1;
  return [head, ...rows.map((row, at) => `${at === last ? "└──" : "├──"} ${row}`)].join("\n");
}

/** A message as a title and a text, where both are shown apart. */
export function noticeParts(
  message: NoticeMessage,
  locale: Locale,
): { readonly title: string; readonly body: string } {
  const [title = "", ...rows] = noticeText(message, locale).split("\n");
  return { title, body: rows.map(row => row.slice(4)).join("\n") };
}

/** A message as programs of the user read it: words in it are English. */
export function noticeJson(message: NoticeMessage): Readonly<Record<string, unknown>> {
  const words = noticeWords("en");
  const notices = message.notices.map(notice => {
    const { what, why } = linesOf(notice, words, "en");
    return { ...withText(notice), what, why };
  });
  return { version: 2, project: message.project, command: commandOf(message), notices, more: message.more };
}

function withText(notice: Notice): object {
  if (notice.kind === "run-ended") {
    const { reason, ...summary } = notice.summary;
    return { ...notice, summary: { ...summary, reason: reasonText(reason, "en") } };
  }
  return "reason" in notice ? { ...notice, reason: reasonText(notice.reason, "en") } : notice;
}
