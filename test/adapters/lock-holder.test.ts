import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type Holder,
  holderReason,
  type Liveness,
  livenessOf,
  livingHolder,
  readHolder,
  thisProcess,
} from "../../src/adapters/lock/index.ts";
import { exists } from "../../src/adapters/lock/liveness.ts";
import { because } from "../../src/ports/index.ts";

let top: string;
let state: string;

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "espalier-holder-"));
  state = join(top, ".espalier");
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise(resolve => setImmediate(resolve));
};

describe("what is said of a holder", () => {
  const said = (json: string): Holder | undefined => {
    mkdirSync(state, { recursive: true });
    writeFileSync(join(state, "holder.json"), json);
    return readHolder(state);
  };
  const none = { host: "", bootId: "", startTime: "", startedAt: 0, cwd: "", version: "" };

  it("is read part by part, and what is no such part is left out", () => {
    expect(said('{"pid":7}')).toStrictEqual({ pid: 7, ...none });
    const odd = {
      host: 1,
      bootId: null,
      startTime: [],
      cwd: {},
      version: true,
      epoch: "1",
      controlSocket: 2,
    };
    expect(said(JSON.stringify({ pid: 7, ...odd, startedAt: "now" }))).toStrictEqual({ pid: 7, ...none });
    expect(said('{"pid":7,"startedAt":1e999}')).toStrictEqual({ pid: 7, ...none });
    const all = { pid: 7, host: "h", bootId: "b", startTime: "s", startedAt: 5, cwd: "/", version: "1" };
    const more = { ...all, epoch: 3, controlSocket: "/c" };
    expect(said(JSON.stringify(more))).toStrictEqual(more);
    for (const json of ['{"pid":0}', '{"pid":1.5}', '{"pid":"7"}', '"7"', "[]"])
      expect(said(json)).toBeUndefined();
  });

  it.each<[number, Liveness, { readonly isStopped: boolean; readonly since?: string }]>([
    [0, "running", { isStopped: false }],
    [1, "running", { isStopped: false, since: "1970-01-01T00:00:00.001Z" }],
    [9e15, "running", { isStopped: false }],
    [1, "stopped", { isStopped: true, since: "1970-01-01T00:00:00.001Z" }],
  ])("is told (since %d, %s)", (startedAt, liveness, more) => {
    const holder = { ...none, pid: 7, host: "h", cwd: "/c", startedAt };
    const by = { pid: 7, host: "h", cwd: "/c", ...more };
    expect(holderReason({ holder, liveness })).toStrictEqual(because("project-held", { by }));
  });

  it("of another machine is taken for running", () => {
    const holder = { ...none, pid: 2 ** 22 + 1, host: "elsewhere" };
    said(JSON.stringify(holder));
    expect(livingHolder(state)).toStrictEqual({ holder, liveness: "running" });
    expect(livingHolder(join(top, "nowhere"))).toBeUndefined();
  });
});

describe("livenessOf", () => {
  it("knows this process", () => {
    const me = thisProcess();
    expect(me.pid).toBe(process.pid);
    expect(livenessOf(me)).toBe("running");
  });

  it.skipIf(process.platform !== "linux")(
    "tells another start, another boot, and the dead apart (Linux)",
    async () => {
      const me = thisProcess();
      expect(me.startTime).toMatch(/^\d+$/);
      expect(me.bootId).toMatch(/^[0-9a-f-]{36}$/);
      expect(livenessOf({ ...me, startTime: `${me.startTime}0` })).toBe("gone");
      expect(livenessOf({ ...me, bootId: "other" })).toBe("gone");
      expect(livenessOf({ ...me, startTime: "" })).toBe("running");
      for (const pid of [0, -1, 1.5, Number.NaN, 2 ** 31]) expect(livenessOf({ ...me, pid })).toBe("gone");
    },
  );

  it.each<[string, Liveness]>([
    ["R", "running"],
    ["S", "running"],
    ["D", "running"],
    ["T", "stopped"],
    ["t", "stopped"],
    ["Z", "gone"],
    ["X", "gone"],
    ["x", "gone"],
  ])("of a process in state %s is %s", (letter, liveness) => {
    const stat = { state: letter, startTime: "5" };
    const system = { bootId: () => "b", statOf: () => stat, exists: () => false };
    expect(livenessOf({ pid: 7, startTime: "5", bootId: "b" }, system)).toBe(liveness);
  });

  it("goes by the id alone where the system tells no more", () => {
    const system = { bootId: () => "", statOf: () => undefined, exists };
    const here = { startTime: "1", bootId: "other" };
    expect(livenessOf({ ...here, pid: process.pid }, system)).toBe("running");
    for (const pid of [2 ** 22 + 1, 0, -1, 1.5, Number.NaN])
      expect(livenessOf({ ...here, pid }, system)).toBe("gone");
    // The first process is another user's, unless this is root.
    expect(exists(1)).toBe(true);
  });

  it.skipIf(process.platform !== "linux")(
    "takes a zombie for dead, and odd program names for names (Linux)",
    async () => {
      const odd = join(top, "a) Z 1 (b");
      execFileSync("cp", ["/bin/sleep", odd]);
      // The shell starts it and becomes a program that never reaps.
      const script = `"$0" 1000 & echo $!; exec sleep 1000`;
      const parent = spawn("sh", ["-c", script, odd], { stdio: ["ignore", "pipe", "ignore"] });
      const [line] = (await new Promise<Buffer>(resolve => parent.stdout.once("data", resolve)))
        .toString()
        .split("\n");
      const child = { pid: Number(line), startTime: "", bootId: "" };
      const state = (): Liveness => livenessOf(child);
      await until(() => state() === "running");
      // Until it has become that program the shell would still reap.
      await until(() => readFileSync(`/proc/${parent.pid}/comm`, "utf8").trim() === "sleep");
      process.kill(child.pid, "SIGKILL");
      await until(() => state() === "gone");
      expect(existsSync(`/proc/${child.pid}`)).toBe(true);
      parent.kill("SIGKILL");
      await new Promise(resolve => parent.once("exit", resolve));
    },
  );
});
