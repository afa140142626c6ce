import type { Cover } from "./cover.ts";

/** Bytes on their way, with the stretches of them that are masked. */
export interface Spans {
  /** Masks a stretch; its beginning was not passed on yet, or it lengthens one that was. */
  readonly cover: Cover;
  /** Takes the next bytes of the stream and gives all before `until`, masked. */
  pass(chunk: Uint8Array, until: number): Uint8Array;
}

const NOTHING = new Uint8Array(0);

/** Stretches that overlap are one. */
export function createSpans(mask: Uint8Array): Spans {
  let held = NOTHING;
  /** Where in the stream `held` begins, and where the last mask that was passed on ends. */
  let base = 0;
  let masked = 0;
  let spans: { start: number; end: number }[] = [];

  /** Brings stretches into order and joins what overlaps. */
  const settle = (): void => {
    spans.sort((a, b) => a.start - b.start || a.end - b.end);
    const joined: { start: number; end: number }[] = [];
    for (const span of spans) {
      const last = joined.at(-1);
      if (last !== undefined && span.start < last.end) last.end = Math.max(last.end, span.end);
      else joined.push(span);
    }
    spans = joined;
  };

  return {
    cover(start, end) {
      const last = spans.at(-1);
      if (last !== undefined && start >= last.start && start < last.end) last.end = Math.max(last.end, end);
      else spans.push({ start, end });
    },
    pass(chunk, clear) {
      const until = Math.max(base, clear);
      if (spans.length === 0 && held.length === 0 && masked <= base && until === base + chunk.length) {
        base = until;
        return chunk;
      }
      const bytes = held.length === 0 ? chunk : joinBytes([held, chunk]);
      settle();
      const pieces: Uint8Array[] = [];
      let from = base;
      const rest: typeof spans = [];
      for (const span of spans) {
        const { start, end } = span;
        if (start >= until && start >= masked) {
          rest.push(span);
          continue;
        }
        // One that began before is going on.
        if (start >= masked) {
          if (start > from) pieces.push(bytes.subarray(from - base, start - base));
          pieces.push(mask);
        }
        masked = Math.max(masked, end);
        from = Math.max(from, Math.min(end, until));
        if (end > until) rest.push({ start, end });
      }
      if (from < until) pieces.push(bytes.subarray(from - base, until - base));
      // A copy, which `slice` is of a Buffer not: whoever brings the chunk uses its memory again.
      held = new Uint8Array(bytes.subarray(until - base));
      spans = rest;
      base = until;
      return joinBytes(pieces);
    },
  };
}

function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}
