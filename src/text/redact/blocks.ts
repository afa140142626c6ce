import { type Alphabet, alphabet, BASE64, LETTER, UPPER_OR_DIGIT } from "./alphabet.ts";
import { NEWLINE } from "./bytes.ts";
import type { Cover } from "./cover.ts";
import type { Finder, Mark } from "./finders.ts";

const DASH = 0x2d;

/** Bytes of a block's label, of what stands before its first line of base64, and of a block whose end never comes. */
const LONGEST_LABEL = 60;
const LONGEST_HEAD = 512;
const LONGEST_BLOCK = 64 * 1024;
/** Bytes between its lines: whatever stands before each line of a log or a quote. */
const LONGEST_GAP = 300;
/** Bytes of the last line. */
const LONGEST_END = 80;
/** Bytes of a line of base64 that is no word. */
const SHORTEST_LINE = 40;

/**
 * A private key from BEGIN to END, whatever stands before each of its lines. Where the end is missing it ends with its last
 * line of base64.
 */
function keyFinder(cover: Cover): Finder {
  let start = 0;
  let phase: "label" | "body" | "end" = "label";
  let label = "";
  let from = 0;
  let run = 0;
  let gap = 0;
  let dashes = 0;
  /** Where the masked bytes and the bytes read end; zero for none masked. */
  let masked = 0;
  let read = 0;
  /** Whether the line is the first behind a line of base64, and base64 itself so far. */
  let isLast = false;

  const inLabel = (byte: number): boolean => {
    label += String.fromCharCode(byte);
    if (dashes === 5) {
      phase = "body";
      run = 0;
      gap = 0;
      dashes = 0;
      isLast = false;
      return /PRIVATE KEY(?: BLOCK)?-----$/.test(label);
    }
    const belongs = byte === DASH || byte === 0x20 || UPPER_OR_DIGIT[byte] === 1;
    return belongs && label.length <= LONGEST_LABEL;
  };
  const mask = (end: number): void => {
    cover(start, end);
    masked = end;
  };
  const inBody = (byte: number, at: number, end: number): boolean => {
    gap += 1;
    if (dashes === 5) {
      phase = "end";
      label = "";
      dashes = 0;
      from = at;
      if (masked > 0) mask(end);
      return masked > 0;
    }
    if (BASE64[byte] === 1) {
      run += 1;
      if (run >= SHORTEST_LINE) gap = 0;
      if (gap === 0 || isLast) mask(end);
    } else {
      isLast = byte === NEWLINE && gap <= 2 && masked > 0;
      run = 0;
    }
    return gap <= (masked > 0 ? LONGEST_GAP : LONGEST_HEAD) && at - start < LONGEST_BLOCK;
  };
  const inEnd = (byte: number, at: number, end: number): boolean => {
    const belongs = byte === DASH || byte === 0x20 || LETTER[byte] === 1;
    if (!belongs || at - from > LONGEST_END) return false;
    // Another one begins before this one has ended.
    if (label === "" && byte === 0x42) phase = "label";
    if (byte !== DASH) label += String.fromCharCode(byte);
    mask(end);
    return dashes < 5;
  };
  return {
    begin(at) {
      start = at;
      phase = "label";
      label = "";
      dashes = 0;
      masked = 0;
    },
    take(byte, at, end) {
      dashes = byte === DASH ? dashes + 1 : 0;
      read = end;
      if (phase === "label") return inLabel(byte);
      return phase === "body" ? inBody(byte, at, end) : inEnd(byte, at, end);
    },
    get begun() {
      if (masked === 0) return start;
      return masked < read ? masked : undefined;
    },
  };
}

/** What may stand in neither name nor password of a URL unescaped. */
const OUTSIDE = alphabet("\"'<>`{}|\\^/?#[]");
const INSIDE: Alphabet = OUTSIDE.map((isOutside, byte) =>
  isOutside === 1 || byte <= 0x20 || byte === 0x7f ? 0 : 1,
);
const AT = 0x40;
const COLON = 0x3a;
const COMMA = 0x2c;
const LONGEST_NAME = 128;
const LONGEST_PASSWORD = 512;
const LONGEST_PORT = 5;

/** The password in `scheme://name:password@host`, up to the last `@` before the path. */
function passwordFinder(cover: Cover): Finder {
  let phase: "name" | "password" | "host" = "name";
  let name = "";
  let from = 0;
  let password = 0;
  let sign = 0;
  /** Digits of what may be a port as well; infinite where it is none. */
  let port = 0;

  /** `host:8080,…` and `localhost:3000@…`: a number behind a host is no password. */
  const isPort = (byte: number): boolean =>
    port > 0 &&
    port <= LONGEST_PORT &&
    (byte === COMMA || (byte === AT && (name === "localhost" || name.includes("."))));
  return {
    begin(_start, next) {
      phase = "name";
      name = "";
      from = next;
    },
    take(byte, at, end) {
      if (INSIDE[byte] === 0 || at - from > (phase === "name" ? LONGEST_NAME : LONGEST_PASSWORD))
        return false;
      if (phase === "name") {
        name += String.fromCharCode(byte);
        if (byte === COLON) {
          name = name.slice(0, -1);
          phase = "password";
          password = end;
          port = 0;
          from = at;
        }
        return byte !== AT;
      }
      if (isPort(byte)) return false;
      port = byte >= 0x30 && byte <= 0x39 ? port + 1 : Infinity;
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
  { text: "-----BEGIN ", behind: "anything", shape: "key", finder: keyFinder },
  {
    text: "://",
    behind: "anything",
    isRaw: true,
    body: { of: INSIDE, atLeast: 0, has: AT },
    shape: "password",
    finder: passwordFinder,
  },
];
