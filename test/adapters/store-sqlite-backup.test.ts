import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { inspectDatabase, openSqliteReader, openSqliteStore } from "../../src/adapters/store/index.ts";
import type { Change, StoredRun } from "../../src/ports/index.ts";
import { attemptRow, runRow, stampedEvent, taskRow } from "../../src/testing/store-rows.ts";
import { must } from "./store-fixtures.ts";
import { databaseLab } from "./store-sqlite-fixtures.ts";

const lab = databaseLab();

describe("a full disk", () => {
  // A real one, of 1 MiB; without the right to mount there is none to be had.
  const mount = (): string | undefined => {
    const place = join(lab.directory, "small");
    mkdirSync(place);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", place], { stdio: "ignore" });
      return place;
    } catch {
      return undefined;
    }
  };

  it("refuses the change with `full`, keeps what was committed, and goes on when there is room again", ({
    skip,
  }) => {
    const place = mount();
    skip(place === undefined, "mounting a small file system needs root");
    try {
      const store = must(openSqliteStore({ path: join(place!, "espalier.db"), project: "/demo" }));
      const epoch = must(store.claimEpoch());
      must(
        store.commit({
          epoch,
          runId: "run-1",
          run: runRow(),
          tasks: [taskRow("T1", { status: "completed" })],
        }),
      );
      const ballast = join(place!, "ballast");
      execFileSync("sh", ["-c", `head -c 2000000 /dev/zero > ${ballast} 2>/dev/null || true`]);
      const large: Change = {
        epoch,
        runId: "run-1",
        attempts: [attemptRow("T1", 1, { finalMessage: "m".repeat(60_000) })],
      };
      const before = must(store.load());
      expect(store.commit(large)).toMatchObject({ ok: false, failure: { kind: "full" } });
      expect(must(store.load())).toEqual(before);
      rmSync(ballast);
      must(store.commit(large));
      expect(must(store.load())?.openAttempts).toHaveLength(1);
      store.close();
      expect(must(inspectDatabase(join(place!, "espalier.db")))?.run).toBe("run-1");
    } finally {
      execFileSync("umount", [place!]);
    }
  });
});

describe("backup", () => {
  const target = (): string => `${lab.path}.bak`;
  const loaded = (file: string): StoredRun | undefined => {
    const reader = must(openSqliteReader({ path: file }));
    try {
      return must(reader!.load());
    } finally {
      reader!.close();
    }
  };

  it("is one file with everything committed before, readable by its owner alone", async () => {
    const { store } = lab.filled();
    must(await store.backup(target()));
    expect(statSync(target()).mode & 0o777).toBe(0o600);
    expect(lab.names().filter(name => name.startsWith(".espalier-"))).toEqual([]);
    expect(loaded(target())).toEqual(must(store.load()));
  });

  it("is a single moment, while commits go on and none waits for it", async () => {
    const { store, epoch } = lab.filled();
    const filler = Array.from({ length: 200 }, (_, index) =>
      attemptRow("T2", index + 1, { evidence: "e".repeat(20_000) }),
    );
    must(store.commit({ epoch, runId: "run-1", attempts: filler }));
    let done = false;
    const backup = store.backup(target()).finally(() => {
      done = true;
    });
    let seq = 2;
    while (!done) {
      seq++;
      // Task and event say the same number; a copy of two moments would not.
      must(
        store.commit({
          epoch,
          runId: "run-1",
          tasks: [taskRow("T2", { retries: seq })],
          events: [stampedEvent(seq)],
        }),
      );
      await new Promise(resolve => setImmediate(resolve));
    }
    must(await backup);
    const copy = loaded(target());
    expect(copy?.tasks.find(({ id }) => id === "T2")?.retries ?? 0).toBe(
      copy?.lastSeq === 2 ? 0 : copy?.lastSeq,
    );
    expect(seq).toBeGreaterThan(3);
  });

  it("replaces the previous one, also when several are asked for at once and the store closes", async () => {
    const { store, epoch } = lab.filled();
    must(await store.backup(target()));
    must(store.commit({ epoch, runId: "run-1", events: [stampedEvent(3)] }));
    const all = [store.backup(target()), store.backup(target()), store.backup(target())];
    store.close();
    for (const result of await Promise.all(all)) must(result);
    expect(loaded(target())?.lastSeq).toBe(3);
    expect(lab.names().filter(name => name.startsWith(".espalier-"))).toEqual([]);
  });

  it("leaves the previous one when what is copied is damaged", async () => {
    const { store, epoch } = lab.filled();
    must(await store.backup(target()));
    const before = readFileSync(target());
    const attempts = Array.from({ length: 50 }, (_, at) =>
      attemptRow("T2", at + 1, { evidence: "e".repeat(2000) }),
    );
    must(store.commit({ epoch, runId: "run-1", attempts }));
    const other = new DatabaseSync(lab.path);
    other.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    other.close();
    // The last page belongs to a table: its header names the kind of page in the first byte.
    const file = openSync(lab.path, "r+");
    writeSync(file, Buffer.alloc(512, 0xff), 0, 512, statSync(lab.path).size - 4096);
    closeSync(file);
    expect(await store.backup(target())).toMatchObject({ ok: false, failure: { kind: "damaged" } });
    expect(readFileSync(target())).toEqual(before);
    expect(lab.names().filter(name => name.startsWith(".espalier-"))).toEqual([]);
  });

  it("leaves the previous one when it cannot be made", async () => {
    const { store } = lab.filled();
    must(await store.backup(target()));
    const before = readFileSync(target());
    rmSync(lab.path);
    expect(await store.backup(target())).toMatchObject({ ok: false });
    expect(readFileSync(target())).toEqual(before);
    expect(await store.backup(join(lab.directory, "no", "place"))).toMatchObject({
      ok: false,
      failure: { kind: "io" },
    });
    expect(lab.names().filter(name => name.startsWith(".espalier-"))).toEqual([]);
  });
});
