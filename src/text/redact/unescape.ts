import { AMPERSAND, BACKSLASH, ESC, PERCENT } from "./bytes.ts";
import {
  BYTE,
  backslash,
  ENDED,
  type Escape,
  eachByte,
  GOES_ON,
  LONGEST_ESCAPE,
  NO_ESCAPE,
  percent,
  reference,
  SILENT,
  sequence,
} from "./escapes.ts";

/** Takes a byte, where in the stream it began, and where it ended. */
export type Emit = (byte: number, at: number, end: number) => void;

/**
 * Reads through escapes of every kind, in any mixture and as deep as they go: what an escape stands for is read again. So a
 * text and the same text escaped come out alike.
 */
export interface Unescape {
  feed(byte: number, at: number): void;
  /** Where an escape began that is not complete; undefined for none. */
  readonly begun: number | undefined;
  reset(): void;
}

/** For what is no character. */
const UNKNOWN = 0xfffd;

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

export function createUnescape(emit: Emit): Unescape {
  const kinds: (Escape | undefined)[] = Array.from({ length: 256 });
  kinds[BACKSLASH] = backslash();
  kinds[PERCENT] = percent();
  kinds[AMPERSAND] = reference();
  kinds[ESC] = sequence();
  let pending: Escape | undefined;
  let first = 0;
  let begun = 0;
  /** What stands behind the first byte of an escape, in case it is none. */
  const held = new Uint8Array(LONGEST_ESCAPE + 1);
  const heldAt = new Float64Array(LONGEST_ESCAPE + 2);
  let count = 0;
  /** The first half of a pair of surrogates, and where it began. */
  let half = 0;
  let halfAt = 0;

  const release = (end: number): void => {
    const isText = pending?.isText === true;
    const most = count;
    pending = undefined;
    half = 0;
    heldAt[most] = end;
    if (isText) emit(first, begun, heldAt[0]!);
    for (let index = 0; index < most; index++) emit(held[index]!, heldAt[index]!, heldAt[index + 1]!);
  };
  /** A byte that stands for itself, or begins another escape. */
  const put = (byte: number, at: number, end: number): void => {
    const kind = kinds[byte];
    if (kind === undefined) {
      half = 0;
      emit(byte, at, end);
      return;
    }
    kind.begin();
    pending = kind;
    first = byte;
    begun = at;
    count = 0;
  };
  const point = (code: number, at: number, end: number): void => {
    if (isHigh(code)) {
      half = code;
      halfAt = at;
      return;
    }
    const isPair = half !== 0 && isLow(code);
    const whole = isPair ? 0x10000 + ((half - 0xd800) << 10) + (code - 0xdc00) : code;
    const from = isPair ? halfAt : at;
    half = 0;
    if (whole < 0x80) {
      put(whole, from, end);
      return;
    }
    const known = whole > 0x10ffff || isLow(whole) ? UNKNOWN : whole;
    eachByte(known, byte => emit(byte, from, end));
  };
  const feed = (byte: number, at: number): void => {
    if (pending === undefined) {
      if (byte !== BACKSLASH) half = 0;
      put(byte, at, at + 1);
      return;
    }
    const said = pending.take(byte);
    if (said === GOES_ON) {
      if (byte === BACKSLASH) return;
      held[count] = byte;
      heldAt[count] = at;
      count += 1;
    } else if (said === NO_ESCAPE) {
      release(at);
      feed(byte, at);
    } else if (said === SILENT) {
      pending = undefined;
      emit(ESC, begun, at + 1);
    } else {
      pending = undefined;
      const isEnded = said >= ENDED;
      const code = isEnded ? said - ENDED : said;
      const end = isEnded ? at : at + 1;
      if (code >= BYTE) put(code - BYTE, begun, end);
      else point(code, begun, end);
      if (isEnded) feed(byte, at);
    }
  };
  return {
    feed,
    get begun() {
      if (half !== 0) return halfAt;
      return pending === undefined ? undefined : begun;
    },
    reset() {
      pending = undefined;
      half = 0;
    },
  };
}
