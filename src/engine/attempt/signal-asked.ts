import { signalLast } from "../../context/library/index.ts";
import type { TurnEnd } from "../../ports/index.ts";
import { fenceClosed, judgeMessage } from "../../run/index.ts";
import { firstLine, signalMissing } from "../../text/index.ts";
import type { EngineOptions } from "../world.ts";
import type { MoreSessions } from "./more-sessions.ts";
import type { AttemptRequest } from "./types.ts";

/** Times that an agent is asked for its signal: it may have stopped to ask something, and then forget the line. */
export const MOST_SIGNAL_REQUESTS = 2;

/** Shows whoever watches the run that an agent is asked for its signal. */
export function tellAsked({ task, row, emit }: AttemptRequest, asked: string): void {
  emit({ type: "attempt-line", task: task.id, attempt: row.number, text: `← ${firstLine(asked, 120)}` });
}

/** What an agent is told that has ended its turn well and claims nothing; undefined where it claims something, or could not work. */
export function signalRequest(
  end: TurnEnd,
  { task, row, agent }: AttemptRequest,
  { messages, signals }: EngineOptions,
): string | undefined {
  if (end.kind === "failed" || agent.reports === "exit") return undefined;
  if (end.exitCode !== 0 || end.complaint !== undefined) return undefined;
  const { claim, foreign } = judgeMessage(end.finalMessage, { task: task.id, nonce: row.nonce, signals });
  if (claim.kind !== "none") return undefined;
  // Its own id behind the word stands in no message to it: an echo would prove something.
  const instead = foreign.findLast(line => !line.includes(row.nonce));
  return signalMissing(messages.locale, {
    signalId: `${task.id}#${row.nonce}`,
    ...(instead === undefined ? {} : { instead }),
  });
}

/** The end of a turn in which an agent was asked for its signal, with what it had said before as one answer. */
export function asOneAnswer(before: string, next: TurnEnd): TurnEnd {
  if (next.kind === "failed") return next;
  const { finalMessage: after } = next;
  const finalMessage = signalLast([fenceClosed(before).trimEnd(), after].filter(Boolean).join("\n\n"));
  return { ...next, finalMessage };
}

/** Asks an agent for its signal that takes nothing more in its session, and can go on with that in another process. */
export async function signalAskedAgain(
  first: TurnEnd,
  request: AttemptRequest,
  sessions: MoreSessions,
  assignment: string,
  options: EngineOptions,
): Promise<TurnEnd> {
  const { abilities } = request.agent;
  let end = first;
  if (abilities?.followUp === true || abilities?.resume !== true) return end;
  for (let count = 0; count < MOST_SIGNAL_REQUESTS && sessions.kept.session !== undefined; count++) {
    const asked = signalRequest(end, request, options);
    if (asked === undefined) break;
    tellAsked(request, asked);
    const { finalMessage } = end;
    const next = await sessions.again(asked, () => assignment, false);
    if (!next.ok) return { kind: "failed", failure: next.failure, finalMessage };
    end = asOneAnswer(finalMessage, next.value);
  }
  return end;
}
