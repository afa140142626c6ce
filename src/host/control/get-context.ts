import { documentsRead, noteAsked, resultOf, resultText } from "../../context/library/index.ts";
import type { ControlReply, WorkerAsk } from "../../engine/control/protocol.ts";
import type { Engine } from "../../engine/index.ts";
import { type Task, tasksBefore } from "../../plan/index.ts";
import type { AttemptRow } from "../../ports/index.ts";
import { type Locale, nearest, type Told, textHash, thereAre, told, visible } from "../../text/index.ts";
import { countTokens } from "../../tokens/index.ts";
import { restoreTree } from "../../tree/index.ts";
import type { RunReading } from "../project/reader.ts";
import type { ContextReading } from "../session/context.ts";
import type { Session } from "../session/open.ts";
import { documentText, listText } from "./document-text.ts";
import { refuse } from "./refusal.ts";

/** A task's result under a line that names attempt and hash. */
function resultReply(task: string, attempt: number, text: string): ControlReply {
  return { ok: true, message: `${task}#${attempt} ${textHash(text).slice(0, 12)}\n${text}\n` };
}

function listReply(documents: string, results: readonly string[]): ControlReply {
  const told = results.length === 0 ? "" : `\nresults of ${results.map(id => visible(id, 80)).join(", ")}`;
  return { ok: true, message: `${documents}${told}` };
}

/** The name that was meant, or else which there are. */
function hinted(said: Told, name: string, known: readonly string[]): Told {
  const guess = nearest(name.slice(0, 200), known);
  const hint = guess === undefined ? thereAre(name, known) : told`did you mean ${visible(guess, 80)}?`;
  return told`${said}; ${hint}`;
}

/**
 * What an attempt asks for by its name: a document that its node reads, by label or path, or the result of a task that it
 * builds on; without a name the list. What it is given is counted in its receipt.
 */
export async function getContext(
  { shared, library, run }: Pick<Engine, "shared" | "library" | "run">,
  { store, runId }: Pick<Session, "store" | "runId">,
  { task, row }: { readonly task: Task; readonly row: AttemptRow },
  { name, version }: Extract<WorkerAsk, { op: "get" }>,
  locale: Locale,
): Promise<ControlReply> {
  const documents = documentsRead(library, task, row.startedAt);
  const before = new Set(tasksBefore(run.plan, task.id).map(({ id }) => id));
  const reading = { runId, store, now: row.startedAt };
  if (name === undefined) {
    const results = [...before].filter(id => resultOf(library, reading, id) !== undefined);
    const labels = documents.map(({ label }) => label);
    return listReply(listText(shared, labels), results);
  }
  const document = documents.find(one => one.label === name) ?? documents.find(one => one.name === name);
  const result = document !== undefined || !before.has(name) ? undefined : resultOf(library, reading, name);
  const reply =
    document !== undefined
      ? documentText(shared, document.label, version, locale)
      : result === undefined
        ? refuse(
            "NOT_YOURS",
            hinted(told`your node does not read ${visible(name, 80)}`, name, [
              ...documents.map(one => one.name),
              ...before,
            ]),
            locale,
          )
        : resultReply(result.task, result.attempt, result.text);
  if (reply.ok) {
    const source = document?.label ?? name;
    const tokens = countTokens(reply.message);
    await noteAsked(library, { runId, task: task.id, attempt: row.number, source, tokens });
  }
  return reply;
}

/** What the newest accepted attempt of a task has left for others; undefined for nothing. */
function leftBy(run: RunReading | undefined, task: string): ControlReply | undefined {
  const done = run?.attempts(task).findLast(({ outcome }) => outcome === "done");
  const text = done === undefined ? "" : resultText(done.finalMessage);
  return done === undefined || text === "" ? undefined : resultReply(task, done.number, text);
}

/** Everything that a person may ask for by its name. */
export function listNamed({ shared }: ContextReading, run: RunReading | undefined): ControlReply {
  const labels = shared.labels();
  const completed = (run?.stored.tasks ?? []).flatMap(({ id, status }) =>
    status === "completed" ? [id] : [],
  );
  return listReply(
    listText(shared, labels.ok ? labels.value : []),
    completed.filter(id => leftBy(run, id) !== undefined),
  );
}

/** Under which label a file of the repository is kept. */
function labelOfFile(rows: ContextReading["rows"], path: string): string | undefined {
  const stored = rows.load();
  const tree = stored.ok ? restoreTree(stored.value) : undefined;
  if (tree?.ok !== true || tree.value === undefined) return undefined;
  for (const { shared, own } of tree.value.nodes.values()) {
    const found = [...shared, ...own].find(({ source }) => source.kind === "file" && source.path === path);
    if (found !== undefined) return found.label;
  }
  return undefined;
}

/** The names of all documents and tasks. */
export function namesThereAre({ shared }: ContextReading, run: RunReading | undefined): string[] {
  const labels = shared.labels();
  return [...(labels.ok ? labels.value : []), ...(run?.plan.tasks ?? []).map(({ id }) => id)];
}

/** A document by its label or path, or the result of a task of the last run, whole. */
export function getNamed(
  reading: ContextReading,
  run: RunReading | undefined,
  name: string,
  version: number | undefined,
  locale: Locale,
): ControlReply {
  const { shared, rows } = reading;
  const labels = shared.labels();
  const known = labels.ok ? labels.value : [];
  if (known.includes(name)) return documentText(shared, name, version, locale);
  const label = labelOfFile(rows, name);
  if (label !== undefined) return documentText(shared, label, version, locale);
  const left = leftBy(run, name);
  if (left !== undefined) return left;
  if (run?.plan.tasks.some(({ id }) => id === name) === true)
    return refuse("NO_RESULT", told`${visible(name, 80)} has left no answer yet`, locale);
  const said = hinted(told`there is no ${visible(name, 80)}`, name, namesThereAre(reading, run));
  return refuse("NO_SUCH_NAME", said, locale);
}
