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
  /** Where the first states lead to, by `state << 8 | byte`. */
  readonly rows: Int32Array;
}

/** States that have a table of all bytes: the shallow ones, with which text stays that is no secret. */
const MOST_ROWS = 4096;

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

/** The patterns in one tree, level by level: states are numbered by their depth. */
function plant(patterns: readonly Uint8Array[], most: number) {
  const edges = createEdges(most);
  const parent = new Int32Array(most + 1);
  const byteOf = new Uint8Array(most + 1);
  const depth = new Int32Array(most + 1);
  const ends = new Int32Array(patterns.length);
  let growing = Array.from(patterns.keys());
  let count = 1;
  for (let length = 0; growing.length > 0; length++) {
    growing = growing.filter(index => patterns[index]!.length > length);
    for (const index of growing) {
      const byte = patterns[index]![length]!;
      const state = ends[index]!;
      let next = edges.get(state, byte);
      if (next === 0) {
        next = count;
        count += 1;
        edges.add(state, byte, next);
        parent[next] = state;
        byteOf[next] = byte;
        depth[next] = length + 1;
      }
      ends[index] = next;
    }
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
  const rows = new Int32Array(Math.min(depth.length, MOST_ROWS) * 256);
  const step = (state: number, byte: number): number => {
    let from = state;
    while (from >= MOST_ROWS) {
      const next = child(from, byte);
      if (next !== 0) return next;
      from = fallback[from]!;
    }
    return rows[(from << 8) | byte]!;
  };
  const open = new Int32Array(depth.length);
  /** The last child of each state, and the one before each child; 0 for none. */
  const lastChild = new Int32Array(depth.length);
  const before = new Int32Array(depth.length);
  for (let state = 1; state < depth.length; state++) {
    const from = parent[state]!;
    if (from !== 0) open[from] = 1;
    before[state] = lastChild[from]!;
    lastChild[from] = state;
  }
  const addChildren = (state: number): void => {
    for (let one = lastChild[state]!; one !== 0; one = before[one]!) rows[(state << 8) | byteOf[one]!] = one;
  };
  addChildren(0);
  // What a state falls back to is shallower than the state, and so has a smaller number.
  for (let state = 1; state < depth.length; state++) {
    const from = parent[state]!;
    const back = from === 0 ? 0 : step(fallback[from]!, byteOf[state]!);
    fallback[state] = back;
    if (secret[state] === 0) secret[state] = secret[back]!;
    if (mark[state] === 0) mark[state] = mark[back]!;
    open[state] = open[state] === 1 ? depth[state]! : open[back]!;
    if (state >= MOST_ROWS) continue;
    rows.copyWithin(state << 8, back << 8, (back + 1) << 8);
    addChildren(state);
  }
  return { step, child, depth, open, secret, mark, longest, rows };
}
