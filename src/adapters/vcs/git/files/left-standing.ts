import { join } from "node:path";
import { ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import {
  directFileCalls,
  readBounded,
  removeOwned,
  unsyncedOwnedCalls,
  writeAtomic,
} from "../../../file/index.ts";
import type { CallOptions } from "../call/call.ts";
import { ABSENT, type Difference, GITLINK } from "../repository/difference.ts";
import type { Repository } from "../repository/repository.ts";
import { putEntries, readEntries } from "./index-entries.ts";

/** Left in a folder's git directory: the submodules that stand elsewhere than the folder's commit says, and not by anybody's work. */
const STANDING = "espalier-submodules";
const MOST_BYTES = 16 * 1024 ** 2;

/** A submodule that git left where it stood when the folder was moved. */
interface Standing {
  readonly stands: string;
  /** What the folder was moved to says of it; empty where that has it no more. */
  readonly means: string;
}

function noted(gitDir: string): Map<string, Standing> {
  const read = readBounded(join(gitDir, STANDING), { maxBytes: MOST_BYTES, calls: directFileCalls });
  const lines = read.ok ? Buffer.from(read.value).toString("utf8").split("\0") : [];
  return new Map(
    lines
      .filter(line => line !== "")
      .map(line => {
        const [stands = "", means = ""] = line.split(" ", 2);
        return [line.slice(stands.length + means.length + 2), { stands, means }];
      }),
  );
}

/** Whether a submodule that a folder's commit has no more still stands there. */
export function staysBehind(gitDir: string): (path: string) => boolean {
  const all = noted(gitDir);
  return path => all.get(path)?.means === "";
}

/** What one side of a difference says of a submodule; undefined where something else is there. */
function saidOf(mode: string, id: string): string | undefined {
  if (mode === ABSENT) return "";
  return mode === GITLINK ? id : undefined;
}

/** Notes which submodules a move leaves where they stand: `found` is what differs between what it goes to and what stood there. */
export function noteStanding(gitDir: string, found: readonly Difference[]): void {
  const moved = found.filter(({ oldMode, newMode }) => oldMode === GITLINK || newMode === GITLINK);
  if (moved.length === 0) return;
  const all = noted(gitDir);
  for (const { path, oldMode, oldId, newMode, newId } of moved) {
    const before = all.get(path);
    const [means, was] = [saidOf(oldMode, oldId), saidOf(newMode, newId)];
    const stands = before !== undefined && before.means === was ? before.stands : was;
    if (means === undefined || stands === undefined || stands === "" || stands === means) all.delete(path);
    else all.set(path, { stands, means });
  }
  const path = join(gitDir, STANDING);
  if (all.size === 0) {
    removeOwned(path);
    return;
  }
  const text = [...all].map(([name, { stands, means }]) => `${stands} ${means} ${name}`).join("\0");
  writeAtomic(path, text, { calls: unsyncedOwnedCalls });
}

/** Has our index say of such submodules what the folder was moved to says, as long as nobody has moved them since. */
export async function takeMeant(
  repository: Repository,
  gitDir: string,
  options: CallOptions,
): Promise<Result<unknown, VcsFailure>> {
  const all = noted(gitDir);
  if (all.size === 0) return ok(undefined);
  const listed = await readEntries(repository, options, [...all.keys()]);
  if (!listed.ok) return listed;
  const lines = [...listed.value].flatMap(([path, entry]) => {
    const one = all.get(path);
    if (one === undefined || !entry.startsWith(`${GITLINK} ${one.stands} `)) return [];
    return one.means === ""
      ? [`0 ${"0".repeat(one.stands.length)}\t${path}`]
      : [`${GITLINK} ${one.means}\t${path}`];
  });
  return putEntries(repository, options, lines);
}
