import { type DocumentOrigin, isOfAgent, type PackageWords, textHash, visible } from "../text/index.ts";
import type { CountTokens, PackageDocument, PackageResult, PartKind, Piece, ReceiptPart } from "./types.ts";

/** Digits of a hash in delimiters and receipts. */
const SHOWN = 12;
/** Characters of a foreign name in a delimiter. */
const NAME = 200;

/** The hash as delimiters and receipts show it. */
export function shown(hash: string): string {
  return hash.slice(0, SHOWN);
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}=${typeof value === "number" ? value : quoted(value)}`)
    .join("");
}

function quoted(value: string): string {
  return `"${visible(value, NAME).replaceAll('"', "'")}"`;
}

/**
 * A foreign text between tags that it cannot close itself: the closing one carries the hash of the text. What it says about
 * `<document …>` or signals stays text.
 */
function enclosed(
  tag: string,
  values: Readonly<Record<string, string | number>>,
  hash: string,
  text: string,
): string {
  const end = text === "" || text.endsWith("\n") ? "" : "\n";
  return `<${tag}${attributes(values)} hash="${hash}">\n${text}${end}</${tag} ${hash}>\n\n`;
}

/** A piece whose tokens are counted. */
export function piece(
  count: CountTokens,
  text: string,
  part: Pick<ReceiptPart, "kind" | "source"> & Partial<ReceiptPart>,
): Piece {
  return { text, part: { level: 0, in: true, why: "given", ...part, tokens: count(text) } };
}

/** A heading or another text of our own. */
export function ownPiece(count: CountTokens, kind: PartKind, source: string, text: string): Piece {
  return piece(count, `${text.trimEnd()}\n\n`, { kind, source });
}

/** A line of the receipt for what is not in the package. */
export function left(part: Omit<ReceiptPart, "tokens" | "in">): ReceiptPart {
  return { ...part, tokens: 0, in: false };
}

/** What the tag of a shortened text says: its level and, where anybody has the whole, the size of that and how to get it. */
export interface Shortened {
  readonly level: 1 | 2 | 3;
  readonly of?: { readonly whole: number; readonly name: string };
}

function shortening(short: Shortened | undefined): Readonly<Record<string, string | number>> {
  if (short === undefined) return {};
  const { level, of } = short;
  return of === undefined ? { level } : { level, of: of.whole, get: `espalier context get ${of.name}` };
}

/** A document of a node, whole or as `short` says. */
export function documentText(
  node: string,
  { label, version, hash }: PackageDocument,
  from: string,
  text: string,
  short?: Shortened,
): string {
  return enclosed("document", { label, version, node, from, ...shortening(short) }, shown(hash), text);
}

/** A document as it stands where everything fits. */
export function wholeDocument(
  node: string,
  document: PackageDocument,
  words: PackageWords,
  count: CountTokens,
): Piece {
  const { label, version, hash, text, origin } = document;
  return piece(count, documentText(node, document, words.origin(origin), text), {
    kind: "document",
    source: label,
    node,
    version,
    hash: shown(hash),
  });
}

/** What changed in a document since it was given: an update message of the delta room. */
export function updateText(node: string, document: PackageDocument, from: string, message: string): string {
  const { label, hash } = document;
  return enclosed("update", { label, node, from }, shown(hash), message);
}

/**
 * The same between the turns of an agent that has the rest of the package: bare where it is a person's. What is read no more, as
 * its attempt was taken back, is an agent's. The hash is that of the message, which may quote what an earlier version held.
 */
export function updateBetweenTurns(
  label: string,
  origin: DocumentOrigin | undefined,
  message: string,
  words: Pick<PackageWords, "origin">,
): string {
  if (origin !== undefined && !isOfAgent(origin)) return message;
  const from = origin === undefined ? "" : words.origin(origin);
  const values = from === "" ? { label } : { label, from };
  return enclosed("update", values, shown(textHash(message)), message).trimEnd();
}

/** A dependency's final message, whole or as `short` says. */
export function resultText({ task, attempt, hash }: PackageResult, text: string, short?: Shortened): string {
  return enclosed("result", { task, attempt, ...shortening(short) }, shown(hash), text);
}

/** What an earlier attempt left behind, or several that ended alike. */
export function attemptText(first: number, last: number, how: string, hash: string, told: string): string {
  const number = first === last ? last : `${first}-${last}`;
  return enclosed("attempt", { number, ended: how }, shown(hash), told);
}
