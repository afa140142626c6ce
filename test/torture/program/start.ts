import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { STRIKE, type Strike } from "./strike.ts";

const CLI = fileURLToPath(new URL("../../../bin/espalier.js", import.meta.url));
const EFFECTS = new URL("effects.ts", import.meta.url).href;

/** When a process is killed. */
export type Moment =
  | { readonly kind: "never" }
  /** So many milliseconds after its start. */
  | { readonly kind: "time"; readonly ms: number }
  /** So many milliseconds after the n-th line that begins so was read; 0: at once. */
  | { readonly kind: "line"; readonly begins: string; readonly times: number; readonly ms: number }
  /** At a call by which it changes anything; where that only fails, soon after it. */
  | { readonly kind: "strike"; readonly strike: Strike };

/** Milliseconds that a process is given after a call of it failed: to say so, or to wait for better times. */
const AFTERLIFE = 700;

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
  const strike = moment.kind === "strike" ? moment.strike : undefined;
  const flags = strike === undefined ? [] : ["--import", EFFECTS];
  const told = strike === undefined ? {} : { [STRIKE]: JSON.stringify(strike) };
  const began = performance.now();
  const child = spawn(process.execPath, [...flags, CLI, ...args], {
    cwd: project,
    env: { PATH: process.env["PATH"], HOME: home, XDG_STATE_HOME: home, XDG_CACHE_HOME: cache, ...told },
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
  if (strike?.errno !== undefined) void happened(strike, closed).then(kill);
  if (moment.kind === "time") void Promise.race([pause(moment.ms), closed]).then(kill);
  const code = await closed;
  return { pid: child.pid ?? 0, code, lines: output.split("\n").slice(0, -1), errors, first };
}

/** Resolves some time after a call has failed, or when the process has ended without that. */
async function happened({ note = "" }: Strike, closed: Promise<unknown>): Promise<void> {
  let open = true;
  void closed.then(() => {
    open = false;
  });
  while (open && !existsSync(note)) await pause(20);
  await Promise.race([pause(AFTERLIFE), closed]);
}
