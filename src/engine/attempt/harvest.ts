import {
  type DocumentFiles,
  documentInFile,
  fillProblem,
  gather,
  type Library,
  notAdded,
  resultText,
  withAnswers,
} from "../../context/library/index.ts";
import type { ContextWork } from "../../context/shared/index.ts";
import type { Task } from "../../plan/index.ts";
import { type AttemptRow, because, ok, type Reason, type Result } from "../../ports/index.ts";
import { reasonText } from "../../text/index.ts";
import { scanOutput } from "../../tree/index.ts";
import type { EngineOptions, HeardWorld } from "../world.ts";
import { filesIn } from "./briefing.ts";
import type { AttemptRequest, Place } from "./types.ts";
import { type Verdict, verdict } from "./verdict.ts";

/** The document that a context-fill has left in a file, in its own or in the folder it worked in. */
function documentOf(
  task: Task,
  attempt: number,
  folder: string | undefined,
  { left, files }: Remains,
): Result<string | undefined, Reason> {
  if (task.fills === undefined) return ok(undefined);
  return documentInFile(task, { left: left(task.id, attempt), files: files(folder) });
}

/** A context-fill that leaves no document has not done what it was for. */
export function judgeFill<T extends Verdict & { readonly finalMessage: string }>(
  { task, row }: Pick<AttemptRequest, "task" | "row">,
  place: Place,
  judged: T,
  world: HeardWorld,
  options: EngineOptions,
): T & { readonly document?: string | undefined } {
  if (judged.outcome.kind !== "done" || task.fills === undefined) return judged;
  const document = documentOf(task, row.number, place.cwd, remainsIn(world, options));
  if (document.ok && document.value !== undefined) return { ...judged, document: document.value };
  const why = document.ok ? fillProblem(judged.finalMessage) : document.failure;
  if (why === undefined) return judged;
  const reason = because("no-document", { node: task.fills, why });
  const feedback = reasonText(reason, options.messages.locale);
  return { ...judged, ...verdict({ kind: "failed", reason }, "failed", { reason, feedback }) };
}

/** What a worker that was not done wants researched. */
export function questionsOf(judged: Verdict & { readonly finalMessage: string }): readonly string[] {
  const { kind } = judged.outcome;
  return kind === "failed" || kind === "no-signal" ? scanOutput(judged.finalMessage).requests : [];
}

/**
 * All that an attempt said. What it handed over comes first: a fence that the message leaves open would hide it. To be
 * asked once.
 */
export function wordsOf(
  { row }: Pick<AttemptRequest, "row">,
  finalMessage: string,
  world: HeardWorld,
): string {
  return [...(world.takeHanded?.(row.token) ?? []), finalMessage].join("\n\n");
}

/** What its task has said for others to read: where blocks of it are not taken in, it says so instead. */
export function answered(
  { task, library, now }: Pick<AttemptRequest, "task" | "library" | "now">,
  { outcome, finalMessage }: Verdict & { readonly finalMessage: string },
): string {
  if (outcome.kind !== "done") return finalMessage;
  return withAnswers(finalMessage, notAdded(library, task, finalMessage, now()));
}

/** What an ended attempt adds to the shared context, made durable with its end; undefined for nothing. `files`: where there is no git. */
export function harvest(
  runId: string,
  request: Pick<AttemptRequest, "task" | "row" | "agent" | "library" | "shared">,
  end: Verdict & { readonly document?: string | undefined },
  words: string,
  files: DocumentFiles | undefined,
): ContextWork | undefined {
  const { task, row, agent, library, shared } = request;
  const commit = end.outcome.kind === "done" ? end.outcome.commit : undefined;
  return gather(library, {
    runId,
    task,
    attempt: row.number,
    agent: agent.name,
    accepted: end.outcome.kind === "done",
    document: end.document,
    work: { commit, files },
    finalMessage: words,
    // What it hands to the team is told to whoever is at work.
    announce: shared.reach("IP-010"),
  });
}

/** Where the documents of dead attempts may still lie. */
export interface Remains {
  left(task: string, attempt: number): Result<string | undefined, string>;
  /** The files of the folder an attempt worked in. */
  files(folder: string | undefined): DocumentFiles | undefined;
}

/** What is left of them in a world. */
export function remainsIn(world: HeardWorld, options: EngineOptions): Remains {
  return {
    left: (task, attempt) => world.files.documentLeft?.(task, attempt) ?? ok(undefined),
    files: folder => filesIn(folder ?? options.cwd, world, options),
  };
}

/** What attempts add whose work had landed when their process died: what they said was durable before that. */
export function recover(
  runId: string,
  dead: readonly AttemptRow[],
  taskOf: (id: string) => Task | undefined,
  library: Library,
  remains: Remains,
): ContextWork[] {
  return dead.flatMap(row => {
    const task = row.outcome === "done" ? taskOf(row.task) : undefined;
    return task === undefined ? [] : (recoverOne(runId, row, task, library, remains) ?? []);
  });
}

function recoverOne(
  runId: string,
  { number: attempt, agent, folder, finalMessage, commit }: AttemptRow,
  task: Task,
  library: Library,
  remains: Remains,
): ContextWork | undefined {
  const found = documentOf(task, attempt, folder, remains);
  // Where its file is gone, an answer that tells of the file is no document.
  const text = found.ok ? found.value : "";
  if (task.fills !== undefined && (text ?? resultText(finalMessage)) === "") {
    const why = found.ok ? because("document-empty", {}) : found.failure;
    const lost = because("document-lost", { task: task.id, node: task.fills, why });
    library.tell("CONTEXT_LOST", lost, task.id);
  }
  const work = { commit };
  return gather(library, { runId, task, attempt, agent, accepted: true, document: text, work, finalMessage });
}
