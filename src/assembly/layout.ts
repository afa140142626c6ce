import { shouldRebase } from "../budget/index.ts";
import { diff, encode } from "../delta/index.ts";
import type { PackageWords } from "../text/index.ts";
import { left, piece, shown, updateText, wholeDocument } from "./render.ts";
import type { CountTokens, Outlook, PackageDocument, PackageNode, Piece, ReceiptPart } from "./types.ts";

/** A change that came after a node's documents were laid out; `order` rises over all nodes. */
interface LogEntry {
  readonly order: number;
  readonly piece: Piece;
}

/** How one node's documents stand in every package that reads them. */
interface NodeLayout {
  readonly base: Piece[];
  readonly log: LogEntry[];
  /** By label: the version that was given last. */
  readonly given: Map<string, PackageDocument>;
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
  /** Whether documents of so many tokens have room: some where they were laid out first, and changes behind them, or one of both. */
  readonly fits: (tokens: number, isBase: boolean, isUpdated: boolean) => boolean;
  readonly count: CountTokens;
  readonly outlook?: Outlook | undefined;
}

/** Documents as they stand in a package. */
export interface LaidOut {
  readonly base: readonly Piece[];
  readonly updates: readonly Piece[];
}

/** A node is laid out afresh when so much of what its readers are given is superseded. */
const MOST_WASTE = 0.5;

/**
 * Lays out the documents of a path: of each node first those it had when it was laid out, root first; behind them, in the
 * order they were noticed, whatever was added or changed since, as updates. A node is laid out afresh when a document was
 * taken back, when half of its texts are superseded, when that moves nothing that was laid out before, or when storing it
 * anew costs less than reading its changes as often as it is still read. Undefined where they have no room, even laid out afresh.
 */
export function layOut(
  layouts: Layouts,
  path: readonly PackageNode[],
  tools: LayoutTools,
): LaidOut | undefined {
  return layPath(layouts, path, tools, unlaid(layouts, path)) ?? layPath(layouts, path, tools, 0);
}

/** Lines of the receipt for documents whose text another one has. */
export function repetitions(path: readonly PackageNode[]): ReceiptPart[] {
  return path.flatMap(({ id, repeated }) =>
    repeated.map(({ document, of }) => {
      const { label, version, hash } = document;
      const part = {
        kind: "document",
        source: label,
        node: id,
        version,
        hash: shown(hash),
        level: 0,
      } as const;
      return left({ ...part, why: "same-text", of });
    }),
  );
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

/** Brings the nodes of a path up to date, laying out afresh those from `afresh` on; undefined where that has no room. */
function layPath(
  layouts: Layouts,
  path: readonly PackageNode[],
  tools: LayoutTools,
  afresh: number,
): LaidOut | undefined {
  let after = path.reduce((sum, { id }) => sum + (layouts.nodes.get(id)?.tokens ?? 0), 0);
  const laid = path.map((node, at) => {
    const before = layouts.nodes.get(node.id)?.tokens ?? 0;
    const known = at >= afresh ? undefined : layouts.nodes.get(node.id);
    let layout = known === undefined || mustRebase(known, node) ? begin(node, tools) : known;
    if (layout === known) {
      append(layouts, layout, node, tools);
      // Nobody has read the new changes yet: they are folded in with the old ones.
      if (pays(layout, node, after, tools.outlook)) layout = begin(node, tools);
    }
    layouts.nodes.set(node.id, layout);
    after -= before;
    return layout;
  });
  const base = laid.flatMap(layout => layout.base);
  const log = laid.flatMap(layout => layout.log).sort((a, b) => a.order - b.order);
  const tokens = laid.reduce((sum, layout) => sum + layout.tokens, 0);
  return tools.fits(tokens, base.length > 0, log.length > 0)
    ? { base, updates: log.map(entry => entry.piece) }
    : undefined;
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

function begin(node: PackageNode, tools: LayoutTools): NodeLayout {
  const layout: NodeLayout = { base: [], log: [], given: new Map(), waste: 0, tokens: 0 };
  for (const document of node.documents) layout.base.push(give(layout, node.id, document, tools));
  return layout;
}

/** A document as a whole. */
function give(
  layout: NodeLayout,
  node: string,
  document: PackageDocument,
  { words, count }: LayoutTools,
): Piece {
  const given = wholeDocument(node, document, words, count);
  layout.given.set(document.label, document);
  layout.tokens += given.part.tokens;
  return given;
}

function append(layouts: Layouts, layout: NodeLayout, node: PackageNode, tools: LayoutTools): void {
  for (const document of node.documents) {
    const given = layout.given.get(document.label);
    if (given?.hash === document.hash) continue;
    const next =
      given === undefined
        ? give(layout, node.id, document, tools)
        : supersede(layout, node.id, given, document, tools);
    layout.log.push({ order: layouts.order++, piece: next });
  }
}

/** The newer version of a document that was given before: as an update of what was given, else as a whole. */
function supersede(
  layout: NodeLayout,
  node: string,
  old: PackageDocument,
  document: PackageDocument,
  tools: LayoutTools,
): Piece {
  const { label, version, hash } = document;
  const { count } = tools;
  const options = { label, from: old.version, to: version, countTokens: count };
  const message =
    old.version < version
      ? encode(diff(old.text, document.text), old.text, document.text, options)
      : undefined;
  if (message?.ok !== true || message.value.form === "full") {
    const before = layout.tokens;
    const next = give(layout, node, document, tools);
    // What it replaces is at most as long as everything that was given.
    layout.waste += Math.min(before, count(old.text));
    return next;
  }
  const from = tools.words.origin(document.origin);
  const text = updateText(node, document, from, message.value.text);
  const next = piece(count, text, { kind: "update", source: label, node, version, hash: shown(hash) });
  layout.given.set(label, document);
  layout.tokens += next.part.tokens;
  layout.waste += next.part.tokens;
  return next;
}
