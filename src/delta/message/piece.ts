/** One item of a message, under the section it speaks of. Text comes inline or as body lines, or not at all. */
export interface Piece {
  readonly kind: "RENAMED" | "CHANGED" | "MOVED" | "REMOVED" | "REWRAPPED" | "REPLACED" | "ADDED";
  /** Index of the section. */
  readonly section: number;
  /** ` after KEY`, ` before KEY`, ` from KEY (3 lines)`, or empty. */
  readonly place: string;
  readonly inline?: string;
  readonly body?: readonly string[];
  /** What the wording of a change costs a reader, in tokens. */
  readonly strain?: number;
}

/** ` (3 lines)`, or nothing for one. */
export function countMark(lines: number): string {
  return lines === 1 ? "" : ` (${lines} lines)`;
}
