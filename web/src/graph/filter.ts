import type { Status, TaskCard, TaskNow } from "../../../src/server/shapes/run.ts";

/** What the person looks for. */
export interface Filter {
  readonly text: string;
  readonly statuses: ReadonlySet<Status>;
}

/** Nothing is filtered. */
export const NO_FILTER: Filter = { text: "", statuses: new Set() };

/** Whether anything is looked for. */
export function isFiltering({ text, statuses }: Filter): boolean {
  return text.trim() !== "" || statuses.size > 0;
}

/** Whether a task is among those looked for: every word stands in its id, title or role. */
export function matches(filter: Filter, card: TaskCard, task: TaskNow | undefined): boolean {
  if (filter.statuses.size > 0 && !filter.statuses.has(task?.status ?? "pending")) return false;
  const words = filter.text.toLowerCase().split(" ").filter(Boolean);
  if (words.length === 0) return true;
  const text = `${card.id} ${card.title} ${card.role ?? ""}`.toLowerCase();
  return words.every(word => text.includes(word));
}
