import {
  assemble,
  type ContextPackage,
  type PackageDocument,
  type PackageLimits,
  type PackageNode,
  type PackageRequest,
  type PackageResult,
  type ReceiptPart,
} from "../../assembly/index.ts";
import type { Budget } from "../../budget/index.ts";
import type { Task } from "../../plan/index.ts";
import type { AttemptSpend } from "../../run/index.ts";
import { type DocumentOrigin, type Messages, said } from "../../text/index.ts";
import { nodeName, type PlacedDocument, pathOf, ROOT, readingOf, type Source } from "../../tree/index.ts";
import { usesOf } from "./asked.ts";
import { condenseResults } from "./condense-results.ts";
import { documentLevels } from "./document-levels.ts";
import { earlierResults } from "./earlier-results.ts";
import { type DocumentFiles, problemText } from "./files.ts";
import { type Library, nodeRead } from "./library.ts";
import { noteRead, outlookOf } from "./outlook.ts";
import { attemptsOf, type Reading, resultsOf, unheard } from "./package-sources.ts";
import { EXACT, limitsFor, type Reader, type ReadTokens, readTokens, strictLimits } from "./reader.ts";
import { refresh, type Unread } from "./refresh.ts";
import { resultLevels } from "./result-levels.ts";
import { type RunWindow, runWindow } from "./run-window.ts";
import { keepTold, named } from "./told.ts";
import { UNUSED, type Uses } from "./uses.ts";
import { windowTotal } from "./window-use.ts";

/** What a package is made for. */
export interface PackageFor extends Reading {
  /** What is to be done and how to report it. */
  readonly assignment: string;
  readonly messages: Messages;
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
    library.tell("CONTEXT_FILE", said("system", problemText(problem, messages.locale), 300), task.id);
  const path = pathFor(library, node, of.now);
  const labels = new Set(path.flatMap(({ documents }) => documents.map(({ label }) => label)));
  const direct = resultsOf(library, of, labels);
  // Oldest first, and nearest to the task what it waited for.
  const results = [...earlierResults(library, of, labels), ...direct];
  const { budget } = library.options;
  const whole = windowLimits(library.options.limits, budget);
  const texts = [
    ...path.flatMap(({ documents }) => documents.map(({ text }) => text)),
    ...results.map(({ handover, text }) => handover ?? text),
  ];
  if (of.charge !== undefined) {
    const all = texts.reduce((sum, text) => sum + library.count(text), 0);
    await condenseResults(library, direct, all > whole.tokens, of.charge);
  }
  const use = runWindow(library, of);
  const share = use?.share;
  const hasRole = isInUse(library, path) || task.kind === "context-fill";
  const isRead = share !== undefined && share.tokens > 0 && task.kind === "worker";
  const late = unheard(of);
  const assignment = [
    of.assignment.trimEnd(),
    // An instruction: it stands where nothing calls it data.
    ...(late.length === 0 ? [] : [messages.words(late).trimEnd()]),
    ...(isRead ? [messages.inPackage.handsOn(share.tokens)] : []),
    ...(hasRole ? [nodeWords(library, path, messages)] : []),
  ].join("\n\n");
  const reader = of.reader ?? EXACT;
  const outlook = outlookOf(library, of.now);
  const told = new Map<string, string>();
  const levels = budget === undefined ? {} : levelsFor(library, of, { budget, path, results, use }, told);
  const readAs = ({ text, receipt: { tokens } }: ContextPackage) => readTokens(text, tokens, reader);
  const made = assemble(
    {
      kind: task.kind,
      path,
      role: hasRole ? role(library, task, messages) : "",
      results,
      ...levels,
      attempts: attemptsOf(of, messages),
      task: task.id,
      assignment: `${assignment}\n`,
      words: messages.inPackage,
      limits: limitsFor(whole, reader, texts, library.count),
      stricter: tried => (readAs(tried).upper > whole.tokens ? strictLimits(whole, reader) : undefined),
      ...(outlook === undefined ? {} : { outlook }),
    },
    library.layouts,
    library.count,
  );
  const read = readAs(made);
  const { model, likely, upper } = read;
  const receipt = {
    ...made.receipt,
    ...(share === undefined ? {} : { share }),
    ...(upper === made.receipt.tokens ? {} : { reader: { model, likely, upper } }),
    parts: [...made.receipt.parts.map(part => asSet(part, whole)), ...unread.map(missing)],
  };
  noteRead(library, path, of.now);
  keepTold(library, receipt.parts, told);
  return { ...made, receipt, read };
}

interface Sources {
  readonly budget: Budget;
  readonly path: readonly PackageNode[];
  readonly results: readonly PackageResult[];
  readonly use: RunWindow | undefined;
}

/** How documents and results may be told. Nothing is read or ranked before it is asked for. */
function levelsFor(
  library: Library,
  { task, runId, messages: { locale } }: PackageFor,
  { budget, path, results, use }: Sources,
  told: Map<string, string>,
): Pick<PackageRequest, "resultLevels" | "documentLevels"> {
  const shared = {
    budget,
    question: `${task.title}\n${task.text}`,
    locale,
    count: library.count,
    memory: library.summaries,
    usesOf: (source: string): Uses =>
      (library.options.learn ? usesOf(library, runId).get(source) : undefined) ?? UNUSED,
  };
  const ofResults = resultLevels({
    ...shared,
    plan: library.plan(),
    results,
    reader: task.id,
    condensed: library.condensed,
    changed: library.changed,
    ...(use === undefined ? {} : { finest: use.finest, shareOf: use.shareOf }),
  });
  let ofDocuments: ReturnType<typeof documentLevels> | undefined;
  return {
    resultLevels: (...asked) => named(ofResults(...asked), told),
    documentLevels(document) {
      ofDocuments ??= documentLevels({ ...shared, path });
      return named(ofDocuments(document), told);
    },
  };
}

/** Which node the task reads, and how it adds to it. */
function nodeWords({ options }: Library, path: readonly PackageNode[], { inPackage }: Messages): string {
  return inPackage.node(
    path.map(({ id }) => id),
    options.addContext !== "off",
  );
}

/** No package is larger than the parts of the window that it fills, nor are its results larger than theirs. */
function windowLimits(limits: PackageLimits, budget: Budget | undefined): PackageLimits {
  if (budget === undefined) return limits;
  const { user, outputs } = budget.window;
  return { ...limits, tokens: Math.min(limits.tokens, user + outputs), results: windowTotal(budget) };
}

/** The limit as a person has set it, with what it comes to in the tokens that parts are counted in. */
function asSet(part: ReceiptPart, { tokens }: PackageLimits): ReceiptPart {
  const { bound } = part;
  if (bound?.limit !== "context.package.tokens" || bound.tokens === tokens) return part;
  return { ...part, bound: { ...bound, tokens, counted: bound.tokens } };
}

function missing({ node, problem }: Unread): ReceiptPart {
  const part = { kind: "document", source: problem.path, node, tokens: 0, level: "pointer" } as const;
  return { ...part, in: false, why: "unreadable" };
}

/** Workers of plans without a tree get no role: there is nothing to refer to. */
function isInUse(library: Library, path: readonly PackageNode[]): boolean {
  return library.plan().contextNodes.length > 0 || path.some(({ documents }) => documents.length > 0);
}

function role(library: Library, task: Task, { inPackage: words, locale }: Messages): string {
  const { prompts } = library.options;
  const path = task.kind === "worker" ? prompts.worker : prompts.contextFill;
  const own = path === undefined ? undefined : library.files?.read(path);
  if (own?.ok === false)
    library.tell("ROLE_PROMPT", said("system", problemText(own.failure, locale), 300), task.id);
  const asks = task.asked === undefined && library.options.research > 0;
  const text = own?.ok === true ? own.value : words.role(task.kind, nodeName(task.fills ?? ROOT), asks);
  return `${text.trimEnd()}\n\n${words.rules(asks)}`;
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

/** The documents a task reads now. */
export function documentsRead(library: Library, task: Task, now: number): PackageDocument[] {
  return pathFor(library, nodeRead(task), now).flatMap(({ documents }) => documents);
}

function documentOf(library: Library, { document }: PlacedDocument): PackageDocument | undefined {
  const { label, source } = document;
  const found = library.shared.text(label);
  const hash = library.hashOf(label);
  if (!found.ok || found.value === undefined || hash === undefined) return undefined;
  const { version, text } = found.value;
  const name = source.kind === "file" ? source.path : label;
  const lead = library.shared.lead(label);
  const by = lead.ok ? (lead.value?.versions.at(-1)?.by ?? "") : "";
  return { label, version, text, hash, origin: originOf(source, by), name };
}

function originOf(source: Source, by: string): DocumentOrigin {
  switch (source.kind) {
    case "file":
      return source;
    case "fill":
    case "added": {
      const { kind, task, attempt, agent } = source;
      return { kind, task, attempt, agent };
    }
    case "published":
      return { kind: "published", by };
  }
}
