import { relative } from "node:path";
import { SYSTEM_CLOCK } from "../../adapters/local/clock.ts";
import { randomName } from "../../adapters/local/random.ts";
import { attemptName } from "../../adapters/local/state-files.ts";
import { asksHandover } from "../../context/library/index.ts";
import { openAttemptRow, sentBackTo, spentBy } from "../../engine/index.ts";
import { isBuiltOn, type Plan } from "../../plan/index.ts";
import { type AttemptRow, because, EXIT, LEAD, type LeadFace, type StampedEvent } from "../../ports/index.ts";
import { judgeMessage, nextMove, promiseSpend, saturation, spendingReason } from "../../run/index.ts";
import { errorFor, messagesFor, type PromptFacts, reasonText } from "../../text/index.ts";
import { countTokens } from "../../tokens/index.ts";
import { beginWork } from "../approval/decider.ts";
import type { Caller } from "../caller.ts";
import { askRunning } from "../control/running.ts";
import type { Invocation } from "../project/invocation.ts";
import { errorsOf, loadPlan, requireUsable } from "../project/plan-file.ts";
import { findTaskFile, lastTaskFile, type Project } from "../project/project.ts";
import { readLastRun } from "../project/reader.ts";
import { isGone } from "../project/renamed.ts";
import { redactorOf } from "../project/secrets.ts";
import { spendingOf, treeOptions } from "../project/settings.ts";
import { storedPlanJson } from "../project/stored-plan.ts";
import { offlineChronicle } from "../run/chronicle.ts";
import { openSession, type Session } from "../session/open.ts";
import { answeredBefore, lastAttempt, notReady, notStarted, taskLine } from "./asked-again.ts";
import { budgetError, holdPackage, priceReady } from "./lead-budget.ts";
import { type OfflineRun, offlineRun } from "./offline-run.ts";

/** What is wrong with a plan that document 004 has a word of its own for, which its message is. */
const PROTOCOL_ERRORS: ReadonlySet<string> = new Set(["MISSING_DEP", "CIRCULAR_DEP"]);

/** Milliseconds that another command of the lead is waited for. */
const WAIT = 5000;

/** A run in the hands of a lead that orchestrates by itself. */
export interface Lead {
  /** How it asks, for advice on what to ask next. */
  readonly face: LeadFace;
  readonly caller: Caller;
  readonly project: Project;
  readonly session: Session;
  readonly offline: OfflineRun;
  /** What the last failed attempt of a task left for the next one; a session may see many of them. */
  readonly feedback: Map<string, string>;
  /** Keeps the outputs of what has completed for readers of later runs. */
  keepOutputs(): Promise<void>;
  /** Writes a checkpoint now; its name, or why there is none. */
  checkpoint(why: string | undefined, shift: boolean): { readonly ok: boolean; readonly message: string };
}

/** What a lead may say of the run's budget; kept with the run, like the flags of `espalier run`. */
export type LeadLimits = Pick<Invocation, "maxTokens" | "maxCost">;

export interface LeadRequest {
  readonly caller: Caller;
  readonly project: Project;
  /** The task file, where it is named. */
  readonly named: string | undefined;
  readonly limits?: LeadLimits;
  readonly face: LeadFace;
  /** Hears the protocol's own word for a broken plan, which a lead reads where it reads answers. */
  readonly answer?: (line: string) => void;
}

/** Takes the lock and the run. Whoever asks for it closes the session. Throws EspalierError. */
export async function openLead(request: LeadRequest): Promise<Lead> {
  const { caller, project, named, limits = {}, face, answer } = request;
  const { maxTokens, maxCost } = limits;
  const last = readLastRun(project);
  const file =
    named === undefined
      ? lastTaskFile(project, last?.stored.run)
      : findTaskFile(project, caller.cwd, named, last?.stored.run);
  const isSame =
    last !== undefined && (last.stored.run.file === file.display || isGone(project.root, last.stored.run));
  const plan = loadPlan(file, isSame && last.invocation.allowMissing === true, project);
  const error = errorsOf(plan).find(({ code }) => PROTOCOL_ERRORS.has(code));
  if (error !== undefined) answer?.(error.message.split("\n")[0] ?? "");
  requireUsable(file, plan, project.locale);
  // Another command of the same lead is waited for; a process that stays is not.
  const isRunning = (await askRunning(project, { method: "ping" })) !== undefined;
  const session = await openSession(project, file, plan, {
    invocation: { maxTokens, maxCost },
    env: caller.env,
    advance: "asked",
    keepClaims: true,
    ...(isRunning ? {} : { waitMs: WAIT }),
  });
  const { run } = session;
  run.spending = spendingOf(project.config, session.invocation, session.usage);
  for (const { task, number, estimate } of session.claimed) promiseSpend(run, task, number, estimate);
  try {
    const chronicle = offlineChronicle(session, caller.env, caller.tell);
    const completed: StampedEvent[] = [];
    const hear = (event: StampedEvent) => {
      chronicle.hear(event);
      if (event.event.type === "completed") completed.push(event);
    };
    const keepOutputs = async () => {
      const { budget } = treeOptions(project.config);
      const events = completed.splice(0);
      if (budget === undefined || events.length === 0) return;
      const kept = await import("../run/keep-outputs.ts");
      const changed = kept.changedIn(project.root, caller.env);
      const keep = kept.keepOutputs(session, budget, changed, SYSTEM_CLOCK.now, (_code, message) =>
        caller.tell(reasonText(message, project.config.locale)),
      );
      for (const event of events) keep(event);
    };
    const offline = await offlineRun(session, { hear, flush: () => chronicle.flush() });
    await keepOutputs();
    return {
      face,
      caller,
      project,
      session,
      offline,
      feedback: new Map(session.feedback),
      keepOutputs,
      checkpoint(why, shift) {
        const written = chronicle.write(why, shift);
        return written.ok ? { ok: true, message: written.value.id } : { ok: false, message: written.failure };
      },
    };
  } catch (error) {
    session.close();
    throw error;
  }
}

/** Counts what the lead is about to read against its window, makes that durable, and returns it. */
function told({ caller, project, session, offline }: Lead, text: string): string {
  const before = session.facts.leadTokens;
  const tokens = readTokens(`${text}\n`);
  session.facts.leadTokens = before + tokens;
  const reached = saturation(before, tokens, project.config.contextWindow);
  if (reached.crossed && reached.level !== "none") {
    const event = { type: "saturation", percent: reached.percent, level: reached.level } as const;
    offline.record([event]);
    caller.tell(messagesFor(project.config.locale).logLine(event) ?? "");
  } else offline.record([]);
  return text;
}

/** Bytes of an answer that is not worth loading a vocabulary for. */
const SHORT = 64;

/** Tokens of what a lead reads: exact, or for a short line its bytes, of which no token has less than one. */
function readTokens(text: string): number {
  const bytes = Buffer.byteLength(text);
  return bytes <= SHORT ? bytes : countTokens(text);
}

export interface NextOptions {
  readonly newSession?: boolean;
  readonly forcePhase?: string;
  readonly json?: boolean;
}

/** What a lead is answered, and with which exit code its command ends. */
export interface LeadAnswer {
  readonly text: string;
  readonly exit: number;
}

/** What `espalier next --json` prints. */
function answerJson(answer: string) {
  return { answer };
}

/** What to do next, in one line; two where the lead's window is full. */
export async function nextStep(lead: Lead, options: NextOptions): Promise<LeadAnswer> {
  const { session, offline, project } = lead;
  const said = (text: string) => (options.json === true ? JSON.stringify(answerJson(text)) : text);
  if (options.newSession === true) session.facts.leadTokens = 0;
  if (options.forcePhase !== undefined) {
    const forced = offline.apply({ type: "force-phase", phase: options.forcePhase, by: "a person" });
    if (forced.refused !== undefined)
      throw errorFor("NO_SUCH_PHASE", forced.refused, { exitCode: EXIT.usage });
  }
  if (saturation(session.facts.leadTokens, 0, project.config.contextWindow).level === "stop")
    return {
      // What a lead reads stands in English, like its protocol.
      text: said(`STOP:CONTEXT_FULL\n${reasonText(because("window-full", { face: lead.face }), "en")}`),
      exit: EXIT.done,
    };
  await priceReady(lead, id => tokensOf(lead, id));
  const { kind, line } = nextMove(session.run);
  // Having been told that a phase is done, the lead's next question is about the next one.
  if (kind === "phase-done") offline.apply({ type: "advance" });
  const text = told(lead, said(line));
  return { text, exit: kind === "no-budget" ? EXIT.waitingForPerson : EXIT.done };
}

/** Tokens of the package that a ready task's next attempt would read. */
async function tokensOf(lead: Lead, id: string): Promise<number> {
  const { packageTokens } = await import("./lead-library.ts");
  const row = nextRow(lead, id);
  const { config } = lead.project;
  const assignment = messagesFor(config.locale).prompt({ ...promptOf(lead, id, row), packaged: true });
  return packageTokens(lead, row, assignment, lead.feedback.get(id) ?? "");
}

/** The row of a task's next attempt. */
function nextRow({ session }: Lead, id: string): AttemptRow {
  const number = (session.run.byId.get(id)?.attempts ?? 0) + 1;
  return openAttemptRow({ task: id, number, agent: LEAD, now: SYSTEM_CLOCK.now() }, randomName);
}

function promptOf({ project, session, offline, feedback }: Lead, id: string, row: AttemptRow): PromptFacts {
  const state = session.run.byId.get(id);
  const task = state?.task;
  const verify = task?.verify ?? project.config.verify;
  const answer = isRead(session.run.plan, id) ? offline.openAnswer(id, row.number) : undefined;
  // Who hands back its last line alone hands over in a file, or not at all.
  const isAsked = task !== undefined && answer !== undefined;
  const handover = isAsked ? asksHandover(project.config.context, task) : undefined;
  const rows = session.store.attempts(session.runId, id);
  const sentBack = rows.ok ? sentBackTo(rows.value, row.number) : undefined;
  return {
    task: id,
    phase: String(task?.phase ?? ""),
    title: task?.title ?? "",
    file: session.file.display,
    line: task?.line ?? 0,
    learnings: `${project.config.stateDir}/memory/attempts/${attemptName(id, row.number)}.md`,
    signalId: `${id}#${row.nonce}`,
    kind: task?.kind ?? "worker",
    ...(answer === undefined ? {} : { answer }),
    ...(handover === undefined ? {} : { handover }),
    ...(task?.fills === undefined ? {} : { fills: task.fills }),
    ...(task?.asked === undefined ? {} : { question: task.asked.question }),
    ...(verify === undefined ? {} : { verify }),
    ...(feedback.has(id) ? { feedback: feedback.get(id)! } : {}),
    attempt: (state?.retries ?? 0) + 1,
    maxAttempts: project.config.maxAttempts,
    ...(sentBack === undefined ? {} : { sentBack: sentBack.note }),
  };
}

/** Whether others read what a task answers: those that build on it, or all where there is a tree. */
function isRead(plan: Plan, id: string): boolean {
  return plan.contextNodes.length > 0 || isBuiltOn(plan, id);
}

/** Claims a ready task for the lead's own agent; the file that holds the prompt to give it, or that prompt itself. */
export async function claimTask(lead: Lead, id: string, shown: "prompt" | "file"): Promise<string> {
  const { caller, session, offline, project, feedback } = lead;
  await beginWork(project, caller.env);
  // Before it is claimed: a refusal costs no attempt.
  if (session.run.byId.get(id)?.status === "ready") await priceReady(lead, one => tokensOf(lead, one), [id]);
  const row = nextRow(lead, id);
  const out = offline.apply({ type: "claim", task: id }, [row]);
  if (out.refused !== undefined) {
    if (spendingReason(session.run) !== undefined) throw budgetError(out.refused, lead.face);
    throw notReady(lead, id, out.refused);
  }
  const messages = messagesFor(project.config.locale);
  const facts = promptOf(lead, id, row);
  const assignment = messages.prompt({ ...facts, packaged: true });
  const { leadPackage } = await import("./lead-library.ts");
  const given = await leadPackage(lead, row, assignment, feedback.get(id) ?? "");
  if (given !== undefined) holdPackage(lead, row, given.tokens);
  if (shown === "file") {
    const path = given?.path ?? keptPrompt(lead, row, messages.prompt(facts));
    return told(lead, path === undefined ? messages.prompt(facts) : `PROMPT:${path}`);
  }
  // A lead stays thin: what its agent reads is named, not shown.
  const reads = given?.path === undefined ? "" : `\n${messages.inPackage.readFirst(given.path)}\n`;
  return told(lead, messages.prompt(facts) + reads);
}

/** Keeps a prompt as a file; its path in the project. */
function keptPrompt(
  { offline, project }: Lead,
  { task, number }: AttemptRow,
  text: string,
): string | undefined {
  const path = offline.keepPrompt(task, number, text);
  return path === undefined ? undefined : relative(project.root, path);
}

/** Judges a reported signal, proves it, and says in one line what became of the task. */
export async function handIn(
  lead: Lead,
  id: string,
  said: string,
  yes: boolean,
  whole?: string,
): Promise<string> {
  const { caller, session, offline, project } = lead;
  const redact = redactorOf(caller.env, project.root);
  const signal = redact(said);
  const result = whole === undefined ? undefined : redact(whole);
  const state = session.run.byId.get(id);
  const row = openAttemptOf(session, id);
  if (state === undefined || row === undefined) {
    const before = answeredBefore(lead, id, signal);
    if (before !== undefined) return told(lead, before);
    throw notStarted(lead, id);
  }
  const { claim, foreign } = judgeMessage(signal, {
    task: id,
    nonce: row.nonce,
    signals: project.config.signals,
  });
  offline.record(foreign.map(text => ({ type: "foreign-signal", task: id, text })));
  if (claim.kind === "none") {
    throw errorFor("FOREIGN_SIGNAL", because("foreign-signal", { said: signal.slice(0, 80) }), {
      advice: because("hand-in-whole", {}),
      exitCode: EXIT.usage,
    });
  }
  const { leadHarvest, leadResearch } = await import("./lead-library.ts");
  const answer = answerOf(lead, row, result);
  const handed = claim.kind === "done" ? await leadHarvest(lead, row, answer) : {};
  if (handed.problem !== undefined)
    throw errorFor("NO_DOCUMENT", because("nothing-changed", { why: handed.problem }), {
      advice: because("hand-in-document", { face: lead.face }),
      exitCode: EXIT.usage,
    });
  const { proveReport } = await import("./report-proof.ts");
  const { outcome, ended } = await proveReport(caller, session, state, row, claim, yes);
  const isDone = outcome.kind === "done";
  const asks = claim.kind === "fail" ? leadResearch(lead, id, `${answer ?? ""}\n${signal}`) : undefined;
  if (asks !== undefined) {
    // First, so that the worker waits for the answers when it becomes ready again.
    session.facts.planJson = storedPlanJson(asks, session.invocation);
    offline.apply({ type: "plan-changed", plan: asks });
  }
  offline.apply(
    {
      type: "attempt-ended",
      task: id,
      attempt: row.number,
      outcome,
      ms: ended.endedAt - row.startedAt,
      spent: spentBy(ended, project.config.budget.prices),
    },
    // Who hands in the whole answer as the signal is taken at its word.
    [{ ...ended, finalMessage: answer ?? signal }],
    isDone ? handed.work : undefined,
  );
  await lead.keepOutputs();
  if (ended.feedback === "") lead.feedback.delete(id);
  else lead.feedback.set(id, ended.feedback);
  return told(lead, taskLine(lead, id));
}

/** The whole answer of an attempt: as it was handed in, else as its agent left it in its file. */
function answerOf({ offline }: Lead, row: AttemptRow, result: string | undefined): string | undefined {
  if (result !== undefined) return result;
  const left = offline.answerLeft(row.task, row.number);
  if (!left.ok)
    throw errorFor(
      "RESULT_UNREADABLE",
      because("nothing-changed", { why: because("said", { by: "system", text: left.failure }) }),
      {
        exitCode: EXIT.usage,
      },
    );
  return left.value;
}

/** The attempt a lead has begun and not ended, as the store has it: a session may last for many of them. */
function openAttemptOf(session: Session, id: string): AttemptRow | undefined {
  if (session.run.byId.get(id)?.status !== "in_progress") return undefined;
  const last = lastAttempt(session, id);
  return last?.outcome === "running" ? last : session.claimed.find(attempt => attempt.task === id);
}
