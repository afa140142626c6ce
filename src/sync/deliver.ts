import type { Codec } from "./codec.ts";
import { fullMessage, restatedMessage } from "./messages.ts";
import { pointOf } from "./points.ts";
import type { LeadStep } from "./protocol.ts";
import { type Question, questionFor } from "./question.ts";
import {
  holds,
  type Lead,
  type MessageForm,
  openVersion,
  type Prepared,
  type Teammate,
  type Version,
  versionOf,
  type Why,
} from "./state.ts";

/** Everything a step works with. */
export interface Step extends LeadStep {
  readonly lead: Lead;
  readonly codec: Codec;
  readonly now: number;
  /** How the teammate that pulls wants it; absent for all that is sent to others. */
  readonly wish?: { readonly squash?: boolean; readonly most?: number; readonly asks?: "may" | "must" };
}

/** Puts a version on a teammate's list; what it already holds is left out. */
export function owe(mate: Teammate, version: number): void {
  if (version === 0 || holds(mate, version) || mate.waiting.includes(version)) return;
  mate.waiting.push(version);
  mate.waiting.sort((a, b) => a - b);
}

/** Makes the next message to a teammate a full one. */
export function wantFull(
  { lead }: Step,
  mate: Teammate,
  why: NonNullable<Teammate["wantsFull"]>["why"],
): void {
  mate.wantsFull = { why, after: lead.serial };
}

/**
 * Sends what a teammate needs next, unless something is in flight, a gate is judged, it does not answer, or it comes for
 * its updates and has not `pulled`.
 */
export function deliver(step: Step, mate: Teammate, pulled = false): void {
  const { lead } = step;
  if (!mate.live || mate.flight !== undefined || !needsSomething(lead, mate)) return;
  if (lead.gate?.judging === true && mate.context !== "new") withhold(step, mate, "gate");
  else if (mate.fetches && !pulled) withhold(step, mate, "fetches");
  else if (mate.tries >= lead.policy.maxSends) withhold(step, mate, "silent");
  else {
    const made = next(step, mate);
    if (made === undefined) return;
    if (made.text.length > (step.wish?.most ?? Infinity)) withhold(step, mate, "large");
    else send(step, mate, made);
  }
}

function withhold(step: Step, mate: Teammate, why: "gate" | "silent" | "fetches" | "large"): void {
  step.events.push({ type: "withheld", teammate: mate.id, why });
}

function needsSomething(lead: Lead, mate: Teammate): boolean {
  const open = openVersion(lead);
  if (open === 0) return false;
  const due = (mate.waiting[0] ?? Infinity) <= open;
  if (mate.proof === "none") return due;
  return due || fullFirst(mate) !== undefined || mate.unclear !== undefined;
}

/** A message with what the log says of it. */
interface Made extends Pick<Prepared, "text" | "items" | "tokens"> {
  readonly version: number;
  readonly from?: number;
  readonly form: MessageForm;
  readonly why: Why;
}

/** The fallback rules in their order; the last of them, the size, is the encoder's to tell. */
function next(step: Step, mate: Teammate): Made | undefined {
  const { lead } = step;
  const open = openVersion(lead);
  const full = fullFirst(mate);
  if (full !== undefined) return makeFull(step, open, full);
  if (mate.unclear !== undefined) return makeRestated(step, mate.unclear.version, mate.unclear.refs);
  const from = mate.confirmed!.version;
  const to = step.wish?.squash === true ? open : nextTarget(lead, mate, from, open);
  if (to === undefined) return makeFull(step, open, "version-gap");
  const kept = lead.contents.has(from) && lead.contents.has(to);
  return kept ? makeStep(step, from, to) : makeFull(step, open, "base-gone");
}

/** The conditions that come before any comparison of versions. */
function fullFirst(mate: Teammate): Why | undefined {
  if (mate.context === "lost") return "context-lost";
  if (mate.context === "new") return "initial-spawn";
  return mate.wantsFull?.why;
}

/** The version to send next: the newest due one within the allowed gap from the confirmed one; undefined when none is. */
function nextTarget({ policy }: Lead, mate: Teammate, confirmed: number, open: number): number | undefined {
  const { maxGap } = policy;
  if (maxGap === "any") return open;
  return mate.waiting.findLast(version => version <= open && version - confirmed <= maxGap);
}

function makeStep(step: Step, from: number, to: number): Made | undefined {
  const made = remembered(step.lead, `${from}>${to}`, () => prepareStep(step, from, to));
  if (made === undefined) return makeFull(step, to, "inexact");
  if (made.form === "full")
    return { ...made, version: to, why: made.major ? "major-restructure" : "inexact" };
  return { ...made, version: to, from, why: to - from > 1 ? "squashed" : "next-version" };
}

function makeFull(step: Step, version: number, why: Why): Made | undefined {
  const made = remembered(step.lead, `=${version}`, () => prepareFull(step, version));
  return made === undefined ? undefined : { ...made, version, why };
}

/**
 * Unclear sections once more; in full when they are not found or cost as much as most of the document. Without references
 * the version alone: a teammate that holds another one will say so.
 */
function makeRestated(step: Step, version: number, refs: readonly string[]): Made | undefined {
  const { lead, codec } = step;
  const text = lead.contents.get(version);
  const message = text === undefined ? undefined : restatedMessage(codec, lead.label, version, text, refs);
  if (message === undefined) return makeFull(step, openVersion(lead), "unclear");
  if (refs.length === 0) return { ...message, version, from: version, form: "version", why: "asserted" };
  const most = lead.policy.majorRestructure * codec.countTokens(text!);
  if (message.tokens > most) return makeFull(step, openVersion(lead), "major-restructure");
  return { ...message, version, from: version, form: "restated", why: "unclear" };
}

/** Messages kept for teammates that need the same one. */
const REMEMBERED = 64;

function remembered(lead: Lead, key: string, make: () => Prepared | undefined): Prepared | undefined {
  if (lead.memo.has(key)) return lead.memo.get(key);
  if (lead.memo.size >= REMEMBERED) lead.memo.clear();
  const made = make();
  lead.memo.set(key, made);
  return made;
}

function prepareStep({ lead, codec }: Step, from: number, to: number): Prepared | undefined {
  const [old, next] = [lead.contents.get(from)!, lead.contents.get(to)!];
  const { majorRestructure } = lead.policy;
  const result = codec.encode(old, next, {
    label: lead.label,
    from,
    to,
    majorRestructure,
    ...impactOf(lead, from, to),
  });
  if (!result.ok) return undefined;
  const { text, form, items, tokens } = result.value;
  const best = Math.min(tokens.delta, tokens.sections);
  const major = best > majorRestructure * tokens.full || best >= tokens.full;
  return { text, form, items: form === "full" ? 0 : items, tokens: tokens.sent, major };
}

function prepareFull({ lead, codec }: Step, version: number): Prepared | undefined {
  const text = lead.contents.get(version);
  if (text === undefined) return undefined;
  const message = fullMessage(codec, lead.label, version, text, versionOf(lead, version)!);
  return message === undefined ? undefined : { ...message, form: "full", major: false };
}

/** Whom the versions of a step affect and what they ask for, each once. */
function impactOf(lead: Lead, from: number, to: number): Pick<Version, "affected" | "actions"> {
  const affected = new Set<string>();
  const actions = new Set<string>();
  let told = false;
  for (let number = from + 1; number <= to; number++) {
    const version = versionOf(lead, number)!;
    told ||= version.affected !== undefined;
    for (const name of version.affected ?? []) affected.add(name);
    for (const action of version.actions ?? []) actions.add(action);
  }
  return {
    ...(told ? { affected: [...affected] } : {}),
    ...(actions.size > 0 ? { actions: [...actions] } : {}),
  };
}

/** What to ask of a step, where its reader wants to be asked. */
function questionOf({ lead, wish, codec }: Step, from: number, to: number): Question | undefined {
  const [old, next] = [lead.contents.get(from), lead.contents.get(to)];
  if (wish?.asks === undefined || old === undefined || next === undefined) return undefined;
  return questionFor(old, next, wish.asks === "must", codec.countTokens);
}

/** Messages of which a late answer still counts: who never answers must not keep every text alive. */
const RECALLED = 16;

function send(step: Step, mate: Teammate, made: Made): void {
  const { lead, now } = step;
  const { version, from, form, why, tokens, items, text } = made;
  const serial = ++lead.serial;
  const point = mate.point ?? versionOf(lead, version)?.point ?? "IP-003";
  const facts = { serial, version, ...(from === undefined ? {} : { from }), form, why, tokens };
  const size = mate.sizes[form];
  size.messages++;
  size.tokens += tokens;
  mate.lastSentAt = now;
  mate.lastTokens = tokens;
  step.touched.add(mate.id);
  const question = mate.proof === "word" && from !== undefined ? questionOf(step, from, version) : undefined;
  const cue = question === undefined ? {} : { cue: question.cue };
  step.messages.push({ teammate: mate.id, session: mate.session, ...facts, point, text, ...cue });
  step.events.push({ type: "sent", teammate: mate.id, session: mate.session, ...facts, point });
  const begins = why === "initial-spawn" ? (point === "IP-006" ? point : "IP-001") : undefined;
  const asked = why === "context-lost" ? "IP-005" : begins;
  if (asked !== undefined && pointOf(asked, lead.policy.points).task) step.taskContexts.add(mate.id);
  if (mate.proof === "none") {
    mate.waiting = [];
    return;
  }
  mate.tries++;
  mate.sent.push({ serial, version, ...(question === undefined ? {} : { question }) });
  if (mate.sent.length > RECALLED) mate.sent.shift();
  mate.flight = { ...facts, items, sentAt: now };
  owe(mate, version);
}
