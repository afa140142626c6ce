import type { ContextChange } from "../../ports/context-rows.ts";
import {
  DOCUMENT_UPSERT,
  documentParameters,
  LABEL_UPSERT,
  LOG_APPEND,
  labelParameters,
  NODE_UPSERT,
  nodeParameters,
  RECEIPT_UPSERT,
  TEAMMATE_UPSERT,
  TEXT_PUT,
  VERSION_UPSERT,
  versionParameters,
} from "./context-rows.ts";
import type { DatabaseSync } from "./database.ts";

/** Prepares how the context's part of a change is written within a transaction; `run` is the row its receipts hang on. */
export function prepareContextWriter(
  database: DatabaseSync,
): (context: ContextChange, run: number | undefined) => void {
  const dropText = database.prepare("DELETE FROM texts WHERE hash = ?");
  const dropTeammate = database.prepare("DELETE FROM teammates WHERE label = ? AND teammate = ?");
  const putText = database.prepare(TEXT_PUT);
  const upsertLabel = database.prepare(LABEL_UPSERT);
  const upsertVersion = database.prepare(VERSION_UPSERT);
  const upsertTeammate = database.prepare(TEAMMATE_UPSERT);
  const upsertNode = database.prepare(NODE_UPSERT);
  const upsertDocument = database.prepare(DOCUMENT_UPSERT);
  const upsertReceipt = database.prepare(RECEIPT_UPSERT);
  const appendLog = database.prepare(LOG_APPEND);

  return (context, run) => {
    for (const hash of context.dropTexts ?? []) dropText.run(hash);
    for (const { label, teammate } of context.dropTeammates ?? []) dropTeammate.run(label, teammate);
    for (const { hash, text } of context.texts ?? []) putText.run({ hash, text });
    for (const label of context.labels ?? []) upsertLabel.run(labelParameters(label));
    for (const version of context.versions ?? []) upsertVersion.run(versionParameters(version));
    for (const { label, teammate, record } of context.teammates ?? [])
      upsertTeammate.run({ label, teammate, record });
    for (const node of context.nodes ?? []) upsertNode.run(nodeParameters(node));
    for (const document of context.documents ?? []) upsertDocument.run(documentParameters(document));
    for (const { task, attempt, receipt } of context.receipts ?? [])
      upsertReceipt.run({ run: run ?? null, task, attempt, receipt });
    for (const { at, label, entry } of context.log ?? []) appendLog.run({ at, label, entry });
  };
}
