/**
 * An orchestrator that is going to be killed. `node doomed.ts INSTANCE` starts a warden and one agent for each way in
 * which processes escape, prints one line of JSON with all their ids as soon as all run, and then waits: for the
 * line `leave` on stdin (orderly end), for `exit` (end without a word to the warden), or for a signal.
 */
import { createInterface } from "node:readline";
import { createShellAgent } from "../../src/adapters/agent/index.ts";
import { startWarden } from "../../src/adapters/process/index.ts";

/** Each prints the ids of the processes it starts, which live ten minutes. */
const ESCAPES: Readonly<Record<string, string>> = {
  child: "sh -c 'echo $$; exec sleep 600' & wait",
  "double fork": "( sh -c 'echo $$; exec sleep 600' & ); exec sleep 600",
  setsid: "setsid sh -c 'echo $$; exec sleep 600' & exec sleep 600",
  "setsid twice": "setsid sh -c 'setsid sh -c \"echo \\$\\$; exec sleep 600\" &' & exec sleep 600",
  "nohup, streams closed": "nohup sh -c 'echo $$; exec sleep 600 <&- >&- 2>&-' & exec sleep 600",
  "ignores signals": "trap '' TERM INT HUP; setsid sh -c 'echo $$; while :; do sleep 1; done' & wait",
  "no environment, same group": "env -i /bin/sh -c 'echo $$; exec /bin/sleep 600' & wait",
};

const instance = process.argv[2] ?? "";
const warden = startWarden(instance);
const agent = createShellAgent({ warden });
const pids: Record<string, number[]> = {};

async function run(name: string, script: string, listening: () => void): Promise<void> {
  const session = await agent.open({
    task: "T1",
    attempt: 1,
    token: `${instance}-${name}`,
    cwd: "/",
    env: { PATH: process.env["PATH"] ?? "" },
    limits: { wallMs: 600_000, idleMs: 600_000, graceMs: 500, logBytes: 0 },
    log: () => {},
    script,
  });
  if (!session.ok) throw new Error(session.failure.message);
  for await (const event of session.value.turn("")) {
    if (event.type === "process") pids[name] = [event.pid];
    if (event.type === "line" && /^\d+$/.test(event.text)) {
      pids[name]?.push(Number(event.text));
      listening();
    }
  }
}

await Promise.all(
  Object.entries(ESCAPES).map(
    ([name, script]) => new Promise<void>((resolve, reject) => void run(name, script, resolve).catch(reject)),
  ),
);
process.stdout.write(`${JSON.stringify({ warden: warden.pid, pids })}\n`);

createInterface({ input: process.stdin }).on("line", line => {
  if (line === "exit") process.exit(0);
  if (line === "leave") void warden.close().then(() => process.exit(0));
});
