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

/** Edges of states to states, in open addressing: states have few, and a table of all bytes for each would be large. */
interface Edges {
  /** The state behind an edge; 0 for none. */
  get(state: number, byte: number): number;
  /** Adds an edge that is not there. */
  add(state: number, byte: number, to: number): void;
}

function createEdges(most: number): Edges {
  const bits = Math.max(4, Math.ceil(Math.log2(most + 1)) + 1);
  const shift = 32 - bits;
  const last = 2 ** bits - 1;
  const keys = new Int32Array(last + 1).fill(-1);
  const values = new Int32Array(last + 1);
  const place = (key: number): number => {
    let at = Math.imul(key, 0x9e3779b1) >>> shift;
    while (keys[at] !== key && keys[at] !== -1) at = (at + 1) & last;
    return at;
  };
  return {
    // Empty places hold 0.
    get: (state, byte) => values[place(state * 256 + byte)]!,
    add(state, byte, to) {
      const key = state * 256 + byte;
      const at = place(key);
      keys[at] = key;
      values[at] = to;
    },
  };
}

/** Numbers in ascending order of their depth, which is at most `longest`. */
function byDepth(depth: Int32Array, longest: number): Int32Array {
  const begins = new Int32Array(longest + 2);
  for (const one of depth) begins[one + 1]! += 1;
  for (let at = 1; at < begins.length; at++) begins[at]! += begins[at - 1]!;
  const order = new Int32Array(depth.length);
  for (const [state, one] of depth.entries()) {
    order[begins[one]!] = state;
    begins[one]! += 1;
  }
  return order;
}

/** The patterns in one tree, states numbered in the order they were made. */
function plant(patterns: Iterable<Uint8Array>, most: number) {
  const edges = createEdges(most);
  const parent = new Int32Array(most + 1);
  const byteOf = new Uint8Array(most + 1);
  const depth = new Int32Array(most + 1);
  const ends: number[] = [];
  let count = 1;
  for (const pattern of patterns) {
    let state = 0;
    for (const byte of pattern) {
      let next = edges.get(state, byte);
      if (next === 0) {
        next = count;
        count += 1;
        edges.add(state, byte, next);
        parent[next] = state;
        byteOf[next] = byte;
        depth[next] = depth[state]! + 1;
      }
      state = next;
    }
    ends.push(state);
  }
  return {
    child: edges.get,
    parent: parent.subarray(0, count),
    byteOf: byteOf.subarray(0, count),
    depth: depth.slice(0, count),
    ends,
  };
}

/**
 * Finds all patterns in one pass (Aho and Corasick): its time is linear in the text, however many they are. Patterns are not
 * empty.
 */
export function createAutomaton(secrets: readonly Uint8Array[], marks: readonly Uint8Array[]): Automaton {
  const patterns = [...secrets, ...marks];
  const most = patterns.reduce((sum, pattern) => sum + pattern.length, 0);
  const longest = patterns.reduce((length, pattern) => Math.max(length, pattern.length), 0);
  const { child, parent, byteOf, depth, ends } = plant(patterns, most);
  const secret = new Int32Array(depth.length);
  const mark = new Int32Array(depth.length);
  for (const [index, state] of ends.entries()) {
    if (index < secrets.length) secret[state] = depth[state]!;
    else mark[state] = index - secrets.length + 1;
  }
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
  const open = new Int32Array(depth.length);
  for (let state = 1; state < depth.length; state++) if (parent[state] !== 0) open[parent[state]!] = 1;
  // What a state falls back to is shallower than the state.
  for (const state of byDepth(depth, longest)) {
    if (state === 0) continue;
    const back = parent[state] === 0 ? 0 : step(fallback[parent[state]!]!, byteOf[state]!);
    fallback[state] = back;
    if (secret[state] === 0) secret[state] = secret[back]!;
    if (mark[state] === 0) mark[state] = mark[back]!;
    open[state] = open[state] === 1 ? depth[state]! : open[back]!;
  }
  return { step, child, depth, open, secret, mark, longest };
}
