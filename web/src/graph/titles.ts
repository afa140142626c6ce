import type { TaskCard } from "../../../src/server/shapes/run.ts";

/** Characters of a title that a card shows, and of a beginning that is worth leaving out. */
const ROOM = 54;
const SHARED = 16;

/** How many characters two titles have in common, in whole words. */
function sharedStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  // A word that only begins alike differs.
  return at === a.length ? a.lastIndexOf(" ", at - 1) + 1 : a.lastIndexOf(" ", at) + 1;
}

/**
 * What cards say: titles that are too long for one, and begin as those beside them do, are told from where they differ.
 * Linear.
 */
export function cardTitles(
  plan: readonly Pick<TaskCard, "id" | "phase" | "title">[],
): ReadonlyMap<string, string> {
  return new Map(
    plan.map(({ id, phase, title }, at) => {
      if (title.length <= ROOM) return [id, title];
      const beside = [plan[at - 1], plan[at + 1]].filter(other => other?.phase === phase);
      const shared = Math.max(0, ...beside.map(other => sharedStart(title, other!.title)));
      return [id, shared < SHARED ? title : `… ${title.slice(shared)}`];
    }),
  );
}
