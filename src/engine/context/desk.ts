import { type ContextRows, fail, ok, type Result } from "../../ports/index.ts";
import {
  type Codec,
  type Lead,
  type LeadInput,
  type LeadStep,
  leadStep,
  nextDue,
  type Outgoing,
  type SyncPolicy,
  type TeammateWord,
  versionOf,
} from "../../sync/index.ts";
import { isUsed, stepRows } from "./rows.ts";
import { clearShelf, fetchText, type Shelf } from "./shelf.ts";
import { createStock, type DeskFailure } from "./stock.ts";
import { type ContextStep, type ContextWork, joinSteps, type Ledger } from "./work.ts";

/** An input of a lead before the desk puts its time on it. */
export type LeadDraft = LeadInput extends infer Input
  ? Input extends LeadInput
    ? Omit<Input, "now">
    : never
  : never;

/** A message on its way to a session that listens. */
export interface DeskMessage extends Outgoing {
  readonly label: string;
  /** Whether its task-context (task text, dependency results, previous attempts) goes along. */
  readonly withTask: boolean;
}

/** A version with its text. */
export interface DeskText {
  readonly version: number;
  readonly hash: string;
  readonly text: string;
}

export interface DeskOptions {
  /** The durable context; read when the desk is first used. */
  readonly rows: ContextRows;
  /** The one order of changes: that of the engine, or an immediate one where none runs. */
  readonly ledger: Ledger;
  readonly policy: SyncPolicy;
  readonly codec: Codec;
}

/**
 * The place that holds the leads of all labels. There is one in a process that holds the lock: `engine.desk`, which is
 * also `request.desk` of an attempt, and `offlineRun(session).desk` in lead mode. What it decides is durable before a
 * message leaves or a call resolves.
 *
 *     await desk.act("GC", { type: "publish", text, by: "T1.3 #2", base: 4 });   // a LeadStep; its events tell what came of it
 *     await desk.act("GC", { type: "join", teammate: "back", session: row.token, proof: "hash", interests: [] });
 *     const stop = desk.listen(row.token, message => …);                         // updates that are pushed to a session
 *     await desk.act("GC", { type: "pull", teammate: "back" });                  // step.messages: what it needs now
 *     await desk.hear(readWords(text), { teammate: "back", session: row.token }); // acknowledgements, requests, a loss
 *     desk.text("GC");                                                           // the newest version with its text
 *
 * As part of a larger change (an attempt's end, rows of the tree) call `desk.work(label, input)` within a work of your own
 * or give it to `together(…)`. A teammate whose session is an attempt's token leaves when that attempt ends. One that
 * joins with `fetches` gets nothing pushed: it pulls.
 */
export interface Desk {
  /** Takes in one input; whoever listens has heard its messages when it resolves. */
  act(label: string, input: LeadDraft): Promise<Result<LeadStep, DeskFailure>>;
  /** The same as a part of another change; `told` hears what came of it as soon as it is decided, not yet durable. */
  work(label: string, input: LeadDraft, told?: (step: LeadStep) => void): Result<ContextWork, DeskFailure>;
  /** Takes in what a teammate said, each word for its label; words for unknown labels are left out. */
  hear(
    words: readonly TeammateWord[],
    speaker: { readonly teammate: string; readonly session: string },
  ): Promise<Result<readonly HeardStep[], DeskFailure>>;
  /** Labels with a version or a teammate, in the order in which they came. */
  labels(): Result<readonly string[], DeskFailure>;
  /** A label's lead, to look at: only `act` and `work` may change it. Undefined for an unknown label. */
  lead(label: string): Result<Lead | undefined, DeskFailure>;
  /** A version's text, by default the newest one's; undefined where there is none or it is not kept. */
  text(label: string, version?: number): Result<DeskText | undefined, DeskFailure>;
  /** Calls back for each message to a session. The returned function stops that. */
  listen(session: string, hear: (message: DeskMessage) => void): () => void;
  /** Lets the teammates of ended sessions leave. */
  endSessions(sessions: ReadonlySet<string>): ContextWork;
  /** Lets time pass: timeouts and gates. */
  readonly tick: ContextWork;
  /** When `tick` can next change something; undefined when nothing is under way. */
  nextDue(): number | undefined;
}

/** What a teammate's word came to, and at which label. */
export interface HeardStep {
  readonly label: string;
  readonly step: LeadStep;
}

/** A desk over a store's context. */
export function createDesk({ rows, ledger, policy, codec }: DeskOptions): Desk {
  const stock = createStock(rows, policy);
  const listeners = new Map<string, (message: DeskMessage) => void>();
  /** When time next changes something at the shelves restored so far; undefined when that has to be looked up again. */
  let soonest: { readonly at: number; readonly among: number } | undefined;

  function step(shelf: Shelf, input: LeadInput, told?: (step: LeadStep) => void): ContextStep | undefined {
    const { lead } = shelf;
    const { label } = lead;
    if (input.type === "publish" && input.base !== undefined) fetchText(shelf, rows, input.base);
    const done = leadStep(lead, input, codec);
    shelf.due = nextDue(lead);
    soonest = undefined;
    told?.(done);
    const change = stepRows(lead, done, input.now);
    if (change === undefined) return undefined;
    for (const { number, hash } of change.versions ?? []) {
      shelf.hashes.set(number, hash);
      shelf.kept.add(number);
      stock.own(label, hash);
    }
    const dropTexts = [...clearShelf(shelf)].filter(hash => !stock.isSharedElsewhere(hash, label));
    const settled = () => {
      for (const message of done.messages) {
        const withTask = done.taskContexts.has(message.teammate);
        listeners.get(message.session)?.({ ...message, label, withTask });
      }
    };
    return { rows: dropTexts.length === 0 ? change : { ...change, dropTexts }, settled };
  }

  /** What has become due comes first, so that nothing is judged by what time has settled already. */
  function passTime(shelf: Shelf, now: number): ContextStep | undefined {
    const { due } = shelf;
    if (due === undefined) return undefined;
    // What was sent in a future that a clock set back has made is due to be dated anew.
    const isDue = due <= now || due > now + policy.ackTimeoutMs;
    return isDue ? step(shelf, { type: "tick", now }) : undefined;
  }

  function workOn(shelf: Shelf, input: LeadDraft, told?: (step: LeadStep) => void): ContextWork {
    return now => joinSteps([passTime(shelf, now), step(shelf, { ...input, now } as LeadInput, told)]);
  }

  /** Only who publishes or joins makes a label. */
  function shelfFor(label: string, input: LeadDraft): Result<Shelf, DeskFailure> {
    if (input.type === "publish" || input.type === "join") return stock.open(label);
    const found = stock.find(label);
    if (!found.ok) return found;
    return found.value === undefined ? fail({ kind: "unknown", label }) : ok(found.value);
  }

  /** The labels a word is for, where they are known. */
  function shelvesFor(word: TeammateWord, teammate: string): Result<Shelf[], DeskFailure> {
    const labels = word.type === "lost" ? stock.labels() : ok([labelOf(word)]);
    if (!labels.ok) return labels;
    const shelves: Shelf[] = [];
    for (const label of labels.value) {
      const found = stock.find(label);
      if (!found.ok) return found;
      if (found.value === undefined) continue;
      const isIn = found.value.lead.teammates.get(teammate)?.live === true;
      if (word.type !== "lost" || isIn) shelves.push(found.value);
    }
    return ok(shelves);
  }

  return {
    tick: now => joinSteps([...stock.restored.values()].map(shelf => passTime(shelf, now))),
    async act(label, input) {
      const shelf = shelfFor(label, input);
      if (!shelf.ok) return shelf;
      let made: LeadStep | undefined;
      const done = await ledger.commit(
        workOn(shelf.value, input, told => {
          made = told;
        }),
      );
      return done && made !== undefined ? ok(made) : fail({ kind: "closed" });
    },
    work(label, input, told) {
      const shelf = shelfFor(label, input);
      return shelf.ok ? ok(workOn(shelf.value, input, told)) : shelf;
    },
    async hear(words, { teammate, session }) {
      const works: ContextWork[] = [];
      const heard: HeardStep[] = [];
      for (const word of words) {
        const shelves = shelvesFor(word, teammate);
        if (!shelves.ok) return shelves;
        for (const shelf of shelves.value) {
          const { label } = shelf.lead;
          const input = draftOf(word, teammate, session);
          works.push(workOn(shelf, input, told => heard.push({ label, step: told })));
        }
      }
      if (works.length === 0) return ok([]);
      const done = await ledger.commit(now => joinSteps(works.map(work => work(now))));
      return done ? ok(heard) : fail({ kind: "closed" });
    },
    labels() {
      const labels = stock.labels();
      if (!labels.ok) return labels;
      const unused = new Set(
        [...stock.restored.values()].filter(shelf => !isUsed(shelf.lead)).map(({ lead }) => lead.label),
      );
      return ok(labels.value.filter(label => !unused.has(label)));
    },
    lead(label) {
      const found = stock.find(label);
      if (!found.ok) return found;
      return ok(found.value !== undefined && isUsed(found.value.lead) ? found.value.lead : undefined);
    },
    text(label, version) {
      const found = stock.find(label);
      if (!found.ok || found.value === undefined) return found as Result<undefined, DeskFailure>;
      const { lead } = found.value;
      const number = version ?? lead.versions.length;
      fetchText(found.value, rows, number);
      const text = lead.contents.get(number);
      if (text === undefined) return ok(undefined);
      return ok({ version: number, hash: versionOf(lead, number)!.hash, text });
    },
    listen(session, hear) {
      listeners.set(session, hear);
      return () => {
        if (listeners.get(session) === hear) listeners.delete(session);
      };
    },
    endSessions: sessions => now => {
      if (sessions.size === 0) return undefined;
      const names = [...sessions].map(session => JSON.stringify(session));
      stock.restoreWhere(record => names.some(name => record.includes(name)));
      const steps: (ContextStep | undefined)[] = [];
      for (const shelf of stock.restored.values()) {
        for (const mate of shelf.lead.teammates.values()) {
          if (mate.live && sessions.has(mate.session))
            steps.push(step(shelf, { type: "leave", teammate: mate.id, now }));
        }
      }
      return joinSteps(steps);
    },
    nextDue() {
      if (soonest === undefined || soonest.among < stock.restored.size) {
        let at = Infinity;
        for (const { due } of stock.restored.values()) at = Math.min(at, due ?? Infinity);
        soonest = { at, among: stock.restored.size };
      }
      return soonest.at === Infinity ? undefined : soonest.at;
    },
  };
}

function labelOf(word: Exclude<TeammateWord, { type: "lost" }>): string {
  return word.type === "ack" ? word.ack.label : word.request.label;
}

function draftOf(word: TeammateWord, teammate: string, session: string): LeadDraft {
  switch (word.type) {
    case "ack":
      return { type: "ack", teammate, session, ack: word.ack };
    case "lost":
      return { type: "lost", teammate, session, cause: "reported" };
    case "request": {
      const { reason: _, ...request } = word.request;
      return { type: "request", teammate, session, ...request };
    }
    default:
      return word satisfies never;
  }
}
