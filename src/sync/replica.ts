import { type DecodeFailure, shortHash } from "../delta/index.ts";
import { type AckAction, writeAck } from "./ack.ts";
import type { Codec } from "./codec.ts";
import { writeRequest } from "./request.ts";

/** A teammate's copy of one document: the version, and exactly its bytes. */
export interface Replica {
  readonly label: string;
  /** Absent until the first update came. */
  readonly held?: { readonly version: number; readonly hash: string; readonly text: string };
  /** Number of the newest message it took in; 0 before the first, and where messages have no numbers. */
  readonly serial: number;
}

/** An update as it arrives; the number stands outside of the text, where a tool hands it over. */
export interface Delivery {
  readonly text: string;
  readonly serial?: number;
}

/** What became of a delivery. */
export type Receipt =
  | { readonly type: "applied"; readonly version: number; readonly items: number }
  /** The version was there already: the update came again, or said nothing new. */
  | { readonly type: "held"; readonly version: number }
  /** Older than what it has; kept out. */
  | { readonly type: "late"; readonly version: number }
  /** Not carried out, not even in part. */
  | {
      readonly type: "refused";
      readonly kind: DecodeFailure["kind"] | "other-label" | "unproven";
      readonly message: string;
    };

/** The copy afterwards, what happened, and what to answer; nothing is answered to what is not an update for this copy. */
export interface Received {
  readonly replica: Replica;
  readonly receipt: Receipt;
  readonly answer?: string;
}

/** A copy that holds nothing yet. */
export function emptyReplica(label: string): Replica {
  return { label, serial: 0 };
}

/** Takes in an update, whole or not at all, and answers: with the hash of what it holds, or by asking for what it lacks. */
export function receive(replica: Replica, delivery: Delivery, codec: Codec): Received {
  const { text, serial } = delivery;
  if (serial !== undefined && serial < replica.serial) return late(replica, replica.held?.version ?? 0);
  const read = codec.decode(text, replica.held?.text);
  if (!read.ok) return notDecoded(replica, delivery, read.failure);
  const { label, to, form, items, proven, text: next } = read.value;
  if (label !== replica.label) return refused(replica, "other-label", `It is for ${label}`);
  const held = replica.held;
  // Numbers tell a late message from a lead that went back; without them only the version can.
  if (held !== undefined && serial === undefined && to < held.version) return late(replica, to);
  if (!proven) return ask(replica, serial, "unproven", "It does not name the hash of its result", undefined);
  const hash = shortHash(next);
  const after: Replica = { label, held: { version: to, hash, text: next }, serial: serial ?? replica.serial };
  const same = held?.version === to && held.hash === hash && form !== "full";
  const receipt: Receipt = same ? { type: "held", version: to } : { type: "applied", version: to, items };
  return { replica: after, receipt, answer: ackOf(after, items) };
}

/** The acknowledgement a tool gives for a copy: its hash, and what its reader says of the update; items where they are known. */
export function ackOf(
  replica: Replica,
  items: number | undefined,
  reader: {
    readonly impact?: string;
    readonly action?: AckAction;
    readonly unclear?: readonly string[];
  } = {},
): string {
  const { impact = "NONE", action = "CONTINUE", unclear = [] } = reader;
  const { held } = replica;
  return writeAck({
    label: replica.label,
    version: held?.version ?? 0,
    ...(held === undefined ? {} : { hash: held.hash }),
    ...(replica.serial > 0 ? { serial: replica.serial } : {}),
    ...(items === undefined ? {} : { items: { applied: Math.max(0, items - unclear.length), total: items } }),
    impact,
    action,
    unclear,
  });
}

function notDecoded(replica: Replica, { serial }: Delivery, failure: DecodeFailure): Received {
  const { kind, message, header, section } = failure;
  if (kind === "not-an-update") return refused(replica, kind, message);
  if (header !== undefined && header.label !== replica.label) return refused(replica, "other-label", message);
  const { held } = replica;
  if (held !== undefined && header !== undefined && header.from !== undefined) {
    // A step it has taken already does not fit any more: it came twice, or its acknowledgement was lost.
    if (
      header.to === held.version &&
      header.result !== undefined &&
      held.hash.startsWith(header.result.slice(0, held.hash.length))
    ) {
      const after = { ...replica, serial: serial ?? replica.serial };
      return {
        replica: after,
        receipt: { type: "held", version: held.version },
        answer: ackOf(after, undefined),
      };
    }
    if (serial === undefined && header.to < held.version) return late(replica, header.to);
  }
  return ask(replica, serial, kind, message, section === undefined ? undefined : [section]);
}

function late(replica: Replica, version: number): Received {
  const receipt: Receipt = { type: "late", version };
  return replica.held === undefined
    ? { replica, receipt }
    : { replica, receipt, answer: ackOf(replica, undefined) };
}

function refused(
  replica: Replica,
  kind: Extract<Receipt, { type: "refused" }>["kind"],
  message: string,
): Received {
  return { replica, receipt: { type: "refused", kind, message } };
}

function ask(
  replica: Replica,
  serial: number | undefined,
  kind: Extract<Receipt, { type: "refused" }>["kind"],
  message: string,
  sections: readonly string[] | undefined,
): Received {
  const request = { label: replica.label, reason: kind };
  const answer = writeRequest({
    ...request,
    ...(serial === undefined ? {} : { serial }),
    ...(sections === undefined ? {} : { sections }),
  });
  return { ...refused(replica, kind, message), answer };
}
