import { deliver, owe, type Step } from "./deliver.ts";
import { canAck, currentVersion, holds, type Teammate } from "./state.ts";

/** A phase gate begins: the version is frozen, and those who lack it are given it now. */
export function freeze(step: Step, id: string): void {
  const { lead, now } = step;
  if (lead.gate !== undefined) return;
  const version = currentVersion(lead)?.number ?? 0;
  lead.gate = { id, version, since: now, judging: false };
  const waitsFor = [...lead.teammates.values()].filter(mate => canAck(mate) && !isReady(mate, version));
  step.events.push({ type: "frozen", gate: id, version, waitsFor: waitsFor.map(mate => mate.id) });
  for (const mate of waitsFor) {
    if (mate.flight === undefined) mate.tries = 0;
    owe(mate, version);
    step.touched.add(mate.id);
    deliver(step, mate);
  }
}

/** Opens the judging as soon as everyone who can acknowledge holds the gate's version, or their time is over. */
export function settleGate(step: Step): void {
  const { lead, now } = step;
  const { gate } = lead;
  if (gate === undefined || gate.judging) return;
  const behind = [...lead.teammates.values()].filter(mate => canAck(mate) && !isReady(mate, gate.version));
  if (behind.length > 0 && now - gate.since < lead.policy.ackTimeoutMs) return;
  for (const mate of behind) {
    mate.stale = true;
    step.touched.add(mate.id);
  }
  gate.judging = true;
  const stale = behind.map(mate => mate.id);
  step.events.push({ type: "gate-ready", gate: gate.id, version: gate.version, stale });
}

/** The gate is judged: what waited goes out. */
export function unfreeze(step: Step): void {
  const { lead } = step;
  if (lead.gate === undefined) return;
  step.events.push({ type: "unfrozen", gate: lead.gate.id });
  delete lead.gate;
  for (const mate of lead.teammates.values()) deliver(step, mate);
}

/** Holds the version, and nothing of it is still being explained. */
function isReady(mate: Teammate, version: number): boolean {
  return version === 0 || (holds(mate, version) && mate.flight === undefined && mate.unclear === undefined);
}
