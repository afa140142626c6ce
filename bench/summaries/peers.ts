import { countTokens, prefixWithin } from "../../src/tokens/index.ts";

/** Units that the peers choose from: lines, and sentences of long ones. */
function unitsOf(text: string): string[] {
  const segmenter = new Intl.Segmenter(undefined, { granularity: "sentence" });
  return text.split("\n").flatMap(line => {
    if (line.trim() === "") return [];
    if (line.length <= 300) return [line];
    return [...segmenter.segment(line)]
      .map(({ segment }) => segment)
      .filter(segment => segment.trim() !== "");
  });
}

/** Takes units in the order given until the ceiling is met, and prints them in document order. */
function take(units: readonly string[], order: readonly number[], ceiling: number): string {
  const chosen: number[] = [];
  let left = ceiling;
  for (const at of order) {
    const cost = countTokens(units[at]!) + 1;
    if (cost > left) continue;
    left -= cost;
    chosen.push(at);
    if (left < 4) break;
  }
  return chosen
    .sort((a, b) => a - b)
    .map(at => units[at])
    .join("\n");
}

/** The first tokens. */
export function first(text: string, ceiling: number): string {
  return text.slice(0, prefixWithin(text, ceiling).end);
}

/** The first units of every section, then the second ones, and so on, with the headings of those that have any. */
export function leads(text: string, ceiling: number): string {
  const units = unitsOf(text);
  const places = new Map<number, number>();
  let heading = -1;
  let nth = 0;
  for (const [at, unit] of units.entries()) {
    if (unit.startsWith("#")) [heading, nth] = [at, 0];
    else places.set(at, nth++ * units.length + Math.max(0, heading));
  }
  const chosen = new Set<number>();
  let left = ceiling;
  for (const [at] of [...places].sort((a, b) => a[1] - b[1])) {
    const above = units.slice(0, at).findLastIndex(unit => unit.startsWith("#"));
    const list = above < 0 || chosen.has(above) ? [at] : [above, at];
    const cost = list.reduce((sum, one) => sum + countTokens(units[one]!) + 1, 0);
    if (cost > left) continue;
    left -= cost;
    for (const one of list) chosen.add(one);
    if (left < 4) break;
  }
  return [...chosen]
    .sort((a, b) => a - b)
    .map(at => units[at])
    .join("\n");
}

/** Units in a random order; the seed makes it repeatable. */
export function random(text: string, ceiling: number, seed: number): string {
  const units = unitsOf(text);
  const order = units.map((_, at) => at);
  let state = seed;
  for (let at = order.length - 1; at > 0; at--) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const other = state % (at + 1);
    [order[at], order[other]] = [order[other]!, order[at]!];
  }
  return take(units, order, ceiling);
}

/** TextRank (Mihalcea and Tarau 2004): PageRank over the word overlap of units, divided by their log lengths. */
export function textRank(text: string, ceiling: number): string {
  const units = unitsOf(text).slice(0, 3000);
  const words = units.map(unit => new Set(unit.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []));
  const places = new Map<string, number[]>();
  for (const [at, set] of words.entries()) {
    for (const word of set) {
      const list = places.get(word);
      if (list === undefined) places.set(word, [at]);
      else list.push(at);
    }
  }
  const edges = words.map((set, at) => {
    const overlap = new Map<number, number>();
    for (const word of set)
      for (const other of places.get(word)!)
        if (other !== at) overlap.set(other, (overlap.get(other) ?? 0) + 1);
    return [...overlap].map(([other, count]): readonly [number, number] => {
      const length = Math.log(1 + set.size) + Math.log(1 + words[other]!.size);
      return [other, count / length];
    });
  });
  const sums = edges.map(list => list.reduce((sum, [, weight]) => sum + weight, 0));
  let ranks = units.map(() => 1);
  for (let round = 0; round < 30; round++) {
    const next = units.map(() => 0.15);
    for (const [at, list] of edges.entries())
      for (const [other, weight] of list) next[other]! += (0.85 * ranks[at]! * weight) / sums[at]!;
    ranks = next;
  }
  const order = ranks.map((_, at) => at).sort((a, b) => ranks[b]! - ranks[a]!);
  return take(units, order, ceiling);
}
