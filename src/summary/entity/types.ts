/** What a fact is: something later work refers to by its exact spelling. */
export type EntityKind = "path" | "id" | "number" | "code";

/** A fact as a text names it. */
export interface Entity {
  readonly kind: EntityKind;
  /** Its identity: equal for `./src/a.ts` and `src/a.ts:12`, for `30 s` and `30s`. */
  readonly key: string;
}
