import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runShellCommand, type ShellCommand } from "../../src/adapters/process/index.ts";
import { ENV, lives } from "./process-fixtures.ts";

let commands = 0;
function run(command: string, more: Partial<ShellCommand> = {}) {
  commands += 1;
  return runShellCommand({
    command,
    task: "T1.3",
    title: "verify",
    token: `verify-${process.pid}-${commands}`,
    cwd: "/",
    env: ENV,
    limits: { wallMs: 600_000, idleMs: 600_000, graceMs: 1_000, logBytes: 1_000 },
    log: () => {},
    ...more,
  });
}

describe("running a command of the user", () => {
  it("gives exit code, tail of both streams, size and time", async () => {
    const end = await run("echo one; sleep 0.05; echo two >&2; sleep 0.05; exit 4");
    expect(end).toMatchObject({ kind: "exited", exitCode: 4, tail: "one\ntwo\n", outputBytes: 8 });
    expect(end.ms).toBeGreaterThan(90);
  });

  it.each([
    ["true && false", 1],
    ["false | cat", 1],
    ["false\ntrue", 1],
    ["! false", 0],
    ["test -d / || exit 3", 0],
    ["no-such-program-here", 127],
    ["if", 2],
  ])("%j exits with %d", async (command, exitCode) => {
    expect(await run(command)).toMatchObject({ kind: "exited", exitCode });
  });

  it("keeps 4 KiB of the end of any output and bounds the log", async () => {
    let logged = 0;
    const end = await run("{ yes 0123456789 | head -c 20000000; } || true; echo; echo the end", {
      log: (_, chunk) => {
        logged += chunk.length;
      },
    });
    expect(end.tail).toHaveLength(4_096);
    expect(end.tail.endsWith("\nthe end\n")).toBe(true);
    expect(end.outputBytes).toBe(20_000_009);
    expect(logged).toBeLessThan(1_200);
  });

  it("names itself in the shell's messages", async () => {
    expect((await run("no-such-program-here")).tail).toBe(
      "verify: line 1: no-such-program-here: command not found\n",
    );
    expect((await run("no-such-program-here", { title: "T1.3 verify" })).tail).toContain(
      "T1.3 verify: line 1:",
    );
  });

  it("carries the attempt's marks", async () => {
    const end = await run('echo "$ESPALIER_TASK $ESPALIER_ATTEMPT"', { token: "tok-1" });
    expect(end.tail).toBe("T1.3 tok-1\n");
  });

  it("tells a death by signal", async () => {
    expect(await run("kill -SEGV $$")).toMatchObject({ kind: "killed", signal: "SIGSEGV" });
  });

  it("ends at its limits", async () => {
    const limits = { wallMs: 600_000, idleMs: 600_000, graceMs: 200, logBytes: 0 };
    expect(await run("echo up; sleep 60", { limits: { ...limits, wallMs: 3_000 } })).toMatchObject({
      kind: "wall-clock",
      tail: "up\n",
    });
    expect(await run("trap '' TERM; sleep 60", { limits: { ...limits, idleMs: 200 } })).toMatchObject({
      kind: "idle",
    });
  });

  it("can be cancelled, also before it starts, and killed", async () => {
    const soft = new AbortController();
    const end = await run("trap 'echo bye; exit' TERM; echo up; while :; do sleep 0.02; done", {
      cancel: soft.signal,
      log: () => soft.abort(),
    });
    expect(end).toMatchObject({ kind: "cancelled", tail: expect.stringMatching(/^up\n(.*\n)?bye\n/) });
    expect(await run("sleep 60", { cancel: AbortSignal.abort() })).toMatchObject({ kind: "cancelled" });
    const hard = new AbortController();
    const killed = await run("trap '' TERM; echo up; while :; do sleep 0.02; done", {
      cancel: soft.signal,
      kill: hard.signal,
      limits: { wallMs: 600_000, idleMs: 600_000, graceMs: 600_000, logBytes: 10 },
      log: () => hard.abort(),
    });
    expect(killed.kind).toBe("cancelled");
  });

  it.runIf(existsSync("/proc/self/environ"))("leaves nothing running", async () => {
    const end = await run("setsid sh -c 'echo $$; exec sleep 300 >/dev/null 2>&1' & sleep 0.1");
    expect(end).toMatchObject({ kind: "exited", exitCode: 0 });
    expect(lives(Number(end.tail))).toBe(false);
  });

  it.each([
    ["no shell", { env: { PATH: "/nowhere" } }, "not-found"],
    ["no folder", { cwd: "/nowhere" }, "spawn"],
    ["a NUL in the command", { command: "a\0b" }, "unsuitable"],
  ])("that cannot start says why: %s", async (_, more, kind) => {
    expect(await run("true", more)).toMatchObject({
      kind: "not-started",
      failure: { kind },
      tail: "",
      outputBytes: 0,
    });
  });
});
