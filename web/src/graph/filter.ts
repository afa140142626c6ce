import type { TaskCard, TaskNow } from "../../../src/server/shapes/run.ts";
import { ORDER, type Stand, standOf } from "../parts/stand.ts";

/** What the person looks for. */
export interface Filter {
  readonly text: string;
  readonly stands: ReadonlySet<Stand>;
}

/** Nothing is filtered. */
export const NO_FILTER: Filter = { text: "", stands: new Set() };

/** Whether anything is looked for. */
export function isFiltering({ text, stands }: Filter): boolean {
  return text.trim() !== "" || stands.size > 0;
}

/** Whether a task is among those looked for: every word stands in its id, title or role. */
export function matches(filter: Filter, card: TaskCard, task: TaskNow | undefined): boolean {
  if (filter.stands.size > 0 && !filter.stands.has(standOf(task))) return false;
  const words = filter.text.toLowerCase().split(" ").filter(Boolean);
  if (words.length === 0) return true;
  const text = `${card.id} ${card.title} ${card.role ?? ""}`.toLowerCase();
  return words.every(word => text.includes(word));
}

/** The states that an address names, as in `unverified,stale`. */
export function standsIn(item: string): ReadonlySet<Stand> {
  const names = new Set(item.split(","));
  return new Set(ORDER.filter(stand => names.has(stand)));
}
