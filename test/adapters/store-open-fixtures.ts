import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import {
  type OpenedState,
  type OpenFailure,
  type OpenStateOptions,
  openState,
  type SqliteStore,
} from "../../src/adapters/store/index.ts";
import type { StoredRun, TaskRow } from "../../src/ports/index.ts";
import { attemptRow, runRow, stampedEvent, taskRow } from "../../src/testing/store-rows.ts";
import { reasonText } from "../../src/text/index.ts";
import { scratchFolder } from "../scratch.ts";
import { copyFiles, must, thinText } from "./store-fixtures.ts";

/** When every state is opened. */
export const NOW: number = Date.UTC(2030, 0, 2, 3, 4, 5, 678);
/** The same moment in the names of what is moved aside. */
export const STAMP = "20300102T030405Z";
/** How a state is opened unless a test says otherwise. */
export const OPTIONS: OpenStateOptions = { project: "/demo", now: NOW };

/** An opened state, and what was told of it in English. */
export interface Opened extends Omit<OpenedState, "report"> {
  readonly report: readonly string[];
}

/** A state folder of its own for every test of a file, and samples to fill it with. */
export interface StateLab {
  /** The scratch folder that holds the state. */
  readonly top: string;
  readonly state: string;
  /** The samples by their names. */
  readonly samples: string;
  open(directory?: string, options?: OpenStateOptions): Opened;
  /** Why a state cannot be opened; throws where it can. */
  failureOf(options?: OpenStateOptions, directory?: string): OpenFailure;
  file(name: string): string;
  names(): string[];
  /** Fills the state folder as a process left it that was killed, or that closed its store. */
  sample(name: "killed" | "closed"): void;
}

/** Makes the folders around every test of the calling file. */
export function stateLab(): StateLab {
  let top = "";
  let samples = "";
  const stores: SqliteStore[] = [];
  const state = (): string => join(top, ".espalier");
  beforeAll(async () => {
    samples = scratchFolder("espalier-samples-");
    await makeSamples(samples);
  });
  beforeEach(() => {
    top = scratchFolder("espalier-open-");
  });
  afterEach(() => {
    for (const store of stores.splice(0)) store.close();
    rmSync(top, { recursive: true, force: true });
  });
  afterAll(() => rmSync(samples, { recursive: true, force: true }));
  return {
    get top() {
      return top;
    },
    get state() {
      return state();
    },
    get samples() {
      return samples;
    },
    open(directory = state(), options = OPTIONS) {
      const opened = must(openState(directory, options));
      stores.push(opened.store);
      return { ...opened, report: opened.report.map(told => reasonText(told, "en")) };
    },
    failureOf(options = OPTIONS, directory = state()) {
      const result = openState(directory, options);
      if (!result.ok) return result.failure;
      result.value.store.close();
      throw new Error("opened");
    },
    file: name => join(state(), name),
    names: () => readdirSync(state()).sort(),
    sample: name => copyFiles(join(samples, name), state()),
  };
}

/** The run in an opened store; a missing one fails the test. */
export function run(opened: Pick<OpenedState, "store">): StoredRun {
  const stored = must(opened.store.load());
  if (stored === undefined) throw new Error("no run");
  return stored;
}

/** The status of every task of a run. */
export function statusOf(stored: StoredRun): Record<string, string> {
  return Object.fromEntries(stored.tasks.map(({ id, status }) => [id, status]));
}

/** The row of a completed task. */
export function completed(id: string): TaskRow {
  return taskRow(id, { status: "completed", verified: true, attempts: 1 });
}

/**
 * A state as a killed process leaves it, log and all: run-1 with T1..T5. T1 completed before the backup (event 1), T2 and
 * T3 after it (events 2 and 3); the thin state knows all three. And the same after its store was closed.
 */
async function makeSamples(directory: string): Promise<void> {
  const living = join(directory, "living");
  const { store } = must(openState(living, OPTIONS));
  const epoch = must(store.claimEpoch());
  const tasks = ["T1", "T2", "T3", "T4", "T5"].map(id => taskRow(id));
  must(store.commit({ epoch, runId: "run-1", run: runRow({ plan: "p".repeat(9000) }), tasks }));
  const done = (id: string, seq: number) =>
    must(store.commit({ epoch, runId: "run-1", tasks: [completed(id)], events: [stampedEvent(seq)] }));
  done("T1", 1);
  must(await store.backup(join(living, "espalier.db.bak")));
  must(store.commit({ epoch, runId: "run-1", attempts: [attemptRow("T2", 1), attemptRow("T4", 1)] }));
  done("T2", 2);
  writeFileSync(
    join(living, "orchestrate-state.json.bak"),
    thinText({ epoch, seq: 2 }, [
      { id: "T1", status: "completed" },
      { id: "T2", status: "completed" },
    ]),
  );
  done("T3", 3);
  const all = ["T1", "T2", "T3"].map(id => ({ id, status: "completed", verified: true }));
  writeFileSync(
    join(living, "orchestrate-state.json"),
    thinText({ epoch, seq: 3 }, [
      ...all,
      { id: "T4", status: "in_progress" },
      { id: "T5", status: "pending" },
    ]),
  );
  copyFiles(living, join(directory, "killed"));
  store.close();
  copyFiles(living, join(directory, "closed"));
}
