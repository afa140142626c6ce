import { join } from "node:path";
import { z } from "zod";
import { ownedFileCalls, readBounded, writeAtomic } from "../../adapters/file/index.ts";
import { type CopyName, copiesUrl, copyNamed, gitAccess, newestOf } from "../../adapters/fleet/by-git.ts";
import { listCopies, type WorkPlace } from "../../adapters/vcs/git/index.ts";
import { because, EXIT, ok, type Result, type VcsFailure } from "../../ports/index.ts";
import { errorFor } from "../../text/index.ts";
import type { HubAccess } from "./hub-access.ts";

/** Where a hub keeps the copies of a project's runs. */
export function copiesPlace({ url, token, first }: HubAccess): WorkPlace {
  return { url: copiesUrl(url, first), access: gitAccess(url, token) };
}

/** The newest copy of each run that a hub has. */
export async function newestCopies(hub: HubAccess): Promise<Result<readonly CopyName[], VcsFailure>> {
  const listed = await listCopies(hub.repository, copiesPlace(hub));
  if (!listed.ok) return listed;
  return ok([...newestOf(listed.value.flatMap(ref => copyNamed(ref) ?? [])).values()]);
}

const conductedShape = z.object({ run: z.string(), epoch: z.int() });

/** By which epoch of the hub this folder conducted a run last. */
export type Conducted = z.output<typeof conductedShape>;

const placeOf = (stateDir: string): string => join(stateDir, "hub.json");

/** Keeps it. Where that fails, nobody is warned of a newer coordinator later. */
export function noteConducted(stateDir: string, conducted: Conducted): void {
  const text = JSON.stringify(z.encode(conductedShape, conducted));
  writeAtomic(placeOf(stateDir), text, { calls: ownedFileCalls });
}

function readConducted(stateDir: string): Conducted | undefined {
  const bytes = readBounded(placeOf(stateDir), { maxBytes: 4096, calls: ownedFileCalls });
  if (!bytes.ok) return undefined;
  try {
    return z.parse(conductedShape, JSON.parse(Buffer.from(bytes.value).toString("utf8")));
  } catch {
    return undefined;
  }
}

/**
 * Refuses to go on with a run from this folder where another machine has conducted it since: what that did is not known here,
 * and would be done again. Throws EspalierError.
 */
export async function requireNewest(hub: HubAccess, stateDir: string, run: string): Promise<void> {
  const own = readConducted(stateDir);
  if (own?.run !== run) return;
  const copies = await newestCopies(hub);
  const newest = copies.ok ? copies.value.find(copy => copy.run === run) : undefined;
  if (newest === undefined || newest.epoch <= own.epoch) return;
  throw errorFor("CONDUCTED_ELSEWHERE", because("conducted-elsewhere", {}), {
    advice: because("take-it-over", { url: hub.url }),
    exitCode: EXIT.waitingForPerson,
  });
}
