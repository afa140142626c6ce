import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { OBJECT_ID } from "../../../../ports/index.ts";
import { readBounded } from "../../../file/index.ts";

/** What the files of a repository say of a ref: its commit, that there is none, or that only git can tell. */
export type StoredRef =
  | { readonly kind: "commit"; readonly commit: string }
  | { readonly kind: "absent" }
  | { readonly kind: "unclear" };

const UNCLEAR: StoredRef = { kind: "unclear" };

/** Reads refs from the files git keeps them in: a branch of ours is looked up many times for every task. */
export interface StoredRefs {
  /** `ref` is a whole name that all worktrees share: `refs/heads/…`, `refs/espalier/…`. */
  read(ref: string): StoredRef;
  /** The refs below these folders, each with the object it names, or "" where only git can tell; undefined where only git can list them. */
  list(folders: readonly string[]): ReadonlyMap<string, string> | undefined;
}

/** Levels of folders that names of refs are looked for in. */
const DEPTH = 16;

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Refs that are entries of their own below a folder, `depth` levels of folders deep. */
export function looseRefs(
  common: string,
  below: string,
  depth = Number.POSITIVE_INFINITY,
  look: (folder: string) => readonly Dirent[] = entriesOf,
): { readonly ref: string; readonly isFile: boolean }[] {
  return look(join(common, below)).flatMap(entry => {
    const ref = `${below}/${entry.name}`;
    if (entry.isDirectory()) return depth > 0 ? looseRefs(common, ref, depth - 1, look) : [];
    return entry.name.endsWith(".lock") ? [] : [{ ref, isFile: entry.isFile() }];
  });
}

/** Bytes of all refs in one file, and of a single one. */
const MOST_OF_A_LIST = 512 * 1024 ** 2;
const MOST_OF_A_REF = 1024 ** 2;

function textOf(path: string, maxBytes: number): string {
  const bytes = readBounded(path, { maxBytes });
  if (!bytes.ok) throw new Error(bytes.failure.message);
  return Buffer.from(bytes.value).toString("latin1");
}

/** How long a folder has to have rested until its times tell that nothing has changed in it: some clocks of disks go in steps. */
const RESTED_MS = 2000;

interface KnownFolder {
  /** Empty where what comes next might bear the same. */
  readonly stamp: string;
  readonly entries: readonly Dirent[];
}

/** Names a folder as it stands: git moves, makes and removes refs in it under other names first. */
function stampOf(folder: string): string {
  const facts = lstatSync(folder, { bigint: true, throwIfNoEntry: false });
  if (facts === undefined) return "";
  const isAtRest = Date.now() - Number(facts.mtimeNs / 1_000_000n) > RESTED_MS;
  return isAtRest ? `${facts.ino}:${facts.mtimeNs}:${facts.ctimeNs}` : "";
}

/** Looks into folders again only where something has changed in them. */
function createLook(): { look(folder: string): readonly Dirent[]; isAsBefore(folder: string): boolean } {
  const known = new Map<string, KnownFolder>();
  const changed = new Set<string>();
  return {
    look(folder) {
      const stamp = stampOf(folder);
      const before = known.get(folder);
      if (before !== undefined && stamp !== "" && before.stamp === stamp) {
        changed.delete(folder);
        return before.entries;
      }
      const entries = entriesOf(folder);
      known.set(folder, { stamp, entries });
      changed.add(folder);
      return entries;
    },
    isAsBefore: folder => !changed.has(folder),
  };
}

/** Whether refs are kept in tables, all of which change at once, and not in files. */
export function usesTables(common: string): boolean {
  return lstatSync(join(common, "reftable"), { throwIfNoEntry: false }) !== undefined;
}

/** Opens the refs of a common directory. */
export function openStoredRefs(common: string): StoredRefs {
  const packedPath = join(common, "packed-refs");
  let packed = { stamp: "", text: "" };
  let listed: { readonly text: string; readonly refs: ReadonlyMap<string, string> } = {
    text: "",
    refs: new Map(),
  };
  const single = new Map<string, string>();
  const folders = createLook();

  /** Rewritten as a whole by git, never in place. */
  const packedText = (): string => {
    const facts = lstatSync(packedPath, { bigint: true, throwIfNoEntry: false });
    if (facts === undefined) return "";
    const stamp = `${facts.ino}:${facts.size}:${facts.ctimeNs}`;
    if (stamp !== packed.stamp) packed = { stamp, text: textOf(packedPath, MOST_OF_A_LIST) };
    return packed.text;
  };

  const inPacked = (ref: string): StoredRef => {
    // Refs in tables are no files; a branch that is missing here is there.
    if (usesTables(common)) return UNCLEAR;
    const text = packedText();
    const end = text.indexOf(` ${ref}\n`);
    if (end < 0) return { kind: "absent" };
    const commit = text.slice(text.lastIndexOf("\n", end) + 1, end);
    return OBJECT_ID.test(commit) ? { kind: "commit", commit } : UNCLEAR;
  };

  const read: StoredRefs["read"] = ref => {
    try {
      // The single file first, as git does: packing writes the list before it removes the file.
      const path = join(common, ref);
      const facts = lstatSync(path, { throwIfNoEntry: false });
      if (facts === undefined || facts.isDirectory()) return inPacked(ref);
      if (!facts.isFile()) return UNCLEAR;
      const text = textOf(path, MOST_OF_A_REF).trim();
      return OBJECT_ID.test(text) ? { kind: "commit", commit: text } : UNCLEAR;
    } catch {
      return UNCLEAR;
    }
  };

  /** All that are in the one file. */
  const packedRefs = (): ReadonlyMap<string, string> => {
    const text = packedText();
    if (listed.text === text) return listed.refs;
    const lines = text.split("\n").map(line => line.split(" ", 2));
    const refs = lines.flatMap(([object = "", ref = ""]) =>
      OBJECT_ID.test(object) ? [[ref, object] as const] : [],
    );
    listed = { text, refs: new Map(refs) };
    return listed.refs;
  };

  /** Refs that are files of their own; one is read again where its folder has changed. */
  const singleRefs = (below: readonly string[]): ReadonlyMap<string, string> => {
    const now = new Map<string, string>();
    for (const { ref } of below.flatMap(folder => looseRefs(common, folder, DEPTH, folders.look))) {
      const known = folders.isAsBefore(dirname(join(common, ref))) ? single.get(ref) : undefined;
      const one = known === undefined ? read(ref) : undefined;
      if (one?.kind === "absent") continue;
      const object = known ?? (one?.kind === "commit" ? one.commit : "");
      now.set(ref, object);
      if (known === undefined) single.set(ref, object);
    }
    return now;
  };

  return {
    read,
    list(below) {
      if (usesTables(common)) return undefined;
      try {
        // The single files first: packing writes the list before it removes them.
        const alone = singleRefs(below);
        const isBelow = ([ref]: readonly [string, string]) =>
          below.some(folder => ref.startsWith(`${folder}/`));
        return new Map([...[...packedRefs()].filter(isBelow), ...alone]);
      } catch {
        return undefined;
      }
    },
  };
}
