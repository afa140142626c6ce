/**
 * A program, not a module: it outlives the orchestrator by seconds, to end the agents of one that was killed.
 *
 * `node warden.js INSTANCE PID` (of the orchestrator), with a pipe as stdin. Lines: `+GROUP` watch a process group, `-GROUP` forget it, `bye`
 * the orchestrator ends in order. When the pipe closes without `bye`, all watched groups and every process marked
 * with the instance get SIGKILL until none is left, for ten seconds at most.
 */
import { endAtOnce } from "./end-at-once.ts";
import { instanceMarker } from "./markers.ts";
import { HAS_PROC, readStat } from "./proc-table.ts";
import { signalGroup, sweep } from "./sweep.ts";
import { removeTemporaries } from "./temporary.ts";

const WITHIN_MS = 10_000;
/** A process that was being started when the orchestrator died may show its mark only now. */
const LATECOMERS_MS = 250;

const [instance = "", orchestrator = ""] = process.argv.slice(2);
/** Group ids with the start time of their leaders. */
const groups = new Map<number, string | undefined>();
let pending = "";

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const) process.on(signal, () => {});

process.stdin.setEncoding("latin1");
process.stdin.on("data", (text: string) => {
  const lines = (pending + text).split("\n");
  pending = lines.pop() ?? "";
  for (const line of lines) obey(line);
});
process.stdin.on("error", () => {});
process.stdin.once("close", () => void endAll());

function obey(line: string): void {
  if (line === "bye") endAtOnce();
  const group = Number(line.slice(1));
  if (line.startsWith("+")) groups.set(group, readStat(group)?.startTime);
  else if (line.startsWith("-")) groups.delete(group);
}

async function endAll(): Promise<void> {
  // Whatever hangs, this process does not.
  setTimeout(endAtOnce, WITHIN_MS + 1_000);
  endGroups();
  const marker = instanceMarker(instance);
  await sweep(marker, WITHIN_MS - LATECOMERS_MS);
  await new Promise(resolve => {
    setTimeout(resolve, LATECOMERS_MS);
  });
  await sweep(marker, LATECOMERS_MS);
  removeTemporaries(Number(orchestrator));
  endAtOnce();
}

function endGroups(): void {
  for (const [group, startTime] of groups) {
    // A living leader with another start time means that the number was given to somebody else.
    const leader = HAS_PROC ? readStat(group) : undefined;
    if (leader === undefined || leader.startTime === startTime) signalGroup(group, "SIGKILL");
  }
}
