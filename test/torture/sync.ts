import {
  type Codec,
  createCodec,
  createLead,
  currentVersion,
  type Lead,
  type LeadInput,
  type LeadStep,
  leadRows,
  leadStep,
  neededVersions,
  type Outgoing,
  readWords,
  restoreLead,
  type SyncPolicy,
  standingOf,
  type Teammate,
} from "../../src/sync/index.ts";
import { Random } from "./random.ts";
import { editContext, Receiver, randomContext, type Said } from "./sync-team.ts";

/** Inputs a settled team can need; more means that lead and teammates talk in circles. */
const MOST_SETTLING = 2_000;
const MINUTE = 60_000;

/** What a sequence was made of, and what it came to. */
export interface SyncTally {
  readonly sequences: number;
  readonly steps: number;
  readonly counts: ReadonlyMap<string, number>;
  readonly violations: readonly string[];
}

class SyncViolation extends Error {}

function check(holds: boolean, rule: string): asserts holds {
  if (!holds) throw new SyncViolation(rule);
}

/** What the world knows of a teammate before a step, to judge the messages of that step. */
interface Before {
  readonly context: Teammate["context"];
  readonly confirmed: number | undefined;
  readonly wantsFull: boolean;
  readonly flying: boolean;
}

class World {
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
    for (const message of step.messages)
      this.checkMessage(message, before.get(message.teammate), input, judging && input.type !== "unfreeze");
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

  /** Full exactly for a settled reason, a delta only from what is confirmed and within the gap. */
  checkMessage(message: Outgoing, before: Before | undefined, input: LeadInput, judging: boolean): void {
    const { form, why, version, from, serial, teammate } = message;
    const mate = this.lead.teammates.get(teammate)!;
    check(serial > this.lastSerial, "numbers rise");
    this.lastSerial = serial;
    check(mate.live, "nothing goes to the ended");
    const spawn = why === "initial-spawn";
    const news = input.type === "publish" || input.type === "freeze" || input.type === "unfreeze";
    check(!news || before?.flying !== true, "one update in flight");
    check(!judging || spawn, `${form} sent while a gate is judged`);
    check(this.lead.gate === undefined || version <= this.lead.gate.version, "a gate freezes the version");
    const { maxGap } = this.lead.policy;
    const confirmed = mate.confirmed?.version;
    if (form === "delta" || form === "sections") {
      check(mate.context === "held" && from === confirmed, "a delta starts from the confirmed version");
      check(maxGap === "any" || version - from! <= maxGap, "a delta bridges at most maxGap");
      check(why === (version - from! > 1 ? "squashed" : "next-version"), `${why} for a ${form}`);
      return;
    }
    if (form !== "full") return;
    if (why === "context-lost") check(mate.context === "lost", "lost");
    else if (why === "initial-spawn") check(mate.context === "new" || mate.proof === "none", "new");
    else if (why === "requested") check(input.type === "request" || before?.wantsFull === true, "requested");
    else if (why === "version-gap") check(maxGap !== "any" && version - confirmed! > maxGap, "gap");
    else if (why === "major-restructure") this.checkMajor(confirmed!, version, mate);
    else if (why === "injection-point") check(this.lead.policy.points["IP-004"] !== undefined, "override");
    else check(why === "unclear" && (input.type === "ack" || before !== undefined), `full because of ${why}`);
  }

  checkMajor(from: number, to: number, mate: Teammate): void {
    if (mate.unclear !== undefined) return;
    const [old, next] = [this.truth.get(from)!, this.truth.get(to)!];
    const facts = { label: "GC", from, to, majorRestructure: Infinity };
    const made = this.codec.encode(old, next, facts);
    check(made.ok, "encodes");
    const { tokens } = made.value;
    check(Math.min(tokens.delta, tokens.sections) > 0.35 * tokens.full, "a small change went in full");
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
    const { teammate, session, text } = said!;
    const { now } = this;
    for (const word of readWords(text)) {
      if (word.type === "ack") this.tell({ type: "ack", now, teammate, session, ack: word.ack });
      else if (word.type === "request") {
        const { label, sections, serial } = word.request;
        const facts = {
          ...(sections === undefined ? {} : { sections }),
          ...(serial === undefined ? {} : { serial }),
        };
        this.tell({ type: "request", now, teammate, session, label, ...facts });
      }
    }
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
    this.tell({ type: "join", now, teammate: id, session, proof, interests });
  }

  lose(): void {
    const { random, now } = this;
    const receiver = random.pick(this.receivers);
    if (random.chance(0.5)) receiver.replica = { label: "GC", serial: 0 };
    this.tell({ type: "lost", now, teammate: receiver.id, session: receiver.session, cause: "compaction" });
  }

  act(): void {
    const { random, now } = this;
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
      else return;
    }
    throw new SyncViolation("lead and teammates talk in circles");
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

function glance({ context, confirmed, wantsFull, flight }: Teammate): Before {
  return {
    context,
    confirmed: confirmed?.version,
    wantsFull: wantsFull !== undefined,
    flying: flight !== undefined,
  };
}

/** Four characters to a token: what costs a step does not matter here. */
const CHEAP = createCodec(text => Math.ceil(text.length / 4));

/** Lives one random sequence of a lead and its team; throws when a rule does not hold. */
function simulate(seed: number, counts: Map<string, number>): number {
  const world = new World(seed, CHEAP, counts);
  world.join();
  world.join();
  for (let left = world.random.between(10, 50); left > 0; left--) world.act();
  world.finish();
  return world.steps;
}

/** Many sequences from a first seed on; stops at the first that breaks a rule. */
export function simulateSync(first: number, sequences: number): SyncTally {
  const counts = new Map<string, number>();
  let steps = 0;
  for (let seed = first; seed < first + sequences; seed++) {
    try {
      steps += simulate(seed, counts);
    } catch (cause) {
      if (!(cause instanceof SyncViolation)) throw new Error(`seed ${seed}`, { cause });
      return { sequences: seed - first + 1, steps, counts, violations: [`seed ${seed}: ${cause.message}`] };
    }
  }
  return { sequences, steps, counts, violations: [] };
}

/** `npx node test/torture/sync.ts [sequences] [first seed]`. */
if (import.meta.main) {
  const began = performance.now();
  const { sequences, steps, counts, violations } = simulateSync(
    Number(process.argv[3] ?? 1),
    Number(process.argv[2] ?? 50_000),
  );
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(`${sequences} sequences, ${steps} steps, ${seconds} s: ${violations[0] ?? "no rule broken"}`);
  console.log(
    [...counts]
      .sort((a, b) => b[1] - a[1])
      .map(([what, n]) => `${what} ${n}`)
      .join(", "),
  );
  if (violations.length > 0) process.exitCode = 1;
}
