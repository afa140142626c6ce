import { nearest, told } from "../../text/index.ts";
import type { Place, Report } from "../report.ts";
import { type Json, member, textOf } from "../syntax/json-text.ts";

/** Keys of a task that tools write for themselves, besides those that are read. */
const OWN = ["priority", "complexity", "createdAt", "updatedAt", "metadata", "notes"];

/**
 * Tells what of the tasks of a JSON plan is not read although it is likely meant to be: those without an id, and keys that are
 * like one of the format. A key is told once, where it first stands.
 */
export function tellUnread(
  values: readonly Json[],
  keys: readonly string[],
  placeOf: (value: Json) => Place,
  report: Report,
): void {
  const known = new Set([...keys, ...OWN]);
  for (const value of values) {
    if (value.kind !== "object") continue;
    const id = textOf(member(value, "id")) ?? "";
    const title = textOf(member(value, "subject")) ?? textOf(member(value, "title"));
    if (id === "" && title !== undefined)
      report.add(
        "warning",
        "NO_ID",
        placeOf(value),
        told`a task without an id is not read: ${title}`,
        told`give it an id of its own`,
      );
    for (const [name, item] of value.members) {
      if (known.has(name)) continue;
      known.add(name);
      const meant = name.length > 2 ? nearest(name, keys) : undefined;
      if (meant === undefined || value.members.has(meant)) continue;
      report.add(
        "warning",
        "UNKNOWN_KEY",
        placeOf(item),
        told`the key "${name}" is not read`,
        told`did you mean ${meant}?`,
      );
    }
  }
}
