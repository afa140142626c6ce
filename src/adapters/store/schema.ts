import { createHash } from "node:crypto";
import { type DatabaseSync, openInMemory } from "./database.ts";

/** Marks a database as ours; the letters ESP and the family number 1. */
export const APPLICATION_ID = 0x45535001;

// A release that needs another shape appends here. Never edit an entry that was released.
const STEPS: readonly string[] = [
  `
  CREATE TABLE meta (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    project TEXT NOT NULL,
    epoch INTEGER NOT NULL CHECK (epoch >= 0)
  ) STRICT;
  CREATE TABLE runs (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    project TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('running', 'completed', 'failed', 'waiting', 'interrupted')),
    phase TEXT NOT NULL,
    file TEXT NOT NULL,
    plan_hash TEXT NOT NULL,
    started_at REAL NOT NULL,
    updated_at REAL NOT NULL,
    forced TEXT NOT NULL CHECK (json_valid(forced)),
    lead_tokens INTEGER NOT NULL,
    reason TEXT NOT NULL,
    last_seq INTEGER NOT NULL DEFAULT 0 CHECK (last_seq >= 0)
  ) STRICT;
  CREATE TABLE plans (
    run INTEGER PRIMARY KEY,
    plan TEXT NOT NULL
  ) STRICT;
  CREATE TABLE tasks (
    n INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,
    id TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'ready', 'in_progress', 'completed', 'failed', 'blocked',
      'paused', 'waiting', 'cancelled', 'skipped')),
    retries INTEGER NOT NULL CHECK (retries >= 0),
    attempts INTEGER NOT NULL CHECK (attempts >= 0),
    verified INTEGER CHECK (verified IN (0, 1)),
    reason TEXT NOT NULL,
    same_error INTEGER NOT NULL,
    text_hash TEXT NOT NULL,
    not_before REAL NOT NULL,
    UNIQUE (run, id)
  ) STRICT;
  CREATE TABLE attempts (
    n INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,
    task TEXT NOT NULL,
    number INTEGER NOT NULL,
    token TEXT NOT NULL,
    nonce TEXT NOT NULL,
    agent TEXT NOT NULL,
    started_at REAL NOT NULL,
    ended_at REAL NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('running', 'done', 'failed', 'no-signal', 'unproven', 'cancelled',
      'crashed')),
    reason TEXT NOT NULL,
    evidence TEXT NOT NULL,
    final_message TEXT NOT NULL,
    feedback TEXT NOT NULL,
    UNIQUE (run, task, number)
  ) STRICT;
  CREATE INDEX attempts_open ON attempts (run) WHERE ended_at = 0;
  CREATE TABLE events (
    run INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    at REAL NOT NULL,
    event TEXT NOT NULL CHECK (json_valid(event)),
    PRIMARY KEY (run, seq)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  ALTER TABLE attempts ADD COLUMN usage TEXT CHECK (json_valid(usage));
  ALTER TABLE attempts ADD COLUMN estimate INTEGER;
  ALTER TABLE attempts ADD COLUMN session TEXT;
  ALTER TABLE attempts ADD COLUMN folder TEXT;
  ALTER TABLE attempts ADD COLUMN branch TEXT;
  ALTER TABLE attempts ADD COLUMN commit_id TEXT;
  CREATE TABLE texts (
    hash TEXT NOT NULL UNIQUE,
    text TEXT NOT NULL
  ) STRICT;
  CREATE TABLE labels (
    n INTEGER PRIMARY KEY,
    label TEXT NOT NULL UNIQUE,
    serial INTEGER NOT NULL,
    gate TEXT CHECK (json_valid(gate))
  ) STRICT;
  CREATE TABLE versions (
    n INTEGER PRIMARY KEY,
    label TEXT NOT NULL,
    number INTEGER NOT NULL,
    hash TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    at REAL NOT NULL,
    made_by TEXT NOT NULL,
    impact TEXT CHECK (json_valid(impact)),
    UNIQUE (label, number)
  ) STRICT;
  CREATE TABLE teammates (
    n INTEGER PRIMARY KEY,
    label TEXT NOT NULL,
    teammate TEXT NOT NULL,
    record TEXT NOT NULL CHECK (json_valid(record)),
    UNIQUE (label, teammate)
  ) STRICT;
  CREATE TABLE nodes (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    parent TEXT,
    status TEXT NOT NULL CHECK (status IN ('active', 'completed', 'abandoned', 'merged')),
    created_at REAL NOT NULL,
    made_by TEXT NOT NULL,
    merged_into TEXT
  ) STRICT;
  CREATE TABLE documents (
    n INTEGER PRIMARY KEY,
    node TEXT NOT NULL,
    label TEXT NOT NULL,
    place TEXT NOT NULL CHECK (place IN ('shared', 'own')),
    position INTEGER NOT NULL,
    source TEXT NOT NULL CHECK (json_valid(source)),
    withdrawn INTEGER NOT NULL CHECK (withdrawn IN (0, 1)),
    UNIQUE (node, label)
  ) STRICT;
  CREATE TABLE receipts (
    run INTEGER NOT NULL,
    task TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    receipt TEXT NOT NULL CHECK (json_valid(receipt)),
    PRIMARY KEY (run, task, attempt)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE context_log (
    seq INTEGER PRIMARY KEY,
    at REAL NOT NULL,
    label TEXT NOT NULL,
    entry TEXT NOT NULL CHECK (json_valid(entry))
  ) STRICT;
  `,
  `
  ALTER TABLE meta ADD COLUMN sealed_by TEXT;
  ALTER TABLE runs ADD COLUMN seal TEXT;
  ALTER TABLE tasks ADD COLUMN seal TEXT;
  ALTER TABLE attempts ADD COLUMN seal TEXT;
  ALTER TABLE events ADD COLUMN seal TEXT;
  `,
  `
  ALTER TABLE runs ADD COLUMN digest TEXT;
  `,
  // Reasons become JSON. In words they were, they are words of others now; those that decide something are recognised
  // here and never again: by how the last attempt of their task ended, which none of its agent's words are like.
  `
  ALTER TABLE runs RENAME COLUMN reason TO why;
  ALTER TABLE tasks RENAME COLUMN reason TO why;
  ALTER TABLE attempts RENAME COLUMN reason TO why;
  UPDATE tasks SET why = (
    WITH last (outcome, silent) AS (
      SELECT outcome, final_message = '' FROM attempts WHERE run = tasks.run AND task = id AND number = tasks.attempts
    )
    SELECT CASE
      WHEN status = 'paused' AND why = 'its run: block is not approved yet; espalier resume asks'
        AND EXISTS (SELECT 1 FROM last WHERE outcome = 'failed' AND silent)
        THEN '{"code":"run-block-unapproved","args":{}}'
      WHEN status = 'paused' AND why LIKE 'unapproved agent configuration %; espalier resume asks'
        AND EXISTS (SELECT 1 FROM last WHERE outcome = 'failed' AND silent)
        THEN json_object('code', 'file-unapproved', 'args', json_object('path', substr(why, 32, length(why) - 53)))
      WHEN status = 'paused' AND why = 'a command that proves it is not approved yet; espalier resume asks'
        AND EXISTS (SELECT 1 FROM last WHERE outcome = 'unproven')
        THEN '{"code":"proof-unapproved","args":{}}'
      WHEN status = 'paused' AND retries = 0 AND why = 'its text changed after the work was done'
        THEN '{"code":"text-changed","args":{}}'
      WHEN status = 'paused' AND retries = 0
        AND why LIKE 'the task file asks less of it than before (%); espalier resume asks'
        THEN json_object('code', 'asks-less', 'args',
          json_object('fields', json_array(substr(why, 44, length(why) - 66))))
      WHEN status = 'skipped' AND why = 'the task file leaves it out' THEN '{"code":"left-out","args":{}}'
      WHEN status = 'blocked' AND why LIKE 'blocked by %'
        THEN json_object('code', 'blocked-by', 'args', json_object('task', substr(why, 12)))
      ELSE json_object('code', 'said', 'args', json_object('by', 'earlier-version', 'text', why)) END
  ) WHERE why <> '';
  UPDATE runs SET why = json_object('code', 'said', 'args', json_object('by', 'earlier-version', 'text', why))
    WHERE why <> '';
  UPDATE attempts SET why = json_object('code', 'said', 'args', json_object('by', 'earlier-version', 'text', why))
    WHERE why <> '';
  `,
  `
  ALTER TABLE runs ADD COLUMN held INTEGER CHECK (held = 1);
  ALTER TABLE tasks ADD COLUMN stalls INTEGER CHECK (stalls > 0);
  ALTER TABLE tasks ADD COLUMN clash TEXT;
  ALTER TABLE attempts ADD COLUMN machine TEXT;
  `,
  `
  ALTER TABLE attempts ADD COLUMN unheard TEXT;
  `,
];

/** The schema this program writes, as SQLite's `user_version`. */
export const SCHEMA_VERSION: number = STEPS.length;

/** Gives a new database its first shape. */
export function createSchema(database: DatabaseSync): void {
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  migrate(database);
}

/** Whether a database has an earlier schema than the current one. */
export function isOutdated(database: DatabaseSync): boolean {
  return schemaOf(database) < SCHEMA_VERSION;
}

/** Whether a database has columns for seals. */
export function hasSeals(database: DatabaseSync): boolean {
  return schemaOf(database) >= 3;
}

function schemaOf(database: DatabaseSync): number {
  return database.prepare("PRAGMA user_version").get()?.["user_version"] as number;
}

/** Brings a database of any earlier schema to the current one, in one transaction with what is done `besides`. */
export function migrate(database: DatabaseSync, besides?: () => void): void {
  const steps = STEPS.slice(schemaOf(database));
  if (steps.length > 0) steps.push(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  // To write the version that is there already would cost each start a commit.
  else if (besides === undefined) return;
  // Definitions that a step replaces leave no trace in unused space, where a repair would find them.
  database.exec("PRAGMA secure_delete = ON");
  database.exec(`BEGIN IMMEDIATE; ${steps.join("\n")}`);
  besides?.();
  database.exec("COMMIT");
  database.exec("PRAGMA secure_delete = OFF");
}

/** The {@link fingerprint} of the current tables: to make them anew only to compare takes a third of the time in which Node starts. */
export const CURRENT_FINGERPRINT = "013b278e98a260c9343c6d4b128b8dc45e1d2117028428a6f9bf19da5ad5c461";

/** SHA-256 of all definitions as SQLite tells them, in hexadecimal. */
export function fingerprint(database: DatabaseSync): string {
  return createHash("sha256").update(definitions(database)).digest("hex");
}

/** Whether the tables are exactly those of a schema version: a damaged definition would be found by nothing else. */
export function hasSchema(database: DatabaseSync, version: number): boolean {
  if (version === SCHEMA_VERSION && fingerprint(database) === CURRENT_FINGERPRINT) return true;
  // Those of an earlier version, or told in other words by another SQLite.
  const reference = openInMemory();
  try {
    reference.exec(STEPS.slice(0, version).join("\n"));
    return definitions(database) === definitions(reference);
  } finally {
    reference.close();
  }
}

function definitions(database: DatabaseSync): string {
  const rows = database.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name").all();
  return JSON.stringify(rows);
}

// SQLite leaves CHECK out of its integrity check where a database is opened for reading only, so the rules of the
// tables are asked for once more: one list for each schema version.
const UNSOUND: readonly (readonly string[])[] = [
  [
    "meta WHERE epoch < 0",
    `runs WHERE state NOT IN ('running', 'completed', 'failed', 'waiting', 'interrupted') OR NOT json_valid(forced)
      OR last_seq <> (SELECT coalesce(max(seq), 0) FROM events WHERE run = n)`,
    `tasks WHERE status NOT IN ('pending', 'ready', 'in_progress', 'completed', 'failed', 'blocked', 'paused',
      'waiting', 'cancelled', 'skipped') OR retries < 0 OR attempts < 0 OR verified NOT IN (0, 1)`,
    `attempts WHERE outcome NOT IN ('running', 'done', 'failed', 'no-signal', 'unproven', 'cancelled', 'crashed')`,
    "events WHERE NOT json_valid(event)",
  ],
  [
    "attempts WHERE NOT json_valid(usage)",
    "labels WHERE NOT json_valid(gate)",
    "versions WHERE NOT json_valid(impact)",
    "teammates WHERE NOT json_valid(record)",
    "nodes WHERE status NOT IN ('active', 'completed', 'abandoned', 'merged')",
    "documents WHERE place NOT IN ('shared', 'own') OR NOT json_valid(source) OR withdrawn NOT IN (0, 1)",
    "receipts WHERE NOT json_valid(receipt)",
    "context_log WHERE NOT json_valid(entry) OR seq > (SELECT count(*) FROM context_log)",
  ],
  [],
  [],
  ["runs", "tasks", "attempts"].map(table => `${table} WHERE why <> '' AND NOT json_valid(why)`),
  ["runs WHERE held <> 1", "tasks WHERE stalls <= 0"],
  [],
];

/** The first table with a row that no program of ours writes. */
export function unsoundTable(database: DatabaseSync, version: number): string | undefined {
  const rules = UNSOUND.slice(0, version).flat();
  const broken = rules.find(rows => database.prepare(`SELECT 1 FROM ${rows} LIMIT 1`).get() !== undefined);
  return broken?.slice(0, broken.indexOf(" "));
}
