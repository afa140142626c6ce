/** What a teammate decided on an update. */
export type AckAction = "CONTINUE" | "PAUSE" | "NEED_CLARIFICATION";

/** An acknowledgement, read. Texts are foreign. */
export interface Ack {
  readonly label: string;
  readonly version: number;
  /** Hexadecimal digits of the replica's hash, when a tool answered. */
  readonly hash?: string;
  /** Number of the message it answers. */
  readonly serial?: number;
  readonly items?: { readonly applied: number; readonly total: number };
  /** `NONE`, or how the update touches the teammate's work; empty when it does not say. */
  readonly impact: string;
  /** Absent in the oldest form. */
  readonly action?: AckAction;
  /** Sections and items it did not understand, as it names them, without `§`. */
  readonly unclear: readonly string[];
}

/** Digits of the hash that prove a replica: more than any message shows. */
export const PROOF_DIGITS = 12;
/** What begins an acknowledgement. */
export const ACK_TAG = "[ACK-UPDATE] ";

/**
 * Writes an acknowledgement on one line:
 * `[ACK-UPDATE] GC-v4 cd5f01ab12cd #7 received. Items: 3/3. Impact: NONE. Action: CONTINUE`.
 */
export function writeAck(ack: Ack): string {
  const hash = ack.hash === undefined ? "" : ` ${ack.hash}`;
  const serial = ack.serial === undefined ? "" : ` #${ack.serial}`;
  const parts = [`${ACK_TAG}${ack.label}-v${ack.version}${hash}${serial} received`];
  if (ack.items !== undefined) parts.push(`Items: ${ack.items.applied}/${ack.items.total}`);
  if (ack.impact !== "") parts.push(`Impact: ${isBareImpact(ack.impact) ? ack.impact : quoted(ack.impact)}`);
  if (ack.action !== undefined) parts.push(`Action: ${ack.action}`);
  if (ack.unclear.length > 0) {
    parts.push(
      `Unclear items: ${ack.unclear.map(ref => `§${isBareRef(ref) ? ref : quoted(ref)}`).join(", ")}`,
    );
  }
  return parts.join(". ");
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

/** Whether a free text cannot be read as anything behind it. */
function isBareImpact(text: string): boolean {
  return isOneLine(text) && !text.startsWith('"') && namesNoField(text);
}

function isBareRef(text: string): boolean {
  if (text === "" || '".;§'.includes(text[0]!) || text.includes(",") || text.includes(";") || isNone(text))
    return false;
  return isOneLine(text) && namesNoField(text);
}

function namesNoField(text: string): boolean {
  const words = text.toLowerCase();
  return !["action", "unclear", "items", "impact"].some(word => words.includes(word));
}

/** Keeps its edges when it stands between other things on one line. */
function isOneLine(text: string): boolean {
  if (text !== text.trim() || text.endsWith(".")) return false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 32 || code === 0x7f || code === 0x85 || code === 0x2028 || code === 0x2029) return false;
  }
  return true;
}

/** A list that says it is empty. */
export function isNone(text: string): boolean {
  const word = text.toLowerCase();
  return word === "none" || word === "-" || word === "";
}
