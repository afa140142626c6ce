import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import {
  callProgram,
  endOrphanedCalls,
  orphanedCallsEnd,
  type ProgramCall,
} from "../../src/adapters/process/index.ts";
import { scratchFolder } from "../scratch.ts";
import { ENV, lives, until } from "./process-fixtures.ts";

function call(script: string, more: Partial<ProgramCall> = {}): ProgramCall {
  const limits = { longestMs: 20_000, mostBytes: 1 << 24 };
  return { file: "/bin/sh", args: ["-c", script], cwd: "/", env: ENV, input: "", ...limits, ...more };
}

/** Who calls programs now: its id. */
async function callerNow(): Promise<number> {
  return Number((await callProgram(call("echo $PPID"))).stdout.toString());
}

/** Makes calls until this process has a small one make them. */
async function manyCalls(): Promise<number> {
  for (let calls = 0; calls < 60; calls++) {
    const pid = await callerNow();
    if (pid !== process.pid) return pid;
  }
  throw new Error("no caller was started");
}

async function answers(): Promise<void> {
  const said = await callProgram(call("cat; echo bad >&2; exit 3", { input: "a\0é" }));
  expect(said).toMatchObject({ code: 3, why: "3", stderr: "bad\n" });
  expect(said.stdout).toEqual(Buffer.from("a\0é"));
  const where = await callProgram(
    call("pwd; echo $MINE; echo $PATH", { cwd: "/tmp", env: { MINE: "1", PATH: "" } }),
  );
  expect(where.stdout.toString()).toBe("/tmp\n1\n\n");
  expect(await callProgram(call("", { file: "/nowhere" }))).toMatchObject({ code: undefined, why: "ENOENT" });
  expect(await callProgram(call("kill -9 $$"))).toMatchObject({ code: undefined, why: "SIGKILL" });
  expect(await callProgram(call("exec sleep 30", { longestMs: 50 }))).toMatchObject({ why: "late" });
  const flood = await callProgram(call("yes", { mostBytes: 1000 }));
  expect(flood.code).toBeUndefined();
  // It need not read what it is given.
  const deaf = await callProgram(call("exit 0", { input: Buffer.alloc(1 << 20) }));
  expect(deaf.code).toBe(0);
}

describe("programs that are run to their end", () => {
  it("answer alike, whoever calls them", async () => {
    expect(await callerNow()).toBe(process.pid);
    await answers();
    expect(await manyCalls()).not.toBe(process.pid);
    await answers();
  });

  it("are called side by side by one small process, each with its own answer", async () => {
    const caller = await manyCalls();
    const said = await Promise.all(
      Array.from({ length: 20 }, (_, n) => callProgram(call(`echo ${n} $PPID`))),
    );
    expect(said.map(({ stdout }) => stdout.toString())).toEqual(
      Array.from({ length: 20 }, (_, n) => `${n} ${caller}\n`),
    );
  });

  it("bring large answers and bytes as they are", async () => {
    await manyCalls();
    const { stdout } = await callProgram(call("head -c 5000000 /dev/zero | tr '\\0' '\\377'"));
    expect(stdout.length).toBe(5_000_000);
    expect(stdout.every(byte => byte === 255)).toBe(true);
  });

  it("are lost when their caller is killed, and the next are called by another", async () => {
    const caller = await manyCalls();
    const lost = callProgram(call("exec sleep 5"));
    process.kill(caller, "SIGKILL");
    expect(await lost).toMatchObject({ code: undefined, why: "its caller died" });
    const next = await manyCalls();
    expect(next).not.toBe(caller);
  });

  it("[E152] is heard of by a process that waits for nothing else when its caller is killed", async () => {
    const index = new URL("../../src/adapters/process/index.ts", import.meta.url).href;
    const script = `
      const { callProgram } = await import(${JSON.stringify(index)});
      const call = ${JSON.stringify(call("kill -9 $PPID; sleep 1"))};
      const calls = [];
      for (let n = 0; n < 60; n++) await callProgram({ ...call, args: ["-c", "true"] });
      for (let n = 0; n < 3; n++) calls.push((await callProgram(call)).why);
      process.stdout.write(calls.join());
    `;
    const file = process.execPath;
    const node = await callProgram(call("", { file, args: ["--input-type=module", "-e", script], env: ENV }));
    expect(node.stdout.toString()).toBe("its caller died,its caller died,its caller died");
  });

  it.runIf(process.platform === "linux")("[E152] the caller is in a group of its own", async () => {
    const caller = await manyCalls();
    expect(readFileSync(`/proc/${caller}/stat`, "latin1").split(" ")[4]).toBe(`${caller}`);
  });

  it.runIf(process.platform === "linux")("the caller is deaf to Ctrl+C and holds no folder", async () => {
    const caller = await manyCalls();
    process.kill(caller, "SIGINT");
    process.kill(caller, "SIGTERM");
    expect(await callerNow()).toBe(caller);
    expect(lives(caller)).toBe(true);
    expect(readlinkSync(`/proc/${caller}/cwd`)).toBe("/");
  });

  /** A call whose caller was killed while it is under way; it ends once a file is there. */
  async function orphan(folder: string): Promise<{ readonly pid: number; let(): void }> {
    const [begun, go] = [join(folder, "begun"), join(folder, "go")];
    const slow = call(`trap '' PIPE; echo $$ > ${begun}; while [ ! -e ${go} ]; do sleep 0.02; done`);
    const index = new URL("../../src/adapters/process/index.ts", import.meta.url).href;
    const script = `const { callProgram } = await import(${JSON.stringify(index)}); await callProgram(${JSON.stringify(slow)});`;
    const node = spawn(process.execPath, ["--input-type=module", "-e", script], {
      env: ENV,
      stdio: "ignore",
    });
    await until("it has begun", () => existsSync(begun) && readFileSync(begun, "utf8").endsWith("\n"));
    node.kill("SIGKILL");
    await once(node, "exit");
    return { pid: Number(readFileSync(begun, "utf8")), let: () => writeFileSync(go, "") };
  }

  it.runIf(process.platform === "linux")(
    "are waited for by whoever comes after a killed caller",
    async () => {
      const folder = scratchFolder("espalier-calls-");
      const left = await orphan(folder);
      expect(await orphanedCallsEnd(100)).toContain(left.pid);
      let isOver = false;
      const over = orphanedCallsEnd().finally(() => {
        isOver = true;
      });
      await until("another look was taken", () => lives(left.pid));
      expect(isOver).toBe(false);
      left.let();
      expect(await over).toEqual([]);
      expect(lives(left.pid)).toBe(false);
      rmSync(folder, { recursive: true });
    },
  );

  it.runIf(process.platform === "linux")(
    "[V260] are ended by whoever comes after a killed caller and has waited long enough",
    async () => {
      const folder = scratchFolder("espalier-calls-");
      const left = await orphan(folder);
      expect(await endOrphanedCalls(50)).toEqual([]);
      expect(lives(left.pid)).toBe(false);
      rmSync(folder, { recursive: true });
    },
  );

  it("the caller goes with the process that it calls for, and keeps it from nothing", async () => {
    const index = new URL("../../src/adapters/process/index.ts", import.meta.url).href;
    const script = `
      import { callProgram } from ${JSON.stringify(index)};
      const call = ${JSON.stringify(call("echo $PPID"))};
      let said;
      for (let n = 0; n < 60; n++) said = await callProgram(call);
      process.stdout.write(said.stdout);
    `;
    const file = process.execPath;
    const node = await callProgram(call("", { file, args: ["--input-type=module", "-e", script], env: ENV }));
    expect(node.stderr).toBe("");
    const pid = Number(node.stdout.toString());
    expect(pid).toBeGreaterThan(1);
    await until("the caller is gone", () => !lives(pid));
  });

  it("the caller leaves by a signal of its own, as the exit of Node may wait for ever", async () => {
    const program = fileURLToPath(new URL("../../src/adapters/process/caller.ts", import.meta.url));
    const child = spawn(process.execPath, [program], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    const ended = once(child, "exit");
    child.disconnect();
    expect(await ended).toEqual([null, "SIGKILL"]);
  });
});
