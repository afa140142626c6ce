import { resolve } from "node:path";
import { type LivePart, PACKAGE_LIMITS, type PackageReceipt } from "../../assembly/index.ts";
import { type AttemptRow, ok } from "../../ports/index.ts";
import type { PromptFacts } from "../../text/index.ts";
import { countTokens } from "../../tokens/index.ts";
import { SCAN_LIMITS, scanOutput } from "../../tree/index.ts";
import type { ContextWork } from "../context/index.ts";
import {
  type DocumentFiles,
  documentInFile,
  fillProblem,
  gather,
  labelsRead,
  packageFor,
  type TreeOptions,
} from "../tree/index.ts";
import type { EngineOptions, World } from "../world.ts";
import type { DueUpdate, Held } from "./team.ts";
import type { AttemptRequest, Place } from "./types.ts";
import { type Verdict, verdict } from "./verdict.ts";

/** What an attempt is given when it begins. */
export interface Briefing {
  /** The message it begins with. */
  readonly message: string;
  /** Documents that stand whole in the message. */
  readonly held: readonly Held[];
  /** Labels that its node has been given since. */
  readonly fresh: () => readonly string[];
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
  addContext: "accepted",
  addScope: "path",
  scan: SCAN_LIMITS,
  research: 5,
  prompts: {},
};

function promptFacts(
  request: AttemptRequest,
  document: string | undefined,
  world: World,
  options: EngineOptions,
): PromptFacts {
  const { task, row } = request;
  const verify = task.verify ?? options.verify;
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
    ...(task.asked === undefined ? {} : { question: task.asked.question }),
    attempt: request.tries,
    maxAttempts: request.maxAttempts,
  };
}

/** Puts together what an attempt reads. */
export async function brief(
  request: AttemptRequest,
  place: Place,
  world: World,
  options: EngineOptions,
): Promise<Briefing> {
  const { task, row, library, now } = request;
  const document = task.fills === undefined ? undefined : world.files.openDocument?.(task.id, row.number);
  const made = await packageFor(library, {
    task,
    attempt: row.number,
    runId: options.runId,
    maxAttempts: request.maxAttempts,
    assignment: options.messages.prompt(promptFacts(request, document, world, options)),
    messages: options.messages,
    store: world.store,
    feedback: request.feedback,
    now: now(),
    charge: request.charge,
    reader: request.reader,
    // What has landed in a phase is read before the phase is merged.
    files: filesIn(place.ground?.landed ?? options.cwd, world, options),
  });
  const { receipt, text, read } = made;
  const given = receipt.parts.flatMap(({ kind, source, version, in: isIn }) =>
    isIn && version !== undefined && (kind === "document" || kind === "update")
      ? [[source, version] as const]
      : [],
  );
  const known = new Map(given);
  // Only who can be told between its turns is kept in step; others are given what they missed by the next attempt.
  const follows = request.agent.abilities?.followUp === true;
  const held = follows ? [...known].map(([label, version]) => ({ label, version })) : [];
  const kept = { estimate: read.estimate };
  const live: LivePart[] = [];
  const write = (account: PackageReceipt) => {
    const receipts = [{ task: task.id, attempt: row.number, receipt: JSON.stringify(account) }];
    request.keep(kept, () => ({ rows: { receipts } }));
  };
  // A program cannot be talked to: it reads the same text from a file.
  const path =
    request.agent.reports === "exit" ? world.files.packageFile?.(task.id, row.number, text) : undefined;
  return {
    message: text,
    held,
    fresh: () => labelsRead(library, task, now()).filter(label => !known.has(label)),
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
function filesIn(folder: string, world: World, options: EngineOptions): DocumentFiles | undefined {
  return folder === options.cwd ? world.documents : (world.documentsIn?.(folder) ?? world.documents);
}

/** A context-fill that leaves no document has not done what it was for. */
export function judgeFill<T extends Verdict & { readonly finalMessage: string }>(
  { task, row }: Pick<AttemptRequest, "task" | "row">,
  place: Place,
  judged: T,
  world: World,
  options: EngineOptions,
): T & { readonly document?: string | undefined } {
  if (judged.outcome.kind !== "done" || task.fills === undefined) return judged;
  const left = world.files.documentLeft?.(task.id, row.number) ?? ok(undefined);
  const document = documentInFile(task, { left, files: filesIn(place.cwd, world, options) });
  if (document.ok && document.value !== undefined) return { ...judged, document: document.value };
  const problem = document.ok ? fillProblem(judged.finalMessage) : document.failure;
  if (problem === undefined) return judged;
  const reason = `no document for ${task.fills}: ${problem}`;
  return { ...judged, ...verdict({ kind: "failed", reason }, "failed", { reason, feedback: reason }) };
}

/** What a worker that was not done wants researched. */
export function questionsOf(
  judged: Verdict & { readonly finalMessage: string },
  world: World,
): readonly string[] {
  const { kind } = judged.outcome;
  return kind === "failed" || kind === "no-signal"
    ? scanOutput(world.redact(judged.finalMessage)).requests
    : [];
}

/** What an ended attempt adds to the shared context, made durable with its end; undefined for nothing. */
export function harvest(
  request: AttemptRequest,
  end: Verdict & { readonly finalMessage: string; readonly document?: string | undefined },
  world: World,
): ContextWork | undefined {
  const { task, row, agent, library } = request;
  return gather(library, {
    task,
    attempt: row.number,
    agent: agent.name,
    accepted: end.outcome.kind === "done",
    document: end.document === undefined ? undefined : world.redact(end.document),
    // What was handed over comes first: a fence that the message leaves open would hide it.
    finalMessage: world.redact([...(world.takeHanded?.(row.token) ?? []), end.finalMessage].join("\n\n")),
  });
}
