import type { Prices } from "../../budget/index.ts";
import { estimatedOf, modelsSpentBy, spentBy, totalSpend } from "../../engine/index.ts";
import type { Reason, StampedEvent, Store, StoredRun } from "../../ports/index.ts";
import { runEvents } from "../session/run-events.ts";
import type { AsideWork, Whereabouts } from "./phase-work.ts";

/** What failed besides the tasks of a run: what was to be done after a phase, or checks that failed before anybody worked. */
export interface Trouble {
  readonly kind: "phase-after" | "broken-before" | "not-committed";
  readonly reason: Reason;
}

/** What a run took, as far as anybody knows: where an agent reported nothing, what its package was estimated at. */
export interface Taken {
  /** Those whose process died included, of which nobody knows what they took; not those that nobody was asked to work on. */
  readonly attempts: number;
  readonly tokens: number;
  /** How many of the tokens are an estimate. */
  readonly estimated: number;
  /** US dollars; undefined where no price is known. */
  readonly cost: number | undefined;
  /** Attempts that the cost knows nothing of. */
  readonly unpriced: number;
}

/** Adds up what the attempts of a run took, those of tasks that have left the plan included. */
export function takenBy(
  { usage, openAttempts = [] }: Pick<StoredRun, "usage"> & Partial<Pick<StoredRun, "openAttempts">>,
  prices: Prices,
): Taken {
  const own = usage.flatMap(row => spentBy(row, prices) ?? []);
  const { tokens, cost } = totalSpend([...own, ...usage.flatMap(row => modelsSpentBy(row) ?? [])]);
  return {
    attempts: usage.length + openAttempts.length,
    tokens,
    estimated: usage.reduce((sum, row) => sum + estimatedOf(row), 0),
    cost,
    unpriced: own.filter(one => one.cost === undefined && one.tokens > 0).length,
  };
}

/** What is left of a run besides its tasks. */
export interface Aftermath {
  /** Undefined where that cannot be read. */
  readonly taken?: Taken;
  /** Where its work is; undefined where there are no branches. */
  readonly work: Whereabouts | undefined;
  readonly troubles: readonly Trouble[];
  /** Tasks whose work landed though nobody could review it. */
  readonly unreviewed: readonly string[];
  /** By task: the agent whose quota it was told last to wait for. */
  readonly awaited?: ReadonlyMap<string, string>;
}

/** What a run has told of work that was set aside or not reviewed, and of what failed besides its tasks. */
export interface Told extends Omit<Aftermath, "work"> {
  readonly aside: readonly AsideWork[];
}

/** What a run has told of which nothing can be read. */
export const NOTHING_TOLD: Told = { aside: [], troubles: [], unreviewed: [] };

/** Where a warning says that work went. */
function placesIn(message: Reason): readonly string[] {
  if (message.code === "landed-gone") return message.args.kept;
  const place = placeIn(message);
  return place === undefined ? [] : [place];
}

function placeIn(message: Reason): string | undefined {
  const { code } = message;
  if (code === "work-left") return message.args.ref;
  if (code === "branch-rewritten") return message.args.rescued;
  if (code === "files-rescued") return message.args.path;
  if (code === "worktree-aside") return message.args.aside;
  if (code === "landed-lost") return message.args.kept;
  if (code === "entry-replaced") return message.args.entry;
  const isBranch = code === "work-set-aside" || code === "work-rescued" || code === "work-not-landed";
  return isBranch ? message.args.branch : undefined;
}

/** What a warning says failed besides a task, and a name under which that is told once. */
function troubleIn(message: Reason): (Trouble & { readonly name: string }) | undefined {
  const { code } = message;
  if (code === "phase-after-failed" || code === "phase-after-stopped")
    return { name: message.args.phase, kind: "phase-after", reason: message };
  if (code === "work-ignored")
    return { name: `ignored ${message.args.task}`, kind: "not-committed", reason: message };
  return code === "broken-before" ? { name: "", kind: "broken-before", reason: message } : undefined;
}

/** For how long a run was worked on since it was last taken up, epoch milliseconds; what it has not told is not there. */
export interface Stretch {
  readonly from?: number;
  /** When it ended: what a person decides afterwards, while nobody works on it, moves that no more. */
  readonly to?: number;
}

/** The last stretch of a run. Where it was cut off, it ended when it told something last that was not a person's. */
export function lastStretch(store: Pick<Store, "events">, run: string, isCutOff: boolean): Stretch {
  const events = runEvents(store, run);
  if (!isCutOff) return stretchIn(events);
  const { last, ...stretch } = momentsIn(events);
  return last === undefined ? stretch : { to: last, ...stretch };
}

/** The same from what it has told. */
export function stretchIn(events: Iterable<StampedEvent>): Stretch {
  const { last: _, ...stretch } = momentsIn(events);
  return stretch;
}

/** When work on a run ended: where it was cut off, when it told something last that was not a person's. */
export function endIn(events: Iterable<StampedEvent>): number | undefined {
  const { to, last } = momentsIn(events);
  return to ?? last;
}

function momentsIn(events: Iterable<StampedEvent>): Stretch & { readonly last?: number } {
  let from: number | undefined;
  let to: number | undefined;
  let last: number | undefined;
  for (const { at, event } of events) {
    if (event.type === "run-started") from = at;
    // Whoever works on it anew ends it anew.
    if (event.type === "run-started" || event.type === "attempt-started") to = undefined;
    if (event.type === "run-ended") to ??= at;
    if (event.type !== "person") last = at;
  }
  return {
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(last === undefined ? {} : { last }),
  };
}

/** Goes through what a run has told, once. Whoever takes it up again tries anew what had failed besides its tasks. */
export function toldOf(store: Pick<Store, "events">, run: string): Told {
  return toldIn(runEvents(store, run));
}

/** The same of the events themselves. */
export function toldIn(events: Iterable<StampedEvent>): Told {
  const aside = new Map<string, AsideWork>();
  const troubles = new Map<string, Trouble>();
  const unreviewed = new Set<string>();
  const awaited = new Map<string, string>();
  for (const { event } of events) {
    if (event.type === "run-started")
      for (const [name, { kind }] of troubles) if (kind !== "not-committed") troubles.delete(name);
    // It is ended anew, and what comes after it is done anew.
    if (event.type === "phase-ended") troubles.delete(event.phase);
    if (event.type === "waiting") awaited.set(event.task, event.agent);
    if (event.type === "reviewed") unreviewed.delete(event.task);
    if (event.type !== "warning") continue;
    if (event.code === "UNREVIEWED" && event.task !== undefined) unreviewed.add(event.task);
    for (const where of placesIn(event.message))
      aside.set(where, { where, ...(event.task === undefined ? {} : { task: event.task }) });
    const trouble = troubleIn(event.message);
    if (trouble !== undefined) troubles.set(trouble.name, { kind: trouble.kind, reason: trouble.reason });
  }
  return {
    aside: [...aside.values()],
    troubles: [...troubles.values()],
    unreviewed: [...unreviewed],
    awaited,
  };
}
