import { reasonText, refactorMessage } from "../../text/index.ts";
import type { EngineOptions, HeardWorld } from "../world.ts";
import type { MoreSessions } from "./more-sessions.ts";
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

/**
 * The REFACTOR turn: the agent may improve what passes. What does not pass any more afterwards is undone, and the task
 * completes with what passed before.
 */
export async function refactor(
  request: AttemptRequest,
  place: Place,
  first: Verdict,
  sessions: MoreSessions,
  assignment: string,
  world: HeardWorld,
  options: EngineOptions,
  stop: StopSignals,
): Promise<Verdict> {
  const green = place.sealed;
  const { task, row } = request;
  const test = testCommand(task, options) ?? "";
  const message = refactorMessage(options.messages.locale, { signalId: `${task.id}#${row.nonce}`, test });
  const turn = await sessions.again(message, () => assignment, false);
  const second =
    turn.ok && turn.value.kind === "completed"
      ? await judgeTurn(request, turn.value, place, world, options, stop)
      : undefined;
  if (second?.outcome.kind === "done") return { ...second, evidence: `${second.evidence}\nREFACTOR kept` };
  if (green !== undefined) {
    await place.workspace?.tidy(green.tree);
    place.sealed = green;
  }
  const why = second === undefined ? "the turn did not end by itself" : reasonText(second.reason, "en");
  return { ...first, evidence: `${first.evidence}\nREFACTOR undone: ${why}` };
}
