import {
  type AgentFailure,
  because,
  EspalierError,
  type ExitCode,
  type Reason,
  type ReasonArgs,
  type RunEvent,
} from "../../ports/index.ts";
import type { Locale } from "../messages.ts";
import { firstLine, visible } from "../visible.ts";
import type { Catalogue } from "./catalogue.ts";
import { ENGLISH_REASONS } from "./english.ts";
import { KOREAN_REASONS } from "./korean.ts";

export { leftShown } from "./catalogue.ts";

/** What a newer version says with a code or a part that this one has no words for comes out as no text, or with a hole in it. */
function isWhole(text: unknown, { args }: Reason): text is string {
  if (typeof text !== "string") return false;
  return !text.includes("undefined") || JSON.stringify(args).includes("undefined");
}

/** A reason in the words of a catalogue; undefined where it has none for all of it. */
function wordsOf(reason: Reason, catalogue: Catalogue): string | undefined {
  if (!Object.hasOwn(catalogue, reason.code)) return undefined;
  const told = catalogue[reason.code] as (args: unknown, tell: (one: Reason) => string) => unknown;
  try {
    const text = told(reason.args, one => wordsOf(one, catalogue) ?? String(one.code));
    return isWhole(text, reason) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** A reason in words; empty where there is none. What only a newer version has words for is told by its code. */
export function reasonText(reason: Reason | undefined, locale: Locale): string {
  if (reason === undefined) return "";
  return wordsOf(reason, locale === "ko" ? KOREAN_REASONS : ENGLISH_REASONS) ?? String(reason.code);
}

/** Whether all of a reason is told in words, and not by its code alone. */
export function isWorded(reason: Reason): boolean {
  return wordsOf(reason, ENGLISH_REASONS) !== undefined;
}

/** The failure of an agent that is not to be asked again, for this reason. */
export function unsuitable(reason: Reason): AgentFailure {
  return failedFor(reason, { kind: "unsuitable", retryable: false });
}

/** The failure of an agent for a reason of ours, and not by its own words. */
export function failedFor(reason: Reason, how: Pick<AgentFailure, "kind" | "retryable">): AgentFailure {
  return { ...how, message: reasonText(reason, "en"), reason };
}

/** Characters of a reason of ours in one line: its data may name long paths. */
const MOST_OF_OURS = 2_000;

/**
 * A reason within a line, made visible. Words of others are cut after `most` characters; ours are told whole, since the command
 * to go on stands at their end.
 */
export function reasonInLine(reason: Reason | undefined, locale: Locale, most = Infinity): string {
  const limit = reason?.code === "said" ? most : Math.max(most, MOST_OF_OURS);
  return visible(reasonText(reason, locale), limit);
}

/** An event with words where it has reasons. */
type InWords<E> = E extends unknown
  ? { readonly [K in keyof E]: Reason extends E[K] ? string : E[K] }
  : never;

/** An event whose reasons are told in a language, for those who know no codes. */
export function eventText(event: RunEvent, locale: Locale): InWords<RunEvent> {
  const told = (reason: Reason | undefined): string => reasonText(reason, locale);
  if (event.type === "warning") return { ...event, message: told(event.message) };
  if (event.type === "checkpoint") return { ...event, why: told(event.why) };
  if (event.type === "run-ended") return { ...event, reason: told(event.reason) };
  const { reason, ...rest } = { reason: undefined, ...event };
  return ("reason" in event ? { ...rest, reason: told(reason) } : rest) as InWords<RunEvent>;
}

/** An error that is told by codes: in English where nobody asks for another language. */
export function errorFor(
  code: string,
  reason: Reason,
  options: { advice?: Reason; retryable?: boolean; exitCode: ExitCode },
): EspalierError {
  const { advice } = options;
  const hint = advice === undefined ? {} : { hint: reasonText(advice, "en") };
  return new EspalierError(code, reasonText(reason, "en"), { ...options, reason, ...hint });
}

/** Characters that are kept of others' words (document 004, FAIL reason). */
const LENGTH = 100;

/** Words of somebody else as a reason: their first line. */
export function said(by: ReasonArgs["said"]["by"], text: string, length = LENGTH): Reason {
  return because("said", { by, text: firstLine(text, length) });
}
