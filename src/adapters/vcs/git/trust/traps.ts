import { type BigIntStats, type Dirent, lstatSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { isWithin, readBounded } from "../../../file/index.ts";
import { firstLine, namedGitDir, realPath } from "../places/pointers.ts";

/** What git and we write in a repository's folder; hooks are only read, and often links. */
const WRITTEN: ReadonlySet<string> = new Set([
  "HEAD",
  "ORIG_HEAD",
  "espalier",
  "index",
  "logs",
  "objects",
  "packed-refs",
  "refs",
  "reftable",
  "worktrees",
]);
/** What git reads there besides. */
const READ: ReadonlySet<string> = new Set([
  "commondir",
  "config",
  "config.worktree",
  "gitdir",
  "info",
  "shallow",
]);
const READ_OF_CHECKOUT = [".gitattributes", ".gitignore", ".gitmodules"];
/** Folders of reflogs: git appends to what stands there, and replaces all else. */
const LOGS = `${sep}logs${sep}`;

/** Where git and we make files below: with a file there every change of a ref fails, as often as it is tried. */
const FOLDERS: ReadonlySet<string> = new Set(
  ["logs", "logs/refs", "logs/refs/heads", "worktrees", "espalier"].map(path => path.replaceAll("/", sep)),
);

const MB = 1024 ** 2;
/** Bytes that git may be given to read at once, by name; a sparse file takes no room on a disk, but all of the memory. */
const MOST: ReadonlyMap<string, number> = new Map([
  ["HEAD", MB],
  ["ORIG_HEAD", MB],
  ["alternates", MB],
  ["attributes", 16 * MB],
  ["commondir", MB],
  ["config", 16 * MB],
  ["config.worktree", 16 * MB],
  ["exclude", 16 * MB],
  ["gitdir", MB],
  ["grafts", 16 * MB],
  ["index", 2048 * MB],
  ["packed-refs", 512 * MB],
  ["shallow", 64 * MB],
  ["sparse-checkout", 16 * MB],
  [".gitattributes", 16 * MB],
  [".gitignore", 16 * MB],
  [".gitmodules", 16 * MB],
]);
/** Bytes of a single ref. */
const MOST_OF_A_REF = MB;
/** Object folders that one repository borrows from, one behind the other; git itself follows five. */
const MOST_LENDERS = 32;

/** What a path is where git expects a plain file or a folder; undefined where it is one. */
function oddKind(facts: BigIntStats): string | undefined {
  if (facts.isFIFO()) return "a pipe";
  if (facts.isSocket()) return "a socket";
  return facts.isCharacterDevice() || facts.isBlockDevice() ? "a device" : undefined;
}

function factsOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // A link that leads round in a circle, or where nobody may look.
    return undefined;
  }
}

/** Why git must not read a path, through whatever links lead there: it would wait, or read without end. */
function unreadable(path: string, most: number | undefined): string | undefined {
  const facts = factsOf(path);
  if (facts === undefined) return undefined;
  const odd = oddKind(facts);
  if (odd !== undefined) return `${path} is ${odd}, at which git would wait`;
  if (most === undefined || !facts.isFile() || facts.size <= BigInt(most)) return undefined;
  return `${path} has ${facts.size} bytes; at most ${most} are read`;
}

function mostOf(path: string, name: string): number | undefined {
  return path.includes(`${sep}refs${sep}`) && !path.includes(LOGS) ? MOST_OF_A_REF : MOST.get(name);
}

/**
 * What is wrong below a repository's folder, however deep: a link that leads out of it, a second name of what is appended to,
 * what is no plain file, or too large for one. No path can be longer than the system allows, so it ends.
 */
function trapIn(common: string, folder: string = common): string | undefined {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    // Where names cannot be listed, git may still follow one that it knows.
    return (error as NodeJS.ErrnoException).code === "EACCES" ? `${folder} cannot be looked into` : undefined;
  }
  const isLoose = folder.includes(`${sep}objects${sep}`);
  for (const entry of entries) {
    const isWritten = folder !== common || WRITTEN.has(entry.name);
    if (!isWritten && !READ.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink() && isWritten) {
      const target = realPath(path);
      if (target === undefined || !isWithin(common, target))
        return `${path} is a symbolic link that leads out of the repository`;
    }
    const most = mostOf(path, entry.name);
    const isPlain = entry.isFile() || entry.isDirectory();
    const odd = isPlain && (isLoose || most === undefined) ? undefined : unreadable(path, most);
    if (odd !== undefined) return odd;
    if (!entry.isDirectory() && FOLDERS.has(relative(common, path)) && factsOf(path)?.isDirectory() !== true)
      return `${path} is no folder, as git needs it to be`;
    if (entry.isFile() && path.includes(LOGS, common.length) && hasMoreNames(path))
      return `${path} has another name, under which it would be written, too`;
    const found = entry.isDirectory() ? trapIn(common, path) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The same for the folders of objects that a repository borrows from, as its `alternates` name them. */
function trapInLenders(common: string): string | undefined {
  const todo = [join(common, "objects")];
  const seen = new Set(todo);
  for (const objects of todo) {
    const path = join(objects, "info", "alternates");
    const odd = unreadable(path, MOST.get("alternates"));
    if (odd !== undefined) return odd;
    const bytes = readBounded(path, { maxBytes: MB, follow: true });
    const lines = bytes.ok ? Buffer.from(bytes.value).toString("utf8").split("\n") : [];
    for (const line of lines.filter(one => one !== "" && !one.startsWith("#"))) {
      if (line.startsWith('"')) return `${path} names a folder in quotes, which is not followed`;
      const lender = resolve(objects, line);
      if (seen.has(lender)) continue;
      seen.add(lender);
      if (seen.size > MOST_LENDERS) return `${path} names more folders than are followed`;
      const found = trapAmongObjects(lender);
      if (found !== undefined) return found;
      todo.push(lender);
    }
  }
  return undefined;
}

/** What among somebody else's objects is no plain file. */
function trapAmongObjects(folder: string): string | undefined {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined;
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    const found = entry.isDirectory()
      ? trapAmongObjects(path)
      : entry.isFile()
        ? undefined
        : unreadable(path, undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The git directories that a `.git` leads to: its own and, of a linked worktree, the one all share. */
function foldersOf(entry: string, facts: BigIntStats): readonly string[] {
  if (facts.isDirectory()) return [entry];
  const own = facts.isFile() ? namedGitDir(entry) : undefined;
  if (own === undefined) return [];
  const shared = firstLine(join(own, "commondir"));
  return shared === undefined ? [own] : [own, resolve(own, shared)];
}

/**
 * What stands in the repository around a folder that would have git write elsewhere, wait for ever, or read without end; looked
 * at before git is started there. It comes with what was copied or planted, not from git.
 */
export function trapAround(root: string): string | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    const entry = join(folder, ".git");
    const facts = lstatSync(entry, { bigint: true, throwIfNoEntry: false });
    if (facts === undefined) {
      if (dirname(folder) === folder) return undefined;
      continue;
    }
    if (facts.isSymbolicLink()) return `${entry} is a symbolic link`;
    const odd = unreadable(entry, MB);
    if (odd !== undefined && !facts.isDirectory()) return odd;
    const files = READ_OF_CHECKOUT.map(name => unreadable(join(folder, name), MOST.get(name)));
    const traps = foldersOf(entry, facts).flatMap(common => [trapIn(common), trapInLenders(common)]);
    return [...files, ...traps].find(found => found !== undefined);
  }
}

/** Folders that are as good as never looked into by git: its own, and packages, which are ignored. */
const PASSED: ReadonlySet<string> = new Set([".git", "node_modules"]);

/** What below a checkout's top would keep git waiting when it looks for what is new there: it asks each folder what to ignore. */
export function trapBelow(top: string): string | undefined {
  const folders = [top];
  for (const folder of folders) {
    let entries: Dirent[] = [];
    try {
      entries = readdirSync(folder, { withFileTypes: true });
    } catch {
      // Git cannot look into it either.
    }
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !PASSED.has(entry.name)) folders.push(path);
      const odd = READ_OF_CHECKOUT.includes(entry.name) ? unreadable(path, MOST.get(entry.name)) : undefined;
      if (odd !== undefined) return odd;
    }
  }
  return undefined;
}

function hasMoreNames(path: string): boolean {
  return (lstatSync(path, { throwIfNoEntry: false })?.nlink ?? 1) > 1;
}

/** Files that git opens whatever it is asked, below a repository's folder. */
export const ALWAYS_READ: readonly string[] = [
  "HEAD",
  "commondir",
  "config",
  "config.worktree",
  "index",
  "info/exclude",
  "objects/info/alternates",
  "packed-refs",
  "shallow",
];
