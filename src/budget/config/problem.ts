/** What is wrong with a budget, and what to do. */
export interface BudgetProblem {
  /** Keys from the top of the budget section. */
  readonly path: readonly string[];
  readonly message: string;
}
