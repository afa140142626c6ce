import { type OutOfQuota, takenUp } from "../../engine/index.ts";
import type { Store } from "../../ports/index.ts";
import type { MetConflict } from "../../run/index.ts";
import { runEvents } from "./run-events.ts";

/** What an earlier process of a run has told that the next one goes by. */
export interface Recalled {
  readonly conflicts: readonly MetConflict[];
  /** Agents and when they have quota again, as it was told of each of them last. */
  readonly outOfQuota: readonly OutOfQuota[];
}

/** What a run has told, in one pass over its log; an unreadable log has told nothing. */
export function recall(store: Pick<Store, "events">, run: string): Recalled {
  const conflicts: MetConflict[] = [];
  const until = new Map<string, number>();
  const waitsFor = new Map<string, string>();
  for (const { event } of runEvents(store, run)) {
    if (event.type === "conflict")
      conflicts.push({ tasks: [event.task, ...event.others], files: event.files });
    if (event.type === "waiting") {
      until.set(event.agent, event.until);
      waitsFor.set(event.task, event.agent);
    }
    for (const task of takenUp(event)) until.delete(waitsFor.get(task) ?? "");
    if (event.type !== "warning" || event.message.code !== "out-of-quota") continue;
    const { args } = event.message;
    if (args.until !== undefined) until.set(args.agent, args.until);
  }
  return { conflicts, outOfQuota: Array.from(until, ([agent, time]) => ({ agent, until: time })) };
}
