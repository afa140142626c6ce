/** What is expected to notice a bug: a test file, in it only the tests of one rule, or a long proof tried so often. */
export type Catcher =
  | { readonly test: string; readonly rule?: string }
  | { readonly proof: string; readonly count: number; readonly seed?: number };

/** A bug that somebody thought of, named by what it does. It stays where it is when lines move. */
export interface NamedBug {
  readonly name: string;
  /** Relative to the checkout. */
  readonly file: string;
  /** The function, `Class.method`, class or constant that holds it. */
  readonly symbol: string;
  /** Code that stands in the symbol exactly once, however it is broken into lines; and what is planted in its place. */
  readonly swap: readonly [from: string, to: string];
  readonly by: Catcher;
  /** The conformance suite of `espalier/testing` that it is to be caught by. */
  readonly suite?: "store" | "agent" | "fleet" | "vcs" | "model";
}

/** A change of one file. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  readonly symbol: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** The room of a file: the folder below `src`. */
export function roomOf(file: string): string {
  return file.split("/")[1] ?? "";
}
