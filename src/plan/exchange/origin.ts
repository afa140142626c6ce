import type { ForeignKind } from "./foreign-kinds.ts";

/** The value of the field `origin`: whose task it is, by its id there; what cannot stand in it is spelled as `_20_`. */
export function originOf(kind: ForeignKind, id: string): string {
  const safe = id.replaceAll(/[^A-Za-z0-9._-]/gu, mark => `_${mark.codePointAt(0)!.toString(16)}_`);
  return `${kind}:${safe}`;
}
