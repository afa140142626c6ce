import type { PackageResult } from "../../assembly/index.ts";
import { tasksBefore } from "../../plan/index.ts";
import { handedOver } from "./handover.ts";
import { fillLabel } from "./labels.ts";
import type { Library } from "./library.ts";
import { type Reading, resultOf } from "./package-sources.ts";

/** Tasks that are looked at for one package: beyond that many nothing is near. */
const MOST_LOOKED_AT = 100;

/**
 * What tasks handed over on which this one builds without waiting for them by name, oldest first: those behind its dependencies, and
 * those before it where the order of the file is that of the work. The nearest ones, in `context.package.earlier` tokens together.
 */
export function earlierResults(
  library: Library,
  reading: Reading,
  labels: ReadonlySet<string>,
): PackageResult[] {
  const { options, count } = library;
  let room = options.earlier;
  if (room === 0) return [];
  const direct = new Set(reading.task.dependsOn);
  const found: PackageResult[] = [];
  for (const { id, kind } of tasksBefore(library.plan(), reading.task.id, MOST_LOOKED_AT)) {
    if (direct.has(id) || kind !== "worker" || labels.has(fillLabel(id))) continue;
    const result = resultOf(library, reading, id);
    // Of the nearest as much as has room: one that is long does not keep all others out.
    const fits = (text: string) => found.length > 0 || count(text) <= room;
    const handover = result === undefined ? "" : handedOver(result.text, fits);
    if (result === undefined || handover === "") continue;
    room -= count(handover);
    if (room < 0) break;
    found.push({ ...result, handover });
  }
  return found.reverse();
}
