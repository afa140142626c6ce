import { type RunOptions, runProcess } from "../../src/adapters/process/index.ts";
import type { Program } from "../../src/adapters/process/start-program.ts";

/** The environment tests give their processes. */
export const ENV: Readonly<Record<string, string>> = { PATH: process.env["PATH"] ?? "/usr/bin:/bin" };

export { lives } from "../../src/testing/agent-bench.ts";

/** Looks again and again until it is so; throws after `withinMs`. */
export async function until(what: string, isSo: () => boolean, withinMs = 25_000): Promise<void> {
  const end = performance.now() + withinMs;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`not within ${withinMs} ms: ${what}`);
    await new Promise(resolve => setTimeout(resolve, 5));
  }
}

/** `sh` with a script as an argument. */
export function sh(script: string, more: Partial<Program> = {}): Program {
  return { file: "/bin/sh", args: ["-c", script], cwd: "/", env: ENV, ...more };
}

/** Runs a program to its end and keeps what it said. */
export async function runToEnd(program: Program, options: Partial<RunOptions> = {}) {
  const said = { stdout: "", stderr: "" };
  const running = await runProcess(program, {
    limits: { wallMs: 600_000, idleMs: 600_000, graceMs: 1_000 },
    onOutput: (stream, chunk) => {
      said[stream] += Buffer.from(chunk).toString("latin1");
    },
    ...options,
  });
  if (!running.ok) throw new Error(running.failure.message);
  return { ...(await running.value.ended), ...said, pid: running.value.pid };
}
