import { join } from "node:path";
import type { WorkFolder } from "../../../../ports/index.ts";
import { readBounded } from "../../../file/index.ts";
import { inFolder } from "../places/folders.ts";
import { ABSENT, type Difference } from "../repository/difference.ts";
import type { Repository } from "../repository/repository.ts";

/** Bytes of a file that are searched for the marks of a conflict. */
const SEARCHED = 8 * 1024 ** 2;

const BEGINNING = "\n<<<<<<< ";
const MIDDLE = "\n=======";
const END = "\n>>>>>>> ";

/** Whose marks stand around both sides of a conflict in a text: our joins name a side by its commit. Linear. */
function markedBy(bytes: Uint8Array): "us" | "git" | undefined {
  const text = `\n${Buffer.from(bytes).toString("latin1")}\n`;
  const first = text.indexOf(BEGINNING);
  for (let at = first; at >= 0; at = text.indexOf(BEGINNING, at + 1)) {
    const label = text.slice(at + BEGINNING.length, at + BEGINNING.length + 40);
    if (/^[0-9a-f]{40}$/.test(label)) return "us";
  }
  if (first < 0) return undefined;
  // A longer row of signs underlines a heading.
  let middle = text.indexOf(MIDDLE, first);
  while (middle >= 0 && !/[\r\n]/.test(text.charAt(middle + MIDDLE.length)))
    middle = text.indexOf(MIDDLE, middle + 1);
  return middle >= 0 && text.includes(END, middle) ? "git" : undefined;
}

/** Paths that git itself knows to be in conflict there: whoever began to join something has not ended it. */
async function openPaths({ git }: Repository, gitDir: string, folder: WorkFolder): Promise<Set<string>> {
  const listed = await git.fields(["ls-files", "-u", "-z"], inFolder(gitDir, folder.path));
  // An index that cannot be read tells nothing; the work is read without it.
  return new Set(listed.ok ? listed.value.map(field => field.slice(field.indexOf("\t") + 1)) : []);
}

/** Whether whoever worked there has joined another branch into theirs. */
async function hasJoined({ git }: Repository, { base, branch }: WorkFolder): Promise<boolean> {
  const range = [`refs/heads/${branch}`, `^${base}`];
  const merges = await git.text(["rev-list", "--merges", "--max-count=1", ...range, "--"]);
  return merges.ok && merges.value !== "";
}

/** Whether a file's old side held both sides of a conflict already: a page about git, a sample for a test. */
async function heldBoth({ git }: Repository, { oldMode, oldId }: Difference): Promise<boolean> {
  if (oldMode === ABSENT) return false;
  const old = await git.run(["cat-file", "blob", oldId]);
  return old.ok && markedBy(old.value.stdout) !== undefined;
}

/**
 * Changed paths that still hold both sides of a conflict: between our marks, or between git's where it was left open or was
 * committed with a merge. Marks that nobody's join has made are a file's own text.
 */
export async function unresolvedIn(
  repository: Repository,
  folder: WorkFolder,
  gitDir: string,
  changed: readonly Difference[],
): Promise<string[]> {
  const marked = changed.flatMap(difference => {
    if (difference.newMode === ABSENT) return [];
    const bytes = readBounded(join(folder.path, difference.path), { maxBytes: SEARCHED });
    const by = bytes.ok ? markedBy(bytes.value) : undefined;
    return by === undefined ? [] : [{ difference, by }];
  });
  if (marked.every(({ by }) => by === "us")) return marked.map(({ difference }) => difference.path);
  const open = await openPaths(repository, gitDir, folder);
  const joined = await hasJoined(repository, folder);
  const unresolved: string[] = [];
  for (const { difference, by } of marked) {
    const { path } = difference;
    if (by === "us" || open.has(path) || (joined && !(await heldBoth(repository, difference))))
      unresolved.push(path);
  }
  return unresolved;
}
