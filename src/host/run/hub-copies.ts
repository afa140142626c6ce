import { hostname } from "node:os";
import { removeOwned } from "../../adapters/file/index.ts";
import {
  type CopyName,
  copiesUrl,
  copyNamed,
  copyUrl,
  gitAccess,
  newestOf,
} from "../../adapters/fleet/by-git.ts";
import { openHub } from "../../adapters/fleet/hub-client.ts";
import { dropCopies, listCopies, type Repository, type WorkPlace } from "../../adapters/vcs/git/index.ts";
import { claimedShape, claimShape, WIRE } from "../../fleet/index.ts";
import { because, EXIT, type HubSaid, ok, type Result, type VcsFailure } from "../../ports/index.ts";
import { errorFor, type Locale, reasonText } from "../../text/index.ts";
import { hubNote } from "../project/invocation.ts";
import { noteConducted, readConducted } from "./conducted.ts";
import { type HubAccess, hubAccess } from "./hub-access.ts";

/** Where a hub keeps the copies of a project's runs. */
export function copiesPlace({ url, token, first }: HubAccess): WorkPlace {
  return { url: copiesUrl(url, first), access: gitAccess(url, token) };
}

interface KnownCopy extends CopyName {
  readonly commit: string;
}

/** The newest copy of each run that a hub has. */
export async function newestCopies(hub: HubAccess): Promise<Result<readonly KnownCopy[], VcsFailure>> {
  const listed = await listCopies(hub.repository, copiesPlace(hub));
  if (!listed.ok) return listed;
  const named = Object.entries(listed.value).flatMap(([ref, commit]) => {
    const copy = copyNamed(ref);
    return copy === undefined ? [] : [{ ...copy, commit }];
  });
  return ok([...newestOf(named).values()]);
}

/** The code of the error that a copy was brought here and the run went on elsewhere. */
export const COPY_OLD = "COPY_OLD";

/**
 * Refuses to go on with a run from this folder where another machine has conducted it since, or since its copy was brought here: what
 * that did is not known here, and would be done again. Returns why the hub did not say. Throws EspalierError.
 */
export async function requireNewest(
  hub: HubAccess,
  stateDir: string,
  run: string,
  locale: Locale,
): Promise<string | undefined> {
  const own = readConducted(stateDir);
  if (own?.run !== run) return undefined;
  const copies = await newestCopies(hub);
  if (!copies.ok) return reasonText(copies.failure.reason, locale);
  const newest = copies.value.find(copy => copy.run === run);
  if (newest === undefined || newest.epoch < own.epoch) return undefined;
  const isOther = newest.epoch > own.epoch;
  if (!isOther && (own.copy === undefined || own.copy === newest.commit)) return undefined;
  if (isOther && own.by === undefined) noteConducted(stateDir, { ...own, by: { name: "", host: "" } });
  const reason = because(isOther ? "conducted-elsewhere" : "copy-old", {});
  throw errorFor(isOther ? "CONDUCTED_ELSEWHERE" : COPY_OLD, reason, {
    advice: because("take-it-over", { url: hub.url }),
    exitCode: EXIT.waitingForPerson,
  });
}

export interface Leaving {
  readonly stateDir: string;
  readonly run: string;
  readonly env: NodeJS.ProcessEnv;
  readonly trusts: boolean;
  readonly locale: Locale;
}

/**
 * Has this machine alone conduct a run that it conducted for a hub: whoever else does ends, what machines have of it is lost, and no
 * copy is left to go on from. Returns why the hub could not be told. Throws EspalierError where another machine has conducted it since.
 */
export async function leaveHub(
  repository: Repository | undefined,
  { stateDir, run, env, trusts, locale }: Leaving,
): Promise<HubSaid | undefined> {
  const own = readConducted(stateDir);
  if (own?.run !== run || own.url === undefined) return undefined;
  let hub: HubAccess;
  try {
    hub = await hubAccess(own.url, repository, env);
  } catch (error) {
    return { said: (error as Error).message };
  }
  const failure = trusts ? undefined : await requireNewest(hub, stateDir, run, locale);
  if (failure !== undefined) return { said: failure };
  const client = openHub(hub.url, hub.token);
  const claimed = await client.ask("claim", claimShape, { wire: WIRE, run, host: hostname() }, claimedShape);
  client.close();
  if (!claimed.ok) return claimed.failure.said;
  const { epoch } = claimed.value;
  const place = { ...copiesPlace(hub), url: copyUrl(hub.url, hub.first, run, epoch) };
  const listed = await listCopies(hub.repository, copiesPlace(hub));
  const refs = listed.ok ? Object.keys(listed.value).filter(ref => copyNamed(ref)?.run === run) : [];
  const dropped = listed.ok ? await dropCopies(hub.repository, place, refs) : listed;
  if (!dropped.ok) return { said: reasonText(dropped.failure.reason, locale) };
  removeOwned(hubNote(stateDir));
  return undefined;
}
