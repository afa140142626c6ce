import { fieldName, type TaskValues, VALUED, type ValueKey } from "../syntax/fields.ts";

/** What the fields of a task say, as text under the names we write. */
export function valuesOf(task: TaskValues): readonly { key: ValueKey; name: string; text: string }[] {
  return VALUED.flatMap(([key]) => {
    const value = task[key];
    if (value === undefined) return [];
    const text = typeof value === "object" ? value.join(", ") : String(value);
    return [{ key, name: fieldName(key), text }];
  });
}
