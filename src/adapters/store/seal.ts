import { createHmac, createSecretKey } from "node:crypto";
import type { Parameters, Row } from "./rows.ts";

/** Tells what this program wrote from what anybody else did: a keyed hash, whose key lies outside of the repository. */
export interface Seal {
  /** Names the key without telling it. */
  readonly id: string;
  of(text: string): string;
}

/** How far a project had come when its state was last written, as it is remembered outside of the repository. */
export interface Head {
  readonly run: string;
  readonly seq: number;
  /** The seal of that event. */
  readonly seal: string;
  /** Whether all rows together were sealed as well, as they have been since schema 4. */
  readonly whole?: boolean;
}

/** What a sealed state is opened with. */
export interface Sealing {
  readonly seal: Seal;
  /** Undefined where nothing is remembered. It may lag behind the state and is never ahead of it. */
  readonly head: Head | undefined;
  /** Remembers how far the state has come; what it cannot write down it forgets. */
  remember(head: Head): void;
}

/** Characters of a seal: 132 bits. */
const LENGTH = 22;

/** A seal by HMAC-SHA256. */
export function createSeal(key: Uint8Array): Seal {
  const secret = createSecretKey(key);
  const of = (text: string) => createHmac("sha256", secret).update(text).digest("base64url").slice(0, LENGTH);
  return { id: of("key"), of };
}

/** A column as the database gives it back: without what no text column keeps. */
function canonical(value: unknown): unknown {
  if (typeof value !== "string") return value ?? null;
  const end = value.indexOf("\0");
  return (end < 0 ? value : value.slice(0, end)).toWellFormed();
}

function columns(row: Row | Parameters, names: readonly string[]): string {
  // Rows of an earlier schema were sealed with their reason, which stood there in words.
  const of = (name: string) => row[name === "why" && !("why" in row) ? "reason" : name];
  // What came later is named where it is there: rows without it are sealed as they always were.
  const later = LATER.flatMap(name => ((row[name] ?? null) === null ? [] : [name, canonical(row[name])]));
  return JSON.stringify([...names.map(name => canonical(of(name))), ...later]);
}

/** Columns that the first sealed schemas did not have. */
const LATER: readonly string[] = ["held", "stalls", "clash", "machine", "unheard"];

const RUN = "id project state phase file plan_hash started_at updated_at forced lead_tokens why".split(" ");
const TASK = "id status retries attempts verified why same_error text_hash not_before".split(" ");
const ATTEMPT = (
  "task number token nonce agent started_at ended_at outcome why evidence final_message feedback usage estimate " +
  "session folder branch commit_id"
).split(" ");

/** The seal of a run's row with its plan. */
export function runSeal(seal: Seal, row: Row | Parameters, plan: string): string {
  return seal.of(`run\n${columns(row, RUN)}\n${JSON.stringify(canonical(plan))}`);
}

/** The seal of a task's row, which also tells at which event of its run it was written. */
export function taskSeal(seal: Seal, run: string, seq: number, row: Row | Parameters): string {
  return `${seq}.${seal.of(`task\n${run}\n${seq}\n${columns(row, TASK)}`)}`;
}

/** The event at which a sealed task was written. */
export function sealedAt(seal: unknown): number {
  return typeof seal === "string" ? Number.parseInt(seal, 10) : Number.NaN;
}

/** The seal of an attempt's row. */
export function attemptSeal(seal: Seal, run: string, row: Row | Parameters): string {
  return seal.of(`attempt\n${run}\n${columns(row, ATTEMPT)}`);
}

/** The seal of an event, which holds that of the one before it: none can be put in, taken out or moved. */
export function eventSeal(
  seal: Seal,
  run: string,
  before: string,
  { seq, at, event }: { readonly seq: number; readonly at: number; readonly event: string },
): string {
  return seal.of(`event\n${run}\n${before}\n${seq}\n${at}\n${event}`);
}

/** Seals the thin state's text. */
export function sealThin(seal: Seal, text: string): string {
  return `${text.slice(0, -2)},"seal":"${seal.of(`thin\n${text}`)}"}\n`;
}

const THIN_END = /,"seal":"([\w-]{22})"\}\n$/;

/** Whether the thin state's text is as this program left it. */
export function isSealedThin(seal: Seal, text: string): boolean {
  const end = THIN_END.exec(text);
  return end !== null && seal.of(`thin\n${text.slice(0, end.index)}}\n`) === end[1];
}
