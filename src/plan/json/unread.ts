import { nearest, told } from "../../text/index.ts";
import type { Place, Report } from "../report.ts";
import { itemsOf, type Json, member, textOf } from "../syntax/json-text.ts";
import { unnamedIn } from "./waits.ts";

/** Keys of a task that tools write for themselves, besides those that are read. */
const OWN = ["priority", "complexity", "createdAt", "updatedAt", "metadata", "notes"];

/** Under which names a task tells what it is; the others are those of lists that no planner wrote. */
const TITLES = ["subject", "title", "name", "content"];

/** Most names of keys that are looked at: a list has a few dozen. */
const MOST_KEYS = 1000;

/** What a task is, in a line; empty where nothing says so. */
export function titleOf(task: Json): string {
  return TITLES.map(name => textOf(member(task, name)) ?? "").find(title => title !== "") ?? "";
}

/** What a key was likely meant to be; each name is looked for once. */
function guesser(keys: readonly string[]): (name: string) => string | undefined {
  const guesses = new Map<string, string | undefined>([...keys, ...OWN].map(name => [name, undefined]));
  const most = guesses.size + MOST_KEYS;
  return name => {
    if (!guesses.has(name) && guesses.size < most)
      guesses.set(name, name.length > 2 ? nearest(name, keys) : undefined);
    return guesses.get(name);
  };
}

/**
 * Tells what of the tasks of a JSON plan is not read although it is likely meant to be: those without an id, keys that are like
 * one of the format, what they wait for where it names no task, and tasks in a task where the format has none. A key is told
 * once, where it first stands.
 */
export function tellUnread(
  values: readonly Json[],
  keys: readonly string[],
  placeOf: (value: Json) => Place,
  report: Report,
): void {
  const meantBy = guesser(keys);
  const isTold = new Set<string>();
  const tellKey = (name: string, value: Json, hint: Parameters<Report["add"]>[4]) => {
    if (isTold.has(name)) return;
    isTold.add(name);
    report.add("warning", "UNKNOWN_KEY", placeOf(value), told`the key "${name}" is not read`, hint);
  };
  for (const value of values) {
    if (value.kind !== "object") continue;
    const title = titleOf(value);
    const id = textOf(member(value, "id")) ?? "";
    if (id !== "" && title.trim() === "")
      report.add(
        "warning",
        "NO_TITLE",
        placeOf(value),
        told`${id} does not say what is to be done`,
        told`give it a title`,
      );
    if (id === "" && title !== "")
      report.add(
        "warning",
        "NO_ID",
        placeOf(value),
        told`a task without an id is not read: ${title}`,
        told`give it an id of its own`,
      );
    for (const [name, item] of value.members) {
      const meant = meantBy(name);
      if (meant !== undefined && !value.members.has(meant)) tellKey(name, item, told`did you mean ${meant}?`);
    }
    for (const { name, value: item } of unnamedIn(value))
      report.add(
        "warning",
        "UNREAD_DEP",
        placeOf(item),
        told`not all of "${name}" is read: it holds what is no id`,
        told`write the ids of the tasks in a list`,
      );
    const nested = member(value, "subtasks");
    if (nested !== undefined && !keys.includes("subtasks") && itemsOf(nested).length > 0)
      tellKey("subtasks", nested, told`put these tasks into the list, each with an id of its own`);
  }
}
