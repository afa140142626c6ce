import type { DatabaseSync } from "./database.ts";
import type { Seal } from "./seal.ts";

/** One row of a run, by a name that no other row of it has. */
export type RowName = string;
export const taskName = (id: string): RowName => `task ${id}`;
export const attemptName = (task: string, number: number): RowName => `attempt ${number} ${task}`;

/** What one row adds to the digest of all: nobody without the key knows it, so nobody finds others that add up to the same. */
function share(seal: Seal, rowSeal: string): bigint {
  const bytes = Buffer.from(seal.of(`share\n${rowSeal}`), "base64url");
  return (bytes.readBigUInt64LE(0) << 64n) | bytes.readBigUInt64LE(8);
}

/** Shares of the rows of a run, and what they add up to. Any order gives the same, and a change costs as much as it changes. */
export interface Shares {
  readonly run: string;
  readonly shares: Map<RowName, bigint>;
  readonly sum: bigint;
}

/** The seals of rows that a transaction writes; undefined where it takes the row away. */
export type Written = ReadonlyMap<RowName, string | undefined>;

/** The shares of a run as it is stored; `n` is its row. */
export function sharesOf(database: DatabaseSync, seal: Seal, { n, id }: { n: number; id: string }): Shares {
  const shares = new Map<RowName, bigint>();
  let sum = 0n;
  const add = (name: RowName, rowSeal: unknown) => {
    const own = share(seal, typeof rowSeal === "string" ? rowSeal : "");
    shares.set(name, own);
    sum ^= own;
  };
  for (const row of database.prepare("SELECT id, seal FROM tasks WHERE run = ?").all(n))
    add(taskName(row["id"] as string), row["seal"]);
  for (const row of database.prepare("SELECT task, number, seal FROM attempts WHERE run = ?").all(n))
    add(attemptName(row["task"] as string, row["number"] as number), row["seal"]);
  return { run: id, shares, sum };
}

/** What the rows of a run add up to once a transaction is through, and what is to be kept of it then. */
export function sumAfter(
  seal: Seal,
  { run, shares, sum }: Shares,
  written: Written,
): { readonly sum: bigint; keep(): Shares } {
  const changed = Array.from(
    written,
    ([name, rowSeal]) => [name, rowSeal === undefined ? undefined : share(seal, rowSeal)] as const,
  );
  const after = changed.reduce((so, [name, own]) => so ^ (shares.get(name) ?? 0n) ^ (own ?? 0n), sum);
  return {
    sum: after,
    keep() {
      for (const [name, own] of changed) {
        if (own === undefined) shares.delete(name);
        else shares.set(name, own);
      }
      return { run, shares, sum: after };
    },
  };
}

/** The seal of all rows of a run together, as they stand after an event. */
export function digestOf(seal: Seal, run: string, seq: number, sum: bigint): string {
  return seal.of(`rows\n${run}\n${seq}\n${sum}`);
}
