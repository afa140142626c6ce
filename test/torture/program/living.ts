import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

/** Milliseconds after which everything that a killed orchestrator started must be gone. */
const PATIENCE = 10_000;

function reads(path: string, read: (path: string) => string): string {
  try {
    return read(path);
  } catch {
    // It ended while we looked.
    return "";
  }
}

/** What a process was started with, while it lives below a folder or watches over an orchestrator's agents. */
function wordsOf(pid: number, folder: string, orchestrator: number): string | undefined {
  const works = reads(`/proc/${pid}/cwd`, readlinkSync).startsWith(folder);
  const words = reads(`/proc/${pid}/cmdline`, path => readFileSync(path, "utf8")).split("\0");
  const watches = words.at(-2) === `${orchestrator}` && words.some(word => word.includes("warden"));
  // A process that has ended and was not yet collected has no words left.
  return words.length > 1 && (works || watches) ? words.join(" ") : undefined;
}

function processes(except: number): number[] {
  return readdirSync("/proc").flatMap(name =>
    /^\d+$/.test(name) && Number(name) !== except ? [Number(name)] : [],
  );
}

/** What a killed process left alive: how much at once, and what after all that was given time to go. */
export async function leftAlive(
  folder: string,
  orchestrator: number,
): Promise<{ readonly atOnce: number; readonly forGood: readonly string[] }> {
  const until = performance.now() + PATIENCE;
  const lives = (pid: number) => wordsOf(pid, folder, orchestrator) !== undefined;
  let left = processes(orchestrator).filter(lives);
  const atOnce = left.length;
  while (left.length > 0 && performance.now() < until) {
    await pause(20);
    left = left.filter(lives);
    // Those that are gone may have started others.
    if (left.length === 0) left = processes(orchestrator).filter(lives);
  }
  return { atOnce, forGood: left.flatMap(pid => wordsOf(pid, folder, orchestrator) ?? []) };
}
