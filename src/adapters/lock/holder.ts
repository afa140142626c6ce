import { join } from "node:path";
import { because, type Reason } from "../../ports/reason.ts";
import type { Result } from "../../ports/result.ts";
import { ownedFileCalls, readBounded, type WriteFailure, writeAtomic } from "../file/index.ts";
import { type Liveness, livenessOf, type ProcessIdentity, thisHost } from "./liveness.ts";

/** Who holds a lock, for messages and to find its socket. The kernel holds the lock, not this. */
export interface Holder extends ProcessIdentity {
  readonly host: string;
  /** Wall time in epoch milliseconds. */
  readonly startedAt: number;
  readonly cwd: string;
  /** Of the program. */
  readonly version: string;
  readonly epoch?: number;
  readonly controlSocket?: string;
}

const NAME = "holder.json";

/** Writes who holds the lock. */
export function writeHolder(directory: string, holder: Holder): Result<unknown, WriteFailure> {
  return writeAtomic(join(directory, NAME), `${JSON.stringify(holder)}\n`, { calls: ownedFileCalls });
}

/** Removes what `writeHolder` wrote. */
export function removeHolder(directory: string): void {
  try {
    ownedFileCalls.unlink(join(directory, NAME));
  } catch {
    // It is gone, or the folder is another one now: then it says nothing of us.
  }
}

/** Who said last that it holds the lock in `directory`. It may be long gone; undefined when nothing sensible stands there. */
export function readHolder(directory: string): Holder | undefined {
  const read = readBounded(join(directory, NAME), { maxBytes: 65_536, calls: ownedFileCalls });
  if (!read.ok) return undefined;
  try {
    return holderFrom(JSON.parse(Buffer.from(read.value).toString("utf8")));
  } catch {
    return undefined;
  }
}

function holderFrom(json: unknown): Holder | undefined {
  const { pid, epoch, controlSocket, startedAt, ...rest } = (json ?? {}) as Record<string, unknown>;
  if (!isWhole(pid) || pid <= 0) return undefined;
  const text = (name: string): string => (typeof rest[name] === "string" ? rest[name] : "");
  return {
    pid,
    host: text("host"),
    bootId: text("bootId"),
    startTime: text("startTime"),
    startedAt: isWhole(startedAt) ? startedAt : 0,
    cwd: text("cwd"),
    version: text("version"),
    ...(typeof epoch === "number" ? { epoch } : {}),
    ...(typeof controlSocket === "string" ? { controlSocket } : {}),
  };
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

/** The holder that can really be it: one of another machine cannot be judged, one of this machine must live. */
export function livingHolder(
  directory: string,
): { readonly holder: Holder; readonly liveness: Liveness } | undefined {
  const holder = readHolder(directory);
  if (holder === undefined) return undefined;
  const liveness = holder.host === thisHost() ? livenessOf(holder) : "running";
  return liveness === "gone" ? undefined : { holder, liveness };
}

/** Who holds a lock, for people. */
export function holderReason(living: ReturnType<typeof livingHolder>): Reason {
  if (living === undefined) return because("project-held", {});
  const { pid, host, cwd, startedAt } = living.holder;
  const since = startedAt > 0 && startedAt < 8.64e15 ? { since: new Date(startedAt).toISOString() } : {};
  const isStopped = living.liveness === "stopped";
  return because("project-held", { by: { pid, host, cwd, ...since, isStopped } });
}
