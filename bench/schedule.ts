import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/**
 * Scheduling a no-op graph (three dependencies each, layers of 50): ours beside its peers, graph building included.
 * Each cell is a fresh process, so the first run is cold and the median warm. `npx node bench/schedule.ts [--quick]`
 * LangGraph.js is the newest release that installs as published; 1.7.3 names packages the registry did not hold.
 */
const CAP = 60_000;
const MEASURE = fileURLToPath(new URL("./schedule/measure.ts", import.meta.url));
const SIZES = process.argv.includes("--quick") ? [200, 1000] : [200, 1000, 10_000, 100_000];
const PEERS = ["espalier", "p-graph", "langgraph"] as const;
const SLOTS = ["5", "all"] as const;

interface Cell {
  readonly text: string;
  readonly over: boolean;
}

function time(ms: number): string {
  return ms < 10
    ? `${ms.toFixed(1)} ms`
    : ms < 10_000
      ? `${Math.round(ms)} ms`
      : `${(ms / 1000).toFixed(1)} s`;
}

function measure(which: string, size: number, slots: string): Cell {
  const args = ["--max-old-space-size=3072", MEASURE, which, String(size), slots];
  const child = spawnSync(process.execPath, args, { encoding: "utf8", timeout: CAP, killSignal: "SIGKILL" });
  if (child.error !== undefined || child.signal !== null) {
    const why =
      child.signal === "SIGKILL" ? `over ${CAP / 1000} s` : `ended by ${child.signal ?? "an error"}`;
    return { text: why, over: true };
  }
  if (child.status !== 0) {
    const missing = /is not installed: .*/.exec(child.stderr);
    const reason = missing?.[0] ?? child.stderr.split("\n").find(line => line.includes("Error")) ?? "failed";
    return { text: reason.slice(0, 70), over: true };
  }
  const times = JSON.parse(child.stdout) as number[];
  const sorted = times.toSorted((a, b) => a - b);
  const median = sorted[sorted.length >> 1] ?? Number.NaN;
  return { text: `${time(median)} (first ${time(times[0] ?? Number.NaN)}, n=${times.length})`, over: false };
}

console.log(`node ${process.version}; median of up to 25 runs in one process, the first (cold) in brackets`);
console.log("| tasks | slots | espalier | p-graph 2.0.0 | LangGraph.js 1.4.18 |");
console.log("|---:|---:|---|---|---|");
const gaveUp = new Set<string>();
for (const size of SIZES) {
  for (const slots of SLOTS) {
    const cells = PEERS.map(which => {
      if (gaveUp.has(`${which} ${slots}`)) return "not tried: the smaller size did not end";
      const cell = measure(which, size, slots);
      if (cell.over) gaveUp.add(`${which} ${slots}`);
      return cell.text;
    });
    console.log(`| ${size} | ${slots} | ${cells.join(" | ")} |`);
  }
}
