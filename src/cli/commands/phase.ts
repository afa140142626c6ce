import { replyText } from "../../engine/control/protocol.ts";
import { decide } from "../../host/lead/offline.ts";
import type { Project } from "../../host/project/project.ts";
import { readEvents, requireRun } from "../../host/project/reader.ts";
import { redactorOf } from "../../host/project/secrets.ts";
import type { PhaseWork } from "../../host/run/phase-work.ts";
import { runReport } from "../../host/run/report.ts";
import { reviewsIn } from "../../host/run/reviews.ts";
import { whereaboutsHere } from "../../host/run/whereabouts.ts";
import { EspalierError, EXIT } from "../../ports/index.ts";
import { type RunState, shownRun } from "../../run/index.ts";
import { nearest, reasonText, visible } from "../../text/index.ts";
import { callerOf } from "../caller.ts";
import { type Io, say, sayJson } from "../io.ts";
import { projectOf } from "../project.ts";
import { columnWidth, filled } from "../views/terminal/width.ts";
import { type RepositoryWords, repositoryWords } from "../views/words/repository-words.ts";
import { wordsFor } from "../views/words/words-for.ts";

/** Where a phase stands in a run. Throws EspalierError where it does not. */
export function phaseIndex(run: Pick<RunState, "phases">, label: string, words: RepositoryWords): number {
  const at = run.phases.findIndex(phase => phase.label === label);
  if (at >= 0) return at;
  const labels = run.phases.map(phase => phase.label);
  const guess = nearest(label, labels);
  const known = labels.slice(0, 20).map(one => visible(one));
  const { message, hint } = words.noPhase(visible(label), known.join(", "), guess);
  throw new EspalierError("NO_SUCH_PHASE", message, { hint, exitCode: EXIT.usage });
}

/** The last run as its rows say it stands. */
export function presentRun(project: Project): { run: RunState; open: string } {
  const { stored, plan } = requireRun(project);
  // Nothing is open any more once all is done.
  return { run: shownRun(plan, stored), open: stored.run.state === "completed" ? "" : stored.run.phase };
}

function summary(run: RunState, at: number, open: string) {
  const phase = run.phases[at]!;
  const tasks = phase.members.map(index => run.tasks[index]!);
  const counted = tasks.filter(({ status }) => status !== "skipped").length;
  const completed = tasks.filter(({ status }) => status === "completed").length;
  const { label, title } = phase;
  return { phase: label, title, open: label === open, completed, counted, forced: run.forced.has(label) };
}

/** Where the work of each phase is, by label; nothing where no repository tells. */
async function places(
  io: Io,
  project: Project,
  run: RunState,
): Promise<{ readonly target: string; readonly by: ReadonlyMap<string, PhaseWork> }> {
  const found = await whereaboutsHere(io.env, project, run, []);
  return { target: found?.target ?? "", by: new Map(found?.phases.map(one => [one.phase, one])) };
}

/** `espalier phase list`. */
export async function list(io: Io, options: { json?: boolean }): Promise<number> {
  const project = projectOf(io);
  const words = repositoryWords(project.locale);
  const { run, open } = presentRun(project);
  const { target, by } = await places(io, project, run);
  const phases = run.phases.map((_, at) => summary(run, at, open));
  if (options.json === true) {
    const told = phases.map(one => {
      const { state, branch } = by.get(one.phase) ?? {};
      return { ...one, merged: state === undefined ? null : state === "merged", branch: branch ?? null };
    });
    sayJson(io, { phases: told });
    return EXIT.done;
  }
  for (const { phase, title, open: isOpen, completed, counted, forced } of phases) {
    const work = by.get(phase);
    const where =
      work === undefined
        ? ""
        : work.state === "merged"
          ? words.isIn(visible(target))
          : words.waitsOn(visible(work.branch ?? "", 200));
    const marks = [isOpen ? words.open : "", forced ? words.forced : "", where]
      .filter(mark => mark !== "")
      .join(", ");
    const name = title === "" ? visible(phase) : `${visible(phase)}  ${visible(title, 60)}`;
    say(io, `${name}  ${completed}/${counted}${marks === "" ? "" : `  (${marks})`}`);
  }
  return EXIT.done;
}

/** `espalier phase report [N]`: the run, or one phase, as the text of a pull request. */
export async function report(
  io: Io,
  label: string | undefined,
  options: { json?: boolean },
): Promise<number> {
  const project = projectOf(io);
  const words = repositoryWords(project.locale);
  const { stored, plan } = requireRun(project);
  const { run } = presentRun(project);
  const phase = label === undefined ? undefined : run.phases[phaseIndex(run, label, words)]?.phase;
  const reviews = readEvents(project, stored.run.id, reviewsIn) ?? new Map();
  const told = runReport({ ...stored, plan, reviews }, project.config, phase);
  const redact = redactorOf(io.env, project.root);
  const [title, body] = [redact(told.title), redact(told.body)];
  if (options.json === true) sayJson(io, { title, body });
  else say(io, `# ${title}\n\n${body}`.trimEnd());
  return EXIT.done;
}

/** `espalier phase show N`. */
export async function show(io: Io, label: string, options: { json?: boolean }): Promise<number> {
  const project = projectOf(io);
  const { locale } = project;
  const words = repositoryWords(locale);
  const { run, open } = presentRun(project);
  const at = phaseIndex(run, label, words);
  const facts = summary(run, at, open);
  const tasks = (run.phases[at]?.members ?? []).map(index => {
    const { task, status, reason } = run.tasks[index]!;
    return {
      id: task.id,
      status,
      title: task.title,
      reason: reasonText(reason, options.json === true ? "en" : locale),
    };
  });
  if (options.json === true) sayJson(io, { ...facts, tasks });
  else {
    const names = wordsFor(locale).status;
    const width = columnWidth(tasks, ({ status }) => names[status], 20);
    say(io, words.phase(visible(facts.phase), visible(facts.title, 80)));
    say(io, words.completed(facts.completed, facts.counted, facts.open));
    for (const { id, status, title, reason } of tasks) {
      say(io, `  ${filled(names[status], width)}  ${visible(id)}  ${visible(title, 60)}`);
      if (reason !== "") say(io, `${" ".repeat(width + 4)}${visible(reason, 100)}`);
    }
  }
  return EXIT.done;
}

/** `espalier phase force N`: lets a phase start although the one before is below its gate. */
export async function force(io: Io, label: string): Promise<number> {
  const project = projectOf(io);
  const { locale } = project;
  const { run } = presentRun(project);
  const known = run.phases[phaseIndex(run, label, repositoryWords(locale))]!;
  const answer = await decide(callerOf(io), project, { method: "force-phase", phase: known.label });
  if (!answer.ok) throw new EspalierError("REFUSED", replyText(answer, locale), { exitCode: EXIT.usage });
  say(io, replyText(answer, locale));
  return EXIT.done;
}
