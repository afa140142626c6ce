import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { type Beginning, begunSince } from "./descent.ts";
import { CALLER_VARIABLE, type Marker, WARDEN_MARKER } from "./markers.ts";

/** True where running processes can be asked for their environment. */
export const HAS_PROC: boolean = process.platform === "linux";

export interface ProcessStat {
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** The process group that its terminal listens to; below 1 for none. */
  readonly foreground: number;
  /** Clock ticks from boot to its start: with the pid it names one process for ever. */
  readonly startTime: string;
  /** Bytes of memory it has addresses for; 0 for a thread of the kernel. */
  readonly memory: string;
  /** Where its environment lies in its memory, from and to; 0 while `exec` replaces it, and for who may not know. */
  readonly environment: readonly [string, string];
}

/** What the kernel says about a process, or undefined when there is none. Zombies have state `Z`. */
export function readStat(pid: number | "self"): ProcessStat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return undefined;
  }
  // The second field is the program's name in parentheses and may itself contain any of ` ()`.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return {
    state: fields[0] ?? "",
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    foreground: Number(fields[5]),
    startTime: fields[19] ?? "",
    memory: fields[20] ?? "",
    environment: [fields[47] ?? "", fields[48] ?? ""],
  };
}

/** Whether the terminal's keys are this process's; true where nobody knows. */
export function isForeground(): boolean {
  const own = readStat("self");
  return own === undefined || own.group === own.foreground;
}

/** Ids of all processes now. */
function allPids(): number[] {
  const pids: number[] = [];
  for (const name of readdirSync("/proc")) {
    const first = name.charCodeAt(0);
    if (first >= 48 && first <= 57) pids.push(Number(name));
  }
  return pids;
}

/** This process and its parents up to the first: never to be ended by a search. */
function ownLine(): ReadonlySet<number> {
  const line = new Set<number>([process.pid]);
  let parent = readStat("self")?.parent ?? 0;
  while (parent > 0 && !line.has(parent)) {
    line.add(parent);
    parent = readStat(parent)?.parent ?? 0;
  }
  return line;
}

/** Living processes that carry one of the markers: {@link searchMarked} without those nobody can tell of now. */
export function findMarked(marker: Marker | readonly Marker[], since?: Beginning, of?: Marker): number[] {
  return searchMarked(marker, since, of).found;
}

/** What one pass over `/proc` found. */
export interface Search {
  readonly found: number[];
  /** Processes that were just being replaced by `exec`, when a process has no environment: they may be marked. */
  readonly unknown: readonly number[];
}

/**
 * Living processes that carry one of the markers, by one pass over `/proc`; this process and its ancestors are never
 * among them, nor are zombies, which have no environment. With `since` what was begun earlier is not looked at: on a machine with
 * hundreds of processes most of the time of a short turn went there. With `of` they also carry an entry that begins so. Empty on
 * systems without `/proc`. Throws when files or memory are too short to look.
 */
export function searchMarked(marker: Marker | readonly Marker[], since?: Beginning, of?: Marker): Search {
  const needles = [marker]
    .flat()
    .flatMap(one => (one.endsWith("=") || one.includes("\0") ? [] : Buffer.from(one)));
  if (!HAS_PROC || needles.length === 0) return { found: [], unknown: [] };
  const owner = of === undefined ? undefined : Buffer.from(of);
  const isMarked = (environment: Uint8Array) =>
    needles.some(needle => holdsEntry(environment, needle)) &&
    (owner === undefined || holdsEntry(environment, owner, true));
  return findByEnvironment(isMarked, since);
}

/** Living programs that were called for what they say by a process that lives no more; found as `findMarked` finds. */
export function findOrphanedCalls(): number[] {
  if (!HAS_PROC) return [];
  return findByEnvironment(environment => {
    const caller = entryNamed(environment, CALLER_VARIABLE);
    if (caller === undefined) return false;
    const stat = readStat(Number(caller));
    return stat === undefined || isDead(stat);
  }).found;
}

/** Living programs, and what they started, that were called for what they say by one of these processes, which are not among them. */
export function findCallsOf(callers: readonly number[]): number[] {
  if (!HAS_PROC) return [];
  const names = new Set(callers.map(String));
  return findByEnvironment(environment => {
    const caller = entryNamed(environment, CALLER_VARIABLE);
    return caller !== undefined && names.has(caller);
  }).found.filter(pid => !callers.includes(pid));
}

function findByEnvironment(isMeant: (environment: Uint8Array) => boolean, since?: Beginning): Search {
  const own = ownLine();
  const pids = allPids();
  // Asked after the listing: nothing that is in it was begun later.
  const isSince = since === undefined ? () => true : begunSince(since);
  const uid = process.getuid?.() ?? 0;
  const read = createReader();
  const found: number[] = [];
  const unknown: number[] = [];
  for (const pid of pids) {
    if (own.has(pid) || !isSince(pid)) continue;
    // Asking for the owner is cheaper than the exception of an open that is refused.
    if (uid !== 0 && statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid !== uid) continue;
    const environment = read(`/proc/${pid}/environ`);
    if (environment === undefined) continue;
    if (environment.length === 0 && isBeingReplaced(pid)) unknown.push(pid);
    else if (isMeant(environment)) found.push(pid);
  }
  return { found, unknown };
}

/** Whether the environment of a process could be read as empty only because `exec` was replacing it. */
function isBeingReplaced(pid: number): boolean {
  const stat = readStat(pid);
  if (stat === undefined || isDead(stat) || stat.memory === "0") return false;
  const [from, to] = stat.environment;
  return from === "0" || from !== to;
}

/**
 * The given processes, everything that descends from them, and everything in their sessions: what a marked process
 * started belongs to it even if it was given another environment. Never this process, its ancestors, its session, nor
 * wardens.
 */
export function withRelatives(pids: readonly number[]): number[] {
  const spared = new Set([...ownLine(), ...findMarked(WARDEN_MARKER)]);
  const ownSession = readStat("self")?.session;
  const children = new Map<number, number[]>();
  const members = new Map<number, number[]>();
  const sessionOf = new Map<number, number>();
  for (const pid of allPids()) {
    const stat = readStat(pid);
    if (stat === undefined || isDead(stat) || spared.has(pid)) continue;
    append(children, stat.parent, pid);
    if (stat.session === ownSession) continue;
    append(members, stat.session, pid);
    sessionOf.set(pid, stat.session);
  }
  const family = new Set(pids);
  // A set may grow while it is walked: what is added is visited too.
  for (const pid of family) {
    for (const child of children.get(pid) ?? []) family.add(child);
    const session = sessionOf.get(pid);
    if (session === undefined) continue;
    for (const member of members.get(session) ?? []) family.add(member);
    members.delete(session);
  }
  return [...family];
}

function append(lists: Map<number, number[]>, key: number, value: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

function isDead(stat: ProcessStat): boolean {
  return stat.state === "Z" || stat.state === "X";
}

/** True while a process that is not a zombie belongs to the group. */
export function groupLives(group: number): boolean {
  try {
    process.kill(-group, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  if (!HAS_PROC) return true;
  // The signal also reaches zombies, which stay for ever where the first process does not reap.
  return allPids().some(pid => {
    const stat = readStat(pid);
    return stat !== undefined && stat.group === group && !isDead(stat);
  });
}

const SHORTAGES: ReadonlySet<string> = new Set(["EMFILE", "ENFILE", "ENOMEM"]);

/** Reads files to their end into one buffer that grows and is used again: a scan reads hundreds. */
function createReader(): (path: string) => Uint8Array | undefined {
  let buffer = Buffer.allocUnsafe(1 << 16);
  return path => {
    let file: number | undefined;
    try {
      file = openSync(path, "r");
      let length = 0;
      for (;;) {
        const bytes = readSync(file, buffer, length, buffer.length - length, null);
        if (bytes === 0) return buffer.subarray(0, length);
        length += bytes;
        if (length === buffer.length) buffer = Buffer.concat([buffer], 2 * length);
      }
    } catch (error) {
      // Not being able to look is not the same as finding nothing.
      if (SHORTAGES.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
      return undefined;
    } finally {
      if (file !== undefined) closeSync(file);
    }
  };
}

/** The value of a name among NUL-separated entries. */
export function entryNamed(entries: Uint8Array, name: string): string | undefined {
  const bytes = Buffer.from(entries.buffer, entries.byteOffset, entries.byteLength);
  const start = `${name}=`;
  for (let at = bytes.indexOf(start); at >= 0; at = bytes.indexOf(start, at + 1)) {
    if (at > 0 && bytes[at - 1] !== 0) continue;
    const end = bytes.indexOf(0, at);
    return bytes.toString("latin1", at + start.length, end < 0 ? bytes.length : end);
  }
  return undefined;
}

/** True when one of the NUL-separated entries is exactly the needle, or begins with it. */
export function holdsEntry(entries: Uint8Array, needle: Uint8Array, isBeginning = false): boolean {
  const bytes = Buffer.from(entries.buffer, entries.byteOffset, entries.byteLength);
  let at = bytes.indexOf(needle);
  while (at >= 0) {
    const end = at + needle.length;
    const isWhole = isBeginning || end === bytes.length || bytes[end] === 0;
    if ((at === 0 || bytes[at - 1] === 0) && isWhole) return true;
    at = bytes.indexOf(needle, end);
  }
  return false;
}
