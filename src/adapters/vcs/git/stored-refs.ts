import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { OBJECT_ID } from "../../../ports/index.ts";
import { readBounded } from "../../file/index.ts";

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

/** Refs that are entries of their own below a folder, `depth` levels of folders deep. */
export function looseRefs(
  common: string,
  below: string,
  depth = Number.POSITIVE_INFINITY,
): { readonly ref: string; readonly isFile: boolean }[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(join(common, below), { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.flatMap(entry => {
    const ref = `${below}/${entry.name}`;
    if (entry.isDirectory()) return depth > 0 ? looseRefs(common, ref, depth - 1) : [];
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

/** Opens the refs of a common directory. */
export function openStoredRefs(common: string): StoredRefs {
  const packedPath = join(common, "packed-refs");
  let packed = { stamp: "", text: "" };

  /** Rewritten as a whole by git, never in place. */
  const packedText = (): string => {
    const facts = lstatSync(packedPath, { bigint: true, throwIfNoEntry: false });
    if (facts === undefined) return "";
    const stamp = `${facts.ino}:${facts.size}:${facts.ctimeNs}`;
    if (stamp !== packed.stamp) packed = { stamp, text: textOf(packedPath, MOST_OF_A_LIST) };
    return packed.text;
  };

  const inTables = () => lstatSync(join(common, "reftable"), { throwIfNoEntry: false }) !== undefined;

  const inPacked = (ref: string): StoredRef => {
    // Refs in tables are no files; a branch that is missing here is there.
    if (inTables()) return UNCLEAR;
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

  return {
    read,
    list(folders) {
      if (inTables()) return undefined;
      // The single files first: packing writes the list before it removes them.
      const loose = folders.flatMap(folder => looseRefs(common, folder, DEPTH));
      const found = new Map<string, string>();
      try {
        for (const line of packedText().split("\n")) {
          const [object = "", ref = ""] = line.split(" ");
          if (OBJECT_ID.test(object) && folders.some(folder => ref.startsWith(`${folder}/`)))
            found.set(ref, object);
        }
      } catch {
        return undefined;
      }
      for (const { ref } of loose) {
        const one = read(ref);
        if (one.kind !== "absent") found.set(ref, one.kind === "commit" ? one.commit : "");
      }
      return found;
    },
  };
}
