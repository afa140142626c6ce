/** A binary heap of piece indices, the one with the highest key on top. */
export interface Heap {
  readonly size: number;
  push(piece: number, key: number): void;
  /** Removes the top; undefined when empty. */
  pop(): { readonly piece: number; readonly key: number } | undefined;
  /** Key of the top; −∞ when empty. */
  peek(): number;
}

/** An empty heap. */
export function createHeap(): Heap {
  const pieces: number[] = [];
  const keys: number[] = [];
  const swap = (a: number, b: number): void => {
    [pieces[a], pieces[b]] = [pieces[b]!, pieces[a]!];
    [keys[a], keys[b]] = [keys[b]!, keys[a]!];
  };
  return {
    get size() {
      return keys.length;
    },
    peek: () => keys[0] ?? Number.NEGATIVE_INFINITY,
    push(piece, key) {
      let at = keys.push(key) - 1;
      pieces.push(piece);
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (keys[parent]! >= keys[at]!) break;
        swap(at, parent);
        at = parent;
      }
    },
    pop() {
      if (keys.length === 0) return undefined;
      const top = { piece: pieces[0]!, key: keys[0]! };
      swap(0, keys.length - 1);
      pieces.pop();
      keys.pop();
      for (let at = 0; ; ) {
        const left = 2 * at + 1;
        const right = left + 1;
        let best = at;
        if (left < keys.length && keys[left]! > keys[best]!) best = left;
        if (right < keys.length && keys[right]! > keys[best]!) best = right;
        if (best === at) break;
        swap(at, best);
        at = best;
      }
      return top;
    },
  };
}
