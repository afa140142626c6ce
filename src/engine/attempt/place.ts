import { resolve } from "node:path";
import {
  type AttemptRow,
  because,
  type Conflict,
  fail,
  few,
  type Landed,
  ok,
  type Reason,
  type Result,
  type VcsFailure,
} from "../../ports/index.ts";
import { type FeedbackWords, feedbackWords, reasonText } from "../../text/index.ts";
import { isMain, vcsReason } from "../workspaces/index.ts";
import type { EngineOptions, HeardWorld } from "../world.ts";
import { checkJoined } from "./check-joined.ts";
import { hasProof, isChecked } from "./proof.ts";
import { isClaimed, whyNotLanded } from "./proved.ts";
import { testBefore } from "./tests-first.ts";
import type { AttemptRequest, Place, StopSignals } from "./types.ts";
import { FEEDBACK_LENGTH, type Verdict, verdict } from "./verdict.ts";

/** A verdict for what version control could not do. */
export function fromVcs(failure: VcsFailure, halt: (reason: Reason) => void): Verdict {
  const reason = vcsReason(failure);
  switch (failure.kind) {
    case "config-changed":
      halt(reason);
      return verdict({ kind: "needs-person", reason }, "failed", { reason });
    case "foreign":
    case "unprepared":
    case "filter-failed":
    case "unfinished":
      return verdict({ kind: "needs-person", reason }, "failed", { reason });
    case "strayed":
      return verdict({ kind: "failed", reason }, "unproven", { reason });
    case "full":
    case "failed":
      return verdict({ kind: "stalled", reason }, "failed", { reason });
    default: {
      const never: never = failure;
      throw new Error(`unknown failure ${JSON.stringify(never)}`);
    }
  }
}

/** Makes the folder of an attempt ready; where that cannot be, the verdict says why. */
export async function openPlace(
  request: AttemptRequest,
  world: HeardWorld,
  options: EngineOptions,
  stop: StopSignals,
): Promise<Result<Place, Verdict>> {
  const { task, phase, alone, halt, proved, isTakenUp, isRenewed, isAfterCrash } = request;
  const isRetry = request.row.number > 1;
  const asLeft: Pick<Place, "left"> = isRetry ? { left: { kind: "as-left" } } : {};
  let place: Place = { cwd: options.cwd, ...asLeft, leave: async () => {} };
  if (world.workspaces !== undefined) {
    // In the main checkout others would commit what is left there.
    const isMended = request.sentBack?.isNext === true && !isMain(phase);
    const goesOn = task.retry === "continue" || isMended || isTakenUp;
    const known = proved?.commit === undefined ? {} : { proved: proved.commit, isToProve: isClaimed(proved) };
    const as = request.candidate === undefined ? known : { candidate: request.candidate };
    const opened = await world.workspaces.open({
      task: task.id,
      startedAt: request.row.startedAt,
      isShell: request.row.agent === "shell",
      phase,
      alone,
      goesOn,
      isTakenUp,
      isRenewed,
      isAfterCrash,
      stop,
      ...as,
    });
    // Its preparation was ended with everything else: that says nothing about the folder.
    if (!opened.ok && opened.failure.kind === "unprepared" && stop.cancel.aborted)
      return fail(verdict({ kind: "cancelled" }, "cancelled"));
    if (!opened.ok) return fail(fromVcs(opened.failure, halt));
    const workspace = opened.value;
    const before = request.sentBack?.isNext === true ? asLeft.left : undefined;
    const isFirst = workspace.left?.kind === "none" && !isRetry;
    const found = isFirst ? undefined : (workspace.left ?? before);
    const left = found === undefined ? {} : { left: found };
    place = {
      cwd: workspace.cwd,
      workspace,
      ...(task.retry === "continue" ? asLeft : left),
      leave: async () => {
        await workspace.leave();
      },
    };
  }
  if (place.workspace?.proved !== undefined || isTakenUp) return ok(place);
  const red = await testBefore(request, place, world, options, stop);
  if (red.ok) return ok(red.value === undefined ? place : { ...place, red: red.value });
  await place.leave();
  return red;
}

/** The world as an agent in a folder of its own sees it: what lies in the main checkout is named by its whole path. */
export function seenFrom(place: Place, world: HeardWorld, options: EngineOptions): HeardWorld {
  if (place.workspace?.linked !== true) return world;
  const whole = (path: string) => resolve(options.cwd, path);
  const { openDocument } = world.files;
  return {
    ...world,
    taskFile: { ...world.taskFile, displayPath: whole(world.taskFile.displayPath) },
    files: {
      ...world.files,
      learningsPath: (task, attempt) => whole(world.files.learningsPath(task, attempt)),
      ...(openDocument === undefined
        ? {}
        : { openDocument: (task: string, attempt: number) => whole(openDocument(task, attempt)) }),
    },
  };
}

/** What a person is told of work that nobody mends: it is done once more on top of what landed. */
function afreshEvidence(files: readonly Conflict[], rescued: string, { afresh }: FeedbackWords): string {
  const sides = files.map(({ path, sides: text }) => (text === "" ? path : `${path}:\n${text}`)).join("\n");
  return `${afresh(rescued)}\n\n${sides.slice(0, 2400)}`;
}

/** Characters that are told of what another task is about. */
const INTENT_LENGTH = 600;

/** What the tasks on the other side are about, in the words of the task file. */
function intentsOf(
  others: readonly string[],
  { aim }: Pick<AttemptRequest, "aim">,
  words: FeedbackWords,
): string[] {
  return others.slice(0, 3).flatMap(id => {
    const known = aim(id);
    if (known === undefined) return [];
    const text = known.text.trim();
    return [
      words.asked(id, known.title),
      ...(text.length <= INTENT_LENGTH ? text : `${text.slice(0, INTENT_LENGTH)}…`)
        .split("\n")
        .map(line => `  | ${line}`),
    ];
  });
}

/** Files of a conflict that are named, and characters of what both sides hold of them. */
const FILES_NAMED = 20;
const SIDES_LENGTH = 2000;

/** What the next attempt is told of a conflict: where, with whom and what for, and both sides as far as they fit. */
export function conflictFeedback(
  files: readonly Conflict[],
  intents: readonly string[],
  refused: string,
  words: FeedbackWords,
): string {
  const after = [...(refused === "" ? [] : [words.refused(refused)]), ...intents].join("\n");
  // What is too long as a whole would lose its beginning.
  let left =
    FEEDBACK_LENGTH - words.conflict.length - words.moreFiles(files.length).length - after.length - 3;
  const lines = files
    .slice(0, FILES_NAMED)
    .map(
      ({ path, what, others }) => `- ${path}: ${what}${others.length === 0 ? "" : words.otherSide(others)}`,
    )
    .filter(line => {
      left -= line.length + 1;
      return left >= 0;
    });
  const more = files.length - lines.length;
  const head = [
    words.conflict,
    ...lines,
    ...(more > 0 ? [words.moreFiles(more)] : []),
    ...(after === "" ? [] : [after]),
  ].join("\n");
  const sides = files.map(({ path, sides: text }) => (text === "" ? "" : `${path}:\n${text}`)).join("\n");
  const room = Math.max(
    0,
    Math.min(SIDES_LENGTH, FEEDBACK_LENGTH - head.length - words.moreOfSides.length - 3),
  );
  const told = sides.length <= room ? sides : `${sides.slice(0, room).toWellFormed()}\n${words.moreOfSides}`;
  return room === 0 ? head : `${head}\n\n${told}`;
}

function conflictVerdict(
  request: AttemptRequest,
  judged: Verdict,
  { files, rescued, refused }: Extract<Landed, { kind: "conflict" }>,
  options: EngineOptions,
): Verdict {
  const paths = files.map(({ path }) => path);
  const others = [...new Set(files.flatMap(file => file.others))];
  const content = files.map(file => `${file.path} ${file.content}`).join("\n");
  const { locale } = options.messages;
  const words = feedbackWords(locale);
  const why = refused === undefined ? "" : reasonText(refused, locale);
  const reason = because("conflict-with", { others: others.slice(0, 5), paths: few(paths, 3) });
  const feedback =
    rescued === undefined
      ? conflictFeedback(files, intentsOf(others, request, words), why, words)
      : afreshEvidence(files, rescued, words);
  const again = options.conflicts !== "person";
  return verdict({ kind: "conflict", files: paths, others, reason, again, content }, "unproven", {
    reason,
    feedback,
    evidence: feedback,
    foreign: judged.foreign,
  });
}

/** A completion that says what it landed as, and which of its files were joined. */
function landedAs(judged: Verdict, { commit, joined = [] }: Extract<Landed, { kind: "landed" }>): Verdict {
  const { outcome } = judged;
  if (outcome.kind !== "done") return judged;
  const files = joined.map(({ path }) => path);
  const others = [...new Set(joined.flatMap(file => file.others))];
  const beside = joined.length === 0 ? {} : { joined: { files, others } };
  return { ...judged, outcome: { ...outcome, commit, ...beside } };
}

function landedVerdict(
  request: AttemptRequest,
  judged: Verdict,
  landed: Landed,
  options: EngineOptions,
): Verdict {
  if (landed.kind === "stopped") return endedVerdict(request, judged, false);
  if (landed.kind === "landed") return landedAs(judged, landed);
  if (landed.kind === "conflict") return conflictVerdict(request, judged, landed, options);
  const reason = because("fails-with-landed", { why: landed.reason });
  if (landed.reason.code === "check-cannot-run")
    return verdict({ kind: "needs-person", reason }, "unproven", { reason });
  const told = reasonText(reason, options.messages.locale);
  return verdict({ kind: "failed", reason }, "unproven", { reason, feedback: told, evidence: told });
}

/** Of work that was proved and does not come home, through no fault of its own: it was ended, or is in vain. */
function endedVerdict({ task }: AttemptRequest, judged: Verdict, isVain: boolean): Verdict {
  const { foreign, evidence } = judged;
  const reason = whyNotLanded(task, judged, isVain ? because("result-unwanted", {}) : undefined);
  return verdict({ kind: "cancelled" }, "cancelled", { reason, foreign, evidence });
}

/** Of proved work that version control could not bring home: where that passes, it only has to land. */
function unlandedVerdict(request: AttemptRequest, judged: Verdict, failure: VcsFailure): Verdict {
  const { foreign, evidence } = judged;
  const failed = fromVcs(failure, request.halt);
  if (failed.outcome.kind !== "stalled") return failed;
  return { ...failed, reason: whyNotLanded(request.task, judged, failed.reason), foreign, evidence };
}

/**
 * Brings the work of a judged attempt home, where it is wanted still; else it is set aside. The verdict may change: a conflict is
 * not a completion.
 */
export async function landWork(
  request: AttemptRequest,
  place: Place,
  judged: Verdict,
  world: HeardWorld,
  options: EngineOptions,
  stop: StopSignals,
): Promise<{ readonly verdict: Verdict; readonly kept: Partial<AttemptRow> }> {
  const { workspace, sealed, cwd: folder } = place;
  const { isWanted } = request;
  const { outcome } = judged;
  const isVain = () => outcome.kind === "done" && !isWanted();
  if (workspace === undefined)
    return { verdict: isVain() ? endedVerdict(request, judged, true) : judged, kept: {} };
  const kept = { folder, branch: workspace.branch };
  /** Nobody works there any more; what nobody wants is taken out first. */
  const leave = async (verdict: Verdict, isHome = false) => {
    const aside = !isHome && isVain() ? await workspace.setAside() : ok(undefined);
    const left = await workspace.leave();
    const failed = [aside, left].find(one => !one.ok);
    return failed === undefined || failed.ok ? verdict : fromVcs(failed.failure, request.halt);
  };
  if (outcome.kind !== "done" || sealed === undefined || isVain())
    return { verdict: await leave(isVain() ? endedVerdict(request, judged, true) : judged), kept };
  const { id, title } = request.task;
  const by = { task: id, title, attempt: request.row.token, verified: outcome.verified };
  const check = async (cwd: string, others: readonly string[]) =>
    (await checkJoined(request, cwd, others, world, options, stop)) ??
    (isWanted() ? undefined : because("result-unwanted", {}));
  const landed = await workspace.land(sealed.tree, by, {
    stop,
    isWanted,
    isProof: hasProof(request, options),
    ...(isChecked(request, options) ? { verify: check } : {}),
    // A command reads no conflict: it can only be run again. A person who is to solve it needs both sides.
    afresh: request.agent.reports === "exit" && options.conflicts !== "person",
  });
  const isHome = landed.ok && landed.value.kind === "landed";
  // What landed has landed; that an entry point was opened meanwhile stops whatever comes after it.
  await leave(judged, isHome);
  if (!landed.ok) return { verdict: unlandedVerdict(request, judged, landed.failure), kept };
  // The check was ended with everything else: that says nothing about the work.
  const isEnded = landed.value.kind === "unproven" && stop.cancel.aborted;
  if (isEnded || (!isHome && isVain())) return { verdict: endedVerdict(request, judged, isVain()), kept };
  const commit = landed.value.kind === "landed" ? { commit: landed.value.commit } : {};
  return { verdict: landedVerdict(request, judged, landed.value, options), kept: { ...kept, ...commit } };
}
