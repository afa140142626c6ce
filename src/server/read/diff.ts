import type { FileChange } from "../../adapters/vcs/git/index.ts";
import type { ShownWork } from "../../host/run/shown-work.ts";
import type { DiffFile, DiffShape } from "../shapes/review.ts";
import { shown } from "../shown.ts";
import { type Patch, readPatch } from "./patch.ts";

/** What of a diff reaches the page at once: files, lines of one file, lines and characters of all. */
const MOST = { files: 3000, ofOne: 1500, lines: 12_000, characters: 2_000_000 } as const;
/** Lines of a file that a person asks for. */
const UNFOLDED = 30_000;

const STATUS: Readonly<Record<string, DiffFile["status"]>> = {
  A: "added",
  C: "added",
  D: "deleted",
  R: "renamed",
  T: "retyped",
};

function kindOf({ oldMode, newMode, added }: FileChange): DiffFile["kind"] {
  const mode = newMode === "000000" ? oldMode : newMode;
  if (mode === "160000") return "submodule";
  if (added === undefined) return "binary";
  return mode === "120000" ? "link" : "text";
}

function fileShape(file: FileChange, patch: Patch | undefined): DiffFile {
  const { path, from, status, oldMode, newMode, added, removed } = file;
  const isThere = !/^0+$/.test(oldMode) && !/^0+$/.test(newMode);
  const all = (added ?? 0) + (removed ?? 0);
  return {
    path: shown(path),
    ...(from === undefined ? {} : { from: shown(from) }),
    status: STATUS[status] ?? "modified",
    kind: kindOf(file),
    ...(isThere && oldMode !== newMode ? { modes: [shown(oldMode), shown(newMode)] } : {}),
    ...(added === undefined ? {} : { added }),
    ...(removed === undefined ? {} : { removed }),
    ...(patch === undefined ? {} : { hunks: [...patch.hunks] }),
    more: patch === undefined ? all : Math.max(0, all - patch.changed),
    crlf: patch?.crlf === true,
  };
}

/** A diff as far as a page is given it at once; what is longer is folded. */
export function diffShape(work: ShownWork, proof: readonly string[]): DiffShape {
  let [lines, characters] = [0, 0];
  const files = work.files.slice(0, MOST.files).map((file, at) => {
    const text = work.patches[at];
    const counted = (file.added ?? 0) + (file.removed ?? 0);
    const isLarge = counted > MOST.ofOne || lines + counted > MOST.lines;
    if (text === undefined || isLarge || characters + text.length > MOST.characters)
      return fileShape(file, undefined);
    const patch = readPatch(text, MOST.lines);
    lines += patch.lines;
    characters += text.length;
    // What was cut in the middle is folded too.
    return fileShape(file, patch.changed < counted && file.added !== undefined ? undefined : patch);
  });
  const { state, attempt, commit, commits, others } = work;
  return {
    state,
    ...(attempt === undefined ? {} : { attempt }),
    ...(commit === undefined ? {} : { commit: shown(commit) }),
    commits,
    others,
    added: work.files.reduce((sum, { added = 0 }) => sum + added, 0),
    removed: work.files.reduce((sum, { removed = 0 }) => sum + removed, 0),
    files,
    more: Math.max(0, work.files.length - MOST.files),
    proof: proof.map(one => shown(one, 2000)),
  };
}

/** One file with as many of its lines as a person can ask for. */
export function unfoldedShape(file: FileChange, patch: string | undefined): DiffFile {
  return fileShape(file, readPatch(patch ?? "", UNFOLDED));
}
