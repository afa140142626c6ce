import { type ChildProcess, spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { within } from "./deadlines.ts";
import { environmentOf, WARDEN_MARKER } from "./markers.ts";
import type { GroupWatch } from "./run-process.ts";

/** How often a warden that died is replaced. */
const MOST_STARTS = 4;
/** Milliseconds to wait for its orderly end. */
const PARTING_MS = 1_000;

/**
 * Watches over the processes of one orchestrator from outside: if the orchestrator dies, even by SIGKILL, no process
 * it started lives on.
 */
export interface Warden extends GroupWatch {
  /** Stands in the environment of every process it watches over. */
  readonly instance: string;
  /** Id of the warden's own process, undefined while there is none. */
  readonly pid: number | undefined;
  /** Says goodbye: the warden ends and kills nobody. Idempotent. */
  close(): Promise<void>;
}

/**
 * Starts the warden of this process; returns before it is up, nothing said to it is lost. `instance` is unique per
 * start of the orchestrator. Never throws: without a warden agents still run, they are just not ended after a SIGKILL.
 */
export function startWarden(instance: string): Warden {
  const groups = new Set<number>();
  let child: ChildProcess | undefined;
  let starts = 0;
  let closed = false;

  function start(): void {
    if (closed || child !== undefined || starts >= MOST_STARTS) return;
    starts += 1;
    const started = spawnWarden(instance);
    if (started === undefined) return;
    child = started;
    // A warden can itself be killed, e.g. for want of memory; the next one is told everything again.
    started.once("exit", () => {
      if (child === started) child = undefined;
      start();
    });
    for (const group of groups) tell(`+${group}`);
  }

  function tell(line: string): void {
    child?.stdin?.write(`${line}\n`);
  }

  start();
  return {
    instance,
    get pid() {
      return child?.pid;
    },
    watch(group) {
      groups.add(group);
      if (child === undefined) start();
      else tell(`+${group}`);
    },
    forget(group) {
      if (groups.delete(group)) tell(`-${group}`);
    },
    async close() {
      if (closed) return;
      closed = true;
      const last = child;
      if (last === undefined) return;
      last.ref();
      const gone = new Promise(resolve => {
        last.once("exit", resolve);
      });
      last.stdin?.end("bye\n");
      if (!(await within(gone, PARTING_MS))) last.unref();
    },
  };
}

function spawnWarden(instance: string): ChildProcess | undefined {
  const file = fileURLToPath(
    new URL(import.meta.url.endsWith(".ts") ? "warden.ts" : "../process/warden.js", import.meta.url),
  );
  try {
    const flags = ["--max-old-space-size=24", "--no-warnings"];
    const child = spawn(process.execPath, [...flags, file, instance, `${process.pid}`], {
      // A session of its own and not the mark of the agents: what ends them must not end it.
      detached: true,
      env: { TMPDIR: tmpdir(), ...environmentOf(WARDEN_MARKER) },
      cwd: "/",
      stdio: ["pipe", "ignore", "ignore"],
    });
    child.on("error", () => {});
    child.stdin?.on("error", () => {});
    child.unref();
    // The pipe to a child is a socket, which would keep this process alive.
    (child.stdin as unknown as { unref?(): void } | null)?.unref?.();
    return child.pid === undefined ? undefined : child;
  } catch {
    return undefined;
  }
}
