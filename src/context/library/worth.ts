import type { PackageResult } from "../../assembly/index.ts";
import { type AgentRole, type Budget, priorityOf, recencyAt, relevanceOf } from "../../budget/index.ts";
import type { Plan } from "../../plan/index.ts";
import { tasksOf } from "./tasks-of.ts";
import type { Uses } from "./uses.ts";

/** What tells how much a result is worth to a reader. */
export interface WorthFacts {
  readonly budget: Budget;
  readonly plan: Plan;
  readonly results: readonly PackageResult[];
  /** What the reader is to do. */
  readonly question: string;
  /** The task that reads them. */
  readonly reader: string;
  /** What became of a source in the run. */
  readonly usesOf?: (source: string) => Uses;
}

/**
 * What each result is worth to the reader: how new it is and how near in the graph, how much else builds on it, what it has to do
 * with the task, how sure its author is, and how often it was asked for, cited or contradicted.
 */
export function worthsOf(
  facts: WorthFacts,
): (position: number, vsLevel: AgentRole["vsLevel"], confidence: number | undefined) => number {
  const { budget, plan, results, question, reader, usesOf } = facts;
  const relevance = relevanceOf(
    results.map(({ task, text }) => ({ id: task, text, group: task })),
    question,
  );
  const distances = distancesTo(plan, reader);
  const { dependents } = tasksOf(plan.tasks);
  const most = results.reduce((top, { task }) => Math.max(top, dependents.get(task) ?? 0), 1);
  return (position, vsLevel, confidence) => {
    const { task } = results[position]!;
    const priority = priorityOf(
      {
        recency: recencyAt(position, results.length) / (distances.get(task) ?? 1),
        vsLevel,
        confidence,
        dependents: (dependents.get(task) ?? 0) / most,
        relevance: relevance[position],
      },
      budget.priority,
    );
    const uses = usesOf?.(task);
    return uses === undefined ? priority : loweredBy(raisedBy(priority, uses), uses);
  };
}

/** A worth that rises, towards 1, each time that its source was asked for or cited by an answer that does not contradict it. */
export function raisedBy(priority: number, { asked, cited, against }: Uses): number {
  const times = asked + cited - against;
  return priority + ((1 - priority) * times) / (times + 2);
}

/** A worth that falls, to its half at most, with the answers that say that its source is wrong. */
export function loweredBy(priority: number, { against }: Uses): number {
  return priority * (1 - against / (2 * (against + 1)));
}

/** Edges of the longest way from each task to the one that waits for it: what lies behind another dependency is farther. */
function distancesTo({ tasks }: Plan, reader: string): ReadonlyMap<string, number> {
  const { byId } = tasksOf(tasks);
  const order: string[] = [];
  const seen = new Set<string>([reader]);
  // Depth first without recursion: chains may be as long as a plan.
  const open: { id: string; next: number }[] = [{ id: reader, next: 0 }];
  while (open.length > 0) {
    const top = open.at(-1)!;
    const id = byId.get(top.id)?.dependsOn[top.next++];
    if (id === undefined) order.push(open.pop()!.id);
    else if (!seen.has(id)) {
      seen.add(id);
      open.push({ id, next: 0 });
    }
  }
  const distances = new Map([[reader, 0]]);
  for (const id of order.reverse())
    for (const before of byId.get(id)?.dependsOn ?? [])
      distances.set(before, Math.max(distances.get(before) ?? 0, distances.get(id)! + 1));
  return distances;
}
