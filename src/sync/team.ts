import { visible } from "../text/index.ts";
import { lose } from "./acknowledge.ts";
import { deliver, owe, type Step, wantFull } from "./deliver.ts";
import { type PointId, pointOf } from "./points.ts";
import type { LeadInput } from "./protocol.ts";
import { currentVersion, holds, openVersion, type Teammate } from "./state.ts";

type Join = Extract<LeadInput, { type: "join" }>;
type Lost = Extract<LeadInput, { type: "lost" }>;
type Request = Extract<LeadInput, { type: "request" }>;

/** Longest name of a teammate. */
const LONGEST_NAME = 80;

/** A teammate begins: it gets the whole document. The same session joining again changes nothing. */
export function join(step: Step, input: Join): void {
  const { lead } = step;
  const { teammate: id, session, replaces } = input;
  const safe = visible(id);
  if (
    safe !== id ||
    id.trim() !== id ||
    id === "" ||
    id === "NONE" ||
    id.includes(", ") ||
    id.length > LONGEST_NAME
  ) {
    const message = `Not a teammate's name: ${visible(id, LONGEST_NAME)}`;
    step.events.push({
      type: "refused",
      by: visible(id, LONGEST_NAME),
      reason: "name",
      message,
      clashes: [],
    });
    return;
  }
  const known = lead.teammates.get(id);
  if (known?.live === true && known.session === session) return;
  const replaced = replaces === undefined || replaces === id ? undefined : lead.teammates.get(replaces);
  if (replaced?.live === true) leave(step, replaced);
  const mate = newTeammate(input, lead.serial + 1, known);
  lead.teammates.set(id, mate);
  step.touched.add(id);
  step.events.push({
    type: "joined",
    teammate: id,
    session,
    ...(replaced === undefined ? {} : { replaces: replaced.id }),
  });
  injectTo(step, mate, replaces === undefined ? "IP-001" : "IP-006");
}

function newTeammate(input: Join, firstSerial: number, known: Teammate | undefined): Teammate {
  const { teammate: id, session, proof = "hash", role = "", interests = [], fetches = false } = input;
  const none = { messages: 0, tokens: 0 };
  return {
    id,
    session,
    proof,
    role,
    interests,
    fetches,
    live: true,
    context: "new",
    waiting: [],
    sent: [],
    firstSerial,
    tries: 0,
    lastSentAt: 0,
    stale: false,
    paused: false,
    sizes: known?.sizes ?? {
      delta: { ...none },
      sections: { ...none },
      full: { ...none },
      restated: { ...none },
      version: { ...none },
    },
  };
}

/** A teammate's session ended: nothing is sent to it, and no gate waits for it. */
export function leave(step: Step, mate: Teammate): void {
  mate.live = false;
  delete mate.flight;
  mate.waiting = [];
  step.touched.add(mate.id);
  step.events.push({ type: "left", teammate: mate.id });
}

/** Forgets who ended long ago: nothing is ever sent to them, and whoever comes back begins anew. */
export function forgetEnded({ lead, touched, events }: Step): void {
  const ended = [...lead.teammates.values()]
    .filter(mate => !mate.live)
    .sort((a, b) => b.lastSentAt - a.lastSentAt)
    .slice(lead.policy.keepEnded);
  if (ended.length === 0) return;
  for (const { id } of ended) {
    lead.teammates.delete(id);
    touched.add(id);
  }
  events.push({ type: "forgotten", teammates: ended.length });
}

/** Carries an injection point out for everyone it concerns. */
export function inject(step: Step, id: PointId, teammates: readonly string[] | undefined): void {
  const { lead } = step;
  const point = pointOf(id, lead.policy.points);
  const live = [...lead.teammates.values()].filter(mate => mate.live).map(mate => mate.id);
  const ids = teammates ?? (point.to === "one" ? [] : live);
  const there = ids.filter(name => live.includes(name));
  if (there.length > 0) step.events.push({ type: "injected", point: id, teammates: there });
  for (const name of ids) {
    const mate = lead.teammates.get(name);
    if (mate?.live === true) injectTo(step, mate, id);
    else step.events.push({ type: "withheld", teammate: name, why: "ended" });
  }
}

function injectTo(step: Step, mate: Teammate, id: PointId): void {
  const point = pointOf(id, step.lead.policy.points);
  // With a new or lost context it goes along with the document, again if that has to be sent again.
  const follows = mate.context !== "held" && openVersion(step.lead) > 0 && point.context !== "none";
  if (point.task && !follows) step.taskContexts.add(mate.id);
  if (point.context === "none") return;
  mate.point = id;
  // What its context being new calls for anyway needs no other reason.
  if (point.context === "full" && mate.context === "held") {
    wantFull(step, mate, "injection-point");
    delete mate.flight;
  }
  bringUpToDate(step, mate);
  const open = openVersion(step.lead);
  if (point.context === "version" && mate.flight === undefined && holds(mate, open)) {
    mate.unclear ??= { version: mate.confirmed!.version, refs: [] };
    deliver(step, mate);
  } else if (mate.context === "held" && mate.flight === undefined && mate.waiting.length === 0)
    delete mate.point;
}

/** Gives a teammate what it lacks, whoever decided that it could wait, and however often it did not answer. */
export function bringUpToDate(step: Step, mate: Teammate, pulled = false): void {
  const open = openVersion(step.lead);
  step.touched.add(mate.id);
  mate.tries = 0;
  owe(mate, open);
  // Under a gate also what was published since: it goes out after it.
  const { number: current = 0 } = currentVersion(step.lead) ?? {};
  for (let version = open + 1; version <= current; version++)
    if (step.lead.contents.has(version)) owe(mate, version);
  deliver(step, mate, pulled);
  if (mate.flight === undefined && holds(mate, open)) {
    const keptBack = current > open ? { keptBack: current } : {};
    step.events.push({ type: "up-to-date", teammate: mate.id, version: open, ...keptBack });
  }
}

/** The message a teammate needs now, once more if it is in flight already. */
export function pull(step: Step, mate: Teammate): void {
  delete mate.flight;
  // What nobody owed it comes with what it is given next.
  if (mate.context === "held" && mate.waiting.length === 0) mate.point = "IP-002";
  bringUpToDate(step, mate, true);
}

/** A compaction, resume or restart: what it held is gone, and it gets everything with its task-context (IP-005). */
export function contextLost(step: Step, mate: Teammate, { session, cause }: Lost): void {
  if (session !== mate.session) {
    step.events.push({ type: "withheld", teammate: mate.id, why: "ended" });
    return;
  }
  step.events.push({ type: "lost", teammate: mate.id, cause });
  lose(step, mate);
  mate.tries = 0;
  injectTo(step, mate, "IP-005");
}

/** A teammate asks for the document or for sections of it. An answer already on its way is not sent twice. */
export function request(step: Step, mate: Teammate, { session, label, serial, sections }: Request): void {
  const { lead, now } = step;
  if (session !== mate.session || (label ?? lead.label) !== lead.label) {
    step.events.push({ type: "withheld", teammate: mate.id, why: "ended" });
    return;
  }
  step.events.push({ type: "requested", teammate: mate.id, sections: sections ?? [] });
  const answered = Math.max(
    mate.firstSerial - 1,
    (mate.flight?.serial ?? 0) - 1,
    mate.confirmed?.serial ?? 0,
  );
  if ((serial ?? Infinity) <= answered) {
    step.events.push({ type: "withheld", teammate: mate.id, why: "answered" });
    return;
  }
  const version = mate.flight?.version ?? mate.confirmed?.version;
  if (now - mate.lastSentAt >= lead.policy.ackTimeoutMs) mate.tries = 0;
  delete mate.flight;
  step.touched.add(mate.id);
  if (mate.proof === "none") owe(mate, openVersion(lead));
  if (mate.context === "held") {
    if (sections === undefined) wantFull(step, mate, "requested");
    else if (mate.proof === "word" || holds(mate, version!))
      mate.unclear = { version: version!, refs: sections };
  }
  deliver(step, mate);
}
