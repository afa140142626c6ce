import { relative } from "node:path";
import { SYSTEM_CLOCK } from "../../adapters/local/clock.ts";
import {
  createNodeLife,
  documentInFile,
  fillProblem,
  gather,
  type Library,
  packageFor,
} from "../../context/library/index.ts";
import type { ContextWork } from "../../context/shared/index.ts";
import { together } from "../../context/shared/index.ts";
import { askResearch, type Plan } from "../../plan/index.ts";
import { type AttemptRow, because, LEAD, ok, type Reason } from "../../ports/index.ts";
import { isSatisfied } from "../../run/index.ts";
import { messagesFor } from "../../text/index.ts";
import { UNCALIBRATED } from "../../tokens/index.ts";
import { scanOutput } from "../../tree/index.ts";
import { treeOptions } from "../project/settings.ts";
import type { Session } from "../session/open.ts";
import type { OfflineRun } from "./offline-run.ts";
import { sessionLibrary } from "./session-library.ts";

/** The run a lead holds. */
interface Held {
  readonly session: Session;
  readonly offline: OfflineRun;
}

/** The context tree of a run that a lead drives; each change is durable at once. */
export async function leadLibrary({ session, offline }: Held): Promise<Library> {
  return sessionLibrary(session, await offline.shared(), (code, message, task) =>
    offline.record([{ type: "warning", code, message, ...(task === undefined ? {} : { task }) }]),
  );
}

/** What a lead's agent is to read besides its prompt: the whole package, and the file that holds it. */
export interface LeadPackage {
  readonly text: string;
  /** Of the whole package. */
  readonly tokens: number;
  /** Relative to the project; undefined where there is nothing but the task, or no file could be written. */
  readonly path: string | undefined;
}

/** Parts of a package that its prompt alone does not tell: with a role come the rules of the tree. */
const MORE: ReadonlySet<string> = new Set(["role", "document", "update", "result"]);

async function assembled(
  { session }: Held,
  library: Library,
  row: AttemptRow,
  assignment: string,
  feedback: string,
): ReturnType<typeof packageFor> {
  const { project, store, runId } = session;
  return packageFor(library, {
    task: session.run.byId.get(row.task)!.task,
    attempt: row.number,
    runId,
    assignment,
    messages: messagesFor(project.config.locale),
    store,
    feedback,
    now: SYSTEM_CLOCK.now(),
    reader: { model: project.config.agents[LEAD]?.model ?? row.agent, known: UNCALIBRATED },
  });
}

/** Tokens of what an attempt would be given to read. */
export async function packageTokens(
  held: Held,
  row: AttemptRow,
  assignment: string,
  feedback: string,
): Promise<number> {
  if (!held.session.run.byId.has(row.task)) return 0;
  return (await assembled(held, await leadLibrary(held), row, assignment, feedback)).read.estimate;
}

/** Puts together what a lead's agent reads, with its receipt. */
export async function leadPackage(
  held: Held,
  row: AttemptRow,
  assignment: string,
  feedback: string,
): Promise<LeadPackage | undefined> {
  const { session, offline } = held;
  if (!session.run.byId.has(row.task)) return undefined;
  const library = await leadLibrary(held);
  const { text, receipt, read } = await assembled(held, library, row, assignment, feedback);
  const receipts = [{ task: row.task, attempt: row.number, receipt: JSON.stringify(receipt) }];
  await library.ledger.commit(() => ({ rows: { receipts } }));
  // The last failure stands in the prompt itself.
  const hasMore = receipt.parts.some(({ kind }) => MORE.has(kind));
  const path = hasMore ? offline.keepPrompt(row.task, row.number, text) : undefined;
  const { root } = session.project;
  return { text, tokens: read.estimate, path: path === undefined ? undefined : relative(root, path) };
}

/** What a lead's agent hands to the tree, and the nodes that are complete with it; a problem where a fill has no document. */
export async function leadHarvest(
  held: Held,
  row: AttemptRow,
  answer: string | undefined,
): Promise<{ readonly work?: ContextWork; readonly problem?: Reason }> {
  const { run } = held.session;
  const task = run.byId.get(row.task)?.task;
  if (task === undefined) return {};
  const library = await leadLibrary(held);
  const inFile =
    task.fills === undefined
      ? ok(undefined)
      : documentInFile(task, { left: ok(undefined), files: library.files });
  const none = (why: Reason) => because("no-document", { node: task.fills ?? "", why });
  if (!inFile.ok) return { problem: none(inFile.failure) };
  const document = inFile.value;
  const problem = task.fills === undefined || document !== undefined ? undefined : fillProblem(answer ?? "");
  if (problem !== undefined) return { problem: none(problem) };
  const { number: attempt, agent } = row;
  const work = gather(library, {
    runId: held.session.runId,
    task,
    attempt,
    agent,
    accepted: true,
    finalMessage: answer ?? "",
    work: { files: library.files },
    document,
  });
  const life = createNodeLife(library, id => isSatisfied(run.byId.get(id)?.status ?? "pending"));
  return { work: together([work, now => life.follow([], now)]) };
}

/** The plan with the research that a lead's agent asks for; undefined where there is none to add. */
export function leadResearch(
  { session }: Pick<Held, "session">,
  task: string,
  answer: string,
): Plan | undefined {
  const { requests } = scanOutput(answer);
  const { research } = treeOptions(session.project.config);
  return requests.length === 0 ? undefined : askResearch(session.run.plan, task, requests, research);
}
