import { isLabel } from "../delta/index.ts";
import { RECEIVED } from "./ack-words.ts";

/** What the head of an acknowledgement says. */
export interface Head {
  readonly label: string;
  readonly version: number;
  readonly hash?: string;
  readonly serial?: number;
  /** What in it is not understood, or contradicts the rest. */
  readonly doubt?: string;
}

const LABELLED = /^([\p{L}\p{N}_][\p{L}\p{N}_.-]{0,63})[-_][vV](\d{1,9})(?:을|를|은|는|이|가)?$/u;
const BARE_VERSION = /^[vV](\d{1,9})(?:을|를|은|는|이|가)?$/u;
const NEXT_VERSION = /^[vV]?(\d{1,9})(?:을|를|은|는|이|가)?$/u;
const HASH = /^[0-9a-fA-F]{4,64}$/;
const DIGIT = /\d/;
const SERIAL = /^#(\d{1,9})$/;
const LETTER = /[\p{L}\p{N}]/u;
const ARROWS = ["→", "⇒", "⟶", "➜", "➔", "-->", "->", "=>"];
const DRESS_BEFORE = ":：*`\"'([{<«“‘~\\";
const DRESS_BEHIND = "*_`\"')]}>»”’~\\.,:：;!|…";

/** Reads what stands between the tag and the first field; undefined where no version of a document is named. */
export function readHead(text: string): Head | undefined {
  const words = headWords(text);
  let named: { label: string; version: number } | undefined;
  let hash: string | undefined;
  let serial: number | undefined;
  let doubt: string | undefined;
  let before = "";
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const last = before;
    before = word;
    if (word === "→" || RECEIVED.has(word.normalize("NFKC").toUpperCase())) continue;
    const step = named !== undefined && (last === "→" || last.toLowerCase() === "to");
    const more = step ? NEXT_VERSION.exec(word)?.[1] : undefined;
    const found =
      more === undefined
        ? labelled(word, words[at + 1])
        : { label: named!.label, version: Number(more), used: 1 };
    if (found !== undefined) {
      at += found.used - 1;
      before = words[at]!;
      // `from GC-v3` says where it comes from.
      if (last.toLowerCase() === "from") continue;
      const follows =
        named === undefined || (step && found.label === named.label && found.version > named.version);
      if (follows) named = { label: found.label, version: found.version };
      else doubt ??= word;
    } else if (isHash(word)) {
      if (hash !== undefined && hash !== word.toLowerCase()) doubt ??= word;
      hash ??= word.toLowerCase();
    } else if (SERIAL.test(word)) {
      const number = Number(word.slice(1));
      if (serial !== undefined && serial !== number) doubt ??= word;
      serial ??= number;
    } else if (word.toLowerCase() !== "from" && !(named !== undefined && word.toLowerCase() === "to")) {
      doubt ??= word;
    }
  }
  if (named === undefined) return undefined;
  return {
    ...named,
    ...(hash === undefined ? {} : { hash }),
    ...(serial === undefined ? {} : { serial }),
    ...(doubt === undefined ? {} : { doubt }),
  };
}

/** The words of a head without emphasis, brackets and stops around them; an arrow is one. */
function headWords(text: string): string[] {
  let spaced = text;
  for (const arrow of ARROWS) spaced = spaced.replaceAll(arrow, " → ");
  return spaced
    .split(/\s/u)
    .map(undressed)
    .filter(word => word === "→" || LETTER.test(word));
}

function undressed(word: string): string {
  let from = 0;
  let to = word.length;
  while (from < to && DRESS_BEFORE.includes(word[from]!)) from++;
  while (to > from && DRESS_BEHIND.includes(word[to - 1]!)) to--;
  return word.slice(from, to);
}

/** `GC-v4`, or `GC v4` as two words. */
function labelled(
  word: string,
  next: string | undefined,
): { readonly label: string; readonly version: number; readonly used: number } | undefined {
  const one = LABELLED.exec(word);
  if (one !== null) return { label: one[1]!, version: Number(one[2]), used: 1 };
  const version = isLabel(word) ? BARE_VERSION.exec(next ?? "") : null;
  return version === null ? undefined : { label: word, version: Number(version[1]), used: 2 };
}

/** Words such as `added` have the digits of a hash, too. */
function isHash(word: string): boolean {
  return HASH.test(word) && (DIGIT.test(word) || word.length >= 12);
}
