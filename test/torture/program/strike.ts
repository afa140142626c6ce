/** What happens at one of the calls by which a program changes anything. Given to it in `STRIKE`, as JSON. */
export interface Strike {
  /** Which call, counted from 1. */
  readonly at: number;
  /** Whether the call took effect before. */
  readonly after: boolean;
  /** The error that a file call fails with; without one the process is killed. */
  readonly errno?: string;
  /** Every later file call fails as well. */
  readonly forever?: boolean;
  /** A file that is made when it happens, or holds the number of calls when the process ends without it. */
  readonly note?: string;
}

/** The variable that tells a program how it is struck. */
export const STRIKE = "ESPALIER_STRIKE";
