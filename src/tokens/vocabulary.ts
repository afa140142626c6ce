import { providedRanks, type Ranks } from "./ranks.ts";
import { createShapes, type Shapes } from "./shapes.ts";

/** The tokens of o200k: each is known by its rank, and what has a lower rank is merged first. */
export interface Vocabulary {
  /** Tokens that are whole characters, by their text. */
  readonly words: ReadonlyMap<string, number>;
  /** Tokens that begin or end inside a character, by their bytes, one per UTF-16 unit. */
  readonly fragments: ReadonlyMap<string, number>;
  /** The words again, for a first look that cuts nothing out of a text. */
  readonly shapes: Shapes;
  /** Ranks of single bytes. */
  readonly bytes: Int32Array;
  /** Ranks of pairs of bytes, first × 256 + second; -1 where a pair is no token. */
  readonly bytePairs: Int32Array;
}

const load = providedRanks() ?? (await ranksAtOnce());

async function ranksAtOnce(): Promise<() => Ranks> {
  const { default: ranks } = await import("gpt-tokenizer/bpeRanks/o200k_base");
  return () => ranks;
}

function build(): Vocabulary {
  const words = new Map<string, number>();
  const shapes = createShapes();
  const fragments = new Map<string, number>();
  const bytes = new Int32Array(256).fill(-1);
  const bytePairs = new Int32Array(65_536).fill(-1);
  const small = (first: number, second: number | undefined, rank: number): void => {
    if (second === undefined) bytes[first] = rank;
    else bytePairs[first * 256 + second] = rank;
  };
  load().forEach((token, rank) => {
    if (typeof token !== "string") {
      fragments.set(String.fromCharCode(...token), rank);
      if (token.length <= 2) small(token[0]!, token[1], rank);
      return;
    }
    words.set(token, rank);
    shapes.add(token);
    if (token.length > 2) return;
    const first = token.charCodeAt(0);
    const second = token.charCodeAt(1);
    if (token.length === 1 && first >= 0x80 && first < 0x800)
      small(0xc0 | (first >> 6), 0x80 | (first & 63), rank);
    else if (first < 0x80 && !(second >= 0x80)) small(first, token.length === 1 ? undefined : second, rank);
  });
  return { words, shapes, fragments, bytes, bytePairs };
}

let built: Vocabulary | undefined;

/** The vocabulary, built at first need: a command that counts nothing does not pay for it. */
export function vocabulary(): Vocabulary {
  built ??= build();
  return built;
}
