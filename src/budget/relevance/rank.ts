import { termsOf } from "./terms.ts";

/** A passage of a history, in its order. */
export interface Passage {
  readonly id: string;
  readonly text: string;
  /** Passages of one group (a session, an output) lend each other relevance; absent: it stands alone. */
  readonly group?: string;
}

export interface Ranked {
  readonly id: string;
  /** Position among the passages. */
  readonly at: number;
  /** 0 for what has nothing to do with the question. */
  readonly score: number;
}

/** How a history is ranked. */
export interface RankOptions {
  /** What share of its neighbours' relevance a passage gets: an answer stands beside what names its subject. */
  readonly neighbours?: number;
  /** What share of its group's best relevance it gets. */
  readonly group?: number;
}

/** BM25 saturation and length normalisation. */
const K1 = 1.2;
const B = 0.6;
/** What is newer comes first among equals only. */
const RECENCY = 1e-6;

/** Passages with their terms counted, to be asked many questions. */
export interface PassageIndex {
  readonly passages: readonly Passage[];
  /** By term: positions and counts, flat. */
  readonly postings: ReadonlyMap<string, readonly number[]>;
  readonly lengths: readonly number[];
  readonly meanLength: number;
}

/** Counts the terms of a history once. Linear in its text. */
export function indexPassages(passages: readonly Passage[]): PassageIndex {
  const postings = new Map<string, number[]>();
  const lengths: number[] = [];
  for (const [at, { text }] of passages.entries()) {
    const terms = termsOf(text);
    lengths.push(terms.length);
    const counts = new Map<string, number>();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    for (const [term, count] of counts) {
      const list = postings.get(term);
      if (list === undefined) postings.set(term, [at, count]);
      else list.push(at, count);
    }
  }
  const total = lengths.reduce((sum, length) => sum + length, 0);
  return { passages, postings, lengths, meanLength: Math.max(1, total / Math.max(1, passages.length)) };
}

/** Plain BM25 of every passage for a question. */
export function bm25(index: PassageIndex, question: string): Float64Array {
  const { postings, lengths, meanLength, passages } = index;
  const scores = new Float64Array(passages.length);
  for (const term of new Set(termsOf(question))) {
    const list = postings.get(term);
    if (list === undefined) continue;
    const holders = list.length / 2;
    const weight = Math.log(1 + (passages.length - holders + 0.5) / (holders + 0.5));
    for (let at = 0; at < list.length; at += 2) {
      const passage = list[at]!;
      const count = list[at + 1]!;
      const norm = K1 * (1 - B + (B * lengths[passage]!) / meanLength);
      scores[passage]! += (weight * count * (K1 + 1)) / (count + norm);
    }
  }
  return scores;
}

/** Every passage that has to do with a question, the most relevant first: BM25, smoothed by neighbours and groups. */
export function rank(index: PassageIndex, question: string, options: RankOptions = {}): Ranked[] {
  const { neighbours = 0.5, group = 0.25 } = options;
  const { passages } = index;
  const plain = bm25(index, question);
  const sameGroup = (a: number, b: number): boolean => passages[a]?.group === passages[b]?.group;
  const best = new Map<string, number>();
  for (const [at, { group: name }] of passages.entries())
    if (name !== undefined) best.set(name, Math.max(best.get(name) ?? 0, plain[at]!));
  const ranked: Ranked[] = [];
  for (const [at, { id, group: name }] of passages.entries()) {
    const before = at > 0 && sameGroup(at, at - 1) ? plain[at - 1]! : 0;
    const after = at + 1 < passages.length && sameGroup(at, at + 1) ? plain[at + 1]! : 0;
    const lent = neighbours * Math.max(before, after) + group * (name === undefined ? 0 : best.get(name)!);
    const own = plain[at]!;
    const score = own + lent;
    if (score > 0) ranked.push({ id, at, score: score + RECENCY * (at / passages.length) });
  }
  return ranked.sort((a, b) => b.score - a.score || b.at - a.at);
}

/** The relevance of each passage, 0 to 1: its share of the best one's score. */
export function relevanceOf(passages: readonly Passage[], question: string): number[] {
  const ranked = rank(indexPassages(passages), question);
  const top = ranked[0]?.score ?? 0;
  const shares = passages.map(() => 0);
  for (const { at, score } of ranked) shares[at] = top === 0 ? 0 : score / top;
  return shares;
}
