/**
 * An agent that floods. `node agent-flood.ts BYTES [SHAPE]` runs one in this process and prints what it cost;
 * 4 GB is the case to torture with: `node test/adapters/agent-flood.ts 4000000000`.
 */
import { createShellAgent } from "../../src/adapters/agent/index.ts";

export interface FloodReport {
  readonly shape: string;
  readonly ms: number;
  readonly outputBytes: number;
  readonly loggedBytes: number;
  readonly lineEvents: number;
  readonly messageLength: number;
  /** Most memory this process ever held, in MiB. */
  readonly maxRssMib: number;
  /** The most processor time between two turns of the event loop, whatever else the machine did meanwhile. */
  readonly longestBlockMs: number;
}

export const FLOODS: Readonly<Record<string, string>> = {
  "short lines": "yes",
  "ordinary lines": `yes ${"0123456789 ".repeat(8)}`,
  "no newline": "tr '\\0' x < /dev/zero",
  binary: "cat /dev/urandom",
};

/** Lets a shell agent write `bytes` and measures. */
export async function flood(bytes: number, shape: string): Promise<FloodReport> {
  const began = performance.now();
  let loggedBytes = 0;
  let lineEvents = 0;
  let longestBlockMs = 0;
  let lastTick = process.cpuUsage();
  const ticker = setInterval(() => {
    const { user, system } = process.cpuUsage(lastTick);
    longestBlockMs = Math.max(longestBlockMs, (user + system) / 1000);
    lastTick = process.cpuUsage();
  }, 5);
  const opened = await createShellAgent().open({
    task: "T1",
    attempt: 1,
    token: `flood-${process.pid}`,
    cwd: "/",
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
    limits: { wallMs: 600_000, idleMs: 600_000, graceMs: 1_000, logBytes: 1 << 20 },
    log: (_, chunk) => {
      loggedBytes += chunk.length;
    },
    script: `{ ${FLOODS[shape] ?? shape} | head -c ${bytes}; } || true`,
  });
  if (!opened.ok) throw new Error(opened.failure.message);
  for await (const event of opened.value.turn("")) {
    if (event.type === "line") lineEvents += 1;
    if (event.type !== "ended") continue;
    clearInterval(ticker);
    return {
      shape,
      ms: Math.round(performance.now() - began),
      outputBytes: event.end.kind === "completed" ? event.end.outputBytes : -1,
      loggedBytes,
      lineEvents,
      messageLength: event.end.finalMessage.length,
      maxRssMib: Math.round(process.resourceUsage().maxRSS / 1024),
      longestBlockMs: Math.round(longestBlockMs),
    };
  }
  throw new Error("no end");
}

if (process.argv[1] === import.meta.filename) {
  const [bytes = "200000000", only] = process.argv.slice(2);
  for (const shape of only === undefined ? Object.keys(FLOODS) : [only]) {
    process.stdout.write(`${JSON.stringify(await flood(Number(bytes), shape))}\n`);
  }
}
