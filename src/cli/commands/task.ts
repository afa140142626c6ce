import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { attemptName } from "../../adapters/local/state-files.ts";
import { replyText, replyWith } from "../../engine/control/protocol.ts";
import { awaitsReviewOf, keptWork } from "../../engine/index.ts";
import { askRunning } from "../../host/control/running.ts";
import { decide } from "../../host/lead/offline.ts";
import { isElsewhere } from "../../host/project/invocation.ts";
import type { Project } from "../../host/project/project.ts";
import { requireRun } from "../../host/project/reader.ts";
import { type AttemptRow, because, EspalierError, EXIT, type TaskRow } from "../../ports/index.ts";
import { type TaskAction, taskFacts } from "../../run/index.ts";
import { nearest, reasonText } from "../../text/index.ts";
import { awaitedBy } from "../awaited.ts";
import { callerOf } from "../caller.ts";
import { type Io, say, sayJson } from "../io.ts";
import { projectOf } from "../project.ts";
import { lookOf } from "../views/look.ts";
import { resumable } from "../views/next-steps.ts";
import { type TaskWords, taskWords } from "../views/words/task-words.ts";

/** A file of the state directory as people open it, when it is there. */
function existing(project: Project, name: string): string | undefined {
  const path = join(project.stateDir, name);
  return existsSync(path) ? relative(project.root, path) : undefined;
}

function noSuchTask(words: TaskWords, id: string, known: Iterable<string>): EspalierError {
  const { message, hint } = words.noSuchTask(id, nearest(id, known));
  return new EspalierError("NO_SUCH_TASK", message, { hint, exitCode: EXIT.usage });
}

/** `espalier task show ID`. */
export async function show(io: Io, id: string, options: { json?: boolean }): Promise<number> {
  const project = projectOf(io);
  const reading = requireRun(project);
  const { taskView, taskViewFacts } = await import("../views/task-view.ts");
  const attemptLog = (attempt: number) =>
    existing(project, join("attempts", `${attemptName(id, attempt)}.log`));
  const attempts = reading.attempts(id);
  const facts = taskViewFacts(reading, id, {
    attempts,
    awaited: awaitedBy(project, reading.stored)?.get(id),
    awaitsReview: awaitsReviewOf(attempts.at(-1)),
    file: reading.stored.run.file,
    maxAttempts: project.config.maxAttempts,
    now: Date.now(),
    isElsewhere: isElsewhere(reading.invocation),
    resources: project.config.resources,
    attemptLog,
  });
  if (facts === undefined)
    throw noSuchTask(
      taskWords(project.locale),
      id,
      reading.plan.tasks.map(task => task.id),
    );
  if (options.json === true) {
    const row = reading.stored.tasks.find(task => task.id === id);
    const told = <T extends TaskRow | AttemptRow>(one: T) => ({
      ...one,
      reason: reasonText(one.reason, "en"),
    });
    sayJson(io, { task: row && told(row), plan: facts.facts.task, attempts: attempts.map(told) });
  } else {
    for (const line of taskView(facts, lookOf(io.stdout, io.env, project.locale))) say(io, line);
  }
  return EXIT.done;
}

/** `espalier task tell ID WORDS`: only a process that runs has an agent to tell. */
export async function tell(io: Io, id: string, text: string): Promise<number> {
  const project = projectOf(io);
  const { locale } = project;
  const reading = requireRun(project);
  const known = reading.plan.tasks.map(task => task.id);
  if (!known.includes(id)) throw noSuchTask(taskWords(locale), id, known);
  const answer =
    (await askRunning(project, { method: "tell", task: id, text })) ??
    replyWith(false, because("not-at-work", { task: id }));
  say(io, replyText(answer, locale));
  return answer.ok ? EXIT.done : EXIT.usage;
}

/** Counting a task as done on a person's word brings no work in that still waits for its review: says how that is done. */
function sayNotLanded(io: Io, project: Project, task: string): void {
  const last = requireRun(project).attempts(task).at(-1);
  if (last?.commit === undefined || keptWork(last) === undefined) return;
  say(io, taskWords(project.locale).notLanded(task, last.commit));
}

/** The paused tasks that go on together. */
function togetherIn(project: Project): readonly string[] {
  const { plan, stored } = requireRun(project);
  return resumable(taskFacts(plan, stored.tasks)).map(({ task }) => task.id);
}

/** `espalier task retry|skip|done|pause|resume|cancel ID…`: through the running process, or by itself when none runs. */
export async function act(
  io: Io,
  action: TaskAction,
  ids: readonly string[],
  { note, all = false }: { note: string; all?: boolean },
): Promise<number> {
  const project = projectOf(io);
  const { whichTasks, noneGoesOn } = taskWords(project.locale);
  if (ids.length > 0 === all) throw new EspalierError("USAGE", whichTasks, { exitCode: EXIT.usage });
  const named = all ? togetherIn(project) : ids;
  if (named.length === 0) say(io, noneGoesOn);
  let allDone = true;
  for (const task of named) {
    const answer = await decide(callerOf(io), project, { method: "act", action, task, note });
    say(io, replyText(answer, project.locale));
    if (answer.ok && action === "done") sayNotLanded(io, project, task);
    allDone &&= answer.ok;
  }
  return allDone ? EXIT.done : EXIT.usage;
}
