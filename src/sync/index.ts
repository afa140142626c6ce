export { type Ack, type AckAction, PROOF_DIGITS, writeAck } from "./ack.ts";
export { type Codec, createCodec, type UpdateFacts } from "./codec.ts";
export { heard, type Speaker } from "./heard.ts";
export { syncLogLine } from "./log-line.ts";
export { type Merge, mergeSections } from "./merge.ts";
export { isAsBefore, lastBy } from "./own.ts";
export {
  INJECTION_POINTS,
  type InjectionPoint,
  type PointId,
  type PointOverrides,
  pointOf,
} from "./points.ts";
export { DEFAULT_SYNC_POLICY, type SyncPolicy } from "./policy.ts";
export type { Clash, LeadInput, LeadStep, Outgoing, SyncEvent, Verdict } from "./protocol.ts";
export {
  ackOf,
  type Delivery,
  emptyReplica,
  type Receipt,
  type Received,
  type Replica,
  receive,
} from "./replica.ts";
export { type ContextRequest, readRequest, writeRequest } from "./request.ts";
export { type LeadRows, leadRows, neededVersions, restoreLead } from "./rows.ts";
export { type Standing, standingOf, untold, type WaitReason, waitOf } from "./standing.ts";
export {
  type Confirmed,
  currentVersion,
  type Flight,
  type Gate,
  type Lead,
  type MessageForm,
  openVersion,
  type Proof,
  type Teammate,
  type Version,
  versionOf,
  type Why,
} from "./state.ts";
export { createLead, leadStep, nextDue } from "./step.ts";
export { opensAck, readAcks, readWords, type TeammateWord } from "./words.ts";
