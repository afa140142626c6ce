import type { NamedBug } from "../bug.ts";

/** Deltas, checkpoints, the shared context and its tree. */
export const CONTEXT_BUGS: readonly NamedBug[] = [
  {
    name: "an update leaves before it is on disk",
    file: "src/context/shared/ledger.ts",
    symbol: "immediateLedger",
    swap: [
      "if (!changesNothing(done.rows)) write(done.rows); done.settled?.();",
      "done.settled?.(); if (!changesNothing(done.rows)) write(done.rows);",
    ],
    by: { proof: "context", count: 40 },
  },
  {
    name: "a PAUSE in an answer that proves nothing is not heard",
    file: "src/sync/acknowledge.ts",
    symbol: "acknowledge",
    swap: ["if (mate.live && session", "if (proves && mate.live && session"],
    by: { proof: "acks", count: 3000 },
  },
  {
    name: "a late update takes the place of a newer one",
    file: "src/sync/replica.ts",
    symbol: "receive",
    swap: ["serial < replica.serial", "serial + 1 < replica.serial"],
    by: { proof: "sync", count: 300 },
  },
  {
    name: "a delta is applied to another base",
    file: "src/delta/apply.ts",
    symbol: "apply",
    swap: ["found !== delta.base", "found === ''"],
    by: { test: "test/delta/conflict.test.ts" },
  },
  {
    name: "the last line that a delta adds is lost",
    file: "src/delta/apply.ts",
    symbol: "apply",
    swap: ["for (const line of hunk.added)", "for (const line of hunk.added.slice(0, 40))"],
    by: { proof: "properties", count: 1 },
  },
  {
    name: "a checkpoint delta leaves a removed entry out",
    file: "src/checkpoint/delta-body.ts",
    symbol: "changesSection",
    swap: ["if (removed.length > 0)", "if (removed.length > 1)"],
    by: { proof: "checkpoint", count: 500 },
  },
  {
    name: "a withdrawn document is read on",
    file: "src/tree/reading.ts",
    symbol: "readingOf",
    swap: ["document.withdrawn ? undefined", "document.withdrawn && false ? undefined"],
    by: { test: "test/tree/documents.test.ts" },
  },
  {
    name: "the step of one task has become that of another",
    file: "src/checkpoint/side.ts",
    symbol: "areOthers",
    swap: ["before.id !== after.id", "before.id === after.id"],
    by: { test: "test/checkpoint/delta-tables.test.ts", rule: "KD27" },
  },
  {
    name: "an id that an entry begins with ends at its first point",
    file: "src/checkpoint/side.ts",
    symbol: "identity",
    swap: ["\\.(?!\\d)", "\\."],
    by: { test: "test/checkpoint/delta-tables.test.ts", rule: "KD27" },
  },
];
