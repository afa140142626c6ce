import { type ControlReply, type ControlRequest, replyWith } from "../../engine/control/protocol.ts";
import { awaitsReviewOf, type Draft } from "../../engine/index.ts";
import { because, EspalierError, type Reason, type RunEvent } from "../../ports/index.ts";
import { type Messages, messagesFor, textHash, visible } from "../../text/index.ts";
import { judgeCaller, notAPerson, refusalEvent } from "../approval/decider.ts";
import type { Caller } from "../caller.ts";
import { answerOf } from "../control/answer.ts";
import { askRunning } from "../control/running.ts";
import { loadPlan, requireUsable } from "../project/plan-file.ts";
import { lastTaskFile, type Project } from "../project/project.ts";
import { noRun, readLastRun } from "../project/reader.ts";
import { offlineChronicle } from "../run/chronicle.ts";
import { openSession, type Session } from "../session/open.ts";
import { projectRepository } from "../session/repository.ts";
import { offlineRun } from "./offline-run.ts";

/** Milliseconds a process that is leaving is waited for. */
const WAIT = 1000;

/**
 * Opens the last run while no process works on it: takes the lock, waited for `waitMs`, and gives it back after use. With
 * `inRepository` what a loss of power did to the repository is mended first.
 */
export async function withLastRun<T>(
  { caller, project }: { readonly caller: Caller; readonly project: Project },
  { waitMs, inRepository = false }: { readonly waitMs?: number; readonly inRepository?: boolean },
  use: (session: Session) => T | Promise<T>,
): Promise<T> {
  const last = readLastRun(project);
  if (last === undefined) throw noRun(project);
  const file = lastTaskFile(project, last.stored.run);
  const plan = loadPlan(file, true, project);
  requireUsable(file, plan, project.locale);
  const session = await openSession(project, file, plan, {
    invocation: {},
    env: caller.env,
    advance: "asked",
    keepClaims: true,
    ...(waitMs === undefined ? {} : { waitMs }),
    ...(inRepository ? { repository: await projectRepository(project, file, caller.env) } : {}),
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

/** What a person decides that no process has to run for. */
export type Decision = Extract<ControlRequest, { method: "act" | "force-phase" }>;

/** How often one that is just starting or ending is tried again: it can neither be asked nor passed by. */
const ROUNDS = 5;

/**
 * Carries out what a person decided: through the process that runs the project, or by itself where none does. Throws
 * EspalierError where only a person may ask, and where there is no run.
 */
export async function decide(caller: Caller, project: Project, asked: Decision): Promise<ControlReply> {
  for (let round = 1; ; round++) {
    try {
      return (await askRunning(project, asked)) ?? (await decideOffline(caller, project, asked));
    } catch (error) {
      if (!(error instanceof EspalierError) || error.code !== "LOCKED" || round === ROUNDS) throw error;
    }
  }
}

/** The input of a run that a decision is, and what is answered when it was taken. */
function inputOf(asked: Decision, { run, kept }: Session): readonly [input: Draft, done: Reason] {
  const by = asked.by === undefined ? {} : { by: asked.by };
  if (asked.method === "force-phase") {
    const { phase } = asked;
    return [
      { type: "force-phase", phase, by: asked.by ?? "a person" },
      because("phase-may-start", { phase, resume: true }),
    ];
  }
  const { action, task, note } = asked;
  const hash = textHash(run.byId.get(task)?.task.text ?? "");
  // Nothing has to go on where a completion is approved.
  const isApproval = action === "approve" && run.byId.get(task)?.status === "completed";
  const awaitsReview = awaitsReviewOf(kept.find(row => row.task === task));
  return [
    { type: "act", action, task, note, textHash: hash, awaitsReview, ...by },
    because("acted", { task, action, resume: !isApproval }),
  ];
}

/** Decisions by which a task counts or goes on with its text as it is now. */
const BY_TEXT: ReadonlySet<string> = new Set(["resume", "retry", "done", "send-back", "approve"]);

/** Why a decision is about a text that nobody had been shown: opening the run has just found that it asks less. */
function unseen(asked: Decision, { news = [] }: Session): Reason | undefined {
  if (asked.method !== "act" || !BY_TEXT.has(asked.action)) return undefined;
  const { task } = asked;
  const found = news.find(event => event.type === "paused" && event.task === task);
  if (found?.type !== "paused" || found.reason.code !== "asks-less") return undefined;
  return because("asks-less-now", { task, fields: found.reason.args.fields });
}

/** Takes the lock, writes, leaves. */
async function decideOffline(caller: Caller, project: Project, asked: Decision): Promise<ControlReply> {
  const { decider } = await judgeCaller(caller, project);
  return withLastRun({ caller, project }, { waitMs: WAIT }, async session => {
    for (const told of session.notes) caller.tell(visible(told));
    // A decision can be the end of a phase, or of the run: that is written down as where a process runs.
    const offline = await offlineRun(session, offlineChronicle(session, caller.env, caller.tell));
    if (decider.kind !== "person") {
      offline.record([refusalEvent(asked, decider)]);
      throw notAPerson(decider, project.locale, false);
    }
    const refused = unseen(asked, session);
    if (refused !== undefined) {
      // Told by now: whoever decides again has seen it.
      offline.record([]);
      return replyWith(false, refused);
    }
    const [input, done] = inputOf(offline.heard(asked), session);
    const out = offline.apply(input);
    for (const line of endsTold(out.events, messagesFor(project.config.locale))) caller.tell(visible(line));
    return answerOf(out, done);
  });
}
