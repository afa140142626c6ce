import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { uptime } from "node:os";
import { promisify } from "node:util";
import type { Ancestor, Identity } from "../../engine/control/decider.ts";
import { ATTEMPT_VARIABLE, TASK_VARIABLE } from "./markers.ts";
import { entryNamed, HAS_PROC, readStat } from "./proc-table.ts";

/** What agent programs set for every command they run. */
const SIGNS = [
  "CLAUDECODE",
  "CODEX_SANDBOX",
  "CODEX_THREAD_ID",
  "CURSOR_AGENT",
  "GEMINI_CLI",
  "OPENCODE",
  "QWEN_CODE",
] as const;

/** Processes a line may have; a longer one is not told of, as nobody who is honest has it. */
const LONGEST = 256;
/** Clock ticks in a second, as `/proc` counts them. */
const TICKS = 100;

function bytesOf(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch {
    return new Uint8Array();
  }
}

function userOf(pid: number): number | undefined {
  const real = /^Uid:\s+(\d+)/m.exec(Buffer.from(bytesOf(`/proc/${pid}/status`)).toString("latin1"));
  return real === null ? undefined : Number(real[1]);
}

/** A parent that may not be looked at is another user's. */
function isForeign(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function marksIn(environment: Uint8Array): Pick<Ancestor, "attempt" | "task" | "sign"> {
  const attempt = entryNamed(environment, ATTEMPT_VARIABLE);
  const task = entryNamed(environment, TASK_VARIABLE);
  const sign = SIGNS.find(name => entryNamed(environment, name) !== undefined);
  return {
    ...(attempt === undefined ? {} : { attempt }),
    ...(attempt === undefined || task === undefined ? {} : { task: task.slice(0, 200) }),
    ...(sign === undefined ? {} : { sign }),
  };
}

/** The system numbers no process 0: a parent of that number is none that can be seen from here. */
function outermost(parent: number): Pick<Ancestor, "isOutermost"> {
  return parent === 0 ? { isOutermost: true } : {};
}

function lineInProc(pid: number): Ancestor[] {
  const line: Ancestor[] = [];
  for (let at = pid; at > 0; ) {
    if (line.length === LONGEST) return [];
    const stat = readStat(at);
    if (stat === undefined) {
      if (isForeign(at)) line.push({ pid: at, startTime: Number.MAX_SAFE_INTEGER, user: -1 });
      // Its parent has just gone: what it hangs on now is asked once more from the beginning.
      else if (line.length > 0 && readStat(line.at(-1)!.pid)?.parent !== at) return lineInProc(pid);
      else return [];
      break;
    }
    const marks = marksIn(bytesOf(`/proc/${at}/environ`));
    line.push({
      pid: at,
      startTime: Number(stat.startTime),
      user: userOf(at),
      ...marks,
      ...outermost(stat.parent),
    });
    at = stat.parent;
  }
  return line;
}

/** `ps` on systems without `/proc`: whole seconds, and no environment. */
async function lineByPs(pid: number): Promise<Ancestor[]> {
  const columns = ["-axo", "pid=,ppid=,ruid=,lstart="];
  const options = { env: { LC_ALL: "C", PATH: "/bin:/usr/bin" }, maxBuffer: 2 ** 24 };
  const { stdout } = await promisify(execFile)("ps", columns, options);
  const table = new Map(
    stdout.split("\n").flatMap(row => {
      const [id = "", parent, user, ...started] = row.trim().split(/\s+/);
      const startTime = Date.parse(started.join(" "));
      return id === "" ? [] : [[Number(id), { parent: Number(parent), user: Number(user), startTime }]];
    }),
  );
  const line: Ancestor[] = [];
  for (let at = pid, row = table.get(at); row !== undefined; row = table.get(at)) {
    if (line.length === LONGEST) return [];
    line.push({ pid: at, startTime: row.startTime, user: row.user, ...outermost(row.parent) });
    at = row.parent;
  }
  return line;
}

/** A process and its parents up to the first, as the system tells of them; empty where it cannot be told whole. */
export async function lineOf(pid: number): Promise<readonly Ancestor[]> {
  return HAS_PROC ? lineInProc(pid) : lineByPs(pid);
}

/** This moment in the unit in which processes begin. */
export function processClock(): number {
  if (!HAS_PROC) return Date.now();
  const own = Number(readStat("self")?.startTime ?? 0) + process.uptime() * TICKS;
  // A container may be told another uptime than its processes have; one that slept has aged all the same.
  return Math.floor(Math.max(own, uptime() * TICKS));
}

/** When a process of a line began, in milliseconds of the wall clock as it goes now. */
export function beganAt({ startTime }: Identity): number {
  return HAS_PROC ? Date.now() - (processClock() - startTime) * (1000 / TICKS) : startTime;
}

/** Shells and runners that stand between a program and what it starts. */
const BETWEEN = /^(?:-?(?:ba|da|z|fi|k)?sh|npm|npx|pnpm|yarn|bun|env|nice)(?:\s|$)/;

/** The program that had this process started: its first ancestor that is no shell and no package runner. */
export async function whoStarted(): Promise<Identity | undefined> {
  const [, ...above] = await lineOf(process.pid);
  const name = (pid: number) =>
    Buffer.from(bytesOf(`/proc/${pid}/comm`))
      .toString("latin1")
      .trim();
  const found = above.find(({ pid }) => pid !== 1 && !BETWEEN.test(name(pid)));
  return found === undefined ? undefined : { pid: found.pid, startTime: found.startTime };
}
