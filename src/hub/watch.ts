import type { Loss } from "../ports/index.ts";
import { type Book, partsOf } from "./book.ts";
import { isOver } from "./kept.ts";
import type { Patience } from "./patience.ts";

/** Whether a machine may work for a pool. */
export type Lets = (pool: string, machine: string) => boolean;

/** Why a machine is given up; undefined where it is not. */
function whyGivenUp(name: string, silentMs: number, { leaseMs }: Patience, lets: Lets): Loss | undefined {
  const [pool, machine] = partsOf(name);
  if (silentMs > leaseMs) return { why: `machine ${machine} was not heard any more`, how: "silent" };
  const why = `the token of machine ${machine} was taken back, or has expired`;
  return lets(pool, machine) ? undefined : { why, how: "token" };
}

/**
 * Gives up machines that are silent for too long or may not work any more, and orders that nobody asks for, until the function
 * that it returns is called.
 */
export function watch(
  { present, orders, expire, lose }: Pick<Book, "present" | "orders" | "expire" | "lose">,
  patience: Patience,
  lets: Lets,
): () => void {
  const look = () => {
    const at = performance.now();
    for (const [name, { seen, boot }] of present) {
      const why = whyGivenUp(name, at - seen, patience, lets);
      if (why !== undefined) void expire(name, why, boot).catch(() => {});
    }
    for (const [key, { kept, asked }] of orders) {
      if (at - asked <= patience.orphanMs) continue;
      if (isOver(kept)) orders.delete(key);
      else {
        const loss = { why: "its coordinator was not heard any more", how: "coordinator" } as const;
        void lose(key, loss).catch(() => {});
      }
    }
  };
  const watching = setInterval(look, Math.min(1000, patience.leaseMs / 4));
  watching.unref();
  return () => clearInterval(watching);
}
