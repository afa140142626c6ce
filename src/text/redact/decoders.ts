/** Takes a decoded byte and where in the stream it began. */
export type Emit = (byte: number, at: number) => void;

/** Reads through one kind of escapes, byte by byte. */
export interface Decoder {
  feed(byte: number, at: number, emit: Emit): void;
  /** Where an escape began that is not complete; undefined for none. */
  readonly begun: number | undefined;
}

const BACKSLASH = 0x5c;
const PERCENT = 0x25;
const AMPERSAND = 0x26;
const SEMICOLON = 0x3b;
const PLUS = 0x2b;

function hexValue(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

function emitPoint(point: number, at: number, emit: Emit): void {
  for (const byte of encoder.encode(String.fromCodePoint(point))) emit(byte, at);
}

const encoder = new TextEncoder();

/** `%41` in upper and lower case, for any byte or none; with `spaces`, `+` is a space. */
export function percentDecoder(spaces: boolean): Decoder {
  let begun: number | undefined;
  let high = -1;
  const feed = (byte: number, at: number, emit: Emit): void => {
    if (begun === undefined) {
      if (byte === PERCENT) begun = at;
      else emit(spaces && byte === PLUS ? 0x20 : byte, at);
      return;
    }
    const digit = hexValue(byte);
    const from = begun;
    if (digit >= 0 && high < 0) {
      high = byte;
      return;
    }
    begun = undefined;
    const first = high;
    high = -1;
    if (digit >= 0) {
      emit(hexValue(first) * 16 + digit, from);
      return;
    }
    emit(PERCENT, from);
    if (first >= 0) emit(first, from + 1);
    feed(byte, at, emit);
  };
  return {
    feed,
    get begun() {
      return begun;
    },
  };
}

const LETTERS: ReadonlyMap<number, number> = new Map([
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
  [0x62, 0x08],
  [0x66, 0x0c],
]);

/** Backslashes as JSON, C and shells have them: `\n`, `\x41`, `\u0041` with pairs of surrogates, any other as itself. */
export function backslashDecoder(): Decoder {
  let begun: number | undefined;
  let digits = 0;
  let value = 0;
  let isByte = false;
  /** The first half of a pair, and where it began. */
  let half: { readonly unit: number; readonly at: number } | undefined;

  const unit = (code: number, at: number, emit: Emit): void => {
    const before = half;
    half = undefined;
    if (before !== undefined && code >= 0xdc00 && code <= 0xdfff)
      emitPoint(0x10000 + ((before.unit - 0xd800) << 10) + (code - 0xdc00), before.at, emit);
    else if (code >= 0xd800 && code <= 0xdbff) half = { unit: code, at };
    else emitPoint(code >= 0xd800 && code <= 0xdfff ? 0xfffd : code, at, emit);
  };

  const feed = (byte: number, at: number, emit: Emit): void => {
    if (begun === undefined) {
      if (byte === BACKSLASH) begun = at;
      else {
        half = undefined;
        emit(byte, at);
      }
      return;
    }
    const from = begun;
    if (digits > 0) {
      const digit = hexValue(byte);
      digits = digit < 0 ? 0 : digits - 1;
      value = value * 16 + Math.max(0, digit);
      if (digits > 0) return;
      begun = undefined;
      if (digit < 0) feed(byte, at, emit);
      else if (isByte) emit(value, from);
      else unit(value, from, emit);
      return;
    }
    if (byte === 0x75 || byte === 0x78) {
      isByte = byte === 0x78;
      digits = isByte ? 2 : 4;
      value = 0;
      return;
    }
    begun = undefined;
    half = undefined;
    emit(LETTERS.get(byte) ?? byte, from);
  };
  return {
    feed,
    get begun() {
      return half?.at ?? begun;
    },
  };
}

const NAMED: ReadonlyMap<string, number> = new Map([
  ["amp", 0x26],
  ["lt", 0x3c],
  ["gt", 0x3e],
  ["quot", 0x22],
  ["apos", 0x27],
]);
/** The longest reference that is read: `&#x0010ffff;`. */
const LONGEST_REFERENCE = 12;

function referred(name: string): number | undefined {
  const named = NAMED.get(name);
  if (named !== undefined || !/^#(?:\d{1,7}|[xX][\da-fA-F]{1,8})$/.test(name)) return named;
  const point = /^#[xX]/.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  const isPoint = point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
  return isPoint ? point : undefined;
}

/** References of HTML: the named ones that writers of HTML use, and every number. */
export function referenceDecoder(): Decoder {
  let begun: number | undefined;
  let name = "";
  const feed = (byte: number, at: number, emit: Emit): void => {
    if (begun === undefined) {
      if (byte === AMPERSAND) begun = at;
      else emit(byte, at);
      return;
    }
    const from = begun;
    const point = byte === SEMICOLON ? referred(name) : undefined;
    const goesOn = byte === 0x23 || hexValue(byte) >= 0 || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a);
    if (point === undefined && goesOn && name.length < LONGEST_REFERENCE - 2) {
      name += String.fromCharCode(byte);
      return;
    }
    const said = name;
    begun = undefined;
    name = "";
    if (point !== undefined) {
      emitPoint(point, from, emit);
      return;
    }
    emit(AMPERSAND, from);
    for (let index = 0; index < said.length; index++) emit(said.charCodeAt(index), from + 1 + index);
    feed(byte, at, emit);
  };
  return {
    feed,
    get begun() {
      return begun;
    },
  };
}

/** One after the other, as for JSON within JSON. */
export function chained(outer: Decoder, inner: Decoder): Decoder {
  return {
    feed: (byte, at, emit) => outer.feed(byte, at, (one, from) => inner.feed(one, from, emit)),
    get begun() {
      return inner.begun ?? outer.begun;
    },
  };
}
