import {
  copyFileSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryName } from "../../src/adapters/file/index.ts";
import { inspectDatabase, openState } from "../../src/adapters/store/index.ts";
import { itWhole } from "../sample.ts";
import { contents, must } from "./store-fixtures.ts";
import { OPTIONS, type Opened, STAMP, stateLab } from "./store-open-fixtures.ts";

const lab = stateLab();

describe("a damaged database", () => {
  const completions = ["T1", "T2", "T3"];
  const lost = (opened: Pick<Opened, "store" | "imported">): string[] => {
    const known = new Map(opened.imported?.tasks);
    const rows = must(opened.store.load())?.tasks ?? [];
    const done = new Set(rows.filter(({ status }) => status === "completed").map(({ id }) => id));
    return completions.filter(id => !done.has(id) && known.get(id)?.status !== "completed");
  };

  it("is replaced by its backup, brought forward by the thin state, and kept as it was", () => {
    lab.sample("closed");
    truncateSync(lab.file("espalier.db"), 9000);
    const damaged = readFileSync(lab.file("espalier.db"));
    const opened = lab.open();
    expect(opened.source).toBe("backup");
    expect(opened.report).toEqual([
      expect.stringMatching(
        /^espalier\.db is damaged \(.+\); kept as espalier\.db\.corrupt-20300102T030405Z$/,
      ),
      "restored from espalier.db.bak",
      "brought forward by orchestrate-state.json to event 3: T2 pending → completed, T3 pending → completed, T4 pending → ready",
    ]);
    expect(lost(opened)).toEqual([]);
    expect(readFileSync(lab.file(`espalier.db.corrupt-${STAMP}`))).toEqual(damaged);
    opened.store.close();
    expect(lab.open()).toMatchObject({ source: "database", report: [] });
  });

  it("loses nothing at any length, with its log or without", () => {
    const size = statSync(join(lab.samples, "closed", "espalier.db")).size;
    const wrong: string[] = [];
    for (let length = 0; length < size; length += 1531) {
      for (const name of ["killed", "closed"] as const) {
        rmSync(lab.state, { recursive: true, force: true });
        lab.sample(name);
        truncateSync(lab.file("espalier.db"), Math.min(length, statSync(lab.file("espalier.db")).size));
        const before = contents(lab.state);
        const opened = lab.open();
        const where = `${name} at ${length}: ${opened.source}`;
        if (lost(opened).length > 0) wrong.push(`${where} lost ${lost(opened).join()}`);
        const aside = lab.names().filter(each => each.includes("corrupt-"));
        const kept = aside.some(each => readFileSync(lab.file(each)).equals(before.get("espalier.db")!));
        if (opened.report.length > 0 && !kept)
          wrong.push(`${where} did not keep the damaged file: ${aside.join()}`);
        opened.store.close();
        if (must(inspectDatabase(lab.file("espalier.db"))) === undefined)
          wrong.push(`${where} left no database`);
      }
    }
    expect(wrong).toEqual([]);
  });

  itWhole("loses nothing to a flipped bit: it is noticed, or it changed nothing that counts", () => {
    const bytes = readFileSync(join(lab.samples, "closed", "espalier.db"));
    const wrong: string[] = [];
    for (let at = 0; at < bytes.length; at += 409) {
      rmSync(lab.state, { recursive: true, force: true });
      lab.sample("closed");
      const flipped = Buffer.from(bytes);
      flipped[at]! ^= 1 << (at % 8);
      writeFileSync(lab.file("espalier.db"), flipped);
      const result = openState(lab.state, OPTIONS);
      // A flip in the version, the epoch or the project's name is refused or shows as another one.
      if (!result.ok && ["newer", "foreign"].includes(result.failure.kind)) continue;
      const opened = must(result);
      if (lost(opened).length > 0) wrong.push(`${at}: ${opened.source} lost ${lost(opened).join()}`);
      opened.store.close();
    }
    expect(wrong).toEqual([]);
  });

  it("loses nothing when its log is lost, torn or changed, and keeps what was there of it", () => {
    const size = statSync(join(lab.samples, "killed", "espalier.db-wal")).size;
    const wrong: string[] = [];
    for (let length = 0; length < size; length += 4003) {
      for (const damage of ["torn", "changed"]) {
        rmSync(lab.state, { recursive: true, force: true });
        lab.sample("killed");
        const log = readFileSync(lab.file("espalier.db-wal"));
        if (damage === "changed") log[length]! ^= 0x10;
        writeFileSync(lab.file("espalier.db-wal"), damage === "torn" ? log.subarray(0, length) : log);
        rmSync(lab.file("espalier.db-shm"), { force: true });
        const opened = lab.open();
        if (lost(opened).length > 0) wrong.push(`${damage} at ${length}: lost ${lost(opened).join()}`);
        opened.store.close();
      }
    }
    rmSync(lab.state, { recursive: true, force: true });
    lab.sample("killed");
    rmSync(lab.file("espalier.db-wal"));
    if (lost(lab.open()).length > 0) wrong.push("removed");
    expect(wrong).toEqual([]);
  });

  it("whose log is torn says what was done about it", () => {
    lab.sample("killed");
    const log = lab.file("espalier.db-wal");
    truncateSync(log, statSync(log).size - 4000);
    const opened = lab.open();
    expect(opened.source).toBe("database");
    expect(opened.report).toEqual([
      `espalier.db has lost its latest changes; kept as espalier.db.corrupt-${STAMP}`,
      expect.stringMatching(
        /^brought forward by orchestrate-state\.json to event 3: .*T3 pending → completed/,
      ),
    ]);
    expect(lab.names()).toContain(`espalier.db.corrupt-${STAMP}-wal`);
  });

  it("without a backup leaves the thin state, offered for import, and epochs go on rising", () => {
    lab.sample("closed");
    truncateSync(lab.file("espalier.db"), 9000);
    rmSync(lab.file("espalier.db.bak"));
    const opened = lab.open();
    expect(opened.source).toBe("thin");
    expect(must(opened.store.load())).toBeUndefined();
    expect(opened.imported).toMatchObject({
      from: lab.file("orchestrate-state.json"),
      project: "demo",
      phase: "1",
    });
    expect(opened.imported?.tasks.get("T1")).toMatchObject({
      status: "completed",
      retries: 0,
      verified: true,
    });
    expect(opened.imported?.tasks.get("T4")).toMatchObject({ status: "ready" });
    expect(opened.report).toContain("orchestrate-state.json tells of run run-1, which no database holds");
    expect(must(opened.store.claimEpoch())).toBe(2);
    // A crash before the import was committed must not lose it.
    opened.store.close();
    const again = lab.open();
    expect(again.imported?.tasks.get("T3")?.status).toBe("completed");
  });

  it("and a damaged thin state leave the thin state's own backup", () => {
    lab.sample("closed");
    truncateSync(lab.file("espalier.db"), 100);
    truncateSync(lab.file("espalier.db.bak"), 100);
    truncateSync(lab.file("orchestrate-state.json"), 100);
    const opened = lab.open();
    expect(opened.source).toBe("thin");
    expect(opened.imported?.from).toBe(lab.file("orchestrate-state.json.bak"));
    expect([...(opened.imported?.tasks.keys() ?? [])]).toEqual(["T1", "T2"]);
    for (const name of ["espalier.db", "espalier.db.bak", "orchestrate-state.json"]) {
      expect(statSync(lab.file(`${name}.corrupt-${STAMP}`)).size).toBe(100);
    }
  });

  it("with everything else damaged begins anew, and nothing is deleted", () => {
    lab.sample("killed");
    for (const name of lab.names()) writeFileSync(lab.file(name), `damage in ${name}`);
    const before = [...contents(lab.state).values()].map(String).sort();
    const opened = lab.open();
    expect(opened.source).toBe("fresh");
    expect(opened.imported).toBeUndefined();
    expect(must(opened.store.load())).toBeUndefined();
    expect(opened.report).toHaveLength(5);
    opened.store.close();
    const aside = [...contents(lab.state)].filter(([name]) => name.includes("corrupt-"));
    // SQLite rebuilds the index of the log while it looks; there is nothing of its own in it.
    const kept = aside.map(([, bytes]) => String(bytes)).filter(text => text.startsWith("damage in "));
    expect(kept.sort()).toEqual(before.filter(text => !text.endsWith("-shm")));
    expect(kept).toHaveLength(5);
  });

  it("that is missing is replaced by its backup, and a log left alone is not applied to it", () => {
    lab.sample("killed");
    rmSync(lab.file("espalier.db"));
    const opened = lab.open();
    expect(opened.source).toBe("backup");
    expect(opened.report[0]).toBe(`espalier.db is missing; kept as espalier.db.corrupt-${STAMP}`);
    expect(lost(opened)).toEqual([]);
    expect(lab.names()).toContain(`espalier.db.corrupt-${STAMP}-wal`);
  });

  it("gets a name of its own each time", () => {
    for (let round = 0; round < 3; round++) {
      lab.sample("closed");
      truncateSync(lab.file("espalier.db"), 1000 + round);
      lab.open().store.close();
    }
    const aside = lab.names().filter(each => each.startsWith("espalier.db.corrupt-"));
    expect(aside).toEqual([
      `espalier.db.corrupt-${STAMP}`,
      `espalier.db.corrupt-${STAMP}.2`,
      `espalier.db.corrupt-${STAMP}.3`,
    ]);
  });

  it("is recovered the same after a crash in the middle of recovering", () => {
    // What stands there after each step: the copy made, the second name given, the log moved.
    const steps: (() => void)[] = [
      () => copyFileSync(lab.file("espalier.db.bak"), temporaryName(lab.state)),
      () => copyFileSync(lab.file("espalier.db"), lab.file("espalier.db.corrupt-earlier")),
      () => renameSync(lab.file("espalier.db-wal"), lab.file("espalier.db.corrupt-earlier-wal")),
      () => rmSync(lab.file("espalier.db-shm"), { force: true }),
      () => rmSync(lab.file("espalier.db")),
    ];
    for (let count = 0; count <= steps.length; count++) {
      rmSync(lab.state, { recursive: true, force: true });
      lab.sample("killed");
      writeFileSync(lab.file("espalier.db"), readFileSync(lab.file("espalier.db")).fill(7, 0, 2000));
      for (const step of steps.slice(0, count)) step();
      expect(lost(lab.open())).toEqual([]);
    }
  });
});
