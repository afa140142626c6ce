import { isBuiltOn, type Task } from "../../plan/index.ts";
import {
  defaultRules,
  type Handover,
  handoverText,
  handoverWithin,
  withoutHandover,
} from "../../summary/index.ts";
import { handoverHeading, handoverMissing, type Locale, localeOf } from "../../text/index.ts";
import type { Library, TreeOptions } from "./library.ts";
import { resultText } from "./result-text.ts";

/** The language of a task: agents hand over in it, whatever that of the project is. */
function taskLocale({ title, text }: Pick<Task, "title" | "text">): Locale {
  return localeOf(`${title}\n${text}`);
}

/** In which language the agent of a task is asked to hand over; undefined where it is not. */
export function asksHandover({ handover }: Pick<TreeOptions, "handover">, task: Task): Locale | undefined {
  return handover === "off" ? undefined : taskLocale(task);
}

/**
 * What an agent is told whose answer lacks what it was to hand over: only where others build on an answer that is too long to
 * be told whole in brief, so that one more turn is worth its price.
 */
export function handoverRepair(library: Library, task: Task, finalMessage: string): string | undefined {
  if (library.options.handover !== "repair" || task.kind !== "worker") return undefined;
  if (!isBuiltOn(library.plan(), task.id)) return undefined;
  const text = resultText(finalMessage);
  const { handover } = withoutHandover(text);
  if (handover !== undefined || library.count(text) <= defaultRules("en")[2].tokens) return undefined;
  return handoverMissing(taskLocale(task));
}

const isSignal = (line: string) => line.startsWith("DONE:") || line.startsWith("FAIL:");

/** A message whose agent handed over behind its signal, with the signal last: there alone it counts. */
export function signalLast(message: string): string {
  const text = message.trimEnd();
  if (isSignal(text.slice(text.lastIndexOf("\n") + 1))) return message;
  const { handover, rest } = withoutHandover(text);
  const before = rest.trimEnd();
  const from = before.lastIndexOf("\n") + 1;
  if (handover === undefined || !isSignal(before.slice(from))) return message;
  const section = handover.length === 0 ? [] : [sectionOf(handover)];
  return [before.slice(0, from).trimEnd(), ...section, before.slice(from)].filter(Boolean).join("\n\n");
}

/**
 * Two messages without their signals as one: what the later one hands over stands for what the first one does, at the end; what
 * the first one says besides stands once where the later one repeats it.
 */
export function joined(before: string, after: string): string {
  const first = withoutHandover(before.trim());
  const words = first.rest.trim();
  const isRepeated = withoutHandover(after.trim()).rest.includes(words);
  const isAnew = handoverIn(after) !== "";
  const last = isAnew || first.handover === undefined ? "" : handoverIn(before);
  return [isRepeated ? "" : words, after.trim(), last].filter(Boolean).join("\n\n");
}

/** What a message hands over, as a section for another one; empty where it hands over nothing. */
export function handoverIn(message: string): string {
  const { handover = [] } = withoutHandover(resultText(message));
  return handover.length === 0 ? "" : sectionOf(handover);
}

/** What a result hands over, in lines: as many of its statements as fit; empty where it hands over nothing. */
export function handedOver(result: string, fits: (text: string) => boolean): string {
  return handoverWithin(withoutHandover(result).handover ?? [], fits);
}

function sectionOf(handover: Handover): string {
  const text = handoverText(handover);
  return `${handoverHeading(localeOf(text))}\n${text}`;
}
