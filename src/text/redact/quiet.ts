import { type Alphabet, alphabet } from "./alphabet.ts";
import type { Automaton } from "./automaton.ts";

/** Bytes that begin an escape. */
export const ESCAPES: Alphabet = alphabet("\\%&\u001b");
/** Bytes that mean something else than themselves only within what has begun. */
export const JOINTS: Alphabet = alphabet("\r\n\"'=");

/**
 * Where bytes lead to by which nothing is found and nothing is meant but the bytes themselves, by `state << 8 | byte`; negative
 * for all others. States without a row lead nowhere.
 */
export function quietSteps({ rows, secret, mark }: Automaton): Int16Array {
  const count = rows.length / 256;
  const steps = new Int16Array(rows.length);
  for (const [index, next] of rows.entries()) {
    const byte = index & 255;
    const isQuiet = next < count && secret[next] === 0 && mark[next] === 0 && ESCAPES[byte] === 0;
    // Where nothing has begun, and nothing begins with it.
    const isJoint = JOINTS[byte] === 1 && (index > 255 || next !== 0);
    steps[index] = isQuiet && !isJoint ? next : -1;
  }
  return steps;
}
