import { fail, ok, type Result } from "../ports/index.ts";
import { type Locale, type Told, told } from "../text/index.ts";
import { checkCheckpoint } from "./check.ts";
import { proveDelta } from "./delta-check.ts";
import { type WrittenDelta, writeDelta } from "./delta-write.ts";
import { failed, type ToldFailure } from "./failure.ts";
import type { History } from "./history.ts";
import { mergeCheckpoint } from "./merge.ts";
import type { MergeConflict } from "./merged.ts";
import { deltaName, nextId } from "./names.ts";
import { rebuild, type Texts } from "./replay.ts";
import type { Identity } from "./work.ts";

/** A checkpoint to be. */
export interface CreateRequest {
  /** The new work, in the sections of a checkpoint. */
  readonly work: string;
  /** ISO-8601. */
  readonly created: string;
  readonly anchor?: string;
  /** What it is made for: the beginning of its delta's summary. */
  readonly headline: string;
  /** Made from this one instead of the current one. */
  readonly parent?: string;
  readonly status?: string;
  readonly shift?: boolean;
  readonly recent?: number;
  readonly locale?: Locale;
}

/** A checkpoint and its delta, proved, ready to be stored: the checkpoint first. */
export interface Created {
  readonly id: string;
  readonly file: string;
  readonly text: string;
  readonly conflicts: readonly MergeConflict[];
  /** What is amiss with the parent, as far as a person has to look: it was cut off or changed, or holds an unfinished merge. */
  readonly amiss?: Told;
  /** Absent for the first of a history. */
  readonly delta?: WrittenDelta & { readonly file: string; readonly parent: string };
}

/** Why no checkpoint was made. */
export type CreateFailure = ToldFailure<"two-current" | "parent" | "delta">;

/** Makes the next checkpoint of a history: new work merged into its parent, with a delta that has been carried out and compared. */
export function createCheckpoint(
  history: History,
  texts: Texts,
  request: CreateRequest,
): Result<Created, CreateFailure> {
  const parent = request.parent ?? history.current;
  const several = history.problems.find(({ code }) => code === "TWO_CURRENT");
  if (parent === undefined && several !== undefined)
    return failed("two-current", told`${several.said}. Name one of them as the parent`);
  const before = parent === undefined ? undefined : rebuild(history, parent, texts);
  if (before?.ok === false) return fail({ ...before.failure, kind: "parent" });
  const id = nextId([...history.order, ...history.names]);
  // Who names the parent settles which lineage goes on: the other ends are superseded.
  const supersedes = request.parent === undefined ? [] : history.open.filter(end => end !== request.parent);
  const identity: Identity = {
    checkpoint: id,
    created: request.created,
    ...(request.anchor === undefined ? {} : { anchor: request.anchor }),
    ...(parent === undefined ? {} : { parent, lastDelta: deltaName(parent, id) }),
    status: request.status ?? "active",
    ...(supersedes.length === 0 ? {} : { supersedes: supersedes.join(", ") }),
  };
  if (parent === undefined || before === undefined) {
    const { text } = mergeCheckpoint(request.work, "", { ...request, identity });
    return ok({ id, file: `${id}.md`, text, conflicts: [] });
  }
  const { text, conflicts } = mergeCheckpoint(before.value.text, request.work, { ...request, identity });
  const base = { id: parent, text: before.value.text };
  const delta = bridge(base, { id, text }, request.created, request.headline, request.locale);
  if (!delta.ok) return delta;
  const amiss = amissOf(history, parent, before.value.text);
  return ok({
    id,
    file: `${id}.md`,
    text,
    conflicts,
    ...(amiss === undefined ? {} : { amiss }),
    delta: { ...delta.value, parent },
  });
}

/** Why a parent may not hold all that it held. */
function amissOf({ problems }: History, parent: string, text: string): Told | undefined {
  const changed = problems.find(({ code, about }) => code === "HASH_MISMATCH" && about[0] === parent);
  const departure = checkCheckpoint(text).find(({ severity }) => severity === "error");
  const found =
    changed?.said ??
    (departure && (departure.line > 0 ? told`line ${departure.line}: ${departure.said}` : departure.said));
  return found && told`${parent}, which it is made from: ${found}`;
}

/** The delta between two checkpoints under its file name, carried out and compared before anybody stores it. */
export function bridge(
  from: { readonly id: string; readonly text: string },
  to: { readonly id: string; readonly text: string },
  created: string,
  headline?: string,
  locale: Locale = "en",
): Result<WrittenDelta & { readonly file: string }, CreateFailure> {
  const written = writeDelta(from, to, { created, locale, ...(headline === undefined ? {} : { headline }) });
  if (!written.ok) return fail({ ...written.failure, kind: "delta" });
  const amiss = proveDelta(written.value.text, from.text, to.text).find(
    ({ severity }) => severity === "error",
  );
  if (amiss !== undefined) return failed("delta", amiss.said, amiss.message);
  return ok({ ...written.value, file: `${deltaName(from.id, to.id)}.md` });
}
