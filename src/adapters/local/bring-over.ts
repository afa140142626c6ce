import {
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { dirname, join, normalize, sep } from "node:path";
import { z } from "zod";
import { because, fail, ok, type Reason, type Result } from "../../ports/index.ts";
import {
  directFileCalls,
  isBelow,
  readBounded,
  temporaryName,
  unsyncedOwnedCalls,
  writeAtomic,
} from "../file/index.ts";

/** Bytes of a file beyond which it is not read to see whether it is the same. */
const MOST_COMPARED = 16 * 1024 ** 2;
const MOST_NOTED = 64 * 1024 ** 2;
/** Files of a folder beyond which it is copied once, and then left as it is: each attempt looks at all of them. */
const MOST_FOLLOWED = 5000;

type How = "copy" | "link";

/** By path below what was brought (empty for that itself): how the file stood in the main checkout, and how ours stood once put there. */
type Files = ReadonlyMap<string, readonly [theirs: string, ours: string]>;

interface Note {
  readonly how: How;
  readonly files: Files;
}

const NOTES = z.array(
  z.object({
    path: z.string(),
    how: z.enum(["copy", "link"]),
    files: z.array(z.tuple([z.string(), z.string(), z.string()])),
  }),
);

export interface BringOptions {
  /** The project in the main checkout. */
  readonly from: string;
  /** The project in a worktree. */
  readonly to: string;
  /** Paths below `from` that are copied, and those that are linked to, where they are there. */
  readonly copy: readonly string[];
  readonly link: readonly string[];
  /** The file that says what was brought before; without it whatever stands there stays. */
  readonly notes?: string;
}

/** What became of a worktree's copies and links; paths are below it. */
export interface Brought {
  /** Put there, replaced or removed. */
  readonly changed: readonly string[];
  /** Copies that are another file in the main checkout by now, and stay as they were changed here. */
  readonly kept: readonly string[];
  /** Not asked for any more; they stay as they were changed here. */
  readonly dropped: readonly string[];
}

/** How a file, link or folder stands; undefined where there is none. */
function standing(path: string): string | undefined {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts === undefined) return undefined;
  return facts.isSymbolicLink() ? `-> ${readlinkSync(path)}` : `${facts.size}:${facts.mtimeMs}`;
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The files at and below a path, each with how it stands; undefined where there are too many to follow. */
function standingBelow(top: string): Map<string, string> | undefined {
  const found = new Map<string, string>();
  const look = (path: string): void => {
    if (found.size > MOST_FOLLOWED) return;
    const place = join(top, path);
    if (isFolder(place)) for (const name of readdirSync(place)) look(join(path, name));
    else found.set(path, standing(place) ?? "");
  };
  look("");
  return found.size > MOST_FOLLOWED ? undefined : found;
}

function isSame(one: string, other: string): boolean {
  const [here, there] = [one, other].map(path => readBounded(path, { maxBytes: MOST_COMPARED }));
  return here?.ok === true && there?.ok === true && Buffer.from(here.value).equals(there.value);
}

function readNotes(path: string | undefined): Map<string, Note> {
  const bytes =
    path === undefined ? undefined : readBounded(path, { maxBytes: MOST_NOTED, calls: directFileCalls });
  if (bytes?.ok !== true) return new Map();
  try {
    const read = NOTES.parse(JSON.parse(Buffer.from(bytes.value).toString("utf8")));
    return new Map(
      read.map(({ path: brought, how, files }) => [
        brought,
        { how, files: new Map(files.map(([file, theirs, ours]) => [file, [theirs, ours]])) },
      ]),
    );
  } catch {
    return new Map();
  }
}

function notesText(notes: ReadonlyMap<string, Note>): string {
  const all = [...notes].map(([brought, { how, files }]) => ({
    path: brought,
    how,
    files: [...files].map(([file, stood]) => [file, ...stood]),
  }));
  return JSON.stringify(all);
}

/** A path leads to where nothing is brought from, or to. */
class Stray extends Error {
  readonly of: "project" | "worktree";

  constructor(of: "project" | "worktree") {
    super(`leads out of the ${of}`);
    this.of = of;
  }
}

/** The place of a path in a worktree, with the folders above it. Throws where that leads out of the worktree. */
function placeIn(to: string, path: string): string {
  const top = realpathSync(to);
  const parts = normalize(path).split(sep);
  let place = top;
  for (const [n, part] of parts.entries()) {
    if (n > 0 && lstatSync(place, { throwIfNoEntry: false }) === undefined) mkdirSync(place);
    place = join(n === 0 ? top : realpathSync(place), part);
    if (!isBelow(top, place)) throw new Stray("worktree");
  }
  return place;
}

/** Copies a file or folder to where nothing stands, or a file in place of another. */
function copyOver({ from, to }: BringOptions, path: string): void {
  const place = placeIn(to, path);
  const half = temporaryName(dirname(place));
  try {
    cpSync(join(from, path), half, {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
    });
    directFileCalls.rename(half, place);
  } finally {
    rmSync(half, { recursive: true, force: true });
  }
}

/** Puts a path where nothing stands yet. */
function put(options: BringOptions, path: string, how: How): Files {
  const { from, to } = options;
  const source = join(from, path);
  if (how === "link") {
    symlinkSync(source, placeIn(to, path));
    return new Map([["", [`-> ${source}`, `-> ${source}`]]]);
  }
  const before = standingBelow(source);
  copyOver(options, path);
  return new Map(
    [...(before ?? [])].map(([file, theirs]) => [file, [theirs, standing(join(to, path, file)) ?? ""]]),
  );
}

/** Takes away what was brought and stands as it was put there. Returns the files that went. */
function remove(to: string, path: string, files: Files): string[] {
  const place = join(to, path);
  const gone: string[] = [];
  const folders = new Set<string>();
  for (const [file, [, ours]] of files) {
    if (standing(join(place, file)) !== ours) continue;
    rmSync(placeIn(to, join(path, file)), { force: true });
    gone.push(join(path, file));
    for (let at = file; at !== "" && at !== "."; ) {
      at = dirname(at);
      folders.add(join(place, at));
    }
  }
  // The deepest first; one that holds something else stays.
  for (const folder of [...folders].toSorted((a, b) => b.length - a.length))
    if (isFolder(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
  return gone;
}

/** Brings the files of a copy up to what the main checkout has; what was changed here stays. */
function renew(
  options: BringOptions,
  path: string,
  files: Files,
): { files: Files; changed: string[]; kept: string[] } {
  const [source, place] = [join(options.from, path), join(options.to, path)];
  const changed: string[] = [];
  const kept: string[] = [];
  if (isFolder(source) !== isFolder(place)) {
    changed.push(...remove(options.to, path, files));
    if (standing(place) !== undefined) return { files, changed, kept: [path] };
    return { files: put(options, path, "copy"), changed: [...changed, path], kept };
  }
  const theirFiles = standingBelow(source);
  if (theirFiles === undefined) return { files, changed, kept };
  const renewed = new Map(files);
  for (const [file, theirs] of theirFiles) {
    const before = files.get(file);
    if (before?.[0] === theirs) continue;
    const here = join(place, file);
    const ours = standing(here);
    if (ours === undefined || ours === before?.[1]) {
      copyOver(options, join(path, file));
      changed.push(join(path, file));
    } else if (!isSame(join(source, file), here)) kept.push(join(path, file));
    const isKept = kept.at(-1) === join(path, file);
    renewed.set(file, [theirs, isKept ? "" : (standing(here) ?? "")]);
  }
  return { files: renewed, changed, kept };
}

/**
 * Brings files of the main checkout over into a worktree. What was brought before and stands unchanged follows the main checkout,
 * and goes where it is not asked for any more; what the worktree has by itself stays. Says why something could not be brought.
 */
export function bringOver(options: BringOptions): Result<Brought, Reason> {
  const { from, to, copy, link, notes } = options;
  const wanted = new Map<string, How>();
  for (const path of copy) wanted.set(path, "copy");
  for (const path of link) if (!wanted.has(path)) wanted.set(path, "link");
  const noted = readNotes(notes);
  const now = new Map<string, Note>();
  const changed: string[] = [];
  const kept: string[] = [];
  const dropped: string[] = [];

  const drop = (path: string, { files }: Note): void => {
    // The last copy of something is nobody's to remove.
    if (!existsSync(join(from, path))) return;
    changed.push(...remove(to, path, files));
    if (standing(join(to, path)) !== undefined) dropped.push(path);
  };

  const bring = (path: string, how: How): void => {
    const source = join(from, path);
    const before = noted.get(path);
    const known = before?.how === how ? before : undefined;
    if (!existsSync(source)) {
      if (known !== undefined) now.set(path, known);
      return;
    }
    if (!isBelow(realpathSync(from), realpathSync(source))) throw new Stray("project");
    if (standing(join(to, path)) === undefined) {
      now.set(path, { how, files: put(options, path, how) });
      changed.push(path);
    } else if (known !== undefined && how === "link") now.set(path, known);
    else if (known !== undefined) {
      const renewed = renew(options, path, known.files);
      now.set(path, { how, files: renewed.files });
      changed.push(...renewed.changed);
      kept.push(...renewed.kept);
    }
  };

  const trying = (path: string, how: How, act: () => void): Reason | undefined => {
    try {
      act();
      return undefined;
    } catch (error) {
      if (error instanceof Stray) return because("leads-out", { how, path, of: error.of });
      return because("not-brought", { how, path, said: (error as Error).message });
    }
  };
  for (const [path, note] of noted) {
    if (wanted.get(path) === note.how) continue;
    const problem = trying(path, note.how, () => drop(path, note));
    if (problem !== undefined) return fail(problem);
  }
  for (const [path, how] of wanted) {
    const problem = trying(path, how, () => bring(path, how));
    if (problem !== undefined) return fail(problem);
  }
  const text = notesText(now);
  // Mostly nothing has changed since the attempt before.
  if (notes !== undefined && text !== notesText(noted))
    writeAtomic(notes, text, { calls: unsyncedOwnedCalls });
  return ok({ changed, kept, dropped });
}
