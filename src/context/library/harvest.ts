import type { Task } from "../../plan/index.ts";
import { expectedPaths } from "../../plan/index.ts";
import { because, fail, ok, type Reason, type Result } from "../../ports/index.ts";
import { isCut, said, textHash } from "../../text/index.ts";
import { type Provenance, type RefusalReason, type Source, scanOutput } from "../../tree/index.ts";
import { type ContextStep, type ContextWork, joinSteps, together } from "../shared/index.ts";
import { noteEdits, type Work } from "./edited-files.ts";
import type { DocumentFiles } from "./files.ts";
import { asChange, hangDocument } from "./grow-tree.ts";
import { addedLabel, fillLabel } from "./labels.ts";
import { type Library, nodeRead } from "./library.ts";
import { scopeProblem } from "./not-added.ts";
import { noteCited } from "./note-cited.ts";
import { resultText } from "./result-text.ts";

/** An attempt that has ended. Its final message is foreign. */
export interface Ended {
  readonly runId: string;
  readonly task: Task;
  readonly attempt: number;
  readonly agent: string;
  readonly accepted: boolean;
  readonly finalMessage: string;
  /** What tells which declared files it changed. */
  readonly work?: Work | undefined;
  /** The document of a context-fill, where it stands in a file. */
  readonly document?: string | undefined;
  /** Made along with it where something is handed to the team, and only there. */
  readonly announce?: ContextWork | undefined;
}

/** Where the document of a context-fill may stand besides its answer. */
export interface FillSources {
  /** What it left in its own file; a failure where that cannot be read. */
  readonly left: Result<string | undefined, string>;
  /** The folder it worked in. */
  readonly files: DocumentFiles | undefined;
}

/** UTF-8 bytes that a document may have which is an answer. */
const MESSAGE_LIMIT = 64 * 1024;

/** Why the message of a context-fill cannot become its document; undefined when it can. */
export function fillProblem(finalMessage: string): Reason | undefined {
  if (isCut(finalMessage) || Buffer.byteLength(finalMessage) >= MESSAGE_LIMIT)
    return because("document-too-long", {});
  return resultText(finalMessage) === "" ? because("document-empty", {}) : undefined;
}

/**
 * The document that a context-fill leaves in a file: the one it was given for that, else those it was to write; undefined
 * where its answer is the document. A failure says why there is none.
 */
export function documentInFile(
  { expects }: Pick<Task, "expects">,
  { left, files }: FillSources,
): Result<string | undefined, Reason> {
  if (!left.ok) return fail(said("system", left.failure));
  if (left.value !== undefined || files === undefined) return left;
  const texts: string[] = [];
  for (const path of expectedPaths(expects)) {
    const text = files.read(path);
    if (!text.ok) return fail(said("system", text.failure.message));
    texts.push(text.value);
  }
  if (texts.length === 0) return ok(undefined);
  const joined = texts.length === 1 ? texts[0]! : texts.map(text => text.trimEnd()).join("\n\n");
  return joined.trim() === ""
    ? fail(because("paths-empty", { paths: expectedPaths(expects).join(", ") }))
    : ok(joined);
}

/**
 * What an ended attempt leaves: what it gives to the tree, and in its receipt what it cites. Runs in the ledger's order.
 */
export function gather(library: Library, ended: Ended): ContextWork | undefined {
  const { runId, task, attempt, agent, accepted, finalMessage, work } = ended;
  const handed = gives(library, ended);
  const given = handed && together([handed, ended.announce]);
  const edits = work && noteEdits(library, work, nodeRead(task), { task: task.id, attempt, agent });
  if (!accepted) {
    library.asked.written.delete(`${task.id}#${attempt}`);
    return edits === undefined ? given : together([given, edits]);
  }
  const answer = resultText(finalMessage);
  return together([given, edits, now => noteCited(library, { runId, task, attempt, answer }, now)]);
}

/** The document it was to prepare, and what it added; blocks that are not taken in are told, and stay in its message. */
function gives(library: Library, ended: Ended): ContextWork | undefined {
  const { task, accepted, finalMessage } = ended;
  const { addContext, scan: limits } = library.options;
  const scan = scanOutput(finalMessage, limits);
  const isTaken = addContext === "always" || (addContext === "accepted" && accepted);
  const additions = isTaken ? scan.additions : [];
  if (isTaken || accepted) tellRefused(library, ended, scan.refusals, scan.refused);
  if (!isTaken && accepted && scan.additions.length > 0)
    library.tell("ADD_CONTEXT", because("blocks-off", { blocks: scan.additions.length }), task.id);
  const fill = accepted && task.fills !== undefined ? (ended.document ?? resultText(finalMessage)) : "";
  if (additions.length === 0 && fill === "") return undefined;
  return now => {
    const steps: (ContextStep | undefined)[] = [library.grow(now)];
    const take = (node: string, label: string, text: string, source: (origin: Provenance) => Source) =>
      steps.push(...keep(library, ended, { node, label, text, source }, now));
    if (fill !== "") take(task.fills!, fillLabel(task.id), fill, origin => ({ kind: "fill", ...origin }));
    for (const [at, { node, text }] of additions.entries()) {
      const problem = scopeProblem(library, task, node, now);
      if (problem !== undefined) library.tell("ADD_CONTEXT", problem, task.id);
      else {
        const label = addedLabel(task.id, ended.attempt, at + 1);
        take(node, label, text, origin => ({ kind: "added", index: at + 1, ...origin }));
      }
    }
    return joinSteps(steps);
  };
}

interface Kept {
  readonly node: string;
  readonly label: string;
  readonly text: string;
  readonly source: (origin: Provenance) => Source;
}

function keep(library: Library, ended: Ended, kept: Kept, now: number): (ContextStep | undefined)[] {
  const { task, attempt, agent } = ended;
  const tree = library.tree(now);
  if (tree === undefined) return [];
  const { label, text } = kept;
  const origin = { task: task.id, attempt, agent, at: now, sha256: textHash(text) };
  const hung = hangDocument(tree, kept.node, { label, source: kept.source(origin) });
  if ("unhung" in hung) {
    const { unhung: node, status } = hung;
    const why =
      status === undefined
        ? because("block-unknown-node", { node })
        : because("block-unhung", { node, status });
    library.tell("ADD_CONTEXT", why, task.id);
    return [];
  }
  const by = `${task.id} #${attempt}`;
  const published = library.shared.work(label, { type: "publish", text, by });
  if (!published.ok) {
    library.tell(
      "ADD_CONTEXT",
      because("block-unpublished", { label, why: published.failure.kind }),
      task.id,
    );
    return [];
  }
  const rows = asChange(hung);
  return [rows === undefined ? undefined : { rows }, published.value(now)];
}

function tellRefused(
  library: Library,
  { task }: Ended,
  refusals: readonly { node: string; line: number; why: RefusalReason }[],
  refused: number,
): void {
  for (const { node, line, why } of refusals.slice(0, 3))
    library.tell("ADD_CONTEXT", because("block-not-taken", { node, line, why }), task.id);
  const more = refused - Math.min(3, refusals.length);
  if (more > 0) library.tell("ADD_CONTEXT", because("blocks-not-taken", { blocks: more }), task.id);
}
