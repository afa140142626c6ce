import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createCommandAgent } from "../../src/adapters/agent/command.ts";
import { attemptMarker, callProgram, runProcess, runShellCommand } from "../../src/adapters/process/index.ts";
import { scratchFolder } from "../scratch.ts";
import { ENV, lives, runToEnd, sh, until } from "./process-fixtures.ts";
// Every test of running a process is passed from here as well: after these calls a small process starts them.
import "./process-run.test.ts";

async function manyCalls(): Promise<void> {
  const limits = { longestMs: 20_000, mostBytes: 1 << 20 };
  for (let n = 0; n < 40; n++)
    await callProgram({ file: "/bin/sh", args: ["-c", "true"], cwd: "/", env: ENV, input: "", ...limits });
}
await manyCalls();

const parentOf = (pid: number) => Number(execFileSync("ps", ["-o", "ppid=", "-p", `${pid}`]));

const NEVER = { wallMs: 600_000, idleMs: 600_000, graceMs: 1_000 };

describe.runIf(process.platform === "linux")("a process that a small one starts", () => {
  it("is no child of this one, and one with a channel is", async () => {
    const { stdout } = await runToEnd(sh("echo $PPID"));
    const caller = Number(stdout);
    expect(caller).not.toBe(process.pid);
    expect(parentOf(caller)).toBe(process.pid);
    const mine = await runProcess(
      { ...sh("echo $PPID; cat"), channel: true },
      { limits: NEVER, onOutput: () => {} },
    );
    if (!mine.ok) throw new Error(mine.failure.message);
    expect(parentOf(mine.value.pid)).toBe(process.pid);
    mine.value.input?.end();
    await mine.value.ended;
  });

  it("is told of with the reason where it cannot be started", async () => {
    const missing = await runProcess({ ...sh(""), file: "/nowhere" }, { limits: NEVER, onOutput: () => {} });
    expect(missing).toMatchObject({ ok: false, failure: { kind: "not-found", retryable: false } });
    const nowhere = await runProcess(sh("", { cwd: "/nowhere" }), { limits: NEVER, onOutput: () => {} });
    expect(nowhere).toMatchObject({ ok: false, failure: { message: expect.stringContaining("/nowhere") } });
  });

  it("[E152] ends with what it has begun when the small one is killed, and the next is started by another", async () => {
    const token = `lost-${process.pid}`;
    const [name, value] = attemptMarker(token).split("=");
    const first = Promise.withResolvers<string>();
    const running = await runProcess(
      sh("setsid sleep 600 & echo $PPID $!; sleep 600", { env: { ...ENV, [name!]: value! } }),
      {
        limits: NEVER,
        marker: attemptMarker(token),
        onOutput: (_, said) => first.resolve(Buffer.from(said).toString()),
      },
    );
    if (!running.ok) throw new Error(running.failure.message);
    const [caller, detached] = (await first.promise).split(" ");
    process.kill(Number(caller), "SIGKILL");
    expect(await running.value.ended).toMatchObject({ cause: "lost", signal: "SIGKILL", survivors: [] });
    await until("the detached one is gone", () => !lives(Number(detached)));
    expect(lives(running.value.pid)).toBe(false);
    await manyCalls();
    const next = Number((await runToEnd(sh("echo $PPID"))).stdout);
    expect([process.pid, Number(caller)]).not.toContain(next);
  });

  it("[E152] lost with the small one, it is a start that was refused, and no failure of its own", async () => {
    await manyCalls();
    const limits = { ...NEVER, logBytes: 1 << 20 };
    const told: unknown[] = [];
    const common = { cwd: "/", env: ENV, limits, log: () => {}, task: "T1.1" };
    const command = "kill -9 $PPID; sleep 60";
    const agent = createCommandAgent({ name: "command", command: `/bin/sh -c '${command}'` });
    const session = await agent.open({ ...common, attempt: 1, token: `agent-${process.pid}` });
    if (!session.ok) throw new Error(session.failure.message);
    for await (const event of session.value.turn("")) if (event.type === "ended") told.push(event.end);
    await session.value.close();
    expect(told).toMatchObject([{ kind: "failed", failure: { kind: "spawn", retryable: true } }]);
    await manyCalls();
    const check = await runShellCommand({
      ...common,
      command,
      token: `check-${process.pid}`,
      title: "verify",
    });
    expect(check).toMatchObject({ kind: "not-started", failure: { kind: "spawn" } });
    await manyCalls();
  });

  it("[E152] is begun, and heard of, although somebody had stopped the small one alone", async () => {
    const caller = Number((await runToEnd(sh("echo $PPID"))).stdout);
    process.kill(caller, "SIGSTOP");
    expect(await runToEnd(sh("echo $PPID; exit 4"))).toMatchObject({ exitCode: 4, stdout: `${caller}\n` });
  });

  it("[E152] has streams with a name although the small one died while it made them", async () => {
    const folder = scratchFolder("espalier-fifo-");
    const armed = join(folder, "armed");
    const kill = `[ "$PPID" != ${process.pid} ] && [ -e ${armed} ] && rm ${armed} && kill -9 $PPID`;
    writeFileSync(join(folder, "mkfifo"), `#!/bin/sh\n${kill}\nexec /usr/bin/mkfifo "$@"\n`);
    chmodSync(join(folder, "mkfifo"), 0o755);
    writeFileSync(armed, "");
    const path = process.env["PATH"];
    process.env["PATH"] = `${folder}:${path}`;
    try {
      for (let runs = 0; runs < 20 && existsSync(armed); runs++)
        expect((await runToEnd(sh("echo x > /dev/stdout"))).stdout).toBe("x\n");
    } finally {
      process.env["PATH"] = path;
    }
    expect(existsSync(armed)).toBe(false);
    rmSync(folder, { recursive: true });
  });
});
