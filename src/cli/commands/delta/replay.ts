import { resolve } from "node:path";
import { decode, diff, encode } from "../../../delta/index.ts";
import { EspalierError, EXIT } from "../../../ports/index.ts";
import { DEFAULT_SYNC_POLICY } from "../../../sync/index.ts";
import { countTokens } from "../../../tokens/index.ts";
import { type Io, say, sayJson } from "../../io.ts";
import { lookOf } from "../../views/look.ts";
import { gitHistory } from "./git-history.ts";
import { folderHistory, type History, isFolder, type Version } from "./history.ts";
import { wordsOf } from "./inputs.ts";
import { type Pair, plainDiffTokens } from "./plain-diff.ts";
import { type ReplayReport, type ReplayStep, replayView, totalOf } from "./replay-view.ts";

interface ReplayOptions {
  readonly git?: boolean;
  readonly json?: boolean;
  readonly policy: "cost" | "spec";
}

/** `espalier delta replay PATH`. Exit 1 when a step is not exact. */
export async function replay(io: Io, path: string, options: ReplayOptions): Promise<number> {
  const history = await open(io, path, options.git === true);
  const steps = await walk(io, history, options.policy);
  const report: ReplayReport = { steps, total: totalOf(steps) };
  if (options.json === true) sayJson(io, report);
  else
    for (const line of replayView(report, path, lookOf(io.stdout, io.env, "en"), wordsOf(io))) say(io, line);
  return report.total.exact === report.total.steps ? EXIT.done : EXIT.failedTasks;
}

async function open(io: Io, path: string, git: boolean): Promise<History> {
  const place = resolve(io.cwd, path);
  if (!isFolder(place)) return gitHistory(io, place);
  if (git) {
    const told = wordsOf(io).ofFolder(path);
    throw new EspalierError("HISTORY_OF_FOLDER", told.message, {
      hint: told.hint ?? "",
      exitCode: EXIT.usage,
    });
  }
  const history = folderHistory(io, place);
  if (history.count > 0) return history;
  const told = wordsOf(io).emptyFolder(path);
  throw new EspalierError("HISTORY_EMPTY", told.message, { hint: told.hint ?? "", exitCode: EXIT.usage });
}

/** Characters of versions that wait for git to compare them in one call. */
const BATCH = 8_000_000;

async function walk(io: Io, history: History, policy: ReplayOptions["policy"]): Promise<ReplayStep[]> {
  const steps: ReplayStep[] = [];
  const progress = progressOn(io, history.count);
  let waiting: Pair[] = [];
  let size = 0;
  const compare = async () => {
    const counts = await plainDiffTokens(io, waiting);
    const first = steps.length - waiting.length;
    for (const [at, u0] of counts.entries()) {
      const step = steps[first + at]!;
      steps[first + at] = { ...step, tokens: { ...step.tokens, u0 } };
    }
    waiting = [];
    size = 0;
  };
  let old: Version | undefined;
  let seen = 0;
  for await (const next of history.versions) {
    progress.show(++seen);
    if (old !== undefined && old.text !== next.text) {
      steps.push(measure(old, next, policy));
      waiting.push({ old: old.text, next: next.text });
      size += old.text.length + next.text.length;
      if (size > BATCH) await compare();
    }
    old = next;
  }
  await compare();
  progress.clear();
  return steps;
}

/** Makes the message for a step and carries it out as a teammate would, from nothing but the old text. */
function measure(old: Version, next: Version, policy: ReplayOptions["policy"]): ReplayStep {
  const full = countTokens(next.text);
  const rule = policy === "spec" ? { majorRestructure: DEFAULT_SYNC_POLICY.majorRestructure } : {};
  const naming = { label: "GC", from: old.number, to: next.number };
  const encoded = encode(diff(old.text, next.text), old.text, next.text, { ...naming, ...rule, countTokens });
  const step = { from: old.id, to: next.id };
  if (!encoded.ok)
    return { ...step, exact: false, form: "none", tokens: { sent: null, delta: null, full, u0: null } };
  const { text, form, tokens } = encoded.value;
  const read = decode(text, old.text);
  const exact = read.ok && read.value.text === next.text;
  return { ...step, exact, form, tokens: { sent: tokens.sent, delta: tokens.delta, full, u0: null } };
}

/** Milliseconds between two signs of life. */
const PACE = 100;

function progressOn(io: Io, count: number): { show(seen: number): void; clear(): void } {
  if (io.stderr.isTTY !== true) return { show: () => {}, clear: () => {} };
  const words = wordsOf(io);
  let last = performance.now();
  let shown = false;
  return {
    show: seen => {
      const now = performance.now();
      if (now - last < PACE) return;
      last = now;
      shown = true;
      io.stderr.write(`\r${words.progress(seen, count)}`);
    },
    clear: () => {
      if (shown) io.stderr.write("\r\x1b[K");
    },
  };
}
