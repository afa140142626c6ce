import { isLabel } from "../delta/index.ts";
import { acknowledge, dropFlight, raise } from "./acknowledge.ts";
import type { Codec } from "./codec.ts";
import { deliver, type Step } from "./deliver.ts";
import { freeze, settleGate, unfreeze } from "./gate.ts";
import { DEFAULT_SYNC_POLICY, type SyncPolicy } from "./policy.ts";
import type { LeadInput, LeadStep } from "./protocol.ts";
import { publish } from "./publish.ts";
import { forgetContents } from "./rows.ts";
import { type Flight, type Lead, openVersion, type Teammate } from "./state.ts";
import { contextLost, forgetEnded, inject, join, leave, pull, request } from "./team.ts";

/** A lead without versions and teammates; undefined when the label cannot stand in a message. */
export function createLead(label: string, policy: Partial<SyncPolicy> = {}): Lead | undefined {
  if (!isLabel(label)) return undefined;
  const own = Object.entries(policy).filter(([, rule]) => rule !== undefined);
  return {
    label,
    policy: { ...DEFAULT_SYNC_POLICY, ...Object.fromEntries(own) },
    versions: [],
    contents: new Map(),
    teammates: new Map(),
    serial: 0,
    memo: new Map(),
  };
}

/** Takes in one input; changes the lead it is given and returns what is to be sent, logged and kept. */
export function leadStep(lead: Lead, input: LeadInput, codec: Codec): LeadStep {
  const step: Step = {
    lead,
    codec,
    now: input.now,
    messages: [],
    events: [],
    taskContexts: new Set(),
    touched: new Set(),
    ...(input.type === "pull" ? { wish: input } : {}),
  };
  carryOut(step, input);
  settleGate(step);
  forgetContents(lead);
  const { messages, events, taskContexts, touched } = step;
  return { messages, events, taskContexts, touched };
}

function carryOut(step: Step, input: LeadInput): void {
  switch (input.type) {
    case "publish":
      publish(step, input);
      break;
    case "join":
      join(step, input);
      break;
    case "inject":
      inject(step, input.point, input.teammates);
      break;
    case "ack":
      acknowledge(step, input.teammate, input.session, input.ack);
      break;
    case "freeze":
      freeze(step, input.gate);
      break;
    case "unfreeze":
      unfreeze(step);
      break;
    case "forget":
      forgetEnded(step);
      break;
    case "tick":
      tick(step);
      break;
    case "pull":
    case "leave":
    case "request":
    case "halt":
    case "lost":
    case "resume":
      withMate(step, input);
      break;
    default:
      input satisfies never;
  }
}

type ToOne = Extract<LeadInput, { type: "pull" | "leave" | "request" | "halt" | "lost" | "resume" }>;

function withMate(step: Step, input: ToOne): void {
  const mate = step.lead.teammates.get(input.teammate);
  if (mate === undefined || !mate.live) {
    step.events.push({ type: "withheld", teammate: input.teammate, why: "ended" });
    return;
  }
  switch (input.type) {
    case "pull":
      pull(step, mate);
      break;
    case "leave":
      leave(step, mate);
      break;
    case "request":
      request(step, mate, input);
      break;
    case "halt":
      if (input.session === mate.session) raise(step, mate, { ...input, unclear: [] });
      else step.events.push({ type: "withheld", teammate: mate.id, why: "ended" });
      break;
    case "lost":
      contextLost(step, mate, input);
      break;
    case "resume":
      step.touched.add(mate.id);
      if (mate.paused) inject(step, "IP-007", [mate.id]);
      mate.paused = false;
      break;
    default:
      input satisfies never;
  }
}

function tick(step: Step): void {
  const { lead, now } = step;
  if (lead.gate !== undefined) lead.gate.since = Math.min(lead.gate.since, now);
  for (const mate of lead.teammates.values()) {
    const { flight } = mate;
    if (!mate.live || flight === undefined) continue;
    // A clock that was set back must not keep an update in flight for ever.
    flight.sentAt = Math.min(flight.sentAt, now);
    if (now - flight.sentAt >= lead.policy.ackTimeoutMs) timeOut(step, mate, flight);
  }
}

/** No answer came: it is sent again; where newer versions wait behind it, it has been missed. */
function timeOut(step: Step, mate: Teammate, { version, serial }: Flight): void {
  const { lead } = step;
  mate.stale = true;
  dropFlight(step, mate);
  step.events.push({ type: "timeout", teammate: mate.id, version, tries: mate.tries, serial });
  const open = openVersion(lead);
  const due = mate.waiting.filter(waiting => waiting <= open);
  if (due.length > 1) mate.waiting = [due.at(-1)!, ...mate.waiting.filter(waiting => waiting > open)];
  if (mate.tries >= lead.policy.maxSends) {
    step.events.push({ type: "silent", teammate: mate.id, version });
    return;
  }
  deliver(step, mate);
}

/** The next time at which a tick can change something; undefined when nothing is under way. */
export function nextDue(lead: Lead): number | undefined {
  const { ackTimeoutMs } = lead.policy;
  let due = Infinity;
  for (const { live, flight } of lead.teammates.values()) {
    if (live && flight !== undefined) due = Math.min(due, flight.sentAt + ackTimeoutMs);
  }
  if (lead.gate?.judging === false) due = Math.min(due, lead.gate.since + ackTimeoutMs);
  return due === Infinity ? undefined : due;
}
