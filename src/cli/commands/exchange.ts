import { relative, resolve } from "node:path";
import { directFileCalls, writeAtomic } from "../../adapters/file/index.ts";
import { loadPlan, renderDiagnostics, requireUsable } from "../../host/project/plan-file.ts";
import { planWords } from "../../host/project/plan-words.ts";
import { findTaskFile } from "../../host/project/project.ts";
import {
  type Exported,
  exportStatus,
  FOREIGN_KINDS,
  type Foreign,
  type ForeignKind,
  importPlan,
  readForeign,
} from "../../plan/index.ts";
import { EspalierError, EXIT } from "../../ports/index.ts";
import { draftWords, type Locale, shellWord, visible } from "../../text/index.ts";
import { readInput } from "../input-file.ts";
import { type Io, say, sayJson, warn } from "../io.ts";
import { notWritten, requireFree, saveNew } from "../new-file.ts";
import { localeOf, projectOf } from "../project.ts";
import { type ExchangeWords, exchangeWords } from "../views/words/exchange-words.ts";

/** Bytes of a source that are read. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Findings, and ids in one line, that are shown. */
const MOST_FINDINGS = 20;
const MOST_IDS = 20;

interface Flags {
  readonly from?: ForeignKind;
  readonly write?: boolean;
  readonly json?: boolean;
}

/** The bytes of a source. A tool that is named instead of its file is told apart from a file that is not there. */
async function readSource(io: Io, path: string, locale: Locale): Promise<Uint8Array> {
  try {
    return await readInput(io, path, MAX_BYTES, locale);
  } catch (error) {
    const kind = FOREIGN_KINDS.find(name => name === path.toLowerCase());
    if (!(error instanceof EspalierError) || error.code !== "INPUT_NOT_FOUND" || kind === undefined)
      throw error;
    throw new EspalierError(error.code, error.message, {
      hint: exchangeWords(locale).kindIsNoFile(kind),
      exitCode: error.exitCode,
    });
  }
}

/** A source as it was read, with its bytes. Throws EspalierError where it cannot be used, with every finding. */
async function sourceOf(
  io: Io,
  path: string,
  { from, json }: Flags,
  locale: Locale,
): Promise<{ readonly bytes: Uint8Array; readonly foreign: Foreign }> {
  const bytes = await readSource(io, path, locale);
  const { foreign, diagnostics } = readForeign(bytes, { path, kind: from });
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const display = visible(path, 200);
  const lines = (found: typeof diagnostics) =>
    renderDiagnostics({ display }, { bytes, diagnostics: found }, MOST_FINDINGS, locale);
  if (foreign === undefined || errors.length > 0) {
    const words = planWords(locale);
    const other = errors.find(({ code }) => code === "NOT_FOREIGN")?.said;
    if (other !== undefined)
      throw new EspalierError("NOT_FOREIGN", `${display}: ${words.tell(other.message)}`, {
        hint: words.tell(other.hint),
        exitCode: EXIT.usage,
      });
    throw new EspalierError(
      "SOURCE_INVALID",
      [words.invalid(display, errors.length), ...lines(errors)].join("\n"),
      { exitCode: EXIT.invalidPlan },
    );
  }
  // What of a source is not read at all is told, whatever weight it has in a plan of one's own.
  const warnings = diagnostics.filter(
    ({ severity, code }) => severity === "warning" || code === "OTHER_TAGS",
  );
  if (json !== true) for (const line of lines(warnings)) warn(io, line);
  return { bytes, foreign };
}

function idsOf(ids: readonly string[]): string {
  const shown = ids.slice(0, MOST_IDS).map(id => visible(id, 60));
  return ids.length > shown.length ? `${shown.join(", ")} +${ids.length - shown.length}` : shown.join(", ");
}

/** Warns of each list that is not empty. */
function tell(io: Io, lists: readonly (readonly [readonly string[], (ids: string) => string])[]): void {
  for (const [ids, words] of lists) if (ids.length > 0) warn(io, words(idsOf(ids)));
}

/** `espalier import SOURCE`: tasks of another tool as a task file, shown or written. */
export async function importTasks(
  io: Io,
  source: string,
  flags: Flags & { readonly out: string },
): Promise<number> {
  const locale = localeOf(io);
  const words = exchangeWords(locale);
  const path = resolve(io.cwd, flags.out);
  if (flags.write === true) requireFree(io.cwd, flags.out, draftWords(locale));
  const { foreign } = await sourceOf(io, source, flags, locale);
  const { text, ...facts } = importPlan(foreign, `<!-- ${words.comment(foreign.kind)} -->`);
  const out = visible(relative(io.cwd, path), 200);
  if (flags.write === true) saveNew(path, text, out);
  if (flags.json === true) {
    sayJson(io, { from: foreign.kind, ...facts, ...(flags.write === true ? { written: out } : { text }) });
    return EXIT.done;
  }
  if (flags.write !== true) io.stdout.write(text);
  warn(io, words.read(foreign.kind, facts.tasks, facts.done, facts.leftOut));
  tell(io, [
    [facts.renamed, words.renamed],
    [facts.cut, words.cut],
    [facts.commands, words.commands],
  ]);
  warn(io, flags.write === true ? words.written(out) : words.notWritten(out));
  if (flags.write === true) warn(io, words.next(shellWord(out)));
  return EXIT.done;
}

/** `espalier export SOURCE [FILE]`: the state of the tasks of a task file, where they came from. */
export async function exportTasks(
  io: Io,
  source: string,
  file: string | undefined,
  flags: Flags,
): Promise<number> {
  const project = projectOf(io, file);
  const { locale } = project;
  const words = exchangeWords(locale);
  const { bytes, foreign } = await sourceOf(io, source, flags, locale);
  if (flags.write === true) requireWritable(source, foreign, words);
  const taskFile = findTaskFile(project, io.cwd, file);
  const ours = loadPlan(taskFile, true, project);
  requireUsable(taskFile, ours, locale);
  if (!ours.plan.tasks.some(({ origin }) => origin?.startsWith(`${foreign.kind}:`) === true)) {
    throw new EspalierError("NO_ORIGIN", words.noOrigin(visible(taskFile.display, 200), foreign.kind), {
      hint: words.noOriginHint,
      exitCode: EXIT.usage,
    });
  }
  const exported = exportStatus(bytes, foreign, ours.plan, new Date().toISOString());
  if (flags.write === true) await replace(io, source, bytes, exported, locale);
  if (flags.json === true) {
    const { bytes: _, ...facts } = exported;
    sayJson(io, { to: foreign.kind, ...facts, written: flags.write === true });
    return EXIT.done;
  }
  if (flags.write !== true) show(io, exported);
  warn(io, words.changes(exported.changes.length, foreign.tasks.length));
  for (const { id, to } of exported.changes.slice(0, MOST_FINDINGS))
    warn(io, words.change(visible(id, 60), to));
  tell(io, [
    [exported.ahead, words.ahead],
    [exported.unsaid, words.unsaid],
    [exported.unknown, words.unknown],
  ]);
  if (exported.changes.length > 0 && flags.write !== true)
    warn(io, exported.bytes === undefined ? words.toRun : words.toWrite);
  return EXIT.done;
}

function show(io: Io, { bytes, commands }: Exported): void {
  if (bytes !== undefined) io.stdout.write(Buffer.from(bytes).toString("utf8"));
  for (const command of commands) say(io, command.map(quoted).join(" "));
}

/** An option stands as it is; every word is ours or a number. */
function quoted(word: string): string {
  return word.startsWith("--") ? word : shellWord(word);
}

function requireWritable(source: string, { kind }: Foreign, words: ExchangeWords): void {
  const why = kind === "github" ? words.isGitHub : source === "-" ? words.isStandardInput : undefined;
  if (why !== undefined) throw new EspalierError("NOT_WRITABLE", why, { exitCode: EXIT.usage });
}

/** Writes the source anew, where it is still what was read. */
async function replace(
  io: Io,
  source: string,
  before: Uint8Array,
  { bytes, changes }: Exported,
  locale: Locale,
): Promise<void> {
  if (bytes === undefined || changes.length === 0) return;
  const now = await readInput(io, source, MAX_BYTES, locale);
  const words = exchangeWords(locale);
  const name = visible(source, 200);
  if (Buffer.compare(before, now) !== 0) {
    throw new EspalierError("SOURCE_CHANGED", words.changed(name), {
      hint: words.changedHint,
      exitCode: EXIT.environment,
      retryable: true,
    });
  }
  const written = writeAtomic(resolve(io.cwd, source), bytes, { keepMode: true, calls: directFileCalls });
  if (!written.ok) throw notWritten(name, visible(written.failure.message));
}
