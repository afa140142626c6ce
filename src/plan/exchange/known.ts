import { told } from "../../text/index.ts";
import type { Place, Report } from "../report.ts";

/** What a task waits for among those that are imported; what is not among them counts as done, and is told. */
export function knownAlone(
  id: string,
  waits: readonly string[],
  known: ReadonlySet<string>,
  place: Place,
  report: Report,
): { id: string; place: Place }[] {
  return waits.flatMap(other => {
    if (known.has(other)) return [{ id: other, place }];
    report.add(
      "info",
      "ARCHIVED_DEP",
      place,
      told`${id} waits for ${other}, which is not imported; it counts as done`,
      told`import both if it is not`,
    );
    return [];
  });
}
