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
  const steps = new Int16Array(rows);
  const count = rows.length / 256;
  for (let at = 0; at < steps.length; at++) {
    const next = rows[at]!;
    if (next !== 0 && (next >= count || secret[next] !== 0 || mark[next] !== 0)) steps[at] = -1;
  }
  for (let byte = 0; byte < 256; byte++) {
    const isJoint = JOINTS[byte] === 1;
    // Where nothing has begun, and nothing begins with it.
    if (ESCAPES[byte] !== 0 || (isJoint && steps[byte] !== 0)) steps[byte] = -1;
    if (ESCAPES[byte] !== 0 || isJoint)
      for (let at = 256 | byte; at < steps.length; at += 256) steps[at] = -1;
  }
  return steps;
}
