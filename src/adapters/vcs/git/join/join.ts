import {
  because,
  type Conflict,
  OBJECT_ID,
  ok,
  type Result,
  type VcsFailure,
} from "../../../../ports/index.ts";
import { firstLine } from "../../../../text/index.ts";
import { splitFields } from "../call/call.ts";
import { failed, saidIn } from "../call/failure.ts";
import type { Repository } from "../repository/repository.ts";

/** Two lines of history as one tree. */
export interface Joined {
  /** With both sides in the files that are in conflict. */
  readonly tree: string;
  readonly conflicts: readonly JoinConflict[];
}

/** A conflict with what each side has of the file. */
export interface JoinConflict extends Conflict {
  /** What the file was, and what it is here and there; absent for a side that has none. */
  readonly stages: Stages;
  /** Whether it is about lines of text, rather than about there being a file or of what kind. */
  readonly isText: boolean;
}

/** One side's file. */
export interface Stage {
  readonly mode: string;
  readonly id: string;
}

export interface Stages {
  readonly base?: Stage;
  readonly ours?: Stage;
  readonly theirs?: Stage;
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

/** The conflicts as others are told of them. */
export function toldConflicts(conflicts: readonly JoinConflict[]): Conflict[] {
  return conflicts.map(({ path, what, sides, others, content }) => ({ path, what, sides, others, content }));
}

const SIDES = ["base", "ours", "theirs"] as const;

/** The files in conflict with what each side has of them: `mode id stage<tab>path` each. */
function stagesIn(fields: readonly string[]): Map<string, Stages> {
  const found = new Map<string, Stages>();
  for (const field of fields) {
    const tab = field.indexOf("\t");
    const [mode = "", id = "", stage = ""] = field.slice(0, tab).split(" ");
    const side = SIDES[Number(stage) - 1];
    const path = field.slice(tab + 1);
    if (side !== undefined) found.set(path, { ...found.get(path), [side]: { mode, id } });
  }
  return found;
}

/** What git says of two commits that come from no common one. */
const UNRELATED = "refusing to merge unrelated histories";

/** What is said where it names no tree; it does not say itself to us which commit it lacks. */
const NOT_JOINED = "git merge-tree: a commit is not there";

/** Says why two histories do not join, and what gives them a beginning in common: changes are told by it. */
async function unrelated(
  { git }: Repository,
  ours: string,
  theirs: string,
): Promise<Result<never, VcsFailure>> {
  const roots = await git.text(["rev-list", "--max-parents=0", theirs, "--"]);
  const [root = ""] = roots.ok ? roots.value.split("\n") : [];
  const named = { ours: ours.slice(0, 10), theirs: theirs.slice(0, 10), root: root.slice(0, 12) };
  return failed(because("histories-unrelated", named));
}

/** Joins two commits without touching any folder. */
export async function join(
  repository: Repository,
  ours: string,
  theirs: string,
): Promise<Result<Joined, VcsFailure>> {
  const { git } = repository;
  const args = ["merge-tree", "--write-tree", "--messages", "-z", ours, theirs];
  const done = await git.run(args, { answers: [1] });
  if (!done.ok) return saidIn(done.failure).includes(UNRELATED) ? unrelated(repository, ours, theirs) : done;
  const fields = splitFields(done.value.stdout);
  const tree = fields[0] ?? "";
  // It ends alike with a conflict and without one of the commits, as where somebody pruned what no branch named yet.
  if (!OBJECT_ID.test(tree)) return failed(because("said", { by: "git", text: NOT_JOINED }));
  if (done.value.code === 0) return ok({ tree, conflicts: [] });
  // The files end with an empty field; the messages follow.
  const end = fields.indexOf("", 1);
  const files = stagesIn(fields.slice(1, end < 0 ? fields.length : end));
  const notes = end < 0 ? [] : notesIn(fields, end + 1);
  const notesOn = new Map<string, Note[]>();
  for (const note of notes) {
    if (!note.what.startsWith("CONFLICT")) continue;
    for (const path of note.paths) notesOn.set(path, [...(notesOn.get(path) ?? []), note]);
  }
  const conflicts: JoinConflict[] = [];
  for (const [path, stages] of files) {
    const at = conflicts.length;
    const about = notesOn.get(path) ?? [];
    const [note] = about;
    const what = firstLine(note?.sentence ?? note?.what ?? "changed on both sides", 200);
    const shown = at < MOST_SHOWN ? await git.text(["cat-file", "blob", `${tree}:${path}`]) : undefined;
    const sides = shown?.ok === true ? excerpt(shown.value) : "";
    const others = at < MOST_SHOWN ? await tasksBehind(repository, path, `${theirs}..${ours}`) : [];
    const content = SIDES.map(side => stages[side]?.id ?? "-").join(" ");
    const isText = about.length === 1 && note?.what === "CONFLICT (contents)";
    conflicts.push({ path, what, sides, others, content, stages, isText });
  }
  return ok({ tree, conflicts });
}
