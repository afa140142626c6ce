import type { ContextRows } from "../../ports/index.ts";
import { type Lead, neededVersions, nextDue, type SyncPolicy } from "../../sync/index.ts";
import { type LabelRows, leadFromRows } from "./rows.ts";

/** One label at the shared context: its lead, and which of its texts the store keeps. */
export interface LabelState {
  readonly lead: Lead;
  /** Address of each version's text. */
  readonly hashes: Map<number, string>;
  /** Versions whose texts may be in the store. */
  readonly kept: Set<number>;
  /** When time can next change something; undefined when nothing is under way. */
  due: number | undefined;
  /** Its gate was opened by a process that has died: nobody judges it any more. */
  isGateLeftBehind: boolean;
}

/** A label for a lead without versions. */
export function emptyLabel(lead: Lead): LabelState {
  return { lead, hashes: new Map(), kept: new Set(), due: undefined, isGateLeftBehind: false };
}

/** Restores a label with the texts its lead works with; what the store does not have makes full messages of deltas. */
export function restoreLabel(stored: LabelRows, rows: ContextRows, policy: SyncPolicy): LabelState {
  const lead = leadFromRows(stored, policy);
  const hashes = new Map(stored.versions.map(({ number, hash }) => [number, hash]));
  const state: LabelState = {
    lead,
    hashes,
    kept: new Set(hashes.keys()),
    due: nextDue(lead),
    isGateLeftBehind: lead.gate !== undefined,
  };
  for (const number of neededVersions(lead)) fetchText(state, rows, number);
  return state;
}

/** Brings the text of a version to its lead, where the store still has it. */
export function fetchText({ lead, hashes }: LabelState, rows: ContextRows, number: number): void {
  const hash = hashes.get(number);
  if (hash === undefined || lead.contents.has(number)) return;
  const text = rows.text(hash);
  if (text.ok && text.value !== undefined) lead.contents.set(number, text.value);
}

/** Versions whose texts stay: those that someone needs, and the newest ones for publishers that still edit them. */
export function versionsToKeep({ lead }: LabelState): Set<number> {
  const keep = neededVersions(lead);
  const newest = lead.versions.at(-1)?.number ?? 0;
  for (let number = Math.max(1, newest - lead.policy.keepVersions + 1); number <= newest; number++)
    keep.add(number);
  return keep;
}

/** Takes the texts off a label that nobody needs any more, and returns their addresses. */
export function dropTexts(state: LabelState): Set<string> {
  const keep = versionsToKeep(state);
  const gone = new Set<string>();
  for (const number of state.kept) {
    if (keep.has(number)) continue;
    state.kept.delete(number);
    gone.add(state.hashes.get(number)!);
  }
  for (const number of keep) {
    const hash = state.hashes.get(number);
    if (hash !== undefined) gone.delete(hash);
  }
  return gone;
}
