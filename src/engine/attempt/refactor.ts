import type { AgentUsage, TurnEnd } from "../../ports/index.ts";
import { reasonText, refactorMessage } from "../../text/index.ts";
import type { EngineOptions, HeardWorld } from "../world.ts";
import type { Execution } from "./execution.ts";
import { testCommand } from "./proof-commands.ts";
import type { AttemptRequest, Place, StopSignals } from "./types.ts";
import { judgeTurn, type Verdict } from "./verdict.ts";

/** Whether a proved task gets one more turn to put its code in order: only where that can be undone. */
export function mayRefactor(
  { task, agent }: AttemptRequest,
  place: Place,
  first: Verdict,
  options: EngineOptions,
): boolean {
  const { outcome } = first;
  const isGreen = outcome.kind === "done" && outcome.verified && testCommand(task, options) !== undefined;
  return (
    options.tdd === "refactor" && isGreen && agent.reports !== "exit" && place.workspace?.linked === true
  );
}

/** Another session of the attempt, and who hears what it takes. */
export interface RefactorTalk {
  readonly begin: (message: string) => Execution;
  readonly spend: (usage: AgentUsage) => void;
}

/** One turn of a session of its own; `refused` where that was not opened, undefined where it came to no end. */
async function endOf(
  { begin, spend }: RefactorTalk,
  message: string,
  request: AttemptRequest,
): Promise<TurnEnd | "refused" | undefined> {
  const { task, row } = request;
  const session = begin(message);
  try {
    const opened = await session.opened();
    if (!opened.ok) return "refused";
    for await (const event of session.turn(message)) {
      if (event.type === "ended") return event.end;
      if (event.type === "usage") {
        const { type: _, ...usage } = event;
        spend(usage);
      }
      if (event.type === "line")
        request.emit({ type: "attempt-line", task: task.id, attempt: row.number, text: event.text });
    }
    return undefined;
  } finally {
    await session.close();
  }
}

/**
 * The REFACTOR turn: the agent may improve what passes. What does not pass any more afterwards is undone, and the task
 * completes with what passed before.
 */
export async function refactor(
  request: AttemptRequest,
  place: Place,
  first: Verdict,
  talk: RefactorTalk,
  world: HeardWorld,
  options: EngineOptions,
  stop: StopSignals,
): Promise<Verdict> {
  const green = place.sealed;
  const { task, row } = request;
  const test = testCommand(task, options) ?? "";
  const message = refactorMessage(options.messages.locale, { signalId: `${task.id}#${row.nonce}`, test });
  const end = await endOf(talk, message, request);
  if (end === "refused") return first;
  const second =
    end?.kind === "completed" ? await judgeTurn(request, end, place, world, options, stop) : undefined;
  if (second?.outcome.kind === "done") return { ...second, evidence: `${second.evidence}\nREFACTOR kept` };
  if (green !== undefined) {
    await place.workspace?.tidy(green.tree);
    place.sealed = green;
  }
  const why = second === undefined ? "the turn did not end by itself" : reasonText(second.reason, "en");
  return { ...first, evidence: `${first.evidence}\nREFACTOR undone: ${why}` };
}
