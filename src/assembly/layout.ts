import { shouldRebase } from "../budget/index.ts";
import { diff, encode } from "../delta/index.ts";
import type { PackageWords } from "../text/index.ts";
import { documentText, left, piece, shown, updateText } from "./render.ts";
import type {
  CountTokens,
  Outlook,
  PackageDocument,
  PackageLimits,
  PackageNode,
  Piece,
  ReceiptPart,
} from "./types.ts";

/** What a package says of a document: the version it was last given at, and whether as a text or a pointer. */
interface Given {
  readonly document: PackageDocument;
  readonly whole: boolean;
}

/** A change that came after a node's documents were laid out; `order` rises over all nodes. */
interface LogEntry {
  readonly order: number;
  readonly piece: Piece;
}

/** How one node's documents stand in every package that reads them. */
interface NodeLayout {
  readonly base: Piece[];
  readonly log: LogEntry[];
  readonly given: Map<string, Given>;
  /** Tokens of superseded texts and of the updates that supersede them. */
  waste: number;
  tokens: number;
}

/**
 * Remembers, for as long as a prompt cache may, how the documents of each node were laid out, so that the next package begins
 * with the same bytes: what changes later is appended. Owned by whoever assembles packages.
 */
export interface Layouts {
  readonly nodes: Map<string, NodeLayout>;
  /** The last package by kind and node. */
  readonly last: Map<string, readonly Piece[]>;
  order: number;
}

/** No packages yet. */
export function createLayouts(): Layouts {
  return { nodes: new Map(), last: new Map(), order: 0 };
}

/** What laying out needs besides the documents. */
export interface LayoutTools {
  readonly words: PackageWords;
  readonly limits: PackageLimits;
  readonly count: CountTokens;
  readonly outlook?: Outlook | undefined;
}

/** Documents as they stand in a package, and what was left out of it. */
export interface LaidOut {
  readonly base: readonly Piece[];
  readonly updates: readonly Piece[];
  readonly left: readonly ReceiptPart[];
}

/** A node is laid out afresh when so much of what its readers are given is superseded. */
const MOST_WASTE = 0.5;

/**
 * Lays out the documents of a path: of each node first those it had when it was laid out, root first; behind them, in the
 * order they were noticed, whatever was added or changed since, as updates. A node is laid out afresh when a document was
 * taken back, when half of its texts are superseded, when that moves nothing that was laid out before, or when storing it
 * anew costs less than reading its changes as often as it is still read.
 */
export function layOut(layouts: Layouts, path: readonly PackageNode[], tools: LayoutTools): LaidOut {
  const laid = layPath(layouts, path, tools, unlaid(layouts, path)) ?? layPath(layouts, path, tools, 0) ?? [];
  const log = laid.flatMap(layout => layout.log).sort((a, b) => a.order - b.order);
  return {
    base: laid.flatMap(layout => layout.base),
    updates: log.map(entry => entry.piece),
    left: path.flatMap(({ id, repeated }) =>
      repeated.map(({ document, of }) => repetition(id, document, of)),
    ),
  };
}

/**
 * From which node on the path can be laid out afresh at no cost: those behind it have no laid out documents that would move,
 * and those before it no updates that would.
 */
function unlaid(layouts: Layouts, path: readonly PackageNode[]): number {
  const known = path.map(({ id }) => layouts.nodes.get(id));
  const from = known.findLastIndex(layout => layout !== undefined && layout.base.length > 0) + 1;
  return known.slice(0, from).every(layout => (layout?.log.length ?? 0) === 0) ? from : path.length;
}

/**
 * Brings the nodes of a path up to date, laying out afresh those from `afresh` on; undefined when what other paths appended
 * leaves too little room for this one.
 */
function layPath(
  layouts: Layouts,
  path: readonly PackageNode[],
  tools: LayoutTools,
  afresh: number,
): NodeLayout[] | undefined {
  let room = tools.limits.tokens;
  let after = path.reduce((sum, { id }) => sum + (layouts.nodes.get(id)?.tokens ?? 0), 0);
  const laid = path.map((node, at) => {
    const before = layouts.nodes.get(node.id)?.tokens ?? 0;
    const known = at >= afresh ? undefined : layouts.nodes.get(node.id);
    let layout = known === undefined || mustRebase(known, node) ? begin(node, room, tools) : known;
    if (layout === known) {
      append(layouts, layout, node, room, tools);
      // Nobody has read the new changes yet: they are folded in with the old ones.
      if (pays(layout, node, after, tools.outlook)) layout = begin(node, room, tools);
    }
    layouts.nodes.set(node.id, layout);
    after -= before;
    room -= layout.tokens;
    return layout;
  });
  return room >= 0 || afresh === 0 ? laid : undefined;
}

function repetition(node: string, { label, version, hash }: PackageDocument, of: string): ReceiptPart {
  const part = { kind: "document", source: label, node, version, hash: shown(hash), level: 0 } as const;
  return left({ ...part, why: "same-text", of });
}

function mustRebase(layout: NodeLayout, node: PackageNode): boolean {
  if (layout.waste > MOST_WASTE * layout.tokens) return true;
  const now = new Set(node.documents.map(document => document.label));
  return [...layout.given.keys()].some(label => !now.has(label));
}

/** Whether its changes are folded in by the cost model: `after` is what would have to be stored anew. */
function pays(
  { waste }: NodeLayout,
  { id }: PackageNode,
  after: number,
  outlook: Outlook | undefined,
): boolean {
  if (outlook === undefined || waste === 0) return false;
  const { rates, turns, cold } = outlook;
  return shouldRebase({ log: waste, after, remaining: turns(id), cold: cold(id) }, rates);
}

function begin(node: PackageNode, room: number, tools: LayoutTools): NodeLayout {
  const layout: NodeLayout = { base: [], log: [], given: new Map(), waste: 0, tokens: 0 };
  for (const document of node.documents)
    layout.base.push(give(layout, node.id, document, room - layout.tokens, tools));
  return layout;
}

/** A document as a whole, or where it can be read. */
function give(
  layout: NodeLayout,
  node: string,
  document: PackageDocument,
  room: number,
  { words, limits, count }: LayoutTools,
): Piece {
  const { label, version, hash, where } = document;
  const from = words.origin(document.origin);
  const part = { kind: "document", source: label, node, version, hash: shown(hash) } as const;
  const whole = piece(count, documentText(node, document, from), part);
  const { tokens } = whole.part;
  const fits = tokens <= room && tokens <= limits.document;
  const why = tokens > limits.document ? "longer-than-a-document-may-be" : "no-room";
  const given = fits
    ? whole
    : piece(count, documentText(node, document, from, words.leftOut(tokens, where)), {
        ...part,
        level: "pointer",
        in: false,
        why,
      });
  layout.given.set(label, { document, whole: fits });
  layout.tokens += given.part.tokens;
  return given;
}

function append(
  layouts: Layouts,
  layout: NodeLayout,
  node: PackageNode,
  room: number,
  tools: LayoutTools,
): void {
  for (const document of node.documents) {
    const given = layout.given.get(document.label);
    if (given?.document.hash === document.hash) continue;
    const rest = room - layout.tokens;
    const next =
      given === undefined
        ? give(layout, node.id, document, rest, tools)
        : supersede(layout, node.id, given, document, rest, tools);
    layout.log.push({ order: layouts.order++, piece: next });
  }
}

/** The newer version of a document that was given before: as an update of what was given, else as a whole. */
function supersede(
  layout: NodeLayout,
  node: string,
  given: Given,
  document: PackageDocument,
  room: number,
  tools: LayoutTools,
): Piece {
  const { label, version, hash } = document;
  const { count } = tools;
  const old = given.document;
  const options = { label, from: old.version, to: version, countTokens: count };
  const message =
    given.whole && old.version < version
      ? encode(diff(old.text, document.text), old.text, document.text, options)
      : undefined;
  if (message?.ok !== true || message.value.form === "full") {
    const before = layout.tokens;
    const next = give(layout, node, document, room, tools);
    // What it replaces is at most as long as everything that was given.
    layout.waste += Math.min(before, count(old.text));
    return next;
  }
  const from = tools.words.origin(document.origin);
  const text = updateText(node, document, from, message.value.text);
  const next = piece(count, text, { kind: "update", source: label, node, version, hash: shown(hash) });
  layout.given.set(label, { document, whole: true });
  layout.tokens += next.part.tokens;
  layout.waste += next.part.tokens;
  return next;
}
