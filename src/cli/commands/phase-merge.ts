import { replyText } from "../../engine/control/protocol.ts";
import { askRunning } from "../../host/control/running.ts";
import { type MergedPhase, mergePhases } from "../../host/run/merge-phases.ts";
import { EspalierError, EXIT } from "../../ports/index.ts";
import { reasonText, visible } from "../../text/index.ts";
import { callerOf } from "../caller.ts";
import { type Io, say } from "../io.ts";
import { projectOf } from "../project.ts";
import { whileStoppable } from "../signals.ts";
import { repositoryWords } from "../views/words/repository-words.ts";
import { phaseIndex, presentRun } from "./phase.ts";

/** `espalier phase merge N`, or `--all`: checks phases that were left on their branches and merges them into the target. */
export async function merge(
  io: Io,
  label: string | undefined,
  { yes = false, all }: { yes?: boolean; all?: boolean },
): Promise<number> {
  const project = projectOf(io);
  const { locale } = project;
  const words = repositoryWords(locale);
  if ((label === undefined) !== (all === true))
    throw new EspalierError("USAGE", words.whichPhase, { exitCode: EXIT.usage });
  if (label !== undefined) phaseIndex(presentRun(project).run, label, words);
  const asked = await askRunning(project, {
    method: "merge",
    ...(label === undefined ? {} : { phase: label }),
  });
  if (asked !== undefined) {
    const text = replyText(asked, locale);
    const isUnderWay = asked.reason?.code === "merge-after-run";
    const exitCode = isUnderWay ? EXIT.locked : EXIT.waitingForPerson;
    if (!asked.ok) throw new EspalierError(isUnderWay ? "LOCKED" : "NOT_MERGED", text, { exitCode });
    say(io, text);
    return EXIT.done;
  }
  const told = ({ phase, into, commit }: MergedPhase) =>
    say(
      io,
      into === undefined || commit === undefined
        ? words.nothingToMerge(visible(phase))
        : words.merged(visible(phase), into, commit.slice(0, 10)),
    );
  const { merged, refused, stopped, left } = await mergePhases({
    caller: callerOf(io),
    project,
    phase: label,
    yes,
    told,
    stoppable: whileStoppable,
  });
  const labels = left.map(one => visible(one)).join(", ");
  if (stopped !== undefined) {
    const hint = left.length === 0 ? {} : { hint: words.mergeLeft(labels) };
    throw new EspalierError("STOPPED", words.mergeStopped(visible(stopped)), {
      ...hint,
      exitCode: EXIT.interrupted,
    });
  }
  if (refused !== undefined) {
    const why = reasonText(refused.why, locale);
    const exitCode = EXIT.waitingForPerson;
    if (label !== undefined) throw new EspalierError("NOT_MERGED", why, { exitCode });
    const hint = words.mergeLeft(labels);
    throw new EspalierError("NOT_MERGED", words.notMerged(visible(refused.phase), why), { hint, exitCode });
  }
  if (merged.length === 0) say(io, words.noneWaits);
  if (left.length > 0) say(io, words.notAllDone(labels));
  return EXIT.done;
}
