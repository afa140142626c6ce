import type { PointId } from "./points.ts";
import type { SyncPolicy } from "./policy.ts";
import type { Question } from "./question.ts";

/** A published version of the document; its text is kept apart, by number. */
export interface Version {
  readonly number: number;
  /** Short hash of the text. */
  readonly hash: string;
  readonly at: number;
  readonly by: string;
  /** Whom it affects and what they are to do, where the publisher or the routing said so. */
  readonly affected?: readonly string[];
  readonly actions?: readonly string[];
  /** What its publisher wrote, where others' words were merged with it. */
  readonly edited?: string;
  /** The injection point it was published at, where that is not IP-003. */
  readonly point?: PointId;
}

/**
 * How an update is carried: operations, sections' new texts, the whole document; unclear sections once more, or nothing
 * but the version, both as updates from a version to itself.
 */
export type MessageForm = "delta" | "sections" | "full" | "restated" | "version";

/** Why a message has the form it has; the first six are the settled reasons for full. */
export type Why =
  | "context-lost"
  | "initial-spawn"
  | "requested"
  | "version-gap"
  | "major-restructure"
  | "unclear"
  | "injection-point"
  | "base-gone"
  | "inexact"
  | "next-version"
  | "squashed"
  | "asserted";

/** The one update on its way to a teammate. */
export interface Flight {
  /** Number of the message, unique and rising within the document. */
  readonly serial: number;
  readonly version: number;
  /** The confirmed version it starts from; undefined for a full one. */
  readonly from?: number;
  readonly form: MessageForm;
  readonly why: Why;
  /** Items an acknowledgement counts; 0 for a full one. */
  readonly items: number;
  readonly tokens: number;
  sentAt: number;
}

/**
 * How a teammate proves what it holds: `hash`: a tool keeps the replica and answers with its hash; `word`: a reader says so;
 * `none`: it cannot answer and is never waited for.
 */
export type Proof = "hash" | "word" | "none";

/** The version a teammate has proved to hold. */
export interface Confirmed {
  readonly version: number;
  readonly hash: string;
  readonly at: number;
  readonly serial: number;
  /** `read`: it said what only a reader of the change could say. */
  readonly by: "hash" | "read" | "word";
}

/** A teammate as the lead knows it. */
export interface Teammate {
  readonly id: string;
  /** Of the agent it lives in; what comes from another session is not its word. */
  readonly session: string;
  readonly proof: Proof;
  readonly role: string;
  /** Titles of sections it works with; without any, every change affects it. */
  readonly interests: readonly string[];
  /** It comes for its updates: nothing goes to it before it pulls. */
  readonly fetches: boolean;
  live: boolean;
  context: "new" | "held" | "lost";
  confirmed?: Confirmed;
  flight?: Flight;
  /** What makes a message a full one, beside a new or lost context; settled by one with a number above `after`. */
  wantsFull?: { readonly why: "requested" | "unclear" | "injection-point"; readonly after: number };
  /** The injection point at which it is owed what it lacks, where that is not the version's own. */
  point?: PointId;
  /** Versions it is to be given, rising; the one in flight is among them. */
  waiting: number[];
  /** What it did not understand of a version; without references it is only to say that it holds it. */
  unclear?: { readonly version: number; readonly refs: readonly string[] };
  /** The last messages of this session since its context was new or lost, above the confirmed version. */
  sent: { readonly serial: number; readonly version: number; readonly question?: Question }[];
  /** Lowest number of a message whose acknowledgement counts. */
  firstSerial: number;
  /** Messages since the last progress. */
  tries: number;
  lastSentAt: number;
  /** Tokens of the last message; absent before it. */
  lastTokens?: number;
  /** It did not answer in time and has not caught up since. */
  stale: boolean;
  /** It asked for a person; its task is paused. */
  paused: boolean;
  readonly sizes: Record<MessageForm, { messages: number; tokens: number }>;
}

/** A phase gate: first it waits for the team, then it is judged and nothing goes out. */
export interface Gate {
  readonly id: string;
  readonly version: number;
  since: number;
  judging: boolean;
}

/** What a lead knows of one document and of those who hold copies. Owned and changed by `leadStep`. */
export interface Lead {
  readonly label: string;
  readonly policy: SyncPolicy;
  /** Rising without gaps. */
  readonly versions: Version[];
  readonly contents: Map<number, string>;
  readonly teammates: Map<string, Teammate>;
  serial: number;
  gate?: Gate;
  /** Messages by the versions they bridge: a team of equals gets one. */
  readonly memo: Map<string, Prepared | undefined>;
}

/** A message without its addressee. */
export interface Prepared {
  readonly text: string;
  readonly form: MessageForm;
  readonly items: number;
  readonly tokens: number;
  /** For a step that came out full: whether its size is the reason. */
  readonly major: boolean;
}

/** The newest version, or undefined before the first. */
export function currentVersion(lead: Lead): Version | undefined {
  return lead.versions.at(-1);
}

/** A version by its number. */
export function versionOf(lead: Lead, number: number): Version | undefined {
  const first = lead.versions[0];
  return first === undefined ? undefined : lead.versions[number - first.number];
}

/** The newest version that may go out now: under a gate it is the gate's. */
export function openVersion(lead: Lead): number {
  return lead.gate?.version ?? currentVersion(lead)?.number ?? 0;
}

/** A live teammate that can acknowledge. */
export function canAck(mate: Teammate): boolean {
  return mate.live && mate.proof !== "none";
}

/** Whether a teammate has proved to hold a version or a later one. */
export function holds(mate: Teammate, version: number): boolean {
  return mate.context === "held" && mate.confirmed!.version >= version;
}
