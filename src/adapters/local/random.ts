import { randomBytes } from "node:crypto";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

/** Lower-case letters and digits, five bits each, from the system's generator. */
export function randomName(length: number): string {
  let out = "";
  for (const byte of randomBytes(length)) out += ALPHABET[byte & 31];
  return out;
}
