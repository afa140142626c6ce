import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { makeOwnedFolder, removeOwned } from "../../adapters/file/index.ts";
import { copiesOf, copyRef, copyUrl, gitAccess } from "../../adapters/fleet/by-git.ts";
import type { HubFleet } from "../../adapters/fleet/hub.ts";
import { SYSTEM_CLOCK } from "../../adapters/local/clock.ts";
import { backupDatabase, STATE_NAMES } from "../../adapters/store/index.ts";
import { dropCopies, listCopies, runRefs, sendCopy } from "../../adapters/vcs/git/index.ts";
import { objectId } from "../../fleet/index.ts";
import { because } from "../../ports/index.ts";
import { firstLine, reasonText } from "../../text/index.ts";
import { storeError } from "../project/errors.ts";
import type { Session } from "../session/open.ts";
import { targetBranch } from "../session/repository.ts";
import { createCopiedFiles, DATABASE } from "./copied-files.ts";
import type { HubAccess } from "./hub-access.ts";
import { copiesPlace } from "./hub-copies.ts";
import type { Hearer } from "./outbox.ts";
import { rationOf } from "./ration.ts";

/** Milliseconds after which a change is copied, with what follows it at once. */
const SOON = 300;
/** The same for what was heard and would be told again. */
const HEARD = 20_000;
/** Milliseconds for which a hub that failed is left alone. */
const LATER = 10_000;
/** Copies take a sixth of the time at most, but for these milliseconds: what a coordinator begins with is not lost for that. */
const SHARE = { of: 6, ahead: 3000 };
/** Milliseconds that the last copy of a run may take. */
const LAST = 15_000;
/** Copies after which their objects begin anew. */
const FRESH_AFTER = 100;

/** What a copy of a run tells of it. */
export const aboutShape = z.object({
  version: z.literal(1),
  run: z.string(),
  /** The machine of its coordinator. */
  host: z.string(),
  /** Epoch milliseconds, by that machine's clock. */
  at: z.int(),
  /** Where the project lies in its repository, and its task file in the project. */
  prefix: z.string(),
  file: z.string(),
  /** The branch that finished phases go to. */
  target: z.string(),
  refs: z.record(z.string(), objectId),
  /** Its coordinator has ended, and the run is not completed. */
  rests: z.exactOptional(z.literal(true)),
});

/** Keeps a copy of a run at its hub, so that it can be gone on with where its machine is lost. */
export interface StateCopies {
  /** Something was written down: it is copied soon. */
  changed(): void;
  /** Something was heard that is told again, for a while, to whoever has to: it is copied by and by. */
  heard(): void;
  /** Nothing is written down any more; a last copy is made. Takes a few seconds at most. */
  end(isOver: boolean): Promise<void>;
}

export interface CopyOptions {
  readonly session: Session;
  readonly hub: HubAccess;
  readonly fleet: HubFleet;
  readonly warn: Hearer["warn"];
  /** Whether nobody else has taken the run. */
  readonly stillOurs: () => boolean;
}

/** The commits of work that has not come home yet, as the newest attempts have kept it: what was paid for goes along. */
function keptCommits({ run, runId, store }: Session): readonly string[] {
  const open = run.tasks.filter(
    ({ attempts, status }) => status === "in_progress" || (attempts > 0 && status !== "completed"),
  );
  return open.flatMap(({ task }) => {
    const rows = store.attempts(runId, task.id);
    const last = rows.ok ? rows.value.at(-1) : undefined;
    return last?.commit === undefined || last.outcome === "done" ? [] : [last.commit];
  });
}

export function keepCopies({ session, hub, fleet, warn, stillOurs }: CopyOptions): StateCopies {
  const { project, file, runId } = session;
  const { stateDir, root } = project;
  const { repository } = hub;
  const { epoch } = fleet;
  const folder = join(stateDir, "copies");
  const objects = join(folder, "objects");
  const database = join(folder, STATE_NAMES.database);
  const newFiles = () => createCopiedFiles({ stateDir, root, tasks: file }, join(folder, "files"));
  const target = targetBranch(project, repository, session.invocation);
  const place = {
    url: copyUrl(hub.url, hub.first, runId, epoch),
    access: gitAccess(hub.url, hub.token),
  };
  let made = 0;
  let others = newFiles();
  let isTold = false;

  async function copy(over?: number, rests = false): Promise<string | undefined> {
    const isSafe = fleet.mark();
    if (made++ % FRESH_AFTER === 0) {
      removeOwned(folder);
      others = newFiles();
    }
    makeOwnedFolder(objects);
    const kept = await backupDatabase(join(stateDir, STATE_NAMES.database), database);
    if (!kept.ok) return storeError(kept.failure).message;
    // Read after the database: a branch may hold more than that tells of, and never less.
    const refs = await runRefs(repository, target);
    if (!refs.ok) return reasonText(refs.failure.reason, project.locale);
    const about = z.encode(aboutShape, {
      version: 1,
      run: runId,
      host: hostname(),
      at: SYSTEM_CLOCK.now(),
      prefix: repository.facts.prefix,
      file: file.display,
      target,
      refs: refs.value,
      ...(rests ? { rests } : {}),
    });
    const files = new Map([...(await others.gather()), [DATABASE, { path: database }]]);
    const whole = {
      refs: refs.value,
      kept: keptCommits(session),
      files,
      about: JSON.stringify(about),
      objects,
    };
    const ref = copyRef({ run: runId, epoch, ...(over === undefined ? {} : { over }) });
    const sent = await sendCopy(repository, whole, { ...place, ref });
    if (!sent.ok) return reasonText(sent.failure.reason, project.locale);
    others.keep(sent.value);
    isSafe();
    return undefined;
  }

  /** Only the copy of a run that is over stays: none that somebody would go on with. */
  async function close(): Promise<void> {
    const over = Math.floor(SYSTEM_CLOCK.now() / 1000);
    if ((await copy(over)) !== undefined) return;
    const all = await listCopies(repository, copiesPlace(hub));
    const kept = copyRef({ run: runId, epoch, over });
    const own = all.ok
      ? Object.keys(all.value).filter(ref => ref.startsWith(`${copiesOf(runId)}/`) && ref !== kept)
      : [];
    await dropCopies(repository, place, own);
  }

  /** Whether the hub has it. Never throws. */
  async function attempt(rests = false): Promise<boolean> {
    if (!stillOurs()) return true;
    const failure = await copy(undefined, rests).catch((error: Error) => error.message);
    if (failure !== undefined && !isTold && stillOurs())
      warn("NOT_COPIED", because("not-copied", { said: firstLine(failure, 200) }));
    isTold = failure !== undefined;
    return failure === undefined;
  }

  const now = () => performance.now();
  let isEnded = false;
  /** When the next copy is wanted, and before when none is made. */
  let due = Number.POSITIVE_INFINITY;
  const ration = rationOf(SHARE);
  let later = 0;
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> | undefined;

  function plan(): void {
    if (working !== undefined || isEnded || due === Number.POSITIVE_INFINITY) return;
    clearTimeout(timer);
    // What was wanted while the last one was made is late already.
    timer = setTimeout(work, Math.max(0, Math.max(due, ration.from, later) - now()));
    timer.unref();
  }

  function want(within: number): void {
    const at = now() + within;
    if (at >= due) return;
    due = at;
    plan();
  }

  function work(): void {
    due = Number.POSITIVE_INFINITY;
    const began = now();
    working = attempt().then(isDone => {
      working = undefined;
      ration.spend(began, now());
      if (!isDone) {
        due = now();
        later = due + LATER;
      }
      plan();
    });
  }

  return {
    changed: () => want(SOON),
    heard: () => want(HEARD),
    async end(isOver) {
      isEnded = true;
      clearTimeout(timer);
      if (!stillOurs()) return removeOwned(folder);
      const last = async () => {
        await working;
        if (isOver) await close();
        else await attempt(true);
        removeOwned(folder);
        await fleet.letGo();
      };
      await Promise.race([last().catch(() => {}), pause(LAST, undefined, { ref: false })]);
    },
  };
}
