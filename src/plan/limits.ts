/** How much a task file may hold; beyond it reading stops with an error that names the limit. */
export interface Limits {
  /** Bytes of the file. */
  readonly bytes: number;
  /** UTF-16 code units of one line. */
  readonly lineLength: number;
  readonly tasks: number;
  /** Dependencies and parallel partners after groups and ranges are spelled out. */
  readonly edges: number;
  /** Diagnostics reported; the last one tells how many more there were. */
  readonly diagnostics: number;
}

/** The limits used where none are given. */
export const DEFAULT_LIMITS: Limits = {
  bytes: 32 * 1024 * 1024,
  lineLength: 1024 * 1024,
  tasks: 100_000,
  edges: 1_000_000,
  diagnostics: 1000,
};

/** Defaults with some limits replaced; what is no number, or less than nothing, limits nothing and replaces none. */
export function limitsOf(given: Partial<Limits> = {}): Limits {
  const own = Object.entries(given).filter(([, most]) => most >= 0);
  return { ...DEFAULT_LIMITS, ...Object.fromEntries(own.map(([name, most]) => [name, Math.floor(most)])) };
}
