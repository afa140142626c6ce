import type { ProcessEnd } from "../process/index.ts";

/** What people are told about processes that outlived the one that should have ended them. */
export function leftoverNotes(end: ProcessEnd): readonly string[] {
  const all: string[] = [];
  if (end.leftovers.length > 0)
    all.push(`[espalier] ended ${count(end.leftovers)} that the turn left running`);
  if (end.survivors.length > 0) all.push(`[espalier] could not end ${count(end.survivors)}`);
  return all;
}

function count(pids: readonly number[]): string {
  const shown = pids.slice(0, 8).join(", ");
  const more = pids.length > 8 ? `, +${pids.length - 8}` : "";
  return `${pids.length} ${pids.length === 1 ? "process" : "processes"} (pid ${shown}${more})`;
}
