/** What a state of an automaton says about the bytes that led there. */
export interface Automaton {
  /** The state after one more byte; 0 is the beginning. */
  step(state: number, byte: number): number;
  /** The state reached by exactly this byte; 0 for none. */
  child(state: number, byte: number): number;
  /** How many of the last bytes are the beginning of a pattern. */
  readonly depth: Int32Array;
  /** How many of the last bytes may yet become more of a pattern: none where only whole patterns have ended. */
  readonly open: Int32Array;
  /** The length of the longest secret that ends here; 0 for none. */
  readonly secret: Int32Array;
  /** One more than the index of the longest mark that ends here; 0 for none. */
  readonly mark: Int32Array;
  /** The length of the longest pattern. */
  readonly longest: number;
}

/** Bytes of one kind of pattern, states numbered in the order they were made. */
interface Trie {
  readonly edges: Map<number, number>;
  readonly depth: number[];
  readonly secret: number[];
  readonly mark: number[];
}

function insert({ edges, depth, secret, mark }: Trie, pattern: Uint8Array): number {
  let state = 0;
  for (const byte of pattern) {
    const edge = state * 256 + byte;
    let next = edges.get(edge);
    if (next === undefined) {
      next = depth.length;
      edges.set(edge, next);
      depth.push(depth[state]! + 1);
      secret.push(0);
      mark.push(0);
    }
    state = next;
  }
  return state;
}

/** Edges in open addressing: states have few children, and a table of all bytes for each would be large. */
function hashed(edges: ReadonlyMap<number, number>): (state: number, byte: number) => number {
  const bits = Math.max(4, Math.ceil(Math.log2(edges.size + 1)) + 1);
  const shift = 32 - bits;
  const last = 2 ** bits - 1;
  const keys = new Int32Array(last + 1).fill(-1);
  const values = new Int32Array(last + 1);
  for (const [key, value] of edges) {
    let at = Math.imul(key, 0x9e3779b1) >>> shift;
    while (keys[at] !== -1) at = (at + 1) & last;
    keys[at] = key;
    values[at] = value;
  }
  return (state, byte) => {
    const key = state * 256 + byte;
    for (let at = Math.imul(key, 0x9e3779b1) >>> shift; ; at = (at + 1) & last) {
      const found = keys[at];
      if (found === key) return values[at]!;
      if (found === -1) return 0;
    }
  };
}

/**
 * Finds all patterns in one pass (Aho and Corasick): its time is linear in the text, however many they are. Patterns are not
 * empty.
 */
export function createAutomaton(secrets: readonly Uint8Array[], marks: readonly Uint8Array[]): Automaton {
  const trie: Trie = { edges: new Map(), depth: [0], secret: [0], mark: [0] };
  for (const pattern of secrets) trie.secret[insert(trie, pattern)] = pattern.length;
  for (const [index, pattern] of marks.entries()) trie.mark[insert(trie, pattern)] = index + 1;
  const child = hashed(trie.edges);
  const depth = Int32Array.from(trie.depth);
  const secret = Int32Array.from(trie.secret);
  const mark = Int32Array.from(trie.mark);
  const fallback = new Int32Array(depth.length);
  const first = new Int32Array(256);
  for (let byte = 0; byte < 256; byte++) first[byte] = child(0, byte);

  const step = (state: number, byte: number): number => {
    let from = state;
    while (from !== 0) {
      const next = child(from, byte);
      if (next !== 0) return next;
      from = fallback[from]!;
    }
    return first[byte]!;
  };
  // By depth: where a state falls back to is shallower than the state.
  const edges = [...trie.edges].sort(([, a], [, b]) => depth[a]! - depth[b]!);
  for (const [edge, state] of edges) {
    const parent = Math.floor(edge / 256);
    const back = parent === 0 ? 0 : step(fallback[parent]!, edge % 256);
    fallback[state] = back;
    if (secret[state] === 0) secret[state] = secret[back]!;
    if (mark[state] === 0) mark[state] = mark[back]!;
  }
  const open = new Int32Array(depth.length);
  const parents = new Set(Array.from(trie.edges.keys(), edge => Math.floor(edge / 256)));
  for (const [, state] of edges) open[state] = parents.has(state) ? depth[state]! : open[fallback[state]!]!;
  return {
    step,
    child,
    depth,
    open,
    secret,
    mark,
    longest: depth.reduce((most, one) => Math.max(most, one), 0),
  };
}
