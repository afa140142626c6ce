import { SYSTEM_CLOCK } from "../../adapters/local/clock.ts";
import { byLabel, leadFromRows } from "../../context/shared/rows.ts";
import { lastStretch, type Stretch } from "../../host/run/aftermath.ts";
import { HERE, ok } from "../../ports/index.ts";
import { DEFAULT_POLICY, type RunState, restoreRun } from "../../run/index.ts";
import type { Monitor, Reading } from "../../server/index.ts";
import { DEFAULT_SYNC_POLICY, standingOf } from "../../sync/index.ts";
import type { LiveModel } from "../views/live/live-model.ts";
import type { CopyFacts, WatchFacts } from "../views/live/watch-frame.ts";
import type { Words } from "../views/words/words.ts";

/** A stored run as the views of a running one take it; nothing in it is ever stepped. */
export function runOf({ stored, plan }: Reading, monitor: Monitor): RunState {
  const running = monitor.link().live ? stored.tasks.filter(row => row.status === "in_progress") : [];
  const { maxAttempts, phaseGate } = monitor;
  const run = restoreRun(plan, stored.tasks, {
    // As a lead's run is restored: nothing moves by itself.
    policy: { ...DEFAULT_POLICY, maxAttempts, phaseGate, advance: "asked" },
    forced: stored.run.forced,
    held: stored.run.held === true,
    phase: stored.run.phase,
    keepRunning: new Set(running.map(row => row.id)),
  });
  const { state, reason } = stored.run;
  if (state !== "running") run.ended = { outcome: state, reason };
  else if (!monitor.link().live) run.ended = { outcome: "interrupted", reason: undefined };
  return run;
}

/** The last stretch that a run was worked on; nothing of what cannot be read. */
export function stretchOf(monitor: Monitor, { id, state }: Reading["stored"]["run"]): Stretch {
  const isCutOff = state === "running" && !monitor.link().live;
  const found = monitor.ask(store => ok(lastStretch(store, id, isCutOff)));
  return (found.ok ? found.value : undefined) ?? {};
}

/** Tells the model on which other machines attempts are, and why none has begun one. */
export function placeWorkers(
  model: LiveModel,
  { openAttempts }: Pick<Reading["stored"], "openAttempts">,
  words: Words,
): void {
  for (const { task, number, machine, reason } of openAttempts) {
    const waits = machine === undefined && reason !== undefined ? words.reason(reason) : undefined;
    model.place(task, number, { machine: machine === HERE ? undefined : machine, waits });
  }
}

/** How the copies of each document stand; documents that nobody holds are left out. */
export function copiesOf(monitor: Monitor): CopyFacts[] {
  const found = monitor.ask(store => store.context.load());
  if (!found.ok || found.value === undefined) return [];
  return [...byLabel(found.value).values()].flatMap((rows): CopyFacts[] => {
    const lead = leadFromRows(rows, DEFAULT_SYNC_POLICY);
    const standings = new Map<string, number>();
    for (const mate of lead.teammates.values()) {
      const standing = standingOf(lead, mate);
      standings.set(standing, (standings.get(standing) ?? 0) + 1);
    }
    const version = rows.versions.at(-1)?.number ?? 0;
    return standings.size === 0 ? [] : [{ label: lead.label, version, standings }];
  });
}

/** What fills the window, and what was spent. */
export function budgetOf(monitor: Monitor): WatchFacts["budget"] {
  const facts = monitor.budget();
  if (facts === undefined) return undefined;
  const { tokens, cost } = facts.spent;
  return { used: facts.used, total: facts.total, tokens, cost };
}

/** Milliseconds between two questions about the machines of a hub. */
const PAUSE = 5000;

/** What the hub of the run said of its machines last; it is asked again and again, and `changed` is called when it has answered. */
export function machinesHeard(
  monitor: Pick<Monitor, "machines">,
  changed: () => void,
): () => Awaited<ReturnType<Monitor["machines"]>> {
  let heard: Awaited<ReturnType<Monitor["machines"]>>;
  let due = Number.NEGATIVE_INFINITY;
  const ask = async () => {
    heard = await monitor.machines();
    if (heard !== undefined) changed();
  };
  return () => {
    const now = SYSTEM_CLOCK.monotonic();
    if (now >= due) {
      due = now + PAUSE;
      // What keeps it from an answer is no reason to show nothing.
      ask().catch(() => {});
    }
    return heard;
  };
}
