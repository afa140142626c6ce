import { DECODE_LIMITS, shortHash } from "../delta/index.ts";
import { visible } from "../text/index.ts";
import { deliver, owe, type Step, wantFull } from "./deliver.ts";
import { mergeSections } from "./merge.ts";
import { lastBy, numbered } from "./own.ts";
import { pointOf } from "./points.ts";
import type { Clash, LeadInput, SyncEvent } from "./protocol.ts";
import { changesBetween, isAffected } from "./routing.ts";
import { canAck, currentVersion, type Lead, type Version } from "./state.ts";

type Publication = Extract<LeadInput, { type: "publish" }>;

/** Takes in a new text, on top of what others published since its base, and tells those it affects. */
export function publish(step: Step, given: Publication): void {
  const { lead } = step;
  const input = onOwn(lead, given);
  const by = input.by ?? "";
  const current = currentVersion(lead);
  const resolved = resolve(lead, input, current);
  if (typeof resolved !== "string") {
    step.events.push(resolved);
    return;
  }
  if (current !== undefined && shortHash(numbered(lead, resolved, current.number)) === current.hash) {
    const isOthers = shortHash(numbered(lead, input.text, current.number)) !== current.hash;
    const since = isOthers && input.base !== undefined ? { since: input.base } : {};
    step.events.push({ type: "unchanged", version: current.number, by, ...since });
    return;
  }
  const text = numbered(lead, resolved, (current?.number ?? 0) + 1);
  const hash = shortHash(text);
  const merged = current !== undefined && input.base !== undefined && !isOnTop(lead, input, current.number);
  const old = current === undefined ? "" : lead.contents.get(current.number)!;
  const route = routeOf(step, input, old, text);
  const version: Version = {
    number: (current?.number ?? 0) + 1,
    hash,
    at: step.now,
    by,
    ...(route.told === undefined ? {} : { affected: route.told }),
    ...(merged ? { edited: input.text } : {}),
    ...(input.actions === undefined ? {} : { actions: input.actions.map(listable) }),
    ...(input.point === undefined || input.point === "IP-003" ? {} : { point: input.point }),
  };
  lead.versions.push(version);
  lead.contents.set(version.number, text);
  step.events.push({
    type: "published",
    version: version.number,
    hash,
    by,
    sections: route.sections,
    now: route.now,
    later: route.later,
    ...(merged ? { mergedFrom: input.base! } : {}),
  });
  const point = pointOf(input.point ?? "IP-003", lead.policy.points);
  for (const id of route.now) {
    const mate = lead.teammates.get(id)!;
    if (point.task) step.taskContexts.add(id);
    if (point.context === "full" && mate.context === "held") wantFull(step, mate, "injection-point");
    if (mate.flight === undefined) mate.tries = 0;
    if (mate.context === "held") delete mate.point;
    owe(mate, version.number);
    step.touched.add(id);
    deliver(step, mate);
  }
}

/** Whether a publisher edited just what the current version is: then nobody else's words are missing in its text. */
function isOnTop(lead: Lead, { base, edited }: Publication, current: number): boolean {
  return (
    base === current && (edited === undefined || numbered(lead, edited, base) === lead.contents.get(base))
  );
}

/** What goes on from its publisher's own last version, with that as its base. */
function onOwn(lead: Lead, input: Publication): Publication {
  if (input.follows !== true || input.base !== undefined) return input;
  const last = lastBy(lead, input.by ?? "");
  if (last === undefined || !lead.contents.has(last.number)) return input;
  return { ...input, base: last.number, ...(last.edited === undefined ? {} : { edited: last.edited }) };
}

/** The text to publish, or why it is refused. */
function resolve(lead: Lead, input: Publication, current: Version | undefined): string | SyncEvent {
  const { text, base, edited, by = "" } = input;
  const refused = (
    reason: Extract<SyncEvent, { type: "refused" }>["reason"],
    message: string,
    clashes: readonly Clash[] = [],
  ): SyncEvent => ({
    type: "refused",
    by,
    reason,
    message,
    clashes,
    ...(current === undefined ? {} : { current: current.number }),
    ...(base === undefined ? {} : { base }),
  });
  if (!text.isWellFormed())
    return refused("not-unicode", "The text holds half a surrogate pair: UTF-8 cannot carry it");
  if (text.length > DECODE_LIMITS.document) {
    return refused(
      "too-large",
      `The text has ${text.length} characters, the limit is ${DECODE_LIMITS.document}`,
    );
  }
  if (base === undefined || (current !== undefined && isOnTop(lead, input, current.number))) return text;
  const old = edited === undefined ? lead.contents.get(base) : numbered(lead, edited, base);
  if (old === undefined || current === undefined)
    return refused("unknown-base", `Version ${base} is not kept: read the current one first`);
  // The number in the front matter is nobody's edit.
  const merge = mergeSections(old, lead.contents.get(current.number)!, numbered(lead, text, base));
  if (merge.merged !== undefined) return merge.merged;
  if (input.outranks === true) return text;
  const titles = merge.clashes.map(clash => `§${visible(clash.section, 60)}`).join(", ");
  return refused("same-section", `Since version ${base} both changed ${titles}`, merge.clashes);
}

interface Route {
  readonly sections: readonly string[];
  readonly now: readonly string[];
  readonly later: readonly string[];
  /** Names for the message's impact part, where it says more than "everyone". */
  readonly told: readonly string[] | undefined;
}

/** Who is told now, and who learns at its next task. */
function routeOf({ lead }: Step, input: Publication, old: string, text: string): Route {
  const changes = changesBetween(old, text);
  const mates = [...lead.teammates.values()].filter(canAck);
  const point = pointOf(input.point ?? "IP-003", lead.policy.points);
  const everyone = lead.policy.routing === "all" || point.to === "all";
  const named = input.affected === undefined ? undefined : new Set(input.affected);
  const affected = mates
    .filter(mate => named?.has(mate.id) ?? isAffected(mate, changes))
    .map(mate => mate.id);
  // Who has nothing yet, or has lost it, gets everything whatever changed.
  const lacking = mates.filter(mate => mate.context !== "held").map(mate => mate.id);
  const told = named === undefined ? (affected.length < mates.length ? affected : undefined) : [...named];
  const now =
    point.context === "none"
      ? []
      : everyone
        ? mates.map(mate => mate.id)
        : [...new Set([...affected, ...lacking])];
  const chosen = new Set(now);
  const later = mates.map(mate => mate.id).filter(id => !chosen.has(id));
  return { sections: changes.sections, now, later, told: told?.map(listable) };
}

/** A foreign text as an item of a list on one line of a message. */
function listable(text: string): string {
  const line = visible(text, 200).trim().replaceAll(", ", "; ");
  return line === "" || line === "NONE" ? "-" : line;
}
