import { told } from "../../text/index.ts";
import type { Place, Report } from "../report.ts";

/** A dependency on a task that the file does not have. */
export interface MissingDependency {
  /** The task that waits. */
  readonly id: string;
  /** What it waits for, as it is written. */
  readonly name: string;
  readonly place: Place;
  /** The id that may be meant. */
  readonly close: string | undefined;
}

/** Reports an unknown dependency: an error, or a warning where missing ones are taken as satisfied. */
export function reportMissing(report: Report, allowed: boolean, missing: MissingDependency): void {
  const { id, name, place, close } = missing;
  const guess = close === undefined ? undefined : told`did you mean ${close}?`;
  if (allowed)
    report.add(
      "warning",
      "MISSING_DEP",
      place,
      told`${id} waits for ${name}, which is not in this file; the dependency is taken as satisfied`,
      guess ?? told`correct the id, if it is meant to be a task of this file`,
    );
  else
    report.add(
      "error",
      "MISSING_DEP",
      place,
      told`ERROR:MISSING_DEP:${id}->${name}`,
      guess ?? told`no task has this id: correct it, or take it as satisfied with --allow-missing`,
    );
}
