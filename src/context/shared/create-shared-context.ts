import { fail, ok, type Result } from "../../ports/index.ts";
import {
  type Lead,
  type LeadInput,
  type LeadStep,
  lastBy,
  leadStep,
  nextDue,
  type TeammateWord,
  versionOf,
} from "../../sync/index.ts";
import { createGateWait, type GateWait } from "./gate-wait.ts";
import { dropTexts, fetchText, type LabelState } from "./label-state.ts";
import { type ContextFailure, createLabels } from "./labels.ts";
import { isUsed, stepRows } from "./rows.ts";
import type {
  ContextMessage,
  HeardStep,
  LeadDraft,
  SharedContext,
  SharedContextOptions,
} from "./shared-context.ts";
import { draftOf, labelOf, withoutLabel } from "./word.ts";
import { type ContextStep, type ContextWork, joinSteps } from "./work.ts";

/** A shared context over a store's context. */
export function createSharedContext({ rows, ledger, policy, codec }: SharedContextOptions): SharedContext {
  const labels = createLabels(rows, policy);
  const listeners = new Map<string, (message: ContextMessage) => void>();
  /** When time next changes something at the labels restored so far; undefined when that has to be looked up again. */
  let soonest: { readonly at: number; readonly among: number } | undefined;
  let gate: GateWait | undefined;

  function step(
    state: LabelState,
    input: LeadInput,
    told?: (step: LeadStep) => void,
  ): ContextStep | undefined {
    const { lead } = state;
    const { label } = lead;
    if (input.type === "publish") {
      const base = input.base ?? (input.follows === true ? lastBy(lead, input.by ?? "")?.number : undefined);
      if (base !== undefined) fetchText(state, rows, base);
    }
    const done = leadStep(lead, input, codec);
    state.due = nextDue(lead);
    soonest = undefined;
    told?.(done);
    // An older gate that is lifted right before this one is not its end.
    const hears = gate?.isOpen(label) === true ? gate : undefined;
    const change = stepRows(lead, done, input.now);
    if (change === undefined) return undefined;
    for (const { number, hash } of change.versions ?? []) {
      state.hashes.set(number, hash);
      state.kept.add(number);
      labels.own(label, hash);
    }
    const gone = [...dropTexts(state)].filter(hash => !labels.isSharedElsewhere(hash, label));
    const settled = () => {
      hears?.hear(label, done);
      for (const message of done.messages) {
        const withTask = done.taskContexts.has(message.teammate);
        listeners.get(message.session)?.({ ...message, label, withTask });
      }
    };
    return { rows: gone.length === 0 ? change : { ...change, dropTexts: gone }, settled };
  }

  /** What has become due comes first, so that nothing is judged by what time has settled already. */
  function passTime(state: LabelState, now: number): ContextStep | undefined {
    const lifted = state.isGateLeftBehind ? step(state, { type: "unfreeze", now }) : undefined;
    state.isGateLeftBehind = false;
    return joinSteps([lifted, passDue(state, now)]);
  }

  function passDue(state: LabelState, now: number): ContextStep | undefined {
    const { due } = state;
    if (due === undefined) return undefined;
    // What was sent in a future that a clock set back has made is due to be dated anew.
    const isDue = due <= now || due > now + policy.ackTimeoutMs;
    return isDue ? step(state, { type: "tick", now }) : undefined;
  }

  function workOn(state: LabelState, input: LeadDraft, told?: (step: LeadStep) => void): ContextWork {
    return now => joinSteps([passTime(state, now), step(state, { ...input, now } as LeadInput, told)]);
  }

  /** Only who publishes or joins makes a label. */
  function labelFor(label: string, input: LeadDraft): Result<LabelState, ContextFailure> {
    if (input.type === "publish" || input.type === "join") return labels.open(label);
    const found = labels.find(label);
    if (!found.ok) return found;
    return found.value === undefined ? fail({ kind: "unknown", label }) : ok(found.value);
  }

  /** The labels a word is for, where they are known. */
  function labelsFor(word: TeammateWord, teammate: string): Result<LabelState[], ContextFailure> {
    const named = labelOf(word);
    const meant = named === undefined ? labels.labels() : ok([named]);
    if (!meant.ok) return meant;
    const states: LabelState[] = [];
    for (const label of meant.value) {
      const found = labels.find(label);
      if (!found.ok) return found;
      if (found.value === undefined) continue;
      const isIn = found.value.lead.teammates.get(teammate)?.live === true;
      if (named !== undefined || isIn) states.push(found.value);
    }
    return ok(states);
  }

  return {
    tick: now => joinSteps([...labels.restored.values()].map(state => passTime(state, now))),
    async act(label, input) {
      const state = labelFor(label, input);
      if (!state.ok) return state;
      let made: LeadStep | undefined;
      const done = await ledger.commit(
        workOn(state.value, input, told => {
          made = told;
        }),
      );
      return done && made !== undefined ? ok(made) : fail({ kind: "closed" });
    },
    work(label, input, told) {
      const state = labelFor(label, input);
      return state.ok ? ok(workOn(state.value, input, told)) : state;
    },
    async hear(words, { teammate, session }) {
      const works: ContextWork[] = [];
      const heard: HeardStep[] = [];
      for (const said of words) {
        const named = labelsFor(said, teammate);
        if (!named.ok) return named;
        const halt = named.value.length === 0 ? withoutLabel(said) : undefined;
        const word = halt ?? said;
        const states = halt === undefined ? named : labelsFor(halt, teammate);
        if (!states.ok) return states;
        for (const state of states.value) {
          const { label } = state.lead;
          const input = draftOf(word, teammate, session);
          works.push(workOn(state, input, told => heard.push({ label, step: told })));
        }
      }
      if (works.length === 0) return ok([]);
      const done = await ledger.commit(now => joinSteps(works.map(work => work(now))));
      return done ? ok(heard) : fail({ kind: "closed" });
    },
    labels() {
      const known = labels.labels();
      if (!known.ok) return known;
      const unused = new Set(
        [...labels.restored.values()].filter(state => !isUsed(state.lead)).map(({ lead }) => lead.label),
      );
      return ok(known.value.filter(label => !unused.has(label)));
    },
    lead(label) {
      const found = labels.find(label);
      if (!found.ok) return found;
      return ok(found.value !== undefined && isUsed(found.value.lead) ? found.value.lead : undefined);
    },
    text(label, version) {
      const found = labels.find(label);
      if (!found.ok || found.value === undefined) return found as Result<undefined, ContextFailure>;
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
    reach: (point, teammate) => now => {
      labels.restoreWhere(record => record.includes('"live":true'));
      const meant = [...labels.restored.values()].filter(({ lead }) =>
        teammate === undefined ? isHeld(lead) : lead.teammates.get(teammate)?.live === true,
      );
      const whom = teammate === undefined ? {} : { teammates: [teammate] };
      return joinSteps(meant.map(state => workOn(state, { type: "inject", point, ...whom })(now)));
    },
    endSessions: sessions => now => {
      if (sessions.size === 0) return undefined;
      const names = [...sessions].map(session => JSON.stringify(session));
      labels.restoreWhere(record => names.some(name => record.includes(name)));
      const steps: (ContextStep | undefined)[] = [];
      for (const state of labels.restored.values()) {
        for (const mate of state.lead.teammates.values()) {
          if (mate.live && sessions.has(mate.session))
            steps.push(step(state, { type: "leave", teammate: mate.id, now }));
        }
      }
      return joinSteps(steps);
    },
    forgetEnded: now => {
      labels.restoreWhere(record => record.includes('"live":false'));
      return joinSteps([...labels.restored.values()].map(state => step(state, { type: "forget", now })));
    },
    async freeze(name, { waits, hurry } = {}) {
      const wait = createGateWait();
      gate = wait;
      const frozen = await ledger.commit(now => {
        labels.restoreWhere(record => record.includes('"live":true'));
        const held = [...labels.restored.values()].filter(({ lead }) => isHeld(lead));
        return joinSteps(
          held.map(state =>
            workOn(state, { type: "freeze", gate: name }, told => wait.begin(state.lead.label, told))(now),
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
      const frozen = [...labels.restored.values()].filter(({ lead }) => lead.gate !== undefined);
      return joinSteps(frozen.map(state => step(state, { type: "unfreeze", now })));
    },
    nextDue() {
      if (soonest === undefined || soonest.among < labels.restored.size) {
        let at = Infinity;
        for (const { due } of labels.restored.values()) at = Math.min(at, due ?? Infinity);
        soonest = { at, among: labels.restored.size };
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
