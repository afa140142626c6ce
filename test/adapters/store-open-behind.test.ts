import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { TaskRow } from "../../src/ports/index.ts";
import { stampedEvent, taskRow } from "../../src/testing/store-rows.ts";
import { must, thinText } from "./store-fixtures.ts";
import { completed, NOW, type Opened, run, STAMP, stateLab, statusOf } from "./store-open-fixtures.ts";

const lab = stateLab();

describe("a database that fell behind", () => {
  it("gives way to a backup that has come further", () => {
    lab.sample("closed");
    const epoch = 1;
    copyFileSync(lab.file("espalier.db"), join(lab.top, "old"));
    const opened = lab.open();
    must(opened.store.commit({ epoch, runId: "run-1", tasks: [completed("T5")], events: [stampedEvent(4)] }));
    opened.store.close();
    copyFileSync(lab.file("espalier.db"), lab.file("espalier.db.bak"));
    copyFileSync(join(lab.top, "old"), lab.file("espalier.db"));
    const again = lab.open();
    expect(again.source).toBe("backup");
    expect(again.report[0]).toBe(
      `espalier.db has lost its latest changes; kept as espalier.db.corrupt-${STAMP}`,
    );
    expect(statusOf(run(again))["T5"]).toBe("completed");
    expect(run(again).lastSeq).toBe(4);
  });

  it("does not give way to an older thin state, whatever it says", () => {
    lab.sample("closed");
    for (const [epoch, seq] of [
      [1, 3],
      [1, 2],
      [1, 0],
      [0, 99],
    ] as const) {
      writeFileSync(
        lab.file("orchestrate-state.json"),
        thinText({ epoch, seq }, [{ id: "T1", status: "failed" }]),
      );
      const opened = lab.open();
      expect(opened).toMatchObject({ source: "database", report: [] });
      expect(statusOf(run(opened))["T1"]).toBe("completed");
      opened.store.close();
    }
  });

  const forward = (tasks: Parameters<typeof thinText>[1], seq = 9): Opened => {
    lab.sample("closed");
    writeFileSync(lab.file("orchestrate-state.json"), thinText({ epoch: 1, seq }, tasks));
    return lab.open();
  };
  const row = (opened: Opened, id: string): TaskRow | undefined =>
    run(opened).tasks.find(task => task.id === id);

  it("takes over every status a newer thin state tells", () => {
    const opened = forward([
      { id: "T1", status: "ready", retry_count: 2 },
      { id: "T2", status: "completed", verified: false },
      { id: "T3", status: "skipped" },
      { id: "T4", status: "failed", retry_count: 10 },
      { id: "T5", status: "in_progress", retry_count: 1 },
      { id: "T6", status: "waiting" },
      { id: "T7", status: "paused" },
    ]);
    expect(statusOf(run(opened))).toEqual({
      T1: "ready",
      T2: "completed",
      T3: "skipped",
      T4: "failed",
      T5: "ready",
      T6: "ready",
      T7: "paused",
    });
    expect(row(opened, "T4")).toMatchObject({ retries: 10, attempts: 10 });
    expect(row(opened, "T5")).toMatchObject({ retries: 1, attempts: 2 });
    expect(row(opened, "T2")).toMatchObject({ verified: false, attempts: 1 });
    expect(row(opened, "T1")).toEqual(taskRow("T1", { status: "ready", retries: 2, attempts: 2 }));
    expect(opened.report.at(-1)).toContain("T1 completed → ready");
    expect(opened.report.at(-1)).toContain("T6 unknown → ready");
  });

  it("ends the attempts of tasks that are completed by it, and no others", () => {
    const opened = forward([
      { id: "T2", status: "completed" },
      { id: "T4", status: "in_progress" },
    ]);
    expect(run(opened).openAttempts.map(({ task }) => task)).toEqual(["T4"]);
    expect(must(opened.store.attempts("run-1", "T2"))[0]).toMatchObject({ outcome: "done", endedAt: NOW });
  });

  it("goes on in the order of events, and an event tells of the gap", () => {
    const opened = forward([{ id: "T1", status: "completed" }]);
    expect(run(opened).lastSeq).toBe(10);
    expect(must(opened.store.events("run-1", 3, 99))).toEqual([
      { seq: 10, at: NOW, event: expect.objectContaining({ type: "warning", code: "STATE_RESTORED" }) },
    ]);
    const epoch = must(opened.store.claimEpoch());
    must(opened.store.commit({ epoch, runId: "run-1", events: [stampedEvent(11)] }));
    opened.store.close();
    expect(lab.open()).toMatchObject({ source: "database", report: [] });
  });

  it("keeps epochs above every one that was claimed", () => {
    lab.sample("closed");
    writeFileSync(
      lab.file("orchestrate-state.json"),
      thinText({ epoch: 17, seq: 3 }, [{ id: "T1", status: "completed" }]),
    );
    expect(must(lab.open().store.claimEpoch())).toBe(18);
  });

  it("offers the tasks of a run it never heard of, again and again until another thin state is written", () => {
    lab.sample("closed");
    const text = thinText({ run: "run-2", epoch: 1, seq: 5 }, [{ id: "A", status: "completed" }]);
    writeFileSync(lab.file("orchestrate-state.json"), text);
    for (let round = 0; round < 2; round++) {
      const opened = lab.open();
      expect(opened.source).toBe("thin");
      expect(opened.imported?.tasks.get("A")?.status).toBe("completed");
      expect(opened.report).toEqual(["orchestrate-state.json tells of run run-2, which no database holds"]);
      expect(run(opened).run.id).toBe("run-1");
      must(opened.store.claimEpoch());
      opened.store.close();
    }
  });

  it("reads a thin state that is partly unreadable as far as it goes, and says so", () => {
    lab.sample("closed");
    const tasks = [null, 7, { id: "T4" }, { id: "", status: "ready" }, { id: "T5", status: "finished" }];
    const text = thinText({ epoch: 1, seq: 9 }, [
      { id: "T4", status: "completed", retry_count: -3, verified: "yes" },
    ]);
    writeFileSync(
      lab.file("orchestrate-state.json"),
      text.replace('"tasks":[', `"tasks":[${tasks.map(task => JSON.stringify(task)).join()},`),
    );
    const opened = lab.open();
    expect(row(opened, "T4")).toMatchObject({ status: "completed", retries: 0 });
    expect(opened.report.filter(line => line.includes(": unreadable"))).toHaveLength(5);
  });

  it("is not fooled by hostile keys", () => {
    const opened = forward([
      { id: "__proto__", status: "completed" },
      { id: "constructor", status: "completed" },
    ]);
    expect(row(opened, "__proto__")?.status).toBe("completed");
    expect(row(opened, "constructor")?.status).toBe("completed");
    opened.store.close();
    writeFileSync(
      lab.file("orchestrate-state.json"),
      '{"__proto__":{"seq":99,"epoch":99,"version":"3.0","run":"x","tasks":[]},"constructor":1}',
    );
    expect(lab.open().source).toBe("database");
    expect(({} as Record<string, unknown>)["seq"]).toBeUndefined();
  });
});

describe("a thin state", () => {
  it("cut at any length never harms a sound database", () => {
    const text = readFileSync(join(lab.samples, "closed", "orchestrate-state.json"));
    const wrong: number[] = [];
    for (let length = 0; length < text.length - 1; length += 23) {
      rmSync(lab.state, { recursive: true, force: true });
      lab.sample("closed");
      writeFileSync(lab.file("orchestrate-state.json"), text.subarray(0, length));
      const opened = lab.open();
      if (opened.source !== "database" || opened.report.length !== 1 || run(opened).lastSeq !== 3)
        wrong.push(length);
      opened.store.close();
    }
    expect(wrong).toEqual([]);
  });

  it.each([
    "null",
    "[]",
    "<html>",
    "\0\0\0",
    '{"version":"3.0","seq":1,"epoch":1}',
    '{"version":"3.0","seq":"1","epoch":1,"run":"r","tasks":[]}',
  ])("that reads %s is moved aside", text => {
    lab.sample("closed");
    writeFileSync(lab.file("orchestrate-state.json"), text);
    const opened = lab.open();
    expect(opened.source).toBe("database");
    expect(readFileSync(lab.file(`orchestrate-state.json.corrupt-${STAMP}`), "utf8")).toBe(text);
  });

  it("[OF4] that is a pipe is refused and stays, not waited for", () => {
    lab.sample("closed");
    rmSync(lab.file("orchestrate-state.json"));
    execFileSync("mkfifo", [lab.file("orchestrate-state.json")]);
    expect(lab.failureOf()).toMatchObject({ kind: "not-owned", report: [] });
    expect(lab.names()).toContain("orchestrate-state.json");
  });
});
