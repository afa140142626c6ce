/**
 * What `npm test` tries of long lists. All of them are tried by `npm run torture -- --only tables`, which sets ESPALIER_WHOLE;
 * with `ESPALIER_WHOLE=1 npx vitest run FILE` so is one file.
 */
import { it } from "vitest";

/** Whether lists are tried whole. */
export const WHOLE: boolean = process.env["ESPALIER_WHOLE"] === "1";

/**
 * The rows of a table at these places, which differ most or once found a bug; all of them where lists are tried whole. For
 * tables each of whose rows starts programs, or takes seconds, to prove the same rule.
 */
export function sampleOf<Row extends unknown[] | [unknown]>(rows: readonly Row[], ...at: number[]): Row[];
export function sampleOf<const Row>(rows: readonly Row[], ...at: number[]): Row[];
export function sampleOf<Row>(rows: readonly Row[], ...at: number[]): Row[] {
  const sample = at.map(place => {
    if (place >= rows.length) throw new RangeError(`there is no row ${place} of ${rows.length}`);
    return rows[place] as Row;
  });
  return WHOLE ? [...rows] : sample;
}

/** How many cases are tried: of each day, or whole. */
export function casesOf(sample: number, whole: number): number {
  return WHOLE ? whole : sample;
}

/** A further case of a rule that another test of each day proves in its main case; `npm test` counts it as skipped. */
export const itWhole: typeof it = WHOLE ? it : (it.skip as typeof it);
