import type { ControlReply } from "../../engine/control/protocol.ts";
import { because, type RunEvent } from "../../ports/index.ts";
import type { TaskAction } from "../../run/index.ts";
import { type Messages, messagesFor, textHash, visible } from "../../text/index.ts";
import { judgeCaller, notAPerson, refusalEvent } from "../approval/decider.ts";
import type { Caller } from "../caller.ts";
import { answerOf } from "../control/answer.ts";
import { loadPlan, requireUsable } from "../project/plan-file.ts";
import { lastTaskFile, type Project } from "../project/project.ts";
import { noRun, readLastRun } from "../project/reader.ts";
import { offlineChronicle } from "../run/chronicle.ts";
import { openSession, type Session } from "../session/open.ts";
import { offlineRun } from "./offline-run.ts";

/** Milliseconds a process that is leaving is waited for. */
const WAIT = 1000;

/** Opens the last run while no process works on it: takes the lock, waited for `waitMs`, and gives it back after use. */
export async function withLastRun<T>(
  { caller, project }: { readonly caller: Caller; readonly project: Project },
  waitMs: number,
  use: (session: Session) => T | Promise<T>,
): Promise<T> {
  const last = readLastRun(project);
  if (last === undefined) throw noRun(project);
  const file = lastTaskFile(project, last.stored.run.file);
  const plan = loadPlan(file, true, project);
  requireUsable(file, plan, project.config.locale);
  const session = await openSession(project, file, plan, {
    invocation: {},
    env: caller.env,
    advance: "asked",
    keepClaims: true,
    waitMs,
  });
  try {
    return await use(session);
  } finally {
    session.close();
  }
}

/** The lines that tell of phases and runs which a decision has ended. */
function endsTold(events: readonly RunEvent[], messages: Messages): readonly string[] {
  return events.flatMap(event => {
    const isEnd = event.type === "phase-ended" || event.type === "phase-gated" || event.type === "run-ended";
    return isEnd ? (messages.logLine(event) ?? []) : [];
  });
}

/** Applies what a person decided about a task while no process runs: takes the lock, writes, leaves. */
export async function actOffline(
  caller: Caller,
  project: Project,
  action: TaskAction,
  task: string,
  note: string,
): Promise<ControlReply> {
  const { decider } = await judgeCaller(caller, project);
  return withLastRun({ caller, project }, WAIT, session => {
    for (const told of session.notes) caller.tell(visible(told));
    // A decision can be the end of a phase, or of the run: that is written down as where a process runs.
    const offline = offlineRun(session, offlineChronicle(session, caller.env, caller.tell));
    if (decider.kind !== "person") {
      offline.record([refusalEvent({ method: "act", action, task }, decider)]);
      throw notAPerson(decider, project.config.locale);
    }
    const hash = textHash(session.run.byId.get(task)?.task.text ?? "");
    const out = offline.apply({ type: "act", action, task, note, textHash: hash });
    for (const line of endsTold(out.events, messagesFor(project.config.locale))) caller.tell(visible(line));
    return answerOf(out, because("acted", { task, action, resume: true }));
  });
}
