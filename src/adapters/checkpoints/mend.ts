import { bridge } from "../../checkpoint/index.ts";
import type { Locale } from "../../text/index.ts";
import { ownedFileCalls, sweepTemporaries } from "../file/index.ts";
import type { CheckpointFolder } from "./folder.ts";
import { storeIndex } from "./store.ts";

/** What was mended, and what could not be. */
export interface Mended {
  readonly done: readonly string[];
  readonly failed: readonly string[];
}

/**
 * Makes what can be derived: deltas that a crash left out, the table of contents. Nothing that somebody wrote is changed.
 * Only for the holder of the lock: leftovers of a killed writer go, too.
 */
export function mendCheckpoints(folder: CheckpointFolder, locale: Locale): Mended {
  const done: string[] = sweepTemporaries(folder.path, ownedFileCalls).map(
    name => `removed ${name}, left by a writer that was killed`,
  );
  const failed: string[] = [];
  const { history, texts } = folder.read();
  for (const { code, about } of history.problems) {
    const [id = "", parent = ""] = about;
    if (code !== "MISSING_DELTA") continue;
    const [from, to] = [texts.state(parent), texts.state(id)];
    if (from === undefined || to === undefined) continue;
    const created = history.states.get(id)?.created ?? "";
    const made = bridge({ id: parent, text: from }, { id, text: to }, created, undefined, locale);
    const put = made.ok ? folder.add(made.value.file, made.value.text) : made;
    if (put.ok) done.push(`made the delta from ${parent} to ${id} again`);
    else failed.push(typeof put.failure === "string" ? put.failure : put.failure.message);
  }
  if (done.length > 0 || history.problems.some(({ code }) => code === "INDEX")) {
    const index = storeIndex(folder);
    if (index.ok) done.push("wrote the table of contents anew");
    else failed.push(index.failure);
  }
  return { done, failed };
}
