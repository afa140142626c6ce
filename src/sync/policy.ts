import type { PointOverrides } from "./points.ts";

/** How a lead keeps its team in step. */
export interface SyncPolicy {
  /** Versions one delta may bridge, counted from the confirmed one; `any`: one squashed delta across any gap. */
  readonly maxGap: number | "any";
  /** Share of the full document, by tokens, above which a change is sent in full. */
  readonly majorRestructure: number;
  /** Milliseconds an acknowledgement may take; also the longest a gate waits. */
  readonly ackTimeoutMs: number;
  /** Messages that go to a teammate without progress before the lead falls silent towards it. */
  readonly maxSends: number;
  /** `impact`: a change goes at once only to those it affects; `all`: to everyone. */
  readonly routing: "impact" | "all";
  /** Versions whose texts are kept for publishers that still edit them; what teammates need is kept besides. */
  readonly keepVersions: number;
  /** Ended teammates that are remembered past the run they lived in, those written to last first. */
  readonly keepEnded: number;
  readonly points: PointOverrides;
  /** Whether each version's front matter is made to say its number. */
  readonly stampVersion: boolean;
}

/** The documents' rules. */
export const DEFAULT_SYNC_POLICY: SyncPolicy = {
  maxGap: 1,
  majorRestructure: 0.5,
  ackTimeoutMs: 120_000,
  maxSends: 3,
  routing: "impact",
  keepVersions: 20,
  keepEnded: 20,
  points: {},
  stampVersion: false,
};
