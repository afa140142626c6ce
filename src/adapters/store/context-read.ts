import type { ContextRows, StoredContext } from "../../ports/context-rows.ts";
import { fail, ok, type Result } from "../../ports/result.ts";
import type { StoreFailure } from "../../ports/store-failure.ts";
import { textAddress } from "./context-check.ts";
import {
  documentFrom,
  labelFrom,
  logRowFrom,
  nodeFrom,
  receiptFrom,
  teammateFrom,
  versionFrom,
} from "./context-rows.ts";
import type { DatabaseSync } from "./database.ts";
import { inSnapshot, reading } from "./reading.ts";

const NOTHING: StoredContext = {
  labels: [],
  versions: [],
  teammates: [],
  nodes: [],
  documents: [],
  lastSeq: 0,
};

/** The context of a database whose schema has none yet. */
export const NO_CONTEXT: ContextRows = {
  load: () => ok(NOTHING),
  text: () => ok(undefined),
  log: () => ok([]),
  receipts: () => ok([]),
};

/** Prepares the statements that read the context; throws what SQLite throws. */
export function prepareContextReader(database: DatabaseSync): ContextRows {
  const snapshot = inSnapshot(database);
  const all = (table: string) => database.prepare(`SELECT * FROM ${table} ORDER BY n`);
  const labels = all("labels");
  const versions = all("versions");
  const teammates = all("teammates");
  const nodes = all("nodes");
  const documents = all("documents");
  const lastSeq = database.prepare("SELECT coalesce(max(seq), 0) AS seq FROM context_log");
  const text = database.prepare("SELECT text FROM texts WHERE hash = ?");
  const log = database.prepare("SELECT * FROM context_log WHERE seq > ? ORDER BY seq LIMIT ?");
  const receipts = database.prepare(
    "SELECT * FROM receipts WHERE run = (SELECT n FROM runs WHERE id = ?) AND task = ? ORDER BY attempt",
  );

  const load = (): StoredContext => ({
    labels: labels.all().map(labelFrom),
    versions: versions.all().map(versionFrom),
    teammates: teammates.all().map(teammateFrom),
    nodes: nodes.all().map(nodeFrom),
    documents: documents.all().map(documentFrom),
    lastSeq: lastSeq.get()?.["seq"] as number,
  });

  function checked(hash: string): Result<string | undefined, StoreFailure> {
    const found = text.get(hash)?.["text"] as string | undefined;
    if (found === undefined || textAddress(found) === hash) return ok(found);
    return fail({ kind: "damaged", message: `the text of hash ${hash} is another one` });
  }

  return {
    load: () => reading(() => snapshot(load)),
    text: hash => {
      const read = reading(() => checked(hash));
      return read.ok ? read.value : read;
    },
    log: (afterSeq, limit) => reading(() => log.all(afterSeq, limit).map(logRowFrom)),
    receipts: (run, task) => reading(() => receipts.all(run, task).map(receiptFrom)),
  };
}
