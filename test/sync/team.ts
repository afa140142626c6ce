import {
  type Ack,
  type Codec,
  createCodec,
  createLead,
  emptyReplica,
  heard,
  type Lead,
  type LeadInput,
  type LeadStep,
  leadStep,
  type Outgoing,
  type Proof,
  type Received,
  type Replica,
  receive,
  type SyncEvent,
  type SyncPolicy,
  type Teammate,
  type Verdict,
} from "../../src/sync/index.ts";
import { countTokens } from "../../src/tokens/index.ts";

/** Real tokens. */
export const CODEC: Codec = createCodec(countTokens);

/** A context of seven sections; each `edit` changes one place of it. */
export const CONTEXT: string = `---
feature: export
owner: lead
---

# Global Context

## Scope

Customers export their invoices as CSV and PDF without waiting on the page.

## Status

- Phase 1: COMPLETE
- Phase 2: IN_PROGRESS

## Decisions Log

| ID | Decision | Reason |
|----|----------|--------|
| D-1 | Jobs live in the database | No new service |
| D-2 | One row per request | Retry and audit need it |

## Contracts

### Requests

- POST /exports answers 202
- GET /exports/:id answers the job

### Files

- GET /files/:hash answers the file when the signature is valid

## Owners

- builder: src/exports
- tester: test/exports

## Risks

- R-1: PDF of the largest customer takes longer than a link lives
`;

/** The text with one piece changed; the piece must stand in it exactly once. */
export function edit(text: string, old: string, next: string): string {
  if (text.split(old).length !== 2) throw new Error(`Not exactly once: ${old}`);
  return text.replace(old, () => next);
}

/** A version with another status, in four words. */
export function status(text: string, value: string): string {
  return text.replace(/Phase 2: \w+/, `Phase 2: ${value}`);
}

type Input = LeadInput extends infer One ? (One extends LeadInput ? Omit<One, "now"> : never) : never;

/** A lead with its teammates; nothing is delivered before a test says so. */
export class Team {
  readonly lead: Lead;
  readonly codec: Codec;
  readonly replicas = new Map<string, Replica>();
  readonly log: SyncEvent[] = [];
  /** Messages sent and not delivered yet. */
  readonly post: Outgoing[] = [];
  readonly taskContexts: string[] = [];
  now = 1_000_000;

  constructor(policy: Partial<SyncPolicy> = {}, codec: Codec = CODEC) {
    this.lead = createLead("GC", policy)!;
    this.codec = codec;
  }

  /** A lead that has published `CONTEXT`, with teammates that hold it. */
  static of(names: readonly string[], policy: Partial<SyncPolicy> = {}, proof: Proof = "hash"): Team {
    const team = new Team(policy);
    team.publish(CONTEXT);
    for (const name of names) team.join(name, { proof });
    team.exchange();
    return team;
  }

  tell(input: Input): LeadStep {
    const step = leadStep(this.lead, { ...input, now: this.now } as LeadInput, this.codec);
    this.log.push(...step.events);
    this.post.push(...step.messages);
    this.taskContexts.push(...step.taskContexts);
    return step;
  }

  publish(text: string, more: Partial<Extract<Input, { type: "publish" }>> = {}): LeadStep {
    return this.tell({ type: "publish", text, ...more });
  }

  join(teammate: string, more: Partial<Extract<Input, { type: "join" }>> = {}): LeadStep {
    return this.tell({ type: "join", teammate, session: "s1", ...more });
  }

  tick(ms: number): LeadStep {
    this.now += ms;
    return this.tell({ type: "tick" });
  }

  mate(name: string): Teammate {
    return this.lead.teammates.get(name)!;
  }

  confirmed(name: string): number | undefined {
    return this.mate(name).confirmed?.version;
  }

  replica(name: string): Replica {
    return this.replicas.get(name) ?? emptyReplica("GC");
  }

  /** The next undelivered message, out of the post. */
  take(): Outgoing {
    const message = this.post.shift();
    if (message === undefined) throw new Error("Nothing was sent");
    return message;
  }

  /** Hands a message to its teammate's tool. */
  deliver(message: Outgoing): Received {
    const received = receive(
      this.replica(message.teammate),
      { text: message.text, serial: message.serial },
      this.codec,
    );
    this.replicas.set(message.teammate, received.replica);
    return received;
  }

  /** Says something to the lead. */
  say(teammate: string, text: string, session = "s1"): LeadStep[] {
    return heard(text, { teammate, session, now: this.now }).map(input => this.tell(input));
  }

  ack(teammate: string, ack: Partial<Ack> & { readonly version: number }, session = "s1"): Verdict {
    const step = this.tell({
      type: "ack",
      teammate,
      session,
      ack: { label: "GC", impact: "NONE", unclear: [], ...ack },
    });
    const acked = step.events.find(event => event.type === "acked");
    if (acked === undefined) throw new Error("No verdict");
    return acked.verdict;
  }

  /** Delivers messages and answers until nothing is under way; returns the messages. */
  exchange(): Outgoing[] {
    const sent: Outgoing[] = [];
    while (this.post.length > 0) {
      const message = this.take();
      sent.push(message);
      const { answer } = this.deliver(message);
      if (answer !== undefined && this.mate(message.teammate).proof !== "none")
        this.say(message.teammate, answer, message.session);
    }
    return sent;
  }
}

/** What of a message its reason shows. */
export function shape({ version, from, form, why }: Outgoing): string {
  return `${from === undefined ? "" : `v${from}→`}v${version} ${form}: ${why}`;
}
