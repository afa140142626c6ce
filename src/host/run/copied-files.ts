import { join } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import {
  CONFIG_FILE,
  entriesOwned,
  type FileCalls,
  type FileFacts,
  makeOwnedFolder,
  ownedFileCalls,
  readBounded,
  removeOwned,
  unsyncedOwnedCalls,
  writeAtomic,
} from "../../adapters/file/index.ts";
import { STATE_NAMES } from "../../adapters/store/index.ts";
import type { CopyFile } from "../../adapters/vcs/git/index.ts";

/** Bytes of one file besides the database; a larger one stays here. */
const MOST_FILE = 8 * 1024 ** 2;
/** Files that are gone through before something else has its turn. */
const AT_ONCE = 500;

/** Parts of the state folder that go along; logs of attempts, places of work and caches stay. */
export const STATE_PARTS = ["away", "checkpoints", "memory"] as const;
/** What names in a copy begin with: of what lies in the state folder, and of files of the project. */
export const STATE = "state/";
export const PROJECT = "project/";
export const DATABASE: string = STATE + STATE_NAMES.database;

/** Whether a file of a copy goes below the state folder, by no way but its own. */
export function isStateName(name: string): boolean {
  const parts = name.slice(STATE.length).split("/");
  const isPlain = parts.every(part => part !== "" && part !== "." && part !== ".." && !/[\\\0]/.test(part));
  if (!isPlain || !name.startsWith(STATE)) return false;
  return parts.length > 1 && STATE_PARTS.some(one => one === parts[0]);
}

export interface FilePlaces {
  readonly stateDir: string;
  readonly root: string;
  /** The task file, and its path in the project. */
  readonly tasks: { readonly path: string; readonly display: string };
}

/** The files that go along with copies of a run. What has not changed since the last copy is not read again. */
export interface CopiedFiles {
  /** All as they are now, by their names in a copy. */
  gather(): Promise<ReadonlyMap<string, CopyFile>>;
  /** Notes that the objects of what was gathered last are there, by the same names. */
  keep(blobs: ReadonlyMap<string, string>): void;
}

/** `beside` is a folder for files while they are copied: nobody else changes or removes them there. */
export function createCopiedFiles({ stateDir, root, tasks }: FilePlaces, beside: string): CopiedFiles {
  let kept: ReadonlyMap<string, { readonly mark: string; readonly blob: string }> = new Map();
  /** What the files gathered last were known by. */
  let marks = new Map<string, string>();

  return {
    async gather() {
      removeOwned(beside);
      makeOwnedFolder(beside);
      marks = new Map();
      const files = new Map<string, CopyFile>();
      const add = (name: string, path: string, calls?: FileCalls) => {
        const read = readBounded(path, { maxBytes: MOST_FILE, ...(calls === undefined ? {} : { calls }) });
        if (!read.ok) return;
        const to = join(beside, String(files.size));
        if (writeAtomic(to, read.value, { calls: unsyncedOwnedCalls }).ok) files.set(name, { path: to });
      };
      let passed = 0;
      for (const part of STATE_PARTS)
        for (const { name, path, facts } of filesBelow(join(stateDir, part), `${STATE}${part}/`)) {
          if (++passed % AT_ONCE === 0) await breathe();
          // Looked at before it is read: what changes in between is read again next time.
          const mark = markOf(facts);
          const known = kept.get(name);
          if (known?.mark === mark) files.set(name, { blob: known.blob });
          else add(name, path, ownedFileCalls);
          marks.set(name, mark);
        }
      add(`${PROJECT}${tasks.display}`, tasks.path);
      add(`${PROJECT}${CONFIG_FILE}`, join(root, CONFIG_FILE));
      return files;
    },
    keep(blobs) {
      kept = new Map(
        [...marks].flatMap(([name, mark]) => {
          const blob = blobs.get(name);
          return blob === undefined ? [] : [[name, { mark, blob }]];
        }),
      );
    },
  };
}

const markOf = ({ identity, modified, size }: FileFacts): string => `${identity} ${modified} ${size}`;

interface Found {
  readonly name: string;
  readonly path: string;
  readonly facts: FileFacts;
}

/** Files below a folder of ours, by the names they have in a copy. */
function* filesBelow(folder: string, prefix: string): Generator<Found> {
  for (const { name, facts } of entriesOwned(folder)) {
    const found = { name: prefix + name, path: join(folder, name), facts };
    if (facts.kind === "directory") yield* filesBelow(found.path, `${found.name}/`);
    else if (facts.kind === "file") yield found;
  }
}
