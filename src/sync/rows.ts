import { type Gate, type Lead, openVersion, type Teammate, type Version } from "./state.ts";

/** A lead as a store keeps it, without the versions' texts; plain data. */
export interface LeadRows {
  readonly label: string;
  readonly serial: number;
  readonly gate?: Gate;
  readonly versions: readonly Version[];
  readonly teammates: readonly Teammate[];
}

/** The rows of a lead; of teammates and versions only those asked for, when asked. */
export function leadRows(lead: Lead, touched?: ReadonlySet<string>): LeadRows {
  const mates = [...lead.teammates.values()].filter(mate => touched?.has(mate.id) ?? true);
  return structuredClone({
    label: lead.label,
    serial: lead.serial,
    ...(lead.gate === undefined ? {} : { gate: lead.gate }),
    versions: lead.versions,
    teammates: mates,
  });
}

/**
 * A lead as it was. `contents` gives the texts that are still kept, by version; the versions of `neededVersions` must be
 * among them, or their holders get the whole document.
 */
export function restoreLead(
  rows: LeadRows,
  contents: ReadonlyMap<number, string>,
  policy: Lead["policy"],
): Lead {
  const { label, serial, gate, versions, teammates } = structuredClone(rows);
  return {
    label,
    policy,
    serial,
    ...(gate === undefined ? {} : { gate }),
    versions: [...versions],
    contents: new Map(contents),
    teammates: new Map(teammates.map(mate => [mate.id, mate])),
    memo: new Map(),
  };
}

/** Versions whose texts someone still needs: the current and the gate's, what teammates hold, wait for, or are sent. */
export function neededVersions(lead: Lead): Set<number> {
  const needed = new Set([lead.versions.at(-1)?.number ?? 0, openVersion(lead)]);
  for (const { live, confirmed, flight, waiting, sent, unclear } of lead.teammates.values()) {
    if (!live) continue;
    if (confirmed !== undefined) needed.add(confirmed.version);
    if (flight !== undefined) needed.add(flight.version);
    if (unclear !== undefined) needed.add(unclear.version);
    for (const version of waiting) needed.add(version);
    for (const { version } of sent) needed.add(version);
  }
  return needed;
}

/** Lets go of texts that nobody needs and that are older than the ones publishers may still edit. */
export function forgetContents(lead: Lead): void {
  const { keepVersions } = lead.policy;
  if (lead.contents.size <= keepVersions * 2) return;
  const oldest = (lead.versions.at(-1)?.number ?? 0) - keepVersions;
  const needed = neededVersions(lead);
  for (const version of lead.contents.keys()) {
    if (version <= oldest && !needed.has(version)) lead.contents.delete(version);
  }
}
