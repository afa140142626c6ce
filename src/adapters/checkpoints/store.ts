import { type Created, INDEX_FILE, writeIndex } from "../../checkpoint/index.ts";
import { ok, type Result } from "../../ports/result.ts";
import type { CheckpointFolder } from "./folder.ts";

/**
 * Stores a checkpoint, then its delta, then the table of contents. Whatever a crash leaves out is derived from the
 * checkpoints again by the next opening.
 */
export function storeCheckpoint(folder: CheckpointFolder, created: Created): Result<void, string> {
  const put = folder.add(created.file, created.text);
  if (!put.ok) return put;
  if (created.delta !== undefined) {
    const bridged = folder.add(created.delta.file, created.delta.text);
    if (!bridged.ok) return bridged;
  }
  return storeIndex(folder);
}

/** Writes the table of contents anew, from the files. */
export function storeIndex(folder: CheckpointFolder): Result<void, string> {
  const { history } = folder.read();
  return history.problems.some(({ code }) => code === "INDEX")
    ? folder.put(INDEX_FILE, writeIndex(history))
    : ok(undefined);
}
