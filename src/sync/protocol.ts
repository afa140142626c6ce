import type { Told } from "../text/index.ts";
import type { Ack, Halting } from "./ack.ts";
import type { PointId } from "./points.ts";
import type { Confirmed, MessageForm, Proof, Why } from "./state.ts";

/** What a lead is told. `now` is in milliseconds and comes from one clock. */
export type LeadInput = { readonly now: number } & (
  | {
      readonly type: "publish";
      readonly text: string;
      readonly by?: string;
      /** The version the publisher edited; absent: the current one. */
      readonly base?: number;
      /** The text the publisher edited, where the version it went into has what others wrote as well. */
      readonly edited?: string;
      /** Without `base`: goes on from what the same publisher wrote last, where that is kept; what others published since is merged. */
      readonly follows?: boolean;
      /** Where others changed the same section since, this text stands as it is. */
      readonly outranks?: boolean;
      /** Teammates it affects; absent: decided by their interests. */
      readonly affected?: readonly string[];
      readonly actions?: readonly string[];
      /** Default IP-003. */
      readonly point?: PointId;
    }
  | {
      readonly type: "join";
      readonly teammate: string;
      readonly session: string;
      readonly proof?: Proof;
      readonly role?: string;
      readonly interests?: readonly string[];
      /** It comes for its updates by `pull`; default: they are sent to it. */
      readonly fetches?: boolean;
      /** It takes another's place (IP-006). */
      readonly replaces?: string;
    }
  /** One of the table's points is reached; `teammates` where it concerns one or some. */
  | { readonly type: "inject"; readonly point: PointId; readonly teammates?: readonly string[] }
  /**
   * Gives a teammate what it needs now, whatever was sent before. `squash`: as one delta across any gap, for who is at work
   * and has missed nothing. `most`: nothing where that has more characters. `asks`: together with what only a reader of it can
   * say, where there is anything; what `must` be answered is not confirmed without.
   */
  | {
      readonly type: "pull";
      readonly teammate: string;
      readonly squash?: boolean;
      readonly most?: number;
      readonly asks?: "may" | "must";
    }
  | { readonly type: "leave"; readonly teammate: string }
  | { readonly type: "ack"; readonly teammate: string; readonly session: string; readonly ack: Ack }
  | {
      readonly type: "request";
      readonly teammate: string;
      readonly session: string;
      /** Absent: whichever document this is. */
      readonly label?: string;
      /** Sections it needs; absent: the whole document. */
      readonly sections?: readonly string[];
      /** The message it could not use. */
      readonly serial?: number;
    }
  /** It asks for a person or an explanation, and does not say of which version. */
  | {
      readonly type: "halt";
      readonly teammate: string;
      readonly session: string;
      readonly action: Halting;
      readonly impact: string;
    }
  | {
      readonly type: "lost";
      readonly teammate: string;
      readonly session: string;
      readonly cause: "compaction" | "resume" | "restart" | "reported";
    }
  /** A person answered a teammate's PAUSE. */
  | { readonly type: "resume"; readonly teammate: string }
  /** A run begins: of teammates that ended before it, only the last `keepEnded` are remembered. */
  | { readonly type: "forget" }
  | { readonly type: "freeze"; readonly gate: string }
  | { readonly type: "unfreeze" }
  | { readonly type: "tick" }
);

/** A message to send. */
export interface Outgoing {
  readonly teammate: string;
  readonly session: string;
  readonly serial: number;
  readonly version: number;
  readonly from?: number;
  readonly form: MessageForm;
  readonly why: Why;
  /** The injection point it is sent at; absent in logs of earlier versions. */
  readonly point?: PointId;
  readonly tokens: number;
  readonly text: string;
  /** In front of what its reader is asked for. */
  readonly cue?: string;
}

/** What an acknowledgement came to; the rules are in SPEC.md. */
export type Verdict =
  | "confirmed"
  | "partial"
  | "undercounted"
  | "duplicate"
  | "older"
  | "unproven"
  | "forged"
  | "overcounted"
  | "never-sent"
  | "old-attempt"
  | "old-session"
  | "other-label"
  | "ended"
  | "unknown-teammate";

/** A section that two publishers changed, as each left it; empty where one removed it. */
export interface Clash {
  readonly section: string;
  readonly current: string;
  readonly published: string;
}

/** What happened, for the message log. Names, titles and texts are foreign. */
export type SyncEvent =
  | {
      readonly type: "published";
      readonly version: number;
      readonly hash: string;
      readonly by: string;
      readonly sections: readonly string[];
      readonly now: readonly string[];
      /** Who learns of it at its next task. */
      readonly later: readonly string[];
      /** The version it was edited from, when others were merged in. */
      readonly mergedFrom?: number;
    }
  /** `since`: its publisher has changed nothing since that version, which others have gone on from. */
  | {
      readonly type: "unchanged";
      readonly version: number;
      readonly by: string;
      readonly since?: number;
    }
  | {
      readonly type: "refused";
      readonly by: string;
      readonly reason: "same-section" | "unknown-base" | "not-unicode" | "too-large" | "name";
      readonly message: string;
      readonly current?: number;
      readonly base?: number;
      readonly clashes: readonly Clash[];
    }
  | {
      readonly type: "joined";
      readonly teammate: string;
      readonly session: string;
      readonly replaces?: string;
    }
  | { readonly type: "left"; readonly teammate: string }
  /** A point was reached that is no publication, start or loss. */
  | { readonly type: "injected"; readonly point: PointId; readonly teammates: readonly string[] }
  | { readonly type: "lost"; readonly teammate: string; readonly cause: string }
  | ({ readonly type: "sent" } & Omit<Outgoing, "text" | "cue">)
  | {
      readonly type: "acked";
      readonly teammate: string;
      readonly version: number;
      readonly verdict: Verdict;
      readonly message: string;
      /** The same for other languages; absent in what older versions have written. */
      readonly said?: Told;
      /** How a version was confirmed. */
      readonly proof?: Confirmed["by"] | "given";
    }
  | { readonly type: "paused"; readonly teammate: string; readonly impact: string }
  | {
      readonly type: "clarify";
      readonly teammate: string;
      readonly unclear: readonly string[];
      readonly impact: string;
    }
  | { readonly type: "requested"; readonly teammate: string; readonly sections: readonly string[] }
  | {
      readonly type: "timeout";
      readonly teammate: string;
      readonly version: number;
      /** Messages to it since it made progress, or since a new count began. */
      readonly tries: number;
      /** The message that was not answered; entries of earlier versions do not say. */
      readonly serial?: number;
    }
  | { readonly type: "silent"; readonly teammate: string; readonly version: number }
  | {
      readonly type: "up-to-date";
      readonly teammate: string;
      readonly version: number;
      /** The newest version, where a gate keeps it back. */
      readonly keptBack?: number;
    }
  | {
      readonly type: "withheld";
      readonly teammate: string;
      readonly why: "gate" | "answered" | "silent" | "ended" | "fetches" | "large";
    }
  | {
      readonly type: "frozen";
      readonly gate: string;
      readonly version: number;
      readonly waitsFor: readonly string[];
    }
  | {
      readonly type: "gate-ready";
      readonly gate: string;
      readonly version: number;
      readonly stale: readonly string[];
    }
  | { readonly type: "unfrozen"; readonly gate: string }
  | { readonly type: "forgotten"; readonly teammates: number };

/** What a step came to: messages to send, what to log, whose task-context goes along, whose rows changed. */
export interface LeadStep {
  readonly messages: Outgoing[];
  readonly events: SyncEvent[];
  /** Who is to be given its task-context (task text, dependency results, previous attempts) with this step. */
  readonly taskContexts: Set<string>;
  /** Teammates whose rows changed; one that the lead no longer has is forgotten. */
  readonly touched: Set<string>;
}
