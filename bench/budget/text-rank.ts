import type { Passage } from "../../src/budget/index.ts";

/** TextRank as published: passages are joined by the words they share, and the best connected come first. */
export function textRank(passages: readonly Passage[]): number[] {
  const words = passages.map(
    ({ text }) =>
      new Set(
        text
          .toLowerCase()
          .split(/[^\p{L}\p{N}]+/u)
          .filter(word => word !== ""),
      ),
  );
  const holders = new Map<string, number[]>();
  for (const [at, set] of words.entries())
    for (const word of set) holders.set(word, [...(holders.get(word) ?? []), at]);
  const links = words.map((set, at) => {
    const shared = new Map<number, number>();
    for (const word of set) {
      const list = holders.get(word)!;
      if (list.length <= 400)
        for (const other of list) if (other !== at) shared.set(other, (shared.get(other) ?? 0) + 1);
    }
    return [...shared].map(([to, count]) => ({
      to,
      weight: count / (Math.log(1 + set.size) + Math.log(1 + words[to]!.size)),
    }));
  });
  const out = links.map(list => list.reduce((sum, { weight }) => sum + weight, 0));
  let scores = passages.map(() => 1);
  for (let round = 0; round < 20; round++) {
    const fresh = passages.map(() => 0.15);
    for (const [at, list] of links.entries())
      for (const { to, weight } of list) fresh[to]! += (0.85 * scores[at]! * weight) / out[at]!;
    scores = fresh;
  }
  return passages.map((_, at) => at).sort((a, b) => scores[b]! - scores[a]!);
}

/** BM25 as found in tutorials: words between blanks, small letters, nothing else. */
export function plainBm25(passages: readonly Passage[], question: string): number[] {
  const split = (text: string): string[] =>
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter(word => word !== "");
  const documents = passages.map(({ text }) => split(text));
  const mean = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  const scores = documents.map(() => 0);
  for (const term of new Set(split(question))) {
    const counts = documents.map(words => words.filter(word => word === term).length);
    const holders = counts.filter(count => count > 0).length;
    const weight = Math.log(1 + (documents.length - holders + 0.5) / (holders + 0.5));
    for (const [at, count] of counts.entries())
      scores[at]! += (weight * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * documents[at]!.length) / mean));
  }
  return passages.map((_, at) => at).sort((a, b) => scores[b]! - scores[a]! || a - b);
}
