/** One agent's work as its author imagined it; the corpus writes a full output around it. */
export interface Work {
  readonly agent: string;
  readonly title: string;
  readonly decision: string;
  readonly tScore: number;
  readonly confidence: number;
  readonly reasons: readonly string[];
  readonly rejected: readonly (readonly [option: string, tScore: number, why: string])[];
  /** What others build on. */
  readonly contract: readonly string[];
  readonly files: readonly (readonly [path: string, what: string])[];
  readonly findings: readonly string[];
  readonly critique: readonly [strength: string, weakness: string, improvement: string];
  readonly next: readonly (readonly [agent: string, why: string])[];
  /** What this agent took from those before it, in its own words. */
  readonly builtOn: readonly string[];
  /** Words its exploration is full of and nobody needs again. */
  readonly noise: readonly string[];
}

/** A team's work on one project, in the order it was done. */
export interface Project {
  readonly name: string;
  readonly locale: "en" | "ko";
  readonly works: readonly Work[];
}
