import type { Context } from "hono";
import type { Monitor, Reading } from "../host/monitor/types.ts";
import type { ShownWork, WorkPart, WorkWish } from "../host/run/shown-work.ts";
import type { AttemptRow, Result, Store, StoreFailure } from "../ports/index.ts";
import { countTokens } from "../tokens/index.ts";
import { branchesShape } from "./read/branches.ts";
import { budgetShape } from "./read/budget.ts";
import { checkpointsShape, checkpointText, compareCheckpoints } from "./read/checkpoints.ts";
import { COMPARABLE, compare } from "./read/compare.ts";
import { contextShape } from "./read/context.ts";
import { diffShape, unfoldedShape } from "./read/diff.ts";
import { createHistory } from "./read/history.ts";
import { machinesShape } from "./read/machines.ts";
import { searchOutputs } from "./read/search.ts";
import { changesShape, taskShape } from "./read/task.ts";
import type { ContextShape, TextShape } from "./shapes/context.ts";
import { MOST_TEXT } from "./shapes/limits.ts";
import type { EventsShape } from "./shapes/stream.ts";
import type { LogShape } from "./shapes/task.ts";
import { shown, shownBlock, shownEvent } from "./shown.ts";
import { withoutSignals } from "./signals.ts";
import { type ServerWords, serverWords } from "./words.ts";

/** Events in one answer, and bytes of raw output. */
const PAGE = 500;
const LOG = 64 * 1024;

/** What is refused, in the language that the monitor speaks. */
function wordsOf({ locale }: Monitor): ServerWords {
  return serverWords(locale);
}

/** A refusal as the API tells it. */
export function refuse(status: number, error: string): Response {
  return Response.json({ error: shown(error) }, { status });
}

/** Answers a GET of the API. */
export type Route = (query: Context["req"], monitor: Monitor) => Response | Promise<Response>;

/** Thrown inside a route to leave with a refusal. */
class Refusal extends Error {
  readonly response: Response;
  constructor(status: number, error: string) {
    super(error);
    this.response = refuse(status, error);
  }
}

/** Carries out a route; what it refuses is its answer. */
export async function answerWith(route: Route, query: Context["req"], monitor: Monitor): Promise<Response> {
  try {
    return await route(query, monitor);
  } catch (error) {
    if (error instanceof Refusal) return error.response;
    throw error;
  }
}

function requireRun(monitor: Monitor): Reading {
  const reading = monitor.read();
  if (!reading.ok) throw new Refusal(503, reading.failure);
  if (reading.value === undefined) throw new Refusal(404, wordsOf(monitor).noRun);
  return reading.value;
}

function must<T>(monitor: Monitor, question: (store: Store) => Result<T, StoreFailure>): T {
  const found = monitor.ask(question);
  if (!found.ok) throw new Refusal(503, found.failure);
  if (found.value === undefined) throw new Refusal(404, wordsOf(monitor).nothing);
  return found.value;
}

/** A whole number of a query, or `fallback`. */
function numberOf(query: Context["req"], name: string, fallback: number): number {
  const value = Number(query.query(name) ?? fallback);
  return Number.isSafeInteger(value) && value >= 0 ? value : fallback;
}

function wordOf(query: Context["req"], name: string): string {
  return query.query(name) ?? "";
}

const task: Route = (query, monitor) => {
  const id = wordOf(query, "id");
  const reading = requireRun(monitor);
  const run = reading.stored.run.id;
  const attempts = must(monitor, store => store.attempts(run, id));
  const receipts = must(monitor, store => store.context.receipts(run, id));
  const spans = must(monitor, store => store.spans(run));
  const shape = taskShape(monitor, reading, id, { attempts, receipts, spans });
  if (shape === undefined) throw new Refusal(404, wordsOf(monitor).noTask(id));
  return Response.json(shape);
};

/** A page of history: what follows `after`, or the newest events. */
const events: Route = (query, monitor) => {
  const reading = monitor.read();
  if (!reading.ok) throw new Refusal(503, reading.failure);
  const stored = reading.value?.stored;
  const lastSeq = stored?.lastSeq ?? 0;
  const after = numberOf(query, "after", Math.max(0, lastSeq - PAGE));
  const found = stored === undefined ? [] : must(monitor, store => store.events(stored.run.id, after, PAGE));
  const shape: EventsShape = {
    lastSeq,
    events: found.map(({ seq, at, event }) => ({ seq, at, event: shownEvent(event, monitor.locale) })),
  };
  return Response.json(shape);
};

const log: Route = (query, monitor) => {
  const of = Math.min(100, numberOf(query, "of", 1));
  const found = monitor.log(wordOf(query, "task"), numberOf(query, "attempt", 0), LOG, of);
  if (found === undefined) throw new Refusal(404, wordsOf(monitor).noOutput);
  const shape: LogShape = {
    text: shownBlock(withoutSignals(found.text), LOG, "end"),
    bytes: found.bytes,
    cut: found.bytes > LOG,
    path: shown(found.path),
  };
  return Response.json(shape);
};

/** What an attempt's commit changed: the commit is the one we stored, never one that is asked for. */
const changes: Route = async (query, monitor) => {
  const [id, number] = [wordOf(query, "task"), numberOf(query, "attempt", 0)];
  const run = requireRun(monitor).stored.run.id;
  const row = must(monitor, store => store.attempts(run, id)).find(attempt => attempt.number === number);
  if (row?.commit === undefined) throw new Refusal(404, wordsOf(monitor).noCommit);
  return Response.json(changesShape(await monitor.changes(row.commit)));
};

/** What work a query asks for. */
function wishOf(query: Context["req"]): WorkWish {
  const phase = wordOf(query, "phase");
  const attempt = numberOf(query, "attempt", 0);
  return phase === "" ? { task: wordOf(query, "task"), ...(attempt === 0 ? {} : { attempt }) } : { phase };
}

async function workOf(monitor: Monitor, wish: WorkWish, part: WorkPart): Promise<ShownWork> {
  const found = await monitor.work(wish, part);
  if (!found.ok) throw new Refusal(503, found.failure);
  if (found.value === undefined) throw new Refusal(404, wordsOf(monitor).noRun);
  return found.value;
}

/** What a task, an attempt or a phase has changed: both ends are commits and folders of ours, never names that are asked for. */
const diff: Route = async (query, monitor) => {
  const { plan } = requireRun(monitor);
  const wish = wishOf(query);
  const task = "task" in wish ? plan.tasks.find(({ id }) => id === wish.task) : undefined;
  if ("task" in wish && task === undefined) throw new Refusal(404, wordsOf(monitor).noTask(wish.task));
  const work = await workOf(monitor, wish, "all");
  return Response.json(diffShape(work, task === undefined ? [] : monitor.proofOf(task)));
};

/** One file of it, by its place and by its path as it was shown. */
const diffFile: Route = async (query, monitor) => {
  const wish = wishOf(query);
  const list = await workOf(monitor, wish, "names");
  const file = list.files[numberOf(query, "at", 0)];
  if (file === undefined || shown(file.path) !== wordOf(query, "path"))
    throw new Refusal(409, wordsOf(monitor).changedMeanwhile);
  const { files, patches } = await workOf(monitor, wish, { path: file.path });
  const at = files.findIndex(({ path }) => path === file.path);
  return Response.json(unfoldedShape(file, patches[at]));
};

/** Before anything is written there is a page on which that can be done. */
const context: Route = (_query, monitor) => {
  const found = monitor.ask(store => store.context.load());
  if (!found.ok) throw new Refusal(503, found.failure);
  const shape: ContextShape =
    found.value === undefined ? { nodes: [], labels: [], holders: [] } : contextShape(found.value);
  return Response.json(shape);
};

/** The text of a version, raw. */
function versionText(monitor: Monitor, label: string, number: number): string {
  const { versions } = must(monitor, store => store.context.load());
  const row = versions.find(version => version.label === label && version.number === number);
  if (row === undefined) throw new Refusal(404, wordsOf(monitor).noVersion(`${label}-v${number}`));
  const found = monitor.ask(store => store.context.text(row.hash));
  if (!found.ok) throw new Refusal(503, found.failure);
  if (found.value === undefined) throw new Refusal(404, wordsOf(monitor).notKept(`${label}-v${number}`));
  return found.value;
}

const version: Route = (query, monitor) => {
  const text = versionText(monitor, wordOf(query, "label"), numberOf(query, "number", 0));
  const block = shownBlock(text, MOST_TEXT);
  const shape: TextShape = {
    text: block,
    editable: block === text,
    tokens: countTokens(text.slice(0, MOST_TEXT)),
    bytes: Buffer.byteLength(text),
    characters: text.length,
  };
  return Response.json(shape);
};

const compareVersions: Route = (query, monitor) => {
  const label = wordOf(query, "label");
  const [from, to] = [numberOf(query, "from", 0), numberOf(query, "to", 0)];
  const [old, next] = [versionText(monitor, label, from), versionText(monitor, label, to)];
  const together = old.length + next.length;
  if (together > COMPARABLE) throw new Refusal(413, wordsOf(monitor).tooLargeToCompare(COMPARABLE, together));
  return Response.json(compare(old, next, { label, from, to }, countTokens));
};

function orRefuse<T>(result: Result<T, string>): T {
  if (!result.ok) throw new Refusal(404, result.failure);
  return result.value;
}

const checkpoints: Route = (_query, monitor) =>
  Response.json(checkpointsShape(monitor.checkpoints(), monitor.locale));

const checkpoint: Route = (query, monitor) =>
  Response.json(orRefuse(checkpointText(monitor.checkpoints(), wordOf(query, "id"), monitor.locale)));

const checkpointPair: Route = (query, monitor) => {
  const [from, to] = [wordOf(query, "from"), wordOf(query, "to")];
  const { tooLargeToCompare } = wordsOf(monitor);
  return Response.json(
    orRefuse(
      compareCheckpoints(monitor.checkpoints(), from, to, countTokens, tooLargeToCompare, monitor.locale),
    ),
  );
};

/** Attempts that have ended, of every task that had one. */
function endedAttempts(monitor: Monitor, { stored }: Reading): AttemptRow[] {
  return stored.tasks.flatMap(row =>
    row.attempts === 0
      ? []
      : must(monitor, store => store.attempts(stored.run.id, row.id)).filter(attempt => attempt.endedAt > 0),
  );
}

const budget: Route = (_query, monitor) => {
  const reading = requireRun(monitor);
  const stored = must(monitor, store => store.context.load());
  const facts = monitor.budget();
  if (facts === undefined) throw new Refusal(503, wordsOf(monitor).badBudget);
  return Response.json(budgetShape(reading, facts, endedAttempts(monitor, reading), stored, monitor));
};

const branches: Route = async (_query, monitor) => Response.json(branchesShape(await monitor.whereabouts()));

/** Who works for the hub of the run, where it has one. */
const machines: Route = async (_query, monitor) => {
  const { run, openAttempts } = requireRun(monitor).stored;
  const found = await monitor.machines();
  return Response.json(
    machinesShape(
      found,
      openAttempts,
      found === undefined ? [] : must(monitor, store => store.spans(run.id)),
    ),
  );
};

/** Events that are read from the store at a time. */
const PORTION = 2000;

/** What a chart of the run is drawn from; others have their turn between two portions of its events. */
const history: Route = async (_query, monitor) => {
  const { run } = requireRun(monitor).stored;
  const told = createHistory();
  for (let after = 0; ; ) {
    const found = must(monitor, store => store.events(run.id, after, PORTION));
    told.take(found);
    const last = found.at(-1);
    if (last === undefined || found.length < PORTION) break;
    after = last.seq;
    await new Promise(resolve => setImmediate(resolve));
  }
  return Response.json(
    told.shape(
      run.startedAt,
      must(monitor, store => store.spans(run.id)),
    ),
  );
};

/** Characters that words to look for may have. */
const WORDS = { least: 2, most: 200 };

const search: Route = async (query, monitor) => {
  const words = wordOf(query, "words").trim();
  if (words.length < WORDS.least || words.length > WORDS.most)
    throw new Refusal(400, wordsOf(monitor).wordsHave(WORDS.least, WORDS.most));
  const run = requireRun(monitor).stored.run.id;
  const task = wordOf(query, "task");
  const spans = must(monitor, store => store.spans(run)).filter(span => task === "" || span.task === task);
  return Response.json(await searchOutputs(spans, words, numberOf(query, "from", 0), monitor.log));
};

/** What can be read, by path. */
export const ROUTES: Readonly<Record<string, Route>> = {
  "/api/task": task,
  "/api/events": events,
  "/api/log": log,
  "/api/changes": changes,
  "/api/diff": diff,
  "/api/diff/file": diffFile,
  "/api/context": context,
  "/api/version": version,
  "/api/compare": compareVersions,
  "/api/checkpoints": checkpoints,
  "/api/checkpoint": checkpoint,
  "/api/checkpoints/compare": checkpointPair,
  "/api/budget": budget,
  "/api/branches": branches,
  "/api/machines": machines,
  "/api/history": history,
  "/api/search": search,
};
