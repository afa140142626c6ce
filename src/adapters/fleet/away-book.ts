import { createHash } from "node:crypto";
import { closeSync, existsSync, writeSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { objectId, reportShape } from "../../fleet/index.ts";
import type { OrderEvent, Report } from "../../ports/index.ts";
import { entriesOwned, makeOwnedFolder, ownedFileCalls, readBounded, removeOwned } from "../file/index.ts";

/** Bytes that are read of what is known of one order. */
const MOST_BYTES = 32 * 1024 ** 2;

const noteShape = z.strictObject({
  /** What was sent, before it was handed over. */
  sent: z.exactOptional(z.strictObject({ commit: objectId, head: objectId })),
  /** Every report up to this number was heard. */
  upTo: z.exactOptional(z.int().min(1)),
  /** Those of them that whoever takes the run up needs. */
  reports: z.exactOptional(z.array(reportShape)),
  /** The question of this number was answered. */
  answered: z.exactOptional(z.int().min(1)),
  /** The work of the turn that ended with this report stands in the folder. */
  taken: z.exactOptional(z.strictObject({ seq: z.int().min(1), commit: objectId })),
});

export type AwayNote = z.output<typeof noteShape>;

/** What is known here of an order on another machine. */
export interface AwayOrder {
  readonly sent: AwayNote["sent"];
  readonly upTo: number;
  readonly reports: readonly Report[];
  readonly taken: ReadonlyMap<number, string>;
}

/**
 * What a process keeps of orders on other machines, so that another one can go on with them where it dies. It has as many
 * lives as its process: after a power cut an order is begun anew.
 */
export interface AwayBook {
  /** Whether an order of an attempt was sent. */
  has(token: string): boolean;
  read(id: string): AwayOrder | undefined;
  /** Where that fails, nothing of the attempt is known to anybody later. Never throws. */
  note(id: string, note: AwayNote): void;
  /** Nobody asks for the orders of an attempt any more. Never throws. */
  forget(token: string): void;
  /** Forgets all attempts but these. Never throws. */
  forgetOthers(tokens: readonly string[]): void;
}

/** What a turn says on its way was told already. */
const PASSING: ReadonlySet<OrderEvent["type"]> = new Set(["line", "output", "tool", "process"]);

/** Whether a report is told again to whoever takes the run up. */
function isKept(event: OrderEvent): boolean {
  if (event.type === "permission") return event.by === "nobody";
  // What it hands over counts at its end; any other call is answered now or never.
  if (event.type === "call") return event.op === "add";
  return !PASSING.has(event.type);
}

/** What is noted of reports that were heard together. */
export function noteOf(reports: readonly Report[]): AwayNote {
  const kept = reports.filter(({ event }) => isKept(event));
  const upTo = reports.at(-1)?.seq;
  return {
    ...(upTo === undefined ? {} : { upTo }),
    ...(kept.length === 0 ? {} : { reports: kept as z.output<typeof reportShape>[] }),
  };
}

/** Whether a note tells more than how far was heard. */
export function tellsMore(note: AwayNote): boolean {
  return Object.keys(note).some(key => key !== "upTo");
}

/** The text of a book as it holds on another machine: no work has come into a folder there. */
export function untaken(book: Uint8Array): string {
  const lines = Buffer.from(book).toString("utf8").split("\n");
  return lines.filter(line => !/"taken":\{/.test(line)).join("\n");
}

export const tokenOf = (id: string): string => id.slice(0, id.lastIndexOf("/"));

const nameOf = (token: string): string => createHash("sha256").update(token).digest("hex").slice(0, 24);

/** The book in this folder; one file for each attempt. */
export function openAwayBook(folder: string): AwayBook {
  makeOwnedFolder(folder);
  const broken = new Set<string>();
  const placeOf = (token: string) => join(folder, `${nameOf(token)}.jsonl`);

  return {
    has: token => existsSync(placeOf(token)),
    read(id) {
      const bytes = readBounded(placeOf(tokenOf(id)), { maxBytes: MOST_BYTES, calls: ownedFileCalls });
      if (!bytes.ok) return undefined;
      const notes = Buffer.from(bytes.value)
        .toString("utf8")
        .split("\n")
        .flatMap(line => noteIn(line, id));
      if (notes.length === 0) return undefined;
      const answered = new Set(notes.flatMap(note => note.answered ?? []));
      const reports = notes.flatMap(note => (note.reports ?? []) as readonly Report[]);
      return {
        sent: notes.find(note => note.sent !== undefined)?.sent,
        upTo: Math.max(0, ...notes.flatMap(note => note.upTo ?? [])),
        reports: reports.filter(({ event }) => event.type !== "question" || !answered.has(event.question)),
        taken: new Map(
          notes.flatMap(({ taken }) => (taken === undefined ? [] : [[taken.seq, taken.commit]])),
        ),
      };
    },
    note(id, note) {
      const token = tokenOf(id);
      if (broken.has(token)) return;
      try {
        append(placeOf(token), `${JSON.stringify({ id, ...z.encode(noteShape, note) })}\n`);
      } catch {
        // The disk is full: a book with a gap would have somebody wait for what never comes.
        broken.add(token);
        forget(placeOf(token));
      }
    },
    forget: token => forget(placeOf(token)),
    forgetOthers(tokens) {
      const kept = new Set(tokens.map(token => `${nameOf(token)}.jsonl`));
      for (const { name } of entriesOwned(folder)) if (!kept.has(name)) forget(join(folder, name));
    },
  };
}

function append(path: string, text: string): void {
  const fd = ownedFileCalls.open(path, "append", 0o600);
  try {
    const bytes = Buffer.from(text);
    if (writeSync(fd, bytes) < bytes.length) throw new Error("the disk is full");
  } finally {
    closeSync(fd);
  }
}

function forget(path: string): void {
  try {
    removeOwned(path);
  } catch {
    // It is forgotten at the next start.
  }
}

const lineShape = z.looseObject({ id: z.string() });

function noteIn(line: string, id: string): readonly AwayNote[] {
  if (line === "") return [];
  try {
    const { id: whose, ...rest } = lineShape.parse(JSON.parse(line));
    return whose === id ? [z.decode(noteShape, rest as z.input<typeof noteShape>)] : [];
  } catch {
    return [];
  }
}
