import { join } from "node:path";
import {
  ARCHIVE,
  checkIndex,
  deltaName,
  type Folder,
  type History,
  INDEX_FILE,
  type Link,
  listedLink,
  listedState,
  type State,
  studyHistory,
  type Texts,
} from "../../checkpoint/index.ts";
import { decodeUtf8 } from "../../delta/index.ts";
import { fail, ok, type Result } from "../../ports/result.ts";
import { type Told, told } from "../../text/index.ts";
import {
  makeOwnedFolder,
  ownedFileCalls,
  readBounded,
  removeOwned,
  syncDirectory,
  writeAtomic,
} from "../file/index.ts";

/** Bytes of one document that are read. */
const MAX_BYTES = 32 * 1024 ** 2;
/** Files of a folder that are looked at. */
const MOST_FILES = 200_000;

/** A folder's history with the documents behind it. */
export interface Kept {
  readonly history: History;
  readonly texts: Texts;
}

/** A folder of checkpoints on disk. Links, pipes and devices in it are not followed, and nothing is ever half written. */
export interface CheckpointFolder {
  readonly path: string;
  /** Reads everything that is there; a folder that does not exist is empty. */
  read(): Kept;
  /** Reads one of its files. */
  text(file: string): Result<string, string | Told>;
  /** Writes a file that is not there yet, whole or not at all; one that is there stays, whatever it is. */
  add(file: string, text: string): Result<void, string>;
  /** Writes one of its files anew, whole or not at all. */
  put(file: string, text: string): Result<void, string>;
  /** Removes files that are superseded; one that is gone already is no failure. */
  remove(files: readonly string[]): Result<void, string>;
  /** Moves a file into the archive, byte for byte. */
  archive(file: string): Result<void, string>;
}

/** Opens a folder of checkpoints; nothing is made before something is stored. */
export function openCheckpoints(path: string): CheckpointFolder {
  const text: CheckpointFolder["text"] = file => {
    const bytes = readBounded(join(path, file), { maxBytes: MAX_BYTES, calls: ownedFileCalls });
    if (!bytes.ok) return fail(bytes.failure.message);
    const decoded = decodeUtf8(bytes.value);
    return decoded.ok ? ok(decoded.value) : fail(decoded.failure.said);
  };
  const put = (file: string, content: string): Result<void, string> => {
    const made = makeFolder(path);
    if (!made.ok) return made;
    const written = writeAtomic(join(path, file), content, { calls: ownedFileCalls });
    return written.ok ? ok(undefined) : fail(written.failure.message);
  };
  return {
    path,
    text,
    read: () => readAll(path, text),
    put,
    add: (file, content) =>
      isThere(join(path, file)) ? fail(`${file} is there already, and stays as it is`) : put(file, content),
    remove: files =>
      attempt(() => {
        // Where nothing was ever kept there is no folder either.
        if (files.length === 0) return;
        for (const file of files) removeOwned(join(path, file));
        syncDirectory(path, ownedFileCalls);
      }),
    archive(file) {
      const made = makeFolder(join(path, ARCHIVE));
      if (!made.ok) return made;
      if (isThere(join(path, ARCHIVE, file))) return fail(`${ARCHIVE}/${file} is there already`);
      return attempt(() => ownedFileCalls.rename(join(path, file), join(path, ARCHIVE, file)));
    },
  };
}

function attempt(act: () => void): Result<void, string> {
  try {
    act();
    return ok(undefined);
  } catch (error) {
    return fail((error as Error).message);
  }
}

function makeFolder(path: string): Result<void, string> {
  return attempt(() => void makeOwnedFolder(path));
}

function isThere(path: string): boolean {
  try {
    ownedFileCalls.lstat(path);
    return true;
  } catch {
    // Nothing is there, or writing will tell why nothing can be.
    return false;
  }
}

function namesIn(path: string): string[] {
  try {
    return ownedFileCalls
      .list(path)
      .filter(name => name.endsWith(".md") && !name.startsWith("."))
      .slice(0, MOST_FILES);
  } catch {
    return [];
  }
}

function readAll(path: string, text: CheckpointFolder["text"]): Kept {
  const states: State[] = [];
  const links: Link[] = [];
  const unreadable: { file: string; message: string | Told }[] = [];
  const files = [...namesIn(path), ...namesIn(join(path, ARCHIVE)).map(name => `${ARCHIVE}/${name}`)];
  for (const file of files) {
    if (file === INDEX_FILE) continue;
    const read = text(file);
    if (!read.ok) unreadable.push({ file, message: read.failure });
    else if (file.slice(file.lastIndexOf("/") + 1).startsWith("delta-")) {
      const link = listedLink({ file, text: read.value });
      if (link === undefined) unreadable.push({ file, message: told`it does not say what it bridges` });
      else links.push(link);
    } else states.push(listedState({ file, text: read.value }));
  }
  const folder: Folder = { states, links, unreadable };
  const studied = studyHistory(folder);
  const index = text(INDEX_FILE);
  const stale = checkIndex(studied, index.ok ? index.value : undefined);
  const history = stale === undefined ? studied : { ...studied, problems: [...studied.problems, stale] };
  const textOf = (file: string | undefined) => {
    const read = file === undefined ? undefined : text(file);
    return read?.ok === true ? read.value : undefined;
  };
  return {
    history,
    texts: {
      state: id => textOf(history.states.get(id)?.file),
      delta: (from, to) => textOf(history.links.get(deltaName(from, to))?.file),
    },
  };
}
