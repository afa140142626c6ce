import type { Redactor } from "../../src/text/index.ts";

/** A string of so many characters that is shaped like a token of a well-known service. */
export const long = (prefix: string, length: number): string =>
  prefix + "aB3".repeat(length).slice(0, length - prefix.length);

/** Such tokens, made up here. */
export const MARKED: readonly string[] = [
  long("sk-ant-", 60),
  long("sk-", 40),
  long("sk-proj-", 60),
  long("ghp_", 40),
  long("gho_", 40),
  long("ghs_", 40),
  long("github_pat_", 60),
  long("glpat-", 26),
  long("xoxb-", 40),
  long("xoxp-", 40),
  "AKIAJ4B7Q2WX6M5T3C8D",
  long("AIza", 39),
  long("npm_", 40),
  long("https://hooks.slack.com/services/", 70),
];

/** Everything a stream gives for these pieces. */
export function streamed(redact: Redactor, pieces: readonly Uint8Array[]): Buffer {
  const stream = redact.stream();
  const memory = Buffer.alloc(Math.max(1, ...pieces.map(piece => piece.length)));
  const passed = pieces.map(piece => {
    // As the output of programs comes: each piece where the one before stood.
    memory.fill(0xee).set(piece);
    return Buffer.from(stream.push(memory.subarray(0, piece.length)));
  });
  return Buffer.concat([...passed, stream.end()]);
}

/** A text cut into pieces of these lengths, over and over. */
export function cut(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const length = lengths[turn % lengths.length]!;
    pieces.push(bytes.slice(at, at + length));
    at += length;
  }
  return pieces;
}

/** A signed token. */
export const JWT: string = `${Buffer.from('{"alg":"HS256","typ":"JWT"}').toString("base64url")}.${Buffer.from('{"sub":"1234567890","name":"x"}').toString("base64url")}.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U`;

/** The lines between the first and the last one of a private key, made up here. */
export const KEY_LINES: readonly string[] = Array.from({ length: 20 }, (_, line) =>
  `${line}MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us`.slice(0, 64),
);

/** A private key of a kind. */
export const pem = (kind: string, lineEnd = "\n"): string =>
  [`-----BEGIN ${kind}PRIVATE KEY-----`, ...KEY_LINES, "q8Q=", `-----END ${kind}PRIVATE KEY-----`].join(
    lineEnd,
  );
