import type { Names, Reason, ReasonArgs, RefusalArgs } from "../../ports/index.ts";

/** Tells a reason that another one holds. */
export type Tell = (reason: Reason) => string;

/** Reasons of some codes in one language. */
export type CatalogueOf<Args> = {
  readonly [Code in keyof Args]: (args: Args[Code], tell: Tell) => string;
};

/** Every reason in one language. */
export type Catalogue = CatalogueOf<ReasonArgs>;

/** Refusals, with those that hold another reason. */
export type RefusalCatalogue = CatalogueOf<
  RefusalArgs & Pick<ReasonArgs, "landed-unreadable" | "repository-unmended" | "folder-held">
>;

/** Tells a few of many names, and how many more there are. */
export function listing(rest: (more: number) => string): (names: Names) => string {
  return ({ names, more }) => `${names.join(", ")}${more > 0 ? rest(more) : ""}`;
}

/** Tokens as people read them: `1,234,567`. */
export const whole = (tokens: number): string => Math.round(tokens).toLocaleString("en-US");

/** US dollars to the cent. */
export const dollars = (cost: number): string => `$${cost.toFixed(2)}`;

/** A list whose absent parts are left out. */
export function parts(separator: string, ...texts: readonly (string | false | undefined)[]): string {
  return texts.filter(Boolean).join(separator);
}

/** Shows all of what an attempt has left behind: of its commit the first parent is what the work began with. */
export const leftShown = (ref: string): string => `git diff ${ref}~ ${ref}`;

/** A span of time with the words of a language for minutes, seconds and thousandths. */
export function span(ms: number, [minutes, seconds, thousandths]: readonly [string, string, string]): string {
  if (ms >= 60_000 && ms % 60_000 === 0) return `${ms / 60_000}${minutes}`;
  return ms >= 1_000 ? `${Math.round(ms / 100) / 10}${seconds}` : `${ms}${thousandths}`;
}
