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
];
