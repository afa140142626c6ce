import { type Reviewer, reviewerOf } from "../../engine/index.ts";
import type { Project } from "../../host/project/project.ts";
import { requireRun } from "../../host/project/reader.ts";
import { reviewByHand } from "../../host/run/review-by-hand.ts";
import { requireRepository } from "../../host/session/idle-repository.ts";
import type { Task } from "../../plan/index.ts";
import { EspalierError, EXIT } from "../../ports/index.ts";
import { nearest, reasonText, visible, visibleLines } from "../../text/index.ts";
import { callerOf } from "../caller.ts";
import { type Io, say, sayJson, warn } from "../io.ts";
import { projectOf } from "../project.ts";
import { whileStoppable } from "../signals.ts";
import { type ReviewWords, reviewWords } from "../views/words/review-words.ts";

export interface ReviewFlags {
  readonly agent?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Who reviews by hand: who is named, else whom the task names, else the project's reviewer. */
function chosen({ config }: Project, task: Task, { agent }: ReviewFlags, words: ReviewWords): Reviewer {
  if (agent !== undefined) return { agent };
  const { review, ...own } = task;
  const named = review === undefined || review === "no" ? {} : { review };
  const found = reviewerOf({ ...own, ...named, kind: "worker" }, "signal", config);
  if (found !== undefined) return found;
  const { message, hint } = words.nobody;
  throw new EspalierError("NO_REVIEWER", message, { hint, exitCode: EXIT.usage });
}

/** `espalier review TASK`: 0 approved, 1 findings, 6 where the review came to nothing. */
export async function review(io: Io, id: string, flags: ReviewFlags): Promise<number> {
  const project = projectOf(io);
  const { repository } = await requireRepository(project, io.env);
  const { locale } = project;
  const words = reviewWords(locale);
  const reading = requireRun(project);
  const task = reading.plan.tasks.find(one => one.id === id);
  if (task === undefined || task.children !== undefined) {
    const { message, hint } = words.noSuchTask(
      visible(id, 80),
      nearest(
        id,
        reading.plan.tasks.filter(one => one.children === undefined).map(one => one.id),
      ),
    );
    throw new EspalierError("NO_SUCH_TASK", message, { hint, exitCode: EXIT.usage });
  }
  const reviewer = chosen(project, task, flags, words);
  const by = visible("agent" in reviewer ? reviewer.agent : reviewer.command, 80);
  const request = {
    caller: callerOf(io),
    project,
    repository,
    reading,
    task,
    reviewer,
    yes: flags.yes === true,
  };
  const { done, isStopped } = await whileStoppable(async stop => {
    const told = await reviewByHand({ ...request, stop });
    return { done: told, isStopped: stop.cancel.aborted };
  });
  if (isStopped) return EXIT.interrupted;
  if (done === undefined) {
    warn(io, words.nothing(visible(id, 80)));
    return EXIT.usage;
  }
  const { answer, spent } = done;
  if (answer.kind === "none" || answer.kind === "person")
    throw new EspalierError(
      "NOT_REVIEWED",
      words.unreviewed(by, visible(reasonText(answer.why, locale), 400)),
      {
        exitCode: EXIT.environment,
      },
    );
  const findings = answer.kind === "findings" ? answer.text : "";
  if (flags.json === true) sayJson(io, { task: id, by, verdict: answer.kind, findings, ...spent });
  else {
    if (findings !== "") say(io, visibleLines(findings));
    const tokens = spent === undefined ? "" : spent.tokens.toLocaleString("en-US");
    warn(io, words.reviewed(visible(id, 80), by, answer.kind === "approved", tokens));
  }
  return answer.kind === "approved" ? EXIT.done : EXIT.failedTasks;
}
