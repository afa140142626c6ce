import type { Place, Report } from "../report.ts";
import type { Task } from "../types.ts";

/** Where a task stands, for findings about it. */
export function placeOf(task: Task, report: Report): Place {
  const own = report.places.get(task.id);
  if (own !== undefined) return own;
  const end = task.text.indexOf("\n");
  return { line: task.line, column: 1, length: Math.max(1, end < 0 ? task.text.length : end) };
}
