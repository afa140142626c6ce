import { because } from "../../ports/index.ts";
import { evidenceWords, leftShown, reasonText } from "../../text/index.ts";
import type { EngineOptions, HeardWorld } from "../world.ts";
import type { Control } from "./control.ts";
import { CANCELLED, type Judged } from "./settle.ts";
import type { AttemptRequest, Place } from "./types.ts";
import { FEEDBACK_LENGTH, toldOf, verdict } from "./verdict.ts";

/** One agent of a crew. */
export interface Member {
  readonly number: number;
  readonly request: AttemptRequest;
  readonly world: HeardWorld;
  readonly control: Control;
  place: Place | undefined;
  judged: Judged;
  /** Where its work is kept that did not land. */
  left: string | undefined;
}

/** How each of them did, as it stands in the evidence. */
export function account(
  members: readonly Member[],
  winner: Member | undefined,
  { locale }: EngineOptions["messages"],
): string {
  const words = evidenceWords(locale);
  const lines = members.map(member => {
    const { number, request, judged, left, world } = member;
    const log = world.files.attemptLog(request.task.id, request.row.number).path;
    const why = judged.reason === undefined ? words.wasEnded : reasonText(judged.reason, locale);
    const how = member === winner ? words.provedFirst : why;
    const work = left === undefined ? "" : `; ${words.itsWork(leftShown(left))}`;
    return `${number} (${request.agent.name}): ${how}; ${log}${work}`;
  });
  return [words.tried(members.length), ...lines].join("\n");
}

/** Ends that are no failure of the work, the one that leads on soonest first. */
const OTHERWISE = [
  "busy",
  "quota",
  "unaffordable",
  "stalled",
  "machine-lost",
  "needs-person",
  "cancelled",
] as const;

/** What several attempts at once came to of which none was proved: a failure where one of them failed by its work. */
export function together(members: readonly Member[], messages: EngineOptions["messages"]): Judged {
  const all = members.map(({ judged }) => judged);
  const foreign = all.flatMap(judged => judged.foreign);
  const finalMessage = members
    .filter(({ judged }) => judged.finalMessage !== "")
    .map(({ number, request, judged }) => `[${number} ${request.agent.name}]\n${judged.finalMessage}`)
    .join("\n\n");
  const evidence = [...all.map(judged => judged.evidence), account(members, undefined, messages)]
    .filter(text => text !== "")
    .join("\n\n");
  const failed = members.filter(
    ({ judged: { outcome } }) => outcome.kind === "failed" || outcome.kind === "no-signal",
  );
  if (failed.length === 0) {
    const kind = OTHERWISE.find(one => all.some(({ outcome }) => outcome.kind === one));
    const most = all.find(({ outcome }) => outcome.kind === kind) ?? CANCELLED;
    return { ...most, foreign, finalMessage, evidence };
  }
  const share = Math.floor(FEEDBACK_LENGTH / failed.length);
  const feedback = failed
    .map(({ number, request, judged }) => {
      const head = `[${number} ${request.agent.name}]\n`;
      return `${head}${toldOf(judged.feedback, messages.locale, share - head.length - 2)}`;
    })
    .join("\n\n");
  const reason = because("tries-failed", {
    tries: members.map(({ request, judged }) => ({
      agent: request.agent.name,
      why: judged.reason ?? because("cancelled-outside", {}),
    })),
  });
  const stored = failed.some(({ judged }) => judged.stored === "unproven") ? "unproven" : "failed";
  return {
    ...verdict({ kind: "failed", reason }, stored, { reason, feedback, evidence, foreign }),
    finalMessage,
  };
}
