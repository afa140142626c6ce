import type { Reason, ReasonArgs, ReasonCode } from "../../ports/index.ts";

/** Tells a reason that another one holds. */
export type Tell = (reason: Reason) => string;

/** Every reason in one language. */
export type Catalogue = {
  readonly [Code in ReasonCode]: (args: ReasonArgs[Code], tell: Tell) => string;
};

/** Tokens as people read them: `1,234,567`. */
export const whole = (tokens: number): string => Math.round(tokens).toLocaleString("en-US");

/** US dollars to the cent. */
export const dollars = (cost: number): string => `$${cost.toFixed(2)}`;

/** A list whose absent parts are left out. */
export function parts(separator: string, ...texts: readonly (string | false | undefined)[]): string {
  return texts.filter(Boolean).join(separator);
}
