import { countTokens } from "../../tokens/index.ts";
import {
  made,
  rulesOf,
  type SummaryOptions,
  summarize,
  told,
  withExtraction,
  withHandover,
} from "../level.ts";
import { fillTemplate } from "../template/index.ts";
import type { Level, Source, Summary } from "../types.ts";
import type { DigestState } from "./condense.ts";
import { completed, digestLines } from "./digest.ts";

/** Characters of a template's value here; the digest says the rest. */
const LONGEST_VALUE = 200;
/** A digest may use this share of what the template leaves; facts it does not name take the rest. */
const DIGEST_SHARE = 0.6;

/** A level from what a model has said: template, digest, then extraction for what both leave out. Costs no call. */
export function summarizeWith(
  source: Source,
  state: DigestState | undefined,
  level: Level,
  options: SummaryOptions = {},
): Summary {
  const plain = summarize(source, level, options);
  if (state === undefined || level === 0 || plain.whole || source.binary) return plain;
  const { format, tokens } = rulesOf(source, options)[level];
  const filled = fillTemplate(format, source.id, completed(told(source), state.digest), LONGEST_VALUE);
  const head = withHandover(source, filled, tokens);
  const parts = head === "" ? [] : [head];
  let left = Math.floor((tokens - countTokens(head)) * DIGEST_SHARE);
  const lines: string[] = [];
  for (const line of digestLines(state.digest)) {
    const cost = countTokens(line) + 1;
    if (cost > left) continue;
    left -= cost;
    lines.push(line);
  }
  if (lines.length > 0) parts.push(lines.join("\n"));
  return made(level, withExtraction(source, parts.join("\n\n"), tokens));
}
