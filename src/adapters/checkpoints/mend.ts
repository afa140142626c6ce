import { bridge } from "../../checkpoint/index.ts";
import { asSaid, type Locale, type Told, told } from "../../text/index.ts";
import { ownedFileCalls, sweepTemporaries } from "../file/index.ts";
import type { CheckpointFolder } from "./folder.ts";
import { storeIndex } from "./store.ts";

/** What was mended, and what could not be. */
export interface Mended {
  readonly done: readonly Told[];
  readonly failed: readonly Told[];
}

/**
 * Makes what can be derived: deltas that a crash left out, the table of contents. Nothing that somebody wrote is changed.
 * Only for the holder of the lock: leftovers of a killed writer go, too.
 */
export function mendCheckpoints(folder: CheckpointFolder, locale: Locale): Mended {
  const done: Told[] = sweepTemporaries(folder.path, ownedFileCalls).map(
    name => told`removed ${name}, left by a writer that was killed`,
  );
  const failed: Told[] = [];
  const { history, texts } = folder.read();
  for (const { code, about } of history.problems) {
    const [id = "", parent = ""] = about;
    if (code !== "MISSING_DELTA") continue;
    const [from, to] = [texts.state(parent), texts.state(id)];
    if (from === undefined || to === undefined) continue;
    const created = history.states.get(id)?.created ?? "";
    const made = bridge({ id: parent, text: from }, { id, text: to }, created, undefined, locale);
    const put = made.ok ? folder.add(made.value.file, made.value.text) : made;
    if (put.ok) done.push(told`made the delta from ${parent} to ${id} again`);
    else failed.push(typeof put.failure === "string" ? asSaid(put.failure) : put.failure.said);
  }
  if (done.length > 0 || history.problems.some(({ code }) => code === "INDEX")) {
    const index = storeIndex(folder);
    if (index.ok) done.push(told`wrote the table of contents anew`);
    else failed.push(asSaid(index.failure));
  }
  return { done, failed };
}
