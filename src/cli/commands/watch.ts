import { livingHolder } from "../../adapters/lock/index.ts";
import { outsideMonitor } from "../../host/monitor/outside.ts";
import { readingMonitor } from "../../host/monitor/reading.ts";
import type { Project } from "../../host/project/project.ts";
import { maskedValues, redactorOf } from "../../host/project/secrets.ts";
import { NOTHING_TOLD, takenBy, toldOf } from "../../host/run/aftermath.ts";
import { whereaboutsHere } from "../../host/run/whereabouts.ts";
import { EXIT, ok, type StampedEvent } from "../../ports/index.ts";
import type { Monitor } from "../../server/index.ts";
import { eventText, messagesFor } from "../../text/index.ts";
import { callerOf } from "../caller.ts";
import { type Io, isInteractive, say, sayJsonLine, warn } from "../io.ts";
import { lastFacts, lastJson } from "../last-block.ts";
import { projectOf } from "../project.ts";
import { lookOf } from "../views/look.ts";
import { reportView } from "../views/report.ts";
import { createPlainView } from "../views/terminal/plain.ts";
import { wordsFor } from "../views/words/words-for.ts";
import { runOf, stretchOf } from "../watch/reading.ts";
import { watchOnScreen } from "../watch/screen.ts";

/** Where nobody types: one line for each event, until the run has ended or is gone. */
function plain(io: Io, project: Project, monitor: Monitor, json: boolean): Promise<number> {
  const redact = redactorOf(io.env, project.root);
  const view = createPlainView({
    write: text => void io.stdout.write(text),
    messages: messagesFor(project.config.locale),
    redact,
  });
  const tell = (stamped: StampedEvent) => {
    const { seq, at, event } = stamped;
    if (!json) view.event(stamped);
    else if (event.type !== "attempt-line")
      sayJsonLine(io, { seq, at, ...eventText(event, "en") }, maskedValues(redact));
  };
  const end = Promise.withResolvers<number>();
  let wasLive = monitor.link().live;
  const leave = monitor.follow(news => {
    if (news !== "changed") {
      tell(news);
      if (news.event.type === "run-ended") end.resolve(EXIT.done);
      return;
    }
    const { live } = monitor.link();
    if (wasLive && !live) end.resolve(EXIT.done);
    wasLive ||= live;
  });
  for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"] as const)
    process.once(signal, () => end.resolve(EXIT.done));
  const found = monitor.read();
  const { noRun, notRunning } = wordsFor(project.locale).watch;
  if (found.ok && found.value === undefined) warn(io, noRun);
  else if (livingHolder(project.stateDir) === undefined) warn(io, notRunning);
  return end.promise.finally(leave);
}

/** The last word on a run that has ended: the same as that of the process it ran in. */
async function sayLast(io: Io, project: Project, monitor: Monitor, json: boolean): Promise<void> {
  const found = monitor.read();
  const reading = found.ok ? found.value : undefined;
  if (reading === undefined || reading.stored.run.state === "running") return;
  const { id, startedAt, updatedAt } = reading.stored.run;
  const run = runOf(reading, monitor);
  const told = monitor.ask(store => ok(toldOf(store, id)));
  const { aside, ...besides } = told.ok && told.value !== undefined ? told.value : NOTHING_TOLD;
  const work = await whereaboutsHere(io.env, project, run, aside);
  const taken = takenBy(reading.stored, project.config.budget.prices);
  const { from = startedAt, to = updatedAt } = stretchOf(monitor, reading.stored.run);
  const facts = lastFacts(project, run, Math.max(0, to - from), { work, taken, ...besides });
  if (json) sayJsonLine(io, lastJson(id, facts, run.counts));
  else for (const line of reportView(facts, lookOf(io.stdout, io.env, project.locale))) say(io, line);
}

/** `espalier watch`: the run of this project in the terminal, with keys to steer it. */
export async function watch(io: Io, options: { json?: boolean }): Promise<number> {
  const project = projectOf(io);
  const monitor = outsideMonitor(readingMonitor(project, io.env), project, callerOf(io));
  try {
    const json = options.json === true;
    const isScreen = !json && isInteractive(io);
    const code = await (isScreen ? watchOnScreen(io, project, monitor) : plain(io, project, monitor, json));
    await sayLast(io, project, monitor, json);
    return code;
  } finally {
    monitor.close();
  }
}
