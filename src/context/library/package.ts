import {
  assemble,
  type ContextPackage,
  type PackageAttempt,
  type PackageDocument,
  type PackageLimits,
  type PackageNode,
  type PackageResult,
  type ReceiptPart,
} from "../../assembly/index.ts";
import type { Budget } from "../../budget/index.ts";
import type { Task } from "../../plan/index.ts";
import type { Store } from "../../ports/index.ts";
import type { AttemptSpend } from "../../run/index.ts";
import { type DocumentOrigin, type Messages, reasonText, said, textHash } from "../../text/index.ts";
import { nodeName, type PlacedDocument, pathOf, ROOT, readingOf, type Source } from "../../tree/index.ts";
import { condenseResults } from "./condense-results.ts";
import type { DocumentFiles } from "./files.ts";
import { fillLabel } from "./labels.ts";
import { type Library, nodeRead } from "./library.ts";
import { noteRead, outlookOf } from "./outlook.ts";
import { EXACT, limitsFor, type Reader, type ReadTokens, readTokens, strictLimits } from "./reader.ts";
import { refresh, type Unread } from "./refresh.ts";
import { resultLevels } from "./result-levels.ts";
import { resultText } from "./result-text.ts";
import { runWindow } from "./run-window.ts";
import { keepTold, named } from "./told.ts";
import { roleOfTask, windowTotal } from "./window-use.ts";

/** What a package is made for. */
export interface PackageFor {
  readonly task: Task;
  readonly attempt: number;
  readonly runId: string;
  readonly maxAttempts: number;
  /** What is to be done and how to report it. */
  readonly assignment: string;
  readonly messages: Messages;
  readonly store: Pick<Store, "attempts">;
  /** What the attempt before failed of, where the store does not say. */
  readonly feedback: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Whose tokens the package must fit; o200k tokens where it is not said. */
  readonly reader?: Reader;
  /** Where its files are read; without it the project's. */
  readonly files?: DocumentFiles | undefined;
  /** Counts in the run's budget what a model took for it; without it no model is asked. */
  readonly charge?: (spent: AttemptSpend) => void;
}

/** The package of one attempt, with the files its node declares as they are now. */
export async function packageFor(
  library: Library,
  of: PackageFor,
): Promise<ContextPackage & { readonly read: ReadTokens }> {
  const { task, messages } = of;
  const node = nodeRead(task);
  const unread = await refresh(library, node, of.now, of.files);
  for (const { problem } of unread)
    library.tell("CONTEXT_FILE", said("system", problem.message, 300), task.id);
  const path = pathFor(library, node, of.now);
  const labels = new Set(path.flatMap(({ documents }) => documents.map(({ label }) => label)));
  const results = resultsOf(library, of, labels);
  if (of.charge !== undefined) await condenseResults(library, results, of.charge);
  const { budget } = library.options;
  const use = runWindow(library, of);
  const share = use?.shares.get(task.id);
  const isRead = share !== undefined && share.tokens > 0 && task.kind === "worker";
  const assignment = isRead
    ? `${of.assignment.trimEnd()}\n\n${messages.inPackage.handsOn(share.tokens)}\n`
    : of.assignment;
  const reader = of.reader ?? EXACT;
  const outlook = outlookOf(library, of.now);
  const whole = windowLimits(library.options.limits, budget);
  const told = new Map<string, string>();
  const assembled = (limits: PackageLimits): ContextPackage => {
    const levels =
      budget === undefined
        ? undefined
        : resultLevels({
            budget,
            plan: library.plan(),
            results,
            question: task.text,
            locale: messages.locale,
            limit: limits.tokens,
            resultLimit: limits.result,
            count: library.count,
            ...(use === undefined
              ? {}
              : { finest: use.finest, shareOf: (id: string) => use.outputs.get(id)?.share }),
            memory: library.summaries,
            condensed: library.condensed,
          });
    return assemble(
      {
        kind: task.kind,
        path,
        role: isInUse(library, path) ? role(library, task, messages) : "",
        results,
        ...(levels === undefined ? {} : { levels: named(levels, told) }),
        attempts: attemptsOf(of),
        maxAttempts: of.maxAttempts,
        task: task.id,
        assignment,
        words: messages.inPackage,
        limits,
        ...(outlook === undefined ? {} : { outlook }),
      },
      library.layouts,
      library.count,
    );
  };
  const texts = [...path.flatMap(({ documents }) => documents), ...results].map(({ text }) => text);
  let made = assembled(limitsFor(whole, reader, texts, library.count));
  let read = readTokens(made.text, made.receipt.tokens, reader);
  if (read.upper > whole.tokens) {
    made = assembled(strictLimits(whole, reader));
    read = readTokens(made.text, made.receipt.tokens, reader);
  }
  const { model, likely, upper } = read;
  const receipt = {
    ...made.receipt,
    ...(share === undefined ? {} : { share }),
    ...(upper === made.receipt.tokens ? {} : { reader: { model, likely, upper } }),
    parts: [...made.receipt.parts, ...unread.map(missing)],
  };
  noteRead(library, path, of.now);
  keepTold(library, receipt.parts, told);
  return { ...made, receipt, read };
}

/** No package is larger than the parts of the window that it fills, nor are its results larger than theirs. */
function windowLimits(limits: PackageLimits, budget: Budget | undefined): PackageLimits {
  if (budget === undefined) return limits;
  const { user, outputs } = budget.window;
  return { ...limits, tokens: Math.min(limits.tokens, user + outputs), results: windowTotal(budget) };
}

function missing({ node, problem }: Unread): ReceiptPart {
  const part = { kind: "document", source: problem.path, node, tokens: 0, level: "pointer" } as const;
  return { ...part, in: false, why: "unreadable" };
}

/** Plans without a tree get no role: there is nothing to refer to. */
function isInUse(library: Library, path: readonly PackageNode[]): boolean {
  return library.plan().contextNodes.length > 0 || path.some(({ documents }) => documents.length > 0);
}

function role(library: Library, task: Task, { inPackage: words }: Messages): string {
  const { prompts } = library.options;
  const path = task.kind === "worker" ? prompts.worker : prompts.contextFill;
  const own = path === undefined ? undefined : library.files?.read(path);
  if (own?.ok === false) library.tell("ROLE_PROMPT", said("system", own.failure.message, 300), task.id);
  const text = own?.ok === true ? own.value : words.role(task.kind, nodeName(task.fills ?? ROOT));
  return `${text.trimEnd()}\n\n${words.rules}`;
}

/** The documents of a path as they are at the shared context now. */
function pathFor(library: Library, node: string, now: number): PackageNode[] {
  const tree = library.tree(now);
  if (tree === undefined) return [{ id: ROOT, documents: [], repeated: [] }];
  const end = tree.nodes.get(node) ?? tree.root;
  const reading = readingOf(tree, end.id, library.hashOf);
  const read = Map.groupBy(reading?.read ?? [], placed => placed.node);
  const repeated = Map.groupBy(reading?.repeated ?? [], placed => placed.node);
  return pathOf(end).map(on => ({
    id: on.id,
    documents: (read.get(on) ?? []).flatMap(placed => documentOf(library, placed) ?? []),
    repeated: (repeated.get(on) ?? []).flatMap(placed => {
      const document = documentOf(library, placed);
      return document === undefined ? [] : [{ document, of: placed.of }];
    }),
  }));
}

/** Labels of the documents a task reads now. */
export function labelsRead(library: Library, task: Task, now: number): string[] {
  return pathFor(library, nodeRead(task), now).flatMap(({ documents }) =>
    documents.map(({ label }) => label),
  );
}

function documentOf(library: Library, { document }: PlacedDocument): PackageDocument | undefined {
  const { label, source } = document;
  const found = library.shared.text(label);
  const hash = library.hashOf(label);
  if (!found.ok || found.value === undefined || hash === undefined) return undefined;
  const { version, text } = found.value;
  const where = source.kind === "file" ? source.path : `espalier context show ${label}@${version}`;
  const lead = library.shared.lead(label);
  const by = lead.ok ? (lead.value?.versions.at(-1)?.by ?? "") : "";
  return { label, version, text, hash, origin: originOf(source, by), where };
}

function originOf(source: Source, by: string): DocumentOrigin {
  switch (source.kind) {
    case "file":
      return { kind: "file", path: source.path };
    case "fill":
    case "added": {
      const { kind, task, attempt, agent } = source;
      return { kind, task, attempt, agent };
    }
    case "published":
      return { kind: "published", by };
  }
}

/** Final messages of the dependencies, without what they handed to the tree and without their signal. */
function resultsOf(
  library: Library,
  { task, runId, store, now }: PackageFor,
  labels: ReadonlySet<string>,
): PackageResult[] {
  return task.dependsOn.flatMap(id => {
    // What a fill prepared stands among the documents.
    if (labels.has(fillLabel(id))) return [];
    const rows = store.attempts(runId, id);
    const done = rows.ok ? rows.value.findLast(row => row.outcome === "done") : undefined;
    const text = done === undefined ? "" : resultText(done.finalMessage);
    if (done === undefined) return keptResult(library, id, now);
    if (text === "") return [];
    return [
      { task: id, attempt: done.number, text, hash: textHash(text), where: `espalier task show ${id}` },
    ];
  });
}

/** What an earlier run has left of a task that is done, where anything was kept. */
function keptResult({ kept, options, plan }: Library, id: string, now: number): PackageResult[] {
  const task = plan().tasks.find(one => one.id === id);
  if (task === undefined || kept === undefined || options.budget === undefined) return [];
  const found = kept(keptKey(options.budget, task), now);
  if (found === undefined) return [];
  const { text, source: hash, level } = found;
  return [{ task: id, attempt: 0, text, hash, where: "espalier budget cache list", level }];
}

const KEY_LENGTH = 500;

/** Under which an output outlives its run: its author, and the task as it is called. */
export function keptKey(budget: Budget, task: Task): string {
  const { label } = roleOfTask(budget, task);
  return `${label} ${task.id} ${task.title}`.slice(0, KEY_LENGTH);
}

function attemptsOf({ task, runId, attempt, store, feedback: last }: PackageFor): PackageAttempt[] {
  const rows = store.attempts(runId, task.id);
  const before = rows.ok ? rows.value.filter(({ number }) => number < attempt) : [];
  if (before.length === 0) return last === "" ? [] : [{ number: attempt - 1, how: "failed", told: last }];
  return before.flatMap(({ number, outcome, reason, feedback }) => {
    const isTold = outcome === "failed" || outcome === "no-signal" || outcome === "unproven";
    if (!isTold || (feedback === "" && reason === undefined)) return [];
    return [
      {
        number,
        how: reason === undefined ? outcome : `${outcome}: ${reasonText(reason, "en")}`,
        told: feedback,
      },
    ];
  });
}
