import { spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const CLI = fileURLToPath(new URL("../../../bin/espalier.js", import.meta.url));
const EFFECTS = new URL("effects.ts", import.meta.url).href;

/** When a process is killed. */
export type Moment =
  | { readonly kind: "never" }
  /** So many milliseconds after its start. */
  | { readonly kind: "time"; readonly ms: number }
  /** So many milliseconds after the n-th line that begins so was read; 0: at once. */
  | { readonly kind: "line"; readonly begins: string; readonly times: number; readonly ms: number }
  /** At the n-th call by which it changes anything, before it or after it. */
  | { readonly kind: "effect"; readonly times: number; readonly after: boolean };

/** Where a program works: its project, the home of whoever starts it, and where Node keeps compiled code. */
export interface Place {
  readonly project: string;
  readonly home: string;
  readonly cache: string;
}

/** How a process ended. */
export interface Ended {
  readonly pid: number;
  /** Null when it was killed. */
  readonly code: number | null;
  /** Whole lines only: a line that the kill cut off was never told. */
  readonly lines: readonly string[];
  readonly errors: string;
  /** Milliseconds until it first said something. */
  readonly first: number | undefined;
}

/** Starts the built program and kills it at a moment, unless it ends before. */
export async function start(place: Place, args: readonly string[], moment: Moment): Promise<Ended> {
  const { project, home, cache } = place;
  const effect =
    moment.kind === "effect" ? { ESPALIER_DIES_AT: `${moment.times}${moment.after ? "a" : "b"}` } : {};
  const flags = moment.kind === "effect" ? ["--import", EFFECTS] : [];
  const began = performance.now();
  const child = spawn(process.execPath, [...flags, CLI, ...args], {
    cwd: project,
    env: { PATH: process.env["PATH"], HOME: home, XDG_STATE_HOME: home, XDG_CACHE_HOME: cache, ...effect },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const closed = new Promise<number | null>(resolve => child.once("close", code => resolve(code)));
  let [output, errors, seen, met] = ["", "", 0, 0];
  let first: number | undefined;
  const kill = () => void child.kill("SIGKILL");
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    errors += chunk;
  });
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    first ??= performance.now() - began;
    output += chunk;
    if (moment.kind !== "line") return;
    for (let end = output.indexOf("\n", seen); end >= 0; end = output.indexOf("\n", seen)) {
      if (output.startsWith(moment.begins, seen)) met++;
      seen = end + 1;
      if (met < moment.times) continue;
      if (moment.ms === 0) kill();
      else void pause(moment.ms).then(kill);
      return;
    }
  });
  if (moment.kind === "time") void Promise.race([pause(moment.ms), closed]).then(kill);
  const code = await closed;
  return { pid: child.pid ?? 0, code, lines: output.split("\n").slice(0, -1), errors, first };
}
