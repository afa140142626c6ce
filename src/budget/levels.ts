/** The four summary levels: full, detailed, brief, key. */
export type Level = 0 | 1 | 2 | 3;

export const LEVELS: readonly Level[] = [0, 1, 2, 3];

/** How thoroughly an agent works, and so what share of the budget it has. */
export type VsLevel = "full_vs" | "enhanced_vs" | "light_vs";

export const VS_LEVELS: readonly VsLevel[] = ["full_vs", "enhanced_vs", "light_vs"];

/** Reads every spelling in use: `full`, `Full`, `full_vs`, `FULL-VS`, `Full VS`; undefined for anything else. */
export function readVsLevel(text: string): VsLevel | undefined {
  const word = text.trim().toLowerCase().replaceAll("-", "_").replaceAll(" ", "_");
  return VS_LEVELS.find(level => word === level || word === level.slice(0, level.indexOf("_")));
}

const NAMES: readonly string[] = ["full", "detailed", "brief", "key"];

/** Reads a compression level: `level_1`, `level_1_summaries`, `1`, `brief`; undefined for anything else. */
export function readLevel(text: string): Level | undefined {
  const word = text.trim().toLowerCase();
  const digit = word.startsWith("level_") ? word.charAt(6) : word.length === 1 ? word : "";
  const number = Number(digit === "" ? Number.NaN : digit);
  return LEVELS.find(level => level === number || NAMES[level] === word);
}

/** What share of its facts an output keeps at each level, as measured on real agent outputs. */
export const RETENTION: readonly [number, number, number, number] = [1, 0.749, 0.6, 0.402];

/** The most tokens of levels 1, 2 and 3. */
export const CEILINGS: Readonly<Record<1 | 2 | 3, number>> = { 1: 3000, 2: 1000, 3: 300 };
