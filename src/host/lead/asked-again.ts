import { relative } from "node:path";
import {
  type AttemptRow,
  because,
  type EspalierError,
  EXIT,
  type LeadFace,
  type Reason,
} from "../../ports/index.ts";
import { isSatisfied, judgeMessage } from "../../run/index.ts";
import { errorFor, reasonText } from "../../text/index.ts";
import type { Project } from "../project/project.ts";
import type { Session } from "../session/open.ts";
import type { OfflineRun } from "./offline-run.ts";

/** The run a lead holds, and how it asks. */
interface Held {
  readonly face: LeadFace;
  readonly project: Project;
  readonly session: Session;
  readonly offline: OfflineRun;
}

/** How a task stands, as a lead is told it after a report. */
export function taskLine({ project, session }: Held, id: string): string {
  const state = session.run.byId.get(id);
  const retry =
    state?.status === "ready"
      ? ` ${state.retries}/${project.config.maxAttempts}: ${reasonText(state.reason, "en")}`
      : "";
  const research = state?.status === "pending" ? researchFor(session, id) : [];
  const waits = research.length === 0 ? "" : ` waits for ${research.join(", ")}`;
  return `${state?.status.toUpperCase() ?? "GONE"}:${id}${retry}${waits}`;
}

/** The research a task waits for. */
function researchFor({ run }: Session, id: string): string[] {
  const asked = run.plan.tasks.filter(task => task.asked?.by === id);
  return asked.flatMap(task => (isSatisfied(run.byId.get(task.id)?.status ?? "completed") ? [] : [task.id]));
}

/** The newest attempt of a task, as the store has it. */
export function lastAttempt({ store, runId }: Session, id: string): AttemptRow | undefined {
  const rows = store.attempts(runId, id);
  return rows.ok ? rows.value.at(-1) : undefined;
}

/** What became of a signal that was handed in before, by a lead that missed the answer; undefined where it was not. */
export function answeredBefore(held: Held, id: string, signal: string): string | undefined {
  const { project, session } = held;
  const last = lastAttempt(session, id);
  if (last === undefined || last.outcome === "running" || !session.run.byId.has(id)) return undefined;
  const rules = { task: id, nonce: last.nonce, signals: project.config.signals };
  return judgeMessage(signal, rules).claim.kind === "none" ? undefined : taskLine(held, id);
}

/** Why nothing can be reported of a task. */
export function notStarted({ face, session }: Held, id: string): EspalierError {
  const state = session.run.byId.get(id);
  return errorFor("NOT_STARTED", because("not-in-progress", { task: id }), {
    advice:
      state?.status === "ready" ? because("start-task", { task: id, face }) : because("ask-next", { face }),
    exitCode: EXIT.usage,
  });
}

/** Why a task cannot be started. Of one that was, it names the prompt: the lead that started it may be gone, and its agent, too. */
export function notReady(
  { face, project, session, offline }: Held,
  id: string,
  refused: Reason,
): EspalierError {
  const last = session.run.byId.get(id)?.status === "in_progress" ? lastAttempt(session, id) : undefined;
  const path = last === undefined ? undefined : offline.promptKept(last);
  return errorFor("NOT_READY", refused, {
    advice:
      path === undefined
        ? because("ask-next", { face })
        : because("started-before", { path: relative(project.root, path) }),
    exitCode: EXIT.usage,
  });
}
