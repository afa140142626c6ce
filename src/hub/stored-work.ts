import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  entriesOwned,
  ownedFileCalls,
  readBounded,
  removeOwned,
  writeAtomic,
} from "../adapters/file/index.ts";
import { copyNamed, newestOf } from "../adapters/fleet/by-git.ts";
import { makeFolders } from "../adapters/home/index.ts";
import { callProgram } from "../adapters/process/index.ts";
import type { Hub } from "./hub.ts";

/** Milliseconds for which the work of an order that is over, and that nobody asked for, is kept. */
const KEPT_MS = 3_600_000;
/** Milliseconds that git may take to pack a repository. */
const LONGEST = 30 * 60_000;
const MOST_REFS = 16 * 1024 ** 2;
/** Seconds for which the copy of a run is kept that nobody brings anew. */
const COPY_KEPT = 30 * 24 * 3600;
/** Git drops what a newer copy has replaced when it is as old as that: whoever reads one is through by then. */
const REPLACED = "gc.pruneExpire=2.hours.ago";

const HEADS = "refs/heads/";

/** The name under which the copies of runs lie; names of orders are longer. */
export const COPIES = "copies";

/** Whose work lies in the repositories of a hub, so that it can go when nobody needs it any more. */
export interface StoredWork {
  /** The refs of an order are asked for, or come: a pool's folder, a repository in it, and the name of its refs. */
  used(project: string, repository: string, namespace: string, id: string): void;
  /** Removes the refs of orders that are over and old copies of runs, and has git pack what is left. Never throws. */
  tidy(): Promise<void>;
}

export function createStoredWork(
  hub: Pick<Hub, "isOver">,
  folder: string,
  git: string,
  env: Readonly<Record<string, string>>,
  keptMs = KEPT_MS,
): StoredWork {
  const now = () => performance.now();
  /** What was used before this start counts as used at it. */
  const began = now();
  const last = new Map<string, number>();

  const call = (place: string, args: readonly string[], input = "") =>
    callProgram({
      file: git,
      args: ["--git-dir", place, ...args],
      cwd: folder,
      env,
      input,
      longestMs: LONGEST,
      mostBytes: MOST_REFS,
    });

  /** Removes the refs of one order; whether they are gone. */
  async function remove(place: string, namespace: string): Promise<boolean> {
    const refs = `refs/namespaces/${namespace}/`;
    const listed = await call(place, ["for-each-ref", "--format=delete %(refname)", refs]);
    if (listed.code !== 0) return false;
    return (await call(place, ["update-ref", "--stdin"], listed.stdout.toString("utf8"))).code === 0;
  }

  /** Of each run only the newest coordinator's copy stays, and that not for ever. */
  async function tidyCopies(place: string): Promise<void> {
    const refs = `refs/namespaces/${COPIES}/${HEADS}`;
    const format = "--format=%(committerdate:unix) %(refname)";
    const listed = await call(place, ["for-each-ref", format, refs]);
    if (listed.code !== 0) return;
    const copies = listed.stdout
      .toString("utf8")
      .split("\n")
      .flatMap(line => {
        const [at = "", ref = ""] = line.split(" ");
        const named = copyNamed(ref.slice(refs.length - HEADS.length));
        return named === undefined ? [] : [{ ...named, at: Number(at), ref }];
      });
    const newest = newestOf(copies);
    const oldest = Date.now() / 1000 - COPY_KEPT;
    const gone = copies.filter(({ at, run, epoch }) => at < oldest || epoch !== newest.get(run)?.epoch);
    const input = gone.map(({ ref }) => `delete ${ref}\n`).join("");
    if (input !== "") await call(place, ["update-ref", "--stdin"], input);
  }

  async function tidyRepository(pool: string, repository: string): Promise<void> {
    const place = join(folder, pool, repository);
    const slips = join(place, SLIPS);
    for (const namespace of namesIn(slips)) {
      const slip = join(slips, namespace);
      const read = readBounded(slip, { maxBytes: 1024, calls: ownedFileCalls });
      if (!read.ok || now() - (last.get(slip) ?? began) < keptMs) continue;
      if (!(await hub.isOver(pool, Buffer.from(read.value).toString("utf8")))) continue;
      if (!(await remove(place, namespace))) continue;
      removeOwned(slip);
      last.delete(slip);
    }
    await tidyCopies(place);
    await call(place, ["-c", REPLACED, "gc", "--auto", "--quiet"]);
  }

  return {
    used(project, repository, namespace, id) {
      const slips = join(project, repository, SLIPS);
      const slip = join(slips, namespace);
      const isKnown = last.has(slip) || existsSync(slip);
      last.set(slip, now());
      if (isKnown) return;
      makeFolders(slips);
      // Where that fails the work only lies there for longer.
      writeAtomic(slip, id, { calls: ownedFileCalls });
    },
    async tidy() {
      try {
        for (const pool of namesIn(folder))
          for (const repository of namesIn(join(folder, pool)))
            if (repository.endsWith(".git")) await tidyRepository(pool, repository);
      } catch {
        // The engine is away, or a folder is: there is a next time.
      }
    },
  };
}

const SLIPS = "orders";

function namesIn(folder: string): readonly string[] {
  return entriesOwned(folder).map(({ name }) => name);
}
