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
];

/** The schema this program writes, as SQLite's `user_version`. */
export const SCHEMA_VERSION: number = STEPS.length;

/** What brings a database from schema `version` to the current one; empty when it is current. */
export function migrationFrom(version: number): string {
  const steps = STEPS.slice(version).join("\n");
  return steps === "" ? "" : `${steps}\nPRAGMA user_version = ${SCHEMA_VERSION};`;
}
