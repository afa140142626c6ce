import { type Alphabet, alphabet, NAME, PARTS, UPPER_OR_DIGIT, WORD } from "./alphabet.ts";
import type { Cover } from "./track.ts";

/** Looks for one secret of a shape at a time, byte by byte, with bounded memory. */
export interface Finder {
  /** A mark of this shape began at `start` and ended before `next`. */
  begin(start: number, next: number): void;
  /** Takes a byte behind the mark; false when it ends what began there. */
  take(byte: number, at: number): boolean;
  /** Where what may become a secret began, while it is not clear; undefined for nothing. */
  readonly begun: number | undefined;
}

/** A text by which a shape is recognised. */
export interface Mark {
  readonly text: string;
  /** Whether a letter or a digit may stand before it. */
  readonly anywhere?: boolean;
  /** The shape that begins with it; finders of the same shape share one. */
  readonly shape: string;
  finder(cover: Cover): Finder;
}

interface TokenShape {
  readonly of: Alphabet;
  /** Bytes it has at least, its prefix included. */
  readonly atLeast: number;
  /** Whether the mark itself is left standing. */
  readonly keepsMark?: boolean;
  /** Whether it may hold nothing but small letters and signs. */
  readonly plain?: boolean;
}

/** Bytes within which a token shows that it is one. */
const CLEAR_WITHIN = 512;

/** A run of bytes of one alphabet behind a mark. Words joined by hyphens are none: a token has a digit or a capital. */
function tokenFinder({ of, atLeast, keepsMark, plain }: TokenShape, cover: Cover): Finder {
  let start = 0;
  let isRandom = false;
  let isClear = false;
  return {
    begin(from, next) {
      start = keepsMark === true ? next : from;
      isRandom = plain === true;
      isClear = false;
    },
    take(byte, at) {
      const length = at + 1 - start;
      if (of[byte] === 0 || (!isClear && length > CLEAR_WITHIN)) return false;
      if (UPPER_OR_DIGIT[byte] === 1) isRandom = true;
      isClear ||= isRandom && length >= atLeast;
      if (isClear) cover(start, at + 1);
      return true;
    },
    get begun() {
      return isClear ? undefined : start;
    },
  };
}

function token(text: string, shape: TokenShape): Mark {
  return { text, shape: text, finder: cover => tokenFinder(shape, cover) };
}

const PATH = alphabet("/");
for (const [byte, belongs] of NAME.entries()) if (belongs === 1) PATH[byte] = 1;

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Bytes of a JWT's header at most. */
const LONGEST_HEADER = 2048;
/** Bytes of its second part that are needed. */
const SHORTEST_CLAIMS = 8;

/** Whether base64 decodes to an object that names an algorithm; it is not parsed, which would be slow where it fails. */
function isJwtHeader(text: string): boolean {
  let bits = 0;
  let value = 0;
  let decoded = "";
  for (const char of text) {
    value = ((value << 6) | DIGITS.indexOf(char)) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    decoded += String.fromCharCode((value >> bits) & 0xff);
  }
  return decoded.startsWith('{"') && decoded.includes('"alg"') && decoded.endsWith("}");
}

/** Parts of base64 joined by dots, the first of which decodes to JSON that names an algorithm. */
function jwtFinder(cover: Cover): Finder {
  let start = 0;
  let header = "";
  /** Bytes of the second part; undefined in the first. */
  let claims: number | undefined;
  return {
    begin(from) {
      start = from;
      header = "eyJ";
      claims = undefined;
    },
    take(byte, at) {
      const isDot = byte === 0x2e;
      if (claims === undefined) {
        if (!isDot) {
          header += String.fromCharCode(byte);
          return NAME[byte] === 1 && header.length <= LONGEST_HEADER;
        }
        claims = 0;
        return isJwtHeader(header);
      }
      if (NAME[byte] === 0 && !(isDot && claims >= SHORTEST_CLAIMS)) return false;
      claims += 1;
      if (claims >= SHORTEST_CLAIMS) cover(start, at + 1);
      return true;
    },
    get begun() {
      return (claims ?? 0) >= SHORTEST_CLAIMS ? undefined : start;
    },
  };
}

const RANDOM_NAME: Omit<TokenShape, "atLeast"> = { of: NAME };
const RANDOM_WORD: Omit<TokenShape, "atLeast"> = { of: WORD };

/** Prefixes by which well-known services mark their secrets, with the shortest length such a secret has. */
export const TOKENS: readonly Mark[] = [
  token("sk-", { ...RANDOM_NAME, atLeast: 24 }),
  ...["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"].map(text =>
    token(text, { ...RANDOM_WORD, atLeast: 24 }),
  ),
  ...["ghp_", "gho_", "ghu_", "ghs_", "ghr_"].map(text => token(text, { ...RANDOM_NAME, atLeast: 30 })),
  token("github_pat_", { ...RANDOM_NAME, atLeast: 40 }),
  ...["glpat-", "gldt-", "glrt-", "glptt-"].map(text => token(text, { of: PARTS, atLeast: 20 })),
  ...["xoxa-", "xoxb-", "xoxe-", "xoxp-", "xoxr-", "xoxs-", "xapp-"].map(text =>
    token(text, { ...RANDOM_NAME, atLeast: 20 }),
  ),
  ...["AKIA", "ASIA"].map(text => token(text, { of: UPPER_OR_DIGIT, atLeast: 20, plain: true })),
  token("AIza", { ...RANDOM_NAME, atLeast: 35 }),
  token("GOCSPX-", { ...RANDOM_NAME, atLeast: 30 }),
  token("ya29.", { ...RANDOM_NAME, atLeast: 40 }),
  token("npm_", { ...RANDOM_WORD, atLeast: 36 }),
  token("pypi-AgE", { ...RANDOM_NAME, atLeast: 50 }),
  token("hf_", { ...RANDOM_WORD, atLeast: 30 }),
  token("gsk_", { ...RANDOM_WORD, atLeast: 40 }),
  token("xai-", { ...RANDOM_WORD, atLeast: 40 }),
  token("dop_v1_", { ...RANDOM_WORD, atLeast: 60 }),
  token("shpat_", { ...RANDOM_WORD, atLeast: 38 }),
  token("dckr_pat_", { ...RANDOM_NAME, atLeast: 32 }),
  token("SG.", { of: PARTS, atLeast: 60 }),
  token("AGE-SECRET-KEY-1", { of: UPPER_OR_DIGIT, atLeast: 60, plain: true }),
  token("https://hooks.slack.com/services/", { of: PATH, atLeast: 40 }),
  token("https://discord.com/api/webhooks/", { of: PATH, atLeast: 60 }),
  ...["Bearer ", "bearer "].map(text => token(text, { of: PARTS, atLeast: 20, keepsMark: true })),
  ...["uthorization: ", "uthorization:", 'uthorization": "', 'uthorization":"'].flatMap(name =>
    ["Basic ", "basic "].map(
      (text): Mark => ({
        ...token(name + text, { of: PARTS, atLeast: 8, keepsMark: true, plain: true }),
        anywhere: true,
      }),
    ),
  ),
  { text: "eyJ", shape: "jwt", finder: jwtFinder },
];
