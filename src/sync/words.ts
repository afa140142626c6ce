import { type Ack, type Halting, isHalting } from "./ack.ts";
import { readHead } from "./ack-head.ts";
import { nameAt, readLine } from "./ack-lines.ts";
import { isKoreanContext, isKoreanWhole, loudIn } from "./ack-loud.ts";
import { readAction } from "./ack-values.ts";
import { wordsOf } from "./ack-words.ts";
import { readBlock } from "./read-ack.ts";
import { type ContextRequest, readRequest } from "./request.ts";

/** What a teammate says to its lead. */
export type TeammateWord =
  | { readonly type: "ack"; readonly ack: Ack }
  /** Without a label: of every document that it holds. */
  | {
      readonly type: "request";
      readonly request: Omit<ContextRequest, "label"> & { readonly label?: string };
    }
  /** `CONTEXT_LOST`. */
  | { readonly type: "lost" }
  /** It asks for a person or an explanation, and does not say of which version. */
  | { readonly type: "halt"; readonly action: Halting; readonly impact: string };

/** A part of a text: an acknowledgement from its tag on, a request, or lines that are neither. */
type Part =
  | { readonly type: "block"; readonly lines: string[]; readonly inSentence: boolean }
  | { readonly type: "request"; readonly request: ContextRequest }
  | { readonly type: "line"; readonly line: string };

/** Everything in a text that is meant for the lead, in its order: acknowledgements, requests, a lost context, a halt. */
export function readWords(text: string): TeammateWord[] {
  const words: TeammateWord[] = [];
  let [lost, whole] = [false, false];
  const loud = (label: string | undefined, said: { lost: boolean; wantsFull: boolean }) => {
    if (said.lost && !lost) words.push({ type: "lost" });
    lost ||= said.lost;
    if (!said.wantsFull || (whole && label === undefined)) return;
    whole ||= label === undefined;
    words.push({ type: "request", request: { ...(label === undefined ? {} : { label }), reason: "" } });
  };
  const parts = partsOf(plainSpaces(text));
  const isAnswer = parts.some(({ type }) => type === "block");
  for (const part of parts) {
    if (part.type === "request") words.push(part);
    else if (part.type === "block") {
      const { ack, action, impact, loud: said } = readBlock(part.lines, part.inSentence);
      if (ack !== undefined) words.push({ type: "ack", ack });
      else if (isHalting(action)) words.push({ type: "halt", action, impact });
      loud(ack?.label, said);
    } else {
      const action = haltAlone(part.line) ?? (isAnswer ? haltFirst(part.line) : undefined);
      if (action !== undefined) words.push({ type: "halt", action, impact: "" });
      const said = loudIn(part.line);
      loud(undefined, { lost: said.lost, wantsFull: said.wantsFull && isOwnWish(part.line) });
    }
  }
  return withoutContradictions(words);
}

/** The acknowledgements of a text. */
export function readAcks(text: string): Ack[] {
  return readWords(text).flatMap(word => (word.type === "ack" ? [word.ack] : []));
}

const SPACES = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;
const HYPHENS = /[\u2010\u2011]/g;
const UNSEEN = /[\u00ad\u200b\u2060\ufeff]/g;

/** Models write spaces and hyphens that do not break, and marks that nobody sees. */
function plainSpaces(text: string): string {
  return text.replace(SPACES, " ").replace(HYPHENS, "-").replace(UNSEEN, "");
}

const TAG = /[[［【]?[ *_]{0,3}ACK[-_ ]UPDATE[ *_]{0,3}\\?[\]］】]?/gi;
const UPDATE_TAG = /CONTEXT[-_ ]UPDATE\\?\]/i;
const LETTER = /[\p{L}\p{N}]/u;

function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let block: string[] | undefined;
  const add = (line: string) => {
    if (block === undefined) parts.push({ type: "line", line });
    else block.push(line);
  };
  for (const line of text.split("\n")) {
    const tags = tagsIn(line);
    if (tags.length === 0) {
      const request = line.includes("CONTEXT-REQUEST") ? readRequest(readLine(line).text) : undefined;
      if (request !== undefined) parts.push({ type: "request", request });
      else {
        if (UPDATE_TAG.test(line)) block = undefined;
        add(line);
      }
      continue;
    }
    const before = line.slice(0, tags[0]!.from);
    const inSentence = hasWords(before);
    if (inSentence) add(before);
    for (const [index, { to }] of tags.entries()) {
      block = [line.slice(to, tags[index + 1]?.from)];
      parts.push({ type: "block", lines: block, inSentence: inSentence || index > 0 });
    }
  }
  return parts;
}

/** Whether words stand in what a line begins with, and not marks alone. */
function hasWords(before: string): boolean {
  return LETTER.test(readLine(`${before}x`).text.slice(0, -1));
}

/** Whether a line begins with an acknowledgement, whatever marks stand around it. */
export function opensAck(line: string): boolean {
  const plain = plainSpaces(line);
  const [tag] = tagsIn(plain);
  return tag !== undefined && !hasWords(plain.slice(0, tag.from));
}

/** Where a line names the tag: in brackets, or right before a version. */
function tagsIn(line: string): { readonly from: number; readonly to: number }[] {
  return [...line.matchAll(TAG)]
    .map(({ 0: tag, index }) => ({ from: index, to: index + tag.length, tag }))
    .filter(({ tag, to }) => "[［【".includes(tag[0]!) || readHead(firstWords(line, to)) !== undefined);
}

function firstWords(line: string, at: number): string {
  return line
    .slice(at, at + 80)
    .trimStart()
    .replace(":", "")
    .trimStart()
    .split(" ")
    .slice(0, 2)
    .join(" ");
}

/** An action that stands alone on its line, without an acknowledgement around it. */
function haltAlone(raw: string): Halting | undefined {
  if (raw.length > 200) return undefined;
  const line = readLine(raw);
  const named = nameAt(line);
  const isAction = named !== undefined && "field" in named && named.field === "action";
  const value = isAction ? line.text.slice(named.to) : line.text;
  if (!isAction && value !== value.toUpperCase()) return undefined;
  const { action, plain } = readAction(value);
  return plain && wordsOf(value).length <= 2 && isHalting(action) ? action : undefined;
}

/** A line around an acknowledgement that begins with it, in capitals. */
function haltFirst(raw: string): Halting | undefined {
  const { text } = readLine(raw);
  const [word] = wordsOf(text);
  const isFirst = (word === "PAUSE" || word === "NEED" || word === "REQUEST") && FIRST.test(text);
  const { action } = isFirst ? loudIn(text) : {};
  return isHalting(action) ? action : undefined;
}

const FIRST = /^[^\p{L}\p{N}]{0,4}(?:PAUSE|NEED|REQUEST)/u;
const OWN: ReadonlySet<string> = new Set(
  wordsOf(
    "i we still now also please need needs request requesting send resend want would like lead explicit the a status",
  ),
);

/** Whether a line outside of an acknowledgement asks for the context itself, and does not only speak of it. */
function isOwnWish(line: string): boolean {
  if (line.includes("CONTEXT-REQUEST")) return true;
  const words = wordsOf(line);
  const all = words.findIndex(word => word === "FULL" || isKoreanWhole(word));
  const at = isKoreanContext(words[all - 1] ?? "") ? all - 1 : all;
  return words.slice(Math.max(0, at - 3), at).every(word => OWN.has(word));
}

/** Two answers to one message that differ prove nothing. */
function withoutContradictions(words: readonly TeammateWord[]): TeammateWord[] {
  const said = new Map<string, string>();
  const contradicted = new Set<string>();
  const keyOf = ({ label, version, serial }: Ack) => `${label} ${version} ${serial ?? ""}`;
  for (const word of words) {
    if (word.type !== "ack") continue;
    const { items, action, unclear, hash, seen, doubt } = word.ack;
    const content = JSON.stringify([items, action, unclear, hash, seen, doubt !== undefined]);
    const key = keyOf(word.ack);
    if ((said.get(key) ?? content) !== content) contradicted.add(key);
    said.set(key, content);
  }
  return words.map(word =>
    word.type === "ack" && contradicted.has(keyOf(word.ack))
      ? { type: "ack", ack: { ...word.ack, doubt: word.ack.doubt ?? "[ACK-UPDATE]" } }
      : word,
  );
}
