/** Stands for `fast-check` while mutants are asked. */
import all from "fast-check";
import "../seed.ts";

export * from "fast-check";

/** What a property tries at most: fewer cases can only let more mutants live. */
const CASES = 30;

/** Stops at the first counterexample: nobody reads a smaller one. */
const assert = (property: all.IRawProperty<unknown>, parameters: all.Parameters<unknown> = {}): unknown => {
  const numRuns = Math.min(parameters.numRuns ?? 100, CASES);
  return all.assert(property, { ...parameters, numRuns, endOnFailure: true });
};

export default { ...all, assert };
