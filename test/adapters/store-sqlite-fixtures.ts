import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { openSqliteStore, type SqliteStore } from "../../src/adapters/store/index.ts";
import { runRow, stampedEvent, taskRow } from "../../src/testing/store-rows.ts";
import { scratchFolder } from "../scratch.ts";
import { must } from "./store-fixtures.ts";

/** A folder of its own for the database of every test of a file. */
export interface DatabaseLab {
  readonly directory: string;
  /** Where the database lies. */
  readonly path: string;
  open(): SqliteStore;
  /** Has something closed when the test is over. */
  keep<T extends { close(): void }>(store: T): T;
  names(): string[];
  /** A store with a run of two tasks and two events. */
  filled(): { readonly store: SqliteStore; readonly epoch: number };
}

/** Makes the folder around every test of the calling file. */
export function databaseLab(): DatabaseLab {
  let directory = "";
  const opened: { close(): void }[] = [];
  beforeEach(() => {
    directory = scratchFolder("espalier-sqlite-");
  });
  afterEach(() => {
    for (const store of opened.splice(0)) store.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const lab: DatabaseLab = {
    get directory() {
      return directory;
    },
    get path() {
      return join(directory, "espalier.db");
    },
    open: () => lab.keep(must(openSqliteStore({ path: lab.path, project: "/demo" }))),
    keep(store) {
      opened.push(store);
      return store;
    },
    names: () => readdirSync(directory).sort(),
    filled() {
      const store = lab.open();
      const epoch = must(store.claimEpoch());
      const tasks = [taskRow("T1", { status: "completed", verified: true }), taskRow("T2")];
      const events = [stampedEvent(1), stampedEvent(2)];
      must(store.commit({ epoch, runId: "run-1", run: runRow(), tasks, events }));
      return { store, epoch };
    },
  };
  return lab;
}
