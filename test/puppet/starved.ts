/**
 * Starts processes with fewer and fewer free descriptors, to be run under `ulimit -n 64`. Prints the failures, and what
 * a process says when there are descriptors again.
 */
import { closeSync, openSync } from "node:fs";
import { runProcess } from "../../src/adapters/process/index.ts";

const program = {
  file: "/bin/sh",
  args: ["-c", "echo fine"],
  cwd: "/",
  env: { PATH: "/usr/bin:/bin" },
  input: "x",
};
const limits = { wallMs: 10_000, idleMs: 10_000, graceMs: 100 };

async function run(): Promise<{ readonly said: string; readonly failure?: object }> {
  let said = "";
  const running = await runProcess(program, {
    limits,
    onOutput: (_, chunk) => {
      said += Buffer.from(chunk).toString();
    },
  });
  if (!running.ok) return { said, failure: running.failure };
  await running.value.ended;
  return { said };
}

function takeAll(): number[] {
  const taken: number[] = [];
  try {
    for (;;) taken.push(openSync("/dev/null", "r"));
  } catch {
    return taken;
  }
}

const taken = takeAll();
const failures: object[] = [];
// Free one descriptor after the other: every step of a start fails in its turn.
while (taken.length > 0 && failures.length < 40) {
  const { failure } = await run();
  if (failure === undefined) break;
  failures.push(failure);
  const one = taken.pop();
  if (one !== undefined) closeSync(one);
}
for (const one of taken) closeSync(one);
process.stdout.write(JSON.stringify({ failures, afterwards: (await run()).said }));
