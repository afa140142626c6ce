import type { Contract, VsLevel } from "../contract/index.ts";

/** One requirement of the evaluation harness, with what was found. */
export interface Check {
  readonly name: "phases" | "t-score" | "self-critique" | "provenance" | "mode-collapse";
  /** `missing`: the output says nothing that could be checked. */
  readonly state: "passed" | "failed" | "missing";
  readonly expected: string;
  readonly found: string;
}

/** Phases an agent of a level must go through. */
const PHASES: Readonly<Record<VsLevel, readonly number[]>> = {
  full: [0, 1, 2, 3, 4, 5],
  enhanced: [0, 1, 2, 4],
  light: [0, 1, 4],
};

/** At least one option must be less typical than this, and the chosen one no more typical than that. */
const SPREAD_BELOW = 0.6;
const FINAL_AT_MOST = 0.8;
const CRITIQUE = { strengths: 2, weaknesses: 2, improvements: 1 } as const;
/** Below this entropy of the score classes, from 0 to 1, options are all of one kind. */
const LEAST_ENTROPY = 0.3;

/** Checks an output's contract; a level given outranks the one it states. Every check is named, whatever its outcome. */
export function checkContract(contract: Contract, level: VsLevel | undefined = contract.level): Check[] {
  return [
    phases(contract, level),
    tScores(contract),
    critique(contract),
    provenance(contract),
    modeCollapse([contract]),
  ];
}

/** The checks that do not pass. */
export function failures(checks: readonly Check[]): Check[] {
  return checks.filter(({ state }) => state !== "passed");
}

/** What became of the checks in a summary: `lost` names those that the output passes and its summary does not. */
export function compareChecks(
  output: readonly Check[],
  summary: readonly Check[],
): { readonly lost: readonly Check["name"][] } {
  const passed = new Set(output.filter(({ state }) => state === "passed").map(({ name }) => name));
  return { lost: failures(summary).flatMap(({ name }) => (passed.has(name) ? [name] : [])) };
}

/**
 * Whether options all fall into one class of typicality (modal > 0.8, established ≥ 0.5, emerging ≥ 0.3, creative below),
 * over one output or many: normalised entropy below 0.3 is mode collapse.
 */
export function modeCollapse(contracts: readonly Contract[]): Check {
  const scores = contracts.flatMap(scoresOf);
  const expected = `entropy ≥ ${LEAST_ENTROPY}`;
  if (scores.length < 2)
    return { name: "mode-collapse", state: "missing", expected, found: `${scores.length} scores` };
  const counts = new Map<number, number>();
  for (const score of scores) counts.set(classOf(score), (counts.get(classOf(score)) ?? 0) + 1);
  let entropy = 0;
  for (const count of counts.values()) entropy -= (count / scores.length) * Math.log(count / scores.length);
  const normalised = Math.abs(entropy / Math.log(Math.min(4, scores.length)));
  const state = normalised >= LEAST_ENTROPY ? "passed" : "failed";
  return { name: "mode-collapse", state, expected, found: `entropy ${normalised.toFixed(2)}` };
}

function phases({ phases: done }: Contract, level: VsLevel | undefined): Check {
  const needed = level === undefined ? [] : PHASES[level];
  const expected = level === undefined ? "a VS level" : `${level}: ${needed.join(", ")}`;
  if (level === undefined || done.length === 0)
    return { name: "phases", state: "missing", expected, found: done.join(", ") };
  const state = needed.every(phase => done.includes(phase)) ? "passed" : "failed";
  return { name: "phases", state, expected, found: done.join(", ") };
}

function tScores(contract: Contract): Check {
  const scores = scoresOf(contract);
  const expected = `one < ${SPREAD_BELOW}, final ≤ ${FINAL_AT_MOST}`;
  const found = `${scores.join(", ")}${contract.tScore === undefined ? "" : `; final ${contract.tScore}`}`;
  if (scores.length === 0 || contract.tScore === undefined)
    return { name: "t-score", state: "missing", expected, found };
  const isSpread = scores.some(score => score < SPREAD_BELOW) && contract.tScore <= FINAL_AT_MOST;
  return { name: "t-score", state: isSpread ? "passed" : "failed", expected, found };
}

function critique(contract: Contract): Check {
  const counts = { strengths: 0, weaknesses: 0, improvements: 0 };
  const names = ["strengths", "weaknesses", "improvements"] as const;
  for (const name of names) counts[name] = contract[name].length;
  const expected = names.map(name => `≥ ${CRITIQUE[name]} ${name}`).join(", ");
  const found = names.map(name => `${counts[name]} ${name}`).join(", ");
  if (names.every(name => counts[name] === 0))
    return { name: "self-critique", state: "missing", expected, found };
  const state = names.every(name => counts[name] >= CRITIQUE[name]) ? "passed" : "failed";
  return { name: "self-critique", state, expected, found };
}

function provenance({ sources, trace, assumptions }: Contract): Check {
  const there = { sources, trace, assumptions };
  const absent = Object.entries(there).flatMap(([name, list]) => (list.length === 0 ? [name] : []));
  const state = absent.length === 0 ? "passed" : absent.length === 3 ? "missing" : "failed";
  const found = absent.length === 0 ? "all" : `no ${absent.join(", ")}`;
  return { name: "provenance", state, expected: "sources, trace, assumptions", found };
}

/** Scores of all options, the chosen one once. */
function scoresOf({ options, decision, tScore }: Contract): number[] {
  const scores = options.flatMap(option => (option.tScore === undefined ? [] : [option.tScore]));
  const isListed = options.some(({ option, tScore: score }) => option === decision && score !== undefined);
  return tScore === undefined || isListed ? scores : [...scores, tScore];
}

function classOf(score: number): number {
  return score > 0.8 ? 3 : score >= 0.5 ? 2 : score >= 0.3 ? 1 : 0;
}
