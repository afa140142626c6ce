import { alphabet, BASE64, LETTER, UPPER_OR_DIGIT } from "./alphabet.ts";
import type { Finder, Mark } from "./finders.ts";
import type { Cover } from "./track.ts";

const DASH = 0x2d;
const BACKSLASH = 0x5c;

/** Bytes of a block's label, of what stands before its first line of base64, and of a block whose end never comes. */
const LONGEST_LABEL = 60;
const LONGEST_HEAD = 512;
const LONGEST_BLOCK = 64 * 1024;
/** Bytes of the last line. */
const LONGEST_END = 80;
/** Bytes of a line of base64 that is no word. */
const SHORTEST_LINE = 40;

/** What stands between the lines of a block, quoted, escaped or not, and in its headers. */
const BETWEEN = alphabet(" \t\r\n\\:,.-|>");

/**
 * A private key from BEGIN to END. Where the end is missing it ends with what cannot belong to it: a byte of another kind, or
 * the second short word in a row.
 */
function keyFinder(cover: Cover): Finder {
  let start = 0;
  let phase: "label" | "head" | "body" | "end" = "label";
  let label = "";
  let from = 0;
  let run = 0;
  let before = 0;
  let dashes = 0;
  let isEscaped = false;

  const inLabel = (byte: number, at: number): boolean => {
    dashes = byte === DASH ? dashes + 1 : 0;
    label += String.fromCharCode(byte);
    if (dashes === 5) {
      phase = "head";
      from = at;
      run = 0;
      return /PRIVATE KEY(?: BLOCK)?-----$/.test(label);
    }
    const belongs = byte === DASH || byte === 0x20 || UPPER_OR_DIGIT[byte] === 1;
    return belongs && label.length <= LONGEST_LABEL;
  };
  const inHead = (byte: number, at: number): boolean => {
    run = BASE64[byte] === 1 ? run + 1 : 0;
    if (run >= SHORTEST_LINE) {
      phase = "body";
      before = SHORTEST_LINE;
      dashes = 0;
      cover(start, at + 1);
    }
    return (run > 0 || BETWEEN[byte] === 1) && at - from <= LONGEST_HEAD;
  };
  const inBody = (byte: number, at: number): boolean => {
    dashes = byte === DASH ? dashes + 1 : 0;
    const counts = BASE64[byte] === 1 && !isEscaped;
    isEscaped = byte === BACKSLASH && !isEscaped;
    if (dashes === 5) {
      phase = "end";
      from = at;
      dashes = 0;
    } else if (counts) {
      if (run === 0 && before < SHORTEST_LINE) return false;
      run += 1;
    } else if (run > 0) {
      before = run;
      run = 0;
    }
    if (BASE64[byte] === 0 && BETWEEN[byte] === 0) return false;
    cover(start, at + 1);
    return at - start < LONGEST_BLOCK;
  };
  const inEnd = (byte: number, at: number): boolean => {
    dashes = byte === DASH ? dashes + 1 : 0;
    const belongs = byte === DASH || byte === 0x20 || LETTER[byte] === 1;
    if (!belongs || at - from > LONGEST_END) return false;
    cover(start, at + 1);
    return dashes < 5;
  };
  return {
    begin(at) {
      start = at;
      phase = "label";
      label = "";
      dashes = 0;
      isEscaped = false;
    },
    take(byte, at) {
      switch (phase) {
        case "label":
          return inLabel(byte, at);
        case "head":
          return inHead(byte, at);
        case "body":
          return inBody(byte, at);
        case "end":
          return inEnd(byte, at);
        default:
          return phase satisfies never;
      }
    },
    get begun() {
      return phase === "label" || phase === "head" ? start : undefined;
    },
  };
}

/** What may stand in neither name nor password of a URL unescaped. */
const OUTSIDE = alphabet(" \t\r\n\"'<>`{}|\\^/?#[]");
const AT = 0x40;
const COLON = 0x3a;
const LONGEST_NAME = 128;
const LONGEST_PASSWORD = 512;

/** The password in `scheme://name:password@host`, up to the last `@` before the path. */
function passwordFinder(cover: Cover): Finder {
  let phase: "name" | "password" | "host" = "name";
  let from = 0;
  let password = 0;
  let sign = 0;
  return {
    begin(_start, next) {
      phase = "name";
      from = next;
    },
    take(byte, at) {
      const isOutside = byte <= 0x20 || byte === 0x7f || OUTSIDE[byte] === 1;
      if (isOutside || at - from > (phase === "name" ? LONGEST_NAME : LONGEST_PASSWORD)) return false;
      if (phase === "name") {
        if (byte === COLON) {
          phase = "password";
          password = at + 1;
          from = at;
        }
        return byte !== AT;
      }
      if (byte === AT && at > password) {
        cover(password, at);
        phase = "host";
        sign = at;
      }
      return true;
    },
    get begun() {
      if (phase === "name") return undefined;
      return phase === "password" ? password : sign;
    },
  };
}

export const BLOCKS: readonly Mark[] = [
  { text: "-----BEGIN ", shape: "key", finder: keyFinder, anywhere: true },
  { text: "://", shape: "password", finder: passwordFinder, anywhere: true },
];
