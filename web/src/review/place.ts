/** What is reviewed: the work of a task, of one attempt of it, or of a phase. */
export type Place =
  | { readonly kind: "task"; readonly task: string; readonly attempt: number }
  | { readonly kind: "phase"; readonly phase: string };

/** A place as the fragment keeps it; ids and labels may hold any character. */
export function itemOf(place: Place): string {
  if (place.kind === "phase") return `phase/${place.phase}`;
  return `task${place.attempt === 0 ? "" : place.attempt}/${place.task}`;
}

/** The place that an item of the fragment names; undefined for none. */
export function placeOf(item: string): Place | undefined {
  const [, kind = "", number = "", name = ""] = /^(task|phase)(\d{0,6})\/(.+)$/s.exec(item) ?? [];
  if (kind === "phase") return { kind, phase: name };
  return kind === "task" ? { kind, task: name, attempt: Number(number) } : undefined;
}

/** How the server is asked for its work. */
export function queryOf(place: Place): Record<string, string | number> {
  if (place.kind === "phase") return { phase: place.phase };
  return { task: place.task, ...(place.attempt === 0 ? {} : { attempt: place.attempt }) };
}
