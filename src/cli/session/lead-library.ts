import { relative } from "node:path";
import { SYSTEM_CLOCK } from "../../adapters/local/clock.ts";
import { localDocuments } from "../../adapters/local/documents.ts";
import type { ContextWork } from "../../engine/index.ts";
import { immediateLedger } from "../../engine/index.ts";
import { createLibrary, fillProblem, gather, type Library, packageFor } from "../../engine/tree/index.ts";
import type { AttemptRow } from "../../ports/index.ts";
import { messagesFor } from "../../text/index.ts";
import { createTokenCache } from "../../tokens/index.ts";
import { storeError } from "../errors.ts";
import { treeOptions } from "../settings.ts";
import type { OfflineRun } from "./offline-run.ts";
import type { Session } from "./open.ts";

/** The run a lead holds. */
interface Held {
  readonly session: Session;
  readonly offline: OfflineRun;
}

/** The context tree of a run that a lead drives; each change is durable at once. */
export function leadLibrary({ session, offline }: Held): Library {
  const { store, epoch, runId, project } = session;
  return createLibrary({
    rows: store.context,
    desk: offline.desk,
    ledger: immediateLedger(context => {
      const written = store.commit({ epoch, runId, context });
      if (!written.ok) throw storeError(written.failure);
    }, SYSTEM_CLOCK.now),
    plan: () => session.run.plan,
    files: localDocuments(project.root),
    options: treeOptions(project.config),
    count: createTokenCache().count,
    tell: (code, message, task) =>
      offline.record([{ type: "warning", code, message, ...(task === undefined ? {} : { task }) }]),
  });
}

/** What a lead's agent is to read besides its prompt: the whole package, and the file that holds it. */
export interface LeadPackage {
  readonly text: string;
  /** Of the whole package. */
  readonly tokens: number;
  /** Relative to the project; undefined where there is nothing but the task, or no file could be written. */
  readonly path: string | undefined;
}

/** Puts together what a lead's agent reads, with its receipt. */
export async function leadPackage(
  held: Held,
  row: AttemptRow,
  assignment: string,
  feedback: string,
): Promise<LeadPackage | undefined> {
  const { session, offline } = held;
  const state = session.run.byId.get(row.task);
  if (state === undefined) return undefined;
  const { project, store, runId } = session;
  const library = leadLibrary(held);
  const { text, receipt } = await packageFor(library, {
    task: state.task,
    attempt: row.number,
    runId,
    maxAttempts: project.config.maxAttempts,
    assignment,
    messages: messagesFor(project.config.locale),
    store,
    feedback,
    now: SYSTEM_CLOCK.now(),
  });
  const receipts = [{ task: row.task, attempt: row.number, receipt: JSON.stringify(receipt) }];
  await library.ledger.commit(() => ({ rows: { receipts } }));
  // The last failure stands in the prompt itself.
  const hasMore = receipt.parts.some(
    ({ kind }) => kind === "document" || kind === "update" || kind === "result",
  );
  const path = hasMore ? offline.keepPrompt(row.task, row.number, text) : undefined;
  return { text, tokens: receipt.tokens, path: path === undefined ? undefined : relative(project.root, path) };
}

/** What a lead's agent hands to the tree with its whole answer; a problem where a fill has no usable one. */
export function leadHarvest(
  held: Held,
  row: AttemptRow,
  answer: string,
): { readonly work?: ContextWork; readonly problem?: string } {
  const task = held.session.run.byId.get(row.task)?.task;
  if (task === undefined) return {};
  const problem = task.fills === undefined ? undefined : fillProblem(answer);
  if (problem !== undefined) return { problem: `no document for ${task.fills}: ${problem}` };
  const ended = { task, attempt: row.number, agent: row.agent, accepted: true, finalMessage: answer };
  const work = gather(leadLibrary(held), ended);
  return work === undefined ? {} : { work };
}
