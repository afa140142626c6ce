import { lstatSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { directFileCalls, makeDirectFolder, readBounded, writeAtomic } from "../file/index.ts";

const OWN_FOLDER = ".espalier";
/** What we keep in a state directory; lessons are left to the people of the repository. */
const OWN_NAMES = [
  ".espalier-*.tmp*",
  "espalier.db*",
  "lock.db*",
  "holder.json",
  "control.sock",
  "orchestrate-state.json*",
  "orchestrate.log",
  "attempts/",
  "memory/attempts/",
  "checkpoints/",
  "context_cache/",
];

/** Bytes of a list of exclusions that is added to. */
const MOST_BYTES = 1024 ** 2;

/** The repository's own directory that encloses a folder; undefined outside repositories and in odd ones. */
function gitDirectory(root: string): { readonly git: string; readonly checkout: string } | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    const git = join(folder, ".git");
    const facts = lstatSync(git, { throwIfNoEntry: false });
    if (facts !== undefined) return facts.isDirectory() ? { git, checkout: folder } : undefined;
    if (dirname(folder) === folder) return undefined;
  }
}

/**
 * Keeps the state directory out of the repository's eyes through `.git/info/exclude`, which is nobody's file but this
 * clone's. A repository that cannot be written stays as it is: the state is then merely untracked.
 */
export function excludeFromGit(root: string, stateDir: string): void {
  try {
    const found = gitDirectory(root);
    if (found === undefined) return;
    const folder = relative(found.checkout, stateDir);
    // A folder of another name may be shared with others, whose files are theirs to exclude.
    const wanted =
      basename(stateDir) === OWN_FOLDER ? [`/${folder}/`] : OWN_NAMES.map(name => `/${folder}/${name}`);
    const path = join(found.git, "info", "exclude");
    const read = readBounded(path, { maxBytes: MOST_BYTES, calls: directFileCalls });
    if (!read.ok && read.failure.kind !== "missing") return;
    const text = read.ok ? Buffer.from(read.value).toString("utf8") : "";
    const known = new Set(text.split("\n"));
    const missing = wanted.filter(pattern => !known.has(pattern));
    if (missing.length === 0) return;
    makeDirectFolder(dirname(path));
    const gap = text === "" || text.endsWith("\n") ? "" : "\n";
    writeAtomic(path, `${text}${gap}${missing.join("\n")}\n`, {
      mode: 0o644,
      keepMode: true,
      calls: directFileCalls,
    });
  } catch {
    // See above.
  }
}
