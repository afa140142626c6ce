import { scanEntities } from "../entity/index.ts";
import { createTraits } from "./traits.ts";
import type { Piece } from "./types.ts";
import { scanWords } from "./words.ts";

/** What a name counts beside a word, and what a term counts that stands in one piece only. */
const NAME = 1.5;
const ONCE = 0.6;

/** The features of all pieces: which terms each covers, what a term counts, and what a piece is worth that is new. */
export interface Weights {
  /** Per piece the indices of its features, each once. */
  readonly features: readonly (readonly number[])[];
  /** The index of each feature by its name. */
  readonly index: ReadonlyMap<string, number>;
  /** What each feature counts in what is new of a piece. */
  readonly worth: readonly number[];
  /** Per piece how many essential statements it is likely to make. */
  readonly value: readonly number[];
}

/** Calls back for every name and word of a text. */
export function scanFeatures(text: string, found: (name: string) => void): void {
  scanEntities(text, ({ key }) => {
    if (!isPlace(key)) found(`=${key}`);
  });
  scanWords(text, found);
}

/** Lines of files, hashes, days and times tell where something is, not what. */
function isPlace(key: string): boolean {
  return /^(?:L\d{1,5}(?:-L?\d{1,5})?|[0-9a-f]{7,40}|\d{4}-\d\d.{0,20}|\d\d?:\d\d.{0,20})$/.test(key);
}

/** Weighs the pieces of a document; `costs` are their tokens. */
export function weigh(pieces: readonly Piece[], costs: readonly number[]): Weights {
  const index = new Map<string, number>();
  const counts: number[] = [];
  const isName: boolean[] = [];
  const features = pieces.map(({ text }) => {
    const own = new Set<number>();
    scanFeatures(text, name => {
      let feature = index.get(name);
      if (feature === undefined) {
        feature = counts.push(0) - 1;
        index.set(name, feature);
        isName.push(name.startsWith("="));
      }
      own.add(feature);
    });
    for (const feature of own) counts[feature]!++;
    return [...own];
  });
  const worth = counts.map((count, at) => (count > 1 ? 1 : ONCE) * (isName[at] === true ? NAME : 1));
  const traits = createTraits(pieces, { features, counts, isName });
  const value = pieces.map(
    (_, at) => Math.max(1, costs[at]!) ** traits.COST * Math.exp(traits.of(at, costs[at]!)),
  );
  return { features, index, worth, value };
}
