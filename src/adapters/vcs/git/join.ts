import { type Conflict, ok, type Result, type VcsFailure } from "../../../ports/index.ts";
import { firstLine } from "../../../text/index.ts";
import { splitFields } from "./call.ts";
import type { Repository } from "./repository.ts";

/** Two lines of history as one tree. */
export interface Joined {
  /** With both sides in the files that are in conflict. */
  readonly tree: string;
  readonly conflicts: readonly Conflict[];
}

/** Files whose sides are shown, and characters of each. */
const MOST_SHOWN = 8;
const SIDES_LENGTH = 1200;

/** The stretches of a text between the marks of a conflict, marks included, as far as they fit. */
function excerpt(text: string): string {
  let shown = "";
  for (let at = text.indexOf("<<<<<<< "); at >= 0 && shown.length < SIDES_LENGTH; ) {
    const mark = text.indexOf("\n>>>>>>> ", at);
    const lineEnd = mark < 0 ? -1 : text.indexOf("\n", mark + 1);
    const to = lineEnd < 0 ? text.length : lineEnd + 1;
    shown += text.slice(at, to);
    at = text.indexOf("<<<<<<< ", to);
  }
  return shown.length <= SIDES_LENGTH ? shown : `${shown.slice(0, SIDES_LENGTH)}…\n`;
}

/** The tasks that changed a path between two commits, newest first. */
async function tasksBehind(repository: Repository, path: string, range: string): Promise<readonly string[]> {
  const format = "--format=%(trailers:key=Espalier-Task,valueonly,separator=%x20)";
  const found = await repository.git.text(["log", format, range, "--", path]);
  if (!found.ok) return [];
  const tasks = found.value.split("\n").filter(line => line.trim() !== "");
  return [...new Set(tasks.map(task => firstLine(task, 100)))];
}

/** One informational message of the join: a type, the paths it concerns, and a sentence. */
interface Note {
  readonly what: string;
  readonly paths: readonly string[];
  readonly sentence: string;
}

/** The messages behind the list of files in conflict: `n, path…, type, sentence` each. */
function notesIn(fields: readonly string[], from: number): Note[] {
  const notes: Note[] = [];
  for (let at = from; at < fields.length; ) {
    const count = Number(fields[at]);
    if (!Number.isInteger(count) || count < 0) break;
    const paths = fields.slice(at + 1, at + 1 + count);
    notes.push({ paths, what: fields[at + 1 + count] ?? "", sentence: fields[at + 2 + count] ?? "" });
    at += count + 3;
  }
  return notes;
}

/** Joins two commits without touching any folder. */
export async function join(
  repository: Repository,
  ours: string,
  theirs: string,
): Promise<Result<Joined, VcsFailure>> {
  const { git } = repository;
  const args = ["merge-tree", "--write-tree", "--messages", "--name-only", "-z", ours, theirs];
  const done = await git.run(args, { answers: [1] });
  if (!done.ok) return done;
  const fields = splitFields(done.value.stdout);
  const tree = fields[0] ?? "";
  if (done.value.code === 0) return ok({ tree, conflicts: [] });
  // The files end with an empty field; the messages follow.
  const end = fields.indexOf("", 1);
  const paths = [...new Set(fields.slice(1, end < 0 ? fields.length : end))];
  const notes = end < 0 ? [] : notesIn(fields, end + 1);
  const noteOn = new Map<string, Note>();
  for (const note of notes) {
    if (!note.what.startsWith("CONFLICT")) continue;
    for (const path of note.paths) if (!noteOn.has(path)) noteOn.set(path, note);
  }
  const conflicts: Conflict[] = [];
  for (const [at, path] of paths.entries()) {
    const note = noteOn.get(path);
    const what = firstLine(note?.sentence ?? note?.what ?? "changed on both sides", 200);
    const shown = at < MOST_SHOWN ? await git.text(["cat-file", "blob", `${tree}:${path}`]) : undefined;
    const sides = shown?.ok === true ? excerpt(shown.value) : "";
    const others = at < MOST_SHOWN ? await tasksBehind(repository, path, `${theirs}..${ours}`) : [];
    conflicts.push({ path, what, sides, others });
  }
  return ok({ tree, conflicts });
}
