import type { NamedBug } from "../bug.ts";

/** Plans, and what runs when. */
export const SCHEDULING_BUGS: readonly NamedBug[] = [
  {
    name: "the gate of a phase lets one more failure through",
    file: "src/run/phases.ts",
    symbol: "passesGate",
    swap: ["phase.completed >=", "phase.completed + 1 >="],
    by: { proof: "simulation", count: 500 },
  },
  {
    name: "a task that depends on itself is no cycle",
    file: "src/plan/graph/cycles.ts",
    symbol: "tangles",
    swap: ["|| edges.includes(node)", ""],
    by: { test: "test/plan/graph.test.ts" },
  },
  {
    name: "the title of a permission is kept as it came",
    file: "src/engine/masked.ts",
    symbol: "maskedEvent",
    swap: ["title: maskedLine(event.title, redact)", "title: event.title"],
    by: { test: "test/engine/masked.test.ts" },
  },
  {
    name: "a backup that cannot be read takes the place of a good one",
    file: "src/adapters/store/backup.ts",
    symbol: "backupDatabase",
    swap: ["if (!checked.ok) {", "if (!checked.ok && false) {"],
    by: { test: "test/adapters/store-sqlite-backup.test.ts" },
  },
  {
    name: "boxes in commands are told as tasks",
    file: "src/plan/markdown/collect.ts",
    symbol: "collect",
    swap: ["if (fields.isCommand(line)) passed.add(line.number);", ""],
    by: { test: "test/plan/unread.test.ts", rule: "L66" },
  },
  {
    name: "a session goes on in a folder that its work was taken out of",
    file: "src/engine/attempt/prepare.ts",
    symbol: "sessionFor",
    swap: ['left !== undefined && left.kind !== "kept"', "left !== undefined"],
    by: { test: "test/engine/resumed-sessions.test.ts", rule: "E66" },
  },
  {
    name: "a session that changed nothing is begun anew",
    file: "src/engine/workspaces/opening.ts",
    symbol: "openAsLeft",
    swap: ['"anew" in anew && ', '"keepAs" in anew && '],
    by: { test: "test/engine/resumed-sessions.test.ts", rule: "E66" },
  },
  {
    name: "an agent that ended without its signal is not asked for it",
    file: "src/engine/attempt/signal-asked.ts",
    symbol: "signalRequest",
    swap: ['claim.kind !== "none"', "claim.kind !== undefined"],
    by: { test: "test/engine/signal-asked.test.ts" },
  },
  {
    name: "what an agent said before it was asked for its signal is lost",
    file: "src/engine/attempt/signal-asked.ts",
    symbol: "asOneAnswer",
    swap: ["[fenceClosed(before).trimEnd(), after]", "[after]"],
    by: { test: "test/engine/signal-asked.test.ts" },
  },
  {
    name: "a fence that an answer leaves open takes in the signal behind it",
    file: "src/run/signal-lines.ts",
    symbol: "fenceClosed",
    swap: ["open === undefined ? message", "open !== null ? message"],
    by: { test: "test/engine/signal-asked.test.ts" },
  },
  {
    name: "a note is taken for a command, which reads none",
    file: "src/run/actions.ts",
    symbol: "returnRefusal",
    swap: ['if (run !== undefined) return because("reads-no-note", { task });', ""],
    by: { test: "test/run/acts.test.ts" },
  },
];
