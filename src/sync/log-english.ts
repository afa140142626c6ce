import { INJECTION_POINTS } from "./points.ts";
import type { SyncEvent, Verdict } from "./protocol.ts";
import type { Why } from "./state.ts";

const WHY: Readonly<Record<Why, string>> = {
  "context-lost": "its context was lost",
  "initial-spawn": "it has just begun",
  requested: "it asked for the full context",
  "version-gap": "more versions lie between than one delta may bridge",
  "major-restructure": "the change is too large a share of the document",
  unclear: "it was not understood",
  "injection-point": "the injection point asks for it",
  "base-gone": "the version it holds is no longer kept",
  inexact: "no delta could be proved exact",
  "next-version": "the next version",
  squashed: "all versions since the confirmed one",
  asserted: "to make sure of the version",
};

const VERDICT: Readonly<Record<Verdict, string>> = {
  confirmed: "confirmed",
  partial: "partly understood",
  undercounted: "does not count all items",
  duplicate: "came twice",
  older: "is older than what is confirmed",
  unproven: "proves nothing",
  forged: "contradicts the version",
  overcounted: "counts more than there is",
  "never-sent": "answers what was never sent",
  "old-attempt": "answers what was sent before the loss",
  "old-session": "comes from another session",
  "other-label": "is for another document",
  ended: "comes after the end",
  "unknown-teammate": "comes from a stranger",
};

/** What happened, as an English sentence. */
export function englishSentence(event: SyncEvent): string {
  switch (event.type) {
    case "published": {
      const merged = event.mergedFrom === undefined ? "" : `, merged from v${event.mergedFrom}`;
      const later = event.later.length === 0 ? "" : `; at their next task: ${event.later.join(", ")}`;
      return `v${event.version} ${event.hash} by ${event.by || "?"}${merged}; now: ${event.now.join(", ") || "nobody"}${later}`;
    }
    case "unchanged":
      return `nothing new, still v${event.version}`;
    case "refused":
      return `refused (${event.reason}): ${event.message}`;
    case "joined":
      return `${event.teammate} joined${event.replaces === undefined ? "" : ` in place of ${event.replaces}`}`;
    case "left":
      return `${event.teammate} left`;
    case "injected":
      return `${event.point} (${INJECTION_POINTS[event.point].trigger}) for ${event.teammates.join(", ")}`;
    case "lost":
      return `${event.teammate} lost its context: ${event.cause}`;
    case "sent": {
      const step = event.from === undefined ? `v${event.version}` : `v${event.from} → v${event.version}`;
      return `${step} to ${event.teammate} as ${event.form} (#${event.serial}, ${event.tokens} tokens): ${WHY[event.why]}${event.point === undefined ? "" : `, at ${event.point}`}`;
    }
    case "acked":
      return `acknowledgement of v${event.version} by ${event.teammate} ${VERDICT[event.verdict]}: ${event.message}`;
    case "paused":
      return `${event.teammate} asks for a person: ${event.impact}`;
    case "clarify":
      return `${event.teammate} did not understand ${event.unclear.map(ref => `§${ref}`).join(", ") || event.impact}`;
    case "requested":
      return `${event.teammate} asks for ${event.sections.map(ref => `§${ref}`).join(", ") || "the full context"}`;
    case "timeout":
      return `no answer from ${event.teammate} to v${event.version} (${event.serial === undefined ? `message ${event.tries}` : `#${event.serial}`})`;
    case "silent":
      return `${event.teammate} does not answer; v${event.version} waits until it is heard of`;
    case "up-to-date":
      return event.keptBack === undefined
        ? `${event.teammate} holds v${event.version} already`
        : `${event.teammate} holds v${event.version}; v${event.keptBack} goes out after the gate`;
    case "withheld":
      return `nothing for ${event.teammate}: ${WITHHELD[event.why]}`;
    case "frozen":
      return `gate ${event.gate} freezes v${event.version}; waits for ${event.waitsFor.join(", ") || "nobody"}`;
    case "gate-ready":
      return `gate ${event.gate} can be judged on v${event.version}${event.stale.length === 0 ? "" : `; stale: ${event.stale.join(", ")}`}`;
    case "unfrozen":
      return `gate ${event.gate} is over`;
    case "forgotten":
      return `${event.teammates} teammates of earlier runs forgotten`;
    default:
      return event satisfies never;
  }
}

const WITHHELD = {
  gate: "a gate is being judged",
  answered: "the answer is on its way",
  silent: "it does not answer",
  ended: "it is not in the team",
  fetches: "it comes for its updates",
  large: "what waits is too large for the answer of a tool",
} as const;
