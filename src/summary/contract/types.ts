/** How much an agent shows of its thinking; the documents call them Full, Enhanced and Light VS. */
export type VsLevel = "full" | "enhanced" | "light";

/** One option an agent weighed. */
export interface Option {
  readonly option: string;
  /** How typical the option is, 0 to 1. */
  readonly tScore?: number;
  readonly why?: string;
}

/** Whom an agent sends the work to next. */
export interface NextAgent {
  readonly agent: string;
  readonly reason?: string;
}

/** The fields that an output states about itself, wherever and however it states them. Texts are foreign, one line each. */
export interface Contract {
  readonly agent?: string;
  readonly level?: VsLevel;
  readonly decision?: string;
  /** 0 to 1. */
  readonly tScore?: number;
  /** 0 to 1. */
  readonly confidence?: number;
  readonly summary?: string;
  readonly reasons: readonly string[];
  /** Every option weighed, the chosen one too where the output lists it. */
  readonly options: readonly Option[];
  readonly strengths: readonly string[];
  readonly weaknesses: readonly string[];
  readonly improvements: readonly string[];
  readonly nextAgents: readonly NextAgent[];
  readonly phases: readonly number[];
  readonly sources: readonly string[];
  readonly trace: readonly string[];
  readonly assumptions: readonly string[];
}

/** What is wrong with an output's contract; the rest of it is read all the same. */
export interface ContractProblem {
  readonly kind: /** Front matter or a fenced block does not parse. */
    | "unreadable"
    | "not-a-number"
    | "out-of-range"
    /** The output states a field twice, differently; the first one counts. */
    | "conflict"
    /** A level's name that nobody knows. */
    | "unknown-level"
    | "missing";
  readonly field: string;
  readonly found: string;
}

export interface ContractReading {
  readonly contract: Contract;
  readonly problems: readonly ContractProblem[];
}
