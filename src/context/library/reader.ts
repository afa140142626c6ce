import type { PackageLimits } from "../../assembly/index.ts";
import type { AttemptRow, UsageRow } from "../../ports/index.ts";
import {
  type Calibration,
  calibrate,
  calibrated,
  familyOf,
  inFamily,
  type TokenEstimate,
  UNCALIBRATED,
  wideShare,
} from "../../tokens/index.ts";

/** Who reads a package: the model whose tokens count, and what its reports have taught of them. */
export interface Reader {
  /** Name of a model or agent; its family decides how its tokens are counted. */
  readonly model: string;
  readonly known: Calibration;
}

/** Somebody who reads o200k tokens, exactly: programs, which have no window. */
export const EXACT: Reader = { model: "openai", known: UNCALIBRATED };

/** Packages below this many tokens are lost beside an agent's own prompt: its report says nothing of them. */
const LEAST_TAUGHT = 1000;
/** A report of more or less than this many times the package is of many turns, or of none. */
const MOST_TIMES = 2;

/** The readers of a run, and what it has learnt of them. */
export interface Readers {
  of(agent: string): Reader;
  /** Learns from an attempt that has ended. */
  learn(row: Pick<AttemptRow, "agent" | "usage" | "estimate">): void;
}

/** Readers by agent, taught by what earlier attempts of the run have reported. `models`: what an agent's model is called. */
export function createReaders(
  models: ReadonlyMap<string, string>,
  before: readonly UsageRow[] = [],
): Readers {
  const known = new Map<string, Calibration>();
  const readers: Readers = {
    of: agent => ({ model: models.get(agent) ?? agent, known: known.get(agent) ?? UNCALIBRATED }),
    learn({ agent, usage, estimate = 0 }) {
      const reported = usage?.inputTokens ?? 0;
      // An estimate of ours tells nothing of its tokens.
      if ((usage?.estimatedTokens ?? 0) > 0) return;
      if (estimate < LEAST_TAUGHT || reported * MOST_TIMES < estimate || reported > estimate * MOST_TIMES)
        return;
      known.set(agent, calibrate(known.get(agent) ?? UNCALIBRATED, estimate, reported));
    },
  };
  for (const row of before) readers.learn(row);
  return readers;
}

/** What a text of so many o200k tokens is to a reader. */
function asRead(tokens: number, wide: number, { model, known }: Reader): TokenEstimate {
  return calibrated(inFamily(tokens, wide, familyOf(model)), known);
}

/** What a package is to its reader: `estimate` before, `likely` and `upper` after what its reports have taught. */
export interface ReadTokens {
  readonly model: string;
  readonly estimate: number;
  readonly likely: number;
  readonly upper: number;
}

/** Counts a package as its reader does. */
export function readTokens(text: string, tokens: number, reader: Reader): ReadTokens {
  const wide = wideShare(text);
  const { tokens: likely, upper } = asRead(tokens, wide, reader);
  return {
    model: reader.model,
    estimate: inFamily(tokens, wide, familyOf(reader.model)).tokens,
    likely,
    upper,
  };
}

/** Counted to a million: factors are not to suffer from rounding. */
const MANY = 1e6;
/** Shares of wide characters are told apart in quarters, so that readers of one node are given the same. */
const QUARTERS = 4;

/** How many tokens of a reader one o200k token may be, in texts with at most this share of wide characters. */
function mostPerToken(share: number, reader: Reader): number {
  return asRead(MANY, Math.ceil(share * QUARTERS) / QUARTERS, reader).upper / MANY;
}

/** Share of a package that headings, delimiters and the assignment leave to texts that are not looked at closer. */
const SPARE = 0.9;

/** Limits in o200k tokens for a package of these texts that its reader must not count beyond `limits`. */
export function limitsFor(
  limits: PackageLimits,
  reader: Reader,
  texts: readonly string[],
  count: (text: string) => number,
): PackageLimits {
  const share = texts.reduce((most, text) => Math.max(most, wideShare(text)), 0);
  const factor = mostPerToken(share, reader);
  const all = texts.reduce((sum, text) => sum + count(text), 0);
  const mayExceed = all * factor > Math.min(limits.tokens, limits.results ?? Infinity) * SPARE;
  return mayExceed ? divided(limits, factor) : limits;
}

/** The limits that hold whatever the package is made of. */
export function strictLimits(limits: PackageLimits, reader: Reader): PackageLimits {
  return divided(limits, mostPerToken(1, reader));
}

function divided(limits: PackageLimits, factor: number): PackageLimits {
  const { tokens, results } = limits;
  return {
    ...limits,
    tokens: Math.floor(tokens / factor),
    ...(results === undefined ? {} : { results: Math.floor(results / factor) }),
  };
}
