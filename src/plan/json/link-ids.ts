import { nearest, told } from "../../text/index.ts";
import { reportMissing } from "../graph/missing.ts";
import type { Limits } from "../limits.ts";
import { NOWHERE, type Place, type Report } from "../report.ts";

/** A task of a JSON plan with the ids it waits for. */
export interface JsonLinkable {
  readonly id: string;
  readonly place: Place;
  readonly depends: readonly { readonly id: string; readonly place: Place }[];
}

/** Checks ids and dependencies of a JSON plan; returns for each task the known ids it waits for, in file order. */
export function linkIds(
  tasks: readonly JsonLinkable[],
  allowMissing: boolean,
  limits: Limits,
  report: Report,
): string[][] {
  const numberOf = new Map<string, number>();
  for (const [index, { id, place }] of tasks.entries()) {
    const first = numberOf.get(id);
    if (first === undefined) {
      numberOf.set(id, index);
      report.places.set(id, place);
    } else {
      const { line } = tasks[first]!.place;
      report.add(
        "error",
        "DUPLICATE_ID",
        place,
        line === place.line
          ? told`${id} is defined twice on line ${line}`
          : told`${id} is defined on line ${line} and again on line ${place.line}`,
        told`give one of them another id`,
      );
    }
  }
  let edges = 0;
  const links = tasks.map(task => {
    const found = new Set<number>();
    for (const { id, place } of task.depends) {
      const other = numberOf.get(id);
      if (other !== undefined) {
        if (++edges <= limits.edges) found.add(other);
        continue;
      }
      const close =
        id.length > 2 && report.count("MISSING_DEP") < 20
          ? nearest(id, others(numberOf.keys(), task.id))
          : undefined;
      reportMissing(report, allowMissing, { id: task.id, name: id, place, close });
    }
    return [...found].sort((a, b) => a - b).map(index => tasks[index]!.id);
  });
  if (edges > limits.edges) {
    report.add(
      "error",
      "TOO_MANY_EDGES",
      NOWHERE,
      told`dependencies add up to more than ${limits.edges}`,
      told`split the plan`,
    );
  }
  return links;
}

function* others(ids: Iterable<string>, own: string): Iterable<string> {
  for (const id of ids) if (id !== own) yield id;
}

/** Leaves out tasks whose id another one before them has. */
export function firstOfEach<T extends { readonly id: string }>(tasks: readonly T[]): T[] {
  const seen = new Set<string>();
  return tasks.filter(task => !seen.has(task.id) && seen.add(task.id).size > 0);
}
