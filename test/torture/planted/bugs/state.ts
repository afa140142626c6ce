import type { NamedBug } from "../bug.ts";

/** What is kept on disk: store, lock, files, and what a start makes of them. */
export const STATE_BUGS: readonly NamedBug[] = [
  {
    name: "each start undoes the newest completion",
    file: "src/run/restore.ts",
    symbol: "restoreStatuses",
    swap: [
      "if (status !== undefined && status !==",
      `const newest = run.tasks.filter(one => rows.get(one.task.id)?.status === "completed").at(-1);
       if (state !== newest && status !== undefined && status !==`,
    ],
    by: { proof: "program", count: 40 },
  },
  {
    name: "a completion is told before it is on disk",
    file: "src/engine/engine.ts",
    symbol: "Engine.#advance",
    swap: [
      "const failure = await this.#makeDurable(change);",
      `for (const event of events) for (const listener of this.#listeners) listener(event);
       const failure = await this.#makeDurable(change);`,
    ],
    by: { test: "test/engine/engine-store.test.ts" },
  },
  {
    name: "commits are not synced",
    file: "src/adapters/store/sqlite.ts",
    symbol: "openInspected",
    swap: ["PRAGMA synchronous = FULL", "PRAGMA synchronous = NORMAL"],
    by: { test: "test/adapters/store-sqlite.test.ts" },
  },
  {
    name: "what the thin state knows better is not looked for",
    file: "src/adapters/store/decide.ts",
    symbol: "decide",
    swap: ["isAhead(thin, sound)", "isAhead(sound, { ...thin, runs: sound.runs })"],
    by: { proof: "store", count: 60 },
  },
  {
    name: "a writer of an earlier epoch is let in",
    file: "src/adapters/store/write.ts",
    symbol: "apply",
    swap: ["stored !== change.epoch", "stored < change.epoch"],
    by: { test: "test/adapters/store-conformance.test.ts" },
    suite: "store",
  },
  {
    name: "a full disk is taken for a written file",
    file: "src/adapters/file/fill.ts",
    symbol: "difference",
    swap: ["size !== bytes.length", "size > bytes.length"],
    by: { test: "test/adapters/file-faults.test.ts" },
  },
  {
    name: "a new file is not synced before it takes its place",
    file: "src/adapters/file/fill.ts",
    symbol: "fillOnce",
    swap: ["calls.fsync(fd);", ""],
    by: { test: "test/adapters/file-write.test.ts" },
  },
  {
    name: "what could not be written takes the place of what was there",
    file: "src/adapters/file/fill.ts",
    symbol: "fillOnce",
    swap: [
      "removeQuietly(path, calls); return fail({ ...writeFailure",
      "return ok(path); return fail({ ...writeFailure",
    ],
    by: { proof: "faults", count: 60 },
  },
  {
    name: "two hold the lock",
    file: "src/adapters/lock/lock.ts",
    symbol: "lockFile",
    swap: ["BEGIN EXCLUSIVE; PRAGMA user_version = 1", "BEGIN; PRAGMA user_version"],
    by: { test: "test/adapters/lock.test.ts" },
  },
  {
    name: "a lock's next holder is not waited for",
    file: "src/adapters/lock/lock.ts",
    symbol: "acquireLock",
    swap: ["holder === waitedFor || ", "true || holder === waitedFor || "],
    by: { test: "test/adapters/lock.test.ts", rule: "OF13" },
  },
  {
    name: "holders that have not said who they are pass for one",
    file: "src/adapters/lock/lock.ts",
    symbol: "holderName",
    swap: ["return `since ", 'return "" && `since '],
    by: { test: "test/adapters/lock.test.ts", rule: "OF13" },
  },
  {
    name: "what is missing among sealed rows is not noticed",
    file: "src/adapters/store/believe.ts",
    symbol: "areWhole",
    swap: ['row["digest"] === digestOf(seal, id, row["last_seq"] as number, sum)', "true"],
    by: { test: "test/cli/safety/seal.test.ts", rule: "SE10" },
  },
  {
    name: "another proof is no weaker proof",
    file: "src/run/weaker.ts",
    symbol: "weakerBy",
    swap: [
      "isReplaced(before.verify, after.verify)",
      "after.verify === undefined && before.verify !== undefined",
    ],
    by: { test: "test/run/weaker.test.ts" },
  },
  {
    name: "a state of an earlier schema keeps the seals of its words",
    file: "src/adapters/store/settle.ts",
    symbol: "settle",
    swap: ["!wasOutdated && headOf(database)?.whole !== false", "headOf(database)?.whole !== false"],
    by: { test: "test/adapters/store-reasons.test.ts", rule: "SE11" },
  },
  {
    name: "two failures of one kind are the same whatever they say",
    file: "src/ports/reason.ts",
    symbol: "sameReason",
    swap: ["JSON.stringify(one) === JSON.stringify(other)", "one?.code === other?.code"],
    by: { test: "test/text/reasons.test.ts", rule: "XR2" },
  },
  {
    name: "a file that is just renamed counts as one with a name elsewhere",
    file: "src/adapters/file/owned.ts",
    symbol: "requireOwn",
    swap: ["if (looks >= LOOKS && ", "if (looks === 1 || "],
    by: { test: "test/adapters/file-owned.test.ts" },
  },
  {
    name: "a list of exclusions that has a second name is added to",
    file: "src/adapters/local/git-exclude.ts",
    symbol: "append",
    swap: ["if (fstat(file).links > 1) return;", ""],
    by: { test: "test/adapters/local-git-exclude.test.ts", rule: "V105" },
  },
  {
    name: "the folder of a project is a pattern that means others",
    file: "src/adapters/local/git-exclude.ts",
    symbol: "patternOf",
    swap: ['.replaceAll(/[\\\\*?[]/g, "\\\\$&")', ""],
    by: { test: "test/adapters/local-git-exclude.test.ts", rule: "V106" },
  },
  {
    name: "nobody is asked to approve the hub that a run comes back from",
    file: "src/host/run/state-hubs.ts",
    symbol: "hubsOfState",
    swap: ["left === undefined ? [] : [left]", "left === undefined ? [] : []"],
    by: { test: "test/cli/run/hub-named.test.ts", rule: "HO84" },
  },
];
