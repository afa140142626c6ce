import { join } from "node:path";
import { z } from "zod";
import { readBounded, unsyncedFileCalls, writeAtomic } from "../file/index.ts";
import { makePrivate } from "./folder.ts";

const Worked = z.object({ within: z.string().optional() });

/** What is known of the beginning of a project. */
export interface Worked {
  /** The attempt in which the project was begun. */
  readonly within?: string | undefined;
}

const Stored = z.object({ boot: z.string(), since: z.number(), adopters: z.array(z.number()) });

/** What is known of the attempts of a project since the machine was started. */
export interface Attempted {
  /** When the first could begin; undefined where none could. */
  readonly since: number | undefined;
  /** Processes that took in what the attempts left behind. */
  readonly adopters: readonly number[];
}

const Believed = z.array(z.string());

const Joined = z.object({ run: z.string(), on: z.string() });

/** Which hub a run of a project was handed to: its address, as a person gave or approved it. */
export type Joined = z.output<typeof Joined>;

const believedIn = (folder: string) => join(folder, "believed.json");
const workedIn = (folder: string) => join(folder, "worked.json");
const joinedIn = (folder: string) => join(folder, "hub.json");
const attemptedIn = (folder: string) => join(folder, "attempted.json");

function read<T>(path: string, as: z.ZodType<T>): T | undefined {
  const bytes = readBounded(path, { maxBytes: 64 * 1024 });
  if (!bytes.ok) return undefined;
  try {
    return as.parse(JSON.parse(Buffer.from(bytes.value).toString("utf8")));
  } catch {
    return undefined;
  }
}

/** What cannot be written is not known later: then nobody is refused for it. */
function write(folder: string, path: string, value: unknown): void {
  try {
    makePrivate(folder);
    writeAtomic(path, `${JSON.stringify(value)}\n`, { mode: 0o600, calls: unsyncedFileCalls });
  } catch {
    // As above.
  }
}

/** Reads how a project was begun. Undefined where nothing is known of it. */
export function readWorked(folder: string): Worked | undefined {
  return read(workedIn(folder), Worked);
}

/** Writes how a project was begun. */
export function writeWorked(folder: string, worked: Worked): void {
  write(folder, workedIn(folder), worked);
}

/** Reads which hub was joined last. Undefined where none was. */
export function readJoined(folder: string): Joined | undefined {
  return read(joinedIn(folder), Joined);
}

/** Writes which hub a run is handed to. */
export function writeJoined(folder: string, joined: Joined): void {
  write(folder, joinedIn(folder), joined);
}

/** Reads since when there are attempts; `boot` names this start of the machine, which no process outlives. */
export function readAttempted(folder: string, boot: string): Attempted {
  const stored = read(attemptedIn(folder), Stored);
  return stored?.boot === boot ? stored : { since: undefined, adopters: [] };
}

/** Writes that attempts may begin at `at`, and who takes in what they leave behind; what was earlier stays. */
export function writeAttempted(folder: string, boot: string, at: number, adopter: number): void {
  const { since = at, adopters } = readAttempted(folder, boot);
  if (adopters.includes(adopter)) return;
  write(folder, attemptedIn(folder), { boot, since, adopters: [...adopters, adopter] });
}

/** Reads the attempts of a state from elsewhere whose landed work counts by a person's word, by their tokens. */
export function readBelieved(folder: string): ReadonlySet<string> {
  return new Set(read(believedIn(folder), Believed));
}

/** Writes them; those of an earlier state are over. */
export function writeBelieved(folder: string, tokens: readonly string[]): void {
  write(folder, believedIn(folder), tokens);
}
