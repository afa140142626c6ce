import { resolve } from "node:path";
import {
  type LivePart,
  PACKAGE_LIMITS,
  type PackageReceipt,
  updateBetweenTurns,
} from "../../assembly/index.ts";
import {
  asksHandover,
  type DocumentFiles,
  documentsRead,
  packageFor,
  type TreeOptions,
  withAsked,
} from "../../context/library/index.ts";
import type { AttemptRow } from "../../ports/index.ts";
import type { PromptFacts } from "../../text/index.ts";
import { countTokens } from "../../tokens/index.ts";
import { SCAN_LIMITS } from "../../tree/index.ts";
import type { EngineOptions, HeardWorld } from "../world.ts";
import type { DueUpdate, Held } from "./team.ts";
import type { AttemptRequest, Place } from "./types.ts";

/** What an attempt is given when it begins. */
export interface Briefing {
  /** The message it begins with. */
  readonly message: string;
  /** Documents that stand whole in the message. */
  readonly held: readonly Held[];
  /** Labels that its node has been given since. */
  readonly fresh: () => readonly string[];
  /** An update of a document between its turns: what an agent wrote stands in marks that call it data, as in the message. */
  readonly marked: (label: string, update: string) => string;
  /** Variables for its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Files outside of its folder that it may write. */
  readonly writable: readonly string[];
  /** What its row keeps of it. */
  readonly kept: Partial<AttemptRow>;
  /** Tokens it is likely to be for its reader. */
  readonly likely: number;
  /** The agent is about to read it: receipt and estimate are made durable with whatever the loop writes next. */
  readonly handOver: () => void;
  /** What it was told while it ran, and whether it acknowledged it: part of its receipt from then on. */
  readonly record: (updates: readonly (DueUpdate & Pick<LivePart, "acknowledged">)[]) => void;
}

/** How the context tree is used where nothing else is said. */
export const DEFAULT_TREE: TreeOptions = {
  limits: PACKAGE_LIMITS,
  earlier: 1_500,
  addContext: "accepted",
  addScope: "path",
  scan: SCAN_LIMITS,
  handover: "repair",
  learn: true,
  research: 5,
  prompts: {},
};

function promptFacts(
  request: AttemptRequest,
  { left }: Place,
  document: string | undefined,
  world: HeardWorld,
  options: EngineOptions,
): PromptFacts {
  const { task, row } = request;
  const verify = task.verify ?? options.verify;
  // A program answers with its exit code.
  const handover = request.agent.reports === "exit" ? undefined : asksHandover(request.library.options, task);
  return {
    task: task.id,
    phase: String(task.phase),
    title: task.title,
    file: world.taskFile.displayPath,
    line: task.line,
    ...(document === undefined ? {} : { document }),
    learnings: world.files.learningsPath(task.id, row.number),
    signalId: `${task.id}#${row.nonce}`,
    kind: task.kind,
    ...(task.fills === undefined ? {} : { fills: task.fills }),
    ...(verify === undefined ? {} : { verify }),
    packaged: true,
    ...(handover === undefined ? {} : { handover }),
    ...(task.asked === undefined ? {} : { question: task.asked.question }),
    attempt: request.tries,
    maxAttempts: request.maxAttempts,
    ...(left === undefined ? {} : { left }),
    ...(request.sentBack === undefined ? {} : { sentBack: request.sentBack.note }),
  };
}

/** Puts together what an attempt reads. */
export async function brief(
  request: AttemptRequest,
  place: Place,
  world: HeardWorld,
  options: EngineOptions,
): Promise<Briefing> {
  const { task, row, library, now } = request;
  const document = task.fills === undefined ? undefined : world.files.openDocument?.(task.id, row.number);
  const made = await packageFor(library, {
    task,
    attempt: row.number,
    runId: options.runId,
    assignment: options.messages.prompt(promptFacts(request, place, document, world, options)),
    messages: options.messages,
    store: world.store,
    feedback: request.feedback,
    now: now(),
    charge: request.charge,
    reader: request.reader,
    // What has landed in a phase is read before the phase is merged.
    files: filesIn(place.workspace?.landed ?? options.cwd, world, options),
  });
  const { receipt, text, read } = made;
  const documents = receipt.parts.filter(({ kind }) => kind === "document" || kind === "update");
  // What was shortened or only named is asked for, not told by itself between turns.
  const known = new Set(documents.map(({ source }) => source));
  const whole = new Map(
    documents.flatMap(({ source, version, level, in: isIn }) =>
      isIn && level === 0 && version !== undefined ? [[source, version] as const] : [],
    ),
  );
  // A program is given a file, and holds nothing.
  const isReader = request.agent.reports !== "exit";
  const held = isReader ? [...whole].map(([label, version]) => ({ label, version })) : [];
  const kept = { estimate: read.estimate };
  const live: LivePart[] = [];
  const write = (account: PackageReceipt) =>
    request.keep(kept, () => {
      const told = withAsked(library, `${task.id}#${row.number}`, account);
      return { rows: { receipts: [{ task: task.id, attempt: row.number, receipt: JSON.stringify(told) }] } };
    });
  // A program cannot be talked to: it reads the same text from a file.
  const path =
    request.agent.reports === "exit" ? world.files.packageFile?.(task.id, row.number, text) : undefined;
  return {
    message: text,
    held,
    fresh: () =>
      documentsRead(library, task, now()).flatMap(({ label }) => (known.has(label) ? [] : [label])),
    marked(label, update) {
      const document = documentsRead(library, task, now()).find(one => one.label === label);
      return updateBetweenTurns(label, document?.origin, update, options.messages.inPackage);
    },
    env: {
      ...(path === undefined ? {} : { ESPALIER_CONTEXT: path }),
      ...(document === undefined ? {} : { ESPALIER_DOCUMENT: resolve(options.cwd, document) }),
    },
    writable: document === undefined ? [] : [resolve(options.cwd, document)],
    kept,
    likely: read.likely,
    handOver: () => write(receipt),
    record(updates) {
      if (updates.length === 0) return;
      for (const { label, version, text: told, acknowledged } of updates)
        live.push({ label, version, tokens: countTokens(told), acknowledged });
      write({ ...receipt, live });
    },
  };
}

/** The documents of a folder that holds the project. */
export function filesIn(
  folder: string,
  world: HeardWorld,
  options: EngineOptions,
): DocumentFiles | undefined {
  return folder === options.cwd ? world.documents : (world.documentsIn?.(folder) ?? world.documents);
}
