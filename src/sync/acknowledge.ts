import { type Told, told, toldText, visible } from "../text/index.ts";
import { type Ack, PROOF_DIGITS } from "./ack.ts";
import { deliver, type Step, wantFull } from "./deliver.ts";
import type { Verdict } from "./protocol.ts";
import { answered, type Question } from "./question.ts";
import { type Confirmed, type Flight, openVersion, type Teammate, versionOf } from "./state.ts";

/** What an acknowledgement proves. */
interface Judged {
  readonly verdict: Verdict;
  /** Why. */
  readonly said: Told;
  readonly proof?: Confirmed["by"] | "given";
}

/** Takes in an acknowledgement: judges what it proves, confirms, and sends what follows. */
export function acknowledge(step: Step, teammate: string, session: string, ack: Ack): void {
  const mate = step.lead.teammates.get(teammate);
  const { verdict, said, proof } = judge(step, mate, session, ack);
  const by = proof === undefined ? {} : { proof };
  const why = { message: toldText(said), said };
  step.events.push({ type: "acked", teammate, version: ack.version, verdict, ...why, ...by });
  if (mate === undefined) return;
  const flight = answers(mate, ack) ? mate.flight : undefined;
  const proves = settleVerdict(step, mate, ack, verdict, flight);
  // Whatever it proves: its own wish for a person or an explanation is heard.
  if (mate.live && session === mate.session) raise(step, mate, ack);
  if (proves) deliver(step, mate);
}

/** Carries a verdict out; whether it changed anything. */
function settleVerdict(
  step: Step,
  mate: Teammate,
  ack: Ack,
  verdict: Verdict,
  flight: Flight | undefined,
): boolean {
  if (verdict === "forged" || (verdict === "overcounted" && mate.proof === "word")) lose(step, mate);
  else if (verdict === "partial" || verdict === "undercounted") takePartial(step, mate, ack, flight);
  else if (verdict === "confirmed" || verdict === "overcounted") confirm(step, mate, ack);
  else return false;
  return true;
}

/** Tells that a teammate asks for a person, or for an explanation. */
export function raise(
  step: Step,
  mate: Teammate,
  { action, impact, unclear, items }: Pick<Ack, "action" | "impact" | "unclear" | "items">,
): void {
  const teammate = mate.id;
  const lacks = items !== undefined && items.applied < items.total;
  if (action === "NEED_CLARIFICATION" || unclear.length > 0 || lacks)
    step.events.push({ type: "clarify", teammate, unclear, impact });
  if (action !== "PAUSE") return;
  mate.paused = true;
  step.touched.add(teammate);
  step.events.push({ type: "paused", teammate, impact });
}

/** Forgets what a teammate is believed to hold: only messages sent from now on count. */
export function lose(step: Step, mate: Teammate): void {
  mate.context = "lost";
  delete mate.confirmed;
  delete mate.flight;
  delete mate.wantsFull;
  delete mate.unclear;
  mate.sent = [];
  mate.firstSerial = step.lead.serial + 1;
  step.touched.add(mate.id);
}

/** Ends the flight unanswered; what it carried stays on the list. */
export function dropFlight(step: Step, mate: Teammate): void {
  delete mate.flight;
  step.touched.add(mate.id);
}

/** Whether an acknowledgement answers the update in flight. */
function answers({ flight }: Teammate, { version, serial }: Ack): boolean {
  return (
    flight !== undefined && version === flight.version && (serial === undefined || serial === flight.serial)
  );
}

function judge({ lead }: Step, mate: Teammate | undefined, session: string, ack: Ack): Judged {
  if (mate === undefined)
    return { verdict: "unknown-teammate", said: told`Nobody of this name is in the team` };
  if (!mate.live) return { verdict: "ended", said: told`Its session has ended` };
  if (ack.label !== lead.label) return { verdict: "other-label", said: told`This is ${lead.label}` };
  if (session !== mate.session) return { verdict: "old-session", said: told`The session is ${mate.session}` };
  const inFlight = answers(mate, ack);
  if (!inFlight) {
    const late = judgeLate(mate, ack);
    if (late !== undefined) return late;
  }
  const unproven = judgeProof(mate, versionOf(lead, ack.version)!.hash, ack);
  if (unproven !== undefined) return unproven;
  return judgeCounts(inFlight ? mate.flight : undefined, mate, ack);
}

/** An answer to something else than the update in flight: undefined when it may still prove a version. */
function judgeLate(mate: Teammate, { version, serial }: Ack): Judged | undefined {
  if (serial !== undefined && serial < mate.firstSerial) {
    return { verdict: "old-attempt", said: told`Message #${serial} was sent before its context was new` };
  }
  const confirmed = mate.confirmed?.version ?? -1;
  if (version < confirmed) return { verdict: "older", said: told`Version ${confirmed} is confirmed` };
  if (version === confirmed) return { verdict: "duplicate", said: told`Confirmed already` };
  const sent = mate.sent.some(
    one => one.version === version && (serial === undefined || one.serial === serial),
  );
  return sent ? undefined : { verdict: "never-sent", said: told`Version ${version} was not sent to it` };
}

function judgeProof(mate: Teammate, hash: string, ack: Ack): Judged | undefined {
  const said = ack.hash?.slice(0, hash.length);
  if (said !== undefined && !hash.startsWith(said)) {
    return { verdict: "forged", said: told`It holds ${said}, version ${ack.version} is ${hash}` };
  }
  if (ack.doubt !== undefined) {
    return { verdict: "unproven", said: told`Not understood: ${visible(ack.doubt, 80)}` };
  }
  if (mate.proof !== "hash") return judgeReading(mate, ack);
  if (said === undefined || said.length < PROOF_DIGITS) {
    return {
      verdict: "unproven",
      said: told`It proves by ${PROOF_DIGITS} digits of its hash, and gave ${said?.length ?? 0}`,
    };
  }
  if (mate.context === "lost" && ack.serial === undefined) {
    return { verdict: "unproven", said: told`After a loss it has to name the message it answers` };
  }
  return undefined;
}

/** What it was asked with the message that it answers. */
function questionTo(mate: Teammate, { version, serial }: Ack): Question | undefined {
  return mate.sent.findLast(one => one.version === version && (serial === undefined || one.serial === serial))
    ?.question;
}

/** Whether what a reader was asked for stands against its word. */
function judgeReading(mate: Teammate, ack: Ack): Judged | undefined {
  const question = questionTo(mate, ack);
  const said = question === undefined ? "right" : answered(question, ack.seen);
  if (question === undefined || said === "right" || (said === "none" && !question.must)) return undefined;
  // The answer is not told: whoever acknowledges by a tool reads this.
  const cue = visible(question.cue, 40);
  return {
    verdict: "unproven",
    said:
      said === "none"
        ? told`Behind "${cue}" it has read nothing`
        : told`Behind "${cue}" it has read "${visible(ack.seen ?? "", 40)}"`,
  };
}

/** How an acknowledgement that proves a version does so. */
function proofOf(mate: Teammate, ack: Ack): Confirmed["by"] {
  if (mate.proof === "hash") return "hash";
  const question = questionTo(mate, ack);
  return question !== undefined && answered(question, ack.seen) === "right" ? "read" : "word";
}

const BY = {
  hash: told`By hash`,
  read: told`By what it has read`,
  word: told`By its word`,
  given: told`It began with it`,
} as const;

function judgeCounts(flight: Flight | undefined, mate: Teammate, ack: Ack): Judged {
  const { proof } = mate;
  const { items, unclear, action } = ack;
  const by = ack.given === true ? "given" : proofOf(mate, ack);
  const confirmed: Judged = { verdict: "confirmed", said: BY[by], proof: by };
  if (items !== undefined && items.applied > items.total) {
    return { verdict: "overcounted", said: told`${items.applied} of ${items.total} cannot be` };
  }
  const missing = items === undefined ? 0 : items.total - items.applied;
  if (missing > 0 || unclear.length > 0) {
    return {
      verdict: "partial",
      said: told`${missing} of ${items?.total ?? flight?.items ?? "?"} missing, ${unclear.length} unclear`,
    };
  }
  if (proof === "word" && action === "NEED_CLARIFICATION")
    return { verdict: "partial", said: told`It asks for an explanation` };
  const given = flight?.items ?? 0;
  if (proof === "word" && items !== undefined && items.total < given) {
    return { verdict: "undercounted", said: told`It saw ${items.total} of ${given} items` };
  }
  return confirmed;
}

/** Less than all was understood: the unclear items go again, or everything when they are more than half. */
function takePartial(step: Step, mate: Teammate, ack: Ack, flight: Flight | undefined): void {
  const { items, unclear, version, action } = ack;
  const total = Math.max(items?.total ?? 0, flight?.items ?? 0);
  const missing = items === undefined ? 0 : total - items.applied;
  const mostly = total > 0 && Math.max(missing, unclear.length) > total / 2;
  // Who proves by hash holds it, however much of it is unclear; a word that is only half of one proves nothing.
  if (mate.proof === "hash") confirm(step, mate, ack);
  else if (flight !== undefined) dropFlight(step, mate);
  else return;
  const asksForAll = mate.proof === "word" && action === "NEED_CLARIFICATION" && unclear.length === 0;
  if (mostly || asksForAll) wantFull(step, mate, "unclear");
  else if (unclear.length > 0) mate.unclear = { version, refs: unclear };
}

function confirm(step: Step, mate: Teammate, ack: Ack): void {
  const { lead, now } = step;
  const { version, serial } = ack;
  const flight = answers(mate, ack) ? mate.flight : undefined;
  const done = flight !== undefined || (mate.flight?.version ?? 0) <= version;
  const progress = mate.context !== "held" || version > mate.confirmed!.version;
  mate.context = "held";
  if (progress) delete mate.point;
  mate.confirmed = {
    version,
    hash: versionOf(lead, version)!.hash,
    at: now,
    serial: serial ?? flight?.serial ?? mate.sent.findLast(one => one.version === version)!.serial,
    by: proofOf(mate, ack),
  };
  if (done) {
    if ((mate.flight?.serial ?? 0) > (mate.wantsFull?.after ?? Infinity)) delete mate.wantsFull;
    delete mate.flight;
    delete mate.unclear;
  }
  mate.sent = mate.sent.filter(one => one.version > version);
  mate.waiting = mate.waiting.filter(one => one > version);
  if (progress) mate.tries = 0;
  if (version >= openVersion(lead)) mate.stale = false;
  step.touched.add(mate.id);
}
