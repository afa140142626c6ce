import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { writeAtomic } from "../file/index.ts";

const OWN_FOLDER = ".espalier";
/** What we keep in a state directory; lessons are left to the people of the repository. */
const OWN_NAMES = [
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

/** The repository's own directory that encloses a folder; undefined outside repositories and in odd ones. */
function gitDirectory(root: string): { readonly git: string; readonly checkout: string } | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    const git = join(folder, ".git");
    if (existsSync(git)) return statSync(git).isDirectory() ? { git, checkout: folder } : undefined;
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
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";
    const known = new Set(text.split("\n"));
    const missing = wanted.filter(pattern => !known.has(pattern));
    if (missing.length === 0) return;
    mkdirSync(dirname(path), { recursive: true });
    const gap = text === "" || text.endsWith("\n") ? "" : "\n";
    writeAtomic(path, `${text}${gap}${missing.join("\n")}\n`, { mode: 0o644, keepMode: true });
  } catch {
    // See above.
  }
}
