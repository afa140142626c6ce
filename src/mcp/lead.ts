import { statSync } from "node:fs";
import { SYSTEM_CLOCK } from "../adapters/local/clock.ts";
import { addDocument, createLibrary } from "../context/library/index.ts";
import { type ContextCommand, carryOut, immediateLedger } from "../context/shared/index.ts";
import { shortHash } from "../delta/index.ts";
import type { ControlReply } from "../engine/control/protocol.ts";
import type { ControlServer } from "../engine/control/server.ts";
import { maskedTexts } from "../engine/index.ts";
import { approvalWords } from "../host/approval/approval-words.ts";
import { benchOf, keepSocket, refusalEvent } from "../host/approval/decider.ts";
import type { Caller } from "../host/caller.ts";
import { openControl } from "../host/control/control.ts";
import { ackText, updateText } from "../host/control/document-text.ts";
import { getNamed, listNamed } from "../host/control/get-context.ts";
import { refusalText, refuse } from "../host/control/refusal.ts";
import { askRunning } from "../host/control/running.ts";
import { claimTask, handIn, type Lead, type LeadLimits, nextStep, openLead } from "../host/lead/lead.ts";
import { answerForLead } from "../host/lead/lead-control.ts";
import { describeError, storeError } from "../host/project/errors.ts";
import type { Project } from "../host/project/project.ts";
import { readRun } from "../host/project/reader.ts";
import { redactorOf } from "../host/project/secrets.ts";
import { treeOptions } from "../host/project/settings.ts";
import { readContext, withSharedContext } from "../host/session/context.ts";
import { EspalierError } from "../ports/index.ts";
import { nearest, type Redactor, reasonText, thereAre, told, visible } from "../text/index.ts";
import { countTokens } from "../tokens/index.ts";
import { type Duties, Refusal } from "./index.ts";

/** The tools of a lead, over one hold on the run that lasts until the client leaves or stops it. */
export interface LeadDuties {
  readonly duties: Duties;
  close(): Promise<void>;
}

interface Hold {
  readonly lead: Lead;
  readonly control: ControlServer | undefined;
  readonly forget: () => void;
  /** What the task file was like when it was last read or written by us. */
  stamp: string;
}

/** Tools that hear what they are given with its secrets masked. */
function heard(duties: Duties, redact: Redactor): Duties {
  const masked = Object.entries(duties).map(([name, duty]) => [
    name,
    (input: unknown) => (duty as (input: unknown) => Promise<string>)(maskedTexts(input, redact)),
  ]);
  return Object.fromEntries(masked) as Duties;
}

/** The tools of a lead. The lock is taken by the first tool that needs the run, so that an idle client stops nobody. */
export function leadDuties(
  caller: Caller,
  project: Project,
  named: string | undefined,
  limits: LeadLimits = {},
): LeadDuties {
  const { locale } = project.config;
  let hold: Hold | undefined;
  let isBusy = false;
  /** Somebody else asked us to let go while a tool was at work. */
  let isLeaving = false;

  const release = async (): Promise<void> => {
    const held = hold;
    hold = undefined;
    held?.forget();
    await held?.control?.close();
    held?.lead.session.close();
  };
  const leave = (): void => {
    if (isBusy) isLeaving = true;
    // Whoever asked is answered first.
    else setImmediate(() => void release());
  };
  const take = async (): Promise<Lead> => {
    // Edited meanwhile: the plan is read again, as a command of its own would.
    if (hold !== undefined && hold.stamp !== stampOf(hold.lead)) await release();
    if (hold !== undefined) return hold.lead;
    const lead = await openLead({ caller, project, named, limits, face: "tools", answer: caller.tell });
    const opened = await openControl(project, request => answerForLead(lead, request, leave), {
      subscribe: () => () => {},
      bench: benchOf(project, caller.env, true, (request, decider) =>
        lead.offline.record([refusalEvent(request, decider)]),
      ),
    });
    const control = opened.ok ? opened.value : undefined;
    const forget = control === undefined ? () => {} : keepSocket(project, caller.env, control.path);
    if (control !== undefined) lead.session.lock.describe({ controlSocket: control.path });
    hold = { lead, control, forget, stamp: stampOf(lead) };
    return lead;
  };
  const lead = async (use: (lead: Lead) => string | Promise<string>): Promise<string> => {
    isBusy = true;
    try {
      return await use(await take());
    } catch (error) {
      throw asRefusal(error, project);
    } finally {
      isBusy = false;
      if (hold !== undefined) hold.stamp = stampOf(hold.lead);
      if (isLeaving) await release();
      isLeaving = false;
    }
  };
  const read = async (use: Parameters<typeof readContext<ControlReply>>[1]): Promise<string> => {
    try {
      return textOf(readContext(project, use) ?? refuse("NO_RUN", told`nothing is shared here yet`, locale));
    } catch (error) {
      throw asRefusal(error, project);
    }
  };
  const shared = async (command: ContextCommand): Promise<ControlReply> => {
    try {
      if (hold !== undefined) {
        const { offline } = hold.lead;
        return ackText(await carryOut(await offline.shared(), command), locale);
      }
      const reply = await askRunning(project, { method: "context", command });
      if (reply?.ok === true && reply.context !== undefined) return ackText(reply.context, locale);
      if (reply !== undefined) return reply;
      return ackText(
        await withSharedContext(
          project,
          caller.env,
          () => {},
          one => carryOut(one, command),
        ),
        locale,
      );
    } catch (error) {
      throw asRefusal(error, project);
    }
  };

  const duties: Duties = {
    next_tasks: ({ new_session }) =>
      lead(async one => {
        const asked = new_session === undefined ? {} : { newSession: new_session };
        return (await nextStep(one, asked)).text;
      }),
    start_task: ({ id }) => lead(one => claimTask(one, id, "file")),
    report: ({ id, signal }) => lead(one => handIn(one, id, signal, false)),
    status: ({ id }) => Promise.resolve(statusLine(project, id)),
    async stop() {
      if (hold !== undefined) {
        await release();
        return "STOPPED: what was started stays claimed; next_tasks goes on";
      }
      const reply = await askRunning(project, { method: "stop", how: "soft" });
      return reply === undefined ? "NOTHING_RUNS" : textOf(reply);
    },
    context_pull: ({ label, since, hash }) =>
      read(({ shared: one }) => updateText(one, label, since, hash, locale)),
    get_context: ({ name, version }) =>
      read(reading => {
        const run = readRun(project);
        return name === undefined ? listNamed(reading, run) : getNamed(reading, run, name, version, locale);
      }),
    context_ack: async ({ text }) => textOf(await shared({ op: "ack", text })),
    add_context: ({ node, text }) => lead(one => add(one, project, node, text)),
    checkpoint: ({ why }) => lead(one => textOf(one.checkpoint(why, false))),
  };
  return { close: release, duties: heard(duties, redactorOf(caller.env, project.root)) };
}

/** What tells that a file has changed, without reading it. */
function stampOf({ session }: Lead): string {
  const facts = statSync(session.file.path, { throwIfNoEntry: false });
  return facts === undefined ? "" : `${facts.mtimeMs} ${facts.size} ${facts.ino}`;
}

function asRefusal(error: unknown, { config }: Project): unknown {
  if (!(error instanceof EspalierError)) return error;
  if (error.code !== "APPROVAL_NEEDED") return new Refusal(describeError(error, config.locale));
  return new Refusal(`APPROVAL_NEEDED: ${approvalWords(config.locale).neededByLead(error.message)}`);
}

function textOf(reply: ControlReply): string {
  if (reply.ok) return reply.message;
  throw new Refusal(reply.message);
}

/** The run in one line, or one task. */
function statusLine(project: Project, id: string | undefined): string {
  const reading = readRun(project);
  const { locale } = project.config;
  if (reading === undefined) throw new Refusal(refusalText("NO_RUN", told`next_tasks begins one`, locale));
  const { stored, plan } = reading;
  if (id === undefined) {
    const counts = new Map<string, number>();
    for (const { status } of stored.tasks) counts.set(status, (counts.get(status) ?? 0) + 1);
    return `phase ${stored.run.phase}: ${[...counts].map(([status, count]) => `${count} ${status}`).join(", ")}`;
  }
  const task = plan.tasks.find(one => one.id === id);
  const row = stored.tasks.find(one => one.id === id);
  if (task === undefined || row === undefined) {
    const ids = plan.tasks.map(one => one.id);
    const guess = nearest(id, ids);
    const hint = guess === undefined ? thereAre(id, ids) : told`did you mean ${guess}?`;
    throw new Refusal(refusalText("NO_SUCH_TASK", told`${visible(id, 80)}; ${hint}`, locale));
  }
  const line = [id, row.status, ...(row.retries > 0 ? [`retries ${row.retries}`] : [])].join(" ");
  return row.reason === undefined ? line : `${line}: ${visible(reasonText(row.reason, locale), 100)}`;
}

async function add(
  { session, offline }: Lead,
  project: Project,
  node: string,
  text: string,
): Promise<string> {
  const { store, epoch, runId } = session;
  const ledger = immediateLedger(context => {
    const written = store.commit({ epoch, runId, context });
    if (!written.ok) throw storeError(written.failure);
  }, SYSTEM_CLOCK.now);
  const library = createLibrary({
    rows: store.context,
    shared: await offline.shared(),
    ledger,
    plan: () => session.plan.plan,
    files: undefined,
    options: treeOptions(project.config),
    count: countTokens,
    tell: () => {},
  });
  const { locale } = project.config;
  const label = `ctx-lead-${shortHash(`${node}\n${text}`)}`;
  const problem = await addDocument(library, {
    node,
    label,
    text,
    origin: { task: "lead", attempt: 1, agent: "lead" },
  });
  if (problem !== undefined) throw new Refusal(refusalText("NOT_ADDED", problem, locale));
  return `ADDED ${label} to ${node}`;
}
