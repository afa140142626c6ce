import { isNoWork } from "./checklist.ts";
import type { Draft, Section } from "./document.ts";

/** Fewer could be words that happen to hold a number (`S3 bucket`, `A4 paper`). */
const LEAST = 3;

/**
 * Boxes of one list whose first words count on (`A1 …`, `A2 …`, `A4 …`): ids, although nothing sets them off from the title.
 * What stands in another task, a checklist or a list of requirements is none: criteria, risks and requirements are counted, too.
 */
export function inSeries(drafts: readonly Draft[]): ReadonlySet<Draft> {
  const lists = new Map<Section | undefined, Map<string, Draft[]>>();
  for (const draft of drafts) {
    const { id, shape, box, several } = draft.head;
    if (draft.origin !== "item" || draft.parent !== undefined || box === undefined) continue;
    if (id === undefined || shape !== "other" || several) continue;
    if (isNoWork(draft)) continue;
    const [letters] = /^[A-Za-z]*/.exec(id)!;
    const list = lists.get(draft.section) ?? new Map<string, Draft[]>();
    lists.set(draft.section, list);
    const series = list.get(letters);
    if (series === undefined) list.set(letters, [draft]);
    else series.push(draft);
  }
  const found = new Set<Draft>();
  for (const list of lists.values())
    for (const series of list.values())
      if (new Set(series.map(({ head }) => head.id)).size >= LEAST)
        for (const draft of series) found.add(draft);
  return found;
}
