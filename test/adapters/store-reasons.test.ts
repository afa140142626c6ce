import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSealing } from "../../src/adapters/home/index.ts";
import { sealAll } from "../../src/adapters/store/believe.ts";
import { openSqliteReader, openState } from "../../src/adapters/store/index.ts";
import { awaitsApproval } from "../../src/host/approval/approval.ts";
import { because, type Reason } from "../../src/ports/index.ts";
import { attemptRow, runRow, stampedEvent, taskRow } from "../../src/testing/store-rows.ts";
import { reasonText } from "../../src/text/index.ts";
import { scratchFolder } from "../scratch.ts";
import { must } from "./store-fixtures.ts";

const UNAPPROVED = "its run: block is not approved yet; espalier resume asks";
const UNPROVED = "a command that proves it is not approved yet; espalier resume asks";
const FILE = "unapproved agent configuration .codex/config.toml; espalier resume asks";
const LESS = "the task file asks less of it than before (verify, run); espalier resume asks";
const JSON_LIKE = '{"code":"run-block-unapproved","args":{}}';

/** Tasks as an earlier version left them: what stood there in words, how their last attempt ended, and what that is now. */
const TASKS: readonly (readonly [
  words: string,
  task: Parameters<typeof taskRow>[1],
  attempt: Parameters<typeof attemptRow>[2],
  reason: Reason | undefined,
])[] = [
  [UNAPPROVED, { status: "paused" }, { outcome: "failed" }, because("run-block-unapproved", {})],
  [
    UNAPPROVED,
    { status: "paused", retries: 3 },
    { outcome: "failed", finalMessage: "FAIL:…" },
    earlier(UNAPPROVED),
  ],
  [UNAPPROVED, { status: "failed" }, { outcome: "failed" }, earlier(UNAPPROVED)],
  [UNPROVED, { status: "paused" }, { outcome: "unproven" }, because("proof-unapproved", {})],
  [UNPROVED, { status: "paused", retries: 3 }, { outcome: "failed", finalMessage: "x" }, earlier(UNPROVED)],
  [
    FILE,
    { status: "paused" },
    { outcome: "failed" },
    because("file-unapproved", { path: ".codex/config.toml" }),
  ],
  [FILE, { status: "paused", retries: 3 }, { outcome: "failed", finalMessage: "x" }, earlier(FILE)],
  [LESS, { status: "paused" }, { outcome: "done" }, because("asks-less", { fields: ["verify, run"] })],
  [LESS, { status: "paused", retries: 3 }, { outcome: "failed", finalMessage: "x" }, earlier(LESS)],
  ["the task file leaves it out", { status: "skipped" }, { outcome: "done" }, because("left-out", {})],
  ["blocked by T7", { status: "blocked" }, { outcome: "done" }, because("blocked-by", { task: "T7" })],
  [JSON_LIKE, { status: "paused", retries: 3 }, { outcome: "failed", finalMessage: "x" }, earlier(JSON_LIKE)],
  ["", { status: "completed" }, { outcome: "done" }, undefined],
];

function earlier(text: string): Reason {
  return because("said", { by: "earlier-version", text });
}

let folder: string;
const state = () => join(folder, "state");
const database = () => join(state(), "espalier.db");

beforeEach(() => {
  folder = scratchFolder("espalier-reasons-");
  mkdirSync(state());
});
afterEach(() => rmSync(folder, { recursive: true }));

function open<T>(use: (opened: ReturnType<typeof openState>) => T): T {
  const sealing = must(openSealing(join(folder, "home")));
  const opened = openState(state(), { project: "/demo", now: 1_900_000_000_000, sealing });
  try {
    return use(opened);
  } finally {
    if (opened.ok) opened.value.store.close();
    sealing.close();
  }
}

/** Makes a sealed state as the version before reasons were codes left it. */
function makeOld(): void {
  open(opened => {
    const { store } = must(opened);
    const epoch = must(store.claimEpoch());
    must(
      store.commit({
        epoch,
        runId: "run-1",
        run: runRow(),
        tasks: TASKS.map(([, task], at) => taskRow(`T${at}`, { attempts: 1, ...task })),
        attempts: TASKS.map(([, , attempt], at) => attemptRow(`T${at}`, 1, { endedAt: 9, ...attempt })),
        events: [stampedEvent(1)],
      }),
    );
  });
  const sealing = must(openSealing(join(folder, "home")));
  const raw = new DatabaseSync(database());
  for (const table of ["runs", "tasks", "attempts"])
    raw.exec(`ALTER TABLE ${table} RENAME COLUMN why TO reason`);
  const later = ["runs DROP held", "tasks DROP stalls", "tasks DROP clash", "attempts DROP machine"];
  for (const change of [...later, "attempts DROP unheard"]) raw.exec(`ALTER TABLE ${change}`);
  raw.exec("PRAGMA user_version = 4");
  const word = raw.prepare("UPDATE tasks SET reason = ? WHERE id = ?");
  for (const [at, [words]] of TASKS.entries()) word.run(words, `T${at}`);
  raw.exec("UPDATE runs SET reason = 'failed: T1'");
  raw.exec(`UPDATE events SET event = '{"type":"failed","task":"T1","reason":"its own words"}'`);
  sealAll(raw, sealing.seal);
  raw.close();
  // What is remembered is that of the events before they were changed by hand.
  sealing.remember({ run: "", seq: 0, seal: "" });
  sealing.close();
}

/**
 * A sealed state that the version before wrote: its tasks paused for want of an approval, by an edit, by an agent that said
 * the words of a missing approval three times, and by a lead that reported them. With what its home kept of it.
 */
const REAL = gunzipSync(readFileSync(new URL("./fixtures/espalier-v4.db.gz", import.meta.url)));
const KEY = "92df47ec4c169ffbd6ce617da7f452e9b5deb0da573af2c3c64fa4ba92892b49\n";
const HEAD = '{"run":"4lmqlv562ua6","seq":44,"seal":"gcKGPKUBSr3RNS_GxQ3aeM","whole":true}\n';

function putReal(): void {
  writeFileSync(database(), REAL);
  mkdirSync(join(folder, "home"), { mode: 0o700 });
  writeFileSync(join(folder, "home", "key"), KEY, { mode: 0o600 });
  writeFileSync(join(folder, "home", "head"), HEAD, { mode: 0o600 });
}

describe("reasons of an earlier version", () => {
  it("[SE11] are told apart from an agent's and a lead's same words in a state that it really wrote", () => {
    putReal();
    for (let time = 0; time < 2; time++) {
      open(opened => {
        const { store, report } = must(opened);
        expect(report).toEqual([]);
        const rows = must(store.load())?.tasks ?? [];
        expect(new Map(rows.map(({ id, reason }) => [id, reason]))).toEqual(
          new Map([
            ["T1.1", undefined],
            ["T1.4", earlier(UNAPPROVED)],
            ["T1.5", because("text-changed", {})],
            ["T1.6", because("asks-less", { fields: ["verify"] })],
            ["T1.7", because("left-out", {})],
            ["T1.9", undefined],
            ["T1.10", because("blocked-by", { task: "T1.9" })],
            ["T2.1", earlier(UNAPPROVED)],
            ["T1.2", because("run-block-unapproved", {})],
            ["T1.3", because("proof-unapproved", {})],
          ]),
        );
        expect(rows.filter(awaitsApproval).map(({ id }) => id)).toEqual(["T1.2", "T1.3"]);
      });
    }
  });

  it("[SE11] are words of others, but those that decide something, which their rows tell", () => {
    makeOld();
    open(opened => {
      const { store, report } = must(opened);
      expect(report).toEqual([]);
      const loaded = must(store.load());
      expect(loaded?.tasks.map(({ reason }) => reason)).toEqual(TASKS.map(([, , , reason]) => reason));
      expect(loaded?.run.reason).toEqual(earlier("failed: T1"));
      expect(must(store.events("run-1", 0, 9))[0]?.event).toEqual({
        type: "failed",
        task: "T1",
        reason: earlier("its own words"),
      });
    });
    expect(open(opened => must(opened).report)).toEqual([]);
  });

  it("[SE11] are words of others to a reader that changes nothing", () => {
    makeOld();
    const reader = must(openSqliteReader({ path: database() }))!;
    const reasons = must(reader.load())?.tasks.map(({ reason }) => reason);
    expect(reasons).toEqual(TASKS.map(([words]) => (words === "" ? undefined : earlier(words))));
    reader.close();
  });

  it("[SE11] are compared with their seals before they change", () => {
    makeOld();
    const raw = new DatabaseSync(database());
    raw.exec("UPDATE tasks SET status = 'completed' WHERE id = 'T1'");
    raw.close();
    open(opened => {
      const { store, report } = must(opened);
      expect(report.map(told => reasonText(told, "en")).join("\n")).toContain(
        "not believed: T1 (said completed)",
      );
      const row = must(store.load())?.tasks.find(({ id }) => id === "T1");
      expect(row).toMatchObject({
        status: "paused",
        reason: because("state-not-believed", { status: "completed" }),
      });
    });
  });
});
