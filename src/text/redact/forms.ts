import { asMeant } from "./view.ts";

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

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("");
}

/** UTF-16 of either order, each without the zero at its end that the next character may have as well. */
function wide(value: string): Uint8Array[] {
  const little = new Uint8Array(value.length * 2);
  const big = new Uint8Array(value.length * 2);
  for (let at = 0; at < value.length; at++) {
    const unit = value.charCodeAt(at);
    little.set([unit & 0xff, unit >> 8], at * 2);
    big.set([unit >> 8, unit & 0xff], at * 2);
  }
  return [little.at(-1) === 0 ? little.subarray(0, -1) : little, big[0] === 0 ? big.subarray(1) : big];
}

/** As mail writes bytes that are not ASCII, and the sign it does so with. */
function quotedPrintable(bytes: Uint8Array): string {
  return Array.from(bytes, byte =>
    byte < 0x7f && byte !== 0x3d
      ? String.fromCharCode(byte)
      : `=${byte.toString(16).toUpperCase().padStart(2, "0")}`,
  ).join("");
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
  const whole = [
    unix,
    // Lines are compared without their breaks: whoever wraps a long line puts them anywhere.
    unix.replaceAll("\n", ""),
    unix.replaceAll("\n", " "),
    unix.normalize("NFC"),
    unix.normalize("NFD"),
    // As forms of the web write blanks.
    unix.replaceAll(" ", "+"),
    ...lines.filter(isTelling),
  ];
  return [...new Set(whole.flatMap(pieces))];
}

/** A value in UTF-8, spelled in different ways. */
export function spelled(value: string): Uint8Array[] {
  return spellings(value).map(spelling => encoder.encode(spelling));
}

/** The values that are masked: trimmed, at least eight characters, and no part of the mask itself. */
export function maskable(values: Iterable<string>, mask: string): string[] {
  const trimmed = Array.from(values, value => value.trim());
  return [...new Set(trimmed)].filter(value => value.length >= SHORTEST && !mask.includes(value));
}

/**
 * Every fixed form of a secret, as bytes: UTF-8, Latin-1, UTF-16, as a shell and mail quote it, hexadecimal and base64. Forms
 * in which any character may or may not be escaped (`%41`, `\u0041`, `&#65;`) are no patterns: each of these is also there as
 * it is when its own escapes are resolved, which is what a view of the stream is compared with.
 */
export function formsOf(value: string): Uint8Array[] {
  const found = new Map<string, Uint8Array>();
  const add = (bytes: Uint8Array): void => {
    for (const form of [bytes, asMeant(bytes)])
      if (form.length >= SHORTEST) found.set(String.fromCharCode(...form.subarray(0, 4096)), form);
  };
  for (const spelling of spellings(value)) {
    const plain = encoder.encode(spelling);
    add(plain);
    const narrow = latin1(spelling);
    if (narrow !== undefined) add(narrow);
    for (const form of wide(spelling)) add(form);
    if (spelling.includes("'")) add(encoder.encode(spelling.replaceAll("'", `'"'"'`)));
    const pairs = hex(plain);
    for (const form of [...base64Forms(plain), pairs, pairs.toUpperCase(), quotedPrintable(plain)])
      add(encoder.encode(form));
  }
  return [...found.values()];
}
