import { NOTHING, wordsOf } from "./ack-words.ts";

/** What a teammate decided on an update. */
export type AckAction = "CONTINUE" | "PAUSE" | "NEED_CLARIFICATION";

/** What stops work, or asks before it goes on. */
export type Halting = Exclude<AckAction, "CONTINUE">;

export function isHalting(action: AckAction | undefined): action is Halting {
  return action === "PAUSE" || action === "NEED_CLARIFICATION";
}

/** An acknowledgement, read. Texts are foreign. */
export interface Ack {
  readonly label: string;
  readonly version: number;
  /** Hexadecimal digits of the replica's hash, when a tool answered. */
  readonly hash?: string;
  /** Number of the message it answers. */
  readonly serial?: number;
  readonly items?: { readonly applied: number; readonly total: number };
  /** The version stood whole in its first message: nobody has answered it. */
  readonly given?: true;
  /** `NONE`, or how the update touches the teammate's work; empty when it does not say. */
  readonly impact: string;
  /** Absent in the oldest form. */
  readonly action?: AckAction;
  /** What it says it has read where it was asked; empty for a form that was not filled in. */
  readonly seen?: string;
  /** Sections and items it did not understand, as it names them, without `§`. */
  readonly unclear: readonly string[];
  /** What in it is not understood, contradicts the rest, or stands twice: such an answer proves nothing. */
  readonly doubt?: string;
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
  if (ack.seen !== undefined) parts.push(`Seen: ${isBareImpact(ack.seen) ? ack.seen : quoted(ack.seen)}`);
  if (ack.impact !== "") parts.push(`Impact: ${isBareImpact(ack.impact) ? ack.impact : quoted(ack.impact)}`);
  if (ack.action !== undefined) parts.push(`Action: ${ack.action}`);
  if (ack.unclear.length > 0) {
    parts.push(
      `Unclear items: ${ack.unclear.map(ref => `§${isBareRef(ref) ? ref : quoted(ref)}`).join(", ")}`,
    );
  }
  return parts.join(". ");
}

const UNUSUAL = /[\u00a0\u00ad\u1680\u2000-\u200b\u2010\u2011\u202f\u205f\u2060\u3000\ufeff]/g;

const TAGS = /ACK[-_ ]UPDATE/gi;

/** As JSON; what a reader takes for an ordinary space, hyphen or nothing, by its number. */
function quoted(text: string): string {
  const numbered = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(text)
    .replace(UNUSUAL, numbered)
    .replace(TAGS, tag => numbered(tag) + tag.slice(1));
}

/** Whether a free text cannot be read as anything behind it. */
function isBareImpact(text: string): boolean {
  const [last = " ", before = " "] = [text.at(-1), text.at(-2)];
  const isEdged =
    "\"'*_`{<([|,;-–—".includes(text[0] ?? "") ||
    ".,;|*`({[}<-–—".includes(last) ||
    ("\"'".includes(last) && " .,;|*".includes(before));
  return text !== "" && isOneLine(text) && !isEdged && text.length <= LONGEST_BARE && namesNothing(text);
}

const BARE_REF = /^[\p{L}\p{N}](?:[\p{L}\p{N} /_#.-]*[\p{L}\p{N}])?$/u;

function isBareRef(text: string): boolean {
  return (
    BARE_REF.test(text) &&
    isOneLine(text) &&
    text.length <= LONGEST_BARE &&
    namesNothing(text) &&
    !NOTHING.has(wordsOf(text).join(""))
  );
}

/** Longer texts are always quoted. */
const LONGEST_BARE = 2_000;
const NAMES =
  'action unclear items impact seen 값 pause clarif context full applied understood : ： = ack-update ack_update ack → 전체 조치 영향 적용 항목 불명확 불분명 §"'.split(
    " ",
  );

/** Nothing in it is a name of a field, or heard wherever it stands. */
function namesNothing(text: string): boolean {
  const words = text.toLowerCase();
  return !NAMES.some(word => words.includes(word));
}

/** Keeps its edges when it stands between other things on one line. */
function isOneLine(text: string): boolean {
  if (text !== text.trim() || text.search(UNUSUAL) >= 0) return false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 32 || code === 0x7f || code === 0x85 || code === 0x2028 || code === 0x2029) return false;
  }
  return true;
}
