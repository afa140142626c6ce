import { hostname } from "node:os";
import { readBounded } from "../file/index.ts";

/** One process among all that ever ran: ids are given again, start times within one boot are not. */
export interface ProcessIdentity {
  readonly pid: number;
  /** In the kernel's ticks since boot; empty where the system does not tell. */
  readonly startTime: string;
  /** Which boot of the machine; empty where the system does not tell. */
  readonly bootId: string;
}

/** `stopped`: it exists and does nothing until it is continued (Ctrl+Z, SIGSTOP). */
export type Liveness = "running" | "stopped" | "gone";

/** The identity of this process. */
export function thisProcess(): ProcessIdentity {
  return { pid: process.pid, startTime: statOf(process.pid)?.startTime ?? "", bootId: bootId() };
}

/** The name of this machine, for people. */
export function thisHost(): string {
  return hostname();
}

/** What a system tells of its processes. */
export interface Processes {
  /** Empty where there is no more to ask for than whether an id is in use. */
  readonly bootId: () => string;
  readonly statOf: (pid: number) => ProcessStat | undefined;
  readonly exists: (pid: number) => boolean;
}

interface ProcessStat {
  /** The kernel's letter. */
  readonly state: string;
  readonly startTime: string;
}

const HERE: Processes = { bootId, statOf, exists };

/**
 * Whether exactly this process still lives on this machine. On Linux a process with the same id that started at another
 * time, a zombie, and a process of an earlier boot are gone; elsewhere only the id can be asked for.
 */
export function livenessOf(identity: ProcessIdentity, system: Processes = HERE): Liveness {
  const { pid, startTime, bootId: boot } = identity;
  const current = system.bootId();
  if (current === "") return system.exists(pid) ? "running" : "gone";
  if (boot !== "" && boot !== current) return "gone";
  const stat = system.statOf(pid);
  if (stat === undefined) return "gone";
  if (startTime !== "" && stat.startTime !== startTime) return "gone";
  if (stat.state === "Z" || stat.state === "X" || stat.state === "x") return "gone";
  return stat.state === "T" || stat.state === "t" ? "stopped" : "running";
}

/** Names this start of the machine; empty where the system does not tell. */
export function bootId(): string {
  return textOf("/proc/sys/kernel/random/boot_id")?.trim() ?? "";
}

// The name of the program stands in parentheses and may contain both blanks and parentheses: count from the last one.
function statOf(pid: number): ProcessStat | undefined {
  const text = textOf(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return { state: fields[0]!, startTime: fields[19]! };
}

function textOf(path: string): string | undefined {
  const read = readBounded(path, { maxBytes: 8192 });
  return read.ok ? Buffer.from(read.value).toString("latin1") : undefined;
}

/** Whether an id is in use, be it by another user's process. */
export function exists(pid: number): boolean {
  // Of 0 and less the system would take a group of processes.
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
