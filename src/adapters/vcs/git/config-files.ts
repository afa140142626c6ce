import { readdirSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { readBounded } from "../../file/index.ts";
import { type ConfigEntries, includedIn, readConfigFile } from "./config-file.ts";

const MAX_BYTES = 4 * 1024 ** 2;
/** Files that one configuration may lead to; git itself follows ten in a row. */
const MOST = 100;

/** A configuration file, by the path it was found at. */
export interface ConfigFile {
  readonly path: string;
  readonly entries: ConfigEntries;
}

/** A path as git reads it in a configuration file. */
function resolved(file: string, path: string): string {
  return path.startsWith("~/") ? join(homedir(), path.slice(2)) : resolve(dirname(file), path);
}

/** A configuration file and all it includes, under whatever condition; what is not there is left out. */
export function configFiles(path: string): readonly ConfigFile[] {
  const files: ConfigFile[] = [];
  const seen = new Set([path]);
  for (const one of seen) {
    const bytes = readBounded(one, { maxBytes: MAX_BYTES, follow: true });
    if (!bytes.ok) continue;
    const entries = readConfigFile(Buffer.from(bytes.value).toString());
    files.push({ path: one, entries });
    for (const more of includedIn(entries)) if (seen.size < MOST) seen.add(resolved(one, more));
  }
  return files;
}

/** The configuration files of a repository: its own, that of its main checkout, those of its worktrees. */
export function repositoryConfigs(common: string): readonly string[] {
  let worktrees: string[] = [];
  try {
    worktrees = readdirSync(join(common, "worktrees"));
  } catch {
    // It has none.
  }
  return ["config", "config.worktree", ...worktrees.map(name => join("worktrees", name, "config.worktree"))];
}
