import {
  type Codec,
  createLead,
  currentVersion,
  heard,
  type Lead,
  type LeadInput,
  type LeadStep,
  leadRows,
  leadStep,
  neededVersions,
  type Outgoing,
  restoreLead,
  type SyncPolicy,
  standingOf,
} from "../../src/sync/index.ts";
import { Random } from "./random.ts";
import { check, checkMessage, glance, SyncViolation } from "./sync-rules.ts";
import { editContext, Receiver, randomContext, type Said } from "./sync-team.ts";

/** Inputs a settled team can need; more means that lead and teammates talk in circles. */
const MOST_SETTLING = 2_000;
const MINUTE = 60_000;

/** A lead, its teammates, and what lies between them. */
export class World {
  readonly random: Random;
  readonly codec: Codec;
  readonly counts: Map<string, number>;
  readonly truth = new Map<number, string>();
  readonly receivers: Receiver[] = [];
  readonly toMates: { message: Outgoing; text: string }[] = [];
  readonly toLead: Said[] = [];
  lead: Lead;
  now = 1_000;
  steps = 0;
  faults = true;
  lastSerial = 0;

  constructor(seed: number, codec: Codec, counts: Map<string, number>) {
    this.random = new Random(seed);
    this.codec = codec;
    this.counts = counts;
    const policy: Partial<SyncPolicy> = {
      maxGap: this.random.pick([1, 1, "any", 2] as const),
      points: seed % 10 === 0 ? { "IP-004": { context: "full" } } : {},
      routing: this.random.pick(["impact", "all"] as const),
      keepVersions: this.random.between(1, 4),
    };
    this.lead = createLead("GC", policy)!;
  }

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  tell(input: LeadInput): LeadStep {
    this.steps++;
    if (this.faults && this.random.chance(0.02)) this.restartLead();
    const before = new Map([...this.lead.teammates].map(([id, mate]) => [id, glance(mate)]));
    const judging = this.lead.gate?.judging === true;
    const step = leadStep(this.lead, input, this.codec);
    for (const { number } of this.lead.versions) {
      if (!this.truth.has(number)) this.truth.set(number, this.lead.contents.get(number)!);
    }
    for (const event of step.events) {
      this.count(
        event.type === "acked"
          ? `ack ${event.verdict}`
          : event.type === "sent"
            ? `${event.form}: ${event.why}`
            : event.type,
      );
      if (event.type === "lost" || event.type === "joined") this.receiver(event.teammate).held.clear();
      if (event.type === "acked" && event.verdict === "forged") this.receiver(event.teammate).held.clear();
      if (event.type === "gate-ready" && event.stale.length === 0) this.checkGate(event.version);
    }
    const { lead, codec, truth } = this;
    for (const message of step.messages) {
      check(message.serial > this.lastSerial, "numbers rise");
      this.lastSerial = message.serial;
      const still = judging && input.type !== "unfreeze";
      checkMessage({
        message,
        before: before.get(message.teammate),
        input,
        judging: still,
        lead,
        codec,
        truth,
      });
    }
    this.checkConfirmed();
    for (const message of step.messages) this.post(message);
    return step;
  }

  receiver(id: string): Receiver {
    return this.receivers.find(one => one.id === id)!;
  }

  /** The lead's process dies and comes back from its rows and the texts that are needed. */
  restartLead(): void {
    this.count("lead restarted");
    const needed = neededVersions(this.lead);
    const contents = new Map([...this.lead.contents].filter(([version]) => needed.has(version)));
    this.lead = restoreLead(JSON.parse(JSON.stringify(leadRows(this.lead))), contents, this.lead.policy);
  }

  checkGate(version: number): void {
    for (const mate of this.lead.teammates.values()) {
      const ready =
        !mate.live ||
        mate.proof === "none" ||
        (mate.context === "held" && mate.confirmed!.version >= version);
      check(ready || version === 0, `${mate.id} is not at the gate's version`);
    }
  }

  /** Whoever is believed to hold a version by hash has held exactly its bytes in this life of its context. */
  checkConfirmed(): void {
    for (const [id, mate] of this.lead.teammates) {
      check(mate.flight === undefined || mate.proof !== "none", "no flight without answers");
      if (mate.confirmed === undefined || mate.proof !== "hash" || !mate.live) continue;
      const receiver = this.receiver(id);
      if (receiver.session !== mate.session) continue;
      check(
        receiver.held.has(mate.confirmed.version),
        `${id} confirmed v${mate.confirmed.version} without having held it`,
      );
    }
  }

  checkReplicas(): void {
    for (const { id, replica } of this.receivers) {
      const { held } = replica;
      if (held === undefined) continue;
      check(
        held.text === this.truth.get(held.version),
        `${id} claims v${held.version} and holds something else`,
      );
    }
  }

  post(message: Outgoing): void {
    const { random } = this;
    if (this.faults && random.chance(0.12)) {
      this.count("message dropped");
      return;
    }
    const damaged = this.faults && random.chance(0.06);
    if (damaged) this.count("message damaged");
    const entry = { message, text: damaged ? this.damage(message.text) : message.text };
    this.toMates.push(entry);
    if (!this.faults || !random.chance(0.1)) return;
    this.count("message doubled");
    this.toMates.push(entry);
  }

  damage(text: string): string {
    const { random } = this;
    const at = random.below(text.length);
    if (random.chance(0.4)) return text.slice(0, at);
    if (random.chance(0.5))
      return text.slice(0, at) + random.pick(["x", "\n", "- ", "→"]) + text.slice(at + 1);
    const lines = text.split("\n");
    lines.splice(random.below(lines.length), 1);
    return lines.join("\n");
  }

  deliverToMate(): void {
    const { random } = this;
    const at = this.faults ? random.below(this.toMates.length) : 0;
    const [entry] = this.toMates.splice(at, 1);
    const receiver = this.receiver(entry!.message.teammate);
    const honest = !this.faults || !random.chance(0.25);
    for (const said of receiver.take(entry!.message, entry!.text, this.codec, random, honest)) {
      if (this.faults && random.chance(0.1)) this.count("answer dropped");
      else this.toLead.push(said);
      if (this.faults && random.chance(0.1)) this.toLead.push(said);
    }
    this.checkReplicas();
  }

  deliverToLead(): void {
    const at = this.faults ? this.random.below(this.toLead.length) : 0;
    const [said] = this.toLead.splice(at, 1);
    const { text, ...speaker } = said!;
    for (const input of heard(text, { ...speaker, now: this.now })) this.tell(input);
  }

  publish(): void {
    const { random, now, lead } = this;
    const current = currentVersion(lead);
    if (current === undefined) {
      this.tell({ type: "publish", now, text: randomContext(random), by: "lead" });
      return;
    }
    const base = lead.contents.get(
      random.chance(0.3) ? Math.max(1, current.number - random.below(3)) : current.number,
    );
    const from = [...lead.contents].find(([, text]) => text === base)?.[0];
    const point = random.pick(["IP-003", "IP-004", "IP-009"] as const);
    const text = editContext(random, base ?? randomContext(random));
    this.tell({
      type: "publish",
      now,
      text,
      by: "other",
      point,
      ...(random.chance(0.8) && from !== undefined ? { base: from } : {}),
    });
  }

  join(): void {
    const { random, now } = this;
    const fresh = this.receivers.length < 2 || (this.receivers.length < 5 && random.chance(0.3));
    let receiver = fresh ? undefined : random.pick(this.receivers);
    if (receiver === undefined) {
      const interests = random.chance(0.5) ? ["Status", "Notes"] : [];
      receiver = new Receiver(
        `mate-${this.receivers.length}`,
        random.pick(["hash", "hash", "hash", "word", "none"] as const),
        interests,
      );
      this.receivers.push(receiver);
    } else {
      receiver.session = `${receiver.id}/${this.steps + 2}`;
      receiver.replica = { label: "GC", serial: 0 };
      receiver.live = true;
    }
    const { id, session, proof, interests } = receiver;
    const fetches = random.chance(0.25);
    this.tell({ type: "join", now, teammate: id, session, proof, interests, fetches });
  }

  lose(): void {
    const { random, now } = this;
    const receiver = random.pick(this.receivers);
    if (random.chance(0.5)) receiver.replica = { label: "GC", serial: 0 };
    this.tell({ type: "lost", now, teammate: receiver.id, session: receiver.session, cause: "compaction" });
  }

  /** Someone who fetches its updates and lacks something. */
  fetcher(): string | undefined {
    const lacking = [...this.lead.teammates.values()].filter(
      mate =>
        mate.live && mate.fetches && mate.flight === undefined && standingOf(this.lead, mate) !== "current",
    );
    return lacking.length === 0 ? undefined : this.random.pick(lacking).id;
  }

  fetch(teammate: string): void {
    this.count("fetched");
    this.tell({ type: "pull", now: this.now, teammate });
  }

  act(): void {
    const { random, now } = this;
    const fetching = random.chance(0.1) ? this.fetcher() : undefined;
    if (fetching !== undefined) {
      this.fetch(fetching);
      return;
    }
    const dice = random.below(100);
    const teammate = random.pick(this.receivers).id;
    if (dice < 34 && this.toMates.length > 0) this.deliverToMate();
    else if (dice < 66 && this.toLead.length > 0) this.deliverToLead();
    else if (dice < 76) this.publish();
    else if (dice < 84) this.advance(random.pick([1_000, 30_000, 121_000, -5_000]));
    else if (dice < 86) this.join();
    else if (dice < 88) this.lose();
    else if (dice < 89) {
      this.receiver(teammate).live = false;
      this.tell({ type: "leave", now, teammate });
    } else if (dice < 92) this.tell({ type: "freeze", now, gate: "2" });
    else if (dice < 95) this.tell({ type: "unfreeze", now });
    else if (dice < 97)
      this.tell({
        type: "inject",
        now,
        point: random.pick(["IP-002", "IP-003", "IP-007", "IP-008"] as const),
        teammates: [teammate],
      });
    else if (dice < 98) this.tell({ type: "pull", now, teammate });
    else {
      const sections = random.chance(0.5) ? { sections: ["Status"] } : {};
      const { session } = this.receiver(teammate);
      this.tell({ type: "request", now, teammate, session, label: "GC", ...sections });
    }
  }

  advance(ms: number): void {
    this.now = Math.max(0, this.now + ms);
    this.tell({ type: "tick", now: this.now });
  }

  /** Lets everything arrive, and time pass, until nothing is under way. */
  settle(): void {
    for (let turn = 0; turn < MOST_SETTLING; turn++) {
      if (this.toMates.length > 0) this.deliverToMate();
      else if (this.toLead.length > 0) this.deliverToLead();
      else if ([...this.lead.teammates.values()].some(mate => mate.flight !== undefined))
        this.advance(3 * MINUTE);
      else if (!this.fetchRest()) return;
    }
    throw new SyncViolation("lead and teammates talk in circles");
  }

  /** Lets the next one come for what it lacks that has not come in vain. */
  fetchRest(): boolean {
    const current = currentVersion(this.lead)?.number ?? 0;
    const mate = [...this.lead.teammates.values()].find(
      one =>
        one.live &&
        one.fetches &&
        one.proof !== "none" &&
        current > 0 &&
        standingOf(this.lead, one) !== "current",
    );
    if (mate !== undefined) this.fetch(mate.id);
    return mate !== undefined;
  }

  /** Faults stop: everyone who is told comes up to date by itself, everyone else at the next task. */
  finish(): void {
    this.faults = false;
    this.tell({ type: "unfreeze", now: this.now });
    this.settle();
    this.advance(3 * MINUTE);
    this.settle();
    for (const mate of this.lead.teammates.values()) {
      const waits = mate.live && mate.proof !== "none" && mate.waiting.length > 0;
      check(
        !waits || mate.tries >= this.lead.policy.maxSends,
        `${mate.id} waits for v${mate.waiting[0]} and nothing is sent`,
      );
    }
    const teammates = [...this.lead.teammates.values()].filter(mate => mate.live).map(mate => mate.id);
    this.tell({ type: "inject", now: this.now, point: "IP-002", teammates });
    this.settle();
    const current = currentVersion(this.lead);
    for (const mate of this.lead.teammates.values()) {
      if (!mate.live || mate.proof === "none" || current === undefined) continue;
      const standing = standingOf(this.lead, mate);
      check(standing === "current", `${mate.id} is ${standing} in the end`);
      check(
        this.receiver(mate.id).replica.held?.text === this.truth.get(current.number),
        `${mate.id} has diverged`,
      );
    }
  }
}
