/** Characters below which a value is no secret: masking it would hide ordinary words. */
const SHORTEST = 8;

/** Bytes of one line of a secret of many lines that are a secret by themselves. */
const SHORTEST_LINE = 20;

/** Characters of a value that are compared as one, and how many of them the next ones share. */
const LONGEST_PIECE = 512;
const OVERLAP = 32;

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

const encoder = new TextEncoder();

function base64(bytes: Uint8Array): string {
  let out = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const group = (bytes[at]! << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    const chars = Math.min(4, Math.ceil(((bytes.length - at) * 8) / 6));
    for (let index = 0; index < chars; index++) out += BASE64[(group >> (18 - 6 * index)) & 63];
    out += "=".repeat(4 - chars);
  }
  return out;
}

/**
 * How bytes look in base64 wherever they stand in what is encoded: with a rest of zero, one or two bytes before them, and
 * with or without more behind.
 */
function base64Forms(bytes: Uint8Array): string[] {
  const forms = [0, 1, 2].flatMap(before => {
    const shifted = new Uint8Array(before + bytes.length);
    shifted.set(bytes, before);
    const whole = base64(shifted).slice(Math.ceil((before * 8) / 6));
    const own = Math.floor((shifted.length * 8) / 6) - Math.ceil((before * 8) / 6);
    return [whole.slice(0, own), whole.split("=", 1)[0]!, whole];
  });
  return [...forms, ...forms.map(form => form.replaceAll("+", "-").replaceAll("/", "_"))];
}

function hexForms(bytes: Uint8Array): string[] {
  const pairs = Array.from(bytes, byte => byte.toString(16).padStart(2, "0"));
  return ["", ":", " "].flatMap(between => {
    const lower = pairs.join(between);
    return [lower, lower.toUpperCase()];
  });
}

function latin1(value: string): Uint8Array | undefined {
  const codes = Array.from(value, char => char.codePointAt(0)!);
  const isOther = codes.some(code => code > 127) && codes.every(code => code < 256);
  return isOther ? Uint8Array.from(codes) : undefined;
}

/** A line that would be taken for a secret wherever it stood: a line of base64, no words and no frame. */
function isTelling(line: string): boolean {
  return line.length >= SHORTEST_LINE && !/\s|^-----/.test(line);
}

/** Overlapping pieces of a long value: what is compared stays short. */
function pieces(value: string): string[] {
  const found: string[] = [];
  for (let at = 0; at === 0 || at + OVERLAP < value.length; at += LONGEST_PIECE - OVERLAP)
    found.push(value.slice(Math.max(0, Math.min(at, value.length - LONGEST_PIECE)), at + LONGEST_PIECE));
  return found;
}

/** How one value is written in different ways, before any encoding. */
function spellings(value: string): string[] {
  const unix = value.replaceAll("\r\n", "\n");
  const lines = unix.includes("\n") ? unix.split("\n").map(line => line.trim()) : [];
  // Lines are compared without their breaks: whoever wraps a long line puts them anywhere.
  const whole = [unix, unix.replaceAll("\n", ""), unix.normalize("NFD"), ...lines.filter(isTelling)];
  return [...new Set(whole.flatMap(pieces))];
}

/** The values that are masked: trimmed, at least eight characters, and no part of the mask itself. */
export function maskable(values: Iterable<string>, mask: string): string[] {
  const trimmed = Array.from(values, value => value.trim());
  return [...new Set(trimmed)].filter(value => value.length >= SHORTEST && !mask.includes(value));
}

/**
 * Every fixed form of a secret, as bytes: UTF-8, Latin-1, as a shell quotes it, hexadecimal and base64. Forms in which any
 * character may or may not be escaped (`%41`, `\u0041`, `&#65;`) are no patterns: `decoders.ts` reads through them.
 */
export function formsOf(value: string): Uint8Array[] {
  const found = new Map<string, Uint8Array>();
  const add = (bytes: Uint8Array): void => {
    found.set(String.fromCharCode(...bytes.subarray(0, 4096)), bytes);
  };
  for (const spelling of spellings(value)) {
    const plain = encoder.encode(spelling);
    add(plain);
    const narrow = latin1(spelling);
    if (narrow !== undefined) add(narrow);
    if (spelling.includes("'")) {
      add(encoder.encode(spelling.replaceAll("'", "'\\''")));
      add(encoder.encode(spelling.replaceAll("'", `'"'"'`)));
    }
    for (const form of [...base64Forms(plain), ...hexForms(plain)]) add(encoder.encode(form));
  }
  return [...found.values()];
}
