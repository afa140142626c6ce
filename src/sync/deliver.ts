import type { Codec } from "./codec.ts";
import { fullMessage, restatedMessage } from "./messages.ts";
import type { LeadStep } from "./protocol.ts";
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
}

/** Puts a version on a teammate's list; what it already holds is left out. */
export function owe(mate: Teammate, version: number): void {
  if (version === 0 || holds(mate, version) || mate.waiting.includes(version)) return;
  mate.waiting.push(version);
  mate.waiting.sort((a, b) => a - b);
}

/** Sends what a teammate needs next, unless something is in flight, a gate is judged, or it does not answer. */
export function deliver(step: Step, mate: Teammate): void {
  const { lead } = step;
  if (!mate.live || mate.flight !== undefined || !needsSomething(lead, mate)) return;
  if (lead.gate?.judging === true && mate.context !== "new") return withhold(step, mate, "gate");
  if (mate.tries >= lead.policy.maxSends) return withhold(step, mate, "silent");
  const open = openVersion(lead);
  const full = fullFirst(mate);
  if (full !== undefined) return sendFull(step, mate, open, full);
  if (mate.unclear !== undefined) return sendRestated(step, mate, mate.unclear.version, mate.unclear.refs);
  const confirmed = mate.confirmed!.version;
  const target = nextTarget(lead, mate, confirmed, open);
  if (target === undefined) return sendFull(step, mate, open, "version-gap");
  sendStep(step, mate, confirmed, target);
}

/** Sends the version alone: a teammate that holds another one will say so. */
export function assertVersion(step: Step, mate: Teammate, version: number): void {
  const message = restatedMessage(step.codec, step.lead.label, version, step.lead.contents.get(version) ?? "", []);
  if (message === undefined) return;
  send(step, mate, { version, from: version, form: "version", why: "asserted" }, message);
}

function withhold(step: Step, mate: Teammate, why: "gate" | "silent"): void {
  step.events.push({ type: "withheld", teammate: mate.id, why });
}

function needsSomething(lead: Lead, mate: Teammate): boolean {
  const open = openVersion(lead);
  if (open === 0) return false;
  const due = (mate.waiting[0] ?? Infinity) <= open;
  if (mate.proof === "none") return due;
  return due || fullFirst(mate) !== undefined || mate.unclear !== undefined;
}

/** The conditions that come before any comparison of versions, in the settled order. */
function fullFirst(mate: Teammate): Why | undefined {
  if (mate.context === "lost") return "context-lost";
  if (mate.context === "new") return "initial-spawn";
  return mate.wantsFull;
}

/** The version to send next: the newest due one within the allowed gap from the confirmed one; undefined when none is. */
function nextTarget({ policy }: Lead, mate: Teammate, confirmed: number, open: number): number | undefined {
  const { maxGap } = policy;
  if (maxGap === "any") return open;
  return mate.waiting.findLast(version => version <= open && version - confirmed <= maxGap);
}

function sendStep(step: Step, mate: Teammate, from: number, to: number): void {
  const { lead } = step;
  if (!lead.contents.has(from)) return sendFull(step, mate, openVersion(lead), "base-gone");
  const made = remembered(lead, `${from}>${to}`, () => prepareStep(step, from, to));
  if (made === undefined) return sendFull(step, mate, to, "inexact");
  const why = made.form !== "full" ? "next-version" : made.major ? "major-restructure" : "inexact";
  const squashed = why === "next-version" && to - from > 1;
  const start = made.form === "full" ? {} : { from };
  send(step, mate, { version: to, ...start, form: made.form, why: squashed ? "squashed" : why }, made);
}

function sendFull(step: Step, mate: Teammate, version: number, why: Why): void {
  const { lead } = step;
  const made = remembered(lead, `=${version}`, () => prepareFull(step, version));
  if (made !== undefined) send(step, mate, { version, form: "full", why }, made);
}

/** Unclear sections once more; in full when they are not found or cost as much as most of the document. */
function sendRestated(step: Step, mate: Teammate, version: number, refs: readonly string[]): void {
  const { lead, codec } = step;
  const text = lead.contents.get(version);
  const message = text === undefined ? undefined : restatedMessage(codec, lead.label, version, text, refs);
  if (message === undefined) return sendFull(step, mate, openVersion(lead), "unclear");
  if (message.tokens > lead.policy.majorRestructure * codec.countTokens(text!)) {
    return sendFull(step, mate, openVersion(lead), "major-restructure");
  }
  send(step, mate, { version, from: version, form: "restated", why: "unclear" }, message);
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
  const result = codec.encode(old, next, { label: lead.label, from, to, majorRestructure, ...impactOf(lead, from, to) });
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

interface Addressed {
  readonly version: number;
  readonly from?: number;
  readonly form: MessageForm;
  readonly why: Why;
}

function send(
  step: Step,
  mate: Teammate,
  addressed: Addressed,
  { text, items, tokens }: Pick<Prepared, "text" | "items" | "tokens">,
): void {
  const { lead, now } = step;
  const serial = ++lead.serial;
  const message = { teammate: mate.id, session: mate.session, serial, ...addressed, tokens };
  const size = mate.sizes[addressed.form];
  size.messages++;
  size.tokens += tokens;
  mate.lastSentAt = now;
  step.touched.add(mate.id);
  step.messages.push({ ...message, text });
  step.events.push({ type: "sent", ...message });
  if (mate.proof === "none") {
    mate.waiting = [];
    return;
  }
  mate.tries++;
  mate.sent.push({ serial, version: addressed.version });
  mate.flight = { serial, ...addressed, items, tokens, sentAt: now };
  owe(mate, addressed.version);
}
