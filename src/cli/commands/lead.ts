import { SYSTEM_CLOCK } from "../../adapters/local/clock.ts";
import { randomName } from "../../adapters/local/random.ts";
import { attemptName } from "../../adapters/local/state-files.ts";
import { openAttemptRow } from "../../engine/index.ts";
import { type AttemptRow, EspalierError, EXIT } from "../../ports/index.ts";
import { judgeMessage, nextAnswer, saturation } from "../../run/index.ts";
import { messagesFor, type PromptFacts } from "../../text/index.ts";
import { countTokens } from "../../tokens/index.ts";
import { type Io, say, warn } from "../io.ts";
import { errorsOf, loadPlan, requireUsable } from "../plan-file.ts";
import { findTaskFile, lastTaskFile, openProject, type Project } from "../project.ts";
import { readLastRun } from "../reader.ts";
import { askRunning } from "../running.ts";
import { type OfflineRun, offlineRun } from "../session/offline-run.ts";
import { openSession, type Session } from "../session/open.ts";
import { proveReport } from "../session/report-proof.ts";
import { redactorOf } from "../session/world.ts";

/** What a full window is answered with, and how to go on. */
const STOP = "STOP:CONTEXT_FULL";
const STOP_HINT = "start a new session, then: espalier next --new-session";

/** Milliseconds that another command of the lead is waited for. */
const WAIT = 5000;

interface Lead {
  readonly session: Session;
  readonly offline: OfflineRun;
}

async function openLead(io: Io, project: Project, named: string | undefined): Promise<Lead> {
  const last = readLastRun(project);
  const file =
    named === undefined ? lastTaskFile(project, last?.stored.run.file) : findTaskFile(project, io.cwd, named);
  const isSame = last?.stored.run.file === file.display;
  const plan = loadPlan(file, isSame && last.invocation.allowMissing === true, project);
  const error = errorsOf(plan).find(({ message }) => message.startsWith("ERROR:"));
  // A lead reads standard output: the protocol's own word for a broken plan stands there.
  if (error !== undefined) say(io, error.message.split("\n")[0] ?? "");
  requireUsable(file, plan);
  // Another command of the same lead is waited for; a process that stays is not.
  const isRunning = (await askRunning(project, { method: "ping" })) !== undefined;
  const session = await openSession(project, file, plan, {
    invocation: {},
    advance: "asked",
    keepClaims: true,
    ...(isRunning ? {} : { waitMs: WAIT }),
  });
  try {
    return { session, offline: offlineRun(session) };
  } catch (error) {
    session.close();
    throw error;
  }
}

/** Prints what the lead reads and counts it against its window. */
function tell(io: Io, project: Project, { session, offline }: Lead, text: string): void {
  const before = session.facts.leadTokens;
  const tokens = countTokens(`${text}\n`);
  session.facts.leadTokens = before + tokens;
  const reached = saturation(before, tokens, project.config.contextWindow);
  if (reached.crossed && reached.level !== "none") {
    const event = { type: "saturation", percent: reached.percent, level: reached.level } as const;
    offline.record([event]);
    warn(io, messagesFor(project.config.locale).logLine(event) ?? "");
  } else offline.record([]);
  say(io, text);
}

/** `espalier next [FILE]`: one short line, whatever the plan's size. */
export async function next(
  io: Io,
  named: string | undefined,
  options: { newSession?: boolean; forcePhase?: string; json?: boolean } = {},
): Promise<number> {
  const project = openProject(io.cwd);
  const lead = await openLead(io, project, named);
  const { session, offline } = lead;
  try {
    if (options.newSession === true) session.facts.leadTokens = 0;
    for (const note of session.notes) warn(io, note);
    if (options.forcePhase !== undefined) {
      const forced = offline.apply({ type: "force-phase", phase: options.forcePhase, by: "a person" });
      if (forced.refused !== undefined)
        throw new EspalierError("NO_SUCH_PHASE", forced.refused, { exitCode: EXIT.usage });
    }
    const full = saturation(session.facts.leadTokens, 0, project.config.contextWindow).level === "stop";
    if (full) {
      say(io, STOP);
      say(io, STOP_HINT);
      return EXIT.done;
    }
    const answer = nextAnswer(session.run);
    // Having been told that a phase is done, the lead's next question is about the next one.
    if (answer.startsWith("PHASE_DONE:")) offline.apply({ type: "advance" });
    tell(io, project, lead, options.json === true ? JSON.stringify({ answer }) : answer);
    return EXIT.done;
  } finally {
    session.close();
  }
}

function promptOf(project: Project, session: Session, id: string, row: AttemptRow): PromptFacts {
  const state = session.run.byId.get(id);
  const task = state?.task;
  const verify = task?.verify ?? project.config.verify;
  return {
    task: id,
    phase: String(task?.phase ?? ""),
    title: task?.title ?? "",
    file: session.file.display,
    line: task?.line ?? 0,
    learnings: `${project.config.stateDir}/memory/attempts/${attemptName(id, row.number)}.md`,
    signalId: `${id}#${row.nonce}`,
    kind: task?.kind ?? "worker",
    ...(task?.fills === undefined ? {} : { fills: task.fills }),
    ...(verify === undefined ? {} : { verify }),
    ...(session.feedback.has(id) ? { feedback: session.feedback.get(id)! } : {}),
    attempt: (state?.retries ?? 0) + 1,
    maxAttempts: project.config.maxAttempts,
  };
}

/** `espalier start ID`: claims a ready task for the lead's own agent and prints the prompt to give it. */
export async function start(io: Io, id: string): Promise<number> {
  const project = openProject(io.cwd);
  const lead = await openLead(io, project, undefined);
  const { session, offline } = lead;
  try {
    const number = (session.run.byId.get(id)?.attempts ?? 0) + 1;
    const row = openAttemptRow({ task: id, number, agent: "lead", now: SYSTEM_CLOCK.now() }, randomName);
    const out = offline.apply({ type: "claim", task: id }, [row]);
    if (out.refused !== undefined) {
      throw new EspalierError("NOT_READY", out.refused, {
        hint: "espalier next says what is ready",
        exitCode: EXIT.usage,
      });
    }
    tell(io, project, lead, messagesFor(project.config.locale).prompt(promptOf(project, session, id, row)));
    return EXIT.done;
  } finally {
    session.close();
  }
}

/** `espalier report ID SIGNAL`: judges the signal, proves it, and says in one line what became of the task. */
export async function report(
  io: Io,
  id: string,
  signal: string,
  options: { yes?: boolean } = {},
): Promise<number> {
  const project = openProject(io.cwd);
  const lead = await openLead(io, project, undefined);
  const { session, offline } = lead;
  try {
    const state = session.run.byId.get(id);
    const row = session.claimed.find(attempt => attempt.task === id);
    if (state === undefined || row === undefined) {
      throw new EspalierError("NOT_STARTED", `${id} is not in progress here`, {
        hint: `espalier start ${id}`,
        exitCode: EXIT.usage,
      });
    }
    const redact = redactorOf(io.env);
    const { claim, foreign } = judgeMessage(signal, {
      task: id,
      nonce: row.nonce,
      signals: project.config.signals,
    });
    offline.record(foreign.map(text => ({ type: "foreign-signal", task: id, text: redact(text) })));
    if (claim.kind === "none") {
      throw new EspalierError(
        "FOREIGN_SIGNAL",
        `"${signal.slice(0, 80)}" is not the signal of this attempt; nothing changed`,
        {
          hint: "hand in the agent's own last line, whole",
          exitCode: EXIT.usage,
        },
      );
    }
    const { outcome, ended } = await proveReport(io, session, state, row, claim, options.yes === true);
    offline.apply(
      { type: "attempt-ended", task: id, attempt: row.number, outcome, ms: ended.endedAt - row.startedAt },
      [ended],
    );
    const after = session.run.byId.get(id);
    const retry =
      after?.status === "ready" ? ` ${after.retries}/${project.config.maxAttempts}: ${after.reason}` : "";
    tell(io, project, lead, `${after?.status.toUpperCase() ?? "GONE"}:${id}${retry}`);
    return EXIT.done;
  } finally {
    session.close();
  }
}
