import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { CheckpointFolder, Kept } from "../../../adapters/checkpoints/index.ts";
import { readBounded } from "../../../adapters/file/index.ts";
import { acquireLock } from "../../../adapters/lock/index.ts";
import {
  type Checkpoint,
  type Created,
  type CreateFailure,
  conflictLine,
  isCheckpointId,
  parseCheckpoint,
  type ReplayFailure,
  rebuild,
} from "../../../checkpoint/index.ts";
import { decodeUtf8 } from "../../../delta/index.ts";
import { VERSION } from "../../../host/package.ts";
import { checkpointsOf } from "../../../host/project/checkpoint-place.ts";
import { lockError } from "../../../host/project/errors.ts";
import type { Project } from "../../../host/project/project.ts";
import { because, EspalierError, EXIT, type Result } from "../../../ports/index.ts";
import {
  errorFor,
  type Locale,
  messageIn,
  reasonText,
  said,
  type Told,
  toldText,
  visible,
} from "../../../text/index.ts";
import { inputError } from "../../input-file.ts";
import { type Io, warn } from "../../io.ts";
import { localeOf, projectOf } from "../../project.ts";
import { type CheckpointWords, checkpointWords } from "../../views/words/checkpoint-words.ts";

/** What a checkpoint command works with. */
export interface Place {
  readonly io: Io;
  readonly project: Project;
  readonly folder: CheckpointFolder;
  readonly words: CheckpointWords;
}

/** The project a command was called in, and its checkpoints. */
export function openPlace(io: Io): Place {
  const project = projectOf(io);
  return { io, project, folder: checkpointsOf(project), words: checkpointWords(project.locale) };
}

const MAX_BYTES = 32 * 1024 ** 2;
const WAIT = 5_000;

/** Takes the project's lock for the length of one change of its checkpoints. Throws EspalierError. */
export function whileLocked<T>(project: Project, act: () => T): T {
  const locked = acquireLock(project.stateDir, { version: VERSION, waitMs: WAIT });
  if (!locked.ok) throw lockError(locked.failure);
  try {
    return act();
  } finally {
    locked.value.release();
  }
}

/** What was to be written, or why it was not. Throws EspalierError. */
export function mustWrite<T>(result: Result<T, string>): T {
  if (result.ok) return result.value;
  throw errorFor("CHECKPOINT_NOT_WRITTEN", said("system", result.failure, 400), {
    advice: because("checkpoints-disk", {}),
    exitCode: EXIT.environment,
  });
}

/** A rebuilt state, or why there is none. Throws EspalierError. */
export function mustReplay<T>(result: Result<T, ReplayFailure>, locale: Locale): T {
  if (result.ok) return result.value;
  const { kind } = result.failure;
  const advice = because(kind === "unknown" ? "list-checkpoints" : "checkpoints-doctor", {});
  throw new EspalierError(
    `CHECKPOINT_${kind.toUpperCase().replaceAll("-", "_")}`,
    visible(messageIn(locale, result.failure)),
    {
      hint: reasonText(advice, "en"),
      advice,
      exitCode: kind === "unknown" ? EXIT.usage : EXIT.failedTasks,
    },
  );
}

/** What was made of a history, or why nothing was. Throws EspalierError. */
export function mustCreate<T>(result: Result<T, CreateFailure>, locale: Locale): T {
  if (result.ok) return result.value;
  throw new EspalierError("CHECKPOINT_NOT_MADE", visible(messageIn(locale, result.failure)), {
    exitCode: EXIT.failedTasks,
  });
}

/** Says what is amiss with the parent of what was made. */
export function tellAmiss({ io, project }: Place, { amiss }: Created): void {
  if (amiss !== undefined) warn(io, visible(toldText(amiss, project.locale)));
}

/** Reads a named file. Throws EspalierError. */
export function readNamed(io: Io, named: string): string {
  const bytes = readBounded(resolve(io.cwd, named), { maxBytes: MAX_BYTES, follow: true });
  if (!bytes.ok) throw inputError(named, bytes.failure, localeOf(io));
  const text = decodeUtf8(bytes.value);
  if (text.ok) return text.value;
  const why = messageIn(localeOf(io), text.failure);
  throw new EspalierError("INPUT_UNREADABLE", `${visible(named, 400)}: ${why}`, { exitCode: EXIT.usage });
}

/** Whether a word names a file rather than a checkpoint. */
export function isFile(io: Io, named: string): boolean {
  return named.endsWith(".md") || !isCheckpointId(named) || existsSync(resolve(io.cwd, named));
}

/** A checkpoint by its id, rebuilt where only deltas lead to it, or by a file. Throws EspalierError. */
export function checkpointNamed(io: Io, kept: Kept, named: string): { id: string; text: string } {
  const text = textNamed(io, kept, named);
  const checkpoint = parseCheckpoint(text);
  tellHalfMerged(io, named, checkpoint);
  if (!isFile(io, named)) return { id: named, text };
  const own = checkpoint.head.checkpoint;
  if (own !== undefined && isCheckpointId(own)) return { id: own, text };
  const base = named.slice(named.lastIndexOf("/") + 1).replace(/\.md$/, "");
  return { id: isCheckpointId(base) ? base : "chk-000", text };
}

/** A checkpoint's text alone. Throws EspalierError. */
export function textNamed(io: Io, kept: Kept, named: string): string {
  if (isFile(io, named)) return readNamed(io, named);
  return mustReplay(rebuild(kept.history, named, kept.texts), localeOf(io)).text;
}

/** Says where a merge that nobody finished left both of its sides. */
function tellHalfMerged(io: Io, named: string, checkpoint: Checkpoint): void {
  const at = conflictLine(checkpoint);
  if (at === undefined) return;
  const found = because("half-merged", { id: visible(named, 80), line: at + 1 });
  warn(io, reasonText(found, localeOf(io)));
}

/** New work for a checkpoint, which no unfinished merge may have left. Throws EspalierError. */
export function workNamed(io: Io, named: string): string {
  const text = readNamed(io, named);
  const at = conflictLine(parseCheckpoint(text));
  if (at === undefined) return text;
  throw errorFor("CONFLICT_MARKERS", because("half-merged", { id: visible(named, 80), line: at + 1 }), {
    advice: because("finish-the-merge", {}),
    exitCode: EXIT.usage,
  });
}

/** What is printed as JSON, where it is told in English. */
export function plainly<Found extends { readonly said: Told }>(found: Found): Omit<Found, "said"> {
  const { said: _, ...plain } = found;
  return plain;
}

/** The id that is meant where none is named. Throws EspalierError. */
export function currentOf({ words, project }: Place, { history }: Kept): string {
  if (history.current !== undefined) return history.current;
  const advice = because("name-the-current", {});
  const several = history.problems.find(({ code }) => code === "TWO_CURRENT");
  throw new EspalierError(
    "NO_CURRENT",
    several === undefined ? words.none : visible(toldText(several.said, project.locale)),
    {
      ...(several === undefined ? {} : { hint: reasonText(advice, "en"), advice }),
      exitCode: EXIT.usage,
    },
  );
}
