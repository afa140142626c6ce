import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import {
  attemptMarker,
  findMarked,
  instanceMarker,
  startWarden,
  sweep,
} from "../../src/adapters/process/index.ts";
import { readStat } from "../../src/adapters/process/proc-table.ts";
import { itWhole, sampleOf } from "../sample.ts";
import { ENV, lives, until } from "./process-fixtures.ts";

interface Doomed {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  readonly instance: string;
  readonly warden: number;
  readonly pids: Readonly<Record<string, readonly number[]>>;
  readonly all: readonly number[];
}

let instances = 0;
const open: Doomed[] = [];

/** An orchestrator of its own, with one agent for each way to escape. */
async function doomed(env: Record<string, string> = {}): Promise<Doomed> {
  instances += 1;
  const instance = `doomed-${process.pid}-${instances}`;
  const program = fileURLToPath(new URL("../puppet/doomed.ts", import.meta.url));
  const child = spawn(process.execPath, [program, instance], {
    env: { ...ENV, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let said = "";
  for await (const chunk of child.stdout) {
    said += String(chunk);
    if (said.endsWith("\n")) break;
  }
  const told = JSON.parse(said) as Pick<Doomed, "warden" | "pids">;
  const one = { child, instance, ...told, all: Object.values(told.pids).flat() };
  open.push(one);
  return one;
}

afterEach(() => {
  for (const { child, all, warden } of open.splice(0)) {
    for (const pid of [child.pid ?? 0, warden, ...all]) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It is gone, as it should be.
      }
    }
  }
});

/** True when the process handles the signal itself. */
function catches(pid: number, signal: number): boolean {
  const mask = /SigCgt:\s*([0-9a-f]+)/.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? "0";
  return (BigInt(`0x${mask}`) & (1n << BigInt(signal - 1))) !== 0n;
}

function gone(one: Doomed): Promise<void> {
  return until("every agent and the warden are gone", () => ![...one.all, one.warden].some(lives));
}

describe.runIf(existsSync("/proc/self/environ"))("the warden", () => {
  it("ends everything after SIGKILL of the orchestrator, escaped or not, and then itself", async () => {
    const one = await doomed();
    expect(one.all.length).toBeGreaterThanOrEqual(14);
    expect(one.all.filter(pid => !lives(pid))).toEqual([]);
    process.kill(one.child.pid ?? 0, "SIGKILL");
    await expect(gone(one)).resolves.toBeUndefined();
    expect(findMarked(instanceMarker(one.instance))).toEqual([]);
  });

  it.each(sampleOf(["SIGTERM", "SIGHUP", "SIGQUIT"] as const, 0))(
    "does so after %s that nobody handles",
    async signal => {
      const one = await doomed();
      process.kill(one.child.pid ?? 0, signal);
      await expect(gone(one)).resolves.toBeUndefined();
    },
  );

  it("does so when the orchestrator just exits", async () => {
    const one = await doomed();
    one.child.stdin.write("exit\n");
    await expect(gone(one)).resolves.toBeUndefined();
  });

  itWhole("does so three times out of three while the machine is busy", async () => {
    const several = await Promise.all([doomed(), doomed(), doomed()]);
    for (const one of several) process.kill(one.child.pid ?? 0, "SIGKILL");
    await expect(Promise.all(several.map(gone))).resolves.toHaveLength(3);
  });

  it("does so when its orchestrator is itself an agent that is ended by another orchestrator's search", async () => {
    const token = `outer-${process.pid}`;
    const one = await doomed({ ESPALIER_ATTEMPT: token, ESPALIER_INSTANCE: token });
    const { ended } = await sweep(attemptMarker(token));
    expect(ended).toContain(one.child.pid);
    expect(ended).not.toContain(one.warden);
    await expect(gone(one)).resolves.toBeUndefined();
  });

  it("touches nobody after an orderly end", async () => {
    const one = await doomed();
    one.child.stdin.write("leave\n");
    await until(
      "the orchestrator and its warden are gone",
      () => ![one.child.pid ?? 0, one.warden].some(lives),
    );
    expect(one.all.filter(pid => !lives(pid))).toEqual([]);
  });

  it("cannot be ended by signals of a terminal, and carries no mark", async () => {
    const one = await doomed();
    expect(findMarked(instanceMarker(one.instance))).not.toContain(one.warden);
    expect(readFileSync(`/proc/${one.warden}/environ`, "latin1")).toBe(
      `TMPDIR=${tmpdir()}\0ESPALIER_WARDEN=1\0`,
    );
    expect(readStat(one.warden)?.group).toBe(one.warden);
    await until("it handles SIGHUP", () => catches(one.warden, 1));
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.kill(one.warden, signal);
    await new Promise(resolve => setTimeout(resolve, 50));
    expect(lives(one.warden)).toBe(true);
    process.kill(one.child.pid ?? 0, "SIGKILL");
    await expect(gone(one)).resolves.toBeUndefined();
  });
});

describe("starting a warden", () => {
  const sleeper = () => {
    const child = spawn("sleep", ["300"], { detached: true, env: ENV, stdio: "ignore" });
    return child.pid ?? 0;
  };

  it("ends it with close, which can be called twice and without any group", async () => {
    const warden = startWarden(`idle-${process.pid}`);
    const pid = warden.pid ?? 0;
    expect(lives(pid)).toBe(true);
    await Promise.all([warden.close(), warden.close()]);
    // It may be gone before this process is told so.
    await until("it is gone", () => !lives(pid) && warden.pid === undefined);
    const group = sleeper();
    warden.watch(group);
    expect(warden.pid).toBeUndefined();
    process.kill(group, "SIGKILL");
  });

  it("leaves by a signal of its own: the exit of Node joins threads, and 3 of 100 never came to its end", async () => {
    const program = fileURLToPath(new URL("../../src/adapters/process/warden.ts", import.meta.url));
    for (const last of ["bye\n", ""]) {
      const child = spawn(process.execPath, [program, `leaves-${process.pid}`, "0"], {
        stdio: ["pipe", "ignore", "inherit"],
      });
      const ended = once(child, "exit");
      child.stdin.end(last);
      expect(await ended).toEqual([null, "SIGKILL"]);
    }
  });

  it("replaces one that was killed, a few times, and tells the next all groups", async () => {
    const warden = startWarden(`replaced-${process.pid}`);
    const group = sleeper();
    warden.watch(group);
    const pids = new Set<number>();
    for (let round = 0; round < 4; round += 1) {
      await until("there is one", () => warden.pid !== undefined && !pids.has(warden.pid));
      const pid = warden.pid ?? 0;
      pids.add(pid);
      process.kill(pid, "SIGKILL");
    }
    expect(pids.size).toBe(4);
    await until("it is given up", () => warden.pid === undefined);
    warden.watch(group);
    warden.forget(group);
    expect(lives(group)).toBe(true);
    await warden.close();
    process.kill(group, "SIGKILL");
  });

  it("does not keep its orchestrator alive", async () => {
    const index = fileURLToPath(new URL("../../src/adapters/process/index.ts", import.meta.url));
    const script = `import { startWarden } from ${JSON.stringify(index)}; console.log(startWarden("short").pid);`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    for await (const chunk of child.stdout) said += String(chunk);
    expect(Number(said)).toBeGreaterThan(1);
    await until("both are gone", () => !lives(child.pid ?? 0) && !lives(Number(said)));
  });

  it("knows the groups it was told and not told to forget, and makes nothing of nonsense", async () => {
    const program = fileURLToPath(new URL("../../src/adapters/process/warden.ts", import.meta.url));
    const child = spawn(process.execPath, [program, `direct-${process.pid}`, "0"], {
      stdio: ["pipe", "ignore", "inherit"],
    });
    const ended = once(child, "exit");
    const [kept, forgotten, again, split] = [sleeper(), sleeper(), sleeper(), sleeper()];
    const lines = [`+${kept}`, `+${forgotten}`, `-${forgotten}`, `+${again}`, `-${again}`, `+${again}`];
    const nonsense = ["", "+", "-", "+0", "+1", "+-1", "+1e99", "+x", "*5", " bye", "bye!", `${forgotten}`];
    child.stdin.write(`${[...lines, ...nonsense].join("\n")}\n+${String(split).slice(0, 2)}`);
    // In two writes: a line may be cut anywhere.
    await new Promise(resolve => setImmediate(resolve));
    child.stdin.end(`${String(split).slice(2)}\nby`);
    expect(await ended).toEqual([null, "SIGKILL"]);
    expect([kept, forgotten, again, split].map(lives)).toEqual([false, true, false, false]);
    process.kill(forgotten, "SIGKILL");
  });
});
