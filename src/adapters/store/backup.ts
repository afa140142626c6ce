import { dirname } from "node:path";
import { fail, type Result } from "../../ports/result.ts";
import type { StoreFailure } from "../../ports/store-failure.ts";
import { temporaryName } from "../file/index.ts";
import { anyFailure, discard, publishDatabase, reserve, syncFile } from "./create.ts";
import { openDatabase, snapshotDatabase } from "./database.ts";
import { inspectDatabase } from "./inspect.ts";

/**
 * Copies a database that is in use to `target`. The copy is one snapshot, is checked before it takes the place of the
 * previous one, and is made off the main thread through a connection of its own: commits go on meanwhile.
 */
export async function backupDatabase(source: string, target: string): Promise<Result<void, StoreFailure>> {
  const temporary = temporaryName(dirname(target));
  try {
    reserve(temporary);
    const reader = openDatabase(source, "read");
    try {
      await snapshotDatabase(reader, temporary);
    } finally {
      reader.close();
    }
    syncFile(temporary);
  } catch (error) {
    discard(temporary);
    return fail(anyFailure(target, error));
  }
  const checked = inspectDatabase(temporary);
  if (!checked.ok) {
    discard(temporary);
    return checked;
  }
  return publishDatabase(temporary, target);
}
