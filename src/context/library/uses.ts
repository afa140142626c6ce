/** What became of a source in a run. */
export interface Uses {
  /** How often attempts asked for it by its name. */
  readonly asked: number;
  /** How many accepted answers name it, and how many say that it is wrong. */
  readonly cited: number;
  readonly against: number;
}

export const UNUSED: Uses = { asked: 0, cited: 0, against: 0 };
