import type { TaskFacts } from "../../run/index.ts";
import { dateAndTime } from "../../text/index.ts";
import type { Words } from "./words/words.ts";

/** Until when a task waits, and for what, by name where it is known; on another day than that of `now`, with its date. */
export function waitText(
  { status, notBefore }: Pick<TaskFacts, "status" | "notBefore">,
  words: Words,
  now?: number,
  agent?: string,
): string {
  const whole = dateAndTime(notBefore);
  const isToday = now !== undefined && whole.slice(0, 10) === dateAndTime(now).slice(0, 10);
  const time = isToday ? whole.slice(11) : whole;
  return status === "waiting" ? words.noQuotaUntil(time, agent) : words.until(time);
}
