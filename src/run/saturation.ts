/** The documents' three marks (004 section 9.3), in percent of the lead's window. */
const MARKS: readonly { readonly percent: number; readonly level: "warn" | "save" | "stop" }[] = [
  { percent: 90, level: "stop" },
  { percent: 80, level: "save" },
  { percent: 70, level: "warn" },
];

export interface Saturation {
  readonly percent: number;
  /** The highest mark reached, or `none`. */
  readonly level: "none" | "warn" | "save" | "stop";
  /** True when this reading crossed into `level` from below. */
  readonly crossed: boolean;
}

function levelAt(percent: number): Saturation["level"] {
  return MARKS.find(mark => percent >= mark.percent)?.level ?? "none";
}

/** How full the lead's window is after it was made to read `added` more tokens. Each mark is crossed once. */
export function saturation(readBefore: number, added: number, contextWindow: number): Saturation {
  const share = (tokens: number) => (contextWindow > 0 ? (100 * tokens) / contextWindow : 0);
  const percent = share(readBefore + added);
  const level = levelAt(percent);
  return { percent: Math.floor(percent), level, crossed: level !== levelAt(share(readBefore)) };
}
