import { join } from "node:path";
import type { NotOwn } from "../../ports/index.ts";
import { entriesOwned, type FileFacts, NotOwned, requireOwnFile } from "../file/index.ts";

const DATABASES = ["espalier.db", "espalier.db.bak", "lock.db"];
const COMPANIONS = ["", "-journal", "-wal", "-shm"];

/** What Espalier keeps in a state folder, which others may keep theirs in, too. */
const FILES: ReadonlySet<string> = new Set([
  ...DATABASES.flatMap(name => COMPANIONS.map(ending => name + ending)),
  "holder.json",
  "orchestrate-state.json",
  "orchestrate-state.json.bak",
  "orchestrate.log",
  "phase-after.json",
  "hub.json",
]);
const FOLDERS: ReadonlySet<string> = new Set([
  "attempts",
  "away",
  "cache",
  "checkpoints",
  "context_cache",
  "copies",
  "jail-cache",
  "memory",
  "rescued",
]);

function requireKind(
  path: string,
  { kind }: FileFacts,
  { files, folders }: { readonly files: boolean; readonly folders: boolean },
): void {
  if (files) requireOwnFile(path);
  if (folders && kind !== "directory") throw new NotOwned(path, kind === "symlink" ? "link" : "no-folder");
}

/**
 * Looks at what stands in a state folder under names of ours before anything is believed or written there. Says what is
 * none of ours: a link, a file with a name elsewhere, something of another kind, what belongs to another user.
 */
export function strangerIn(stateDir: string): NotOwn | undefined {
  try {
    for (const { name, facts } of entriesOwned(stateDir))
      requireKind(join(stateDir, name), facts, { files: FILES.has(name), folders: FOLDERS.has(name) });
    const memory = join(stateDir, "memory");
    for (const { name, facts } of entriesOwned(memory)) {
      const kinds = { files: name === "learnings.md", folders: name === "attempts" };
      requireKind(join(memory, name), facts, kinds);
    }
    return undefined;
  } catch (error) {
    // What the system refuses to show is told by whoever needs it.
    return error instanceof NotOwned ? error.what : undefined;
  }
}
