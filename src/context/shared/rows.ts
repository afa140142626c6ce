import { createHash } from "node:crypto";
import { SHORT_HASH } from "../../delta/index.ts";
import type { ContextChange, LabelRow, StoredContext, TeammateRow, VersionRow } from "../../ports/index.ts";
import {
  type Gate,
  type Lead,
  type LeadStep,
  restoreLead,
  type SyncPolicy,
  type Teammate,
  versionOf,
} from "../../sync/index.ts";

/** Everything the store knows of one label, texts aside. */
export interface LabelRows {
  readonly label: LabelRow;
  readonly versions: VersionRow[];
  readonly teammates: TeammateRow[];
}

/** A store's rows by their label. */
export function byLabel({ labels, versions, teammates }: StoredContext): Map<string, LabelRows> {
  const grouped = new Map<string, LabelRows>();
  for (const label of labels) grouped.set(label.label, { label, versions: [], teammates: [] });
  for (const version of versions) grouped.get(version.label)?.versions.push(version);
  for (const teammate of teammates) grouped.get(teammate.label)?.teammates.push(teammate);
  return grouped;
}

/** The lead of a label as it was, without its texts. */
export function leadFromRows({ label, versions, teammates }: LabelRows, policy: SyncPolicy): Lead {
  return restoreLead(
    {
      label: label.label,
      serial: label.serial,
      ...(label.gate === undefined ? {} : { gate: JSON.parse(label.gate) as Gate }),
      versions: versions.map(({ number, hash, at, by, impact }) => ({
        number,
        hash: hash.slice(0, SHORT_HASH),
        at,
        by,
        ...(impact === undefined ? {} : (JSON.parse(impact) as object)),
      })),
      teammates: teammates.map(({ record }) => JSON.parse(record) as Teammate),
    },
    new Map(),
    policy,
  );
}

/** The address of a text in the store. */
export function textHash(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

/** The rows that a step of a lead changed; undefined when it neither changed nor told anything. */
export function stepRows(lead: Lead, step: LeadStep, now: number): ContextChange | undefined {
  const { label, serial, gate } = lead;
  const { events, touched } = step;
  if (events.length === 0 && touched.size === 0) return undefined;
  const published = events.flatMap(event => (event.type === "published" ? [event.version] : []));
  const texts = published.map(number => lead.contents.get(number) ?? "");
  const hashes = texts.map(textHash);
  const versions = published.map((number, index) =>
    versionRow(lead, number, hashes[index]!, Buffer.byteLength(texts[index]!)),
  );
  return {
    texts: texts.map((text, index) => ({ hash: hashes[index]!, text })),
    // A first publication that is refused leaves no document behind, only its line in the log.
    labels: isUsed(lead)
      ? [{ label, serial, ...(gate === undefined ? {} : { gate: JSON.stringify(gate) }) }]
      : [],
    versions,
    teammates: [...touched].flatMap(id => {
      const mate = lead.teammates.get(id);
      return mate === undefined ? [] : [{ label, teammate: id, record: JSON.stringify(mate) }];
    }),
    dropTeammates: [...touched].flatMap(id => (lead.teammates.has(id) ? [] : [{ label, teammate: id }])),
    log: events.map(event => ({ at: now, label, entry: JSON.stringify(event) })),
  };
}

/** Whether a lead has anything to keep in step: versions or teammates. */
export function isUsed(lead: Lead): boolean {
  return lead.versions.length > 0 || lead.teammates.size > 0;
}

function versionRow(lead: Lead, number: number, hash: string, bytes: number): VersionRow {
  const { at, by, affected, actions, point, edited } = versionOf(lead, number)!;
  const named = [affected, actions, point, edited].some(one => one !== undefined);
  return {
    label: lead.label,
    number,
    hash,
    bytes,
    at,
    by,
    ...(named ? { impact: JSON.stringify({ affected, actions, point, edited }) } : {}),
  };
}
