import type { Locale } from "../../text/index.ts";

/** A line that what follows it in its list or section is about. */
export interface Lead {
  readonly piece: number;
  /** It reads like a title: another one takes its place. */
  readonly isTitle: boolean;
  /** What stands below it: nothing yet, prose that may go on, or a list, a table or code that ends it. */
  below: "nothing" | "prose" | "rest";
}

/** The block just above, which a sentence that points back is about. */
export interface Above {
  readonly kind: "prose" | "quote" | "list" | "table" | "code";
  /** Its first piece; its end is that of the pieces. */
  readonly from: number;
  /** What it stands under, and what its own pieces stand under. */
  readonly under: number;
  readonly inside: number;
  /** Lines of code, items of a list. */
  count: number;
}

/** Says what stands in a place, in the language of the text. */
export const STAND_IN: Readonly<
  Record<Locale, { code(lines: number): string; list(items: number): string }>
> = {
  en: {
    code: lines => `(code, ${lines} ${lines === 1 ? "line" : "lines"})`,
    list: items => `(list, ${items} items)`,
  },
  ko: { code: lines => `(코드, ${lines}줄)`, list: items => `(목록, ${items}개 항목)` },
};
