import { joined } from "../../context/library/index.ts";
import { fenceClosed, judgeMessage, withoutSignals } from "../../run/index.ts";
import { opensAck } from "../../sync/index.ts";
import type { EngineOptions } from "../world.ts";
import type { AttemptRequest } from "./types.ts";

/** An answer to an update without the lines that acknowledge it: those who build on the answer have no use for them. */
export function withoutAcks(said: string): string {
  return said
    .split("\n")
    .filter(line => !opensAck(line))
    .join("\n");
}

/** What an attempt says in its next turn, with what it had said before, as one answer that goes by its last claim. */
export function oneAnswer(
  before: string,
  after: string,
  { task, row }: Pick<AttemptRequest, "task" | "row">,
  { signals }: Pick<EngineOptions, "signals">,
): string {
  const id = `${task.id}#${row.nonce}`;
  const rules = { task: task.id, nonce: row.nonce, signals };
  const signalOf = (said: string) => {
    const { claim } = judgeMessage(said, rules);
    if (claim.kind === "none") return "";
    return claim.kind === "done" ? `DONE:${id}` : `FAIL:${id}:${claim.reason}`;
  };
  const wordsOf = (said: string) => fenceClosed(withoutSignals(said, rules));
  const signal = signalOf(after) || signalOf(before);
  const [first, later] = [wordsOf(before), wordsOf(after)];
  const isAnew = task.fills !== undefined && openingOf(first) === openingOf(later);
  return [isAnew ? later.trim() : joined(first, later), signal].filter(Boolean).join("\n\n");
}

/** The line that a message opens with: a document that is answered anew opens with that of the one before. */
function openingOf(message: string): string {
  return message.trimStart().split("\n", 1)[0]?.trimEnd() ?? "";
}

/** What an attempt is told of its answer before: with what it says next that counts as one. */
export function answerStands(
  { task }: Pick<AttemptRequest, "task">,
  { messages }: Pick<EngineOptions, "messages">,
) {
  return task.fills === undefined ? messages.answerStands : messages.documentStands;
}
