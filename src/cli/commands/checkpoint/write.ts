import { mendCheckpoints, storeCheckpoint } from "../../../adapters/checkpoints/index.ts";
import { type Created, createCheckpoint, mergeCheckpoint } from "../../../checkpoint/index.ts";
import { replyText } from "../../../engine/control/protocol.ts";
import { askRunning } from "../../../host/control/running.ts";
import { withLastRun } from "../../../host/lead/offline.ts";
import { storeError } from "../../../host/project/errors.ts";
import { offlineChronicle } from "../../../host/run/chronicle.ts";
import type { Session } from "../../../host/session/open.ts";
import { EspalierError, EXIT, type RunOutcome } from "../../../ports/index.ts";
import { isEnded } from "../../../run/index.ts";
import { visible } from "../../../text/index.ts";
import { callerOf } from "../../caller.ts";
import { type Io, say, sayJson, warn } from "../../io.ts";
import { isoNow } from "./documents.ts";
import {
  checkpointNamed,
  currentOf,
  mustCreate,
  mustWrite,
  openPlace,
  type Place,
  tellAmiss,
  whileLocked,
  workNamed,
} from "./place.ts";

export interface CreateFlags {
  readonly why?: string;
  readonly shift?: boolean;
  readonly json?: boolean;
}

/** `espalier checkpoint create`: writes where the run stands now. */
export async function create(io: Io, flags: CreateFlags): Promise<number> {
  const place = openPlace(io);
  const { project, folder, words } = place;
  const shift = flags.shift === true;
  const why = flags.why;
  const reply = await askRunning(project, {
    method: "checkpoint",
    shift,
    ...(why === undefined ? {} : { why: why.slice(0, 400) }),
  });
  if (reply?.ok === false)
    throw new EspalierError("CHECKPOINT_NOT_WRITTEN", replyText(reply, project.locale), {
      exitCode: EXIT.environment,
    });
  const id = reply === undefined ? (await createAlone(place, why, shift)).id : reply.message;
  const { history } = folder.read();
  const delta = [...history.links.values()].find(({ to }) => to === id);
  if (flags.json === true)
    sayJson(io, { id, file: history.states.get(id)?.file, delta: delta?.file, summary: delta?.summary });
  else {
    say(io, words.created(id, delta?.file));
    if (delta !== undefined) say(io, `  ${visible(delta.summary, 600)}`);
  }
  return EXIT.done;
}

/**
 * How a run that no process works on has ended as far as its last process and its plan tell; undefined while a lead works
 * on it between two of its commands.
 */
function outcomeOf({ run, store, claimed }: Session): RunOutcome | undefined {
  if (claimed.some(({ task }) => run.byId.get(task)?.status === "in_progress")) return undefined;
  const loaded = store.load();
  if (!loaded.ok) throw storeError(loaded.failure);
  const state = loaded.value?.run.state;
  if (state === "running") return "interrupted";
  // Its task file may have grown since.
  const isOpen = state === "completed" && run.tasks.some(({ status }) => !isEnded(status));
  return isOpen ? "interrupted" : state;
}

/** No process runs: the lock is taken for the length of the command. */
function createAlone({ io, project }: Place, why: string | undefined, shift: boolean): Promise<Created> {
  return withLastRun({ caller: callerOf(io), project }, { waitMs: 5_000 }, session => {
    // A restored run is about to go on and has no end; this one rests as its last process left it.
    const outcome = outcomeOf(session);
    if (outcome !== undefined) session.run.ended = { outcome, reason: undefined };
    const told: string[] = [];
    const written = offlineChronicle(session, io.env, text => told.push(text)).write(why, shift);
    if (written.ok) for (const text of told) warn(io, text);
    return mustWrite(written);
  });
}

export interface MergeFlags {
  readonly into?: string;
  readonly save?: boolean;
  readonly shift?: boolean;
  readonly why?: string;
  readonly json?: boolean;
}

/** `espalier checkpoint merge WORK`: new work merged into a checkpoint by the policy; `--save` makes it the next one. */
export function merge(io: Io, named: string, flags: MergeFlags): number {
  const place = openPlace(io);
  const work = workNamed(io, named);
  return flags.save === true ? saved(place, work, flags) : printed(place, work, flags);
}

function printed(place: Place, work: string, flags: MergeFlags): number {
  const { io, folder, project } = place;
  const kept = folder.read();
  const base = checkpointNamed(io, kept, flags.into ?? currentOf(place, kept));
  const { text, conflicts } = mergeCheckpoint(base.text, work, {
    shift: flags.shift === true,
    recent: project.config.checkpoints.recent,
    locale: project.config.locale,
  });
  if (flags.json === true) sayJson(io, { into: base.id, conflicts, text });
  else {
    io.stdout.write(text);
    tellConflicts(place, conflicts);
  }
  return conflicts.length > 0 ? EXIT.waitingForPerson : EXIT.done;
}

function saved(place: Place, work: string, flags: MergeFlags): number {
  const { io, folder, project, words } = place;
  const { locale, checkpoints } = project.config;
  const stored = whileLocked(project, () => {
    mendCheckpoints(folder, locale);
    const { history, texts } = folder.read();
    const made = createCheckpoint(history, texts, {
      work,
      created: isoNow(),
      headline: flags.why ?? "Merged",
      locale,
      recent: checkpoints.recent,
      shift: flags.shift === true,
      ...(flags.into === undefined ? {} : { parent: flags.into }),
    });
    const created = mustCreate(made, project.locale);
    if (created.conflicts.length === 0) mustWrite(storeCheckpoint(folder, created));
    return created;
  });
  const { id, conflicts, delta } = stored;
  tellAmiss(place, stored);
  if (flags.json === true) sayJson(io, { id, saved: conflicts.length === 0, conflicts, delta: delta?.file });
  else if (conflicts.length === 0) say(io, words.created(id, delta?.file));
  else {
    tellConflicts(place, conflicts);
    warn(io, words.notSaved(conflicts.length));
  }
  return conflicts.length > 0 ? EXIT.waitingForPerson : EXIT.done;
}

function tellConflicts({ io, words }: Place, conflicts: Created["conflicts"]): void {
  for (const { section, why, kept, refused } of conflicts) {
    warn(io, words.conflict(visible(section, 80), why));
    warn(io, `  ${words.kept}: ${visible(kept, 200)}`);
    warn(io, `  ${words.refused}: ${visible(refused, 200)}`);
  }
}
