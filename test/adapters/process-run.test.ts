import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { attemptMarker, runProcess } from "../../src/adapters/process/index.ts";
import { ENV, lives, runToEnd, sh, until } from "./process-fixtures.ts";

/** No test takes ten minutes: what ends in time ended for another reason. */
const NEVER = 600_000;
const LIMITS = { wallMs: NEVER, idleMs: NEVER, graceMs: 1_000 };

/** Starts a program and waits for its first output. */
async function started(script: string, limits: Partial<typeof LIMITS> = {}) {
  const first = Promise.withResolvers<string>();
  const running = await runProcess(sh(script), {
    limits: { ...LIMITS, ...limits },
    onOutput: (_, chunk) => first.resolve(Buffer.from(chunk).toString()),
  });
  if (!running.ok) throw new Error(running.failure.message);
  return { ...running.value, first: await first.promise };
}

describe("running a process", () => {
  it("gives its end, its output and the time it took", async () => {
    const end = await runToEnd(sh("echo out; echo err >&2; exit 5"));
    expect(end).toMatchObject({ cause: "exit", exitCode: 5, signal: null, stdout: "out\n", stderr: "err\n" });
    expect(end).toMatchObject({ leftovers: [], survivors: [] });
    expect(end.ms).toBeGreaterThan(0);
  });

  it("makes it the leader of a session and group of its own", async () => {
    const end = await runToEnd(sh("ps -o pid=,pgid=,sid= -p $$"));
    expect(end.stdout.trim().split(/ +/).map(Number)).toEqual([end.pid, end.pid, end.pid]);
  });

  it("gives exactly the environment it is told, and no descriptors but three", async () => {
    const end = await runToEnd(
      sh("env; ls /proc/self/fd 2>/dev/null | head -3 | tr '\\n' ' '", { env: { ...ENV, A: "é b" } }),
    );
    const names = end.stdout.split("\n").map(line => line.split("=")[0]);
    expect(names).toContain("A");
    expect(
      names.filter(name => name?.startsWith("NODE") || name?.startsWith("npm_") || name === "HOME"),
    ).toEqual([]);
    expect(end.stdout).toMatch(existsSync("/proc") ? /\n0 1 2 / : /./);
  });

  it("gives the input on stdin, and an empty stdin without one", async () => {
    expect((await runToEnd(sh("cat; echo done", { input: "é\n" }))).stdout).toBe("Ã©\ndone\n");
    expect((await runToEnd(sh("cat; echo done"))).stdout).toBe("done\n");
    expect((await runToEnd(sh("cat; echo done", { input: "" }))).stdout).toBe("done\n");
  });

  it("gives streams that can be opened by name", async () => {
    const end = await runToEnd(
      sh("echo a >/dev/stderr; echo b >/dev/stdout; cat /dev/stdin", { input: "c\n" }),
    );
    expect(end).toMatchObject({ exitCode: 0, stdout: "b\nc\n", stderr: "a\n" });
  });

  it("delivers all output of any size, in order", async () => {
    const end = await runToEnd(sh("seq 1 100000; seq 1 100000 >&2"));
    const expected = Array.from({ length: 100_000 }, (_, index) => `${index + 1}\n`).join("");
    expect(end.stdout).toBe(expected);
    expect(end.stderr).toBe(expected);
  });

  it("delivers what is written in the last moment before the end", async () => {
    for (let round = 0; round < 20; round += 1) {
      const end = await runToEnd(sh("head -c 60000 /dev/zero; printf end >&2; kill -KILL $$"));
      expect(end).toMatchObject({ signal: "SIGKILL", exitCode: null, cause: "exit", stderr: "end" });
      expect(end.stdout).toHaveLength(60_000);
    }
  });

  it("runs many at once without mixing them up or running out of descriptors", async () => {
    const before = existsSync("/proc/self/fd")
      ? execFileSync("ls", [`/proc/${process.pid}/fd`]).toString()
      : "";
    const ends = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        runToEnd(sh(`echo ${index}; cat; echo ${index} >&2`, { input: `${index}` })),
      ),
    );
    for (const [index, end] of ends.entries()) {
      expect(end).toMatchObject({ exitCode: 0, stdout: `${index}\n${index}`, stderr: `${index}\n` });
    }
    const after = existsSync("/proc/self/fd")
      ? execFileSync("ls", [`/proc/${process.pid}/fd`]).toString()
      : "";
    // The stock of pipes made ahead may hold sixteen pairs.
    expect(after.split("\n").length - before.split("\n").length).toBeLessThanOrEqual(34);
  });

  it("tells the watcher which group runs, and when it is gone", async () => {
    const told: string[] = [];
    const groups = {
      watch: (group: number) => void told.push(`+${group}`),
      forget: (group: number) => void told.push(`-${group} ${lives(group)}`),
    };
    const end = await runToEnd(sh("exit 0"), { groups });
    expect(told).toEqual([`+${end.pid}`, `-${end.pid} false`]);
  });
});

describe("limits of a process", () => {
  it("ends it at the wall-clock limit however much it writes", async () => {
    const end = await runToEnd(sh("while :; do echo x; sleep 0.02; done"), {
      limits: { wallMs: 250, idleMs: NEVER, graceMs: NEVER },
    });
    expect(end).toMatchObject({ cause: "wall-clock", signal: "SIGTERM" });
    expect(end.ms).toBeGreaterThanOrEqual(245);
  });

  it("ends it after silence, counted from the last output on either stream", async () => {
    // The writer's pauses are a third of the limit, all of them more than it.
    const end = await runToEnd(sh("for i in 1 2 3 4; do sleep 0.4; echo x >&2; done; sleep 60"), {
      limits: { wallMs: NEVER, idleMs: 1_200, graceMs: NEVER },
    });
    expect(end).toMatchObject({ cause: "idle", stderr: "x\nx\nx\nx\n" });
    expect(end.ms).toBeGreaterThan(2_700);
  });

  it("takes limits longer than a timer can be, and none", async () => {
    const limits = { wallMs: 1e12, idleMs: Number.POSITIVE_INFINITY, graceMs: 1e12 };
    expect(await runToEnd(sh("sleep 0.05; echo fine"), { limits })).toMatchObject({
      cause: "exit",
      stdout: "fine\n",
    });
  });

  it("keeps the first cause", async () => {
    // It speaks when it is told to end: then the limit has passed.
    const running = await started("trap 'echo told' TERM; while :; do sleep 0.05; done", {
      wallMs: 1_000,
      graceMs: 300,
    });
    running.stop("soft");
    expect(await running.ended).toMatchObject({ cause: "wall-clock", signal: "SIGKILL" });
  });
});

describe("stopping a process", () => {
  it("softly lets it end itself and reads what it says then", async () => {
    let said = "";
    const up = Promise.withResolvers<void>();
    const running = await runProcess(
      sh("trap 'echo bye; exit 3' TERM; echo up; while :; do sleep 0.02; done"),
      {
        limits: LIMITS,
        onOutput(_, chunk) {
          said += Buffer.from(chunk).toString();
          up.resolve();
        },
      },
    );
    if (!running.ok) throw new Error("not started");
    await up.promise;
    running.value.stop("soft");
    expect(await running.value.ended).toMatchObject({ cause: "cancelled", exitCode: 3 });
    // What the shell itself says of the signal comes by another pipe.
    expect(said.replace(/.*Terminated\n/, "")).toBe("up\nbye\n");
  });

  it("softly gives every member of the group the grace, not only the leader", async () => {
    const folder = mkdtempSync(join(tmpdir(), "espalier-grace-"));
    const note = join(folder, "saved");
    const worker = `trap 'sleep 0.3; echo saved > ${note}; exit' TERM; echo up; while :; do sleep 0.02; done`;
    const running = await started(`trap 'exit 0' TERM; sh -c "${worker}" & wait`, { graceMs: NEVER });
    running.stop("soft");
    const end = await running.ended;
    expect(end).toMatchObject({ cause: "cancelled", exitCode: 0 });
    expect(readFileSync(note, "utf8")).toBe("saved\n");
    rmSync(folder, { recursive: true });
  });

  it("softly ends with SIGKILL what stays, after the grace", async () => {
    const running = await started(
      "trap 'exit 0' TERM; sh -c 'trap \"\" TERM; echo $$; while :; do sleep 0.05; done' & wait",
      {
        graceMs: 300,
      },
    );
    const began = performance.now();
    running.stop("soft");
    await running.ended;
    expect(performance.now() - began).toBeGreaterThan(290);
    expect(lives(Number(running.first))).toBe(false);
  });

  it("keeps the program from ending no longer than what it has started, though that is ended by force after its leader", async () => {
    const timers = () => process.getActiveResourcesInfo().filter(name => name === "Timeout").length;
    const before = timers();
    const running = await started(
      "trap 'exit 0' TERM; sh -c 'trap \"\" TERM; echo $$; while :; do sleep 0.05; done' & wait",
      { graceMs: NEVER },
    );
    running.stop("soft");
    await until("its leader was waited for", () => {
      try {
        return !process.kill(running.pid, 0);
      } catch {
        return true;
      }
    });
    running.stop("hard");
    await running.ended;
    expect(lives(Number(running.first))).toBe(false);
    const other = await started("echo up");
    await other.ended;
    other.stop("hard");
    // What tests before this one have left may run out meanwhile.
    expect(timers()).toBeLessThanOrEqual(before);
  });

  it("wakes what is stopped, so that it can end itself", async () => {
    const running = await started("trap 'exit 7' TERM; echo up; kill -STOP $$; sleep 60", { graceMs: NEVER });
    await until("it is stopped", () => /\) T/.test(readFileSync(`/proc/${running.pid}/stat`, "latin1")));
    running.stop("soft");
    expect(await running.ended).toMatchObject({ exitCode: 7 });
  });

  it("hard kills at once, also while a soft stop waits, and any number of times", async () => {
    const running = await started("trap '' TERM; echo up; while :; do sleep 0.05; done", { graceMs: NEVER });
    running.stop("soft");
    running.stop("soft");
    running.stop("hard");
    running.stop("hard");
    running.stop("soft");
    expect(await running.ended).toMatchObject({ cause: "cancelled", signal: "SIGKILL" });
    running.stop("hard");
  });

  it("cuts short the waiting for output after the process is dead", async () => {
    const script = "sh -c 'while :; do echo $$; sleep 0.1; done' & sleep 0.05; exit 0";
    const patient = await started(script);
    const running = await started(script);
    await until("the leaders are dead", () => !lives(running.pid) && !lives(patient.pid));
    running.stop("hard");
    const first = await Promise.race([running.ended, patient.ended.then(() => "the one that began before")]);
    expect(first).toMatchObject({ cause: "cancelled" });
    expect(lives(Number.parseInt(running.first, 10))).toBe(false);
    patient.stop("hard");
    await patient.ended;
  });
});

describe.concurrent("what outlives a process", () => {
  it("may hold the output in silence for half a second", async () => {
    const end = await runToEnd(sh("sleep 60 & echo $!"));
    expect(end.ms).toBeGreaterThan(450);
    expect(lives(Number(end.stdout))).toBe(false);
  });

  it("may finish writing before it is ended", async () => {
    const end = await runToEnd(sh("(for i in 1 2 3 4 5; do sleep 0.1; echo $i; done) & exit 0"));
    expect(end).toMatchObject({ exitCode: 0, stdout: "1\n2\n3\n4\n5\n" });
  });

  it("may write for five seconds at most", async () => {
    const end = await runToEnd(sh("(while :; do echo x; sleep 0.05; done) & exit 0"));
    expect(end.ms).toBeGreaterThan(4_900);
  });

  it("does not delay the end when it holds no output", async () => {
    // What a busy machine takes is not there each time; the half second for silence would be.
    let quickest = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 20 && quickest > 450; round += 1) {
      const end = await runToEnd(sh("sleep 60 >/dev/null 2>&1 & echo $!"));
      quickest = Math.min(quickest, end.ms);
      expect(lives(Number(end.stdout))).toBe(false);
    }
    expect(quickest).toBeLessThan(450);
  });

  it("is named when it was found by its mark", async () => {
    const token = `outlive-${process.pid}`;
    const env = { ...ENV, ESPALIER_ATTEMPT: token };
    const end = await runToEnd(sh("setsid sleep 60 >/dev/null 2>&1 & echo $!", { env }), {
      marker: attemptMarker(token),
    });
    expect(end.leftovers).toEqual(existsSync("/proc") ? [Number(end.stdout)] : []);
    expect(end.survivors).toEqual([]);
    expect(lives(Number(end.stdout))).toBe(false);
  });
});

describe("a process that cannot be started", () => {
  it.each([
    ["no such file", { file: "/nowhere/program" }, "not-found"],
    ["a folder", { file: "/tmp" }, "not-found"],
    ["a missing folder to work in", { cwd: "/nowhere" }, "spawn"],
    ["a NUL in an argument", { args: ["a\0b"] }, "spawn"],
    ["too long an argument", { args: ["x".repeat(1 << 20)] }, "spawn"],
  ])("is a value, not an exception: %s", async (_, program, kind) => {
    const running = await runProcess({ ...sh(":"), ...program }, { limits: LIMITS, onOutput: () => {} });
    expect(running).toMatchObject({ ok: false, failure: { kind, retryable: false } });
  });

  it("for want of descriptors is a failure to try again, and works when there are some", () => {
    const program = fileURLToPath(new URL("../puppet/starved.ts", import.meta.url));
    const command = `ulimit -n 64; exec "${process.execPath}" "${program}"`;
    const report = JSON.parse(execFileSync("sh", ["-c", command], { encoding: "utf8" })) as {
      readonly failures: readonly {
        readonly kind: string;
        readonly retryable: boolean;
        readonly message: string;
      }[];
      readonly afterwards: string;
    };
    expect(report.failures.length).toBeGreaterThan(5);
    for (const failure of report.failures) {
      expect(failure).toMatchObject({
        kind: "spawn",
        retryable: true,
        message: expect.stringContaining("too many files"),
      });
    }
    expect(report.afterwards).toBe("fine\n");
  });
});
