import type { ContextWork } from "../../context/shared/index.ts";
import type { AttemptRow } from "../../ports/index.ts";
import type { EngineOptions, HeardWorld } from "../world.ts";
import { filesIn } from "./briefing.ts";
import { answered, harvest, judgeFill, questionsOf, wordsOf } from "./harvest.ts";
import { landWork } from "./place.ts";
import { keepProved } from "./proved.ts";
import type { AttemptRequest, Place, StopSignals } from "./types.ts";
import { type Verdict, verdict } from "./verdict.ts";

/** How an attempt went: the verdict, and what its row and the shared context keep of it. */
export type Judged = Verdict & {
  readonly finalMessage: string;
  /** Usage, session, machine, folder, branch, commit. */
  readonly kept?: Partial<AttemptRow>;
  readonly context?: ContextWork;
  readonly questions?: readonly string[];
  /** See `AttemptResult`. */
  readonly session?: string;
};

/** An attempt of which nothing is left but that it was ended. */
export const CANCELLED: Judged = { ...verdict({ kind: "cancelled" }, "cancelled"), finalMessage: "" };

/** A claim that was proved comes home: its work into the branch, its findings into the shared context. */
export async function settle(
  request: AttemptRequest,
  place: Place,
  judged: Judged,
  world: HeardWorld,
  options: EngineOptions,
  stop: StopSignals,
): Promise<Judged> {
  const filled = judgeFill(request, place, judged, world, options);
  const words = wordsOf(request, filled.finalMessage, world);
  // What has landed counts as done whatever dies next: what was said with it must not be lost then, nor where it was done.
  if (place.workspace !== undefined && place.sealed !== undefined && filled.outcome.kind === "done") {
    // Its folder may be gone as soon as its work is home.
    if (filled.document !== undefined && request.isWanted())
      world.files.keepDocument?.(request.task.id, request.row.number, filled.document);
    const isKept = await request.secure({
      finalMessage: words,
      folder: place.cwd,
      branch: place.workspace.branch,
      ...(await keepProved(request, place, filled)),
    });
    if (!isKept) return CANCELLED;
  }
  const landed = await landWork(request, place, filled, world, options, stop);
  const kept = { ...judged.kept, ...landed.kept };
  const home = { ...filled, ...landed.verdict, kept };
  const files = world.workspaces === undefined ? filesIn(options.cwd, world, options) : undefined;
  const context = harvest(options.runId, request, home, words, files);
  const questions = questionsOf(home);
  // Where its work is kept, the next attempt says the same with it.
  const isKept = home.reason?.code === "not-landed" || home.reason?.code === "not-proved";
  const finalMessage = isKept ? words : answered(request, home);
  return { ...home, finalMessage, questions, ...(context === undefined ? {} : { context }) };
}
