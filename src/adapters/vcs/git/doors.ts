import { createHash } from "node:crypto";
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readBounded } from "../../file/index.ts";
import { type ConfigEntries, changedKeys } from "./config-file.ts";
import { configFiles } from "./config-files.ts";
import { linksBelow } from "./links.ts";

/** Everything in a repository through which a program could come to be started: its state at one moment. */
export interface Doors {
  readonly config: ConfigEntries;
  /** Hash by name of what lies beside the configuration: hooks, attributes, other worktrees' configuration. */
  readonly files: ReadonlyMap<string, string>;
}

const MAX_BYTES = 4 * 1024 ** 2;
/** Hooks that are looked at; a folder of more is told by its count. */
const MAX_HOOKS = 1000;

function names(folder: string): string[] {
  try {
    return readdirSync(folder).sort().slice(0, MAX_HOOKS);
  } catch {
    return [];
  }
}

/** What a file is and holds; undefined when it is not there. Links are not followed: where they lead counts. */
function fingerprint(path: string): string | undefined {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts === undefined) return undefined;
  if (!facts.isFile()) return `${facts.mode}:${facts.mtimeMs}`;
  const bytes = readBounded(path, { maxBytes: MAX_BYTES });
  const hash = bytes.ok ? createHash("sha256").update(bytes.value).digest("hex") : bytes.failure.kind;
  return `${facts.mode}:${hash}`;
}

/** Samples that `git init` copies are started by nobody. */
function isLive(hook: string): boolean {
  return !hook.endsWith(".sample");
}

/** Looks at a repository's doors. `common` is its git common directory, `worktrees` the names of our own in it. */
export function lookAtDoors(common: string, worktrees: Iterable<string>): Doors {
  const files = new Map<string, string>();
  const look = (name: string) => {
    const found = fingerprint(join(common, name));
    if (found !== undefined) files.set(name, found);
  };
  for (const hook of names(join(common, "hooks")).filter(isLive)) look(join("hooks", hook));
  look(join("info", "attributes"));
  const config = new Map<string, readonly string[]>();
  const own = (name: string) => {
    const root = join(common, name);
    for (const { path, entries } of configFiles(root)) {
      const before = path !== root ? `${path}:` : name === "config" ? "" : `${name}:`;
      for (const [key, values] of entries) config.set(before + key, values);
    }
  };
  own("config");
  own("config.worktree");
  for (const one of worktrees) {
    own(join("worktrees", one, "config.worktree"));
    // Where a worktree says its repository is: another one would bring another configuration.
    look(join("worktrees", one, "commondir"));
    look(join("worktrees", one, "gitdir"));
  }
  const written = ["logs", ...[...worktrees].map(one => join("worktrees", one))];
  for (const link of written.flatMap(folder => linksBelow(common, folder))) look(link);
  return { config, files };
}

/** The doors that were opened, closed or moved between two looks; empty when none was. */
export function changedDoors(before: Doors, after: Doors): string[] {
  const all = new Set([...before.files.keys(), ...after.files.keys()]);
  // A worktree that is gone opens nothing.
  const isGone = (name: string) => name.startsWith("worktrees") && !after.files.has(name);
  const moved = [...all].filter(name => before.files.get(name) !== after.files.get(name) && !isGone(name));
  return [...changedKeys(before.config, after.config), ...moved.sort()];
}
