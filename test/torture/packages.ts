import { countTokens } from "../../src/tokens/index.ts";
import { adversarial, overBy } from "../assembly/adversarial.ts";
import { assembler } from "../assembly/parts.ts";
import type { Findings } from "./proof.ts";

/** Assembles packages of any shape; what is more than its limit, or other than its receipt, is broken. */
export function assembleMany(seed: number, count: number): Findings {
  const counts = { packages: 0, full: 0, parts: 0, out: 0 };
  const broken: string[] = [];
  for (let at = seed; at < seed + count; at++) {
    const given = adversarial(at);
    const made = assembler()(given);
    const { parts, tokens } = made.receipt;
    counts.packages++;
    counts.parts += parts.length;
    const out = parts.filter(part => !part.in).length;
    counts.out += out;
    if (out > 0) counts.full++;
    const over = overBy(given, made);
    if (over > 0) broken.push(`seed ${at}: ${over} tokens over the limit of ${given.limits.tokens}`);
    if (countTokens(made.text) !== tokens) broken.push(`seed ${at}: its receipt says ${tokens} tokens`);
    const sum = parts.reduce((all, part) => all + part.tokens, 0);
    if (sum !== tokens) broken.push(`seed ${at}: parts of ${sum} tokens make ${tokens}`);
  }
  return { counts, broken };
}
