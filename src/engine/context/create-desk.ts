import { fail, ok, type Result } from "../../ports/index.ts";
import {
  type Lead,
  type LeadInput,
  type LeadStep,
  leadStep,
  nextDue,
  type TeammateWord,
  versionOf,
} from "../../sync/index.ts";
import type { Desk, DeskMessage, DeskOptions, HeardStep, LeadDraft } from "./desk.ts";
import { createGateWait, type GateWait } from "./gate-wait.ts";
import { isUsed, stepRows } from "./rows.ts";
import { clearShelf, fetchText, type Shelf } from "./shelf.ts";
import { createStock, type DeskFailure } from "./stock.ts";
import { draftOf, labelOf } from "./word.ts";
import { type ContextStep, type ContextWork, joinSteps } from "./work.ts";

/** A desk over a store's context. */
export function createDesk({ rows, ledger, policy, codec }: DeskOptions): Desk {
  const stock = createStock(rows, policy);
  const listeners = new Map<string, (message: DeskMessage) => void>();
  /** When time next changes something at the shelves restored so far; undefined when that has to be looked up again. */
  let soonest: { readonly at: number; readonly among: number } | undefined;
  let gate: GateWait | undefined;

  function step(shelf: Shelf, input: LeadInput, told?: (step: LeadStep) => void): ContextStep | undefined {
    const { lead } = shelf;
    const { label } = lead;
    if (input.type === "publish" && input.base !== undefined) fetchText(shelf, rows, input.base);
    const done = leadStep(lead, input, codec);
    shelf.due = nextDue(lead);
    soonest = undefined;
    told?.(done);
    // An older gate that is lifted right before this one is not its end.
    const hears = gate?.isOpen(label) === true ? gate : undefined;
    const change = stepRows(lead, done, input.now);
    if (change === undefined) return undefined;
    for (const { number, hash } of change.versions ?? []) {
      shelf.hashes.set(number, hash);
      shelf.kept.add(number);
      stock.own(label, hash);
    }
    const dropTexts = [...clearShelf(shelf)].filter(hash => !stock.isSharedElsewhere(hash, label));
    const settled = () => {
      hears?.hear(label, done);
      for (const message of done.messages) {
        const withTask = done.taskContexts.has(message.teammate);
        listeners.get(message.session)?.({ ...message, label, withTask });
      }
    };
    return { rows: dropTexts.length === 0 ? change : { ...change, dropTexts }, settled };
  }

  /** What has become due comes first, so that nothing is judged by what time has settled already. */
  function passTime(shelf: Shelf, now: number): ContextStep | undefined {
    const lifted = shelf.isGateLeftBehind ? step(shelf, { type: "unfreeze", now }) : undefined;
    shelf.isGateLeftBehind = false;
    return joinSteps([lifted, passDue(shelf, now)]);
  }

  function passDue(shelf: Shelf, now: number): ContextStep | undefined {
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
    forgetEnded: now => {
      stock.restoreWhere(record => record.includes('"live":false'));
      return joinSteps([...stock.restored.values()].map(shelf => step(shelf, { type: "forget", now })));
    },
    async freeze(name, { waits, hurry } = {}) {
      const wait = createGateWait();
      gate = wait;
      const frozen = await ledger.commit(now => {
        stock.restoreWhere(record => record.includes('"live":true'));
        const held = [...stock.restored.values()].filter(({ lead }) => isHeld(lead));
        return joinSteps(
          held.map(shelf =>
            workOn(shelf, { type: "freeze", gate: name }, told => wait.begin(shelf.lead.label, told))(now),
          ),
        );
      });
      if (!frozen) return undefined;
      if (wait.waitsFor.size > 0) waits?.([...wait.waitsFor]);
      await wait.over(hurry);
      return [...wait.behind];
    },
    unfreeze: now => {
      gate = undefined;
      const frozen = [...stock.restored.values()].filter(({ lead }) => lead.gate !== undefined);
      return joinSteps(frozen.map(shelf => step(shelf, { type: "unfreeze", now })));
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

/** Whether somebody is there who keeps a copy. */
function isHeld({ teammates }: Lead): boolean {
  for (const { live } of teammates.values()) if (live) return true;
  return false;
}
