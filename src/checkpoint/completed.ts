import { conflictLine, parseCheckpoint, tablesOfPart } from "./document.ts";

/** What a checkpoint says of tasks, for a run that starts from it. */
export interface TaskClaims {
  /** By id, of the ids that were asked for; a note beside `completed` is a reservation, such as `unverified`. */
  readonly statuses: ReadonlyMap<string, { readonly status: string; readonly note: string }>;
  /** Rows of its task table that name no such id. */
  readonly unknown: readonly string[];
  /** 1-based line of a merge that nobody finished: what stands there is two checkpoints' word. */
  readonly conflict?: number;
}

/** Reads the task table of a checkpoint's Current State for the tasks of a plan. */
export function taskClaims(text: string, ids: ReadonlySet<string>): TaskClaims {
  const statuses = new Map<string, { status: string; note: string }>();
  const unknown: string[] = [];
  let longest = 0;
  for (const id of ids) longest = Math.max(longest, id.length);
  const checkpoint = parseCheckpoint(text);
  const conflict = conflictLine(checkpoint);
  for (const { titles, rows } of tablesOfPart(checkpoint, "state")) {
    if (titles[0]?.toLowerCase() !== "task" || titles[1]?.toLowerCase() !== "status") continue;
    for (const { cells } of rows) {
      const [first = "", status = "", note = ""] = cells;
      const named = idsIn(first, ids, longest);
      if (named.length === 0) unknown.push(first);
      for (const id of named) {
        const claim = { status: status.toLowerCase(), note };
        const before = statuses.get(id);
        // What rows contradict each other about is not known to be done.
        statuses.set(
          id,
          before === undefined || before.status === claim.status ? claim : { status: "pending", note: "" },
        );
      }
    }
  }
  return { statuses, unknown, ...(conflict === undefined ? {} : { conflict: conflict + 1 }) };
}

/** `T1.3 Build the parser`, or `T1.1, T1.2, T1.3`. */
function idsIn(cell: string, ids: ReadonlySet<string>, longest: number): string[] {
  const listed = cell.split(", ");
  if (listed.length > 1 && listed.every(id => ids.has(id))) return listed;
  if (ids.has(cell)) return [cell];
  // An id may hold blanks: the longest beginning that is one. Longer ones than any id are not tried.
  for (let end = cell.lastIndexOf(" ", longest); end > 0; end = cell.lastIndexOf(" ", end - 1))
    if (ids.has(cell.slice(0, end))) return [cell.slice(0, end)];
  return [];
}
