import { alphabet } from "./alphabet.ts";
import type { Automaton } from "./automaton.ts";
import type { Decoder } from "./decoders.ts";

/** Says that these bytes of the stream are secret; `start` inclusive, `end` exclusive. */
export type Cover = (start: number, end: number) => void;

/** Bytes of a secret that stand before a line break which is taken for wrapping. */
const WRAPPED = 8;

/** Bytes of line breaks that wrapping makes at most. */
const LONGEST_BREAK = 4;

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** Reads one view of a stream: the bytes as they are, or as an encoding has them. */
export interface Track {
  /** Takes a byte, and where in the stream it began and ended. */
  take(byte: number, at: number, end: number): void;
  /** Where what may become a secret began; undefined for nothing. */
  readonly begun: number | undefined;
  readonly state: number;
  /** Bytes read. */
  readonly count: number;
  /** Where a byte began, for one of the last bytes. */
  origin(index: number): number;
  /** Goes on where another track stands. */
  follow(other: Track): void;
  /** Forgets what it has read. */
  reset(): void;
}

/** A track over an automaton. */
export function createTrack(automaton: Automaton, cover: Cover): Track {
  const { open, secret, step, child, longest } = automaton;
  // A decoded byte stands for at most twelve, while the track it left goes on byte by byte.
  const room = 2 ** Math.ceil(Math.log2(16 * (longest + LONGEST_BREAK) + 16));
  const last = room - 1;
  const origins = new Float64Array(room);
  let state = 0;
  let count = 0;
  let breaks = 0;
  let before: Track | undefined;
  let parted = 0;
  const origin = (index: number): number =>
    index < parted && before !== undefined ? before.origin(index) : origins[index & last]!;
  return {
    take(byte, at, end) {
      if ((byte === NEWLINE || byte === RETURN) && open[state]! >= WRAPPED && child(state, byte) === 0) {
        breaks += 1;
        if (breaks <= LONGEST_BREAK) return;
        state = 0;
      }
      breaks = 0;
      origins[count & last] = at;
      count += 1;
      state = step(state, byte);
      const length = secret[state]!;
      if (length > 0) cover(origin(count - length), end);
    },
    get begun() {
      return open[state]! === 0 ? undefined : origin(count - open[state]!);
    },
    get state() {
      return state;
    },
    get count() {
      return count;
    },
    origin,
    follow(other) {
      before = other;
      state = other.state;
      count = other.count;
      parted = count;
      breaks = 0;
    },
    reset() {
      state = 0;
      breaks = 0;
    },
  };
}

/** An encoding of the stream: how it is decoded, and the bytes (ASCII) at which it says something else than the plain bytes. */
export interface ViewKind {
  readonly escapes: string;
  decoder(): Decoder;
}

/** A view that differs from the plain one only after an escape: until then it costs nothing. */
export interface View {
  /** Takes a byte before the plain track does. */
  before(byte: number, at: number): void;
  /** After the plain track has taken it: whether it still says something else. */
  after(): boolean;
  readonly begun: number | undefined;
  leave(): void;
}

export function createView(
  automaton: Automaton,
  plain: Track,
  { decoder, escapes }: ViewKind,
  cover: Cover,
): View {
  const entered = alphabet(escapes);
  let track: Track | undefined;
  let decode: Decoder | undefined;
  let now = 0;
  let unescaped = 0;
  const emit = (byte: number, at: number): void => {
    unescaped = at === now ? unescaped + 1 : 0;
    track?.take(byte, at, now + 1);
  };
  return {
    before(byte, at) {
      if (decode === undefined) {
        if (entered[byte] === 0) return;
        decode = decoder();
        unescaped = 0;
        track ??= createTrack(automaton, cover);
        track.follow(plain);
      }
      now = at;
      decode.feed(byte, at, emit);
    },
    after() {
      if (track === undefined || decode === undefined) return false;
      const isSame = decode.begun === undefined && track.state === plain.state;
      if (isSame && unescaped >= automaton.depth[track.state]!) decode = undefined;
      return decode !== undefined;
    },
    get begun() {
      if (decode === undefined) return undefined;
      const { begun } = decode;
      return track?.begun === undefined ? begun : Math.min(track.begun, begun ?? Infinity);
    },
    leave() {
      decode = undefined;
    },
  };
}
