import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { begunSince, countBegun } from "../../src/adapters/process/descent.ts";
import {
  attemptMarker,
  findMarked,
  instanceAt,
  instanceMarker,
  placeMarker,
  runShellCommand,
  startWarden,
  sweep,
} from "../../src/adapters/process/index.ts";
import { groupLives, holdsEntry, readStat, withRelatives } from "../../src/adapters/process/proc-table.ts";
import { signalGroup } from "../../src/adapters/process/sweep.ts";
import { ENV, lives, until } from "./process-fixtures.ts";

let tokens = 0;
function freshToken(): string {
  tokens += 1;
  return `sweep-${process.pid}-${tokens}`;
}

const strays: number[] = [];
afterEach(() => {
  for (const pid of strays.splice(0)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It is gone, as it should be.
    }
  }
});

/** Starts a script with a mark and waits until it has printed the pids of `count` processes. */
async function marked(token: string, script: string, count = 1, instance?: string): Promise<number[]> {
  const child = spawn("/bin/sh", ["-c", script], {
    detached: true,
    env: {
      ...ENV,
      ESPALIER_ATTEMPT: token,
      ...(instance === undefined ? {} : { ESPALIER_INSTANCE: instance }),
    },
    stdio: ["ignore", "pipe", "ignore"],
  });
  strays.push(child.pid ?? 0);
  let said = "";
  for await (const chunk of child.stdout) {
    said += String(chunk);
    if (said.split("\n").length > count) break;
  }
  const pids = said.trim().split("\n").map(Number);
  strays.push(...pids);
  return pids;
}

/** The same, once all of them sleep: what is just being replaced by another program has no environment. */
async function asleep(token: string, script: string): Promise<number[]> {
  const pids = await marked(token, script);
  const sleeps = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith("sleep");
  await until("they sleep", () => pids.every(sleeps));
  return pids;
}

const SLEEPER = 'sh -c "echo \\$\\$; exec sleep 300 >/dev/null 2>&1"';

describe.runIf(existsSync("/proc/self/environ"))("finding processes by their mark", () => {
  it("finds every shape of escape", async () => {
    const token = freshToken();
    const pids = [
      ...(await asleep(token, `${SLEEPER} & wait`)),
      ...(await asleep(token, `(${SLEEPER} &)`)),
      ...(await asleep(token, `setsid ${SLEEPER} &`)),
      ...(await asleep(token, `setsid sh -c '(setsid ${SLEEPER} &)' &`)),
      ...(await asleep(token, `nohup ${SLEEPER} & exit`)),
    ];
    const found = findMarked(attemptMarker(token));
    for (const pid of pids) expect(found).toContain(pid);
    const { ended, left } = await sweep(attemptMarker(token));
    for (const pid of pids) expect(ended).toContain(pid);
    expect(left).toEqual([]);
    expect(pids.filter(lives)).toEqual([]);
  });

  it("finds what is just being replaced by another program, and has no environment meanwhile", async () => {
    const folder = mkdtempSync(join(tmpdir(), "espalier-again-"));
    const again = join(folder, "again");
    writeFileSync(again, '#!/bin/sh\nexec "$0"\n', { mode: 0o755 });
    for (let round = 0; round < 50; round += 1) {
      const token = freshToken();
      const [pid = 0] = await marked(token, `echo $$; exec ${again} >/dev/null`);
      const { ended, left } = await sweep(attemptMarker(token));
      expect({ ended, left, lives: lives(pid) }).toEqual({ ended: [pid], left: [], lives: false });
    }
    rmSync(folder, { recursive: true });
  });

  it("ends with them what they started in another environment, their session too", async () => {
    const token = freshToken();
    const bare = "env -i /bin/sh -c 'echo $$; exec /bin/sleep 300 >/dev/null 2>&1'";
    const pids = [
      ...(await marked(token, `${bare} & exec sleep 300 >/dev/null`)),
      ...(await marked(token, `(${bare} &) ; exec sleep 300 >/dev/null`)),
      ...(await marked(token, `setsid ${bare} & exec sleep 300 >/dev/null`)),
    ];
    expect(findMarked(attemptMarker(token)).filter(pid => pids.includes(pid))).toEqual([]);
    const { ended } = await sweep(attemptMarker(token));
    for (const pid of pids) expect(ended).toContain(pid);
    await until("they are gone", () => !pids.some(lives));
  });

  it("looks for several marks at once, and ends what carries any of them", async () => {
    const [one, two, other] = [freshToken(), freshToken(), freshToken()];
    const [first = 0] = await asleep(one, SLEEPER);
    const [second = 0] = await asleep(two, SLEEPER);
    const [bystander = 0] = await asleep(other, SLEEPER);
    const marks = [one, two].map(attemptMarker);
    expect(findMarked(marks)).toEqual(expect.arrayContaining([first, second]));
    expect(findMarked(marks)).not.toContain(bystander);
    const { ended, left } = await sweep(marks);
    expect(ended).toEqual(expect.arrayContaining([first, second]));
    expect(left).toEqual([]);
    expect([first, second, bystander].map(lives)).toEqual([false, false, true]);
    expect(findMarked([])).toEqual([]);
  });

  it("[HO58] leaves the processes of another clone that works on the same attempt", async () => {
    const token = freshToken();
    const [own = 0] = await marked(token, SLEEPER, 1, instanceAt("/one/.espalier", "first"));
    const [other = 0] = await marked(token, SLEEPER, 1, instanceAt("/two/.espalier", "second"));
    const [plain = 0] = await marked(token, SLEEPER);
    const { ended } = await sweep(attemptMarker(token), undefined, undefined, placeMarker("/one/.espalier"));
    expect(ended).toContain(own);
    expect([own, other, plain].map(lives)).toEqual([false, true, true]);
  });

  it("[HO58] the end of a program ends what is left of its own run, and nobody else's", async () => {
    const token = freshToken();
    const instance = instanceAt("/one/.espalier", "first");
    const limits = { wallMs: 60_000, idleMs: 60_000, graceMs: 100, logBytes: 0 };
    const ask = { task: "T1.1", title: "verify", token, cwd: "/", env: ENV, limits, log: () => {} };
    let other = 0;
    const beside = async () => {
      [other = 0] = await marked(token, SLEEPER, 1, instanceAt("/two/.espalier", "second"));
    };
    const warden = { ...startWarden(instance) };
    const proof = runShellCommand({ ...ask, warden, command: "setsid sleep 300 & sleep 1" });
    await until("it has begun", () => findMarked(instanceMarker(instance)).length > 1);
    await beside();
    const left = findMarked(instanceMarker(instance));
    expect(await proof).toMatchObject({ kind: "exited", exitCode: 0 });
    await warden.close();
    expect(left.filter(lives)).toEqual([]);
    expect(lives(other)).toBe(true);
  });

  it("passes by what was begun before the first that it is told of, and finds what came later", async () => {
    const token = freshToken();
    const [earlier = 0] = await asleep(token, SLEEPER);
    const begun = countBegun() ?? 0;
    const [first = 0] = await asleep(freshToken(), SLEEPER);
    const later = await asleep(token, `(setsid ${SLEEPER} &) ; sleep 0.01`);
    expect(findMarked(attemptMarker(token))).toEqual(expect.arrayContaining([earlier, ...later]));
    const found = findMarked(attemptMarker(token), { pid: first, begun });
    expect(found).toEqual(expect.arrayContaining(later));
    // Where numbers can have started anew it looks at all; where they did between these two, the earlier one has the higher.
    expect(found.includes(earlier)).toBe(begunSince({ pid: first, begun })(earlier));
  });

  it("knows which numbers are later ones, and when that cannot be told", () => {
    const first = { pid: 1000, begun: 50_000 };
    const isLater = begunSince(first, 50_400, 32_768);
    expect([999, 1000, 1001, 32_000].map(isLater)).toEqual([false, true, true, true]);
    const unknown = [
      begunSince(undefined, 50_400, 32_768),
      begunSince({ pid: 32_000, begun: 50_000 }, 50_400, 32_768),
      begunSince(first, 49_999, 32_768),
      begunSince(first, 66_000, 32_768),
    ];
    expect(unknown.map(isAny => isAny(2))).toEqual([true, true, true, true]);
  });

  it("spares the session it is in itself", async () => {
    const token = freshToken();
    const bystander = spawn("sleep", ["300"], { env: ENV, stdio: "ignore" });
    const carrier = spawn("sleep", ["300"], { env: { ...ENV, ESPALIER_ATTEMPT: token }, stdio: "ignore" });
    strays.push(bystander.pid ?? 0, carrier.pid ?? 0);
    expect(withRelatives([carrier.pid ?? 0])).toEqual([carrier.pid]);
    expect(await sweep(attemptMarker(token))).toEqual({ ended: [carrier.pid], left: [] });
    expect(lives(bystander.pid ?? 0)).toBe(true);
  });

  it("takes the value as a whole: neither a beginning, nor an end, nor another name", async () => {
    const token = freshToken();
    const env = {
      ...ENV,
      X_ESPALIER_ATTEMPT: token,
      ESPALIER_ATTEMPT: `${token}0`,
      ESPALIER_INSTANCE: `ESPALIER_ATTEMPT=${token}`,
    };
    const child = spawn("sleep", ["300"], { env, stdio: "ignore" });
    strays.push(child.pid ?? 0);
    expect(findMarked(attemptMarker(token))).toEqual([]);
    expect(findMarked(attemptMarker(token.slice(0, -1)))).toEqual([]);
    expect(findMarked(attemptMarker(`${token}0`))).toEqual([child.pid]);
    expect(await sweep(attemptMarker(token))).toEqual({ ended: [], left: [] });
    expect(lives(child.pid ?? 0)).toBe(true);
  });

  it("never finds this process or what it descends from", async () => {
    const line: number[] = [];
    for (let pid = process.pid; pid > 0; pid = readStat(pid)?.parent ?? 0) line.push(pid);
    const path = readFileSync("/proc/self/environ", "latin1")
      .split("\0")
      .find(entry => entry.startsWith("PATH="));
    const everything = findMarked(path as `${string}=${string}`);
    for (const pid of line) expect(everything).not.toContain(pid);
  });

  it("does not search for an empty or impossible mark", () => {
    expect(findMarked(attemptMarker(""))).toEqual([]);
    expect(findMarked(instanceMarker("a\0PATH=b"))).toEqual([]);
  });

  it("takes zombies for dead", async () => {
    const token = freshToken();
    // The parent never reaps its child.
    const [zombie = 0] = await marked(token, "sh -c 'echo $$' & exec sleep 300 >/dev/null");
    await until("it is a zombie", () => readStat(zombie)?.state === "Z");
    expect(findMarked(attemptMarker(token))).not.toContain(zombie);
    expect(lives(zombie)).toBe(false);
    const { left } = await sweep(attemptMarker(token));
    expect(left).toEqual([]);
  });

  it("ends a family that keeps multiplying", async () => {
    const token = freshToken();
    await marked(
      token,
      `echo $$; spread() { sleep 0.02; setsid sh -c "$0" & }; while :; do (sleep 0.3; :) & sleep 0.01; done`,
    );
    const { ended, left } = await sweep(attemptMarker(token));
    expect(ended.length).toBeGreaterThan(0);
    expect(left).toEqual([]);
    expect(findMarked(attemptMarker(token))).toEqual([]);
  });

  it("reads environments larger than one buffer", async () => {
    const token = freshToken();
    const env: Record<string, string> = { ...ENV };
    for (let index = 0; index < 10; index += 1) env[`FILL_${index}`] = "x".repeat(100_000);
    env["ESPALIER_ATTEMPT"] = token;
    const child = spawn("sleep", ["300"], { env, stdio: "ignore" });
    strays.push(child.pid ?? 0);
    expect(findMarked(attemptMarker(token))).toEqual([child.pid]);
  });
});

describe("an entry of an environment", () => {
  const entry = fc.stringMatching(/^[A-C]{0,3}=[a-c=]{0,3}$/);

  it("is held exactly when one of the entries is equal to it", () => {
    fc.assert(
      fc.property(fc.array(entry), entry, fc.boolean(), (entries, needle, closed) => {
        const bytes = Buffer.from(entries.join("\0") + (closed && entries.length > 0 ? "\0" : ""));
        expect(holdsEntry(bytes, Buffer.from(needle))).toBe(entries.includes(needle));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("a process group", () => {
  it("lives while a member does, whatever became of the leader", async () => {
    const leader = spawn("/bin/sh", ["-c", "sleep 300 >/dev/null & echo $!"], {
      detached: true,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const group = leader.pid ?? 0;
    let said = "";
    for await (const chunk of leader.stdout) said += String(chunk);
    const member = Number(said);
    strays.push(member);
    await until("the leader is gone", () => readStat(group) === undefined || !lives(group));
    expect(groupLives(group)).toBe(true);
    expect(signalGroup(group, "SIGKILL")).toBe(true);
    await until("the member is gone", () => !groupLives(group));
    expect(lives(member)).toBe(false);
  });

  it("is never our own, nor everybody", () => {
    for (const group of [0, 1, -1, -5, 1.5, Number.NaN]) expect(signalGroup(group, "SIGKILL")).toBe(false);
  });

  it("that does not exist is not alive", () => {
    const gone = Number(execFileSync("sh", ["-c", "echo $$"]).toString());
    expect(groupLives(gone)).toBe(false);
    expect(signalGroup(gone, "SIGTERM")).toBe(false);
  });
});

describe.runIf(existsSync("/proc/self/stat"))("what the kernel says about a process", () => {
  it("is right about this one", () => {
    expect(readStat("self")).toEqual(readStat(process.pid));
    expect(readStat(process.pid)).toMatchObject({ parent: process.ppid, state: "R" });
    expect(readStat(process.pid)?.startTime).toMatch(/^\d+$/);
  });

  it("is understood for names that look like the rest of the line", async () => {
    // The shell stays: an `exec` would give the process the name of what it begins.
    const naming = "printf '%s' ') Z 1 1' > /proc/$$/comm; cat /proc/$$/comm; read -r end";
    const child = spawn("/bin/sh", ["-c", naming], { stdio: ["pipe", "pipe", "ignore"] });
    strays.push(child.pid ?? 0);
    const named = await new Promise<string>(done => child.stdout.once("data", text => done(String(text))));
    expect(named).toBe(") Z 1 1\n");
    expect(readStat(child.pid ?? 0)).toMatchObject({
      parent: process.pid,
      state: expect.stringMatching(/^[RSD]$/),
    });
    child.stdin.end();
  });

  it("is nothing for a process that does not exist", () => {
    expect(readStat(2 ** 22 + 1)).toBeUndefined();
  });
});
