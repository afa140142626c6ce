/** The tokens of o200k in the order of their ranks: text, or bytes where one begins or ends inside a character. */
export type Ranks = readonly (string | readonly number[])[];

let provided: (() => Ranks) | undefined;

/**
 * Has the ranks loaded at the first count, by a program that counts in few of its commands: they are two megabytes. It must
 * say so before it imports what counts; unless told, that brings the ranks with it.
 */
export function provideRanks(load: () => Ranks): void {
  provided = load;
}

/** How the ranks are loaded at first need, where a program has said so. */
export function providedRanks(): (() => Ranks) | undefined {
  return provided;
}
