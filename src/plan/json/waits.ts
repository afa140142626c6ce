import { itemsOf, type Json, member, oneOrMore, textOf } from "../syntax/json-text.ts";

/** Under which names a task tells what it waits for: those of the formats, and those of others. */
export const DEPENDS: readonly string[] = [
  "depends_on",
  "dependencies",
  "dependsOn",
  "depends",
  "blockedBy",
  "blocked_by",
];

/** What is written for a value that there is none of. */
export const NONE: ReadonlySet<string> = new Set(["", "-", "none", "n/a", "null", "없음"]);

/** An id that a task waits for, as it is written, and the value that it stands in. */
export interface Wait {
  readonly written: string;
  readonly item: Json;
}

/** Whether a value names something: itself, or by the id it has. */
function nameOf(item: Json): string | undefined {
  return textOf(item) ?? textOf(member(item, "id"));
}

/**
 * What a task waits for, under whichever names it says so: an id, a list of them, or several in one text with commas between.
 * `isTask` tells whether a text is an id as it stands.
 */
export function waitsOf(task: Json, isTask: (id: string) => boolean): Wait[] {
  return DEPENDS.flatMap(name => oneOrMore(member(task, name))).flatMap(item => {
    const name = nameOf(item);
    if (name === undefined) return [];
    if (isTask(name)) return [{ written: name, item }];
    const parts = name.split(",").map(part => part.trim());
    return parts.filter(part => !NONE.has(part.toLowerCase())).map(written => ({ written, item }));
  });
}

/** The values under these names in which something stands that names no task; `null` is nothing. */
export function* unnamedIn(task: Json): Generator<{ readonly name: string; readonly value: Json }> {
  const isNothing = (value: Json) => value.kind === "literal" && value.value === null;
  for (const name of DEPENDS) {
    const value = member(task, name);
    if (value === undefined || isNothing(value) || textOf(value) !== undefined) continue;
    const isRead =
      value.kind === "array" && itemsOf(value).every(item => isNothing(item) || nameOf(item) !== undefined);
    if (!isRead) yield { name, value };
  }
}
