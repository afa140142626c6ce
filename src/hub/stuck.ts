import type { Stuck } from "../fleet/index.ts";
import type { Book, Present } from "./book.ts";
import { offered, type Waiting, waitingAgain } from "./kept.ts";

/** How many of each resource the machines of a pool offer together. */
export function offersIn({ present }: Pick<Book, "present">, pool: string): Record<string, number> {
  const all = new Map<string, number>();
  for (const [name, { resources }] of present)
    if (name.startsWith(`${pool}/`))
      for (const [what, many] of Object.entries(resources)) all.set(what, (all.get(what) ?? 0) + many);
  return Object.fromEntries(all);
}

/** What stands against an order at all machines that are there; undefined where one could take it. */
export function lackOf(
  book: Pick<Book, "present" | "able">,
  pool: string,
  waiting: Waiting,
): Omit<Stuck, "ids"> | undefined {
  if (book.able(pool, waiting).length > 0) return undefined;
  const { repository, ...anywhere } = waiting;
  const isLet = repository === undefined || book.able(pool, anywhere).length === 0;
  const there = offersIn(book, pool);
  return {
    lacks: (waiting.uses ?? []).filter(name => offered(there, name) === 0),
    ...(isLet ? {} : { repository }),
  };
}

const namesOf = (machines: readonly Present[]) => machines.map(({ machine }) => machine).toSorted();

/**
 * Orders of a run that wait, and that no machine takes now: all that could are drained or have full disks or, where everybody who is there `wasHeard`,
 * there is none.
 */
export function stuckIn(book: Book, pool: string, run: string, wasHeard: boolean): Stuck[] {
  const found = new Map<string, Stuck>();
  const note = (id: string, why: Omit<Stuck, "ids">) => {
    const key = JSON.stringify(why);
    const known = found.get(key);
    if (known === undefined) found.set(key, { ...why, ids: [id] });
    else known.ids.push(id);
  };
  const there = offersIn(book, pool);
  for (const [key, { kept, run: whose, uses }] of book.orders) {
    if (whose !== run || kept.pool !== pool || kept.life.at !== "queued" || kept.order === undefined)
      continue;
    const { id, uses: all = [] } = kept.order;
    // What the run counts itself is known to the hub that was handed the order alone.
    const wanted = uses ?? all.filter(name => offered(there, name) > 0);
    const waiting = { ...waitingAgain(key, kept)!, uses: wanted };
    const able = book.able(pool, waiting);
    const full = namesOf(able.filter(one => one.isFull && !one.draining));
    if (able.length > 0 && able.every(one => one.draining || one.isFull))
      note(id, full.length > 0 ? { full } : { drained: namesOf(able) });
    const lack = wasHeard ? lackOf(book, pool, waiting) : undefined;
    if (lack !== undefined) note(id, lack);
  }
  return [...found.values()];
}
