import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import type { DocumentFiles, DocumentProblem } from "../../context/library/index.ts";
import { decodeUtf8 } from "../../delta/index.ts";
import { fail, ok, type Result } from "../../ports/index.ts";
import { isPattern, matchesName, type Told, told, toldText, visible } from "../../text/index.ts";
import { isWithin, readBounded } from "../file/index.ts";

/** How much of a repository documents may be. */
export interface DocumentLimits {
  /** Bytes of one file. */
  readonly bytes: number;
  /** Files one pattern may name. */
  readonly files: number;
  /** Entries of folders that are looked at for one pattern. */
  readonly entries: number;
}

/** The limits used where none are given. */
export const DOCUMENT_LIMITS: DocumentLimits = { bytes: 4 * 1024 * 1024, files: 500, entries: 50_000 };

/** Folders that patterns pass over unless they name them. */
const PASSED_OVER: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/** The documents of a repository. No path leaves it, in words or through a link, and nothing but plain files is read. */
export function localDocuments(root: string, limits: DocumentLimits = DOCUMENT_LIMITS): DocumentFiles {
  return {
    list: pattern => (isPattern(pattern) ? expand(root, pattern, limits) : single(root, pattern)),
    read: path => readDocument(root, path, limits),
  };
}

function problem(
  kind: DocumentProblem["kind"],
  path: string,
  why: Told,
): { ok: false; failure: DocumentProblem } {
  return fail({ kind, path, message: `${visible(path, 200)} ${toldText(why)}`, why });
}

/** A file by its name; where a disk spells it in another normal form, as the disk has it. */
function single(root: string, path: string): Result<readonly string[], DocumentProblem> {
  const found =
    lstatSync(join(root, path), { throwIfNoEntry: false }) === undefined ? respelt(root, path) : path;
  if (found === undefined) return problem("missing", path, told`does not exist`);
  const obstacle = standsAgainst(root, found);
  return obstacle === undefined ? ok([found]) : obstacle;
}

function respelt(root: string, path: string): string | undefined {
  const folder = dirname(path);
  const wanted = basename(path).normalize("NFC");
  const names = entriesOf(join(root, folder)).filter(({ name }) => name.normalize("NFC") === wanted);
  return names.length === 1 ? join(folder, names[0]!.name) : undefined;
}

/** What keeps a path from being a plain file of the repository. */
function standsAgainst(root: string, path: string): { ok: false; failure: DocumentProblem } | undefined {
  const absolute = join(root, path);
  const facts = lstatSync(absolute, { throwIfNoEntry: false });
  if (facts === undefined) return problem("missing", path, told`does not exist`);
  if (facts.isSymbolicLink()) return problem("not-a-file", path, told`is a link; name the file it leads to`);
  if (!facts.isFile())
    return problem("not-a-file", path, facts.isDirectory() ? told`is a folder` : told`is no plain file`);
  try {
    if (!isWithin(realpathSync(root), join(realpathSync(dirname(absolute)), basename(absolute))))
      return problem("outside", path, told`leads out of the repository`);
  } catch {
    return problem("unreadable", path, told`cannot be reached`);
  }
  return undefined;
}

function entriesOf(folder: string): { name: string; isFile: boolean; isFolder: boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).map(entry => ({
      name: entry.name,
      isFile: entry.isFile(),
      isFolder: entry.isDirectory(),
    }));
  } catch {
    return [];
  }
}

/** A folder on the way, and the pattern's segments that are left for what is in it. */
interface Place {
  readonly folder: string;
  readonly rest: readonly string[];
}

/** Every plain file a pattern names; links are not followed, and hidden names only where the pattern names them. */
function expand(
  root: string,
  pattern: string,
  limits: DocumentLimits,
): Result<readonly string[], DocumentProblem> {
  const open: Place[] = [
    { folder: "", rest: pattern.split("/").filter(segment => segment !== "" && segment !== ".") },
  ];
  const found = new Set<string>();
  const seen = new Set<string>();
  let looked = 0;
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { folder, rest } = place;
    const key = `${rest.length} ${folder}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const [segment = "", ...after] = rest;
    if (segment === "**" && after.length > 0) open.push({ folder, rest: after });
    for (const { name, isFile, isFolder } of entriesOf(join(root, folder))) {
      if (++looked > limits.entries)
        return problem("too-many", pattern, told`looks at more than ${limits.entries} names; name a folder`);
      if (name.startsWith(".") && !segment.startsWith(".")) continue;
      if (PASSED_OVER.has(name) && name !== segment) continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      if (segment === "**") {
        if (isFolder) open.push({ folder: path, rest });
        if (isFile && after.length === 0) found.add(path);
        continue;
      }
      if (!matchesName(segment, name)) continue;
      if (isFolder && after.length > 0) open.push({ folder: path, rest: after });
      if (isFile && after.length === 0) found.add(path);
    }
    if (found.size > limits.files)
      return problem("too-many", pattern, told`names more than ${limits.files} files`);
  }
  if (found.size === 0) return problem("no-match", pattern, told`matches no file`);
  const paths = [...found].sort();
  return twins(paths) ?? ok(paths);
}

/** Files that some disks cannot hold side by side: who checks the repository out there reads only one of them. */
function twins(paths: readonly string[]): { ok: false; failure: DocumentProblem } | undefined {
  const known = new Map<string, string>();
  for (const path of paths) {
    const key = path.normalize("NFKC").toLowerCase();
    const other = known.get(key);
    if (other !== undefined)
      return problem("twins", path, told`and ${visible(other, 200)} differ in case or spelling only`);
    known.set(key, path);
  }
  return undefined;
}

function readDocument(root: string, path: string, limits: DocumentLimits): Result<string, DocumentProblem> {
  const obstacle = path.split(sep).includes("..")
    ? problem("outside", path, told`leads upwards`)
    : standsAgainst(root, path);
  if (obstacle !== undefined) return obstacle;
  const bytes = readBounded(join(root, path), { maxBytes: limits.bytes });
  if (!bytes.ok) {
    const { kind } = bytes.failure;
    if (kind === "too-large")
      return problem("too-large", path, told`is longer than ${limits.bytes / 1024 ** 2} MiB`);
    if (kind === "missing") return problem("missing", path, told`does not exist`);
    return problem(kind === "not-regular" ? "not-a-file" : "unreadable", path, told`cannot be read`);
  }
  const text = decodeUtf8(bytes.value);
  if (!text.ok) return problem("not-text", path, told`is no UTF-8 text (byte ${text.failure.offset})`);
  return ok(text.value);
}
