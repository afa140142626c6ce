import { type FieldKey, ROWS } from "./fields.ts";

const KEYS: ReadonlyMap<string, FieldKey> = new Map(
  ROWS.flatMap(([key, { names }]) => names.split(" ").map(name => [name, key] as const)),
);

/** The key a field name stands for; of `의존성/독립성` the part that is known. */
export function fieldKey(name: string): FieldKey | undefined {
  const known = KEYS.get(compact(name));
  if (known !== undefined || name.length > 40) return known;
  for (const part of name.split(/[/·&]/)) {
    const key = KEYS.get(compact(part));
    if (key !== undefined && part !== name) return key;
  }
  return undefined;
}

function compact(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, "");
}
