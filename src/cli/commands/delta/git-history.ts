import { realpathSync } from "node:fs";
import { basename, dirname } from "node:path";
import { decodeUtf8 } from "../../../delta/index.ts";
import { EspalierError, EXIT } from "../../../ports/index.ts";
import { type Io, warn } from "../../io.ts";
import { type Git, gitIn } from "./git.ts";
import { type History, isFolder, type Version } from "./history.ts";
import { MAX_BYTES, wordsOf } from "./inputs.ts";

/** Bytes of versions that are asked for at once. */
const BATCH = 48 * 1024 ** 2;
/** Hexadecimal digits of a commit that are shown. */
const SHOWN = 12;

interface Entry {
  readonly commit: string;
  readonly blob: string;
  /** 1-based place in the history; versions that are left out keep theirs. */
  readonly number: number;
}

function historyError(io: Io, path: string, message: string): EspalierError {
  const hint = wordsOf(io).historyHint;
  return new EspalierError("HISTORY_UNREADABLE", `${path}: ${message}`, { hint, exitCode: EXIT.usage });
}

/** The states of a file along the first parents of HEAD, through renames. Throws EspalierError (exit 2). */
export async function gitHistory(io: Io, path: string): Promise<History> {
  const file = realPath(path);
  const folder = dirname(file);
  if (!isFolder(folder)) throw historyError(io, path, wordsOf(io).noFolder);
  const git = gitIn(io, folder);
  if (git === undefined) throw historyError(io, path, wordsOf(io).noGit);
  const entries = await log(io, git, path, basename(file));
  if (entries.length === 0) throw historyError(io, path, wordsOf(io).noVersions);
  return { count: entries.length, versions: contents(io, git, path, entries) };
}

/** A file that is a link is followed: the history of the link itself holds only paths. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const LOG = ["log", "--follow", "--first-parent", "--diff-merges=first-parent", "--format=%x01%H"];
const RAW = [
  "--raw",
  "-z",
  "--no-abbrev",
  "--no-color",
  "--no-ext-diff",
  "--no-textconv",
  "--no-show-signature",
];

async function log(io: Io, git: Git, path: string, name: string): Promise<Entry[]> {
  const output = await git([...LOG, ...RAW, "--", name]);
  if (!output.ok) throw historyError(io, path, output.failure);
  const entries = readLog(output.value.toString()).reverse();
  return entries.map((entry, at) => ({ ...entry, number: at + 1 }));
}

/** Commits with the blob that each left behind, from `git log --raw -z`; commits that removed the file have none. */
function readLog(output: string): Omit<Entry, "number">[] {
  const entries: Omit<Entry, "number">[] = [];
  const fields = output.split("\0");
  let commit = "";
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at]!.trimStart();
    if (field.startsWith("\x01")) commit = field.slice(1);
    if (!field.startsWith(":")) continue;
    const [, mode = "", , blob = "", status = ""] = field.split(" ");
    // One path follows, or two where the file was renamed or copied: paths may begin with a colon.
    at += status.startsWith("R") || status.startsWith("C") ? 2 : 1;
    if (mode.startsWith("100")) entries.push({ commit, blob });
  }
  return entries;
}

async function* contents(io: Io, git: Git, path: string, entries: readonly Entry[]): AsyncGenerator<Version> {
  const sizes = await sizesOf(io, git, path, entries);
  let batch: Entry[] = [];
  let bytes = 0;
  for (const [at, entry] of entries.entries()) {
    const size = sizes[at]!;
    if (size > MAX_BYTES) {
      warn(io, wordsOf(io).leftOutLarge(entry.commit.slice(0, SHOWN), size, MAX_BYTES));
    } else {
      batch.push(entry);
      bytes += size;
    }
    const following = sizes[at + 1];
    if (following !== undefined && bytes + following <= BATCH) continue;
    yield* batchContents(io, git, path, batch);
    batch = [];
    bytes = 0;
  }
}

async function sizesOf(io: Io, git: Git, path: string, entries: readonly Entry[]): Promise<number[]> {
  const input = entries.map(({ blob }) => `${blob}\n`).join("");
  const output = await git(["cat-file", "--batch-check=%(objectsize)"], { input });
  if (!output.ok) throw historyError(io, path, output.failure);
  const lines = output.value.toString().trimEnd().split("\n");
  return entries.map(({ commit, blob }, at) => {
    const size = Number(lines[at]);
    if (Number.isInteger(size)) return size;
    throw historyError(io, path, wordsOf(io).noContent(blob, commit.slice(0, SHOWN)));
  });
}

async function* batchContents(
  io: Io,
  git: Git,
  path: string,
  batch: readonly Entry[],
): AsyncGenerator<Version> {
  if (batch.length === 0) return;
  const input = batch.map(({ blob }) => `${blob}\n`).join("");
  const output = await git(["cat-file", "--batch=%(objectsize)"], { input, maxBytes: 2 * BATCH });
  if (!output.ok) throw historyError(io, path, output.failure);
  const bytes = output.value;
  let at = 0;
  for (const { commit, number } of batch) {
    const start = bytes.indexOf(0x0a, at) + 1;
    const end = start + Number(bytes.subarray(at, start - 1).toString());
    at = end + 1;
    const text = decodeUtf8(bytes.subarray(start, end));
    const id = commit.slice(0, SHOWN);
    // The past cannot be mended: a version that is no text is passed over, and said.
    if (text.ok) yield { id, number, text: text.value };
    else warn(io, wordsOf(io).leftOut(id, text.failure.message));
  }
}
