import type { ContextRows } from "../../ports/index.ts";
import { type Lead, neededVersions, nextDue, type SyncPolicy } from "../../sync/index.ts";
import { type LabelRows, leadFromRows } from "./rows.ts";

/** One label at the desk: its lead, and which of its texts the store keeps. */
export interface Shelf {
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

/** A shelf for a lead without versions. */
export function emptyShelf(lead: Lead): Shelf {
  return { lead, hashes: new Map(), kept: new Set(), due: undefined, isGateLeftBehind: false };
}

/** Restores a label with the texts its lead works with; what the store does not have makes full messages of deltas. */
export function restoreShelf(stored: LabelRows, rows: ContextRows, policy: SyncPolicy): Shelf {
  const lead = leadFromRows(stored, policy);
  const hashes = new Map(stored.versions.map(({ number, hash }) => [number, hash]));
  const shelf: Shelf = {
    lead,
    hashes,
    kept: new Set(hashes.keys()),
    due: nextDue(lead),
    isGateLeftBehind: lead.gate !== undefined,
  };
  for (const number of neededVersions(lead)) fetchText(shelf, rows, number);
  return shelf;
}

/** Brings the text of a version to its lead, where the store still has it. */
export function fetchText({ lead, hashes }: Shelf, rows: ContextRows, number: number): void {
  const hash = hashes.get(number);
  if (hash === undefined || lead.contents.has(number)) return;
  const text = rows.text(hash);
  if (text.ok && text.value !== undefined) lead.contents.set(number, text.value);
}

/** Versions whose texts stay: those that someone needs, and the newest ones for publishers that still edit them. */
export function versionsToKeep({ lead }: Shelf): Set<number> {
  const keep = neededVersions(lead);
  const newest = lead.versions.at(-1)?.number ?? 0;
  for (let number = Math.max(1, newest - lead.policy.keepVersions + 1); number <= newest; number++)
    keep.add(number);
  return keep;
}

/** Takes the texts off a shelf that nobody needs any more, and returns their addresses. */
export function clearShelf(shelf: Shelf): Set<string> {
  const keep = versionsToKeep(shelf);
  const gone = new Set<string>();
  for (const number of shelf.kept) {
    if (keep.has(number)) continue;
    shelf.kept.delete(number);
    gone.add(shelf.hashes.get(number)!);
  }
  for (const number of keep) {
    const hash = shelf.hashes.get(number);
    if (hash !== undefined) gone.delete(hash);
  }
  return gone;
}
