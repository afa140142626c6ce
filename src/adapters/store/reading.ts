import { fail, ok, type Result } from "../../ports/result.ts";
import type { StoreFailure } from "../../ports/store-failure.ts";
import { type DatabaseSync, storeFailure } from "./database.ts";

/** Reads, and tells what SQLite or a broken row throws as a failure of the store. */
export function reading<T>(read: () => T): Result<T, StoreFailure> {
  try {
    return ok(read());
  } catch (error) {
    if (error instanceof SyntaxError) return fail({ kind: "damaged", message: error.message });
    return fail(storeFailure(error));
  }
}

/** Lets several statements see one snapshot: a writer in another process may commit between two of them. */
export function inSnapshot(database: DatabaseSync): <T>(read: () => T) => T {
  const begin = database.prepare("BEGIN");
  const end = database.prepare("COMMIT");
  return read => {
    begin.run();
    try {
      return read();
    } finally {
      // A damaged page ends the transaction by itself; the error that told so must not be covered by another.
      if (database.isTransaction) end.run();
    }
  };
}
