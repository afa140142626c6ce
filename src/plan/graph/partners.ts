import { told } from "../../text/index.ts";
import type { Report } from "../report.ts";
import type { Linkable, Links } from "./links.ts";

/** Makes partners mutual, and takes out those that cannot run together. */
export function settlePartners(tasks: readonly Linkable[], links: Links, report: Report): void {
  const { dependsOn, parallelWith } = links;
  for (const [index, task] of tasks.entries()) {
    const partners = parallelWith[index]!;
    const place = { line: task.line, column: task.column, length: task.id.length };
    const oneSided: string[] = [];
    for (const [other, single] of partners) {
      const own = dependsOn[index]!.get(other);
      const origin = own ?? dependsOn[other]!.get(index);
      if (origin !== undefined || task.phase !== tasks[other]!.phase) {
        partners.delete(other);
        parallelWith[other]!.delete(index);
        // A group named as a whole means those of it that may run beside.
        if (origin !== undefined && !single) continue;
        const [waiting, first] = own === undefined ? [tasks[other]!, task] : [task, tasks[other]!];
        if (origin === "field")
          report.add(
            waiting.done || first.done ? "warning" : "error",
            "PARALLEL_CONFLICT",
            place,
            told`${waiting.id} is to run beside ${first.id} and also to wait for it`,
            told`keep the dependency or the parallel, not both`,
          );
        else if (origin === "diagram")
          report.add(
            "warning",
            "PARALLEL_IGNORED",
            place,
            told`${task.id} names ${tasks[other]!.id} as parallel, but one comes after the other`,
            told`settle which of the two is meant`,
          );
        continue;
      }
      if (!parallelWith[other]!.has(index)) {
        oneSided.push(tasks[other]!.id);
        parallelWith[other]!.set(index, false);
      }
    }
    if (oneSided.length > 0) {
      report.add(
        "warning",
        "PARALLEL_ONE_SIDED",
        place,
        told`${task.id} names ${oneSided.slice(0, 8).join(", ")} as parallel, but not the other way round; taken as mutual`,
        told`name each other in both tasks`,
      );
    }
  }
}
