import {
  type AgentFailure,
  type AttemptRow,
  because,
  type PermissionQuestion,
  type Reason,
  type TurnEnd,
} from "../../ports/index.ts";
import {
  type AttemptOutcome,
  type Claim,
  judgeMessage,
  REASON_LENGTH,
  withoutSignals,
} from "../../run/index.ts";
import {
  endOf,
  feedbackWords,
  firstLine,
  isWorded,
  type Locale,
  reasonText,
  said,
  uncolored,
  visible,
} from "../../text/index.ts";
import type { EngineOptions, HeardWorld } from "../world.ts";
import { lastLine } from "./last-line.ts";
import { type Proof, prove } from "./proof.ts";
import type { AttemptRequest, Place, StopSignals } from "./types.ts";

/** Milliseconds until an agent is asked again that named no time at which it has quota. */
const QUOTA_PAUSE = 60_000;
/** Characters of what failed that the next attempt is told. */
export const FEEDBACK_LENGTH = 4096;

/** What became of one attempt: for the run, and for its row. */
export interface Verdict {
  readonly outcome: AttemptOutcome;
  readonly stored: AttemptRow["outcome"];
  readonly reason: Reason | undefined;
  readonly feedback: string;
  readonly evidence: string;
  readonly foreign: readonly string[];
  /** What its agent holds of documents that have changed, where that is not the newest. */
  readonly stale?: string;
}

/** A verdict with nothing to add. */
export function verdict(
  outcome: AttemptOutcome,
  stored: AttemptRow["outcome"],
  more: Partial<Pick<Verdict, "reason" | "feedback" | "evidence" | "foreign">> = {},
): Verdict {
  return { outcome, stored, reason: undefined, feedback: "", evidence: "", foreign: [], ...more };
}

/** A failed attempt, and what the next one is told of it. */
function failed(reason: Reason, feedback: string, more: Partial<Verdict> = {}): Verdict {
  return verdict({ kind: "failed", reason }, more.stored ?? "failed", { ...more, reason, feedback });
}

function problem({ kind, message }: AgentFailure): Reason {
  return because("agent-failed", { kind, said: firstLine(message, REASON_LENGTH) });
}

/** The reason of a process that ended without a result, by its code or a signal; undefined for any other failure. */
function crash({ kind, exitCode: exit, signal: killed, said: words = "" }: AgentFailure): Reason | undefined {
  const said = firstLine(words, REASON_LENGTH);
  if (kind === "killed" && killed !== undefined) return because("agent-crashed", { killed, said });
  return kind === "exit" && exit !== undefined ? because("agent-crashed", { exit, said }) : undefined;
}

/** When an agent says that trying again makes sense; a time that is none says nothing. */
function namedTime({ retryAt }: AgentFailure): number | undefined {
  return Number.isNaN(retryAt) ? undefined : retryAt;
}

/** What a failure of the agent itself means for the task. */
export function fromFailure(
  agent: string,
  failure: AgentFailure,
  message: string,
  now: number,
  locale: Locale,
): Verdict {
  const { kind } = failure;
  // A newer machine may give a reason that this version knows no words for; its message has them.
  const given = failure.reason !== undefined && isWorded(failure.reason) ? failure.reason : undefined;
  const reason = given ?? crash(failure) ?? problem(failure);
  switch (kind) {
    case "cancelled":
      return verdict({ kind: "cancelled" }, "cancelled", { reason });
    case "spawn":
      return verdict({ kind: "stalled", reason }, "failed", { reason });
    case "quota": {
      const until = namedTime(failure) ?? now + QUOTA_PAUSE;
      return verdict({ kind: "quota", agent, until }, "failed", { reason });
    }
    case "overloaded":
      return verdict({ kind: "busy", agent, until: namedTime(failure) }, "failed", { reason });
    case "auth":
      return verdict({ kind: "needs-person", reason, account: agent }, "failed", { reason });
    case "budget": {
      // A limit that the agent was started with is this attempt's alone.
      const account = failure.reason === undefined ? { account: agent } : {};
      return verdict({ kind: "needs-person", reason, ...account }, "failed", { reason });
    }
    case "not-found":
    case "unsuitable":
      return verdict({ kind: "needs-person", reason }, "failed", { reason });
    case "max-turns":
    case "protocol":
    case "exit":
    case "killed":
    case "wall-clock":
    case "idle":
      return failed(reason, lastWords(reasonText(reason, locale), message, locale));
    default: {
      const never: never = kind;
      throw new Error(`unknown failure ${String(never)}`);
    }
  }
}

/** An agent wants a person to decide about an update of the shared context before it goes on. */
export function pausedBy(impact: string): Verdict {
  const reason = because("asks-decision", { said: firstLine(impact, REASON_LENGTH) });
  return verdict({ kind: "needs-person", reason }, "failed", { reason });
}

/** An attempt that failed without something that nobody allowed or refused: the next one would ask for it again. */
export function heldBack(judged: Verdict, { kind, title }: PermissionQuestion): Verdict {
  if (judged.outcome.kind !== "failed") return judged;
  const reason = because("nobody-answered", { kind, said: title });
  return { ...judged, outcome: { kind: "needs-person", reason }, reason };
}

/** The end of a text, as much as is kept of evidence. */
export function tail(text: string): string {
  return text.length <= FEEDBACK_LENGTH ? text : text.slice(-FEEDBACK_LENGTH).toWellFormed();
}

/** The end of a text, as much as the next attempt is told. */
export function toldOf(text: string, locale: Locale, room = FEEDBACK_LENGTH): string {
  return endOf(text, locale, room);
}

/** A reason, and below it the end of what was said. */
function lastWords(reason: string, message: string, locale: Locale): string {
  const text = message.trim();
  return text === "" ? reason : `${reason}\n${toldOf(text, locale, FEEDBACK_LENGTH - reason.length - 1)}`;
}

/** A claim whose words are kept apart from ours. */
type Ended = Exclude<Claim, { kind: "fail" }> | { readonly kind: "fail"; readonly reason: Reason };

/** The claim of a turn that ended by itself: by exit code or by signal, as the agent reports. */
function claimOf(
  request: AttemptRequest,
  end: Extract<TurnEnd, { kind: "completed" }>,
  signals: EngineOptions["signals"],
): { claim: Ended; foreign: readonly string[] } {
  if (request.agent.reports === "exit") {
    if (end.exitCode === 0) return { claim: { kind: "done" }, foreign: [] };
    const line = lastLine(end.finalMessage, REASON_LENGTH);
    const reason =
      line === "" ? because("exit-code", { exit: end.exitCode }) : said("command", line, REASON_LENGTH);
    return { claim: { kind: "fail", reason }, foreign: [] };
  }
  const rules = { task: request.task.id, nonce: request.row.nonce, signals };
  const { claim, foreign } = judgeMessage(end.finalMessage, rules);
  if (claim.kind === "done" && end.exitCode !== 0) {
    return { claim: { kind: "fail", reason: because("done-but-exit", { exit: end.exitCode }) }, foreign };
  }
  return {
    claim: claim.kind === "fail" ? { ...claim, reason: said("agent", claim.reason) } : claim,
    foreign,
  };
}

/** What stands for the outcome of a turn that claimed nothing. An exit code is a claim: only what keeps it from working counts then. */
function complaintOf(
  { agent }: AttemptRequest,
  { exitCode, complaint }: Extract<TurnEnd, { kind: "completed" }>,
  claim: Ended,
): AgentFailure | undefined {
  if (agent.reports === "exit") return exitCode === 0 || complaint?.kind === "exit" ? undefined : complaint;
  if (claim.kind !== "none") return undefined;
  const crashed = { kind: "exit", message: `exit code ${exitCode}`, exitCode, retryable: true } as const;
  return complaint ?? (exitCode === 0 ? undefined : crashed);
}

/** What was said beside the signal, which would be a wrong one for whoever reads it. */
function wordsBeside(
  { agent, task, row }: AttemptRequest,
  said: string,
  signals: EngineOptions["signals"],
): string {
  return agent.reports === "exit"
    ? said.trim()
    : withoutSignals(said, { task: task.id, nonce: row.nonce, signals });
}

function describe(proof: Proof): string {
  return `${proof.what}\n${proof.detail}`.trim();
}

/** A completion on a context that has changed, where that is not to be taken; anything else stays as it is. */
export function refuseStale(judged: Verdict, held: string, locale: Locale): Verdict {
  if (judged.outcome.kind !== "done") return judged;
  const feedback = feedbackWords(locale).stale(held);
  return failed(because("stale-context", { held }), feedback, { stored: "unproven" });
}

/** Judges a turn that ended by itself: what the agent claims, and whether that is proved. */
export async function judgeTurn(
  request: AttemptRequest,
  end: Extract<TurnEnd, { kind: "completed" }>,
  place: Place,
  world: HeardWorld,
  options: EngineOptions,
  stop: StopSignals,
  sealed?: () => Promise<unknown>,
): Promise<Verdict> {
  const { claim, foreign } = claimOf(request, end, options.signals);
  const { locale } = options.messages;
  const complaint = complaintOf(request, end, claim);
  if (complaint !== undefined)
    return {
      ...fromFailure(request.agent.name, complaint, end.finalMessage, request.now(), locale),
      foreign,
    };
  if (claim.kind === "fail") {
    const words = wordsBeside(request, end.finalMessage, options.signals);
    return failed(claim.reason, words === "" ? reasonText(claim.reason, locale) : toldOf(words, locale), {
      foreign,
    });
  }
  if (claim.kind === "none") {
    const reason = because("no-signal", {});
    const told = insteadOfSignal(end.finalMessage);
    const feedback = feedbackWords(locale).noSignal(told);
    return verdict({ kind: "no-signal", ...(told === "" ? {} : { said: told }) }, "no-signal", {
      reason,
      feedback,
      foreign,
    });
  }
  return judgeProof(request, await prove(request, place, world, options, stop, sealed), stop, foreign);
}

/** What a message ended with in place of a signal. Colours are told: by them alone a line may be none that looks like one. */
function insteadOfSignal(message: string): string {
  const end = message.trimEnd();
  const line = end.slice(end.lastIndexOf("\n") + 1);
  return uncolored(line) === line ? lastLine(message, REASON_LENGTH) : visible(line.trim(), REASON_LENGTH);
}

/** What a proof makes of a claim. */
export function judgeProof(
  request: AttemptRequest,
  proof: Proof,
  stop: StopSignals,
  foreign: readonly string[] = [],
): Verdict {
  // What is proved is proved, even while everything is being stopped; what did not get that far is not.
  if (stop.cancel.aborted && proof.kind !== "passed" && proof.kind !== "none")
    return verdict({ kind: "cancelled" }, "cancelled", { foreign });
  if (proof.kind === "stalled") {
    const { reason } = proof;
    return verdict({ kind: "stalled", reason }, "unproven", { reason, evidence: describe(proof), foreign });
  }
  if (proof.kind === "refused" || proof.kind === "halted") {
    const { reason } = proof;
    if (proof.kind === "halted") request.halt(reason);
    return verdict({ kind: "needs-person", reason }, "unproven", {
      reason,
      evidence: describe(proof),
      foreign,
    });
  }
  if (proof.kind === "failed") {
    return failed(proof.reason, `${proof.what}\n${proof.detail}`, {
      stored: "unproven",
      evidence: describe(proof),
      foreign,
    });
  }
  const outcome = { kind: "done", verified: proof.kind === "passed", textHash: request.textHash } as const;
  return verdict(outcome, "done", { evidence: describe(proof), foreign });
}
