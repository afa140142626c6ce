import type {
  ContextLogRow,
  DocumentRow,
  LabelRow,
  NodeRow,
  ReceiptRow,
  TeammateRow,
  VersionRow,
} from "../../ports/context-rows.ts";
import { type Parameters, present, type Row } from "./rows.ts";

export const TEXT_PUT = "INSERT INTO texts (hash, text) VALUES (:hash, :text) ON CONFLICT (hash) DO NOTHING";

export const LABEL_UPSERT = `
  INSERT INTO labels (label, serial, gate) VALUES (:label, :serial, :gate)
  ON CONFLICT (label) DO UPDATE SET serial = :serial, gate = :gate`;

export const VERSION_UPSERT = `
  INSERT INTO versions (label, number, hash, bytes, at, made_by, impact)
  VALUES (:label, :number, :hash, :bytes, :at, :made_by, :impact)
  ON CONFLICT (label, number) DO UPDATE SET hash = :hash, bytes = :bytes, at = :at, made_by = :made_by,
    impact = :impact`;

export const TEAMMATE_UPSERT = `
  INSERT INTO teammates (label, teammate, record) VALUES (:label, :teammate, :record)
  ON CONFLICT (label, teammate) DO UPDATE SET record = :record`;

export const NODE_UPSERT = `
  INSERT INTO nodes (id, parent, status, created_at, made_by, merged_into)
  VALUES (:id, :parent, :status, :created_at, :made_by, :merged_into)
  ON CONFLICT (id) DO UPDATE SET parent = :parent, status = :status, created_at = :created_at, made_by = :made_by,
    merged_into = :merged_into`;

export const DOCUMENT_UPSERT = `
  INSERT INTO documents (node, label, place, position, source, withdrawn)
  VALUES (:node, :label, :place, :position, :source, :withdrawn)
  ON CONFLICT (node, label) DO UPDATE SET place = :place, position = :position, source = :source,
    withdrawn = :withdrawn`;

export const RECEIPT_UPSERT = `
  INSERT INTO receipts (run, task, attempt, receipt) VALUES (:run, :task, :attempt, :receipt)
  ON CONFLICT (run, task, attempt) DO UPDATE SET receipt = :receipt`;

// Entries are never removed, so the number after the highest is the next one.
export const LOG_APPEND = "INSERT INTO context_log (at, label, entry) VALUES (:at, :label, :entry)";

export function labelParameters({ label, serial, gate }: LabelRow): Parameters {
  return { label, serial, gate: gate ?? null };
}

export function labelFrom(row: Row): LabelRow {
  return {
    label: row["label"] as string,
    serial: row["serial"] as number,
    ...present("gate", row["gate"] as string | null),
  };
}

export function versionParameters({ label, number, hash, bytes, at, by, impact }: VersionRow): Parameters {
  return { label, number, hash, bytes, at, made_by: by, impact: impact ?? null };
}

export function versionFrom(row: Row): VersionRow {
  return {
    label: row["label"] as string,
    number: row["number"] as number,
    hash: row["hash"] as string,
    bytes: row["bytes"] as number,
    at: row["at"] as number,
    by: row["made_by"] as string,
    ...present("impact", row["impact"] as string | null),
  };
}

export function teammateFrom(row: Row): TeammateRow {
  const { label, teammate, record } = row as Record<keyof TeammateRow, string>;
  return { label, teammate, record };
}

export function nodeParameters(node: NodeRow): Parameters {
  const { id, parent, status, createdAt, by, mergedInto } = node;
  return {
    id,
    parent: parent ?? null,
    status,
    created_at: createdAt,
    made_by: by,
    merged_into: mergedInto ?? null,
  };
}

export function nodeFrom(row: Row): NodeRow {
  return {
    id: row["id"] as string,
    ...present("parent", row["parent"] as string | null),
    status: row["status"] as NodeRow["status"],
    createdAt: row["created_at"] as number,
    by: row["made_by"] as string,
    ...present("mergedInto", row["merged_into"] as string | null),
  };
}

export function documentParameters(document: DocumentRow): Parameters {
  const { node, label, place, position, source, withdrawn } = document;
  return { node, label, place, position, source, withdrawn: Number(withdrawn) };
}

export function documentFrom(row: Row): DocumentRow {
  return {
    node: row["node"] as string,
    label: row["label"] as string,
    place: row["place"] as DocumentRow["place"],
    position: row["position"] as number,
    source: row["source"] as string,
    withdrawn: row["withdrawn"] === 1,
  };
}

export function receiptFrom(row: Row): ReceiptRow {
  return {
    task: row["task"] as string,
    attempt: row["attempt"] as number,
    receipt: row["receipt"] as string,
  };
}

export function logRowFrom(row: Row): ContextLogRow {
  return {
    seq: row["seq"] as number,
    at: row["at"] as number,
    label: row["label"] as string,
    entry: row["entry"] as string,
  };
}
