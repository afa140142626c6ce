/** A mutant that no test can notice, with the reason. Code and replacement as Stryker names them, on one line. */
export interface Equivalent {
  readonly file: string;
  readonly code: string;
  /** Any replacement when it is left out. */
  readonly to?: string;
  readonly why: string;
}

export const EQUIVALENT: readonly Equivalent[] = [
  {
    file: "src/budget/select/knapsack.ts",
    code: "greedy.value < greedy.bound",
    why: "where nothing can beat the choice, searching on finds nothing and returns it",
  },
  {
    file: "src/budget/select/exact.ts",
    code: "tokens.length - 1",
    to: "tokens.length + 1",
    why: "no step costs undefined, so the search comes back to the last one",
  },
  {
    file: "src/budget/select/exact.ts",
    code: "tokens[middle]! <= room",
    to: "tokens[middle]! < room",
    why: "the end of one step is the beginning of the next: in that room both say the same",
  },
  {
    file: "src/budget/select/exact.ts",
    code: "[]",
    to: '["Stryker was here"]',
    why: "what has no worth is on no frontier",
  },
  {
    file: "src/adapters/lock/holder.ts",
    code: "!read.ok",
    to: "false",
    why: "what was not read has no bytes to decode, and the failure of that is answered the same",
  },
  {
    file: "src/adapters/lock/holder.ts",
    code: "{ return undefined; }",
    to: "{}",
    why: "the end of the function returns the same",
  },
  {
    file: "src/adapters/lock/lock.ts",
    code: "true",
    to: "false",
    why: "device and inode are told apart as numbers as well as they are in full",
  },
];
