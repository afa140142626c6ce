import { type BigIntStats, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { because, fail, ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import { nodeSync, type SyncCall, syncAll, type WriteFailure } from "../../../file/index.ts";
import { rewriteObject } from "./loose-object.ts";

/** Objects of a repository, whoever stored them: us, git, or an agent's own git, none of which waits for the disk. */
export interface ObjectSync {
  /** Every object that came since the last call is on the disk afterwards, under its name. */
  sync(): Promise<Result<void, VcsFailure>>;
}

/** Milliseconds after which every kernel has written a file by itself. */
const WRITTEN_BACK = 15 * 60_000;
/** Milliseconds within which a folder may change again without its time showing it. */
const SAME_TIME = 2000;

interface KnownFolder {
  /** Its time of change, once that is old enough to show the next one. */
  readonly stamp: bigint | undefined;
  readonly names: ReadonlySet<string>;
}

const isRecent = (facts: BigIntStats, within: number): boolean => {
  const age = Date.now() - Number(facts.ctimeMs);
  return age < within;
};

/** Files that stand in a folder of objects, and whether its name is for single objects. */
function objectNames(folder: string, isPack: boolean): string[] {
  const names = readdirSync(folder);
  return names.filter(name =>
    isPack ? !name.startsWith("tmp_") : /^(?:[0-9a-f]{38}|[0-9a-f]{62})$/.test(name),
  );
}

export function asVcsFailure({ kind, message }: WriteFailure): VcsFailure {
  return {
    kind: kind === "full" ? "full" : "failed",
    reason: because("said", { by: "system", text: message }),
  };
}

/** Looks after the objects below a common directory. The first call takes what is older than a quarter of an hour as written. */
export function openObjectSync(common: string, sync: SyncCall = nodeSync): ObjectSync {
  const top = join(common, "objects");
  const known = new Map<string, KnownFolder>();
  /** Objects that the disk would not take: the kernel may say of them next time that they are there. */
  const refused = new Set<string>();

  /** New files of one folder; they count as known once `take` is called. */
  const look = (
    name: string,
  ): { readonly fresh: readonly string[]; readonly take: () => void } | undefined => {
    const folder = join(top, name);
    const facts = lstatSync(folder, { bigint: true, throwIfNoEntry: false });
    if (facts?.isDirectory() !== true) return undefined;
    const before = known.get(name);
    if (before?.stamp !== undefined && before.stamp === facts.mtimeNs) return undefined;
    const names = objectNames(folder, name === "pack");
    const isOld = Date.now() - Number(facts.mtimeMs) > SAME_TIME;
    const isUntouched = before === undefined && !isRecent(facts, WRITTEN_BACK);
    const fresh = isUntouched
      ? []
      : names
          .filter(one => before?.names.has(one) !== true)
          .map(one => join(folder, one))
          .filter(path => {
            const file = lstatSync(path, { bigint: true, throwIfNoEntry: false });
            return file?.isFile() === true && (before !== undefined || isRecent(file, WRITTEN_BACK));
          });
    const stamp = isOld ? facts.mtimeNs : undefined;
    return { fresh, take: () => known.set(name, { stamp, names: new Set(names) }) };
  };

  const bring = async (path: string): Promise<void> => {
    if (!refused.has(path)) {
      try {
        await sync(path);
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EIO") throw error;
        refused.add(path);
      }
    }
    await rewriteObject(path, sync);
    refused.delete(path);
  };

  return {
    async sync() {
      // Packs last: what was a single object a moment ago may have gone into one.
      const names = [...readdirSync(top).filter(name => /^[0-9a-f]{2}$/.test(name)), "pack"];
      const looks = names.map(name => ({ folder: join(top, name), found: look(name) }));
      const changed = looks.filter(({ found }) => (found?.fresh.length ?? 0) > 0);
      const files = await syncAll(
        changed.flatMap(({ found }) => found?.fresh ?? []),
        bring,
      );
      if (!files.ok) return fail(asVcsFailure(files.failure));
      const folders = changed.length === 0 ? [] : [...changed.map(({ folder }) => folder), top];
      const named = await syncAll(folders, sync);
      if (!named.ok) return fail(asVcsFailure(named.failure));
      for (const { found } of looks) found?.take();
      return ok(undefined);
    },
  };
}
